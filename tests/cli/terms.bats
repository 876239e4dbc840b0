#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154 # schedgrid and output come from elsewhere
# What a workload's licence wants results to say, from its declaration into the tables.

bats_require_minimum_version 1.5.0
load common

label="stream: based on a variant of the STREAM benchmark code"

terms_grid() {
	printf '%s\n' "schema: schedgrid-grid-1" "name: terms" "executor: {type: local}" \
		"repeat: {iterations: 1, warmup: 0}" "columns: [{name: only}]" "workloads:" "$@" > grid.yaml
}

@test "each table of STREAM says so once, in every format that has a footer" {
	terms_grid "  - {workload: stream, parameters: {size: 1000000, ntimes: 2}}" \
		"  - {workload: stream, variant: {affinity: per-thread}, parameters: {size: 1000000, ntimes: 2}}"
	"$schedgrid" run grid.yaml -o run
	local format
	for format in mmtests mmtests-2016 pct avg markdown; do
		run "$schedgrid" compare --format $format run
		[ "$status" -eq 0 ]
		[ "$(grep -cF "$label" <<< "$output")" -eq 1 ]
	done
}

@test "a workload without such terms has none in its plan" {
	terms_grid "  - {workload: pipe, parameters: {loops: 10}}"
	run "$schedgrid" plan --json grid.yaml
	[ "$status" -eq 0 ]
	says '"terms": []'
	terms_grid "  - {workload: pipe, parameters: {loops: 10}}" "  - {workload: stream}"
	run "$schedgrid" plan --json grid.yaml
	says "$label"
}
