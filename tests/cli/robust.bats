#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154 # schedgrid and output come from elsewhere
# How a run keeps its truth: whatever is done to its directory, nothing is lost without a
# word, nothing false is recorded, and what is refused changes nothing.

bats_require_minimum_version 1.5.0
load common

# Starts a run of 40 iterations as $pid and waits until 3 have their records.
start_slow() {
	null_grid "sleep:50" 40
	"$schedgrid" run null.yaml -o run 2> run.err 3>&- &
	pid=$!
	wait_records 3
}

# The run that was started ends with exit status 4 and one sentence that says $1.
ends_saying() {
	local code=0
	wait "$pid" || code=$?
	output=$(cat run.err)
	[ "$code" -eq 4 ]
	says "$1"
}

# A run in run/ is refused with exit status 4 in one sentence that says $1.
refused() {
	run timeout 20 "$schedgrid" run null.yaml -o run
	[ "$status" -eq 4 ]
	[ "${#lines[@]}" -eq 1 ]
	says "$1"
}

# A grid of 2 iterations whose program is the shell script $1 with the lines of stdin, and
# which then tells a time.
script_grid() {
	{ echo '#!/bin/sh'; cat; echo 'echo took 1.5 s'; } > "$1"
	chmod +x "$1"
	cat > null.yaml <<-YAML
	schema: schedgrid-grid-1
	name: script
	executor: {type: local}
	repeat: {iterations: 2, warmup: 0}
	timeout: 20s
	columns:
	  - name: only
	workloads:
	  - workload: exec
	    command: [./$1]
	    metrics:
	      - {name: time, unit: s, better: lower, regex: 'took ([0-9.]+) s'}
	YAML
}

@test "a ledger that is removed under way stops the run, which says so" {
	start_slow
	rm run/records.jsonl
	ends_saying "'run/records.jsonl' is gone since the run began"
	[ ! -e run/records.jsonl ]
}

@test "a ledger that is replaced under way stops the run, and the other is left alone" {
	start_slow
	echo "not ours" > other
	mv other run/records.jsonl
	ends_saying "'run/records.jsonl' was replaced by another file"
	[ "$(cat run/records.jsonl)" = "not ours" ]
}

@test "a ledger that is cut under way stops the run" {
	start_slow
	: > run/records.jsonl
	ends_saying "'run/records.jsonl' was changed by somebody else"
	[ ! -s run/records.jsonl ]
}

@test "a directory that is renamed under way stops the run, and goes on there" {
	start_slow
	mv run moved
	ends_saying "is gone since the run began"
	[ ! -e run ]
	"$schedgrid" run null.yaml -o moved
	mv moved run
	[ "$(records_with '"status":"ok"')" -eq 40 ]
}

@test "the iteration that a vanished ledger has no record of is named" {
	script_grid tool <<< 'rm -f ../../../records.jsonl'
	run "$schedgrid" run null.yaml -o run --allow-exec
	[ "$status" -eq 4 ]
	says "iteration 1 of 'exec-tool' in column 'only' has no record"
}

@test "output that can't be read is the host's trouble: broken, tried again, never failed" {
	script_grid tool <<< '[ -e ../../../mended ] || rm stdout'
	run "$schedgrid" run null.yaml -o run --allow-exec
	[ "$status" -eq 1 ]
	says "2 iterations: 2 broken"
	[ "$(records_with '"status":"failed"')" -eq 0 ]
	touch run/mended
	run "$schedgrid" run null.yaml -o run --allow-exec
	[ "$status" -eq 0 ]
	says "2 iterations: 2 ok"
}

@test "output that a program made a FIFO of doesn't keep the run waiting" {
	script_grid tool <<< 'rm stdout; mkfifo stdout'
	run timeout 20 "$schedgrid" run null.yaml -o run --allow-exec
	[ "$status" -eq 1 ]
	says "stdout' was removed or replaced meanwhile"
	says "2 iterations: 2 broken"
	# Of an ok record, whose output was there then.
	script_grid tool <<< 'true'
	"$schedgrid" run null.yaml -o other --allow-exec
	rm other/raw/*/b1-i1-a1/stdout
	mkfifo "$(echo other/raw/*/b1-i1-a1)/stdout"
	run timeout 20 "$schedgrid" reparse other
	[ "$status" -eq 4 ]
	says "is no regular file in folders of its own"
	[ "$(wc -l < other/records.jsonl)" -eq 2 ]
}

@test "what a limit of the shell kept from running runs once there is room" {
	null_grid 1 2
	sed -i '/workload: "null"/,$d' null.yaml
	cat >> null.yaml <<-YAML
	  - {workload: hackbench, parameters: {groups: 1, loops: 1}}
	YAML
	local _
	for _ in 1 2; do
		run bash -c "ulimit -n 30; exec '$schedgrid' run null.yaml -o run"
		[ "$status" -eq 0 ]
		says "2 iterations: 2 skipped"
		# The second time it is told, and no record is added.
		[ "$(wc -l < run/records.jsonl)" -eq 2 ]
	done
	run "$schedgrid" run null.yaml -o run --dry-run
	says "2 iterations to run"
	run "$schedgrid" run null.yaml -o run
	[ "$status" -eq 0 ]
	says "2 iterations: 2 ok"
	[ "$(records_with '"attempt":2,.*"status":"ok"')" -eq 2 ]
	run "$schedgrid" run null.yaml -o run
	says "nothing was missing"
	run "$schedgrid" compare run --format json
	grep -q '"n": *2[,}]' <<< "$output"
}

@test "a pattern that matches nothing leaves no directory, and --more undone" {
	null_grid 1 2
	run "$schedgrid" run null.yaml -o run --only nosuch
	[ "$status" -eq 2 ]
	[ ! -e run ]
	"$schedgrid" run null.yaml -o run
	cp -a run before
	run "$schedgrid" run null.yaml -o run --more 7 --only nosuch
	[ "$status" -eq 2 ]
	diff -r before run
	run "$schedgrid" run null.yaml -o run
	says "nothing was missing"
}

@test "--more on a damaged ledger is refused and undone" {
	null_grid 1 2
	"$schedgrid" run null.yaml -o run
	echo "{}" >> run/records.jsonl
	cp -a run before
	run "$schedgrid" run null.yaml -o run --more 7
	[ "$status" -eq 4 ]
	diff -r before run
}

@test "a grid that doesn't fit the directory leaves it as it was, a torn line too" {
	null_grid 1 2
	"$schedgrid" run null.yaml -o run
	truncate -s -20 run/records.jsonl
	cp -a run before
	null_grid 2 2
	run "$schedgrid" run null.yaml -o run
	[ "$status" -eq 2 ]
	diff -r before run
}

@test "numbers that no run comes to are damage, named with their record" {
	null_grid 1 2
	"$schedgrid" run null.yaml -o run
	sed -i '2s/"seq":2/"seq":9223372036854775807/' run/records.jsonl
	refused "run/records.jsonl:2: record '"
	says "seq is 9223372036854775807 (expected at most"
	run "$schedgrid" compare run
	[ "$status" -eq 4 ]
}

@test "a plan's 'more' that is no whole number within limits is damage" {
	null_grid 1 2
	"$schedgrid" run null.yaml -o run --more 1
	local more
	for more in -1 '"x"' 1e3 null 9223372036854775807 99999999; do
		sed -i "s/\"more\": .*/\"more\": $more/" run/plan.json
		refused "run/plan.json: 'more' is damaged"
	done
	sed -i "s/\"more\": .*/\"more\": 1/" run/plan.json
	"$schedgrid" run null.yaml -o run
}

@test "a ledger lost beside its raw output is told, and the output stays" {
	null_grid 1 2
	local how
	for how in "rm" "truncate -s 0"; do
		rm -rf run
		"$schedgrid" run null.yaml -o run
		$how run/records.jsonl
		cp -a run/raw before
		run "$schedgrid" run null.yaml -o run
		[ "$status" -eq 0 ]
		says "run/records.jsonl has no record, but run/raw has output"
		says "2 iterations: 2 ok"
		[ "$(records_with '/i[12]/a2"')" -eq 2 ]
		# What was there still is, and what is new lies beside it.
		[ "$(diff -rq before run/raw | grep -vc "^Only in run/raw")" -eq 0 ]
		[ "$(find run/raw -name stdout | wc -l)" -eq 4 ]
		run "$schedgrid" run null.yaml -o run
		says "nothing was missing"
		rm -rf before
	done
}

@test "what should be a file of the run and isn't one is refused before anything runs" {
	null_grid 1 2
	mkdir run
	ln -s /dev/null run/records.jsonl
	refused "'run/records.jsonl' is a device, pipe or socket (expected a regular file)"
	[ "$(ls run)" = records.jsonl ]
	rm run/records.jsonl
	mkfifo run/records.jsonl
	refused "'run/records.jsonl' is a device, pipe or socket"
	run timeout 20 "$schedgrid" compare run
	[ "$status" -eq 4 ]
	run timeout 20 "$schedgrid" reparse run
	[ "$status" -ne 124 ]
	rm -r run
	"$schedgrid" run null.yaml -o run
	local file
	for file in plan.json hosts/b1.json; do
		mv "run/$file" kept
		mkfifo "run/$file"
		refused "'run/$file' is a device, pipe or socket"
		rm "run/$file"
		mv kept "run/$file"
	done
	"$schedgrid" run null.yaml -o run
}

@test "a line that is there twice counts once; one id with two contents is damage" {
	null_grid "1 fail" 2
	"$schedgrid" run null.yaml -o run || true
	tail -n 1 run/records.jsonl > line
	cat line >> run/records.jsonl
	run "$schedgrid" run null.yaml -o run
	[ "$status" -eq 1 ]
	says "1 lines of run/records.jsonl are there twice"
	says "1 iterations of earlier calls stand as failed"
	sed 's/"status":"failed"/"status":"timeout"/' line >> run/records.jsonl
	refused "run/records.jsonl:4: record '"
	says "was there before with another content"
}

@test "a boot that would be a path out of the run is damage" {
	null_grid 1 1
	"$schedgrid" run null.yaml -o run
	cp run/records.jsonl kept
	local boot
	for boot in ../b1 .b1 hosts/b1; do
		sed "s|\"boot\":\"b1\"|\"boot\":\"$boot\"|" kept > run/records.jsonl
		refused "'$boot' is no name of a boot"
		run "$schedgrid" compare run
		[ "$status" -eq 4 ]
		says "'$boot' is no name of a boot"
		run "$schedgrid" reparse run
		[ "$status" -eq 4 ]
		says "'$boot' is no name of a boot"
	done
	sed 's|"cell":"|"cell":"../../x/|' kept > run/records.jsonl
	run "$schedgrid" reparse run
	[ "$status" -eq 4 ]
	says "is no cell"
}

@test "a program that floods its output is stopped by the size of a file, and that is said" {
	script_grid tool <<< 'exec head -c 500000 /dev/zero'
	run bash -c "ulimit -S -f 100; exec '$schedgrid' run null.yaml -o run --allow-exec"
	[ "$status" -eq 1 ]
	says "failed: killed for writing more than 100 KiB to a file"
	[ "$(stat -c %s "$(echo run/raw/*/b1-i1-a1)/stdout")" -eq 102400 ]
}

@test "what a program may write to a file follows the room on the disk, 1 GiB at most" {
	script_grid tool <<< 'ulimit -S -f > limit; ulimit -H -f > hard; echo took 1'
	"$schedgrid" run null.yaml -o run --allow-exec || true
	local limit
	limit=$(cat run/raw/*/b1-i1-a1/limit)
	[ "$limit" -gt 0 ]
	[ "$limit" -le 2097152 ] # of 512 bytes
	[ "$(cat run/raw/*/b1-i1-a1/hard)" = "$(sh -c "ulimit -H -f")" ]
}
