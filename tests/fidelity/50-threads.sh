#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Our threads must measure what `sysbench threads` measures: the events of a second of
# the one over those of the other, with the same threads, locks and yields.

# shellcheck source=/dev/null
. "$(dirname "$0")/../bench/sides.bash"
need sysbench

seconds=2 locks=8 yields=1000

reference() {
	local output events time

	output=$(sysbench threads --threads="$threads" --thread-locks=$locks \
		--thread-yields=$yields --time=$seconds run) || fail "sysbench failed"
	[[ $output =~ total\ number\ of\ events:\ +([0-9]+) ]] ||
		fail "sysbench printed no number of events"
	events=${BASH_REMATCH[1]}
	[[ $output =~ total\ time:\ +([0-9.]+)s ]] || fail "sysbench printed no time"
	time=${BASH_REMATCH[1]}
	take "$(awk "BEGIN { print $events / $time }")"
}

candidate() {
	local output

	output=$("$PROGRAMS/threads" --threads="$threads" --locks=$locks \
		--yields=$yields --seconds=$seconds) || fail "our threads failed"
	take_json rate "$output"
}

heading "rate of our threads / of sysbench threads, within 0.9..1.1"
for threads in 2 16; do
	measure threads
	report "threads=$threads" threads --least=0.9 --most=1.1
done
conclude
