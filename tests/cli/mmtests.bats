#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154 # schedgrid comes from elsewhere
# schedgrid compare: the views of mmtests. The expected tables were computed from the
# records by other means.

load common
bats_require_minimum_version 1.5.0

fixtures=${SCHEDGRID_SOURCE:-$BATS_TEST_DIRNAME/../..}/tests/fixtures/mmtests

# Compares fixture $1.txt with what compare prints before the footer.
prints() {
	local expected=$1
	shift
	mkdir -p run
	cp "$fixtures/records.jsonl" run/
	"$schedgrid" compare "$@" run > all 2> err
	awk '/^(Min|Amean|Hmean|Ratio):/ { exit } { print }' all > table
	diff "$fixtures/$expected.txt" table
}

# A record of a published table: column mean, and what else is known of it.
publish() {
	mkdir -p run
	printf '{"schema":"schedgrid-record-1","id":"%s/b1/i1/a1","cell":"%s","column":"%s","workload":"w","variant":"w","status":"ok","metrics":[{"name":"time","unit":"s","better":"lower","mean":%s%s}]}\n' \
		"$1" "$1" "$1" "$2" "$3" >> run/records.jsonl
}

@test "marks by the rule of mmtests begin beyond both half-widths" {
	prints significance --mmtests-significance
	grep -q "mmtests' rule" all
}

@test "without the option the marks are the verdicts" {
	run prints significance
	[ "$status" -ne 0 ]
	says "10.3800 *  -3.80%*"
	run grep -c "mmtests' rule" all
	[ "$status" -eq 1 ]
}

@test "all shares of the best samples, and where each ends" {
	prints all --mmtests-significance --all
}

@test "ratios with mean, extremes and geometric mean" {
	prints ratio --ratio
	grep -q "over the sum of both columns' 1.96" all
}

@test "the mails' layout has ratios in standard deviations" {
	prints ratio-2016 --ratio --format mmtests-2016
	grep -q "the difference in standard deviations" all
}

@test "published tables have marks where they say a spread" {
	publish base 10.0 ',"stddev":0.1,"n":5'
	publish far 10.4 ',"stddev":0.1,"n":5'
	publish near 10.39 ',"stddev":0.1,"n":5'
	publish bare 20.0 ''
	run --separate-stderr "$schedgrid" compare --mmtests-significance run
	says "10.4000 *  -4.00%*           10.3900 (  -3.90%)           20.0000 (-100.00%)"
	run --separate-stderr "$schedgrid" compare --ratio run
	says "2.0000 (-100.00%) (n/a)"
}

@test "what is missing has no ratio and enters no mean" {
	publish base 10.0 ',"stddev":0.1'
	publish zero 0.0 ',"stddev":0.1'
	printf '{"schema":"schedgrid-record-1","id":"gone/b1/i1/a1","cell":"gone","column":"gone","workload":"w","variant":"w","status":"failed","metrics":[]}\n' >> run/records.jsonl
	run --separate-stderr "$schedgrid" compare --ratio run
	[ "$status" -eq 0 ]
	[[ "$output" =~ Ratio\ +time\ .*n/a\ \(n/a\)\ \(n/a\) ]]
	[[ "$output" =~ Gmean\ +Lower\ +1\.0000\ +n/a\ +n/a ]]
	[[ "$output" =~ Samples\ time\ +n/a\ +n/a\ +0/1 ]]
}

@test "other formats have neither view" {
	mkdir run
	run --separate-stderr "$schedgrid" compare --ratio --format csv run
	[ "$status" -eq 2 ]
	[[ "$stderr" =~ "--ratio is a view of the formats mmtests and mmtests-2016" ]]
	run --separate-stderr "$schedgrid" compare --mmtests-significance --format mmtests-2016 run
	[ "$status" -eq 2 ]
	[[ "$stderr" =~ "marks means in the format mmtests only" ]]
	run --separate-stderr "$schedgrid" compare --mmtests-significance --ratio run
	[ "$status" -eq 2 ]
	[[ "$stderr" =~ "--ratio has no marks" ]]
}
