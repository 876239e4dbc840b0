#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# schedgrid reparse: kept output read again. What a mended parser would do is played by
# changing the output instead.

bats_require_minimum_version 1.5.0
load common

# Runs a grid of three good iterations into run/ and changes one output.
run_and_edit() {
	null_grid "1 2 3"
	"$schedgrid" run null.yaml -o run
	sed -i "$1" run/raw/*/b1-i2-a1/stdout
}

# One field of the last line of the ledger, as JSON text.
last_record() {
	tail -n 1 run/records.jsonl | grep -o "\"$1\":\(\"[^\"]*\"\|{[^}]*}\|[0-9]*\)"
}

@test "output that says the same leaves the ledger as it was" {
	null_grid "1 2 3" 3 1
	"$schedgrid" run null.yaml -o run
	cp run/records.jsonl before
	run "$schedgrid" reparse run
	[ "$status" -eq 0 ]
	says "4 iterations read again: 0 changed, 4 unchanged"
	cmp before run/records.jsonl
}

@test "output behind a link is not read" {
	null_grid "1 2 3"
	"$schedgrid" run null.yaml -o run
	ln -sf /etc/passwd run/raw/*/b1-i2-a1/stdout
	cp run/records.jsonl before
	run "$schedgrid" reparse run
	[ "$status" -eq 4 ]
	says "/b1-i2-a1/stdout' is no regular file in folders of its own (links are not followed)"
	cmp before run/records.jsonl
	mv run/raw elsewhere
	ln -s ../elsewhere run/raw
	run "$schedgrid" reparse run
	[ "$status" -eq 4 ]
	rm run/raw
	echo > run/raw
	run "$schedgrid" reparse run
	[ "$status" -eq 4 ]
	says "is no regular file in folders of its own"
	cmp before run/records.jsonl
}

@test "a plan of another schema, or of none, is not read" {
	null_grid "1 2 3"
	"$schedgrid" run null.yaml -o run
	cp run/plan.json plan
	for plan in '{}' '{"schema":"schedgrid-plan-9"}' '[]'; do
		echo "$plan" > run/plan.json
		for words in "run null.yaml -o" reparse compare; do
			# shellcheck disable=SC2086 # words of a command
			run "$schedgrid" $words run
			[ "$status" -eq 4 ]
			says "run/plan.json: schema '"
			says "' is not known (expected 'schedgrid-plan-1')"
		done
	done
	sed 's/"iterations": 3/"iterations": 99999999/' plan > run/plan.json
	run "$schedgrid" compare run
	[ "$status" -eq 4 ]
	says "'iterations' is 99999999 (expected at most 10000000)"
}

@test "a changed sample is one more attempt with the facts of the one that ran" {
	run_and_edit 's/"value":2/"value":7/'
	cp run/records.jsonl before
	run "$schedgrid" reparse run
	[ "$status" -eq 0 ]
	says "/b1/i2/a1: ok, now read differently"
	says "3 iterations read again: 1 changed, 2 unchanged"
	head -n 3 run/records.jsonl | cmp before -
	[ "$(wc -l < run/records.jsonl)" -eq 4 ]
	[[ $(last_record id) == *'/b1/i2/a2"' ]]
	[[ $(last_record reparsed) == *'/b1/i2/a1","version":"'* ]]
	[ "$(records_with '"samples":\[7')" -eq 1 ]
	for key in start wall_ns seq cell block; do
		[ "$(last_record $key)" = "$(sed -n 2p before | grep -o "\"$key\":[^,]*")" ]
	done
}

@test "compare takes the new record, and run finds nothing missing" {
	run_and_edit 's/"value":2/"value":5/'
	"$schedgrid" reparse run
	run "$schedgrid" compare run --format json
	[ "$status" -eq 0 ]
	grep -q '"n":3' <<< "${output// /}"
	grep -q '"mean":3' <<< "${output// /}"
	run "$schedgrid" run null.yaml -o run
	says "nothing was missing"
}

@test "a second reparse changes nothing, a third follows the output back" {
	run_and_edit 's/"value":2/"value":7/'
	"$schedgrid" reparse run
	run "$schedgrid" reparse run
	says "0 changed, 3 unchanged"
	sed -i 's/"value":7/"value":2/' run/raw/*/b1-i2-a1/stdout
	run "$schedgrid" reparse run
	says "1 changed, 2 unchanged"
	[[ $(last_record id) == *'/b1/i2/a3"' ]]
	[[ $(last_record reparsed) == *'/b1/i2/a1","version":"'* ]]
}

@test "what failed by its output can turn ok, and back" {
	null_grid "1 zero 3"
	run "$schedgrid" run null.yaml -o run
	[ "$status" -eq 1 ]
	sed -i 's/"value":0/"value":2/' run/raw/*/b1-i2-a1/stdout
	run "$schedgrid" reparse run
	says "/b1/i2/a1: failed, now ok"
	[[ $(last_record status) == '"status":"ok"' ]]
	sed -i 's/"value":2/"value":0/' run/raw/*/b1-i2-a1/stdout
	run "$schedgrid" reparse run
	says "/b1/i2/a1: ok, now failed: the metric value is 0"
}

@test "what failed otherwise never turns ok, whatever its output says" {
	null_grid "fail crash partial orphan hang" 5 0 300ms
	run "$schedgrid" run null.yaml -o run
	[ "$status" -eq 1 ]
	null_grid 1 1
	"$schedgrid" run null.yaml -o good
	local dir
	for dir in run/raw/*/*; do
		sed "s/\"script\":\"1\"/\"script\":\"fail crash partial orphan hang\"/" \
			good/raw/*/b1-i1-a1/stdout > "$dir/stdout"
	done
	cp run/records.jsonl before
	run "$schedgrid" reparse run
	[ "$status" -eq 0 ]
	says "0 iterations read again"
	says "5 iterations not read: they did not fail by their output"
	cmp before run/records.jsonl
}

@test "a failure of an older ledger, which doesn't say why, stays" {
	null_grid zero 1
	run "$schedgrid" run null.yaml -o run
	sed -i 's/"by_output":true,//' run/records.jsonl
	sed -i 's/"value":0/"value":2/' run/raw/*/*/stdout
	run "$schedgrid" reparse run
	says "1 iterations not read"
	[ "$(wc -l < run/records.jsonl)" -eq 1 ]
}

@test "output that was deleted is told, and its record stays" {
	run_and_edit 's/"value":2/"value":7/'
	rm -r run/raw/*/b1-i3-a1
	run "$schedgrid" reparse run
	[ "$status" -eq 0 ]
	says "2 iterations read again: 1 changed"
	says "1 iterations not read: they have no raw output any more"
}

@test "an unknown workload or parameter is told and left alone" {
	null_grid 1 2
	"$schedgrid" run null.yaml -o run
	sed -i '1s/"workload":"null"/"workload":"mull"/; 2s/"parameters":{/&"pace":1,/' \
		run/records.jsonl
	run "$schedgrid" reparse run
	[ "$status" -eq 0 ]
	says "0 iterations read again"
	says "2 iterations not read: they are of a workload that the run's grid doesn't have"
}

@test "a command of the grid is read again by the rule that the grid has for it" {
	printf '#!/bin/sh\necho "took $1 s"\n' > tool
	chmod +x tool
	null_grid 1 1
	sed -i '/workload: "null"/,$d' null.yaml
	cat >> null.yaml <<-'YAML'
	  - workload: exec
	    command: [./tool, '{n}']
	    parameters: {n: ['1', '2']}
	    metrics:
	      - {name: time, unit: s, better: lower, regex: 'took ([0-9.]+) s'}
	YAML
	"$schedgrid" run null.yaml -o run --allow-exec
	sed -i 's/took 2/took 5/' run/raw/*/*/stdout
	rm tool
	run "$schedgrid" reparse run
	[ "$status" -eq 0 ]
	says "2 iterations read again: 1 changed, 1 unchanged"
	[ "$(records_with '"samples":\[5')" -eq 1 ]
}

@test "--only takes the patterns of run" {
	null_grid 1 1
	sed -i 's/{script/{step: [1, 2, 3], script/' null.yaml
	"$schedgrid" run null.yaml -o run
	sed -i 's/"value":1/"value":9/' run/raw/*/*/stdout
	run "$schedgrid" reparse run --only step=2
	says "1 iterations read again: 1 changed"
	run "$schedgrid" reparse run --only only
	says "3 iterations read again: 2 changed, 1 unchanged"
	run "$schedgrid" reparse run --only step=7
	[ "$status" -eq 2 ]
	says "no record matches 'step=7'"
}

@test "it locks the run, and waits for nobody" {
	null_grid "sleep:100" 10
	"$schedgrid" run null.yaml -o run 3>&- &
	wait_records 1
	run "$schedgrid" reparse run
	kill -TERM %1
	wait %1 || true
	[ "$status" -eq 75 ]
	says "another run is writing"
}

@test "what is no run is refused and not made one" {
	mkdir thesis
	run "$schedgrid" reparse thesis
	[ "$status" -eq 2 ]
	says "expected the directory of a run"
	[ -z "$(ls thesis)" ]
	run "$schedgrid" reparse
	[ "$status" -eq 2 ]
	says "one directory of a run expected"
}
