#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# schedgrid doctor on a machine that lacks a program, by hiding it from one shell.

bats_require_minimum_version 1.5.0
load host

@test "a program of others that the grid needs and isn't there is missing, exit status 3" {
	local real
	real=$(command -v hackbench) || skip "no hackbench of rt-tests"
	[ "$(id -u)" -eq 0 ] || skip "host: mounting takes root"
	unshare -m --propagation private true || skip "host: no private mounts here"
	null_grid 1
	sed -i '/workload: "null"/,$d' null.yaml
	cat >> null.yaml <<-YAML
	  - workload: hackbench
	    program: rt-tests
	    parameters: {groups: 1, loops: 10}
	YAML
	run "$schedgrid" doctor null.yaml
	[ "$status" -eq 0 ]
	says "ok      program hackbench (rt-tests): $real"
	run unshare -m --propagation private bash -c \
		"mount --bind /dev/null $real && exec $schedgrid doctor null.yaml"
	[ "$status" -eq 3 ]
	says "missing program hackbench (rt-tests): not found in "
	says "remedy: apt-get install rt-tests"
}
