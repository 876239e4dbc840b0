#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Our tbench must measure what dbench's does: its rate over that of dbench's client and
# server, on one CPU, with the same load, and likewise with either side crossed.

# shellcheck disable=SC2154 # first_cpu and last_cpu come from sides.bash
# shellcheck source=/dev/null
. "$(dirname "$0")/../bench/sides.bash"
need tbench tbench_srv taskset

seconds=2
find_cpus

# A run with the sides in $@ of dbench.
run_with() {
	local output

	output=$(taskset -c "$first_cpu" "$PROGRAMS/tbench" --load=full --clients=1 \
		--seconds=$seconds --warmup=0 "$@") || fail "tbench failed"
	[[ $output =~ \"rate\":([0-9.]+) || $output =~ Throughput\ ([0-9.]+)\  ]] ||
		fail "tbench printed no rate"
	take "${BASH_REMATCH[1]}"
}

reference() {
	run_with --server=/usr/bin/tbench_srv --client=/usr/bin/tbench
}

candidate() {
	run_with "${sides[@]}"
}

heading "rate of tbench / of dbench's on one CPU, within 0.95..1.05"
for side in both client server; do
	case $side in
	both) sides=() ;;
	client) sides=(--server=/usr/bin/tbench_srv) ;;
	server) sides=(--client=/usr/bin/tbench) ;;
	esac
	measure tbench
	report "our $side" tbench --least=0.95 --most=1.05
done
conclude
