#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The policy held against real kernels: guests of Debian's 6.1 and 6.12 place new tasks, and
# replay asks the policy for each of them.
#
#   tests/conformance/run.sh [TOPOLOGY...]
#
# Prints a table; fails when fewer than 95 of 100 decisions whose state is known agree.

set -eu
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
schedgrid=$(readlink -f "${SCHEDGRID:-$top/schedgrid}")
kernels=$("$top/tools/fetch-kernels.sh")
topologies=("$@")
[ $# -gt 0 ] || topologies=(one-node-8 two-node-8 two-node-8-llcs four-node-8)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"${CC:-cc}" -std=gnu11 -D_GNU_SOURCE -I"$top" -O2 -ffunction-sections -Wl,--gc-sections \
	-o "$work/replay" "$here/replay.c" "$top"/policy/*.c "$top/runner/placement_read.c" \
	"$top"/lib/{cpulist,err,file,rng,text}.c

# $1 kernel, $2 topology, $3 mode; the other words are values of fds.
grid() {
	local topology=$2
	[ "$2" != four-node-8 ] ||
		topology='{sockets: 4, llcs: 1, cores: 1, threads: 2, nodes: 4, distance: 21}'
	cat <<-YAML
	schema: schedgrid-grid-1
	name: conformance $1 $2
	seed: 7
	executor: {type: guest, topology: $topology, accel: tcg, mode: $3}
	repeat: {boots: 2, iterations: 3, warmup: 0}
	timeout: 60s
	monitors: [placement]
	columns:
	  - name: kernel
	    kernel: {image: "$kernels/$1/vmlinuz"}
	workloads:
	  - workload: hackbench
	    parameters: {groups: [1], fds: [2, 5, 10, 20], loops: 1}
	  - workload: stream
	    parameters: {threads: [4, 8], size: 100000}
	  - workload: stream
	    pin: 0,2,4,6
	    parameters: {threads: [3], size: 100000}
	YAML
}

# A boot that broke by itself is made up for.
measure() {
	local _
	for _ in 1 2 3; do
		"$schedgrid" run "$work/grid.yaml" -o "$work/run" > "$work/log" 2>&1 && return
	done
	cat "$work/log" >&2
	return 1
}

failed=0
printf '%-18s %-7s %-14s %9s %18s %18s\n' topology kernel mode decisions 'nodes known/same' \
	'CPUs known/same'
for topology in "${topologies[@]}"; do
	for kernel in '6.12 deterministic v6.12.117' '6.1 parallel v6.1.192'; do
		read -r release mode variant <<< "$kernel"
		rm -rf "$work/run"
		grid "$release" "$topology" "$mode" > "$work/grid.yaml"
		measure
		"$work/replay" "$variant" "$work"/run/raw/*/b*/placement.trace > "$work/out"
		read -r _ nodes same_node cpus same_cpu all < <(tail -1 "$work/out")
		printf '%-18s %-7s %-14s %9d %12d/%5d %12d/%5d\n' "$topology" "$release" \
			"$mode" "$all" "$nodes" "$same_node" "$cpus" "$same_cpu"
		if [ $((same_node * 100)) -lt $((nodes * 95)) ] ||
			[ $((same_cpu * 100)) -lt $((cpus * 95)) ] || [ "$cpus" -eq 0 ]; then
			failed=1
			grep -v '^decisions' "$work/out" | sed "s,$work/,," | head -20 >&2
		fi
	done
done
exit $failed
