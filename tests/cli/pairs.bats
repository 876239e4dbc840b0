#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154 # schedgrid and output come from elsewhere
# Pins that are two CPUs, where the machine has such and where it hasn't.

bats_require_minimum_version 1.5.0
load common

pairs_grid() {
	cat > grid.yaml <<-YAML
	schema: schedgrid-grid-1
	name: pairs
	executor: {type: local}
	repeat: {iterations: 1, warmup: 0}
	columns:
	  - {name: packed, pin: one-cpu}
	  - {name: near, pin: $1}
	  - {name: far, pin: $2}
	workloads:
	  - {workload: pipe, parameters: {loops: 10}}
	YAML
}

@test "a pair becomes two CPUs; a pair that the machine lacks is skipped, not refused" {
	fake_machine
	pairs_grid same-llc cross-llc
	run "$schedgrid" plan grid.yaml
	[ "$status" -eq 0 ]
	says "near  pipe-process  loops=10  CPUs 0-1"
	says "far  pipe-process  loops=10  CPUs 0,4"
	pairs_grid same-core cross-node
	run "$schedgrid" plan grid.yaml
	[ "$status" -eq 0 ]
	says "near  pipe-process  loops=10  CPUs none"
	says "will be skipped: pin 'same-core': CPUs 0-4,6-7 have no two that are threads of one core"
	says "will be skipped: pin 'cross-node': CPUs 0-4,6-7 have no two NUMA nodes"
}

@test "a pair that is all CPUs of a small machine is skipped, and the rest runs" {
	fake_machine
	cat > grid.yaml <<-YAML
	schema: schedgrid-grid-1
	name: pairs
	executor: {type: local}
	repeat: {iterations: 1, warmup: 0}
	columns:
	  - {name: near, pin: same-llc}
	  - {name: first two, pin: 0-1}
	  - {name: alone, pin: one-cpu}
	  - {name: core, pin: one-core}
	  - {name: nodes, pin: one-node}
	  - {name: cores, pin: one-per-core}
	  - {name: machine}
	workloads:
	  - {workload: pipe, parameters: {loops: 10}}
	YAML
	run "$schedgrid" plan grid.yaml
	[ "$status" -eq 0 ]
	[ "$(grep -c "will be skipped: " <<< "$output")" -eq 4 ]
	says "will be skipped: columns 'machine' and 'nodes' are the same in effect"
	says "will be skipped: columns 'first two' and 'near' are the same in effect"
	says "will be skipped: columns 'alone' and 'core' are the same in effect"
	[ "$(grep -oE "^[0-9a-f]{16}" <<< "$output" | sort -u | wc -l)" -eq 7 ]
	# What the grid says in numbers is its own mistake.
	sed -i 's/pin: one-cpu/pin: 0-1/' grid.yaml
	run -2 "$schedgrid" plan grid.yaml
	says "grid.yaml:8:5: columns 'first two' and 'alone' are the same in effect"
}

@test "records and table of a skipped pair say why, and no CPUs" {
	pairs_grid cross-node same-core
	run "$schedgrid" run grid.yaml -o run
	[ "$status" -eq 0 ]
	run "$schedgrid" compare run
	[ "$status" -eq 0 ]
	grep -q "CPUs *$" <<< "$output" && return 1
	[ "$(records_with '"status":"ok"')" -ge 1 ]
}
