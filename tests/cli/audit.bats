#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# audit: what can't be right in posted tables, and nothing else.

bats_require_minimum_version 1.5.0
load common

fixtures=$BATS_TEST_DIRNAME/../fixtures/audit

# The findings of a mail as "line kind printed", one a line.
findings() {
	"$schedgrid" audit "$1" --format json 2> /dev/null | awk -F '"' '
		/"line"/ { gsub(/[^0-9]/, "", $3); line = $3 }
		/"kind"/ { kind = $4 }
		/"printed"/ { print line, kind, $4 }'
}

@test "BL-121: of the mails with mmtests tables, nothing is wrong" {
	local seed
	for seed in 000 004; do
		run --separate-stderr "$schedgrid" audit "$fixtures/seed-$seed.txt"
		[ "$status" -eq 0 ]
		[ -z "$output" ]
	done
	[ "$stderr" = "schedgrid: $fixtures/seed-004.txt: tables: 1, percentages checked: 18, findings: 0" ]
}

@test "BL-121: of the LKP mail, its subject and a row that is a quarter of another" {
	run findings "$fixtures/seed-001.txt"
	[ "$output" = "1 percent -10.5
30 duplicate 16717
78 duplicate 16717
120 duplicate 16717" ]
}

@test "BL-121: of the mails about SD_BALANCE_WAKE, the copied deviation, noise and copies" {
	run findings "$fixtures/seed-002.txt"
	[ "$output" = "5 stddev 379070.5
19 noise +2.6
28 duplicate 67673.580
29 duplicate 9667.654" ]
	run --separate-stderr "$schedgrid" audit "$fixtures/seed-002.txt"
	says "seed-002.txt:19: noise: 'Avg. score': +2.6% can't be told from noise: p=0.76"
	says "'read/write requests' is 14 times 'transactions' in every column"
}

@test "BL-121: of the STREAM mail, seven percentages that are cut, and the habit" {
	run findings "$fixtures/seed-003.txt"
	[ "$output" = "8 percent -1.80
8 percent 60.26
8 style 7 of 20
11 percent 47.90
21 percent -0.83
34 percent 11.40
35 percent 23.61
36 percent 23.37" ]
}

@test "a percentage that was changed, and one with the other sign, are found" {
	sed 's/ 12.90%)/ 13.90%)/; s/(-13.42%)/(13.42%)/' "$fixtures/seed-000.txt" > mail
	run --separate-stderr "$schedgrid" audit mail
	[ "$status" -eq 0 ]
	[ "${#lines[@]}" -eq 2 ]
	says "mail:17: sign: 'Amean 192': 13.42% has the other sign"
	says "percent: 'Amean 30': 13.90% can't follow from the printed means, which give 12.90%"
}

@test "a table without percentages is told as one" {
	printf '%s\n' '           Average score  std. dev' 'base  369459.750 4825.046' \
		'new  369000.100 4800.046' > mail
	run --separate-stderr "$schedgrid" audit mail
	[ "$status" -eq 0 ]
	[ "$stderr" = "schedgrid: mail: tables: 1, percentages checked: 0 (the tables have none), findings: 0" ]
}

@test "a row that was typed twice is found" {
	printf '%s\n' test '6.1 6.1' 'base new' 'Amean 1 1.0000 ( 0.00%) 1.1000 (-10.00%)' \
		'Amean 2 1.0000 ( 0.00%) 1.1000 (-10.00%)' > mail
	run findings mail
	[ "$output" = "5 duplicate 1.0000" ]
}

@test "BL-117: a table with decimal commas is refused with its place" {
	printf 'hackbench\n\nbase new\n1 1,327 (+/- 10,06 %%) 1,247 (+/- 5,45 %%)\n' > mail
	local command
	for command in "audit mail" "import table mail -o out"; do
		# shellcheck disable=SC2086 # words
		run "$schedgrid" $command
		[ "$status" -eq 4 ]
		[ "$output" = "schedgrid: mail:4:3: '1,327' has a comma (expected a decimal point)" ]
	done
	[ ! -e out ]
}

@test "prose, patches and numbers in sentences are no tables" {
	printf '%s\n' '@@ -807,7 +807,7 @@ void f(void)' ' kernel/sched/fair.c | 2 +-' \
		' 1 file changed, 1 insertion(+), 1 deletion(-)' \
		'5.486491487 seconds time elapsed ( +- 5.50% )' \
		'On 4 December 2016 at 00:25, Matt wrote' 'a ~3% improvement 12 13' \
		'index 0aeffff62807..b33a4a9e1491 100644' > mail
	run --separate-stderr "$schedgrid" audit mail
	[ "$status" -eq 0 ]
	[ "$stderr" = "schedgrid: mail: tables: 0, percentages checked: 0, findings: 0" ]
}

@test "binary input, control characters and endless lines are refused with their place" {
	printf 'text\n\001\n' > mail
	run "$schedgrid" audit mail
	[ "$status" -eq 4 ]
	[ "$output" = "schedgrid: mail:2:1: byte 0x01 is no text (expected a mail)" ]
	head -c 1000000 /dev/zero | tr '\0' 9 > mail
	run "$schedgrid" audit mail
	[ "$status" -eq 4 ]
	says "mail:1: the line has 1000000 bytes"
	{ printf 't\na b\n'; yes 'Amean 1 1.00 ( 0.00%) 2.00 (-100.00%)' | head -1001; } > mail
	run "$schedgrid" audit mail
	[ "$status" -eq 4 ]
	says "mail:1003: the table has more than 1000 rows"
	run "$schedgrid" audit missing
	[ "$status" -eq 2 ]
	run "$schedgrid" audit mail --format xml
	[ "$status" -eq 2 ]
	says "unknown format 'xml' (expected text or json)"
}

@test "bytes that are no text are shown, not written to the terminal" {
	sed '44s/1\.58  */1.58 \xc2\xb5/' "$fixtures/seed-001.txt" > mail
	LC_ALL=C sed -i 's/reaim\.jobs_per_min_child/reaim.jobs_per_min_ch\xff/' mail
	run --separate-stderr "$schedgrid" audit mail
	[ "$status" -eq 0 ]
	[[ "$output" == *'jobs_per_min_ch\xff'* ]]
	iconv -f UTF-8 -t UTF-8 <<< "$output" > same
}
