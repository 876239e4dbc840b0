#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154 # schedgrid and output come from elsewhere
# schedgrid compare: from directories to tables.

load common

# One record line: column step status value
record() {
	local metrics='[]'
	[ "$3" != ok ] || metrics="[{\"name\":\"value\",\"unit\":\"s\",\"better\":\"lower\",\"samples\":[$4]}]"
	n=$((${n:-0} + 1))
	printf '{"schema":"schedgrid-record-1","id":"%s-%s/b1/i%d/a1","cell":"%s-%s","column":"%s","workload":"null","variant":"null","point":{"step":%s},"boot":"b1","block":%d,"iteration":%d,"attempt":1,"seq":%d,"status":"%s","flags":[],"metrics":%s}\n' \
		"$1" "$2" $n "$1" "$2" "$1" "$2" $n $n $n "$3" "$metrics" >> run/records.jsonl
}

@test "the mail's tables come out of their transcribed means" {
	run "$schedgrid" compare --format mmtests-2016 "$BATS_TEST_DIRNAME/../fixtures/seed-000"
	[ "$status" -eq 0 ]
	says "4.9.0-rc6"
	says "Amean    192      1.7809 (  0.00%)"
}

@test "BL-015: what is missing on one side reads n/a and has no percentage" {
	mkdir run
	record a 4 ok 1.0
	record a 4 ok 1.2
	record a 12 ok 2.0
	record b 4 ok 1.1
	run "$schedgrid" compare --format mmtests-2016 run
	[ "$status" -eq 0 ]
	[[ "$output" =~ Amean\ +12\ +2\.0000\ \(\ +0\.00%\)\ +n/a ]]
	[[ "$output" =~ Samples\ +4\ +2\ +1 ]]
	[[ "$output" != *nan* ]]
}

@test "rows come in numeric order" {
	mkdir run
	local step
	for step in 100 9 10 2; do record a $step ok 1; done
	run "$schedgrid" compare --format mmtests-2016 run
	[ "$(grep "^Amean " <<< "$output" | awk '{print $2}' | tr '\n' ' ')" = "2 9 10 100 " ]
}

@test "--baseline puts another column first" {
	mkdir run
	record a 1 ok 1.0
	record b 1 ok 2.0
	run "$schedgrid" compare --format mmtests-2016 --baseline b run
	[ "$status" -eq 0 ]
	[[ "$output" =~ Amean\ +1\ +2\.0000\ \(\ +0\.00%\)\ +1\.0000\ \(\ 50\.00%\) ]]
	run "$schedgrid" compare --baseline nope run
	[ "$status" -eq 2 ]
	[ "$output" = "schedgrid: no column is called 'nope' (expected one of 'a', 'b')" ]
}

@test "without a plan the order of columns is that of the records, and said so" {
	mkdir run
	record b 1 ok 1.0
	record a 1 ok 2.0
	"$schedgrid" compare run > out 2> err
	[ "$(cat err)" = "schedgrid: run has no plan.json, so the columns come in the order of their first records: 'b' is the baseline" ]
	echo '{"schema":"schedgrid-plan-1","columns":[{"name":"a"},{"name":"b"}]}' > run/plan.json
	run "$schedgrid" compare --format mmtests-2016 run
	[[ "$output" =~ Amean\ +1\ +2\.0000\ \(\ +0\.00%\)\ +1\.0000 ]]
	[[ "$output" != *"plan.json"* ]]
}

# A plan of columns a and b at steps 1 and 2, with two iterations each.
plan() {
	local cells='' column step
	for step in 1 2; do
		for column in a b; do
			cells+=",{\"id\":\"$column-$step\",\"column\":\"$column\",\"workload\":\"null\",\"variant\":\"null\",\"point\":{\"step\":$step}}"
		done
	done
	printf '{"schema":"schedgrid-plan-1","iterations":2,"columns":[{"name":"a"},{"name":"b"}],"cells":[%s]}\n' "${cells#,}" > run/plan.json
}

@test "an unfinished run looks unfinished in every format" {
	mkdir run
	record b 1 ok 1.0
	record a 1 ok 1.0
	record a 1 failed
	plan
	run "$schedgrid" compare run
	[ "$status" -eq 0 ]
	says "unfinished: 3 of 8 iterations are recorded"
	[[ "$output" =~ Samples\ +value-1\ +1/2\ +1/2 ]]
	[[ "$output" =~ Samples\ +value-2\ +0/2\ +0/2 ]]
	[[ "$output" =~ Amean\ +value-2\ +n/a ]]
	local format
	for format in mmtests-2016 pct avg perf-stat markdown; do
		run "$schedgrid" compare --format "$format" run
		says "unfinished: 3 of 8 iterations are recorded"
		[[ "$output" =~ "0/2" ]]
	done
	run "$schedgrid" compare --format json run
	says '"recorded": 3'
	says '"unrecorded": 2'
	"$schedgrid" compare --format csv run > out 2> err
	grep -q "run is unfinished: 3 of 8 iterations are recorded" err
	[ "$(wc -l < out)" -eq 5 ]
}

@test "an empty ledger gives the table of its plan" {
	mkdir run
	plan
	: > run/records.jsonl
	run "$schedgrid" compare run
	[ "$status" -eq 0 ]
	[[ "$output" =~ Min\ +1\ +n/a ]]
	[[ "$output" =~ Samples\ +2\ +0/2\ +0/2 ]]
	says "unfinished: 0 of 8 iterations are recorded"
}

@test "the order in which a seed ran things does not show" {
	mkdir run
	record b 2 ok 1.0
	record a 1 ok 1.0
	record b 1 ok 1.0
	record a 2 ok 1.0
	plan
	mv run one
	mkdir run
	record a 1 ok 1.0
	record a 2 ok 1.0
	record b 1 ok 1.0
	record b 2 ok 1.0
	plan
	diff <("$schedgrid" compare one) <("$schedgrid" compare run)
}

@test "a copied run merged with its original counts once" {
	mkdir run
	record a 1 ok 1.0
	record a 1 ok 2.0
	sed -i 's/"status"/"start":"2026-12-01T08:00:00.000Z","status"/' run/records.jsonl
	cp -r run copy
	run "$schedgrid" compare --merge run copy
	[ "$status" -eq 0 ]
	says "n 2, boots 1"
}

@test "flags of counted records are told" {
	mkdir run
	record a 1 ok 1.0
	record a 1 ok 2.0
	sed -i '1s/"flags":\[\]/"flags":["interfered"]/' run/records.jsonl
	run "$schedgrid" compare run
	says "note: 1 of 2 iterations in a: interfered"
}

@test "BL-085: samples that are one value at all points are told" {
	mkdir run
	local step
	for step in 1 4 12; do
		record a $step ok 1
		record a $step ok 1
	done
	run "$schedgrid" compare run
	[ "$status" -eq 0 ]
	says "note: every sample of value in column a is 1 s, at 3 different points"
}

@test "no line of the footer is too long for a mail" {
	cd "$BATS_TEST_DIRNAME/../.."
	local format
	for format in mmtests mmtests-2016 pct avg perf-stat markdown; do
		"$schedgrid" compare --format "$format" tests/fixtures/readme > "$BATS_TEST_TMPDIR/out"
		run sed -n '/^[A-Za-z]*: /,$p' "$BATS_TEST_TMPDIR/out"
		[ -n "$output" ]
		run grep -E '^.{79}' <<< "$output"
		[ "$status" -eq 1 ]
	done
}

@test "columns of one name in two directories need --merge" {
	mkdir run
	record a 1 ok 1.0
	cp -r run other
	sed -i 's/"a-1/"z-1/' other/records.jsonl
	run "$schedgrid" compare run other
	[ "$status" -eq 2 ]
	says "column 'a' is in 'run' and in 'other'"
	run "$schedgrid" compare --merge run other
	[ "$status" -eq 0 ]
}

@test "columns of several directories stand side by side" {
	mkdir run
	record a 1 ok 1.0
	mv run first
	mkdir run
	record b 1 ok 2.0
	run "$schedgrid" compare --format mmtests-2016 first run
	[ "$status" -eq 0 ]
	[[ "$output" =~ Amean\ +1\ +1\.0000\ \(\ +0\.00%\)\ +2\.0000\ \(-100\.00%\) ]]
}

@test "--format json is JSON and leaves out what isn't known" {
	command -v perl > /dev/null
	mkdir run
	record a 1 ok 1.0
	record b 1 failed
	"$schedgrid" compare --format json run > out.json
	perl -MJSON::PP -e 'local $/; my $j = decode_json(<>);
		die "schema" unless $j->{schema} eq "schedgrid-compare-1";
		my $row = $j->{rows}[0];
		die "mean" unless $row->{columns}[0]{mean} == 1;
		die "stddev of one" if exists $row->{columns}[0]{stddev};
		die "mean of none" if exists $row->{columns}[1]{mean};
		die "failed" unless $row->{columns}[1]{failed} == 1;' out.json
}

@test "every format prints the table of a mail" {
	local fixtures=$BATS_TEST_DIRNAME/../fixtures
	run "$schedgrid" compare --format pct "$fixtures/seed-003/zen3-pinned"
	[ "$status" -eq 0 ]
	says "Copy:   97699.28 (0.00 pct)   95933.60  (-1.80 pct)  156578.91 (60.26 pct)"
	run "$schedgrid" compare --format avg "$fixtures/seed-002/volanomark"
	[ "$status" -eq 0 ]
	says "SD_BALANCE_WAKE enabled      379070.500  379070.500    (+2.6%)"
	says "its mean, 379070.5"
	run "$schedgrid" compare --format markdown "$fixtures/seed-002/volanomark"
	[ "$status" -eq 0 ]
	says "| score | 369459.750 ± 4825.046, n 4 |"
	run "$schedgrid" compare --format csv "$fixtures/seed-002/volanomark"
	[ "$status" -eq 0 ]
	[ "${#lines[@]}" -eq 3 ]
}

@test "unlike columns are refused, and with --force noted" {
	mkdir run
	record a 1 ok 1.0
	record b 1 ok 2.0
	sed -i '1s/"boot"/"machine":"m1","boot"/; 2s/"boot"/"machine":"m2","boot"/' run/records.jsonl
	run "$schedgrid" compare run
	[ "$status" -eq 2 ]
	says "null ran on unlike machines in columns 'a' and 'b': 'm1' and 'm2'"
	[ "${#lines[@]}" -eq 1 ]
	run "$schedgrid" compare --force run
	[ "$status" -eq 0 ]
	says "note: not comparable: null ran on unlike machines"
	"$schedgrid" compare --force --format csv run > out.csv 2> out.err
	[ "$(wc -l < out.csv)" -eq 3 ]
	grep -q "not comparable: null ran on unlike machines" out.err
}

@test "--merge refuses two cells in one place" {
	mkdir run
	record a 1 ok 1.0
	cp -r run other
	sed -i 's/"a-1/"z-1/g' other/records.jsonl
	run "$schedgrid" compare --merge run other
	[ "$status" -eq 2 ]
	says "column 'a' holds two cells at null step=1, a-1 and z-1"
}

@test "a directory without a run, a wrong format and no directory are refused" {
	run "$schedgrid" compare .
	[ "$status" -eq 4 ]
	says "records.jsonl"
	run "$schedgrid" compare --format mtests .
	[ "$status" -eq 2 ]
	says "did you mean 'mmtests'?"
	run "$schedgrid" compare
	[ "$status" -eq 2 ]
	mkdir run
	record a 1 ok 1.0
	run "$schedgrid" compare run/records.jsonl
	[ "$status" -eq 2 ]
	[ "$output" = "schedgrid: 'run/records.jsonl' is a file, expected the directory of a run, such as 'run'" ]
}

@test "a record of an unknown schema is refused by name" {
	mkdir run
	record a 1 ok 1.0
	sed -i 's/schedgrid-record-1/schedgrid-record-9/' run/records.jsonl
	run "$schedgrid" compare run
	[ "$status" -eq 4 ]
	says "run/records.jsonl:1: schema 'schedgrid-record-9' is not known"
}

@test "--transpose is a view of avg alone" {
	local pipe=$BATS_TEST_DIRNAME/../fixtures/seed-002/pipe
	run "$schedgrid" compare --transpose --format avg "$pipe"
	[ "$status" -eq 0 ]
	says "Avg. score      108984.900   111844.300  (+2.6%)"
	run "$schedgrid" compare --transpose "$pipe"
	[ "$status" -eq 2 ]
	[ "$output" = "schedgrid: compare: --transpose is a view of the format avg" ]
}
