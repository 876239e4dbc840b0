#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# How fast the simulator is with hackbench under v6.1.192: millions of events a second of
# one CPU at 48 CPUs and 48 groups; seconds per simulated second on 2 CPUs; and how much
# longer an event takes on 384 CPUs with as many tasks a CPU. Searches that look at CPUs
# are part of that, so what they looked at is printed beside it. Medians of five.

# shellcheck disable=SC2154,SC2034 # top and missed are those of sides.bash
# shellcheck source=/dev/null
. "$(dirname "$0")/sides.bash"
# shellcheck source=/dev/null
. "$(dirname "$0")/worst.bash"
# shellcheck source=/dev/null
. "$(dirname "$0")/simulator.bash"

build_simulator "$WORK/sim-rate" "$top" "${CC:-cc}" -O2 || fail "cannot compile sim-rate.c"

# measure_run CPUS GROUPS LOOPS: sets events, looked, simulated (ns) and seconds.
measure_run() {
	local i

	for i in 1 2 3 4 5; do
		"$WORK/sim-rate" v6.1.192 "$@" 1 >"$WORK/out" || fail "simulation failed"
		sed -n 2p "$WORK/out"
	done >"$WORK/seconds"
	read -r events looked simulated _ <"$WORK/out"
	seconds=$(sort -g "$WORK/seconds" | sed -n 3p)
}

# note NAME EXPRESSION: of awk, in the figures of the last run
note() {
	awk -v name="$1" -v events="$events" -v looked="$looked" -v simulated="$simulated" \
		-v seconds="$seconds" -v before="${before:-1}" \
		"BEGIN { printf \"%s %.3f\\n\", name, $2 }" >>"$WORK/figures"
}

measure_run 48 48 10
note million-events 'events / seconds / 1e6'
note looked-48 'looked / events'
before=$(awk -v e="$events" -v s="$seconds" 'BEGIN { printf "%.12f", s / e }')
measure_run 384 384 10
note growth-384 'seconds / events / before'
note looked-384 'looked / events'
measure_run 2 1 1000
note second-2 'seconds / (simulated / 1e9)'

echo "simulator: hackbench under v6.1.192, medians of five"
figure million-events min 2
figure second-2 max 1
figure growth-384 max 2
figure looked-48 max
figure looked-384 max
conclude
