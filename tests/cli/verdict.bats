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

@test "each format marks the rows that changed, and the marks are read back" {
	slow 1
	noise 2
	compare --format pct
	[[ "$output" =~ time-1:\ +10\.1700\ \(0\.00\ pct\)\ +12\.8500\ \(26\.35\ pct\)\* ]]
	[[ "$output" =~ time-2:.*\(-0\.09\ pct\)$'\n' ]]
	says "*: better or worse by the rule below"
	"$schedgrid" compare --format pct run > pct.txt
	run --separate-stderr "$schedgrid" audit pct.txt
	[[ "$stderr" == *"percentages checked: 4,"* ]]
	compare --format avg
	[[ "$output" =~ time-1\ \(s\)\ .*\(\+-\ 3\.69%\)\* ]]
	compare --format lkp
	[[ "$output" =~ \ \+26\.4%\*\ +12\.85 ]]
	sed -i 's/"b1"/"b0"/; s,/b1/,/b0/,' run/records.jsonl
	sed -i '/"column":"new"/s/"b0"/"b1"/' run/records.jsonl
	compare
	[[ "$output" =~ Amean\ +time-1\ +10\.1700\ \(\ +0\.00%\)\ +12\.8500\ \?\ -26\.35%\? ]]
	says "?: perhaps better or worse by the rule below"
	"$schedgrid" compare run > mmtests.txt
	"$schedgrid" import table mmtests.txt -o read
	run --separate-stderr "$schedgrid" compare read
	[[ "$output" =~ Amean\ +time-1\ +10\.1700\ .*\ 12\.8500\ \*\ -26\.35%\* ]]
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

# Records without a figure: column point boot iterations status
without() {
	local i
	mkdir -p run
	for i in $(seq "$4"); do
		printf '{"schema":"schedgrid-record-1","id":"%s-%s/%s/i%d/a1","cell":"%s-%s","column":"%s","workload":"w","variant":"w","point":{"n":%s},"boot":"%s","block":%d,"iteration":%d,"attempt":1,"seq":%d,"status":"%s","reason":"why","flags":[],"metrics":[]}\n' \
			"$1" "$2" "$3" "$i" "$1" "$2" "$1" "$2" "$3" "$i" "$i" "$i" "$5"
	done >> run/records.jsonl
}

@test "--fail-on worse fails where iterations fail that didn't in the baseline" {
	noise 1
	runs base 2 10.3 9.8 10.1
	without new 2 b1 3 failed
	compare --fail-on worse
	[ "$status" -eq 1 ]
	[[ "$stderr" == *"iterations fail in 1 row and not in the column compared with, which --fail-on worse names" ]]
	# The other way round, the failures are the baseline's.
	compare --fail-on worse --baseline new
	[ "$status" -eq 0 ]
}

@test "--fail-on passes nothing of which nothing is known" {
	without base 1 b1 3 failed
	without new 1 b1 3 failed
	for word in worse worse? inconclusive; do
		compare --fail-on "$word"
		[ "$status" -eq 1 ]
		[[ "$stderr" == *"nothing could be judged, which --fail-on $word doesn't take for good" ]]
	done
	says "new against base: missing; 1 row: 1 missing"
}

@test "--fail-on inconclusive names rows without figures, but not what both skip" {
	runs base 1 10.3 9.8 10.1 9.9
	runs new 1 10.3 9.8 10.1 9.9
	without base 2 b1 3 skipped
	without new 2 b1 3 skipped
	compare --fail-on inconclusive
	[ "$status" -eq 0 ]
	without base 3 b1 3 failed
	without new 3 b1 3 failed
	compare --fail-on worse
	[ "$status" -eq 0 ]
	compare --fail-on inconclusive
	[ "$status" -eq 1 ]
}

@test "the footer says what a single boot a side can't" {
	runs base 1 10.3 9.8 10.1 10.9 9.5 10.0 10.4 9.9 10.2 10.6
	sed -i 's/"b1"/"b0"/; s,/b1/,/b0/,' run/records.jsonl
	runs new 1 12.9 12.7 13.3 12.2 13.0 12.5 13.8 12.6 13.1 12.4
	for format in mmtests mmtests-2016 pct avg lkp markdown; do
		compare --format "$format" --fail-on worse
		[ "$status" -eq 0 ]
		[[ "$stderr" == *"1 row is worse? for want of a second boot"* ]]
		says "at most better? or worse? in 1 row, as a side has only one boot: reboot, then"
		says '  `schedgrid run GRID -o DIR --more N`'
	done
	compare --fail-on worse?
	[ "$status" -eq 1 ]
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
	[ "$stderr" = "schedgrid: --delta: '2' has no % (expected '2%' or '200%')" ]
	compare --delta two
	[ "$status" -eq 2 ]
	[ "$stderr" = "schedgrid: --delta: 'two' is no percentage (expected one such as 2%)" ]
	compare --alpha 60%
	[ "$status" -eq 2 ]
	compare --alpha 0
	[ "$status" -eq 2 ]
	[ "$stderr" = "schedgrid: --alpha: at '0' nothing is ever found (expected such as 5%)" ]
	compare --adjust hol
	[ "$status" -eq 2 ]
	[ "$stderr" = "schedgrid: --adjust: unknown word 'hol' (expected bh, holm or none); did you mean 'holm'?" ]
	compare --fail-on bad
	[ "$status" -eq 2 ]
	compare --delta 0
	[ "$status" -eq 0 ]
}
