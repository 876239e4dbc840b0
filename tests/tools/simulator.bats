#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The simulator's outcome depends on nothing but its options.

setup()
{
	: "${SCHEDGRID_SOURCE:=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)}"
	# shellcheck source=/dev/null
	. "$SCHEDGRID_SOURCE/tests/bench/simulator.bash"
}

@test "compilers, optimisation and threads don't change what a run gives" {
	local compiler level jobs variant

	command -v clang >/dev/null || skip "needs clang"
	for compiler in gcc clang; do
		for level in -O0 -O3; do
			build_simulator "$BATS_TEST_TMPDIR/sim" "$SCHEDGRID_SOURCE" \
				"$compiler" "$level"
			for jobs in 1 2; do
				for variant in v3.3 v4.9 v6.1.192 v6.12.117; do
					"$BATS_TEST_TMPDIR/sim" "$variant" 48 4 5 "$jobs" |
						sed -n "1s/^/$variant /p"
				done
			done
		done
	done > "$BATS_TEST_TMPDIR/outcomes"
	cat "$BATS_TEST_TMPDIR/outcomes"
	# 8 times the same line for each of the variants, which differ.
	[ "$(wc -l < "$BATS_TEST_TMPDIR/outcomes")" -eq 32 ]
	[ "$(sort -u "$BATS_TEST_TMPDIR/outcomes" | wc -l)" -eq 4 ]
	[ "$(cut -d' ' -f5 "$BATS_TEST_TMPDIR/outcomes" | sort -u | wc -l)" -eq 4 ]
}
