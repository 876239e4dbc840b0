#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154 # schedgrid and output come from elsewhere
# schedgrid compare: verdicts, their options and the exit status.

load common
bats_require_minimum_version 1.5.0

# A record for each value: column point value...
runs() {
	local column=$1 point=$2 i=0 value
	shift 2
	mkdir -p run
	for value; do
		i=$((i + 1))
		printf '{"schema":"schedgrid-record-1","id":"%s-%s/b1/i%d/a1","cell":"%s-%s","column":"%s","workload":"w","variant":"w","point":{"n":%s},"boot":"b1","block":%d,"iteration":%d,"attempt":1,"seq":%d,"status":"ok","flags":[],"metrics":[{"name":"time","unit":"s","better":"lower","samples":[%s]}]}\n' \
			"$column" "$point" $i "$column" "$point" "$column" "$point" $i $i $i "$value"
	done >> run/records.jsonl
}

slow() {
	runs base "$1" 10.3 9.8 10.1 10.9 9.5 10.0 10.4 9.9 10.2 10.6
	runs new "$1" 12.9 12.7 13.3 12.2 13.0 12.5 13.8 12.6 13.1 12.4
}

noise() {
	runs base "$1" 10.3 9.8 10.1 10.9 9.5 10.0 10.4 9.9 10.2 10.6
	runs new "$1" 10.2 9.7 10.6 10.0 9.9 10.4 10.1 9.6 10.8 10.3
}

compare() {
	run --separate-stderr "$schedgrid" compare "$@" run
}

@test "mmtests marks what changed, and the footer says by which rule" {
	slow 1
	noise 2
	compare
	[ "$status" -eq 0 ]
	[[ "$output" =~ Amean\ +time-1\ +10\.1700\ \(\ +0\.00%\)\ +12\.8500\ \*\ -26\.35%\* ]]
	[[ "$output" =~ Amean\ +time-2\ +10\.1700\ \(\ +0\.00%\)\ +10\.1600\ \(\ +0\.10%\) ]]
	says "*: better or worse by the rule below"
	says "verdicts: less than 2% is no change; alpha 5%, adjust bh over 2 p"
	says "new against base: worse; 2 rows: 1 worse, 1 inconclusive (could only"
}

@test "the mails' layout has no marks" {
	slow 1
	compare --format mmtests-2016
	[[ "$output" =~ 12\.8500\ \(-26\.35%\) ]]
	says "new against base: worse; 1 row: 1 worse"
}

@test "markdown has interval and verdict in the cell" {
	slow 1
	compare --format markdown
	[[ "$output" =~ \(-26\.35%\ \[-[0-9.]+,\ -[0-9.]+\]\ \*\*worse\*\*\) ]]
}

@test "JSON has rule, figures and verdict" {
	slow 1
	noise 2
	compare --format json --delta 1.5% --alpha 1% --adjust holm
	[ "$status" -eq 0 ]
	local flat
	flat=$(tr -d ' \n' <<< "$output")
	[[ "$flat" == *'"rule":{"delta":0.015,"alpha":0.01,"adjust":"holm","family":2,"seed":42}'* ]]
	[[ "$flat" =~ \"column\":\"new\",\"ratio\":1\.2635.*\"percent\":-26\.35.*\"ci95\":\[.*\"ci90\":\[.*\"difference_ci95\":\[.*\"t\":.*\"df\":9\.0,\"p_welch\":.*\"p_rank\":.*\"p\":.*\"q\":.*\"mde\":.*\"hl\":.*\"hl_ci95\":\[.*\"design\":\"paired\",\"pairs\":10,\"unit_of_n\":\"runs\",\"verdict\":\"worse\" ]]
	[[ "$flat" == *'"verdict":"inconclusive"'* ]]
	[[ "$flat" == *'"median_ci95":[9.8,10.6]'* ]]
	[[ "$flat" == *'"flags":["B1"]'* ]]
	[[ "$flat" =~ \"summary\":\[\{\"column\":\"new\",\"rows\":2,\"verdicts\":\{.*\"worse\":1\} ]]
}

@test "--fail-on decides the exit status" {
	noise 2
	compare --fail-on worse
	[ "$status" -eq 0 ]
	compare --fail-on worse?
	[ "$status" -eq 0 ]
	compare --fail-on inconclusive
	[ "$status" -eq 1 ]
	[[ "$stderr" == *"schedgrid: 1 verdict is what --fail-on inconclusive names" ]]
	slow 1
	compare --fail-on worse
	[ "$status" -eq 1 ]
	says "Amean"
	compare --fail-on worse?
	[ "$status" -eq 1 ]
	compare
	[ "$status" -eq 0 ]
}

@test "--chain judges neighbours" {
	slow 1
	runs newer 1 12.9 12.7 13.3 12.2 13.0 12.5 13.8 12.6 13.1 12.5
	compare --chain
	says "newer against new: "
	says "new against base: worse"
	compare
	says "newer against base: worse"
}

@test "what is no rule is refused" {
	slow 1
	compare --delta 2
	[ "$status" -eq 2 ]
	[ "$stderr" = "schedgrid: --delta: '2' is not from 0% to 100% (expected a percentage such as 2%)" ]
	compare --alpha 60%
	[ "$status" -eq 2 ]
	compare --adjust hol
	[ "$status" -eq 2 ]
	[ "$stderr" = "schedgrid: --adjust: unknown word 'hol' (expected bh, holm or none); did you mean 'holm'?" ]
	compare --fail-on bad
	[ "$status" -eq 2 ]
	compare --delta 0
	[ "$status" -eq 0 ]
}
