#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Boot Debian's 6.1 and 6.12 in guests and compare them, as the end of `make quickstart`:
#
#   tools/two-kernels.sh DIR     directory of the run
#
# QEMU and the kernels come from apt; nothing of the kernels is installed. Where they can't
# be had it says so in one line and is content: the rest of the suite doesn't need them.

set -u

dir=${1:?directory of the run}
cd "$(dirname "$0")/.." || exit 1

without() {
	echo "two kernels: left out, as $1 (docs/guests.md)" >&2
	exit 0
}

# What they say is only of interest when they fail, and then its last line is.
quietly() {
	said=$("$@" 2>&1) && return
	said=${said##*$'\n'}
	said=${said%, see its messages above}
	return 1
}

[ -s build/kernels/6.12/vmlinuz ] ||
	echo "two kernels: getting QEMU and Debian's kernels 6.1 and 6.12" >&2
quietly tools/install-packages.sh guest || without "QEMU can't be installed: $said"
quietly tools/fetch-kernels.sh || without "the kernels can't be fetched: $said"
echo "./schedgrid run configs/two-kernels.yaml -o $dir" >&2
./schedgrid run configs/two-kernels.yaml -o "$dir" || exit
echo "./schedgrid compare $dir" >&2
./schedgrid compare "$dir"
