#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Our pipe must measure what `perf bench sched pipe` measures: the time of a round trip
# of the one over that of the other, both on one CPU, by processes and by threads.

# shellcheck source=/dev/null
. "$(dirname "$0")/../bench/sides.bash"
need perf taskset

find_cpus
on_cpu=(taskset -c "$first_cpu")

reference() {
	local output

	output=$("${on_cpu[@]}" perf bench sched pipe --loop="$loops" "${option[@]}") ||
		fail "perf bench failed"
	[[ $output =~ ([0-9.]+)\ usecs/op ]] || fail "perf bench printed no time"
	take "${BASH_REMATCH[1]}"
}

candidate() {
	local output

	output=$("${on_cpu[@]}" "$PROGRAMS/pipe" --task="$task" --loops="$loops") ||
		fail "our pipe failed"
	take_json latency "$output"
}

# Round trips that take long enough: the start of the tasks must not count.
scale_loops() {
	local fastest_us=1e9 _

	loops=20000
	for _ in 1 2 3; do
		reference
		fastest_us=$(taken | awk "{ print \$1 < $fastest_us ? \$1 : $fastest_us }")
	done
	loops=$(awk "BEGIN { print int($BENCH_SAMPLE_SECONDS * 1.1e6 / $fastest_us) + 1 }")
}

heading "round trip of our pipe / of perf bench sched pipe on one CPU, within 0.97..1.03"
for task in process thread; do
	option=()
	[ $task = process ] || option=(--threaded)
	scale_loops
	measure pipe
	report "$task" pipe --least=0.97 --most=1.03
done
conclude
