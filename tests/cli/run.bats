#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154 # schedgrid and output come from elsewhere
# schedgrid run: records, statuses, stopping and going on.

bats_require_minimum_version 1.5.0
load common

@test "every iteration leaves one record and its raw output" {
	null_grid "1 2 3" 3 1
	run "$schedgrid" run null.yaml -o run
	[ "$status" -eq 0 ]
	says "4 iterations: 4 ok; results in run"
	[ "$(wc -l < run/records.jsonl)" -eq 4 ]
	[ "$(records_with '"flags":\["warmup"\]')" -eq 1 ]
	[ "$(find run/raw -mindepth 2 -maxdepth 2 | wc -l)" -eq 4 ]
	cmp null.yaml run/grid.yaml
	[ -s run/hosts/b1.json ]
}

@test "nothing is printed on stdout, and no progress without a terminal" {
	null_grid 1
	"$schedgrid" run null.yaml -o run > out 2> err
	[ ! -s out ]
	[ "$(wc -l < err)" -eq 1 ]
}

@test "progress is shown on a terminal" {
	null_grid 1
	command -v script > /dev/null || skip "no script(1)"
	script -qec "$schedgrid run null.yaml -o run" /dev/null < /dev/null > out
	grep -q "\[1/3\] null step=1, only, iteration 1/3; elapsed" out
}

@test "BL-083: a failure names cell and iteration, the rest goes on, exit status 1" {
	null_grid "1 1 1 fail 1" 5
	run "$schedgrid" run null.yaml -o run
	[ "$status" -eq 1 ]
	says "null step=1, only, iteration 4/5: failed: exit status 1: null: failing as asked"
	says "5 iterations: 4 ok, 1 failed"
}

@test "BL-037: what failed has no metrics and no number" {
	null_grid "partial" 3
	run "$schedgrid" run null.yaml -o run
	[ "$status" -eq 1 ]
	[ "$(records_with '"metrics":\[\]')" -eq 3 ]
	run "$schedgrid" compare run
	[ "$status" -eq 0 ]
	says "0/3"
	[[ "$output" != *"0.0000"* ]]
}

@test "BL-119: two results in one output are a failure" {
	null_grid "twice" 1
	run "$schedgrid" run null.yaml -o run
	[ "$status" -eq 1 ]
	says "several lines"
}

@test "an exit status of 0 without a result is a failure" {
	null_grid "silent zero nan" 3
	run "$schedgrid" run null.yaml -o run
	[ "$status" -eq 1 ]
	says "3 iterations: 3 failed"
}

@test "BL-087: a time-out is recorded as one, with its limit" {
	null_grid "hang deaf" 2 0 200ms
	run "$schedgrid" run null.yaml -o run
	[ "$status" -eq 1 ]
	[ "$(records_with '"status":"timeout","reason":"cut off at the time limit of 200ms"')" -eq 2 ]
}

@test "death by a signal is a failure that names it" {
	null_grid "crash killed" 2
	run "$schedgrid" run null.yaml -o run
	[ "$status" -eq 1 ]
	says "killed by signal 6"
	says "killed by signal 9"
}

@test "BL-009: processes left behind are ended and make the iteration fail" {
	null_grid "orphan daemon" 2
	run "$schedgrid" run null.yaml -o run
	[ "$status" -eq 1 ]
	says "2 iterations: 2 failed"
	[ "$(records_with 'process running, ended now')" -eq 2 ]
	run ! pgrep -f "programs/null.*--script=orphan daemon"
}

@test "BL-053: bytes that are no text are escaped and the ledger stays valid" {
	null_grid "bytes" 1
	run env LANG=C "$schedgrid" run null.yaml -o run
	says '\xff'
	grep -q 'xff' run/records.jsonl
	run "$schedgrid" compare run
	[ "$status" -eq 0 ]
}

@test "a second run on a complete directory does nothing" {
	null_grid 1
	"$schedgrid" run null.yaml -o run
	cp run/records.jsonl before
	run "$schedgrid" run null.yaml -o run
	[ "$status" -eq 0 ]
	says "nothing was missing"
	cmp before run/records.jsonl
}

@test "without -o the same grid goes on in the same directory" {
	null_grid 1
	"$schedgrid" run null.yaml
	run "$schedgrid" run null.yaml
	says "nothing was missing"
	[ "$(find results -name "nulls-*" | wc -l)" -eq 1 ]
}

@test "--more adds iterations for good" {
	null_grid 1
	"$schedgrid" run null.yaml -o run
	"$schedgrid" run null.yaml -o run --more 2
	[ "$(wc -l < run/records.jsonl)" -eq 5 ]
	run "$schedgrid" run null.yaml -o run
	says "nothing was missing"
	"$schedgrid" run null.yaml -o run --more 1
	[ "$(wc -l < run/records.jsonl)" -eq 6 ]
}

@test "--more with --only adds to the cells that match, and to no other" {
	null_grid 1
	sed -i 's/{script/{step: [1, 2], script/' null.yaml
	"$schedgrid" run null.yaml -o run
	run "$schedgrid" run null.yaml -o run --more 2 --only step=2
	[ "$status" -eq 0 ]
	says "2 iterations: 2 ok"
	[ "$(records_with '"point":{"step":2}')" -eq 5 ]
	# It is for good, and the run is whole.
	run "$schedgrid" run null.yaml -o run
	says "nothing was missing"
	run --separate-stderr "$schedgrid" compare run
	[ "$status" -eq 0 ]
	[[ "$output" != *unfinished* ]]
	[ "$stderr" = "" ]
	# What all get more of comes on top.
	run "$schedgrid" run null.yaml -o run --more 1 --dry-run
	[ "$(grep -c "    1 iterations to run" <<< "$output")" -eq 2 ]
	run "$schedgrid" run null.yaml -o run --more 1
	says "2 iterations: 2 ok"
	[ "$(records_with '"point":{"step":1}')" -eq 4 ]
	[ "$(records_with '"point":{"step":2}')" -eq 6 ]
	# A record beyond what was added to its cell isn't of the plan.
	sed -i '/"point":{"step":1}/s/"iteration":4/"iteration":5/; /"point":{"step":1}/s|/i4/|/i5/|' run/records.jsonl
	run -4 "$schedgrid" run null.yaml -o run
	says "is not of this run's plan"
}

@test "iterations added to cells that the plan doesn't have are damage" {
	null_grid 1
	"$schedgrid" run null.yaml -o run
	sed -i '1s/{/{"more_of": {"0123": 2},/' run/plan.json
	run -4 "$schedgrid" run null.yaml -o run
	says "plan.json: 'more_of' is damaged"
}

@test "each start of the kernel that adds iterations warms up first" {
	null_grid 1 2 1
	sed -i 's/{script/{step: [1, 2], script/' null.yaml
	"$schedgrid" run null.yaml -o run
	# As if the machine had been started again since.
	sed -i 's/"boot_id": *"[^"]*"/"boot_id":"an earlier one"/' run/hosts/b1.json
	run "$schedgrid" run null.yaml -o run
	says "nothing was missing"
	run "$schedgrid" run null.yaml -o run --more 1 --only step=2 -n
	says "2 iterations to run"
	run "$schedgrid" run null.yaml -o run --more 1 --only step=2
	says "2 iterations: 2 ok"
	[ "$(tail -2 run/records.jsonl | head -1 | grep -c '/b2/w1/.*"warmup"')" -eq 1 ]
	[ "$(records_with '/b2/w1/')" -eq 1 ]
	# Once in a start.
	"$schedgrid" run null.yaml -o run --more 1
	[ "$(records_with '/b2/w1/')" -eq 2 ]
	[ "$(records_with '/b2/i')" -eq 3 ]
}

@test "what is skipped is told once a cell, and later only counted" {
	cat > bound.yaml <<-YAML
	schema: schedgrid-grid-1
	name: bound
	executor: {type: local}
	repeat: {iterations: 3, warmup: 1}
	columns:
	  - name: only
	    pin: one-cpu
	workloads:
	  - workload: stream
	    variant: {affinity: per-thread}
	    parameters: {threads: [2, 3], size: 10000, ntimes: 2}
	YAML
	run "$schedgrid" run bound.yaml -o run
	[ "$(grep -c "threads=2, only: skipped: " <<< "$output")" -eq 1 ]
	[ "$(grep -c ": skipped: " <<< "$output")" -eq 2 ]
	says "8 iterations: 8 skipped"
	run "$schedgrid" run bound.yaml -o run
	[ "$status" -eq 0 ]
	[ "$(grep -c ": skipped: " <<< "$output")" -eq 0 ]
	says "2 cells are skipped as before"
	says "8 iterations: 8 skipped"
	[ "$(wc -l < run/records.jsonl)" -eq 8 ]
}

@test "--only runs what matches, and the rest later" {
	null_grid 1
	sed -i 's/{script/{step: [1, 2, 10], script/' null.yaml
	"$schedgrid" run null.yaml -o run --only step=1
	[ "$(wc -l < run/records.jsonl)" -eq 3 ]
	[ "$(records_with '"point":{"step":1}')" -eq 3 ]
	"$schedgrid" run null.yaml -o run
	[ "$(wc -l < run/records.jsonl)" -eq 9 ]
	run "$schedgrid" run null.yaml -o run --only step=7
	[ "$status" -eq 2 ]
	says "no cell matches 'step=7'"
}

@test "SIGINT and SIGTERM are recorded, end the tree, and the run goes on after them" {
	null_grid "sleep:30" 40
	local signal code=1
	for signal in INT TERM; do
		rm -rf run
		# A child of a script starts with SIGINT ignored; a job of its own doesn't.
		(trap - INT; exec "$schedgrid" run null.yaml -o run 3>&-) &
		wait_records 2
		kill -s "$signal" $!
		code=0
		wait $! || code=$?
		[ "$code" -eq $((128 + $(kill -l "$signal"))) ]
		[ "$(records_with '"status":"interrupted"')" -le 1 ]
		"$schedgrid" run null.yaml -o run
		[ "$(records_with '"status":"ok"')" -eq 40 ]
	done
}

@test "killed by SIGKILL, the run goes on where it was" {
	null_grid "sleep:20" 20
	local i worker _
	for i in 1 2 3; do
		"$schedgrid" run null.yaml -o run 3>&- &
		wait_records $((i * 4))
		worker=$(pgrep -P $!)
		kill -KILL $!
		wait $! || true
		# It has been told, and holds the directory until it has ended its tree.
		for _ in $(seq 200); do
			[ -e "/proc/$worker" ] || break
			sleep 0.05
		done
	done
	"$schedgrid" run null.yaml -o run
	[ "$(records_with '"status":"ok"')" -eq 20 ]
	[ "$(grep -o '"iteration":[0-9]*' run/records.jsonl | sort -u | wc -l)" -eq 20 ]
}

@test "two runs on one directory exclude each other" {
	null_grid "sleep:100" 10
	"$schedgrid" run null.yaml -o run 3>&- &
	wait_records 1
	run "$schedgrid" run null.yaml -o run
	kill -TERM %1
	wait %1 || true
	[ "$status" -eq 75 ]
	says "another run is writing"
}

@test "BL-013: a torn last line is set aside, told, and run again" {
	null_grid 1
	"$schedgrid" run null.yaml -o run
	truncate -s -20 run/records.jsonl
	run "$schedgrid" compare run
	[ "$status" -eq 0 ]
	says "torn"
	run "$schedgrid" run null.yaml -o run
	[ "$status" -eq 0 ]
	says "was torn; it was moved to run/records.jsonl.torn-"
	says "1 iterations: 1 ok"
	[ "$(wc -l < run/records.jsonl)" -eq 3 ]
}

@test "BL-013: damage in the middle is an error that names the line" {
	null_grid 1
	"$schedgrid" run null.yaml -o run
	sed -i '2s/"status"/"stat/' run/records.jsonl
	run "$schedgrid" run null.yaml -o run
	[ "$status" -eq 4 ]
	says "run/records.jsonl:2:"
	run "$schedgrid" compare run
	[ "$status" -eq 4 ]
}

@test "a version that was not told once is no other program, another digest is" {
	null_grid 1
	"$schedgrid" run null.yaml -o run
	sed -i '/"programs"/,/]/ { /"version"/d }' run/plan.json
	[ "$(sed -n '/"programs"/,/]/p' run/plan.json | grep -c version)" = 0 ]
	run "$schedgrid" run null.yaml -o run
	[ "$status" -eq 0 ]
	sed -i 's/"sha256": "[0-9a-f]/"sha256": "x/' run/plan.json
	run "$schedgrid" run null.yaml -o run
	[ "$status" -eq 2 ]
	says "what differs is a workload's program: 'null' (native)"
}

@test "a changed grid is refused in the old directory" {
	null_grid 1
	"$schedgrid" run null.yaml -o run
	null_grid 2
	run "$schedgrid" run null.yaml -o run
	[ "$status" -eq 2 ]
	says "'run' holds another run"
	null_grid 1 5
	run "$schedgrid" run null.yaml -o run
	[ "$status" -eq 2 ]
	says "use --more N"
}

@test "BL-003, BL-041: records of another kernel are never added to" {
	null_grid 1
	"$schedgrid" run null.yaml -o run
	sed -i 's/"version": "#/"version": "#0 of another build, #/' run/plan.json
	run "$schedgrid" run null.yaml -o run --more 1
	[ "$status" -eq 2 ]
	says "the running kernel"
}

@test "a directory with other things in it is left alone" {
	null_grid 1
	mkdir run
	touch run/thesis.tex
	run "$schedgrid" run null.yaml -o run
	[ "$status" -eq 2 ]
	says "not the directory of a run"
	[ "$(ls run)" = thesis.tex ]
}

@test "a run into a directory that can't be made is refused in one sentence" {
	null_grid 1
	touch file
	run "$schedgrid" run null.yaml -o file/run
	[ "$status" -eq 4 ]
	[ "${#lines[@]}" -eq 1 ]
}

@test "BL-027: labels with any characters, and of 300 bytes, are safe" {
	null_grid 1 1
	local long
	long=$(printf 'x%.0s' $(seq 288))
	sed -i "s|name: only|name: \"../../tip/sched core+fix (v2)~dirty:µ\"|" null.yaml
	sed -i "s|name: nulls|name: \"../$long/ a+b\"|" null.yaml
	run "$schedgrid" run null.yaml
	[ "$status" -eq 0 ]
	[ "$(ls)" = $'null.yaml\nresults' ]
	run "$schedgrid" compare results/*
	[ "$status" -eq 0 ]
	says "tip/sched core+fix (v2)~dirty:µ"
}

@test "--dry-run starts nothing and prints every cell" {
	null_grid 1
	run "$schedgrid" run null.yaml -o run --dry-run
	[ "$status" -eq 0 ]
	says "programs/null"
	says "CPUs "
	[ ! -e run ]
}

@test "--only of several words picks what matches all of them" {
	null_grid 1 1
	sed -i 's/{script/{step: [1, 2, 10], script/' null.yaml
	"$schedgrid" run null.yaml -o run --only "null step=2"
	[ "$(wc -l < run/records.jsonl)" -eq 1 ]
	run "$schedgrid" run null.yaml -o run --only step=1 --only step=2
	[ "$status" -eq 2 ]
	says "given twice"
}

@test "--dry-run shows what this call would run" {
	null_grid 1 3
	sed -i 's/{script/{step: [1, 2], script/' null.yaml
	run "$schedgrid" run null.yaml -o run --dry-run --only step=7
	[ "$status" -eq 2 ]
	run "$schedgrid" run null.yaml -o run --dry-run --only step=2
	[ "$status" -eq 0 ]
	says "3 iterations to run"
	[[ "$output" != *step=1* ]]
	[ ! -e run ]
	"$schedgrid" run null.yaml -o run --only step=2
	run "$schedgrid" run null.yaml -o run --dry-run --more 2
	[ "$(grep -o '. iterations to run' <<< "$output" | tr '\n' ' ')" = "5 iterations to run 2 iterations to run " ]
	[ "$(wc -l < run/records.jsonl)" -eq 3 ]
}

@test "a run that is complete but has failures still exits with 1" {
	null_grid "1 fail" 2
	run "$schedgrid" run null.yaml -o run
	[ "$status" -eq 1 ]
	run "$schedgrid" run null.yaml -o run
	[ "$status" -eq 1 ]
	says "1 iterations of earlier calls stand as failed"
}

@test "an iteration that found its place taken is broken and tried again" {
	null_grid "unready" 1
	run "$schedgrid" run null.yaml -o run
	[ "$status" -eq 1 ]
	says "iteration 1/1: broken: exit status 75: null: not ready as asked"
	"$schedgrid" run null.yaml -o run || [ "$?" -eq 1 ]
	[ "$(grep -c '"status":"broken"' run/records.jsonl)" -eq 2 ]
}

@test "the workload doesn't inherit ignored signals" {
	null_grid "sleep:300" 1
	(trap "" PIPE INT HUP; exec "$schedgrid" run null.yaml -o run 3>&-) &
	local pid='' _
	for _ in $(seq 100); do
		pid=$(pgrep -f "programs/null .*--script=sleep:300|^null .*--script=sleep:300" | head -1)
		[ -z "$pid" ] || break
		sleep 0.02
	done
	# All but the C library's own two, 32 and 33.
	grep -Eq "^SigIgn:.[0-9a-f]{8}[08]0000000" "/proc/$pid/status"
	wait
}

@test "closed standard streams don't become our files" {
	null_grid "1" 2
	"$schedgrid" run null.yaml -o run <&- >&- 2>&-
	[ "$(wc -l < run/records.jsonl)" -eq 2 ]
	[ "$(grep -vc '^{.*}$' run/records.jsonl)" -eq 0 ]
}
