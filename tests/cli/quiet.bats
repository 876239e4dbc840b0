#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154 # schedgrid and output come from elsewhere
# The rule of a quiet machine: what is repeated, what counts, and what is refused.

bats_require_minimum_version 1.5.0
load common

# A grid of two short iterations with the rule $1.
quiet_grid() {
	null_grid 1 2
	sed -i "s/^timeout:.*/quiet: {$1}/" null.yaml
}

# As if others had interfered with iteration $1 of the run, whose last attempt is $2.
interfere() {
	sed -i "/\"iteration\":$1,\"attempt\":$2,/s/\"flags\":\[[^]]*\]/\"flags\":[\"interfered\"]/" \
		run/records.jsonl
}

@test "an iteration that others interfered with runs again, as often as the grid says" {
	# However busy this machine is: what interferes is written in by hand.
	quiet_grid "busy: 100%, wait: 0s, repeat: 2"
	"$schedgrid" run null.yaml -o run
	interfere 2 1
	run "$schedgrid" run null.yaml -o run
	[ "$status" -eq 0 ]
	says "1 iterations: 1 ok"
	[ "$(wc -l < run/records.jsonl)" -eq 3 ]
	# What was repeated stays, with its mark and its output.
	[ "$(records_with '"iteration":2,"attempt":1,.*"flags":\["interfered"\]')" -eq 1 ]
	[ -e "$(echo run/raw/*/b1-i2-a1)/stdout" ]
	interfere 2 2
	"$schedgrid" run null.yaml -o run
	interfere 2 3
	# Three attempts are all that it gets.
	run "$schedgrid" run null.yaml -o run
	says "nothing was missing"
	[ "$(wc -l < run/records.jsonl)" -eq 4 ]
}

@test "only the last attempt counts in a comparison" {
	quiet_grid "busy: 100%, wait: 0s, repeat: 1"
	sed -i 's/"1"/"1 9 5"/' null.yaml
	"$schedgrid" run null.yaml -o run
	interfere 2 1
	sed -i 's/"samples":\[9[.0]*\]/"samples":[1000.0]/' run/records.jsonl
	"$schedgrid" run null.yaml -o run
	run "$schedgrid" compare run --format csv
	[ "$status" -eq 0 ]
	[[ "$output" != *1000* ]]
	run "$schedgrid" compare run
	[[ "$output" != *interfered* ]]
}

@test "without the rule nothing is repeated, and the flag stays" {
	null_grid 1 2
	"$schedgrid" run null.yaml -o run
	interfere 2 1
	run "$schedgrid" run null.yaml -o run
	says "nothing was missing"
}

@test "with another rule it is another run" {
	quiet_grid "busy: 6%, wait: 0s, repeat: 0"
	"$schedgrid" run null.yaml -o run
	grep -q '"busy": 0.06' run/plan.json
	quiet_grid "busy: 7%, wait: 0s, repeat: 0"
	run "$schedgrid" run null.yaml -o run
	[ "$status" -eq 2 ]
	says "what differs is the rule of a quiet machine"
}

@test "a signal ends the wait for a quiet machine" {
	quiet_grid "busy: 1%, wait: 100s, repeat: 0"
	# Nothing to wait for where the machine is quiet: either is fine, but not 100 s.
	(trap - INT; exec "$schedgrid" run null.yaml -o run 2> err 3>&-) &
	local code=0
	sleep 0.2
	kill -INT $! 2> /dev/null || true
	wait $! || code=$?
	[ "$code" -eq 130 ] || [ "$code" -eq 0 ]
	[ "$(records_with '"status":"ok"')" -eq 2 ] || [ "$code" -eq 130 ]
}

@test "values of the rule that can't be are refused with their place" {
	local rule
	for rule in "busy: 0%" "busy: 101%" "busy: 6" "busy: 6.5%" "busy: 6%%" "busy: -1%"; do
		quiet_grid "$rule"
		run "$schedgrid" plan null.yaml
		[ "$status" -eq 2 ]
		says "is not a whole percentage (expected 1% to 100%)"
	done
	quiet_grid "wait: 60"
	run "$schedgrid" plan null.yaml
	[ "$status" -eq 2 ]
	says "null.yaml:5:15: wait: '60' is not a duration"
	quiet_grid "repeat: 11"
	run "$schedgrid" plan null.yaml
	[ "$status" -eq 2 ]
	says "(expected 0 to 10)"
	quiet_grid "calm: 1"
	run "$schedgrid" plan null.yaml
	[ "$status" -eq 2 ]
	says "unknown key 'calm' in 'quiet'"
}
