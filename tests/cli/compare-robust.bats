#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154 # schedgrid and output come from elsewhere
# schedgrid compare: directories, ledgers and names that somebody broke.

load common

# The samples of a metric of time: 1.5, 2
samples() {
	printf '[{"name":"time","unit":"s","better":"lower","samples":[%s]}]' "$1"
}

# A published mean, and more of it: 1.5 ,"stddev":2
summary() {
	printf '[{"name":"time","unit":"s","better":"lower","mean":%s%s}]' "$1" "${2:-}"
}

# One line of a ledger: directory column iteration metrics, and more of it
line() {
	mkdir -p "$1"
	printf '{"schema":"schedgrid-record-1","id":"%s/b1/i%d/a1","cell":"%s","column":"%s","workload":"null","variant":"null","boot":"b1","iteration":%d,"attempt":1,"status":"ok","metrics":%s%s}\n' \
		"$2" "$3" "$2" "$2" "$3" "$4" "${5:-}" >> "$1/records.jsonl"
}

# Fails with the code and one sentence that holds the text.
refuses() {
	local code=$1 text=$2
	shift 2
	run "$schedgrid" compare "$@"
	[ "$status" -eq "$code" ]
	says "$text"
	[ "${#lines[@]}" -eq 1 ]
}

@test "one directory under two names is refused, also with --merge" {
	line b base 1 "$(samples 1)"
	ln -s b link
	refuses 2 "'b' and 'b' are the same directory" --merge b b
	refuses 2 "'b/' and './b' are the same directory" --merge b/ ./b
	refuses 2 "'b' and 'link' are the same directory" --merge b link
	refuses 2 "'b' and 'b' are the same directory" b b
}

@test "iterations of a copied run count once" {
	local out
	line b base 1 "$(samples 1)" ',"start":"2026-12-01T02:00:00.123Z"'
	line b base 2 "$(samples 2)" ',"start":"2026-12-01T02:00:01.123Z"'
	cp -r b copy
	out=$("$schedgrid" compare --format csv --merge b copy 2> /dev/null)
	[[ "$out" == *,base,2,0,1.5,* ]]
}

@test "the empty name is no directory" {
	refuses 2 "'' names no directory" ''
}

@test "huge samples give their mean and spread, and never inf or nan" {
	local format
	line b base 1 "$(samples 1e308)"
	line b base 2 "$(samples 1e308)"
	line b base 3 "$(samples 1.7e308)"
	line b wake 1 "$(samples 1e160)"
	line b wake 2 "$(samples 2e160)"
	line b wake 3 "$(samples 4e160)"
	for format in mmtests mmtests-2016 pct avg perf-stat markdown csv json; do
		run "$schedgrid" compare --format $format b
		[ "$status" -eq 0 ]
		[[ "$output" != *inf[^o]* && "$output" != *[^a-z]nan[^a-z]* ]]
	done
	run "$schedgrid" compare b
	says "1.233333e+308"
	says "4.041452e+307"
	says "1.527525e+160"
}

@test "a mean and spread that make no percentage have none" {
	line b base 1 "$(summary 1e-300 ',"stddev":1e300')"
	run "$schedgrid" compare b
	[ "$status" -eq 0 ]
	[[ "$output" != *inf* && "$output" != *CoeffVar\ \ time* ]]
	rm b/records.jsonl
	line b base 1 "$(summary 1.7e308 ',"stddev":1e308')"
	run "$schedgrid" compare b
	[[ "$output" =~ CoeffVar\ +time\ +58\.8 ]]
}

@test "no format lets control or direction characters through" {
	local format name=$'a\u009bb\x7fc\u202ed\u2066e\u200bf'
	line b "$name" 1 "$(samples 1)"
	for format in mmtests mmtests-2016 pct avg perf-stat markdown csv json; do
		"$schedgrid" compare --format $format b > out
		run grep -cP '\xc2\x9b|\x7f|\xe2\x80\xae|\xe2\x81\xa6|\xe2\x80\x8b' out
		[ "$output" = 0 ]
	done
	grep -qF 'a\u009Bb\u007Fc\u202Ed\u2066e\u200Bf' <("$schedgrid" compare --format json b)
	grep -qF 'c\xe2\x80\xaed' <("$schedgrid" compare --format csv b)
}

@test "a summary beside samples is damaged data" {
	line b base 1 "$(samples 1)"
	line b base 2 "$(summary 1)"
	refuses 4 "metric 'time' of null has more than one summary in the same cell" b
}

@test "a negative standard deviation is damage" {
	line b base 1 "$(summary 1 ',"stddev":-0.5')"
	refuses 4 "b/records.jsonl:1: 'stddev' of metric 'time' is -0.5 (expected 0 or more)" b
}

@test "a plan of an unknown schema is refused by name" {
	line b base 1 "$(samples 1)"
	echo '{"schema":"schedgrid-plan-9","columns":[]}' > b/plan.json
	refuses 4 "b/plan.json: schema 'schedgrid-plan-9' is not known" b
}

@test "a plan that can't be read is named once" {
	line b base 1 "$(samples 1)"
	mkdir b/plan.json
	run "$schedgrid" compare b
	[ "$status" -eq 4 ]
	[ "$(grep -o 'plan\.json' <<< "$output" | wc -l)" -eq 1 ]
}

@test "an id with two contents is damage, a repeated line counts once" {
	line b base 1 "$(samples 1)"
	line b base 2 "$(samples 2)"
	line b base 1 "$(samples 1)"
	run "$schedgrid" compare --format csv b
	[ "$status" -eq 0 ]
	says "1 record of b/records.jsonl repeats an earlier one"
	says ",base,2,0,1.5,"
	line b base 2 "$(samples 3)"
	refuses 4 "b/records.jsonl:4: " b
	says "base/b1/i2/a1"
}

@test "an escape in a line changes nothing" {
	line b base 1 "$(samples 1.5)"
	line b base 2 "$(samples 2.5)"
	"$schedgrid" compare --format csv b > plain
	sed -i '2s/"base"/"\\u0062ase"/g; 2s/{/ { /; 2s/2\.5/25e-1/' b/records.jsonl
	grep -qF '\u0062ase' b/records.jsonl
	"$schedgrid" compare --format csv b > escaped
	cmp plain escaped
}

@test "a torn last line is still left out and told" {
	line b base 1 "$(samples 1)"
	printf '{"schema":"sched' >> b/records.jsonl
	run "$schedgrid" compare --format csv b
	[ "$status" -eq 0 ]
	says "from byte $(($(head -n 1 b/records.jsonl | wc -c))) on, is torn"
}

@test "an ok record without samples counts as an iteration without one" {
	local i
	line b none 1 '[]'
	line b empty 1 "$(samples '')"
	for i in 1 2 3 4; do line b most $i "$(samples 1)"; done
	line b most 5 "$(samples '')"
	run "$schedgrid" compare b
	[ "$status" -eq 0 ]
	[[ "$output" =~ Samples\ +time\ +0/1\ +0/1\ +4/5 ]]
}

@test "a variant of which no record has samples stays in sight" {
	line b none 1 '[]'
	run "$schedgrid" compare b
	[ "$status" -eq 0 ]
	[[ "$output" =~ Samples\ +0/1 ]]
}

@test "one metric with two directions is refused" {
	line b base 1 "$(samples 1)"
	line b wake 1 "$(samples 1 | sed 's/lower/higher/')"
	refuses 2 "metric 'time' of null is better when lower in column 'base' and when higher in column 'wake'" b
	run "$schedgrid" compare --force b
	[ "$status" -eq 0 ]
	says "not comparable"
}

@test "a table has at most 1000 columns" {
	mkdir b
	line b 'COLUMN' 1 "$(samples 1)"
	awk '{ for (i = 1; i <= 30000; i++) { l = $0; gsub("COLUMN", "c" i, l); print l } }' \
		b/records.jsonl > all
	mv all b/records.jsonl
	refuses 2 "'b' brings more columns than fit into a table (expected at most 1000)" b
	head -n 1000 b/records.jsonl > some
	mv some b/records.jsonl
	run "$schedgrid" compare --format csv b
	[ "$status" -eq 0 ]
}

@test "long names are cut in tables and told in full once" {
	local format long
	long=$(printf 'x%.0s' {1..290})
	line b "begin-$long-end" 1 "$(samples 1)"
	line b other 1 "$(samples 1)"
	for format in mmtests mmtests-2016 pct avg; do
		"$schedgrid" compare --format $format b > out 2> /dev/null
		[ "$(grep -v ' against ' out | grep -c 'begin-x*\.\.\.x*-end')" -eq 1 ]
		[ "$(tr -d ' \n' < out | grep -o "begin-$long-end" | wc -l)" -eq 1 ]
		[ "$(wc -L < out)" -le 125 ]
	done
	for format in csv json; do
		"$schedgrid" compare --format $format b > out 2> /dev/null
		grep -q "begin-$long-end" out
		! grep -qF ... out
	done
}

@test "running out of memory is the host's fault" {
	# The sanitizers' own maps are larger than any limit.
	! grep -q __asan_init "$schedgrid" || return 0
	line b base 1 "$(samples 1)"
	truncate -s 300M b/plan.json
	run bash -c 'ulimit -v 200000; exec "$0" compare b' "$schedgrid"
	[ "$status" -eq 3 ]
	[ "${#lines[@]}" -eq 1 ]
}
