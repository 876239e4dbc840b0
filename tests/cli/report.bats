#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154 # schedgrid and output come from elsewhere
# schedgrid compare -o FILE, and --format html as far as it needs no gnuplot.

load common

seed=$BATS_TEST_DIRNAME/../fixtures/seed-000

@test "-o writes what standard output would have had" {
	local format
	for format in mmtests lkp markdown mail csv json; do
		"$schedgrid" compare --format $format "$seed" > out
		"$schedgrid" compare --format $format -o file "$seed" > nothing
		[ ! -s nothing ]
		cmp out file
	done
}

@test "BL-039: a file that can't be written stays as it was" {
	mkdir closed
	echo old > closed/file
	run "$schedgrid" compare -o closed/file/report "$seed"
	[ "$status" -eq 4 ]
	says "closed/file/report"
	[ "$(cat closed/file)" = old ]
	run "$schedgrid" compare -o nowhere/file "$seed"
	[ "$status" -eq 4 ]
	[ ! -e nowhere ]
	run "$schedgrid" compare -o '' "$seed"
	[ "$status" -eq 2 ]
	[ "$output" = "schedgrid: compare: '' names no file (expected -o FILE)" ]
}

@test "a refused comparison leaves no file" {
	run "$schedgrid" compare --format html -o report.html --baseline nope "$seed"
	[ "$status" -eq 2 ]
	[ ! -e report.html ]
}

@test "without gnuplot the report says so and has the rest" {
	mkdir bin
	ln -s "$(command -v true)" bin/true
	PATH=$PWD/bin "$schedgrid" compare --format html -o report.html "$seed"
	grep -q "There are no plots: no gnuplot on PATH" report.html
	grep -q "</body></html>" report.html
	grep -q '1\.7809' report.html
}

@test "a gnuplot that fails costs the plots only" {
	mkdir bin tmp
	printf '#!/bin/sh\necho broken >&2\nexit 1\n' > bin/gnuplot
	chmod 755 bin/gnuplot
	TMPDIR=$PWD/tmp PATH=$PWD/bin:$PATH "$schedgrid" compare --format html -o report.html "$seed"
	grep -q "There are no plots: gnuplot failed.*broken" report.html
	grep -q "</body></html>" report.html
	[ -z "$(ls tmp)" ]
}

@test "an interrupt while gnuplot draws leaves no file and nothing behind" {
	local pid _
	mkdir bin tmp
	# Tells that it is there, and waits for somebody to end it.
	printf '#!/bin/sh\necho > "%s/started"\nexec tail -f /dev/null\n' "$PWD" > bin/gnuplot
	chmod 755 bin/gnuplot
	# A shell's background job ignores SIGINT, so it is SIGTERM.
	TMPDIR=$PWD/tmp PATH=$PWD/bin:$PATH "$schedgrid" compare --format html -o report.html "$seed" 3>&- &
	pid=$!
	for _ in $(seq 200); do
		[ ! -e started ] || break
		sleep 0.05
	done
	kill -TERM $pid
	code=0
	wait $pid || code=$?
	[ $code -eq 143 ]
	[ ! -e report.html ]
	[ -z "$(ls tmp)" ]
}
