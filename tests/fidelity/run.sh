#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Hold our programs against the ones that others know, and print the tables that
# docs/fidelity.md keeps, with what they were measured on:
#
#   tests/fidelity/run.sh [WORD...]     only the scripts whose name has one of the words
#
# Exits with 1 when a row is missed, 2 when something could not be measured.

set -u
export LC_ALL=C
cd "$(dirname "$0")" || exit 2

version_of() {
	dpkg-query -W -f '${Package} ${Version}' "$1" 2>/dev/null || echo "$1 not packaged"
}

print_machine() {
	local model packages=() package

	model=$(sed -n 's/^model name[[:space:]]*: //p;T;q' /proc/cpuinfo)
	for package in rt-tests linux-perf dbench qperf sysbench; do
		packages+=("$(version_of $package)")
	done
	printf '%s, Linux %s, %s CPUs (%s), at most %s s a row\n' "$(date -u +%F)" \
		"$(uname -r)" "$(nproc)" "${model:-unknown}" "${BENCH_SECONDS:-300}"
	(IFS=, && printf '%s\n' "${packages[*]}" | sed 's/,/, /g')
}

is_asked() {
	local name=$1 word

	shift
	[ $# -gt 0 ] || return 0
	for word in "$@"; do
		[[ $name != *$word* ]] || return 0
	done
	return 1
}

worst=0
print_machine
for script in [0-9]*.sh; do
	is_asked "$script" "$@" || continue
	echo
	"./$script"
	status=$?
	# Not measured is worse than missed; whoever stops one script means all of them.
	[ $status -le 2 ] || exit $status
	[ $status -le $worst ] || worst=$status
done
exit $worst
