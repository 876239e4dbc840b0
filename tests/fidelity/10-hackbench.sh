#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Our hackbench must measure what rt-tests' hackbench measures: the time of the one
# over the time of the other, with the same tasks, channels, groups and loops.

# shellcheck source=/dev/null
. "$(dirname "$0")/../bench/sides.bash"
need hackbench

fds=20 size=100

# The sum of as many runs as make a sample long enough.
repeated() {
	local sum=0 i

	for ((i = 0; i < repeats; i++)); do
		"$1"
		sum=$(awk "BEGIN { print $sum + $(taken) }")
	done
	take "$sum"
}

reference_once() {
	local output

	output=$(hackbench -g "$groups" "${options[@]}" -l "$loops" -f $fds -s $size) ||
		fail "hackbench failed"
	take "${output##*Time: }"
}

candidate_once() {
	local output

	output=$("$PROGRAMS/hackbench" --task="$task" --channel="$channel" \
		--groups="$groups" --loops="$loops" --fds=$fds --size=$size) ||
		fail "our hackbench failed"
	take_json time "$output"
}

reference() {
	repeated reference_once
}

candidate() {
	repeated candidate_once
}

# Runs enough also when the machine is less busy than now: the fastest of a few decides.
set_repeats() {
	local side fastest_s=1e9

	repeats=1
	for side in reference candidate reference candidate; do
		$side
		fastest_s=$(taken | awk "{ print \$1 < $fastest_s ? \$1 : $fastest_s }")
	done
	repeats=$(awk "BEGIN { print int($BENCH_SAMPLE_SECONDS * 1.2 / $fastest_s) + 1 }")
}

heading "time of our hackbench / of rt-tests', to be within 0.95..1.05"
for task in process thread; do
	for channel in pipes sockets; do
		options=(-P)
		[ $task = process ] || options=(-T)
		[ $channel = sockets ] || options+=(-p)
		for groups in 1 4; do
			for loops in 100 1000; do
				set_repeats
				measure hackbench
				report "$task $channel g$groups l$loops" hackbench \
					--least=0.95 --most=1.05
			done
		done
	done
done
conclude
