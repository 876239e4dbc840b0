#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154 # schedgrid and output come from elsewhere
# schedgrid plan --power: numbers of runs by what earlier runs recorded.

bats_require_minimum_version 1.5.0
load common

# A grid of two equal columns with the times $1, the rows $2.
value_grid() {
	cat > value.sh <<-SH
	n=\$(wc -c < $PWD/count.\$1 2> /dev/null || echo 0)
	printf . >> $PWD/count.\$1
	set -- $1
	shift \$((n % \$#))
	echo "took \$1 s"
	SH
	cat > grid.yaml <<-YAML
	schema: schedgrid-grid-1
	name: values
	executor: {type: local}
	repeat: {iterations: 6, warmup: 0}
	columns: [{name: A}, {name: B}]
	workloads:
	  - workload: exec
	    command: [/bin/sh, $PWD/value.sh, '{row}']
	    parameters: {row: [${2:-one}]}
	    metrics: [{name: time, unit: s, better: lower, regex: 'took ([0-9.]+) s'}]
	YAML
}

power() {
	run --separate-stderr "$schedgrid" plan --power --allow-same grid.yaml "$@"
}

@test "runs are planned by the variance of earlier ones" {
	value_grid "1.00 1.02 0.98 1.01 1.03 0.99 1.00"
	"$schedgrid" run grid.yaml -o run --allow-same --allow-exec
	power run
	[ "$status" -eq 0 ]
	[[ "$output" =~ " "([0-9]+)" "+"n/a "+1\.[0-9]+%" "+"n/a "+"6/6  exec-sh row=one time, B" ]]
	few=${BASH_REMATCH[1]}
	says "a change of 2% is found 80 times of 100 at level 5%"
	says "all rows with history: $few iterations of each cell; the grid has 6"
	says "boots x runs: not known before a second boot"
	# Half the change needs four times the runs, nearly.
	power run --effect 1%
	[[ "$output" =~ "history: "([0-9]+)" iterations" ]]
	[ "${BASH_REMATCH[1]}" -gt $((3 * few)) ]
	[ "${BASH_REMATCH[1]}" -lt $((5 * few)) ]
}

@test "boots are planned where the history has several" {
	value_grid "1.00 1.02 0.98 1.01 1.03 0.99 1.00"
	"$schedgrid" run grid.yaml -o run --allow-same --allow-exec
	cp -r run second
	sed -i 's/"boot_id": "[^"]*"/"boot_id": "another"/' second/hosts/b1.json
	sed -i -E 's/"samples":\[([0-9.]+)\]/"samples":[1\1]/' second/records.jsonl
	power run second
	[ "$status" -eq 0 ]
	[[ "$output" =~ " 12/12  exec-sh row=one time, B" ]]
	[[ "$output" =~ [0-9]+" x "[0-9]+ ]]
	says "boots x runs: a boot taken as 4min00s"
}

@test "rows without history are said" {
	value_grid "1.00 1.02 0.98"
	"$schedgrid" run grid.yaml -o run --allow-same --allow-exec
	sed -i 's/row: \[one\]/row: [one, two]/' grid.yaml
	power run
	[ "$status" -eq 0 ]
	says "0/0  exec-sh row=two time, B: no history of both columns"
	says "1 of 2 rows have no history"
}

@test "records of another program or parameter are no history" {
	value_grid "1.00 1.02 0.98"
	"$schedgrid" run grid.yaml -o run --allow-same --allow-exec
	sed -i 's/"cell":"[0-9a-f]*"/"cell":"0123456789abcdef"/; s/"id":"[0-9a-f]*/"id":"0123456789abcdef/' run/records.jsonl
	sed -i 's/"column":"B"/"column":"C"/' run/records.jsonl
	sed -i '2,$d' run/records.jsonl
	power run
	[ "$status" -eq 0 ]
	says "1 of 1 rows have no history"
	[[ "$output" != *"all rows with history"* ]]
}

@test "usage of plan --power" {
	value_grid 1
	run "$schedgrid" plan --power grid.yaml
	[ "$status" -eq 2 ]
	says "plan: --power: a grid file and at least one directory of a run expected"
	run "$schedgrid" plan --power --effect 0% grid.yaml run
	[ "$status" -eq 2 ]
	says "expected a percentage above 0%"
	run "$schedgrid" plan --power --effect x grid.yaml run
	[ "$status" -eq 2 ]
	says "--effect: 'x' is no percentage"
	run "$schedgrid" plan --power --allow-same grid.yaml missing
	[ "$status" -eq 2 ]
	says "missing/records.jsonl"
}
