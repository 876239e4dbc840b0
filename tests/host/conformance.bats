#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The policy held against real kernels, the short form of `make conformance`.

bats_require_minimum_version 1.5.0

@test "kernels place new tasks on two nodes as the policy says" {
	command -v qemu-system-x86_64 > /dev/null || skip "QEMU is not installed"
	run -0 "${SCHEDGRID_SOURCE:-$BATS_TEST_DIRNAME/../..}"/tests/conformance/run.sh two-node-8
	echo "$output"
	[ "${#lines[@]}" -eq 3 ]
}
