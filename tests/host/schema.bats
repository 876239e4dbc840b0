#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# docs/schema/ by a validator of others: the schemas themselves, and all files of a run.

load host

schemas=${SCHEDGRID_SOURCE:-$BATS_TEST_DIRNAME/../..}/docs/schema

# Holds JSON files, or files of JSON lines, against schema $1.
validate() {
	/usr/bin/python3 -c '
import json, sys
from jsonschema import Draft202012Validator as Validator

schema = json.load(open(sys.argv[1]))
Validator.check_schema(schema)
for name in sys.argv[2:]:
    text = open(name).read()
    lines = text.splitlines() if name.endswith("l") else [text]
    assert lines, name
    for line in lines:
        Validator(schema).validate(json.loads(line))
' "$schemas/schedgrid-$1.json" "${@:2}"
}

@test "the files of a run and what is printed of them are as published" {
	cat > grid.yaml <<-YAML
	schema: schedgrid-grid-1
	name: schemas
	executor: {type: local}
	repeat: {iterations: 3, warmup: 1}
	columns:
	  - name: a
	  - name: b
	    pin: "0"
	workloads:
	  - workload: "null"
	    parameters: {script: "1 2 fail 3 4 5 6 7 8"}
	  - workload: hackbench
	    parameters: {groups: [1, 2], loops: 10}
	YAML
	run "$schedgrid" run grid.yaml -o run
	[ "$status" -eq 1 ]
	"$schedgrid" compare run --format json > compare.json
	validate record-1 run/records.jsonl
	validate plan-1 run/plan.json
	validate host-1 run/hosts/*.json
	validate compare-1 compare.json
}

@test "an audit is as published" {
	"$schedgrid" audit --format json "$schemas/../../tests/fixtures/audit/seed-002.txt" > audit.json
	grep -q '"kind"' audit.json
	validate audit-1 audit.json
}

@test "what differs is found" {
	printf '{"schema":"schedgrid-audit-1","findings":[{"line":0}]}\n' > audit.json
	run validate audit-1 audit.json
	[ "$status" -ne 0 ]
}
