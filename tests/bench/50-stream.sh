#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Our stream must reach the bandwidth of the plainest loop: its triad over the triad of
# tests/bench/triad.c, by one and by two threads, with arrays of the same size, filled in
# the same order, and as many passes, of which the fastest counts.

# shellcheck source=/dev/null
. "$(dirname "$0")/sides.bash"
build triad -O3 -pthread

ntimes=10

# The size that a plan comes to when the grid leaves it open.
find_size() {
	cat >"$WORK/stream.yaml" <<-END
		schema: schedgrid-grid-1
		name: bench-stream
		executor: {type: local}
		columns:
		  - name: base
		workloads:
		  - workload: stream
	END
	size=$("$SCHEDGRID" plan "$WORK/stream.yaml") || fail "cannot plan a grid"
	[[ $size =~ --size=([0-9]+) ]] || fail "the plan has no size"
	size=${BASH_REMATCH[1]}
}

reference() {
	local output

	output=$("$WORK/triad" "$threads" "$size" $ntimes) || fail "the plain triad failed"
	take "$output"
}

candidate() {
	local output

	output=$("$PROGRAMS/stream" --affinity=mask --threads="$threads" --size="$size" \
		--ntimes=$ntimes) || fail "our stream failed"
	[[ $output =~ \"triad\":([0-9.e+-]+) ]] || fail "our stream printed no triad"
	take "${BASH_REMATCH[1]}"
}

find_size
heading "triad of our stream / of a plain loop, MB/s, to be at least 0.97"
for threads in 1 2; do
	if [ "$(nproc)" -lt $threads ]; then
		echo "threads=$threads: not measured, there is one CPU"
		continue
	fi
	measure stream
	report "threads=$threads size=$size" stream --least=0.97
done
conclude
