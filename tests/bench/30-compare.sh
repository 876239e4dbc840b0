#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# `schedgrid compare` of 12 points, 30 iterations and 3 columns must take under 20 ms
# from a cold start of the process, and under 60 times as long for 50 times the data.

# shellcheck source=/dev/null
. "$(dirname "$0")/sides.bash"
need hyperfine

limit_ms=20 growth=50 growth_limit=60

# A run of $2 iterations at $1: records like those of STREAM, three metrics each.
make_run() {
	mkdir "$1" && awk -v iterations="$2" -v seed="$BENCH_SEED" '
	function metric(name, base) {
		return sprintf("{\"name\":\"%s\",\"unit\":\"MB/s\",\"better\":\"higher\"," \
			"\"resolution\":0.1,\"samples\":[%.1f]}", name,
			base * (1 + (rand() - 0.5) / 20))
	}
	function record(column, threads, iteration,    cell) {
		cell = sprintf("%08x%08x", column, threads)
		seq++
		printf "{\"schema\":\"schedgrid-record-1\",\"id\":\"%s/b1/i%d/a1\"," \
			"\"cell\":\"%s\",\"column\":\"column-%d\",\"workload\":\"stream\"," \
			"\"variant\":\"stream\",\"point\":{\"threads\":%d},", cell,
			iteration, cell, column, threads
		printf "\"parameters\":{\"threads\":%d,\"size\":4000000,\"ntimes\":5}," \
			"\"machine\":\"bench\",\"executor\":\"local\",\"boot\":\"b1\"," \
			"\"block\":%d,\"iteration\":%d,\"attempt\":1,\"seq\":%d,", threads,
			iteration, iteration, seq
		printf "\"status\":\"ok\",\"flags\":[],\"start\":\"%s\"," \
			"\"wall_ns\":%d,\"program\":{\"name\":\"native\"," \
			"\"version\":\"0.1.0\",\"sha256\":\"%064x\"},",
			"2026-01-02T03:04:05.678Z", 2e8 * (1 + rand()), 7
		printf "\"metrics\":[%s,%s,%s]}\n", metric("copy", 9000 + threads),
			metric("scale", 7000 + threads), metric("triad", 8000 + threads)
	}
	BEGIN {
		srand(seed)
		for (iteration = 1; iteration <= iterations; iteration++)
			for (threads = 1; threads <= 12; threads++)
				for (column = 1; column <= 3; column++)
					record(column, threads, iteration)
	}' >"$1/records.jsonl"
}

# The median of $2 starts of compare on $1 in ms; every single time is kept as well.
starts_ms() {
	hyperfine -N --style none --warmup 1 --runs "$2" --export-json "$WORK/times.json" \
		"'$SCHEDGRID' compare '$WORK/$1'" >"$WORK/output" 2>&1 ||
		fail "compare failed: $(tail -n 1 "$WORK/output")"
	awk '
	/"times"/ { inside = 1; next }
	/\]/ { inside = 0 }
	inside { printf "%.4f\n", $1 * 1e3 }' "$WORK/times.json" | sort -g >"$WORK/times"
	cat "$WORK/times" >>"$WORK/$1.all"
	awk '
	{ value[NR] = $1 }
	END { print (value[int((NR + 1) / 2)] + value[int(NR / 2) + 1]) / 2 }' "$WORK/times"
}

reference() {
	take "$(starts_ms small 10)"
}

candidate() {
	take "$(starts_ms large 1)"
}

mean_and_least() {
	awk -v name="$2" '
	NR == 1 || $1 < least { least = $1 }
	{ sum += $1 }
	END { printf "%s: mean %.2f ms, min %.2f ms, %d starts\n", name, sum / NR, least, NR }
	' "$WORK/$1.all"
}

make_run "$WORK/small" 30 || fail "cannot write a run"
make_run "$WORK/large" $((30 * growth)) || fail "cannot write a run"
measure growth

heading "time of compare / $limit_ms ms, to be below 1; its growth, below $growth_limit"
awk -v limit=$limit_ms '{ print limit, $1 }' "$WORK/growth.pairs" >"$WORK/start.pairs"
estimate "$WORK/start.pairs" --most=1
# Another load makes every start slow; it is the program only if the fastest is slow.
if [ "$verdict" = missed ] && sort -g "$WORK/small.all" |
	awk -v limit=$limit_ms 'NR == 1 { exit $1 > limit }'; then
	verdict=inconclusive
fi
print_row '12 points x 30 x 3 columns' "$WORK/growth.noise"
report "$growth times the data" growth --most=$growth_limit
mean_and_least small '12 points x 30 x 3 columns'
mean_and_least large "$growth times the data"
conclude
