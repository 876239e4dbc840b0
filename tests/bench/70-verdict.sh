#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# How often verdicts are wrong and how much they find, on simulated runs: tables of 40
# rows of mixed noise of which 4 are truly 5% slower, and columns of 5 boots of 2 runs.
# Five seeds from BENCH_SEED on; the worst of them counts. Then the milliseconds that the
# verdicts of 201 rows, 30 runs and 3 columns take once the run is read.

# shellcheck disable=SC2154,SC2034 # top and missed are those of sides.bash
# shellcheck source=/dev/null
. "$(dirname "$0")/sides.bash"
# shellcheck source=/dev/null
. "$(dirname "$0")/worst.bash"

tables=1000 limit_ms=50

build_with_suite verdict-sim judge-time

seeds=()
for i in 0 1 2 3 4; do
	seeds+=($((BENCH_SEED + i)))
	"$WORK/verdict-sim" "${seeds[i]}" $tables >>"$WORK/figures" || fail "simulation failed"
done

echo "verdicts: worst of the seeds ${seeds[*]}, $tables tables each (of 10 runs $((8 * tables)))"
figure found-plain-30 min 3.5
figure false-plain-30 max 0.06
figure found-plain-10 min 1.5
figure false-plain-10 max 0.05
figure found-paired-30 min
figure false-paired-30 max 0.06
figure found-paired-10 min
figure false-paired-10 max 0.06
figure size-boots max 0.06
figure power-boots min 0.70

# 67 points of 3 metrics, in blocks when $2 is 1.
make_run() {
	mkdir "$1" && awk -v seed="$BENCH_SEED" -v has_blocks="$2" '
	function metric(name) {
		return sprintf("{\"name\":\"%s\",\"unit\":\"s\",\"better\":\"lower\"," \
			"\"samples\":[%.4f]}", name, 1 + rand() / 20)
	}
	BEGIN {
		srand(seed)
		for (i = 1; i <= 30; i++)
			for (point = 1; point <= 67; point++)
				for (column = 1; column <= 3; column++) {
					cell = column "-" point
					printf "{\"schema\":\"schedgrid-record-1\",\"id\":" \
						"\"%s/b1/i%d/a1\",\"cell\":\"%s\",", cell, i, cell
					printf "\"column\":\"c%d\",\"workload\":\"w\"," \
						"\"variant\":\"w\",\"point\":{\"n\":%d}," \
						"\"boot\":\"b1\",", column, point
					printf "\"block\":%d,\"iteration\":%d,\"attempt\":1," \
						"\"seq\":%d,\"status\":\"ok\",\"flags\":[],",
						has_blocks ? i : ++seq, i, ++seq
					printf "\"metrics\":[%s,%s,%s]}\n", metric("a"),
						metric("b"), metric("c")
				}
	}' >"$1/records.jsonl"
}

# The median of five.
judge_ms() {
	make_run "$WORK/$1" "$2" || fail "cannot write a run"
	for i in 1 2 3 4 5; do
		"$WORK/judge-time" "$WORK/$1" || fail "cannot judge"
	done | sort -g | sed -n 3p
}

echo "ms-plain $(judge_ms plain 0)" >>"$WORK/figures"
echo "ms-paired $(judge_ms paired 1)" >>"$WORK/figures"
figure ms-plain max $limit_ms
figure ms-paired max $limit_ms
conclude
