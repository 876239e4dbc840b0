#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154 # schedgrid and output come from elsewhere
# The HTML report with this machine's gnuplot and, where there is one, browser.

bats_require_minimum_version 1.5.0
load host

# A run of two columns whose names are as hostile as they come, as report.html.
make_report() {
	local column i name
	mkdir run
	for i in $(seq 10); do
		for column in 1 2; do
			name='base <script>document.title=1</script>'
			[ $column = 1 ] || name="wake \\\"' onload='x' & \\u202e@000"
			printf '{"schema":"schedgrid-record-1","id":"%d-%d","cell":"%d","column":"%s","workload":"null","variant":"null","point":{"step":1},"boot":"b1","block":%d,"iteration":%d,"attempt":1,"start":"2026-11-30T20:%02d:%02d.000Z","status":"ok","metrics":[{"name":"value","unit":"s","better":"lower","samples":[%d.%02d]}]}\n' \
				$column "$i" $column "$name" "$i" "$i" "$i" $column $column "$i" >> run/records.jsonl
		done
	done
	"$schedgrid" compare --format html -o report.html run 2> err
}

@test "gnuplot's plots are in the report and nothing but text came in" {
	command -v gnuplot > /dev/null || skip "no gnuplot"
	mkdir tmp
	TMPDIR=$PWD/tmp make_report
	[ "$(grep -c '<svg role="img"' report.html)" -eq 2 ]
	[ "$(grep -c '</svg>' report.html)" -eq 2 ]
	# Ten samples of two columns in either plot.
	[ "$(grep -c "<use .*color='rgb( 47, 127, 208)'" report.html)" -ge 20 ]
	run ! grep -q '<script\|<!--\|There are no plots' report.html
	# Identifiers are there once.
	[ -z "$(grep -o "\bid=[\"'][^\"']*" report.html | sort | uniq -d)" ]
	# Whatever is referred to is in the page.
	grep -o "href=[\"'][^\"']*" report.html > references
	run ! grep -qv "^href=[\"']#\|^href=\"data:,$" references
	[ -z "$(ls tmp)" ]
}

@test "a plot that gnuplot can't draw leaves the others" {
	command -v gnuplot > /dev/null || skip "no gnuplot"
	mkdir run
	for step in 1 2 3; do
		printf '{"schema":"schedgrid-record-1","id":"%d","cell":"%d","column":"a","workload":"null","variant":"null","point":{"step":%d},"boot":"b1","iteration":1,"attempt":1,"status":"ok","metrics":[{"name":"value","unit":"s","better":"lower","samples":[%s]}]}\n' \
			$step $step $step "$([ $step = 2 ] && echo '1e308,-1e308' || echo 5,5)" >> run/records.jsonl
	done
	"$schedgrid" compare --format html -o report.html run 2> err
	[ "$(grep -c '<svg role="img"' report.html)" -eq 2 ]
}

@test "the report has no effect in a browser but to be shown" {
	command -v gnuplot > /dev/null || skip "no gnuplot"
	# Half a gigabyte, and no more than this test needs it.
	command -v chromium > /dev/null || skip "host: no chromium"
	make_report
	HOME=$PWD timeout 60 chromium --headless=new --no-sandbox --disable-gpu --disable-background-networking \
		--enable-logging=stderr --user-data-dir="$PWD/profile" --dump-dom "file://$PWD/report.html" \
		> dom 2> log 3>&-
	grep -q '<title>schedgrid: null</title>' dom
	[ "$(grep -c '<svg role="img"' dom)" -eq 2 ]
	run ! grep -q CONSOLE log
}
