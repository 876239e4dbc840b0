#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Our tcp-rr must measure what `qperf tcp_lat` measures: half the time of a transaction
# of one byte there and one back, over the latency that qperf prints, on one CPU.

# shellcheck source=/dev/null
. "$(dirname "$0")/../bench/sides.bash"
need qperf taskset

seconds=2
find_cpus
on_cpu=(taskset -c "$first_cpu")

# A port that nobody else is likely to have, so that the server that answers is ours.
port=$((20000 + $$ % 10000))
"${on_cpu[@]}" qperf --listen_port $port >"$WORK/server" 2>&1 &
server=$!
trap 'kill $server; rm -rf "$WORK"' EXIT

reference() {
	local output

	output=$("${on_cpu[@]}" qperf --listen_port $port --time $seconds --precision 6 \
		--wait_server 10 localhost tcp_lat) || fail "qperf failed"
	kill -0 $server 2>/dev/null || fail "qperf's server has ended: $(<"$WORK/server")"
	[[ $output =~ latency\ +=\ +([0-9.]+)\ us ]] || fail "qperf printed no latency"
	take "${BASH_REMATCH[1]}"
}

candidate() {
	local output

	output=$("${on_cpu[@]}" "$PROGRAMS/tcp-rr" --pairs=1 --seconds=$seconds \
		--request=1 --response=1) || fail "our tcp-rr failed"
	take_json latency "$output"
	take "$(taken | awk '{ print $1 / 2 }')"
}

heading "half a transaction of our tcp-rr / qperf tcp_lat, on one CPU, within 0.9..1.1"
measure rr
report "1 byte each way" rr --least=0.9 --most=1.1
conclude
