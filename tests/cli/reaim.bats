#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154 # schedgrid and output come from elsewhere
# The reaim workload, as it really runs: its counts, its workfiles, and its ends.

bats_require_minimum_version 1.5.0
load common

program=${schedgrid%/*}/programs/reaim
[ -x "$program" ] || program=$BATS_TEST_DIRNAME/../../build/release/programs/reaim

# Options of a run here, as $options: mix, sync mode, users, jobs.
ask() {
	options=("--mix=$1" "--sync_mode=$2" "--users=$3" "--jobs=$4" --repeat=1
		--filesize=1 --poolsize=8 "--diskdir=$PWD" --workfile= --sum=0)
}

# Starts a run of children that don't end by themselves, as $parent, and waits for them.
start() {
	local _
	ask five_sec off "$1" 1000000
	"$program" "${options[@]}" --limit=60 > out 2> err 3>&- &
	parent=$!
	for _ in $(seq 500); do
		[ "$(pgrep -c -P $parent)" -lt "$1" ] || return 0
		sleep 0.02
	done
	return 1
}

# No directory of a run is left, nor any process of the program that works here.
nothing_left() {
	[ -z "$(find . -name 'schedgrid-reaim-*')" ]
	[ -z "$(find /proc/[0-9]*/cwd -lname "$PWD/schedgrid-reaim-*" 2> /dev/null)" ]
}

reaim_grid() {
	cat > reaim.yaml <<-YAML
	schema: schedgrid-grid-1
	name: reaim
	executor: {type: local}
	repeat: {iterations: 1, warmup: 0}
	timeout: ${3:-60s}
	columns:
	  - name: only
	workloads:
	  - workload: reaim
	    variant: {$1}
	    parameters: {filesize: 1, poolsize: 8, diskdir: "$PWD", $2}
	YAML
}

@test "five_sec runs sync 99 times for each user, and 99 jobs" {
	ask five_sec exec-sync 2 100
	run -0 "$program" "${options[@]}"
	says '"jobs_per_child":99,"done":198,"syncs":198,"execs":198,'
	nothing_left
}

@test "what stands for a sync is true, fsync or nothing" {
	ask five_sec exec-true 1 50
	run -0 "$program" "${options[@]}"
	says '"jobs_per_child":55,"done":55,"syncs":55,"execs":55,'
	ask five_sec fsync 1 50
	run -0 "$program" "${options[@]}"
	says '"done":55,"syncs":55,"execs":0,'
	ask five_sec off 1 50
	run -0 "$program" "${options[@]}"
	says '"done":55,"syncs":0,"execs":0,'
}

@test "each test of a workfile can be done" {
	printf '1 %s\n' add_double add_float add_int add_long add_short array_rtns brk_test \
		creat_clo dgram_pipe dir_rtns_1 disk_cp disk_rd disk_rr disk_rw disk_src \
		disk_wrt div_double div_float div_int div_long div_short exec_test fifo_test \
		fork_test jmp_test link_test matrix_rtns mem_rtns_1 mem_rtns_2 misc_rtns_1 \
		mul_double mul_float mul_int mul_long mul_short new_raph num_rtns_1 page_test \
		pipe_cpy ram_copy series_1 shared_memory shell_rtns_1 shell_rtns_3 sieve \
		signal_test sort_rtns_1 stream_pipe string_rtns sync_disk_cp sync_disk_rw \
		sync_disk_update sync_disk_wrt tcp_test trig_rtns udp_test > all
	reaim_grid "mix: own, sync_mode: exec-true" "users: 1, jobs: 1, workfile: $PWD/all"
	run "$schedgrid" run reaim.yaml -o run
	[ "$status" -eq 0 ]
	says "1 iterations: 1 ok"
	grep -q '"jobs_per_child":56,"done":56,"syncs":11,"execs":11,' run/raw/*/*/stdout
	nothing_left
}

@test "reaim runs from a grid, a row for each number of users" {
	reaim_grid "mix: five_sec, sync_mode: exec-true" "users: [1, 3], jobs: 30, repeat: 2"
	run "$schedgrid" run reaim.yaml -o run
	[ "$status" -eq 0 ]
	says "2 iterations: 2 ok"
	[ "$(records_with '"name":"jobs_per_min","unit":"jobs/min","better":"higher"')" -eq 2 ]
	[ "$(records_with '"name":"jobs_per_min_fine"')" -eq 2 ]
	[ "$(records_with '"point":{"users":3}')" -eq 1 ]
	[ "$(records_with '"variant":"reaim-five_sec-exec-true"')" -eq 2 ]
	nothing_left
}

@test "a wrong workfile is refused with its place before anything runs" {
	printf '# mine\n20 add_short\n20 fork_tst\n' > mine
	reaim_grid "mix: own" "users: 1, workfile: $PWD/mine"
	run -2 "$schedgrid" run reaim.yaml -o run
	says "$PWD/mine:3:4: unknown test 'fork_tst'; did you mean 'fork_test'?"
	[ ! -e run ]
}

@test "another content of the workfile is other work" {
	local before
	echo "1 jmp_test" > mine
	reaim_grid "mix: own" "users: 1, workfile: $PWD/mine"
	before=$("$schedgrid" plan reaim.yaml | grep -- --sum=)
	echo "2 jmp_test" > mine
	[ "$("$schedgrid" plan reaim.yaml | grep -- --sum=)" != "$before" ]
	ask own off 1 1
	run -2 "$program" "${options[@]}" "--workfile=$PWD/mine" --sum=1
	says "is another one than was asked for"
}

@test "BL-101: a ramp of users ends where its list ends, each step at its time limit" {
	reaim_grid "mix: five_sec, sync_mode: off" "users: [1, 2, 3], jobs: 1000000" 300ms
	run "$schedgrid" run reaim.yaml -o run
	[ "$status" -eq 1 ]
	[ "$(records_with '"status":"timeout","reason":"cut off at the time limit of 300ms"')" -eq 3 ]
	[ "$(wc -l < run/records.jsonl)" -eq 3 ]
	# What a program that was killed could not remove, the next one does.
	ask five_sec off 1 1
	"$program" "${options[@]}" > out
	nothing_left
	sed -i 's/users: .1, 2, 3./users: 10001/' reaim.yaml
	run -2 "$schedgrid" plan reaim.yaml
	says "users"
}

@test "reaim's program takes exactly its arguments" {
	local i all
	ask five_sec off 1 1
	all=("${options[@]}")
	for i in "${!all[@]}"; do
		options=("${all[@]}")
		unset "options[i]"
		run -2 "$program" "${options[@]}"
		says "reaim: expected --mix=NAME"
	done
	for i in --users=0 --jobs=1x --repeat=1001 --sync_mode=on --diskdir=here --poolsize= x; do
		run -2 "$program" "${all[@]}" "$i"
		says "reaim: expected --mix=NAME"
	done
	run -2 "$program" "${all[@]}" --mix=six_sec
	says "cannot read the workfile '': No such file or directory"
}

@test "reaim ends with one sentence when any child is killed" {
	local code=0 child
	start 3
	child=$(pgrep -P "$parent" | sed -n 2p)
	kill -KILL "$child"
	wait "$parent" || code=$?
	[ "$code" -eq 1 ]
	[ "$(cat err)" = "reaim: child 2 of 3 was killed by signal 9 (Killed)" ]
	[ ! -s out ]
	nothing_left
}

@test "a child that is late is ended, and with it all others" {
	ask five_sec off 2 1000000
	run -1 "$program" "${options[@]}" --limit=1
	[[ "$output" =~ ^"reaim: child "[12]" of 2 ran longer than its limit of 1 s"$ ]]
	nothing_left
}

@test "a signal ends reaim, its children, and its files" {
	local code=0
	start 2
	kill -TERM "$parent"
	wait "$parent" || code=$?
	[ "$code" -eq 143 ]
	[ ! -s out ]
	nothing_left
}

@test "what SIGKILL leaves goes with the next run, what is in use stays" {
	local first child
	start 1
	first=$parent
	child=$(pgrep -P "$first")
	ask short off 1 300
	run -0 "$program" "${options[@]}"
	[ "$(find . -maxdepth 1 -name 'schedgrid-reaim-*' | wc -l)" -eq 1 ]
	kill -KILL "$first"
	wait "$first" || true
	timeout 60 tail -f --pid="$child" /dev/null
	[ "$(find . -maxdepth 1 -name 'schedgrid-reaim-*' | wc -l)" -eq 1 ]
	mkdir -p schedgrid-rest/schedgrid-reaim-1
	run -0 "$program" "${options[@]}"
	[ -d schedgrid-rest/schedgrid-reaim-1 ]
	rm -r schedgrid-rest
	nothing_left
}

@test "reaim says what it could not have" {
	ask five_sec off 1 100
	run -1 "$program" "${options[@]}" --diskdir=/nowhere
	[ "$output" = "reaim: cannot make files below '/nowhere': No such file or directory" ]
	ask shared off 2 100
	run -1 bash -c 'ulimit -n 8; exec "$@"' _ "$program" "${options[@]}"
	[ "${#lines[@]}" -eq 1 ]
	says "Too many open files"
	nothing_left
}

@test "64 descriptors and one CPU are enough" {
	local cpu
	cpu=$(taskset -pc $$ | sed 's/.*: //; s/[,-].*//')
	ask shared off 8 20
	run -0 bash -c 'ulimit -n 64; exec "$@"' _ taskset -c "$cpu" "$program" "${options[@]}"
	says '"jobs_per_child":'
	nothing_left
}

@test "less than a tick of work is no figure, and neither is one that can't be written" {
	echo "1 ram_copy" > mine
	reaim_grid "mix: own" "users: 1, jobs: 1, workfile: $PWD/mine"
	run -1 "$schedgrid" run reaim.yaml -o run
	[ "$(records_with '"status":"failed"')" -eq 1 ]
	[ "$(records_with 'less than a tick of 10 ms, too little to be measured')" -eq 1 ]
	ask five_sec off 1 50
	run -1 bash -c '"$@" > /dev/full' _ "$program" "${options[@]}"
	says "reaim: cannot write the result: No space left on device"
	nothing_left
}

@test "users who end within one tick have a deviation of 0, and a mean of 0 has no ratio" {
	local format i
	cat > ticks.csv <<-'CSV'
	column,workload,variant,metric,unit,better,point,iteration,value
	CSV
	for i in 1 2 3; do
		echo "base,reaim,reaim-five_sec-off,std_dev_percent,%,lower,users=2,$i,0"
		echo "new,reaim,reaim-five_sec-off,std_dev_percent,%,lower,users=2,$i,$i"
	done >> ticks.csv
	"$schedgrid" import csv ticks.csv -o ticks
	for format in mmtests mmtests-2016 lkp pct markdown; do
		run -0 "$schedgrid" compare ticks --all --format $format
		says "n/a"
		[[ ! "$output" =~ [^a-z](inf|nan)[^a-z] ]]
	done
	run -0 "$schedgrid" compare ticks --all --format json
	[[ ! "$output" =~ [^a-z](inf|nan|NaN|Infinity)[^a-z] ]]
	says '"mean": 0.0'
}

@test "an installed reaim gets the mix, the sizes and the numbers, and leaves nothing" {
	mkdir bin
	cat > bin/reaim <<-'SH'
	#!/bin/sh
	echo "$@"
	cat workfile config
	: > left-behind
	exit "$REAIM_CODE"
	SH
	chmod +x bin/reaim
	ask five_sec off 3 40
	run -0 env "PATH=$PWD/bin:$PATH" REAIM_CODE=0 "$program" "${options[@]}" --upstream
	[ "${lines[0]}" = "-s 3 -e 3 -i 1 -t -r 1 -j 40 -f workfile -c config -l log -y" ]
	[ "${lines[1]}" = "20 add_short" ]
	says "FILESIZE: 1K"
	says "POOLSIZE: 8K"
	[ "${#lines[@]}" -eq 15 ]
	nothing_left
	run -1 env "PATH=$PWD/bin:$PATH" REAIM_CODE=3 "$program" "${options[@]}" --upstream
	says "reaim: reaim ended with exit status 3"
	run -1 env PATH=/nowhere "$program" "${options[@]}" --upstream
	[ "$output" = "reaim: reaim ended with exit status 127: is it installed?" ]
	nothing_left
	reaim_grid "mix: five_sec" "users: 2"
	sed -i 's/workload: reaim/&\n    program: reaim/' reaim.yaml
	run -0 "$schedgrid" plan reaim.yaml
	says "--upstream"
}

@test "without an installed reaim its cells are skipped, and say so" {
	! PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin command -v reaim ||
		skip "host: reaim is installed"
	reaim_grid "mix: five_sec" "users: 2"
	sed -i 's/workload: reaim/&\n    program: reaim/' reaim.yaml
	run "$schedgrid" run reaim.yaml -o run
	[ "$(records_with "\"status\":\"skipped\",\"reason\":\"program 'reaim' is not installed")" -eq 1 ]
	nothing_left
}
