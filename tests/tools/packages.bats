#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# install-packages.sh against a dpkg and an apt made up here: nothing is installed.

setup() {
	: "${SCHEDGRID_SOURCE:=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)}"
	bin=$BATS_TEST_TMPDIR/bin
	mkdir "$bin"
	fake dpkg-query 'echo not-installed'
	fake id 'echo 1000'
	fake sudo 'exit 1'
	fake apt-get 'echo "$*" >>"$BATS_TEST_TMPDIR/apt.log"'
	fake apt-cache 'exit 0'
	export PATH=$bin:$PATH BATS_TEST_TMPDIR
	install=$SCHEDGRID_SOURCE/tools/install-packages.sh
}

fake() {
	printf '#!/bin/sh\n%s\n' "$2" >"$bin/$1"
	chmod +x "$bin/$1"
}

@test "nothing missing: silent" {
	fake dpkg-query 'echo installed'
	run "$install" build check </dev/null
	[ "$status" -eq 0 ]
	[ -z "$output" ]
	[ ! -e "$BATS_TEST_TMPDIR/apt.log" ]
}

@test "no right to install: one line to copy, and failure" {
	run "$install" build </dev/null
	echo "$output"
	[ "$status" -eq 1 ]
	[[ $output == 'missing packages, install them as root: apt-get install -y '* ]]
	[[ $output == *libjansson-dev* ]]
	[ ! -e "$BATS_TEST_TMPDIR/apt.log" ]
}

@test "with sudo: says so, then installs without asking" {
	fake sudo '[ "$1" = -n ] && exit 0; exec "$@"'
	run "$install" build </dev/null
	echo "$output"
	[ "$status" -eq 0 ]
	[[ ${lines[0]} == 'installing the Debian packages: '*libjansson-dev* ]]
	grep -q -- '-y .*install --no-install-recommends .*libjansson-dev' \
		"$BATS_TEST_TMPDIR/apt.log"
}

@test "the lists are fetched when they don't know a package" {
	fake sudo '[ "$1" = -n ] && exit 0; exec "$@"'
	fake apt-cache 'exit 100'
	run "$install" build </dev/null
	[ "$status" -eq 0 ]
	head -n 1 "$BATS_TEST_TMPDIR/apt.log" | grep -q 'update$'
}

@test "apt fails: a sentence, and failure" {
	fake sudo '[ "$1" = -n ] && exit 0; exec "$@"'
	fake apt-get 'exit 100'
	run "$install" build </dev/null
	echo "$output"
	[ "$status" -eq 1 ]
	[[ $output == *'apt-get update failed'* ]]
}

@test "an unknown group is refused" {
	run "$install" nonsense </dev/null
	[ "$status" -eq 1 ]
	[[ $output == *"unknown group 'nonsense'"* ]]
}

@test "the package of every library that the build needs is named" {
	local modules module

	modules=$(sed -n 's/^PKGS *:= //p' "$SCHEDGRID_SOURCE/Makefile")
	[[ $modules == *jansson* ]]
	for module in $modules; do
		run "$SCHEDGRID_SOURCE/tools/need-build.sh" sh false "$module"
		echo "$output"
		[ "$status" -eq 1 ]
		[[ ${lines[0]} == *"the library $module is missing"* ]]
		[[ $output != *"the one that has"* ]]
	done
}
