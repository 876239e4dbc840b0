#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154 # schedgrid and output come from elsewhere
# executor sim: machines and policies of a grid, records, going on, comparing.

bats_require_minimum_version 1.5.0
load common

# sim_grid [ITERATIONS]: hackbench under two policies on a small machine
sim_grid()
{
	cat > sim.yaml <<-EOF
		schema: schedgrid-grid-1
		name: sim
		seed: 42
		executor: {type: sim, machine: numa-2s12c2t}
		repeat: {iterations: ${1:-3}}
		columns:
		  - {name: before, kernel: {policy: tip-sched-2016-12}}
		  - {name: after, kernel: {policy: fix-sig}}
		workloads:
		  - workload: hackbench
		    parameters: {groups: [1, 2], loops: 3}
	EOF
}

# what a record says, without what this machine adds
outcomes()
{
	sed -E 's/"start":"[^"]*",//; s/"wall_ns":[0-9]+,//; s/"seq":[0-9]+,//' \
		"$1/records.jsonl" | sort
}

@test "a simulated grid leaves an ordinary run" {
	sim_grid
	run "$schedgrid" run sim.yaml -o run
	[ "$status" -eq 0 ]
	says "12 iterations: 12 ok; results in run"
	[ "$(records_with '"executor":"sim"')" -eq 12 ]
	[ "$(records_with '"machine":"numa-2s12c2t"')" -eq 12 ]
	[ "$(records_with '"seed":[0-9]')" -eq 12 ]
	[ "$(records_with '"name":"new-on-node1"')" -eq 12 ]
	[ "$(records_with '"name":"idle-while-overloaded"')" -eq 12 ]
	grep -q '"release": "fix-sig"' run/hosts/b1c2.json
	grep -q '"cpus": 48' run/hosts/b1c2.json
	grep -q '"executor": *"sim"' run/plan.json
}

@test "columns of an iteration share its seed, and iterations don't" {
	sim_grid 2
	"$schedgrid" run sim.yaml -o run
	[ "$(grep -o '"seed":[0-9]*' run/records.jsonl | sort -u | wc -l)" -eq 2 ]
}

@test "the same grid gives the same records, in whatever pieces it runs" {
	sim_grid
	"$schedgrid" run sim.yaml -o whole
	"$schedgrid" run sim.yaml -o pieces --only after
	"$schedgrid" run sim.yaml -o pieces --only groups=1
	"$schedgrid" run sim.yaml -o pieces
	outcomes whole > a
	outcomes pieces > b
	cmp a b
}

@test "--more adds iterations that a longer grid would have" {
	sim_grid 2
	"$schedgrid" run sim.yaml -o run
	"$schedgrid" run sim.yaml -o run --more 1
	sim_grid 3
	"$schedgrid" run sim.yaml -o long
	outcomes run > a
	outcomes long > b
	cmp a b
}

@test "a run that was killed goes on to the same records" {
	sim_grid 30
	"$schedgrid" run sim.yaml -o whole
	"$schedgrid" run sim.yaml -o run &
	pid=$!
	while [ ! -s run/records.jsonl ]; do :; done
	kill -9 "$pid"
	wait "$pid" || true
	# What it left may still hold the run for a moment.
	for _ in $(seq 100); do
		"$schedgrid" run sim.yaml -o run && break
		sleep 0.05
	done
	outcomes whole > a
	outcomes run > b
	cmp a b
}

@test "compare judges simulated columns over their seeds" {
	sim_grid 10
	"$schedgrid" run sim.yaml -o run
	run "$schedgrid" compare run
	[ "$status" -eq 0 ]
	says "executor sim"
	[[ "$output" != *"only one boot"* ]]
	run "$schedgrid" compare run --format json --all
	[[ "$output" == *'"new-on-node1"'* ]]
}

@test "what was simulated and what was measured are not compared" {
	sim_grid
	"$schedgrid" run sim.yaml -o sim
	sed -i '/executor:/d; s/{name: before.*/{name: measured}/; /after/d' sim.yaml
	"$schedgrid" run sim.yaml -o local --only groups=1
	run "$schedgrid" compare sim local
	[ "$status" -eq 2 ]
	says "not comparable"
}

@test "plan and --dry-run name machine and policies and run nothing" {
	sim_grid
	run "$schedgrid" plan sim.yaml
	[ "$status" -eq 0 ]
	says "simulated on numa-2s12c2t, 48 CPUs"
	says "after: policy fix-sig"
	says "CPUs 0-47"
	run "$schedgrid" run sim.yaml -o run --dry-run
	[ "$status" -eq 0 ]
	says "3 iterations to run"
	[ ! -e run ]
}

@test "a policy with switches, as a name and as a mapping, is one column" {
	sim_grid
	sed -i -e 's/policy: tip-sched-2016-12/policy: v5.18+numa_imbalance=none/' \
		-e 's/policy: fix-sig/policy: {base: v5.18, numa_imbalance: none}/' sim.yaml
	run "$schedgrid" run sim.yaml -o run
	[ "$status" -eq 2 ]
	says "columns 'before' and 'after' are the same in effect"
}

@test "pins and percentages are by the simulated machine" {
	sim_grid 1
	sed -i -e 's/{name: after, .*/{name: after, pin: one-per-node, kernel: {policy: fix-sig}}/' \
		-e 's/groups: .*, loops: 3/groups: [50%], loops: 1/' sim.yaml
	run "$schedgrid" plan sim.yaml
	[ "$status" -eq 0 ]
	says "groups=24"
	says "CPUs 0,12"
}

@test "a workload without a model is skipped with the reason" {
	sim_grid 1
	sed -i 's/workload: hackbench/workload: "null"/; /parameters/d' sim.yaml
	run "$schedgrid" run sim.yaml -o run
	[ "$status" -eq 0 ]
	says "skipped: null has no model"
}

@test "flags of domains are written, other settings are skipped" {
	sim_grid 1
	sed -i 's/{name: after, .*/{name: after, kernel: {policy: tip-sched-2016-12}, settings: {sched_domain: {levels: [MC], clear: [SD_BALANCE_FORK]}}}/' sim.yaml
	run "$schedgrid" run sim.yaml -o run
	[ "$status" -eq 0 ]
	says "4 iterations: 4 ok"
	sed -i 's/settings: {.*/settings: {sysctl: {vm.swappiness: 1}}}/' sim.yaml
	run "$schedgrid" run sim.yaml -o other
	[ "$status" -eq 0 ]
	says "skipped: of settings only sched_domain can be simulated"
	says "4 iterations: 2 ok, 2 skipped"
}

@test "a flag that changes its word only needs a consent" {
	sim_grid 1
	sed -i 's/{name: after, .*/{name: after, kernel: {policy: v5.4}, settings: {sched_domain: {levels: all, clear: [SD_SHARE_PKG_RESOURCES]}}}/' sim.yaml
	run "$schedgrid" run sim.yaml -o run
	says "changes only its word in this kernel"
	sed -i 's/levels: all/levels: all, accept: word-only/' sim.yaml
	run "$schedgrid" run sim.yaml -o other
	[ "$status" -eq 0 ]
	says "4 iterations: 4 ok"
}

@test "a grid of guests runs as it is, by the versions of its images" {
	sim_grid 1
	sed -i -e 's/machine: numa-2s12c2t/topology: two-node-8, accel: tcg, mode: deterministic/' \
		-e 's/policy: tip-sched-2016-12/image: boot\/vmlinuz-6.1.0-37-amd64/' \
		-e 's/policy: fix-sig/image: vmlinuz-6.12.57+deb13-amd64/' sim.yaml
	printf 'monitors: [placement]\nquiet: {busy: 5%%}\n' >> sim.yaml
	run "$schedgrid" plan sim.yaml
	[ "$status" -eq 0 ]
	says "simulated on two-node-8, 8 CPUs"
	says "before: policy v6.1.192"
	says "after: policy v6.12.117"
	run "$schedgrid" run sim.yaml -o run
	[ "$status" -eq 0 ]
}

@test "what isn't known is refused with the nearest name" {
	sim_grid
	sed 's/machine: numa-2s12c2t/machine: numa-2s12c2/' sim.yaml > bad.yaml
	run "$schedgrid" plan bad.yaml
	[ "$status" -eq 2 ]
	says "bad.yaml:4:32: unknown machine 'numa-2s12c2'"
	says "did you mean 'numa-2s12c2t'?"
	sed 's/fix-sig/fix-sigg/' sim.yaml > bad.yaml
	run "$schedgrid" plan bad.yaml
	[ "$status" -eq 2 ]
	says "bad.yaml:8:"
	says "fix-sig"
	sed 's/policy: fix-sig/policy: {base: v5.18, numa_imbalanc: none}/' sim.yaml > bad.yaml
	run "$schedgrid" plan bad.yaml
	[ "$status" -eq 2 ]
	says "numa_imbalance"
	sed 's/policy: fix-sig/image: vmlinuz-9.9/' sim.yaml > bad.yaml
	run "$schedgrid" plan bad.yaml
	[ "$status" -eq 2 ]
	says "no policy is known for kernel '9.9' (expected kernel: {policy: NAME}"
}

@test "a machine file of one's own is found beside the grid" {
	sim_grid 1
	mkdir grids
	cat > grids/mine.yaml <<-EOF
		schema: schedgrid-machine-1
		like: reference
		topology: {packages: 2, cores: 3}
	EOF
	sed 's/machine: numa-2s12c2t/machine: .\/mine.yaml/' sim.yaml > grids/g.yaml
	run "$schedgrid" plan grids/g.yaml
	[ "$status" -eq 0 ]
	says "simulated on mine, 6 CPUs"
	sed -i 's/cores/cors/' grids/mine.yaml
	run "$schedgrid" plan grids/g.yaml
	[ "$status" -eq 2 ]
	says "./mine.yaml:3:25: unknown key 'cors' in 'topology'"
}
