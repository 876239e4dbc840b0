#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154 # schedgrid and output come from elsewhere
# The grids that come with the suite: each has a plan, on a large machine and on a small one.

bats_require_minimum_version 1.5.0
load common

configs=${SCHEDGRID_SOURCE:-$BATS_TEST_DIRNAME/../..}/configs

# 16 CPUs: two packages, each a node of two caches of two cores of two threads, where
# CPUs i and i + 8 are one core.
large_machine() {
	local cpu core dir cpus=root/sys/devices/system/cpu nodes=root/sys/devices/system/node
	mkdir -p $cpus $nodes/node{0,1} root/proc
	echo 0-15 | tee $cpus/online > $cpus/possible
	echo 0-1 | tee $nodes/online > $nodes/possible
	echo 0f0f > $nodes/node0/cpumap
	echo f0f0 > $nodes/node1/cpumap
	for cpu in {0..15}; do
		core=$((cpu % 8))
		dir=$cpus/cpu$cpu
		mkdir -p "$dir"/{topology,cache/index0}
		echo $((core / 4)) > "$dir/topology/physical_package_id"
		echo $((core % 4)) > "$dir/topology/core_id"
		printf '%04x\n' $((0x101 << core)) > "$dir/topology/core_cpus"
		printf '%04x\n' $((0xf0f << (core / 4 * 4))) > "$dir/topology/package_cpus"
		cp "$dir/topology/core_cpus" "$dir/topology/thread_siblings"
		cp "$dir/topology/package_cpus" "$dir/topology/core_siblings"
		echo 3 > "$dir/cache/index0/level"
		echo Unified > "$dir/cache/index0/type"
		echo 8192K > "$dir/cache/index0/size"
		printf '%04x\n' $((0x303 << (core / 2 * 2))) > "$dir/cache/index0/shared_cpu_map"
	done
	export HWLOC_FSROOT=$PWD/root HWLOC_THISSYSTEM=0 HWLOC_COMPONENTS=linux,stop
}

plan_all() {
	local file
	while read -r file; do
		"$schedgrid" plan "$configs/$file" > "$(basename "$file").cells" || {
			echo "refused: $file"
			return 1
		}
		grep -q "  CPUs " "$(basename "$file").cells"
	# Two need images; machines and targets are no grids.
	done < <(cd "$configs" && find . -name "*.yaml" ! -name "*-kernels.yaml" \
		! -path './machines/*' ! -path './publish/*')
}

# The points of the plan of $1 that match $2.
points() {
	sed -n "s/.*  $2  \(.*\)  CPUs.*/\1/p" "$1.yaml.cells" | tr '\n' ' '
}

@test "every grid has a plan on a machine of 16 CPUs, and comes to its size" {
	large_machine
	plan_all
	[ "$(points 2016-hackbench-fork 'hackbench-thread-pipes')" = \
		"groups=1 groups=4 groups=7 groups=12 groups=21 groups=30 groups=48 groups=64 " ]
	[ "$(points 2020-reaim-five-sec 'reaim.*')" = "users=16 " ]
	[ "$(points 2022-stream-unpinned 'stream')" = "threads=1 threads=4 threads=8 " ]
	[ "$(points lkp 'hackbench-process-pipes')" = \
		"groups=16 loops=30000 groups=256 loops=1875 " ]
	grep -q "  pinning  stream  threads=4  CPUs 0,2,4,6$" 2022-stream-pinned-llcs.yaml.cells
	grep -q "  same-core  .*  CPUs 0,8$" tbench-smt.yaml.cells
	grep -q "  same-llc  .*  CPUs 0-1$" tbench-smt.yaml.cells
	grep -q "  cross-llc  .*  CPUs 0,2$" tbench-smt.yaml.cells
	grep -q "  cross-node  .*  CPUs 0,4$" tbench-smt.yaml.cells
}

@test "every grid has a plan on a machine of 7 CPUs without threads and nodes" {
	fake_machine
	plan_all
	grep -q "will be skipped: pin 'same-core'" tbench-smt.yaml.cells
}

@test "the first lines of a grid of a mail say who wrote it, when, and what it tests" {
	local file
	for file in "$configs"/mails/*.yaml; do
		sed -n '/^schema/q; p' "$file" > head.txt
		grep -qE '^# .*(January|February|March|June|December) 20[0-9][0-9]' head.txt || {
			echo "$file"
			return 1
		}
	done
}
