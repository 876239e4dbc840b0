#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Fetch Debian's 6.1 and 6.12 cloud kernels for guests, without installing them:
#
#   tools/fetch-kernels.sh [DIR]     default: build/kernels
#
# Leaves DIR/6.1/vmlinuz and DIR/6.12/vmlinuz as links into the unpacked packages and
# prints DIR. Kernels that are there already are kept: what was measured stays measurable.

set -u

fail() {
	echo "fetch-kernels: $*" >&2
	exit 1
}

# The newest package of a series that apt knows.
newest() {
	apt-cache --names-only search "^linux-image-$1[.0-9+~a-z-]*-cloud-amd64-unsigned\$" |
		cut -d ' ' -f 1 | sort -V | tail -n 1
}

# What is being unpacked, for as long as it isn't complete.
work=
trap '[ -z "$work" ] || rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

fetch() {
	local series=$1 dir=$2 package image

	[ -s "$dir/$series/vmlinuz" ] && return
	package=$(newest "${series/./\\.}[.]")
	[ -n "$package" ] || fail "apt knows no cloud kernel of $series; is apt-get update needed?"
	echo "fetching $package" >&2
	work=$(mktemp -d "$dir/fetch-XXXXXX") || fail "cannot write to $dir"
	(cd "$work" && apt-get -q download "$package" >&2 && dpkg-deb -x ./*.deb tree) ||
		fail "apt-get could not download $package, see its messages above"
	image=$(cd "$work/tree" && ls boot/vmlinuz-*) || fail "$package has no kernel image"
	ln -s "$image" "$work/tree/vmlinuz"
	rm -rf "$work/tree/lib/modules" "${dir:?}/$series"
	mv "$work/tree" "$dir/$series" || fail "cannot write to $dir"
	rm -rf "$work"
	work=
}

[ $# -le 1 ] || fail "usage: tools/fetch-kernels.sh [DIR]"
command -v apt-get >/dev/null || fail "this is not Debian: no packages to fetch from"
dir=${1:-$(dirname "$0")/../build/kernels}
mkdir -p "$dir" || exit 1
dir=$(cd "$dir" && pwd)
fetch 6.1 "$dir"
fetch 6.12 "$dir"
echo "$dir"
