#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154 # schedgrid and output come from elsewhere
# Ladders, percentages and work for each CPU in a plan: what a grid comes to here.

bats_require_minimum_version 1.5.0
load common

# A grid of hackbench with parameters $1 and column pins $2... ; then its points.
points() {
	local parameters=$1 pin
	shift
	printf '%s\n' "schema: schedgrid-grid-1" "name: ladders" "columns:" > grid.yaml
	for pin in "$@"; do
		printf '  - {name: "%s", pin: "%s"}\n' "$pin" "$pin" >> grid.yaml
	done
	printf '%s\n' "workloads:" "  - {workload: hackbench, parameters: {$parameters}}" >> grid.yaml
	"$schedgrid" plan grid.yaml > cells
	sed -n 's/.*hackbench-process-pipes  \(.*\)  CPUs.*/\1/p' cells | tr '\n' ' '
}

@test "a ladder is climbed by the CPUs that any column may use" {
	fake_machine
	[ "$(points 'groups: {ladder: mmtests-2016}' 0-4,6-7)" = \
		"groups=1 groups=3 groups=5 groups=7 groups=12 groups=18 groups=24 groups=28 " ]
	[ "$(points 'groups: {ladder: mmtests-2016}' 0,6)" = \
		"groups=1 groups=3 groups=5 groups=7 groups=8 " ]
	# The rows are of all columns, so it is the CPUs of all of them that count.
	[ "$(points 'groups: 100%' 0-1 2-3,6)" = "groups=5 groups=5 " ]
	[ "$(points 'groups: {ladder: mmtests, max: 5}' 0-3)" = \
		"groups=1 groups=2 groups=3 groups=4 groups=5 " ]
}

@test "loops for each CPU go down where the groups go up, and label their rows" {
	fake_machine
	[ "$(points 'groups: [100%, 1600%], loops: {per-cpu: 300}' 0-3)" = \
		"groups=4 loops=300 groups=64 loops=18 " ]
	grep -q -- '--groups=64 --loops=18' cells
}

@test "a ladder that comes to a row written elsewhere is refused" {
	fake_machine
	points 'groups: {ladder: mmtests}' 0-3
	printf '%s\n' "  - {workload: hackbench, parameters: {groups: [4]}}" >> grid.yaml
	run "$schedgrid" plan grid.yaml
	[ "$status" -eq 2 ]
	says "grid.yaml:7:5: two cells of hackbench-process-pipes are the same on this machine, with groups=4"
}

@test "a grid that comes to too many cells on this machine is refused" {
	fake_machine
	sizes=$(seq -s, 1 20000)
	points "groups: {ladder: mmtests-2016}, size: [$sizes]" 0-4,6-7 2> /dev/null || true
	run "$schedgrid" plan grid.yaml
	[ "$status" -eq 2 ]
	says "on this machine the grid comes to more than 100000 rows of 1 columns"
}
