#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2317 # what the completion calls
# The completion of bash, asked as bash asks it.

setup() {
	: "${SCHEDGRID_SOURCE:=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)}"
	: "${SCHEDGRID:=$SCHEDGRID_SOURCE/build/release/schedgrid}"
	cd "$BATS_TEST_TMPDIR" || return 1
	schedgrid() {
		"$SCHEDGRID" "$@"
	}
	# shellcheck source=/dev/null
	source "$SCHEDGRID_SOURCE/tools/completion.bash"
	# Without a readline there is nothing to be told.
	compopt() { :; }
}

# What is offered for the last of the words $@.
offered() {
	COMP_WORDS=("$@")
	COMP_CWORD=$(($# - 1))
	COMPREPLY=()
	_schedgrid
	printf '%s\n' "${COMPREPLY[@]}"
}

@test "subcommands, all of --help" {
	[ "$(offered schedgrid comp)" = compare ]
	[ "$(offered schedgrid '' | grep -vc '^-')" -eq "$("$SCHEDGRID" --help | grep -c '^  [a-z]')" ]
}

@test "options of a subcommand, long and short" {
	[ "$(offered schedgrid run --on)" = --only ]
	offered schedgrid run - | grep -qx -- -o
	offered schedgrid compare --mm | grep -qx -- --mmtests-significance
}

@test "formats, verdicts, workloads, kinds of import, files" {
	[ "$(offered schedgrid compare --format mark)" = markdown ]
	[ "$(offered schedgrid compare --format j)" = json ]
	[ "$(offered schedgrid compare --adjust b)" = bh ]
	offered schedgrid compare --fail-on w | grep -qx 'worse?'
	[ "$(offered schedgrid list hack)" = hackbench ]
	[ "$(offered schedgrid import tab)" = table ]
	touch grid.yaml
	[ "$(offered schedgrid run gr)" = grid.yaml ]
}
