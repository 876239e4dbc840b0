#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154 # schedgrid and output come from elsewhere
# Monitors in grids and plans, times elapsed, and the format perf-stat. Nothing here
# needs perf.

load common

# A grid of a command that takes a time: more lines of the entry, of the grid.
elapsed_grid() {
	cat > elapsed.yaml <<-YAML
	schema: schedgrid-grid-1
	name: elapsed
	executor: {type: local}
	repeat: {iterations: 3, warmup: 0}
	$2
	columns:
	  - name: only
	workloads:
	  - workload: exec
	    command: [sh, -c, "exit 0"]
	    metrics: [{name: elapsed, unit: s, better: lower, from: elapsed}]
	    $1
	YAML
}

@test "the time elapsed of a command that prints nothing is a metric" {
	elapsed_grid "sync: true"
	"$schedgrid" run elapsed.yaml -o run --allow-exec
	[ "$(records_with '"name":"elapsed","unit":"s","better":"lower","resolution":1e-9,"samples":\[0\.0')" -eq 3 ]
	run "$schedgrid" compare --format perf-stat run
	[ "$status" -eq 0 ]
	says " exec-sh, only (3 iterations):"
	[[ "$output" =~ 0\.[0-9]+\ \+-\ 0\.[0-9]+\ seconds\ time\ elapsed\ \ \(\ \+-\ *[0-9]+\.[0-9][0-9]%\ \) ]]
	says "standard error of the mean"
}

@test "the time elapsed is read again from the record" {
	elapsed_grid
	"$schedgrid" run elapsed.yaml -o run --allow-exec
	run "$schedgrid" reparse run
	[ "$status" -eq 0 ]
	says "0 changed, 3 unchanged"
}

@test "a command that fails has no time elapsed" {
	elapsed_grid
	sed -i 's/exit 0/exit 3/' elapsed.yaml
	run "$schedgrid" run elapsed.yaml -o run --allow-exec
	[ "$status" -eq 1 ]
	[ "$(records_with '"metrics":\[\]')" -eq 3 ]
}

@test "sync and from are refused where they mean nothing" {
	elapsed_grid "sync: sometimes"
	run "$schedgrid" plan elapsed.yaml
	[ "$status" -eq 2 ]
	says "'sync' can only be true or false"
	elapsed_grid
	sed -i 's/from: elapsed/from: outer space/' elapsed.yaml
	run "$schedgrid" plan elapsed.yaml
	[ "$status" -eq 2 ]
	says "unknown source of a metric 'outer space'; expected elapsed"
	sed -i 's/from: outer space/from: elapsed, regex: (a)/' elapsed.yaml
	run "$schedgrid" plan elapsed.yaml
	[ "$status" -eq 2 ]
	says "metric 'elapsed' needs one of 'regex', 'json' and 'from: elapsed'"
}

@test "a plan shows the monitored command, and monitors make another cell of it" {
	null_grid 1
	"$schedgrid" plan null.yaml > plain
	printf 'monitors: [{perf-stat: {events: [cs, "sched:sched_switch"]}}]\n' >> null.yaml
	"$schedgrid" plan null.yaml > counted
	grep -q "perf stat -j -o perf-stat.json -e cs,sched:sched_switch -- .*witness ended .*null --step=1 --script=1" counted
	[ "$(grep only plain)" != "$(grep only counted)" ]
	run "$schedgrid" plan --json null.yaml
	[ "$status" -eq 0 ]
	says '"events":'
	sed -i 's/\[cs, /[task-clock, /' null.yaml
	"$schedgrid" plan null.yaml > others
	[ "$(grep only counted)" != "$(grep only others)" ]
}

@test "a run is not gone on with under other monitors" {
	null_grid 1
	"$schedgrid" run null.yaml -o run
	printf 'monitors: [perf-stat]\n' >> null.yaml
	run "$schedgrid" run null.yaml -o run
	[ "$status" -eq 2 ]
	says "what differs is the monitors"
}

@test "doctor measures monitors on this host only" {
	mkdir root
	run "$schedgrid" doctor --monitors --root root
	[ "$status" -eq 2 ]
	says "can't go with --root"
}

@test "columns of one run without and one with a monitor are refused" {
	mkdir a b
	local line='{"schema":"schedgrid-record-1","id":"c1/b1/i1/a1","cell":"CELL","column":"COLUMN","workload":"null","variant":"null","executor":"local","status":"ok","flags":[],MORE"metrics":[{"name":"value","unit":"s","better":"lower","samples":[1.5]}]}'
	line=${line/CELL/c1}
	local counted=${line/MORE/'"monitors":"perf-stat(cs)",'}
	line=${line/MORE/}
	counted=${counted//c1/c2}
	echo "${line/COLUMN/base}" > a/records.jsonl
	echo "${counted/COLUMN/wake}" > b/records.jsonl
	run "$schedgrid" compare a b
	[ "$status" -eq 2 ]
	says "ran under unlike monitors in columns 'base' and 'wake': none and perf-stat(cs)"
	run "$schedgrid" compare --force --format perf-stat a b
	[ "$status" -eq 0 ]
	says "note: not comparable"
}
