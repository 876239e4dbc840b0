#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What is handed out: the archive of make dist, and Debian's package made of it.

bats_require_minimum_version 1.5.0

setup() {
	: "${SCHEDGRID_SOURCE:=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)}"
	cd "$BATS_TEST_TMPDIR" || return
	git -C "$SCHEDGRID_SOURCE" rev-parse HEAD > /dev/null 2>&1 ||
		skip "this is no git checkout"
	version=$(cat "$SCHEDGRID_SOURCE/VERSION")
	archive=$SCHEDGRID_SOURCE/build/schedgrid-$version.tar.gz
}

# The archive, made anew, as a make of its own.
make_dist() {
	env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -s -C "$SCHEDGRID_SOURCE" dist
}

@test "the archive is the same each time" {
	make_dist
	cp "$archive" first
	touch "$SCHEDGRID_SOURCE/README.md"
	make_dist
	cmp "$archive" first
}

@test "the package builds from the archive, and lintian finds nothing in it" {
	command -v dh > /dev/null || skip "debhelper is not installed"
	command -v lintian > /dev/null || skip "lintian is not installed"
	make_dist
	tar -xf "$archive"
	cd "schedgrid-$version" || return 1
	env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS dpkg-buildpackage -us -uc -b > ../log 2>&1 || {
		tail -20 ../log
		return 1
	}
	cd ..
	run -0 --separate-stderr lintian ./*.changes
	echo "$output"
	[ -z "$output" ]
	dpkg-deb -x schedgrid_*.deb root
	root/usr/bin/schedgrid --version
	[ -e root/usr/share/man/man1/schedgrid-run.1.gz ]
}
