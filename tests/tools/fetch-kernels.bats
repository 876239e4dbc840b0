#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# fetch-kernels.sh against an apt and a dpkg made up here: nothing is fetched.

setup() {
	: "${SCHEDGRID_SOURCE:=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)}"
	bin=$BATS_TEST_TMPDIR/bin
	dir=$BATS_TEST_TMPDIR/kernels
	mkdir "$bin"
	# shellcheck disable=SC2016 # the programs' own
	{
		fake apt-cache 'echo "linux-image-6.1.0-9-cloud-amd64-unsigned - Linux"'
		fake apt-get 'echo archive > package.deb'
		fake dpkg-deb 'mkdir -p "$3/boot" && echo kernel > "$3/boot/vmlinuz-1"'
	}
	export PATH=$bin:$PATH
	fetch=$SCHEDGRID_SOURCE/tools/fetch-kernels.sh
}

fake() {
	printf '#!/bin/sh\n%s\n' "$2" >"$bin/$1"
	chmod +x "$bin/$1"
}

@test "both kernels are unpacked, and nothing else is left" {
	run "$fetch" "$dir"
	echo "$output"
	[ "$status" -eq 0 ]
	[ "${lines[-1]}" = "$dir" ]
	[ "$(cat "$dir/6.1/vmlinuz" "$dir/6.12/vmlinuz")" = "kernel
kernel" ]
	[ "$(cd "$dir" && echo *)" = '6.1 6.12' ]
}

@test "a kernel that is there is kept" {
	mkdir -p "$dir/6.1"
	echo old >"$dir/6.1/vmlinuz"
	run "$fetch" "$dir"
	[ "$status" -eq 0 ]
	[ "$(cat "$dir/6.1/vmlinuz")" = old ]
}

@test "a download that fails: a sentence, and nothing is left" {
	fake apt-get 'exit 100'
	run "$fetch" "$dir"
	[ "$status" -eq 1 ]
	[[ $output == *'apt-get could not download linux-image-6.1.0-9-'* ]]
	[ -z "$(ls "$dir")" ]
}

@test "a package without a kernel image is refused, and nothing is left" {
	fake dpkg-deb 'mkdir -p "$3"'
	run "$fetch" "$dir"
	echo "$output"
	[ "$status" -eq 1 ]
	[[ $output == *'linux-image-6.1.0-9-cloud-amd64-unsigned has no kernel image'* ]]
	[ -z "$(ls "$dir")" ]
}
