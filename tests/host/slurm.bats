#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The executor slurm on a real Slurm of two nodes, and all that goes wrong there: a boot
# that falls back, a node that crashes, a controller that loses its jobs, a runner that is
# killed. One cluster serves all tests, in their order: each leaves the nodes idle.

bats_require_minimum_version 1.5.0

load host
load slurm

setup_file() {
	for program in slurmctld slurmd munged sbatch; do
		command -v $program > /dev/null || [ -x /usr/sbin/$program ] || return 0
	done
	PATH=$PATH:/usr/sbin
	schedgrid=$(readlink -f "$schedgrid")
	export PATH schedgrid
	start_cluster
}

teardown_file() {
	stop_cluster
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	[ -n "${cluster:-}" ] || skip "Slurm is not installed"
}

# What Slurm has of the run in $1, and still will run.
live_jobs() {
	squeue -h -o %j | grep -c "$(grep -o '"id":"[^"]*"' "$1/slurm/book.json" | cut -d '"' -f 4)" || true
}

# Starts the run of grid.yaml, as $pid, and waits until Slurm has its jobs.
start_run() {
	"$schedgrid" run grid.yaml -o run 2> run.err 3>&- 9>&- &
	pid=$!
	wait_until 10 '[ -e run/slurm/book.json ] && [ "$(live_jobs run)" -gt 0 ]'
}

# Each machine has one ok record for each of $1 iterations, and no id twice.
has_all() {
	local node
	for node in n1 n2; do
		[ -e run/machines/$node ] || continue
		cat run/machines/$node/records.jsonl
		[ "$(grep -c '"status":"ok"' run/machines/$node/records.jsonl)" -eq "$1" ]
		[ -z "$(grep -o '"id":"[^"]*"' run/machines/$node/records.jsonl | sort | uniq -d)" ]
	done
	[ "$(live_jobs run)" -eq 0 ]
}

@test "a grid on two nodes: submitted, followed, collected, and complete" {
	slurm_grid "n1, n2" '"1", "2", "3"' a
	"$schedgrid" run grid.yaml -o run
	has_all 6
	[ "$(sort -u <(grep -ho '"machine":"[^"]*"' run/machines/n1/records.jsonl))" = '"machine":"n1"' ]
	grep -q '"executor":"slurm"' run/machines/n2/records.jsonl

	run -0 "$schedgrid" run grid.yaml -o run
	says "nothing was missing"
	has_all 6
	run -0 --separate-stderr "$schedgrid" grid status run
	says "n2               k6.1.0_a                          3      3        0        0        0        0"
	"$schedgrid" compare run/machines/n1
	run "$schedgrid" doctor grid.yaml
	says "slurm: its settings keep out of what is measured"
}

@test "the selftest holds a cell inside Slurm against the same outside" {
	slurm_grid "n1" '"1", "2"' a
	"$schedgrid" run grid.yaml -o run
	run -0 --separate-stderr "$schedgrid" grid selftest run --node n1 \
		--root "$cluster/kernels/running-n1"
	says "null, a: value: "
	says " inside (n 2), "
	says " outside (n 2)"
	says "no difference seen"
	grep -q '"executor":"local"' run/slurm/selftest/n1/records.jsonl
	# Two machines that do the same: one that is twice as slow inside is seen.
	sed -i 's/"samples":\[\([0-9.]*\)\]/"samples":[2\1]/' run/machines/n1/records.jsonl
	run -1 --separate-stderr "$schedgrid" grid selftest run --node n1 \
		--root "$cluster/kernels/running-n1"
	says ": differs"
	run -3 "$schedgrid" grid selftest run --node n9
	says "has no task for node 'n9'"
}

@test "another grid in the same directory is refused, and so is a node that isn't there" {
	slurm_grid "n1" '"1"' a
	"$schedgrid" run grid.yaml -o run
	slurm_grid "n1" '"2"' a
	run -2 "$schedgrid" run grid.yaml -o run
	says "holds a run of another grid"
	slurm_grid "n1, m2" '"1"' a
	run -2 "$schedgrid" run grid.yaml -o other
	says "Slurm has no node 'm2'"
	slurm_grid "n1" '"1"' a
	sed -i 's/6.1.0-a/6.1.0-c/' grid.yaml
	run -2 "$schedgrid" run grid.yaml -o third
	says "node 'n1' has no feature 'k6.1.0_c'"
}

@test "on another kernel or build than asked for a task measures nothing" {
	slurm_grid "n1" '"1"' a
	"$schedgrid" run grid.yaml -o run
	rm -r run/slurm/tasks run/machines
	export SLURMD_NODENAME=n1 SLURM_ARRAY_TASK_ID=0
	run -3 "$schedgrid" grid cell run 1 --root "$cluster/kernels/n1-$kernel_b"
	says "kernel 6.2.0-b runs here, and column 'a' asks for 6.1.0-a"
	write_kernel n3 "$kernel_a" "$build_b"
	run -3 "$schedgrid" grid cell run 1 --root "$cluster/kernels/n3-$kernel_a"
	says "another build of kernel 6.1.0-a runs here"
	rm "$cluster/kernels/n3-$kernel_a/sys/kernel/notes"
	run -3 "$schedgrid" grid cell run 1 --root "$cluster/kernels/n3-$kernel_a"
	says "can't be told"
	SLURMD_NODENAME=n2 run -3 "$schedgrid" grid cell run 1 --root "$cluster/kernels/running-n2"
	says "this is node 'n2', and the task is for 'n1'"
	[ ! -e run/machines ]
	[ -z "$(find run -name records.jsonl)" ]
}

@test "a grid of 1002 cells is submitted within 2 s, in arrays that Slurm takes" {
	local begin=${EPOCHREALTIME/./} end
	slurm_grid "n1" '"1"' a "{iterations: 1, warmup: 0}"
	sed -i "s/script: .*/step: [$(seq -s, 1 1002)]}/" grid.yaml
	"$schedgrid" run grid.yaml -o run 2> run.err 3>&- &
	pid=$!
	wait_until 10 '[ "$(squeue -h -r 2> /dev/null | wc -l)" -ge 1001 ]'
	end=${EPOCHREALTIME/./}
	echo "$(((end - begin) / 1000)) ms"
	[ "$((end - begin))" -lt 2000000 ]
	# The highest index of an array is 1000.
	[ "$(grep -o '"machine":' run/slurm/book.json | wc -l)" -eq 2 ]
	kill -TERM $pid
	code=0
	wait $pid || code=$?
	[ "$code" -eq 143 ]
	grep -q "its jobs stay with Slurm; .schedgrid grid cancel run. ends them" run.err
	[ "$(live_jobs run)" -gt 0 ]
	"$schedgrid" grid cancel run
	wait_until 10 '[ "$(live_jobs run)" -eq 0 ]'
}

@test "a runner that is killed finds its jobs again" {
	slurm_grid "n1, n2" '"1", "2", "3"' a
	start_run
	find_worker $pid
	kill -KILL $pid "$worker"
	wait $pid || true
	run -0 "$schedgrid" grid resume run
	has_all 6
}

@test "a task whose machine is still measured exits with 75 and is started again" {
	slurm_grid "n1" '"1"' a
	"$schedgrid" run grid.yaml -o run
	rm -r run/machines run/slurm/tasks/n1/k*
	exec 9> run/slurm/tasks/n1/lock
	flock 9
	start_run
	wait_until 10 'grep -qs "another task of this run measures" run/slurm/log/*'
	exec 9>&-
	wait $pid
	has_all 2
}

@test "cancelled, it stops and its jobs are gone; resumed, it is completed" {
	slurm_grid "n1, n2" '"sleep:20000"' a "{iterations: 1, warmup: 0}"
	start_run
	wait_until 10 '[ -n "$(find run/machines -name "*-a1" 2> /dev/null)" ]'
	"$schedgrid" grid cancel run
	code=0
	wait $pid || code=$?
	[ "$code" -eq 2 ]
	wait_until 10 '[ "$(live_jobs run)" -eq 0 ]'
	grep -q "was cancelled" run.err
}

@test "a controller killed right after the submission loses nothing, whatever ids it gives" {
	slurm_grid "n1, n2" '"1", "2", "3"' a
	start_run
	kill -KILL "$(cat "$cluster/run/slurmctld.pid")"
	slurmctld 3>&-
	wait $pid
	has_all 6
}

@test "nodes boot into the kernel; one that falls back is drained, and has no record" {
	slurm_grid "n1, n2" '"1", "2"' "a b"
	touch "$cluster/broken-n2-$kernel_b"
	run -3 "$schedgrid" run grid.yaml -o run
	echo "$output"
	tail -n 3 run/slurm/log/*
	grep -E "drain|[Rr]eboot|requeue|Prolog" "$cluster/log/slurmctld.log" | tail -n 30
	"$schedgrid" grid status run
	says "node 'n2' is drained: Prolog error; its jobs were cancelled"
	says "2 of 8 tasks are not complete, the first on node 'n2'"
	[ "$(grep -c '"column":"b"' run/machines/n1/records.jsonl)" -eq 4 ]
	[ "$(grep -c '"column":"b"' run/machines/n2/records.jsonl)" -eq 0 ]
	[ "$(grep -c '"column":"a"' run/machines/n2/records.jsonl)" -eq 4 ]
	grep -q '"release": "6.1.0-a"' run/machines/n1/hosts/b1.json
	grep -q '"release": "6.2.0-b"' run/machines/n1/hosts/b2.json
	[ "$(live_jobs run)" -eq 0 ]
	rm "$cluster/broken-n2-$kernel_b"
	scontrol update nodename=n2 state=resume
}

@test "a node that crashes in the middle comes back, and its task goes on" {
	slurm_grid "n1" '"1", "sleep:1500"' b "{iterations: 3, warmup: 0}"
	start_run
	wait_until 20 'grep -qs sleep:1500 run/slurm/tasks/n1/*/records.jsonl'
	crash_node n1
	start_slurmd n1
	wait $pid
	cat run.err
	has_all 6
}

@test "nothing is left when it has stopped" {
	stop_cluster
	[ ! -e "$cluster" ]
	[ -z "$(cluster_pids)" ]
	cluster=
}
