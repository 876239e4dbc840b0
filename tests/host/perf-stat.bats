#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154 # schedgrid, output and status come from elsewhere
# The monitor perf-stat with this machine's perf.

bats_require_minimum_version 1.5.0
load host

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	command -v perf > /dev/null || skip "no perf"
}

# A grid of a shell command that prints 1.5 and then $1, counted by the events $2.
counted_grid() {
	cat > counted.yaml <<-YAML
	schema: schedgrid-grid-1
	name: counted
	executor: {type: local}
	repeat: {iterations: 2, warmup: 0}
	monitors: [{perf-stat: {events: [$2]}}]
	columns:
	  - name: only
	workloads:
	  - workload: exec
	    command: [sh, -c, "echo took 1.5 s; $1"]
	    metrics: [{name: time, unit: s, better: lower, regex: 'took ([0-9.]+) s'}]
	YAML
}

# Runs the grid as a user who may not see the kernel's part of a count.
run_unprivileged() {
	[ "$EUID" -eq 0 ] || skip "host: not root"
	[ "$(cat /proc/sys/kernel/perf_event_paranoid)" -ge 2 ] || skip "host: perf is open to all"
	# Where that user can reach them.
	chmod 755 "$BATS_RUN_TMPDIR" "${BATS_TEST_TMPDIR%/*}" .
	mkdir -m 777 open
	mkdir bin
	cp -r "${schedgrid%/*}/programs" "$(readlink -f "$schedgrid")" bin/
	run -"${1:-0}" setpriv --reuid=65534 --regid=65534 --clear-groups \
		bin/schedgrid run counted.yaml -o open/run --allow-exec
}

@test "the whole tree is counted, and kept beside what the workload says" {
	counted_grid "true" "context-switches, task-clock, page-faults"
	"$schedgrid" run counted.yaml -o run --allow-exec
	[ "$(records_with '"monitors":"perf-stat(context-switches, task-clock, page-faults)"')" -eq 2 ]
	[ "$(records_with '"name":"time".*"name":"context-switches".*"name":"task-clock","unit":"msec"')" -eq 2 ]
	[ "$(find run/raw -name perf-stat.json | wc -l)" -eq 2 ]
	run "$schedgrid" compare run
	[[ ! "$output" =~ Amean\ +page-faults ]]
	says "monitors perf-stat(context-switches,"
	run "$schedgrid" compare --all run
	[[ "$output" =~ Amean\ +page-faults ]]
	run "$schedgrid" compare --format perf-stat run
	[[ "$output" =~ msec\ +task-clock\ +\(\ \+-\ +[0-9.]+%\ \) ]]
	run "$schedgrid" reparse run
	says "0 changed, 2 unchanged"
}

@test "hackbench's switches are those of all its tasks" {
	cat > hackbench.yaml <<-YAML
	schema: schedgrid-grid-1
	name: hackbench
	executor: {type: local}
	repeat: {iterations: 1, warmup: 0}
	monitors: [{perf-stat: {events: [context-switches]}}]
	columns:
	  - name: only
	workloads:
	  - workload: hackbench
	    pin: one-cpu
	    parameters: {groups: 1, loops: 20}
	YAML
	"$schedgrid" run hackbench.yaml -o run
	local count
	count=$(grep -oE '"name":"context-switches"[^[]*\[[0-9]+' run/records.jsonl | grep -oE '[0-9]+$')
	# 40 tasks, none of which gets its work done without being switched to.
	[ "$count" -ge 40 ]
}

@test "BL-007: a command that is faster than perf can wait for it has its own code" {
	counted_grid "exit 3" "task-clock"
	sed -i 's/iterations: 2/iterations: 100/' counted.yaml
	run -1 "$schedgrid" run counted.yaml -o run --allow-exec
	[ "$(records_with '"status":"failed","reason":"exit status 3')" -eq 100 ]
}

@test "BL-007: a command that is killed under perf stat is no success" {
	counted_grid "kill -9 \$\$" "task-clock"
	run -1 "$schedgrid" run counted.yaml -o run --allow-exec
	[ "$(records_with '"status":"failed","reason":"killed by signal 9 (Killed)"')" -eq 2 ]
	[ "$(records_with '"metrics":\[\]')" -eq 2 ]
	counted_grid "kill -SEGV \$\$" "task-clock"
	run -1 "$schedgrid" run counted.yaml -o segv --allow-exec
	grep -q "killed by signal 11" segv/records.jsonl
}

@test "BL-123: codes of the command come through, also those that perf has" {
	local code
	for code in 3 129 255; do
		counted_grid "exit $code" "task-clock"
		run -1 "$schedgrid" run counted.yaml -o run-$code --allow-exec
		[ "$(grep -c "\"status\":\"failed\",\"reason\":\"exit status $code" run-$code/records.jsonl)" -eq 2 ]
	done
}

@test "BL-123: events that this machine doesn't have are skipped with one line" {
	counted_grid "true" "task-clock, no_pmu/cycles/, other_pmu/cycles/"
	run -0 --separate-stderr "$schedgrid" run counted.yaml -o run --allow-exec
	# shellcheck disable=SC2154 # of bats
	[[ "$stderr" == *"counts on without 'no_pmu/cycles/': "*"; 'other_pmu/cycles/': "* ]]
	[ "$(grep -c "no_pmu" <<< "$stderr")" -eq 1 ]
	[ "$(records_with '"monitors":"perf-stat(task-clock)"')" -eq 2 ]
	[ "$(records_with 'no_pmu')" -eq 0 ]
	run -0 "$schedgrid" doctor counted.yaml
	says "note    events: monitor perf-stat counts on without 'no_pmu/cycles/': "
}

@test "an event that perf doesn't know is refused with its place" {
	local command
	counted_grid "true" "task-clock, contxt-switches"
	for command in plan doctor "run --allow-exec -o run"; do
		# shellcheck disable=SC2086 # words
		run -2 "$schedgrid" $command counted.yaml
		says "perf doesn't know the event 'contxt-switches': "
		says "did you mean 'context-switches'?"
		[[ "$output" =~ counted.yaml:[0-9]+:[0-9]+: ]]
	done
	[ ! -e run ]
}

@test "BL-021: without privilege context switches are missing and not 0" {
	counted_grid "true" "context-switches, task-clock"
	run_unprivileged
	says "counts on without 'context-switches': not measurable"
	[ "$(grep -c '"name":"context-switches' open/run/records.jsonl)" -eq 0 ]
	[ "$(grep -c '"name":"task-clock' open/run/records.jsonl)" -eq 2 ]
}

@test "BL-077: with nothing that can be counted, cells are skipped and say why" {
	counted_grid "true" "context-switches"
	run_unprivileged 0
	says "perf_event_paranoid is"
	[ "$(grep -c '"status":"skipped"' open/run/records.jsonl)" -eq 2 ]
}

@test "BL-049: hardware counters that a VM lacks have no value" {
	perf stat -e cycles true 2>&1 | grep -q "not supported" || skip "host: has cycles"
	counted_grid "true" "task-clock, cycles"
	run -0 "$schedgrid" run counted.yaml -o run --allow-exec
	says "'cycles': not supported by this machine"
	[ "$(records_with '"name":"cycles')" -eq 0 ]
}

@test "a time limit ends perf and what it started" {
	counted_grid "sleep 1000 & sleep 1000" "task-clock"
	sed -i '/^repeat/a timeout: 500ms' counted.yaml
	run -1 "$schedgrid" run counted.yaml -o run --allow-exec
	[ "$(records_with '"status":"timeout"')" -eq 2 ]
	[ "$(started_here)" -eq 0 ]
}

@test "doctor measures what monitors cost" {
	run "$schedgrid" doctor --monitors
	[[ "$output" =~ "monitor perf-stat: hackbench of 4 groups takes "[0-9.]+" s without and "[0-9] ]]
	[[ "$output" =~ "monitor placement: "(hackbench of 4 groups takes [0-9.]+ s without|.) ]]
	[[ "$output" == *"monitor schedstat: "* ]]
}
