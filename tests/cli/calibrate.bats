#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154 # schedgrid and output come from elsewhere
# schedgrid calibrate: a column against itself, and the profile that tables cite.

bats_require_minimum_version 1.5.0
load common

# A grid whose times are the words of $1 in the order in which cells run.
value_grid() {
	cat > value.sh <<-SH
	n=\$(wc -c < $PWD/count 2> /dev/null || echo 0)
	printf . >> $PWD/count
	set -- $1
	shift \$((n % \$#))
	[ "\$1" = fail ] && exit 1
	echo "took \$1 s"
	SH
	cat > grid.yaml <<-YAML
	schema: schedgrid-grid-1
	name: values
	executor: {type: local}
	repeat: {iterations: 6, warmup: 0}
	columns: [{name: base}]
	workloads:
	  - workload: exec
	    command: [/bin/sh, $PWD/value.sh]
	    metrics: [{name: time, unit: s, better: lower, regex: 'took ([0-9.]+) s'}]
	YAML
	export XDG_STATE_HOME=$PWD/state
}

calibrate() {
	run "$schedgrid" calibrate grid.yaml -o run --allow-exec "$@"
}

values="1.00 1.02 0.98 1.01 1.03 0.99 1.00"

@test "a column is measured against itself, and the profile is kept" {
	value_grid "$values"
	calibrate
	[ "$status" -eq 0 ]
	says "12 iterations: 12 ok; results in run"
	says "of 1 rows with p at most 5% (*), as chance has it in 0 to 1"
	says "exact 95% interval"
	says "exec-sh time"
	[ "$(grep -c '"column":"A"' run/records.jsonl)" -eq 6 ]
	[ "$(grep -c '"column":"B"' run/records.jsonl)" -eq 6 ]
	[ "$(find state/schedgrid -name 'profile-*.json' | wc -l)" -eq 1 ]
	grep -q '"schema": "schedgrid-profile-1"' state/schedgrid/profile-*.json
}

@test "compare cites the profile of the same machine, and of no other" {
	value_grid "$values"
	run "$schedgrid" run grid.yaml -o other --allow-exec
	run "$schedgrid" compare other
	[[ "$output" != *"machine profile"* ]]
	calibrate
	run "$schedgrid" compare other
	[ "$status" -eq 0 ]
	[[ "$output" =~ "machine profile of "20[0-9-]+": "[01]" false alarm"s?" in 1 row, CV "1.[0-9]% ]]
	run "$schedgrid" compare other --format markdown
	says "machine profile of"
	sed -i 's/"cpus": [0-9]*/"cpus": 4099/' other/hosts/b1.json
	run "$schedgrid" compare other
	[ "$status" -eq 0 ]
	[[ "$output" != *"machine profile"* ]]
}

@test "a profile in a file of one's own" {
	value_grid "$values"
	calibrate --profile mine/here.json
	[ "$status" -eq 0 ]
	says "the profile of this machine is in mine/here.json"
	[ ! -e state ]
	run "$schedgrid" compare run
	[[ "$output" != *"machine profile"* ]]
	run "$schedgrid" compare run --profile mine/here.json
	[ "$status" -eq 0 ]
	says "machine profile of"
	run "$schedgrid" compare run --profile missing.json
	[ "$status" -eq 2 ]
	sed -i 's/"cpus": [0-9]*/"cpus": 4099/' mine/here.json
	run "$schedgrid" compare run --profile mine/here.json
	[ "$status" -eq 2 ]
	says "'mine/here.json' is the profile of another machine than that of the runs"
}

@test "a damaged profile is told; the table is printed all the same" {
	value_grid "$values"
	calibrate
	echo '{"schema":"schedgrid-profile-9"}' > "$(echo state/schedgrid/profile-*.json)"
	run "$schedgrid" compare run
	[ "$status" -eq 0 ]
	says "schema 'schedgrid-profile-9' is not known (expected 'schedgrid-profile-1')"
	says "Amean"
}

@test "a row without numbers gives no profile, and the exit status says so" {
	value_grid fail
	calibrate
	[ "$status" -eq 4 ]
	says "no row has two runs a side with numbers to compare"
	[ ! -e state ]
}

@test "iterations that fail make the exit status 1; the rest is a profile" {
	value_grid "1.00 1.02 0.98 fail 1.01 1.03 0.99"
	calibrate
	[ "$status" -eq 1 ]
	says "rows with p at most 5%"
	[ -e "$(echo state/schedgrid/profile-*.json)" ]
}

@test "a calibration goes on where it was stopped, and is done when it is done" {
	value_grid "$values"
	calibrate
	cp run/records.jsonl before
	calibrate
	[ "$status" -eq 0 ]
	says "nothing was missing"
	cmp before run/records.jsonl
}

@test "usage of calibrate" {
	run "$schedgrid" calibrate
	[ "$status" -eq 2 ]
	says "calibrate: one grid file expected"
	run "$schedgrid" calibrate grid.yaml --profile ""
	[ "$status" -eq 2 ]
	says "calibrate: '' names no file"
	run "$schedgrid" calibrate missing.yaml
	[ "$status" -eq 2 ]
}
