#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The closing line of .ci/run: what run-tests.sh runs is what tally.sh counts.

setup() {
	: "${SCHEDGRID_SOURCE:=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)}"
	cd "$BATS_TEST_TMPDIR" || return
	ln -s "$SCHEDGRID_SOURCE/tools" tools
	unset CI EXTRA_FAILED
}

# program NAME LINE...: a test program in shell
program() {
	local name=$1
	shift
	printf '%s\n' '#!/bin/sh' "$@" >"$name"
	chmod +x "$name"
}

# counts LINE PROGRAM...: what the programs came to
counts() {
	local expected=$1
	shift
	tools/run-tests.sh log "$@" >run.out 2>&1 || true
	run tools/tally.sh log
	echo "got '$output', expected '$expected'"
	[ "$output" = "$expected" ]
}

@test "passed tests of several programs add up" {
	program one 'echo 1..2; echo ok 1 - a; echo ok 2 - b'
	program two 'echo 1..1; echo ok 1 - c'
	counts '3 passed, 0 failed' one two
	[ "$status" -eq 0 ]
}

@test "a failed test is counted once, and shown" {
	program one 'echo 1..2; echo ok 1; echo not ok 2 - why; echo "# because"; exit 1'
	counts '1 passed, 1 failed' one
	[ "$status" -ne 0 ]
	grep -q '^not ok 2 - why' run.out
	grep -q '^# because' run.out
}

@test "a program that dies is a failure" {
	program one 'echo 1..3; echo ok 1; kill -SEGV $$'
	counts '1 passed, 1 failed' one
}

@test "a program that fails after its last test is a failure" {
	program one 'echo 1..1; echo ok 1; exit 99'
	counts '1 passed, 1 failed' one
}

@test "a program that runs fewer tests than planned is a failure" {
	program one 'echo 1..3; echo ok 1; echo ok 2'
	counts '2 passed, 1 failed' one
}

@test "a program that prints nothing is a failure" {
	program one 'exit 0'
	counts '0 passed, 1 failed' one
}

@test "a program that hangs is cut off and a failure" {
	program one 'echo 1..1; exec sleep 60'
	TEST_TIMEOUT_SEC=0.2 counts '0 passed, 1 failed' one
}

@test "skips of bats and of cmocka are counted" {
	program one 'echo 1..3; echo ok 1; echo "ok 2 x # skip why"; echo "not ok 3 # SKIP x"'
	counts '1 passed, 0 failed, 2 skipped' one
	[ "$status" -eq 0 ]
}

@test "with CI=true only what no package supplies may be skipped" {
	program one 'echo 1..3; echo ok 1' 'echo "ok 2 x # skip needs strace"' \
		'echo "ok 3 y # skip host: one NUMA node"'
	CI=true counts '1 passed, 1 failed, 1 skipped' one
	[ "$status" -ne 0 ]
}

@test "no tests at all is a failure" {
	run tools/run-tests.sh log
	[ "$status" -ne 0 ]
	run tools/tally.sh log
	[ "$status" -ne 0 ]
}
