#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# schedgrid ab of two real kernels in guests; those of tools/fetch-kernels.sh.

bats_require_minimum_version 1.5.0

load host

setup_file() {
	# shellcheck disable=SC2155
	export KERNELS=$("${SCHEDGRID_SOURCE:-$BATS_TEST_DIRNAME/../..}"/tools/fetch-kernels.sh)
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	command -v qemu-system-x86_64 > /dev/null || skip "QEMU is not installed"
	[ "$KERNELS" ] || skip "the kernels can't be fetched"
}

ab_kernels() {
	run --separate-stderr "$schedgrid" ab "$KERNELS/6.1" "$KERNELS/6.12/vmlinuz" \
		--topology one-node-2 --accel tcg --time 10s \
		--workload 'hackbench groups=1 loops=5' -o run "$@"
	echo "$output$stderr"
}

@test "two kernels are booted in turn, and what differs is named" {
	ab_kernels
	[ "$status" -eq 0 ]
	grep -q 'boots: 2, iterations: 2' run/grid.yaml
	[ "$(grep -c '"status":"ok","flags":\["emulated"\]' run/records.jsonl)" -eq 8 ]
	[[ $output == *"differs: kernel.release: A: 6.1."*"; B: 6.12."* ]]
	# Emulated time is no evidence, so nothing is judged.
	[[ ${output##*$'\n'} == "B against A: not judged in 1 of 1 row" ]]
	[ "$(started_here)" -eq 0 ]
	# The same again, with more time: a run keeps its boots.
	ab_kernels --time 10min
	[ "$status" -eq 0 ]
	[[ $stderr == *"nothing was missing"* ]]
}

@test "one kernel with two command lines is two sides" {
	run -0 "$schedgrid" ab "$KERNELS/6.12/vmlinuz" \
		"$KERNELS/6.12/vmlinuz,cmdline=mitigations=off" --accel tcg --time 5min -n
	says "cmdline: 'mitigations=off'"
	says "topology: two-node-8, accel: tcg"
	grep -qE 'boots: ([5-9]|1[0-9]),' <<< "$output"
	run -2 "$schedgrid" ab "$KERNELS/6.12/vmlinuz" "$KERNELS/6.12" -n
	says "the same in effect"
}
