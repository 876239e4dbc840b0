#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Say in one sentence what the build lacks, before a compiler says it in fifty lines:
#
#   tools/need-build.sh COMPILER PKG_CONFIG MODULE...

cc=$1
pkg_config=$2
shift 2

fail() {
	echo "cannot build: $1" >&2
	echo "(as root, 'make quickstart' installs what is missing)" >&2
	exit 1
}

package_of() {
	case $1 in
	jansson) echo libjansson-dev ;;
	yaml-0.1) echo libyaml-dev ;;
	hwloc) echo libhwloc-dev ;;
	libmd) echo libmd-dev ;;
	libRmath) echo r-mathlib ;;
	libtracefs | libtraceevent) echo "$1-dev" ;;
	zlib) echo zlib1g-dev ;;
	libcurl) echo libcurl4-openssl-dev ;;
	libarchive) echo libarchive-dev ;;
	cmocka) echo libcmocka-dev ;;
	*) echo "the one that has $1.pc" ;;
	esac
}

case $cc in
*clang*) compiler=clang ;;
*) compiler=gcc ;;
esac
command -v "$cc" >/dev/null ||
	fail "there is no compiler '$cc'; the Debian package is $compiler"
command -v "$pkg_config" >/dev/null ||
	fail "there is no '$pkg_config'; the Debian package is pkgconf"
for module; do
	"$pkg_config" --exists "$module" ||
		fail "the library $module is missing; the Debian package is $(package_of "$module")"
done
