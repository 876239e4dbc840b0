#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Our hackbench must measure what rt-tests' hackbench measures: the time of the one
# over the time of the other, with the same tasks, channels, groups and loops.

# shellcheck source=/dev/null
. "$(dirname "$0")/sides.bash"
need hackbench

fds=20 size=100 least_s=1

reference() {
	local output

	output=$(hackbench -g "$groups" -p "$task_option" -l "$loops" -f $fds -s $size) ||
		fail "hackbench failed"
	take "${output##*Time: }"
}

candidate() {
	local output

	output=$("$PROGRAMS/hackbench" --task="$task" --channel=pipes --groups="$groups" \
		--loops="$loops" --fds=$fds --size=$size) || fail "our hackbench failed"
	[[ $output =~ \"time\":([0-9.e+-]+) ]] || fail "our hackbench printed no time"
	take "${BASH_REMATCH[1]}"
}

# Loops for runs that are long enough also when the machine is less busy than now: the
# fastest of a few decides.
scale_loops() {
	local side fastest_s

	loops=100
	while :; do
		fastest_s=1e9
		for side in reference candidate reference candidate; do
			$side
			fastest_s=$(taken | awk "{ print \$1 < $fastest_s ? \$1 : $fastest_s }")
		done
		awk "BEGIN { exit $fastest_s < $least_s / 4 }" && break
		loops=$((loops * 3))
	done
	loops=$(awk "BEGIN { print int($loops * $least_s * 1.2 / $fastest_s) + 1 }")
}

heading "time of our hackbench / of rt-tests', to be within 0.95..1.05"
for task in process thread; do
	task_option=-P
	[ $task = process ] || task_option=-T
	for groups in 1 4; do
		scale_loops
		measure hackbench
		report "$task pipes groups=$groups" hackbench --least=0.95 --most=1.05
	done
done
conclude
