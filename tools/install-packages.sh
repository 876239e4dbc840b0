#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Install the Debian packages that a purpose needs and this machine lacks:
#
#   tools/install-packages.sh GROUP...     groups: build check lint bench fidelity host kernel guest publish
#
# Silent when nothing is missing. Otherwise says what it is about to install; without
# the right to install it prints the command for it and fails. On other systems than
# Debian's it checks nothing, the build itself then says what it lacks.

set -u

# One word per need: a package, or PROGRAM:PACKAGE where the program may have come
# from elsewhere. libc6-dev is named because gcc merely recommends it.
needs_of() {
	case $1 in
	build)
		echo gcc:gcc make:make pkg-config:pkgconf libc6-dev \
			libjansson-dev libyaml-dev libhwloc-dev libmd-dev \
			libtracefs-dev libtraceevent-dev r-mathlib zlib1g-dev \
			libcurl4-openssl-dev libarchive-dev
		;;
	check)
		echo libcmocka-dev bats:bats prove:perl pgrep:procps bzip2:bzip2 \
			scdoc:scdoc spatch:coccinelle
		;;
	lint)
		echo clang:clang clang-format:clang-format clang-tidy:clang-tidy \
			cppcheck:cppcheck pmccabe:pmccabe codespell:codespell \
			shellcheck:shellcheck
		;;
	bench)
		echo hyperfine:hyperfine
		;;
	fidelity)
		echo tbench:dbench hackbench:rt-tests perf:linux-perf qperf:qperf \
			sysbench:sysbench pgrep:procps
		;;
	host)
		echo strace:strace perf:linux-perf tbench:dbench hackbench:rt-tests \
			sysbench:sysbench postgresql gnuplot:gnuplot-nox \
			python3-jsonschema dh:debhelper lintian:lintian dpkg-buildpackage:dpkg-dev \
			slurmctld slurmd sbatch:slurm-client munge
		;;
	kernel)
		echo spatch:coccinelle flex:flex bison:bison bc:bc xz:xz-utils cpio:cpio \
			flock:util-linux perl:perl libelf-dev libssl-dev
		;;
	guest)
		echo qemu-system-x86_64:qemu-system-x86 dpkg-deb:dpkg
		;;
	publish)
		echo nginx-light apache2-bin influxdb python3-aiosmtpd openssl
		;;
	*)
		return 1
		;;
	esac
}

fail() {
	echo "install-packages: $*" >&2
	exit 1
}

is_installed() {
	[ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# A root that a user namespace made up (unshare -r maps a single id) can't install.
is_real_root() {
	[ "$(id -u)" -eq 0 ] && [ -w /var/lib/dpkg ] &&
		awk '{ ids += $3 } END { exit ids <= 1 }' /proc/self/uid_map
}

missing=()
add_missing() {
	local group need needs

	for group in "$@"; do
		needs=$(needs_of "$group") || fail "unknown group '$group'"
		for need in $needs; do
			case $need in
			*:*) command -v "${need%%:*}" >/dev/null && continue ;;
			esac
			is_installed "${need#*:}" || missing+=("${need#*:}")
		done
	done
}

install_as() {
	local root=("$@")
	local apt=("${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y
		-o DPkg::Lock::Timeout=300)
	local install=("${apt[@]}" install --no-install-recommends "${missing[@]}")

	echo "installing the Debian packages: ${missing[*]}" >&2
	# Lists that are absent, or so old that the mirror moved on, are fetched first.
	if apt-cache show "${missing[@]}" >/dev/null 2>&1; then
		"${install[@]}" </dev/null >&2 && return
	fi
	"${apt[@]}" update </dev/null >&2 ||
		fail "apt-get update failed, is there a network and a package mirror?"
	"${install[@]}" </dev/null >&2 ||
		fail "apt-get could not install ${missing[*]}, see its messages above"
}

[ $# -gt 0 ] || fail "no group given: build check lint bench fidelity host kernel guest publish"
if ! command -v dpkg-query >/dev/null; then
	echo "install-packages: this is not Debian, so nothing is checked or installed" >&2
	exit 0
fi

add_missing "$@"
[ ${#missing[@]} -gt 0 ] || exit 0

if is_real_root; then
	install_as
elif [ "$(id -u)" -ne 0 ] && command -v sudo >/dev/null &&
	{ sudo -n true 2>/dev/null || [ -t 0 ]; }; then
	install_as sudo
else
	echo "missing packages, install them as root: apt-get install -y ${missing[*]}" >&2
	exit 1
fi
