#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# two-kernels.sh, the end of `make quickstart`, in a tree made up here.

setup() {
	: "${SCHEDGRID_SOURCE:=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)}"
	cd "$BATS_TEST_TMPDIR" || return 1
	mkdir tools
	cp "$SCHEDGRID_SOURCE/tools/two-kernels.sh" tools/
	fake tools/install-packages.sh 'echo chatter >&2'
	fake tools/fetch-kernels.sh 'echo build/kernels'
	# shellcheck disable=SC2016 # the script's own
	fake schedgrid 'echo "$*" >> ran; [ "$1" = compare ] && echo table || exit ${CODE:-0}'
}

fake() {
	printf '#!/bin/sh\n%s\n' "$2" > "$1"
	chmod +x "$1"
}

@test "with QEMU and kernels: the grid is run and compared" {
	run tools/two-kernels.sh two
	echo "$output"
	[ "$status" -eq 0 ]
	[ "$(cat ran)" = "run configs/two-kernels.yaml -o two
compare two" ]
	[[ $output == *table ]]
	[[ $output != *chatter* ]]
}

@test "without QEMU: one line with the reason, and success" {
	fake tools/install-packages.sh 'echo much; echo "apt-get update failed" >&2; exit 1'
	run tools/two-kernels.sh two
	[ "$status" -eq 0 ]
	[ "${lines[1]}" = "two kernels: left out, as QEMU can't be installed: apt-get update failed (docs/guests.md)" ]
	[ "${#lines[@]}" -eq 2 ]
	[ ! -e ran ]
}

@test "without kernels: one line with the reason, and success" {
	fake tools/fetch-kernels.sh 'echo "fetch-kernels: apt knows none" >&2; exit 1'
	run tools/two-kernels.sh two
	[ "$status" -eq 0 ]
	[ "${lines[1]}" = "two kernels: left out, as the kernels can't be fetched: fetch-kernels: apt knows none (docs/guests.md)" ]
	[ "${#lines[@]}" -eq 2 ]
	[ ! -e ran ]
}

@test "guests that fail are no success" {
	CODE=1 run tools/two-kernels.sh two
	[ "$status" -eq 1 ]
	[ "$(cat ran)" = "run configs/two-kernels.yaml -o two" ]
}

@test "make quickstart ends with it" {
	run awk '/^quickstart:/ { on = 1; next } /^[^\t]/ { on = 0 } on && NF { last = $0 }
		END { print last }' "$SCHEDGRID_SOURCE/Makefile"
	[[ $output == *tools/two-kernels.sh* ]]
}
