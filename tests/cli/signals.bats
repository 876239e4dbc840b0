#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154 # schedgrid and output come from elsewhere
# Signals and limits of the caller: what ends, what stays, and what is left alone.

bats_require_minimum_version 1.5.0
load common

# A directory with schedgrid and a null program of our own, whose tree is hard to end.
stubborn_programs() {
	mkdir -p bin/programs
	cp -L "$schedgrid" bin/schedgrid
	cat > bin/programs/null <<-'SH'
	#!/bin/bash
	setsid sleep 7653 &
	sleep 7653 &
	sleep 7653
	SH
	chmod +x bin/programs/null
}

wait_sleepers() {
	local _
	for _ in $(seq 100); do
		[ "$(pgrep -fc 'sleep 7653')" -ge 3 ] && return 0
		sleep 0.05
	done
	return 1
}

@test "whatever signal the terminal sends, nothing stays running" {
	stubborn_programs
	null_grid 1 3
	local signal _
	for signal in QUIT USR1 ALRM INT; do
		rm -rf run
		# A process group of its own, as a terminal's job has.
		(trap - INT QUIT; exec setsid bin/schedgrid run null.yaml -o run 3>&-) &
		wait_sleepers
		kill -s "$signal" -- -$!
		wait $! || true
		for _ in $(seq 100); do
			pgrep -f 'sleep 7653' > /dev/null || break
			sleep 0.05
		done
		run ! pgrep -f 'sleep 7653'
	done
}

@test "children that a script had before it became us are left alone" {
	null_grid "1 fail" 2
	bash -c 'sleep 7654 & exec "$0" run null.yaml -o run' "$schedgrid" 3>&- || true
	[ "$(records_with '"status":"ok"')" -eq 1 ]
	pgrep -f 'sleep 7654'
	pkill -f 'sleep 7654'
}

@test "Ctrl-C twice still gets the summary" {
	null_grid "sleep:50" 40
	local code=0
	(trap - INT; exec setsid "$schedgrid" run null.yaml -o run 3>&- 2> err) &
	wait_records 2
	kill -INT -- -$!
	kill -INT -- -$! 2> /dev/null || true
	wait $! || code=$?
	[ "$code" -eq 130 ]
	grep -q "results in run" err
}

@test "a limit of file sizes is an error of writing and leaves no half file" {
	null_grid 1 30
	run bash -c "ulimit -f 4; exec '$schedgrid' run null.yaml -o run"
	[ "$status" -eq 4 ]
	says "File too large"
	[ -z "$(find run -name '*.new')" ]
	"$schedgrid" run null.yaml -o run
	[ "$(records_with '"status":"ok"')" -eq 30 ]
}

@test "what a crash left of a file being written makes room for the next" {
	null_grid 1 1
	mkdir run
	: > run/plan.json.new
	: > run/records.jsonl
	"$schedgrid" run null.yaml -o run
	[ ! -e run/plan.json.new ]
}

@test "a worker whose supervisor dies stops even where SIGTERM is ignored" {
	null_grid "sleep:50" 100
	bash -c 'trap "" TERM; exec "$0" run null.yaml -o run' "$schedgrid" 3>&- &
	wait_records 2
	local worker _
	worker=$(pgrep -P $!)
	kill -KILL $!
	for _ in $(seq 100); do
		[ -e "/proc/$worker" ] || break
		sleep 0.05
	done
	[ ! -e "/proc/$worker" ]
	[ "$(records_with '"status":"interrupted"')" -le 1 ]
}

@test "escapes in arguments don't reach the terminal" {
	run "$schedgrid" list $'\e[31mred'
	[ "$status" -eq 2 ]
	[[ "$output" != *$'\e'* ]]
}
