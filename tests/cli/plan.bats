#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154 # schedgrid and output come from elsewhere
# schedgrid plan, list and the command line itself.

load common

pinned_grid() {
	null_grid 1
	sed -i "s/name: only/name: only\n    pin: $1/" null.yaml
}

@test "plan prints id, column, variant, point, CPUs and command of every cell" {
	null_grid 1
	sed -i 's/{script/{step: [1, 2], script/' null.yaml
	run "$schedgrid" plan null.yaml
	[ "$status" -eq 0 ]
	says "1 column x 2 rows = 2 cells, each 0 warm-up + 3 iterations"
	[[ "${lines[3]}" =~ ^[0-9a-f]{16}"  only  null  step=1  CPUs "[0-9] ]]
	[[ "${lines[4]}" =~ programs/null.*--step=1.*--script=1 ]]
	[ ! -e results ]
}

@test "ids depend on what is measured, not on labels" {
	null_grid 1
	a=$("$schedgrid" plan null.yaml | sed -n 5p | cut -d' ' -f1)
	sed -i 's/name: only/name: other/; s/name: nulls/name: changed/' null.yaml
	b=$("$schedgrid" plan null.yaml | sed -n 5p | cut -d' ' -f1)
	null_grid 2
	c=$("$schedgrid" plan null.yaml | sed -n 5p | cut -d' ' -f1)
	[ "$a" = "$b" ]
	[ "$a" != "$c" ]
}

@test "pins become CPUs of the machine" {
	fake_machine
	local word
	for word in "one-cpu 0" "one-llc 0-3" "one-per-llc 0,4" "one-llc-or-cpu 0-3" \
		"6-7 6-7" "one-core 0" "one-per-core 0-4,6-7"; do
		pinned_grid "${word% *}"
		run "$schedgrid" plan null.yaml
		[ "$status" -eq 0 ]
		says "CPUs ${word#* }"
	done
}

@test "BL-033, BL-045: CPUs that are not there are refused by number and place" {
	fake_machine
	local list
	for list in 0-5 4-6 5 0-63; do
		pinned_grid "$list"
		run "$schedgrid" plan null.yaml
		[ "$status" -eq 2 ]
		says "null.yaml:8:10: pin '$list': CPU "
		says "is not online (expected CPUs of 0-4,6-7)"
	done
}

@test "a misspelt pin word is refused with the nearest one" {
	pinned_grid one-lcl
	run "$schedgrid" plan null.yaml
	[ "$status" -eq 2 ]
	says "did you mean 'one-llc'?"
}

@test "columns that are the same in effect are refused" {
	fake_machine
	pinned_grid 0-4,6-7
	sed -i 's/^workloads/  - name: again\nworkloads/' null.yaml
	run "$schedgrid" plan null.yaml
	[ "$status" -eq 2 ]
	says "null.yaml:9:5: columns 'only' and 'again' are the same in effect"
}

@test "a value that the workload refuses is refused with its place" {
	null_grid "1 fial"
	run "$schedgrid" plan null.yaml
	[ "$status" -eq 2 ]
	says "null.yaml:9:5: "
	says "did you mean 'fail'?"
}

@test "what this machine can't do is skipped with the reason" {
	cat > stream.yaml <<-YAML
	schema: schedgrid-grid-1
	name: bound
	executor: {type: local}
	repeat: {iterations: 1, warmup: 0}
	columns:
	  - name: only
	    pin: one-cpu
	workloads:
	  - workload: stream
	    variant: {affinity: per-thread}
	    parameters: {threads: 2, size: 10000, ntimes: 2}
	YAML
	run "$schedgrid" plan stream.yaml
	[ "$status" -eq 0 ]
	says "will be skipped: "
	run "$schedgrid" run stream.yaml -o run
	[ "$status" -eq 0 ]
	says "1 iterations: 1 skipped"
	[ "$(records_with '"status":"skipped","reason":')" -eq 1 ]
	run "$schedgrid" compare run
	[ "$status" -eq 0 ]
	says "skipped"
}

@test "STREAM's open size follows the caches, and a smaller one is marked" {
	fake_machine
	null_grid 1 1
	sed -i 's/name: only/&\n    pin: 0/; /workload: "null"/,$d' null.yaml
	cp null.yaml small.yaml
	echo "  - {workload: stream, parameters: {size: auto, ntimes: 2}}" >> null.yaml
	run "$schedgrid" plan null.yaml
	[ "$status" -eq 0 ]
	# One cache of 8 MiB: 4 x 1048576 elements, in whole thousands.
	says "--size=4195000 "
	[[ "$output" != *undersized* ]]
	run "$schedgrid" plan --json null.yaml
	says '"size": 4195000'
	echo "  - {workload: stream, parameters: {size: 1000000, ntimes: 2}}" >> small.yaml
	run "$schedgrid" plan small.yaml
	says "undersized: an array has 7812 KiB, less than 4 times the 8192 KiB"
	run "$schedgrid" doctor small.yaml
	says "note    undersized: 1 of 1 cells: an array has 7812 KiB, less than 4 times"
	run "$schedgrid" doctor null.yaml
	[[ "$output" != *undersized* ]]
	"$schedgrid" run small.yaml -o run
	# Under load the guard adds a flag of its own.
	[ "$(records_with '"flags":\[[^]]*"undersized"')" -eq 1 ]
	[ "$(records_with '"remarks":\["an array has 7812 KiB, less than 4 times')" -eq 1 ]
}

@test "plan --json is the plan that a run keeps" {
	null_grid 1
	"$schedgrid" run null.yaml -o run
	"$schedgrid" plan --json null.yaml > plan.json
	cmp plan.json <(cat run/plan.json; echo)
}

@test "a grid that isn't there is an error of usage" {
	run "$schedgrid" plan absent.yaml
	[ "$status" -eq 2 ]
	says "cannot open 'absent.yaml'"
}

@test "unknown commands and options name the nearest one" {
	run "$schedgrid" compar
	[ "$status" -eq 2 ]
	says "did you mean 'compare'?"
	run "$schedgrid" run --onyl x grid.yaml
	[ "$status" -eq 2 ]
	says "did you mean '--only'?"
	run "$schedgrid" run --more
	[ "$status" -eq 2 ]
	run "$schedgrid" run --more 1e3 grid.yaml
	[ "$status" -eq 2 ]
	says "'1e3'"
	run "$schedgrid"
	[ "$status" -eq 2 ]
}

@test "help and version" {
	run "$schedgrid" --version
	[ "$status" -eq 0 ]
	[[ "$output" =~ ^schedgrid\ [0-9]+\.[0-9]+ ]]
	run "$schedgrid" --help
	[ "$status" -eq 0 ]
	local command
	for command in run plan compare list; do
		says "  $command "
		run "$schedgrid" $command --help
		[ "$status" -eq 0 ]
		says "usage: schedgrid $command"
		run "$schedgrid" --help
	done
}

@test "list tells every workload, parameter and metric" {
	run "$schedgrid" list
	[ "$status" -eq 0 ]
	local word
	for word in hackbench stream null groups loops threads triad setup; do
		says "$word"
	done
	says "or auto, default auto"
	run "$schedgrid" list hackbench
	[[ "$output" != *stream* ]]
	run "$schedgrid" list hackbnch
	[ "$status" -eq 2 ]
}

@test "a full standard output is an error" {
	null_grid 1
	run bash -c "'$schedgrid' plan null.yaml > /dev/full"
	[ "$status" -eq 4 ]
	says "cannot write to standard output"
}

@test "plan estimates by earlier runs, and says when it can't" {
	null_grid 1
	run "$schedgrid" plan null.yaml
	[ "$status" -eq 0 ]
	says "estimate: not known before a first run"
	"$schedgrid" run null.yaml -o run
	run "$schedgrid" plan null.yaml
	says "estimate: not known before a first run"
	run "$schedgrid" plan null.yaml -o run
	[ "$status" -eq 0 ]
	[[ "$output" =~ "estimate: about "[0-9.]+[a-z]+" and "[0-9]+" KiB for 3 iterations, by 3 earlier records" ]]
	"$schedgrid" run null.yaml -o results/any
	run "$schedgrid" plan null.yaml
	says "for 3 iterations, by 3 earlier records"
	echo '{}' >> run/records.jsonl
	run "$schedgrid" plan null.yaml -o run
	[ "$status" -eq 4 ]
	says "run/records.jsonl"
}

@test "a grid may come through a pipe" {
	null_grid 1
	run bash -c "'$schedgrid' plan <(cat null.yaml)"
	[ "$status" -eq 0 ]
	says "step=1"
	run bash -c "cat null.yaml | '$schedgrid' run /dev/stdin -o run"
	[ "$status" -eq 0 ]
	cmp null.yaml run/grid.yaml
}
