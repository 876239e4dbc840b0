#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154 # schedgrid and output come from elsewhere
# schedgrid ab: two settings against each other, and the grid that it makes. On a made-up
# machine of several CPUs for plans; what runs needs one CPU only.

bats_require_minimum_version 1.5.0
load common

# A CPU that this process may use.
first_cpu() {
	sed -n 's/^Cpus_allowed_list:\t\([0-9]*\).*/\1/p' /proc/self/status
}

@test "a dry run prints a grid that plan takes, and starts nothing" {
	fake_machine
	run --separate-stderr "$schedgrid" ab pin=0 pin=0-3 --time 10m -n
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	says "schema: schedgrid-grid-1"
	says "budget: 600000ms"
	says "pin: '0-3'"
	echo "$output" > grid.yaml
	run -0 "$schedgrid" plan grid.yaml
	says "2 columns x 5 rows"
	says "CPUs 0-3"
	[ ! -e results ]
}

# On a machine of one CPU both sides are the same.
@test "two settings are run in turn, with tables and one verdict line last" {
	first=$(first_cpu)
	run --separate-stderr "$schedgrid" ab "pin=$first" running --allow-same --time 2s \
		--workload 'null script=2,hackbench groups=1 fds=2 loops=5' -o run
	echo "$output$stderr"
	[ "$status" -eq 0 ]
	says "hackbench-process-pipes"
	[[ $output == *"differs: pin: A: $first; B: -"* ]]
	[[ ${output##*$'\n'} == "B against A: "*" of 2 rows"* ]]
	[[ ${output##*$'\n'} == *"same in "* ]]
	grep -q "pin: '$first'" run/grid.yaml
	# In turn: the first two of a block are both columns of one row.
	[ "$(grep -v warmup run/records.jsonl | head -2 | grep -o '"column":"[AB]"' |
		sort -u | wc -l)" -eq 2 ]
	# The same command goes on with the same run, which has all.
	run -0 "$schedgrid" ab "pin=$first" running --allow-same --time 2s \
		--workload 'null script=2,hackbench groups=1 fds=2 loops=5' -o run
	says "nothing was missing"
}

@test "what programs read stays whole: the verdict goes to the messages" {
	run --separate-stderr "$schedgrid" ab "pin=$(first_cpu)" running --allow-same --time 1s \
		--workload 'null script=2' --format json -o run
	[ "$status" -eq 0 ]
	[[ $output == "{"*'"schedgrid-compare-1"'* ]]
	[[ ${output##*$'\n'} != *"against"* ]]
	[[ $stderr == *"B against A: same in 1 of 1 row"* ]]
}

@test "a cell that fails is said and exits with 1" {
	run "$schedgrid" ab "pin=$(first_cpu)" running --allow-same --time 1s \
		--workload 'null script=fail' -o run
	[ "$status" -eq 1 ]
	[[ ${output##*$'\n'} == "B against A: missing in 1 of 1 row" ]]
}

@test "what is no kernel and no setting is refused in one sentence" {
	run -2 "$schedgrid" ab vmlinuz pin=0
	says "ab: A: 'vmlinuz' was taken for a kernel, and there is no such file (expected a bzImage, a .deb, a build directory"
	[ "${#lines[@]}" -eq 1 ]
	echo "not a kernel" > text
	run -2 "$schedgrid" ab pin=0 text
	says "ab: B was taken for a kernel: '$PWD/text' is no kernel image (expected a bzImage for x86)"
	run -2 "$schedgrid" ab running pin=0 --on guests
	says "did you mean 'guest'?"
	run -2 "$schedgrid" ab running running
	says "ab: columns 'A' and 'B' are the same in effect"
	run -2 "$schedgrid" ab running
	says "two sides expected"
	run -2 "$schedgrid" ab pin=0 running --workload 'hackbench groups=0'
	says "ab: groups: '0' is out of range"
	run -2 "$schedgrid" ab pin=0 running --format jsn
	says "did you mean 'json'?"
	run -2 "$schedgrid" ab pin=0 running --time soon
	says "--time: 'soon' is not a duration"
	[ ! -e results ]
}
