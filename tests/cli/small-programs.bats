#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154 # schedgrid and output come from elsewhere
# The workloads fork-latency, threads and wakeup-latency, as they really run.

bats_require_minimum_version 1.5.0
load common

programs=${schedgrid%/*}/programs
[ -d "$programs" ] || programs=$BATS_TEST_DIRNAME/../../build/release/programs

small_grid() {
	cat > grid.yaml <<-YAML
	schema: schedgrid-grid-1
	name: small
	executor: {type: local}
	repeat: {iterations: 1, warmup: 0}
	timeout: 60s
	columns:
	  - name: only
	workloads:
	  - workload: fork-latency
	    parameters: {forks: 20}
	  - workload: threads
	    parameters: {threads: 3, locks: 2, yields: 5, seconds: 1}
	  - workload: wakeup-latency
	    parameters: {messagers: 2, workers: 3, seconds: 1}
	YAML
}

@test "each runs and proves what it did" {
	small_grid
	run "$schedgrid" run grid.yaml -o run
	[ "$status" -eq 0 ]
	says "3 iterations: 3 ok"
	[ "$(records_with '"name":"latency","unit":"us","better":"lower"')" -eq 1 ]
	[ "$(records_with '"name":"rate","unit":"events/s","better":"higher"')" -eq 1 ]
	[ "$(records_with '"name":"p99.9","unit":"us","better":"lower"')" -eq 1 ]
	run "$schedgrid" compare run
	[ "$status" -eq 0 ]
	says "wakeup-latency"
}

@test "sysbench is the other program of threads" {
	small_grid
	sed -i 's/workload: threads/&\n    program: sysbench/' grid.yaml
	run "$schedgrid" plan grid.yaml
	[ "$status" -eq 0 ]
	says "sysbench threads --threads=3 --thread-locks=2 --thread-yields=5 --time=1 run"
	run "$schedgrid" list threads
	says "program    sysbench   sysbench (Debian package sysbench)"
}

@test "their programs take exactly their arguments" {
	local args
	while read -r args; do
		# shellcheck disable=SC2086 # words
		run -2 "$programs"/$args
		says "expected --"
		[ "${#lines[@]}" -eq 1 ]
	done <<-ARGS
	fork-latency
	fork-latency --forks=0
	fork-latency --forks=1x
	fork-latency --forks=1000000001
	fork-latency --forks=1 --forks=1
	threads --threads=1 --locks=1 --yields=1
	threads --locks=1 --threads=1 --yields=1 --seconds=1
	threads --threads=1 --locks=0 --yields=1 --seconds=1
	threads --threads=1 --locks=1 --yields=1 --seconds=86401
	wakeup-latency --messagers=1 --workers=1
	wakeup-latency --messagers=1 --workers= --seconds=1
	wakeup-latency --messagers=1 --workers=-1 --seconds=1
	wakeup-latency --messagers=1 --workers=1 --seconds=1 x
	ARGS
}

@test "a result that can't be written is a failure" {
	run -1 bash -c "'$programs/fork-latency' --forks=1 > /dev/full"
	says "fork-latency: cannot write the result: No space left on device"
	run -1 bash -c "'$programs/threads' --threads=1 --locks=1 --yields=1 --seconds=1 > /dev/full"
	says "threads: cannot write the result: No space left on device"
	run -1 bash -c "'$programs/wakeup-latency' --messagers=1 --workers=1 --seconds=1 > /dev/full"
	says "wakeup-latency: cannot write the result: No space left on device"
}

@test "fork-latency waits for its children also when started with SIGCHLD ignored" {
	run env --ignore-signal=CHLD "$programs/fork-latency" --forks=5
	[ "$status" -eq 0 ]
	says '"forks":5,"children":5,'
}

@test "one CPU holds all children, and as many are counted" {
	run taskset -c "$(taskset -pc $$ | sed 's/.*: //; s/[,-].*//')" \
		"$programs/fork-latency" --forks=7
	[ "$status" -eq 0 ]
	says '"same_cpu":7,"other_node":0,"cpus":1,"same_llc":0,'
}
