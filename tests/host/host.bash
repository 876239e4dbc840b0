# SPDX-License-Identifier: GPL-2.0-or-later
# What the tests of this machine share, besides what the command line's tests have.

load ../cli/common

# The worker of the run whose supervisor is $1, as $worker; empty when there is none.
find_worker() {
	worker=$(pgrep -P "$1") || true
}

# Processes that some run below the working directory started and that are still there.
started_here() {
	find /proc/[0-9]*/cwd -lname "$PWD/*/raw/*" 2> /dev/null | wc -l
}

# Waits until nothing of them is left; $1 seconds at most. The seconds go to $waited.
wait_gone() {
	local begin=${EPOCHREALTIME/./} now
	while [ "$(started_here)" -gt 0 ]; do
		now=${EPOCHREALTIME/./}
		[ $((now - begin)) -lt $(($1 * 1000000)) ] || return 1
		sleep 0.02
	done
	now=${EPOCHREALTIME/./}
	waited=$(((now - begin) / 1000)) # ms
}

# Runs null.yaml in $1, again while the worker of a killed run still has the lock.
run_on() {
	local code _
	for _ in $(seq 100); do
		code=0
		"$schedgrid" run null.yaml -o "$1" 2> run.err || code=$?
		[ "$code" -eq 75 ] || break
		sleep 0.05
	done
	return "$code"
}

# Starts a run, as $pid, of hackbench with $1 processes (a multiple of 40) for minutes,
# and waits until they are there.
start_hackbench() {
	local _
	cat > hackbench.yaml <<-YAML
	schema: schedgrid-grid-1
	name: long
	executor: {type: local}
	repeat: {iterations: 1, warmup: 0}
	columns:
	  - name: only
	workloads:
	  - workload: hackbench
	    variant: {task: process, channel: pipes}
	    parameters: {groups: $(($1 / 40)), loops: 1000000}
	YAML
	"$schedgrid" run hackbench.yaml -o run 2> run.err 3>&- &
	pid=$!
	for _ in $(seq 200); do
		[ "$(started_here)" -ge "$1" ] && return 0
		sleep 0.05
	done
	return 1
}

# Each iteration of the run in $1 has one ok record, $2 in all, and ids are unique.
check_complete() {
	local ok
	ok=$(grep '"status":"ok"' "$1/records.jsonl" | grep -o '"iteration":[0-9]*')
	[ "$(wc -l <<< "$ok")" -eq "$2" ]
	[ "$(sort -u <<< "$ok" | wc -l)" -eq "$2" ]
	[ -z "$(grep -o '"id":"[^"]*"' "$1/records.jsonl" | sort | uniq -d)" ]
}
