#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154 # schedgrid and output come from elsewhere
# Runs that a precision ends: when they stop, how they go on, and what tables say of it.

bats_require_minimum_version 1.5.0
load common

# A grid of two equal columns whose times are the words of $1, in the order in which
# cells run, round and round; ended by $2. The rows are $3; the row 'bad' fails.
until_grid() {
	cat > value.sh <<-SH
	[ \$1 = bad ] && exit 1
	n=\$(wc -c < $PWD/count.\$1 2> /dev/null || echo 0)
	printf . >> $PWD/count.\$1
	set -- $1
	shift \$((n % \$#))
	[ "\$1" = fail ] && exit 1
	[ "\$1" = wait ] && exec sleep 60
	echo "took \$1 s"
	SH
	cat > until.yaml <<-YAML
	schema: schedgrid-grid-1
	name: precise
	executor: {type: local}
	repeat: {warmup: 0, until: {$2}}
	timeout: 20s
	columns: [{name: A}, {name: B}]
	workloads:
	  - workload: exec
	    command: [/bin/sh, $PWD/value.sh, '{row}']
	    parameters: {row: [${3:-one}]}
	    metrics: [{name: time, unit: s, better: lower, regex: 'took ([0-9.]+) s'}]
	YAML
}

until_run() {
	run "$schedgrid" run until.yaml -o run --allow-same --allow-exec "$@"
}

quiet_values="1.000 1.001 1.002 1.000 1.001"
wild_values="1.0 1.5 0.7 1.2 0.9 1.4 0.8"

@test "a run stops when the half-width is reached, and the table says so" {
	until_grid "$quiet_values" "halfwidth: 1%, max: 40"
	until_run
	[ "$status" -eq 0 ]
	says "stopped: half-width 1% reached after 5 of at most 40 iterations"
	[ "$(wc -l < run/records.jsonl)" -eq 10 ]
	grep -q '"until": *{' run/plan.json
	run "$schedgrid" compare run
	says "stopped: half-width 1% reached after 5 of at most 40 iterations"
	[[ "$output" != *unfinished* ]]
}

@test "a run that has stopped says so and does nothing" {
	until_grid "$quiet_values" "halfwidth: 1%"
	until_run
	cp run/records.jsonl before
	cp run/plan.json plan-before
	until_run
	[ "$status" -eq 0 ]
	says "stopped before: half-width 1% reached after 5 of at most 40 iterations"
	says "nothing was missing"
	cmp run/records.jsonl before
	cmp run/plan.json plan-before
}

@test "the most iterations end a run, and early on it is said that they will" {
	until_grid "$wild_values" "halfwidth: 1%, max: 6"
	until_run
	[ "$status" -eq 0 ]
	says "half-width 1% can't be reached: exec-sh row=one time, B would need about"
	says "and there is room for 6, which come to about"
	says "stopped: half-width 1% not reached after 6 iterations, the most: it is"
	[ "$(wc -l < run/records.jsonl)" -eq 12 ]
	[ "$(grep -c "can't be reached" <<< "$output")" -eq 1 ]
}

@test "the budget ends a run" {
	until_grid "$wild_values" "halfwidth: 1%, max: 1000, budget: 100ms"
	until_run
	[ "$status" -eq 0 ]
	says "stopped: half-width 1% not reached within 100ms, after"
	[ "$(wc -l < run/records.jsonl)" -lt 1000 ]
	# It was decided once: the time that has passed since doesn't matter.
	until_run
	says "nothing was missing"
}

@test "more iterations are added behind the end, and none before it" {
	until_grid "$quiet_values" "halfwidth: 1%, max: 6"
	until_run --more 2
	[ "$status" -eq 2 ]
	says "which it hasn't done yet; run it without --more"
	[ ! -e run/records.jsonl ] || [ ! -s run/records.jsonl ]
	until_run
	until_run --more 3
	[ "$status" -eq 0 ]
	[ "$(wc -l < run/records.jsonl)" -eq 16 ]
	until_run
	says "nothing was missing"
	run "$schedgrid" compare run
	[[ "$output" != *unfinished* ]]
	says "each column: n 8"
}

@test "a run that was killed goes on, and finishes the block it had begun" {
	until_grid "1.000 1.001 1.002 1.000 1.001 1.000 1.002 wait 1.001" "halfwidth: 1%"
	"$schedgrid" run until.yaml -o run --allow-same --allow-exec &
	pid=$!
	wait_records 7
	kill -KILL $pid
	wait $pid || true
	sed -i '/^set/s/ wait / 1.000 /' value.sh
	for _ in $(seq 100); do
		until_run
		[ "$status" -eq 75 ] || break
	done
	[ "$status" -eq 0 ]
	says "stopped: half-width 1% reached after 5 of at most 40 iterations"
	[ "$(records_with '"status":"ok"')" -eq 10 ]
}

@test "a resumed run judges what is there before it runs anything" {
	until_grid "$quiet_values" "halfwidth: 1%"
	until_run
	# As if it had been killed before it could note its end.
	sed -i '/"stopped"/,/}/d' run/plan.json
	sed -i -e ':a' -e 'N' -e '$!ba' -e 's/,\n*}\s*$/\n}/' run/plan.json
	until_run
	[ "$status" -eq 0 ]
	says "stopped: half-width 1% reached after 5 of at most 40 iterations"
	[ "$(wc -l < run/records.jsonl)" -eq 10 ]
	grep -q '"stopped"' run/plan.json
}

@test "a damaged end is an error that names the file" {
	until_grid "$quiet_values" "halfwidth: 1%"
	until_run
	sed -i 's/"after": 5/"after": "x"/' run/plan.json
	until_run
	[ "$status" -eq 4 ]
	says "run/plan.json: 'stopped' is damaged"
}

@test "a cell that always fails is not waited for" {
	until_grid "$quiet_values" "halfwidth: 1%, max: 9" "one, bad"
	until_run
	[ "$status" -eq 1 ]
	says "stopped: half-width 1% reached after 5 of at most 9 iterations"
}

@test "where every cell fails the run goes on to the most and says why" {
	until_grid "fail" "halfwidth: 1%, max: 6"
	until_run
	[ "$status" -eq 1 ]
	says "stopped: half-width 1% not reached after 6 iterations, the most: no row has numbers in two columns"
	[ "$(records_with '"status":"failed"')" -eq 12 ]
}

@test "--only looks at the rows that it selects, and doesn't end the run" {
	until_grid "$quiet_values" "halfwidth: 1%, max: 9" "one, two"
	until_run --only row=one
	[ "$status" -eq 0 ]
	says "stopped: half-width 1% reached after 5 of at most 9 iterations"
	[ "$(wc -l < run/records.jsonl)" -eq 10 ]
	run -1 grep -q '"stopped"' run/plan.json
	until_run
	[ "$status" -eq 0 ]
	[ "$(wc -l < run/records.jsonl)" -eq 20 ]
	grep -q '"stopped"' run/plan.json
}

@test "another precision is another run" {
	until_grid "$quiet_values" "halfwidth: 1%"
	until_run
	sed -i 's/halfwidth: 1%/halfwidth: 2%/' until.yaml
	until_run
	[ "$status" -eq 2 ]
	says "what differs is the precision to reach, or its limits"
}

@test "a plan says what ends the run" {
	until_grid 1 "halfwidth: 0.5%, max: 20, budget: 30min"
	run "$schedgrid" plan until.yaml --allow-same
	[ "$status" -eq 0 ]
	says "each 0 warm-up + at most 20 iterations, at least 5, until half-width 0.5%, within 30min00s"
	run --separate-stderr "$schedgrid" plan until.yaml --allow-same --json
	says '"max": 20'
}

@test "columns that are the same in effect are cells of their own when allowed" {
	until_grid 1 "halfwidth: 1%"
	run "$schedgrid" plan until.yaml
	[ "$status" -eq 2 ]
	says "columns 'A' and 'B' are the same in effect"
	run --separate-stderr "$schedgrid" plan until.yaml --allow-same
	[ "$status" -eq 0 ]
	[ "$(grep -oE '^[0-9a-f]{16}' <<< "$output" | sort -u | wc -l)" -eq 2 ]
}
