#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs that are killed: what they started ends, and they go on where they were.

bats_require_minimum_version 1.5.0
load host

@test "200 times kill -9 at seeded random moments: every iteration once, no child left" {
	local kills=0 runs=0 delay pid
	null_grid "sleep:10" 20
	RANDOM=7
	while [ $kills -lt 200 ]; do
		"$schedgrid" run null.yaml -o "run$runs" 2> run.err 3>&- &
		pid=$!
		printf -v delay 0.%03d $((RANDOM % 150))
		sleep "$delay"
		worker=
		case $((RANDOM % 3)) in
		0) kill -KILL $pid 2> /dev/null && kills=$((kills + 1)) ;;
		1)
			find_worker $pid
			[ "$worker" ] && kill -KILL "$worker" && kills=$((kills + 1))
			;;
		2)
			find_worker $pid
			# shellcheck disable=SC2086 # there may be none
			kill -KILL $worker $pid 2> /dev/null && kills=$((kills + 1))
			;;
		esac
		wait $pid 2> /dev/null || true
		if [ "$(grep -c '"status":"ok"' "run$runs/records.jsonl")" -eq 20 ]; then
			check_complete "run$runs" 20
			runs=$((runs + 1))
		fi
	done
	run_on "run$runs"
	check_complete "run$runs" 20
	wait_gone 5
	echo "# $kills kills, $((runs + 1)) runs" >&3
}

@test "the worker killed under 400 processes of hackbench: all are gone within 3 s" {
	start_hackbench 400
	find_worker "$pid"
	kill -KILL "$worker"
	wait_gone 3
	# Not through run: its subshell has no children to wait for.
	local code=0
	wait "$pid" || code=$?
	[ "$code" -eq 137 ]
	grep -q "the runner was killed by signal 9" run.err
	echo "# gone after $waited ms" >&3
}

@test "the supervisor killed under 400 processes of hackbench: all are gone within 3 s" {
	start_hackbench 400
	kill -KILL "$pid"
	wait_gone 3
	grep -q '"status":"interrupted"' run/records.jsonl
	echo "# gone after $waited ms" >&3
}

@test "worker and supervisor killed at once under hackbench: all are gone within 3 s" {
	start_hackbench 400
	find_worker "$pid"
	kill -KILL "$worker" "$pid"
	wait_gone 3
	echo "# gone after $waited ms" >&3
}
