#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154 # schedgrid and output come from elsewhere
# What is kept of the kernels of a run, and what compare says of their configurations.

load common

kernels=$BATS_TEST_DIRNAME/../fixtures/kernels

@test "footers say option by option what differs between the kernels" {
	local format
	for format in mmtests mmtests-2016 lkp pct avg perf-stat markdown mail; do
		run "$schedgrid" compare --format $format "$kernels/old" "$kernels/new"
		[ "$status" -eq 0 ]
		says 'differs: CONFIG_HZ: old: 250; new: 1000'
		says 'differs: CONFIG_SCHED_CORE: old: not set; new: y'
		says 'differs: CONFIG_CC_VERSION_TEXT: old: "gcc-12"; new: "gcc-13"'
		says 'differs: CONFIG_E1000: old: m; new: not set'
		[[ "$output" != *CONFIG_NUMA* ]]
		[ "$(grep -c CONFIG_HZ <<< "$output")" -eq 1 ]
	done
	run "$schedgrid" compare --format html "$kernels/old" "$kernels/new"
	says '<th scope="row">CONFIG_HZ</th><td>250</td><td>1000</td>'
	says '<th scope="row">commit</th><td><span class="dim">not known</span></td><td>0123456789ab</td>'
	run "$schedgrid" compare --format mail "$kernels/old" "$kernels/new"
	says "differs: commit: old: -; new: 0123456789ab"
}

@test "of many options the text formats show ten, and how many more there are" {
	local i
	cp -r "$kernels/old" "$kernels/new" .
	for i in $(seq 43); do
		echo "CONFIG_NEW_$i=y" >> new/hosts/b1.config
	done
	run "$schedgrid" compare old new
	[ "$(grep -c 'differs: CONFIG_' <<< "$output")" -eq 10 ]
	says "differs: and 37 more options of the kernels' configurations (--format"
	run "$schedgrid" compare --format html old new
	says CONFIG_NEW_43
}

@test "runs without configurations, or with one of them, compare as before" {
	cp -r "$kernels/old" "$kernels/new" .
	rm new/hosts/b1.config
	run "$schedgrid" compare old new
	[ "$status" -eq 0 ]
	[[ "$output" != *CONFIG_* ]]
	rm old/hosts/b1.config
	run "$schedgrid" compare --format mail old new
	[ "$status" -eq 0 ]
	[[ "$output" != *CONFIG_* ]]
}

@test "a run keeps the configuration that it names, where there is one" {
	printf '%s\n' 'schema: schedgrid-grid-1' 'name: one' 'executor: {type: local}' \
		'repeat: {iterations: 1}' 'columns: [{name: a}]' 'workloads:' \
		'  - workload: "null"' > grid.yaml
	"$schedgrid" run grid.yaml -o out
	if grep -q config_sha256 out/hosts/b1.json; then
		grep -q '^CONFIG_' out/hosts/b1.config
	else
		[ ! -e out/hosts/b1.config ]
	fi
}
