#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# make install and uninstall, into a directory of the test.

setup() {
	: "${SCHEDGRID_SOURCE:=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)}"
	cd "$SCHEDGRID_SOURCE" || return
	root=$BATS_TEST_TMPDIR/root
}

# make as a user would start it, not as a part of the make that runs the tests
plain_make() {
	env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -s "$@"
}

@test "install puts the binary, the programs, the configs and the documents" {
	plain_make install DESTDIR="$root" prefix=/usr
	"$root/usr/bin/schedgrid" --version
	for program in benchmarks/*/program.c; do
		name=$(basename "$(dirname "$program")")
		[ -x "$root/usr/libexec/schedgrid/$name" ]
	done
	diff -r configs "$root/usr/share/schedgrid/configs"
	[ -s "$root/usr/share/doc/schedgrid/LICENSE" ]
	diff -r docs/schema "$root/usr/share/doc/schedgrid/schema"
	[ -s "$root/usr/share/bash-completion/completions/schedgrid" ]
	[ -s "$root/usr/share/man/man1/schedgrid-run.1" ]
	[ -s "$root/usr/share/man/man5/schedgrid-grid.5" ]
}

@test "what is installed runs away from the tree" {
	plain_make install DESTDIR="$root" prefix=/usr
	cd "$BATS_TEST_TMPDIR" || return
	"$root/usr/bin/schedgrid" plan "$root/usr/share/schedgrid/configs/quickstart.yaml" \
		>plan.out
	grep -q "$root/usr/libexec/schedgrid/" plan.out
}

@test "uninstall leaves no file behind" {
	plain_make install DESTDIR="$root" prefix=/usr
	plain_make uninstall DESTDIR="$root" prefix=/usr
	run find "$root" ! -type d
	echo "$output"
	[ -z "$output" ]
}
