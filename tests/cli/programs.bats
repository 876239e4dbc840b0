#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154 # schedgrid and output come from elsewhere
# Programs of others, the pipe workload, and commands of the user's own.

bats_require_minimum_version 1.5.0
load common

# Writes a grid of one column with these workloads into grid.yaml.
grid() {
	{
		cat <<-YAML
		schema: schedgrid-grid-1
		name: programs
		executor: {type: local}
		repeat: {iterations: 2, warmup: 0}
		timeout: 60s
		columns:
		  - name: only
		workloads:
		YAML
		cat
	} > grid.yaml
}

# A grid of a command in the current directory: its script, its metric's rule.
exec_grid() {
	printf '#!/bin/sh\n%s\n' "$1" > tool
	chmod +x tool
	grid <<-YAML
	  - workload: exec
	    command: [./tool, '{n}']
	    parameters: {n: [1, two words]}
	    metrics:
	      - {name: time, unit: s, better: lower, ${2:-"regex: 'took ([0-9.]+) s'"}}
	YAML
}

# The child of a process, once it has one.
child_of() {
	local child='' _
	for _ in $(seq 500); do
		child=$(pgrep -P "$1" || true)
		[ -z "$child" ] || break
		sleep 0.02
	done
	echo "$child"
}

programs=${schedgrid%/*}/programs
[ -d "$programs" ] || programs=$BATS_TEST_DIRNAME/../../build/release/programs

@test "a program of another name is refused with the nearest one" {
	grid <<-YAML
	  - workload: pipe
	    program: prf
	YAML
	run "$schedgrid" plan grid.yaml
	[ "$status" -eq 2 ]
	says "grid.yaml:10:14: unknown program 'prf' of pipe; expected one of native, perf; did you mean 'perf'?"
}

@test "one grid may hold the same workload by two programs, in variants of their own" {
	grid <<-YAML
	  - workload: pipe
	  - workload: pipe
	    program: perf
	YAML
	run "$schedgrid" plan grid.yaml
	[ "$status" -eq 0 ]
	says "  only  pipe-process  "
	says "  only  pipe-process-perf  "
	says "perf bench sched pipe --loop=1000000"
}

@test "pipe makes its round trips by processes and by threads" {
	grid <<-YAML
	  - workload: pipe
	    parameters: {loops: 200}
	  - workload: pipe
	    variant: {task: thread}
	    parameters: {loops: 200}
	YAML
	run "$schedgrid" run grid.yaml -o run
	[ "$status" -eq 0 ]
	says "4 iterations: 4 ok"
	[ "$(records_with '"name":"latency","unit":"us/op","better":"lower"')" -eq 4 ]
	[ "$(records_with '"program":{"name":"native","version":"[0-9.]*","sha256":"[0-9a-f]\{64\}"}')" -eq 4 ]
}

@test "pipe's program takes exactly its two arguments" {
	local args
	for args in "" "--task=process" "--task=process --loops=0" "--task=fork --loops=1" \
		"--loops=1 --task=process" "--task=thread --loops=1 x" "--task=thread --loops=1x"; do
		# shellcheck disable=SC2086 # words
		run -2 "$programs/pipe" $args
	done
}

@test "pipe ends with a message when the other process dies" {
	"$programs/pipe" --task=process --loops=1000000000 > out 2> err 3>&- &
	local parent=$! code=0
	kill -KILL "$(child_of $parent)"
	wait $parent || code=$?
	[ "$code" -eq 1 ]
	grep -q "pipe: the child was killed by signal 9" err
	[ ! -s out ]
}

@test "pipe's child goes when its parent is killed" {
	"$programs/pipe" --task=process --loops=1000000000 > out 2> err 3>&- &
	local parent=$! child
	child=$(child_of $parent)
	kill -KILL $parent
	wait $parent || true
	timeout 60 tail -f --pid="$child" /dev/null
}

@test "list tells each workload's programs and their packages" {
	run "$schedgrid" list hackbench
	says "program    native     the suite's own"
	says "program    rt-tests   hackbench (Debian package rt-tests)"
	run "$schedgrid" list messaging
	says "program    perf       perf (Debian package linux-perf)"
	run "$schedgrid" list exec
	says "exec: a command of your own"
}

@test "what a grid names is not run without --allow-exec" {
	exec_grid "touch '$PWD/was-here'; echo took 1 s"
	run "$schedgrid" run grid.yaml -o run
	[ "$status" -eq 2 ]
	[ "${#lines[@]}" -eq 1 ]
	says "such as './tool 1'; look at all of them with \`schedgrid plan\`, and allow them with --allow-exec"
	[ ! -e run ]
	[ ! -e was-here ]
	run "$schedgrid" plan grid.yaml
	[ "$status" -eq 0 ]
	says "$PWD/tool 'two words'"
	run "$schedgrid" run grid.yaml -o run --dry-run
	[ "$status" -eq 0 ]
	[ ! -e was-here ]
}

@test "a command gets its values as whole arguments, and no shell sees them" {
	exec_grid 'printf "%s\n" "$#:$1" >&2; echo "took 0.$# s"'
	run "$schedgrid" run grid.yaml -o run --allow-exec
	[ "$status" -eq 0 ]
	says "4 iterations: 4 ok"
	grep -rqx "1:two words" run/raw
	[ "$(records_with '"variant":"exec-tool","point":{"n":"two words"}')" -eq 2 ]
	[ "$(records_with '"samples":\[0.1\]')" -eq 4 ]
	[ "$(records_with "\"program\":{\"name\":\"command\",\"sha256\":\"$(sha256sum < tool | cut -d' ' -f1)\"}")" -eq 4 ]
	run "$schedgrid" compare run
	[ "$status" -eq 0 ]
	says "exec-tool"
}

@test "a command's number may be in JSON" {
	exec_grid 'echo "{\"a\": [{\"b\": 2.5}]}"' 'json: a.0.b'
	run "$schedgrid" run grid.yaml -o run --allow-exec
	[ "$status" -eq 0 ]
	[ "$(records_with '"samples":\[2.5\]')" -eq 4 ]
}

@test "output that has no such number, or several, is a failure with the reason" {
	exec_grid 'case $1 in 1) echo took 1 s, took 2 s ;; *) echo took long ;; esac'
	run "$schedgrid" run grid.yaml -o run --allow-exec
	[ "$status" -eq 1 ]
	says "matches more than once, expected exactly one match"
	says "matches nothing in the output, expected exactly one match"
	[ "$(records_with '"metrics":\[\]')" -eq 4 ]
}

@test "BL-007: a command killed by a signal is a failure, whatever it printed before" {
	exec_grid 'echo took 1 s; kill -9 $$'
	run "$schedgrid" run grid.yaml -o run --allow-exec
	[ "$status" -eq 1 ]
	says "4 iterations: 4 failed"
	says "killed by signal 9"
}

@test "BL-071: another build of the program is another run" {
	exec_grid 'echo took 1 s'
	"$schedgrid" run grid.yaml -o run --allow-exec
	echo '# a newer one' >> tool
	run "$schedgrid" run grid.yaml -o run --allow-exec --more 1
	[ "$status" -eq 2 ]
	says "what differs is a workload's program: '$PWD/tool' (command)"
}

@test "a command that isn't there is skipped and the rest runs" {
	exec_grid 'echo took 1 s'
	rm tool
	cat >> grid.yaml <<-YAML
	  - workload: pipe
	    parameters: {loops: 10}
	YAML
	run "$schedgrid" plan grid.yaml
	[ "$status" -eq 0 ]
	says "will be skipped: './tool' is not the file of a program"
	run "$schedgrid" run grid.yaml -o run --allow-exec
	[ "$status" -eq 0 ]
	says "6 iterations: 2 ok, 4 skipped"
}

# Runs plan on the grid of one workload, which must be refused with the text.
refused() {
	run "$schedgrid" plan grid.yaml
	[ "$status" -eq 2 ]
	says "$1"
}

@test "what a grid says of a command is checked with its place" {
	exec_grid : ; sed -i "s/'{n}'/'{m}'/" grid.yaml
	refused "grid.yaml:10:23: there is no parameter 'm'"
	exec_grid : ; sed -i "s/'{n}'/{n}/" grid.yaml
	refused "an argument with braces needs quotes"
	exec_grid : ; sed -i "s/command: .*/command: .\/tool/" grid.yaml
	refused "grid.yaml:10:14: expected a list of the program and its arguments"
	exec_grid : ; sed -i "s/command: .*/variant: {task: thread}/" grid.yaml
	refused "unknown key 'variant' in the workload"
	exec_grid : ; sed -i "/command/d" grid.yaml
	refused "'command' is missing"
	exec_grid : "regex: 'took'"
	refused "grid.yaml:13:9: regex 'took' has no group"
	exec_grid : "regx: 'took (.)'"
	refused "unknown key 'regx' in the metric; expected one of name, unit, better, regex, json, from; did you mean 'regex'?"
	exec_grid : ; sed -i "s/lower/smaller/" grid.yaml
	refused "unknown direction 'smaller'"
	exec_grid : ; sed -i "s/{n: /{n: [3], n-: /; s/\[3\], n-/[3], 9/" grid.yaml
	refused "'9' is not the name of a parameter"
	exec_grid : ; cat >> grid.yaml <<-YAML
	  - {workload: exec, command: [/bin/tool], metrics: [{name: a, unit: s, better: lower, json: a}]}
	YAML
	refused "this workload runs 'tool' as the one at 9:5 does"
}

@test "list has its columns under each other, whatever the names" {
	run "$schedgrid" list reaim
	[ "$status" -eq 0 ]
	# Each name is followed by two blanks at least but the longest, by one.
	awk '/^  [a-z]/ { rest = substr($0, 14); at = match(rest, /[^ ] +[^ ]/) + RLENGTH
		if (!width) width = at
		if (at != width) exit 1 }' <<< "$output"
}
