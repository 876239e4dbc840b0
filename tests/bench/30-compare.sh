#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# `schedgrid compare` of 12 points, 30 iterations and 3 columns must take under 20 ms
# from a cold start of the process, and under 60 times as long for 50 times the data;
# 201 rows, 30 iterations and 3 columns under 50 ms. A million samples, from the ledger to
# the table with its verdicts, must take at most 1.5 times what the JSON library takes to
# load the same lines and do nothing with them: as records of three samples and as records
# of thousands.

# shellcheck disable=SC2034,SC2154 # value and verdict are those of sides.bash
# shellcheck source=/dev/null
. "$(dirname "$0")/sides.bash"
need hyperfine
build json-load -Wl,--no-as-needed -ljansson

limit_ms=20 growth=50 growth_limit=60 rows_limit_ms=50 load_limit=1.5

# A run of $2 iterations of $3 points at $1: records like those of STREAM, three metrics
# each with $4 samples.
make_run() {
	mkdir "$1" && awk -v iterations="$2" -v points="$3" -v samples="$4" \
		-v seed="$BENCH_SEED" '
	function metric(name, base,    i) {
		printf "{\"name\":\"%s\",\"unit\":\"MB/s\",\"better\":\"higher\"," \
			"\"resolution\":0.1,\"samples\":[", name
		for (i = 1; i <= samples; i++)
			printf "%s%.1f", (i > 1 ? "," : ""), base * (1 + (rand() - 0.5) / 20)
		printf "]}"
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
		printf "\"metrics\":["
		metric("copy", 9000 + threads)
		printf ","
		metric("scale", 7000 + threads)
		printf ","
		metric("triad", 8000 + threads)
		printf "]}\n"
	}
	BEGIN {
		srand(seed)
		for (iteration = 1; iteration <= iterations; iteration++)
			for (threads = 1; threads <= points; threads++)
				for (column = 1; column <= 3; column++)
					record(column, threads, iteration)
	}' >"$1/records.jsonl"
}

# The median of $2 starts of compare on $1 in ms; every single time is kept as well, and
# the processor time on average.
starts_ms() {
	hyperfine -N --style none --warmup 1 --runs "$2" --export-json "$WORK/times.json" \
		"'$SCHEDGRID' compare '$WORK/$1'" >"$WORK/output" 2>&1 ||
		fail "compare failed: $(tail -n 1 "$WORK/output")"
	awk '
	/"times"/ { inside = 1; next }
	/\]/ { inside = 0 }
	inside { printf "%.4f\n", $1 * 1e3 }' "$WORK/times.json" | sort -g >"$WORK/times"
	cat "$WORK/times" >>"$WORK/$1.all"
	awk '/"(user|system)":/ { sum += $2 } END { print 1e3 * sum }' "$WORK/times.json" \
		>>"$WORK/$1.cpu"
	awk '
	{ value[NR] = $1 }
	END { print (value[int((NR + 1) / 2)] + value[int(NR / 2) + 1]) / 2 }' "$WORK/times"
}

# Processor time of a command in ms: that of other loads isn't in it.
cpu_ms() {
	local TIMEFORMAT='%U %S' times

	times=$({ time "$@" >"$WORK/output" 2>&1 || echo failed >&2; } 2>&1)
	[[ $times != *failed* ]] || fail "$1 failed: $(tail -n 1 "$WORK/output")"
	awk '{ printf "%.0f", 1e3 * ($1 + $2) }' <<<"$times"
}

reference() {
	case $run in
	small) value=$(starts_ms small 10) || exit 2 ;;
	rows) value=$(starts_ms rows 5) || exit 2 ;;
	*) value=$(cpu_ms "$WORK/json-load" "$WORK/$run/records.jsonl") || exit 2 ;;
	esac
}

candidate() {
	case $run in
	small) value=$(starts_ms large 1) || exit 2 ;;
	rows) reference ;;
	*) value=$(cpu_ms "$SCHEDGRID" compare "$WORK/$run") || exit 2 ;;
	esac
}

mean_and_least() {
	awk -v name="$2" '
	NR == 1 || $1 < least { least = $1 }
	{ sum += $1 }
	END { printf "%s: mean %.2f ms, min %.2f ms, %d starts\n", name, sum / NR, least, NR }
	' "$WORK/$1.all"
}

# The row labelled $1 of the times of run $2, against $3 ms. Another
# load makes every start slow; it is the program only if its processor time is as long.
report_ms() {
	awk -v limit="$3" '{ print limit, $1 }' "$WORK/$2.pairs" >"$WORK/start.pairs"
	estimate "$WORK/start.pairs" --most=1
	if [ "$verdict" = missed ] && sort -g "$WORK/$2.cpu" |
		awk -v limit="$3" 'NR == 1 { exit $1 > limit }'; then
		verdict=inconclusive
	fi
	print_row "$1" "$WORK/$2.noise"
}

make_run "$WORK/small" 30 12 1 || fail "cannot write a run"
make_run "$WORK/large" $((30 * growth)) 12 1 || fail "cannot write a run"
run=small
measure small

heading "time of compare / $limit_ms ms, to be below 1; its growth, below $growth_limit"
report_ms '12 points x 30 x 3 columns' small $limit_ms
report "$growth times the data" small --most=$growth_limit
mean_and_least small '12 points x 30 x 3 columns'
mean_and_least large "$growth times the data"

run=rows
make_run "$WORK/rows" 30 67 1 || fail "cannot write a run"
measure rows
heading "time of compare / $rows_limit_ms ms, to be below 1"
report_ms '201 rows x 30 x 3 columns' rows $rows_limit_ms
mean_and_least rows '201 rows x 30 x 3 columns'

heading "processor time of compare / of a bare load, to be at most $load_limit"
run=many
make_run "$WORK/many" 1660 67 1 || fail "cannot write a run"
measure many
report 'a million, 3 a record' many --most=$load_limit
run=long
make_run "$WORK/long" 10 3 3704 || fail "cannot write a run"
measure long
report 'a million, 11112 a record' long --most=$load_limit
conclude
