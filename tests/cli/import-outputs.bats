#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154 # schedgrid and output come from elsewhere
# import of what tbench and reaim printed when somebody else started them.

bats_require_minimum_version 1.5.0
load common

tbench=$BATS_TEST_DIRNAME/../fixtures/tbench
reaim=$BATS_TEST_DIRNAME/../fixtures/reaim

# refuses KIND FILE SENTENCE
refuses() {
	run "$schedgrid" import "$1" "$2" -o out
	[ "$status" -eq 4 ]
	says "$2${3:+: $3}"
	[ ! -e out ]
}

# What dbench alone prints: our program adds who served.
raw() {
	grep -v '^served by' "$tbench/$1.out"
}

@test "outputs of tbench become iterations, rows by clients" {
	mkdir base new
	raw dbench > base/1
	raw dbench > base/2
	raw dbench-file | sed 's/Throughput 302.25/Throughput 310.5/' > new/1
	"$schedgrid" import tbench base/1 base/2 new/1 -o out
	run --separate-stderr "$schedgrid" compare out --format csv
	[[ "${lines[1]}" = tbench,tbench,rate,MB/s,higher,clients=2,base,2,0,302.25,* ]]
	[[ "${lines[2]}" = tbench,tbench,rate,MB/s,higher,clients=2,new,1,0,310.5,* ]]
	[[ "$output" = *,max-latency,ms,lower,clients=2,base,2,0,4.875,* ]]
	[ "$(grep -c '"parameters":{"seconds":4}' out/records.jsonl)" -eq 3 ]
}

@test "BL-001: tbench that found no server is refused, not imported as 0" {
	refuses tbench "$tbench/import-no-server.out" "0 MB/s: no client was served"
}

@test "outputs of tbench that prove nothing are refused" {
	local file
	for file in cut-short dead-client no-result other-version other-clients twice; do
		raw "dbench-$file" > "$file"
		refuses tbench "$file" ""
	done
	refuses tbench "$reaim/upstream-good.out" ""
	says "is no output of that program"
}

@test "outputs of reaim become a row for each load point" {
	mkdir base new
	sed 's/^2  .*/&\n4       5.02     5.12    2.78   4733.07    1183.27      0.02     0.80   99/' \
		"$reaim/upstream-good.out" > base/1
	cp "$reaim/upstream-good.out" new/1
	cp "$reaim/upstream-hundred-jobs.out" new/2
	"$schedgrid" import reaim base/1 new/1 new/2 -o out
	run --separate-stderr "$schedgrid" compare out --format csv
	[[ "$output" = *$'\nreaim,reaim,jobs_per_min,jobs/min,higher,users=2,base,1,0,4733.07,'* ]]
	[[ "$output" = *,jobs_per_min,jobs/min,higher,users=2,new,2,0,4756.97* ]]
	[[ "$output" = *,jobs_per_min,jobs/min,higher,users=4,base,1,0,4733.07,* ]]
	[[ "$output" = *,jti,%,higher,users=4,base,1,0,99,* ]]
}

@test "outputs of reaim that don't agree with themselves are refused" {
	local file
	refuses reaim "$reaim/upstream-other-max.out" "the best rate is"
	refuses reaim "$reaim/upstream-no-max.out" ""
	for file in no-point ten-columns truncated comma zero-time; do
		refuses reaim "$reaim/upstream-$file.out" ""
	done
	sed 's/^2  /3  /' "$reaim/upstream-good.out" > users
	refuses reaim users "3 users of 2366.53 jobs/min each don't make 4733.07 jobs/min"
	sed 's/^2  /2.5/' "$reaim/upstream-good.out" > half
	refuses reaim half "a line of nine numbers begins with 2.5"
	run "$schedgrid" import raim users -o out
	[ "$status" -eq 2 ]
	says "did you mean 'reaim'?"
}
