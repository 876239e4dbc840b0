#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A pair that waits for each other is faster on one CPU than on two, on an idle machine
# as published. Were it the other way round here, a pair would not have been where it was
# put, or something else than the wakeups would be measured.

# shellcheck disable=SC2154 # first_cpu and last_cpu come from sides.bash
# shellcheck source=/dev/null
. "$(dirname "$0")/../bench/sides.bash"
need tbench_srv taskset pgrep

find_cpus
here=$first_cpu there=$last_cpu
if [ "$here" = "$there" ]; then
	echo "one CPU against two: skipped, only CPU $here is allowed" && exit 0
fi

# The child on the CPU $1, its parent on the first. Their time is turned over to a rate.
pipe_on() {
	local parent child='' _

	taskset -c "$here" "$PROGRAMS/pipe" --task=process --loops="$loops" >"$WORK/out" &
	parent=$!
	for _ in {1..200}; do
		child=$(pgrep -P $parent) && break
	done
	taskset -cp "$1" "$child" >/dev/null || fail "cannot place our pipe"
	wait $parent || fail "our pipe failed"
	take_json latency "$(<"$WORK/out")"
	take "$(taken | awk '{ print 1 / $1 }')"
}

# dbench's server on the CPU $1, our client on the first.
tbench_on() {
	local output

	printf '#!/bin/sh\nexec taskset -c %s /usr/bin/tbench_srv "$@"\n' "$1" \
		>"$WORK/server"
	chmod +x "$WORK/server"
	output=$(taskset -c "$here" "$PROGRAMS/tbench" --load=full --clients=1 --seconds=2 \
		--warmup=0 "--server=$WORK/server") || fail "tbench failed"
	take_json rate "$output"
}

reference() {
	"$workload"_on "$there"
}

candidate() {
	"$workload"_on "$here"
}

loops=$(awk "BEGIN { print int($BENCH_SAMPLE_SECONDS * 200000) + 1 }")
heading "rate on one CPU / on CPUs $here and $there, to be at least 1"
for workload in pipe tbench; do
	measure "$workload"
	report "$workload" "$workload" --least=1
done
conclude
