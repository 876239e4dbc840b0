#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What `make bench` measures with: its helpers are linked with the suite's own objects.

@test "the helpers of the figures link with the suite" {
	: "${SCHEDGRID_SOURCE:=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)}"
	[[ ${SCHEDGRID:=$SCHEDGRID_SOURCE/build/release/schedgrid} == */release/* ]] ||
		skip "figures are those of the release"
	# shellcheck disable=SC2016 # expanded by the other shell
	SCHEDGRID=$SCHEDGRID run bash -c '. "$1/sides.bash" && . "$1/worst.bash" &&
		build_with_suite verdict-sim until-sim judge-time &&
		"$WORK/until-sim" 1 2' - "$SCHEDGRID_SOURCE/tests/bench"
	echo "$output"
	[ "$status" -eq 0 ]
	[[ $output == *'paired-0-reached '* ]]
}
