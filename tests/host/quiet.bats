#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154 # schedgrid comes from elsewhere
# Others' work on this machine's own counters.

bats_require_minimum_version 1.5.0
load host

# Keeps $1 CPUs busy until the test ends, for a minute at most.
spin() {
	local _
	for _ in $(seq "$1"); do
		timeout 60 sh -c 'while :; do :; done' 3>&- &
	done
}

@test "what others use of the CPUs is flagged and repeated, what the program uses isn't" {
	null_grid "sleep:1500" 1
	sed -i 's/^timeout:.*/quiet: {busy: 15%, wait: 500ms, repeat: 1}/; s/{script/{step: [7], script/' null.yaml
	spin $((($(nproc) + 1) / 2))
	"$schedgrid" run null.yaml -o run 2> run.err
	[ "$(wc -l < run/records.jsonl)" -eq 2 ]
	[ "$(records_with '"flags":\["interfered"\]')" -eq 2 ]
	[ "$(records_with "others took at least")" -eq 2 ]
	[ "$(records_with "the machine was not quiet within 500ms before it")" -eq 2 ]
	grep -q "null step=7, only, iteration 1: others took at least .*; it runs again" run.err
	end_started
	# As much work of its own.
	cat > own.sh <<-'SH'
	#!/bin/sh
	timeout 2 sh -c 'while :; do :; done'
	echo took 2
	SH
	chmod +x own.sh
	cat > own.yaml <<-'YAML'
	schema: schedgrid-grid-1
	name: own
	executor: {type: local}
	repeat: {iterations: 1, warmup: 0}
	quiet: {busy: 15%, wait: 20s, repeat: 2}
	columns:
	  - name: only
	workloads:
	  - workload: exec
	    command: [./own.sh]
	    metrics:
	      - {name: time, unit: s, better: lower, regex: 'took ([0-9]+)'}
	YAML
	"$schedgrid" run own.yaml -o own --allow-exec
	tail -n 1 own/records.jsonl | grep -q "not quiet" && skip "host: others use the CPUs"
	[ "$(tail -n 1 own/records.jsonl | grep -c '"flags":\[\]')" -eq 1 ]
}
