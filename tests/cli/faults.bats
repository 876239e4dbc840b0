#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Faults that other tools have had, each under its number, where no other file has it.

bats_require_minimum_version 1.5.0
load common

# A record of column $1, point n=$2, iteration $3 with the sample $4, for run/.
record() {
	mkdir -p run
	printf '{"schema":"schedgrid-record-1","id":"%s-%s/b1/i%s/a1","cell":"%s-%s",' \
		"$1" "$2" "$3" "$1" "$2"
	printf '"column":"%s","workload":"w","variant":"w","point":{"n":%s},' "$1" "$2"
	printf '"parameters":{"n":%s},"boot":"b1","block":1,"iteration":%s,' "$2" "$3"
	printf '"attempt":1,"seq":1,"status":"ok","flags":[],"metrics":[{"name":"time",'
	printf '"unit":"s","better":"lower","samples":[%s]}]}\n' "$4"
}

# Records of the columns a and b in iterations 1 and 2: point, sample of a, of b.
pair() {
	local i
	for i in 1 2; do
		record a "$1" $i "$2"
		record b "$1" $i "$3"
	done
}

# The points that the table has an Amean of, in its order.
points() {
	sed -n 's/^Amean *time-\([0-9]*\) .*/\1/p' <<< "$output" | tr '\n' ' '
}

stream_grid() {
	null_grid 1 1
	sed -i '/workload: "null"/,$d' null.yaml
	echo "  - {workload: stream, parameters: {threads: 1, size: $1, ntimes: 2}}" \
		>> null.yaml
}

@test "BL-067: bandwidth whose arrays were not right is no result" {
	stream_grid 1000000
	"$schedgrid" run null.yaml -o run
	grep -q '"validated":true' run/raw/*/*/stdout
	sed -i 's/"validated":true/"validated":false/' run/raw/*/*/stdout
	run "$schedgrid" reparse run
	says "ok, now failed"
	run "$schedgrid" compare run
	says "0/1"
}

@test "BL-103: output of an attempt that a crash left stays, and is never added to" {
	null_grid "1 2 3"
	"$schedgrid" run null.yaml -o run
	# As if the crash had come between the program's end and its record.
	sed -i '$d' run/records.jsonl
	"$schedgrid" run null.yaml -o run
	[ "$(wc -l < run/raw/*/b1-i3-a1/stdout)" -eq 1 ]
	[ "$(wc -l < run/raw/*/b1-i3-a2/stdout)" -eq 1 ]
	[ "$(records_with '"status":"ok"')" -eq 3 ]
	[ "$(records_with '/i3/a2","cell"')" -eq 1 ]
	[ "$(find run/raw -name stdout | wc -l)" -eq 4 ]
}

@test "BL-057: a baseline of 0 has no percentage, a drop to 0 is one of 100" {
	{ pair 1 0 5; pair 2 5 0; pair 3 1 1; } > records
	mkdir -p run && mv records run/records.jsonl
	run "$schedgrid" compare run --format json
	[ "$status" -eq 0 ]
	run "$schedgrid" compare run
	[ "$status" -eq 0 ]
	[[ "$output" != *nan* && "$output" != *inf* ]]
	says "100.00%"
}

@test "BL-059: a sample that is no number leaves the other rows alone" {
	{ pair 1 1.0 1.1; pair 2 null 1.1; pair 3 2.0 1.0; } > records
	mkdir -p run && mv records run/records.jsonl
	run "$schedgrid" compare run
	[ "$status" -eq 0 ]
	[[ "$output" != *nan* ]]
	says "50.00%"
	# In the order of their points.
	[ "$(points)" = "1 2 3 " ]
}

@test "BL-111: changes of 1000 % and wide names keep a space between columns" {
	local base=kernel-of-24-characters-a next=kernel-of-24-characters-b
	{
		record $base 1 1 0.01
		record $next 1 1 25.0
		record $base 2 1 1.298e9
		record $next 2 1 1.298e9
	} > records
	mkdir -p run && mv records run/records.jsonl
	run "$schedgrid" compare run
	[ "$status" -eq 0 ]
	grep -qE "$base +$next" <<< "$output"
	# Every row has its two values and changes, with space between.
	[ "$(grep -cE '^Amean +time-[12] +[0-9.]+ \( +0\.00%\) +[0-9.]+ \( *-?[0-9.]+%\)$' \
		<<< "$output")" -eq 2 ]
}

@test "BL-113: kernels stay in the order given, and points in that of their numbers" {
	local column n
	for column in v5.9 v5.10-rc1 v5.10 v5.10.1; do
		for n in 10 9 100; do
			record $column $n 1 1.5
		done
	done > records
	mkdir -p run && mv records run/records.jsonl
	run "$schedgrid" compare run
	[ "$status" -eq 0 ]
	grep -qE 'v5\.9 +v5\.10-rc1 +v5\.10 +v5\.10\.1' <<< "$output"
	[ "$(points)" = "9 10 100 " ]
}

@test "BL-125: rows that are 0 everywhere are hidden unless asked for" {
	{ pair 1 1 1; pair 2 0 0; } > records
	mkdir -p run && mv records run/records.jsonl
	run "$schedgrid" compare run
	[ "$(points)" = "1 " ]
	run "$schedgrid" compare run --all
	[ "$(points)" = "1 2 " ]
}

@test "an iteration stopped 200 times still gets an id of its own, and counts" {
	null_grid 1 1
	"$schedgrid" run null.yaml -o run
	local line try i
	line=$(sed 's/"status":"ok"/"status":"interrupted"/' run/records.jsonl)
	for i in $(seq 200); do
		try=${line/\/a1\"/\/a$i\"}
		printf '%s\n' "${try/\"attempt\":1,/\"attempt\":$i,}"
	done > run/records.jsonl
	run "$schedgrid" run null.yaml -o run
	says "1 iterations: 1 ok"
	[ "$(tail -n 1 run/records.jsonl | grep -c '/i1/a201"')" -eq 1 ]
	run "$schedgrid" compare run --format json
	grep -q '"n": *1[,}]' <<< "$output"
}
