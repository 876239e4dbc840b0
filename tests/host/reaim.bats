#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154 # schedgrid and output come from elsewhere
# The reaim workload where it gets no room, no processes, and its programs counted.

bats_require_minimum_version 1.5.0
load ../cli/common

program=${schedgrid%/*}/programs/reaim
[ -x "$program" ] || program=$BATS_TEST_DIRNAME/../../build/release/programs/reaim

# Options of a run of users $1 and jobs $2, with sync mode $3, as $options.
ask() {
	options=(--mix=five_sec "--sync_mode=$3" "--users=$1" "--jobs=$2" --repeat=1
		--filesize=1 --poolsize=2000 "--diskdir=$PWD" --workfile= --sum=0)
}

# A control group of our own for processes, as $group; it goes with the test.
make_group() {
	local top=/sys/fs/cgroup
	[ -e $top/cgroup.controllers ] || top=$top/pids
	[ "$(id -u)" -eq 0 ] || skip "host: control groups take root"
	group=$top/schedgrid-test-$$
	mkdir "$group" 2> /dev/null || skip "host: no control groups of processes here"
	[ -e "$group/pids.max" ] || skip "host: no control groups of processes here"
}

teardown() {
	[ -z "${group:-}" ] || rmdir "$group" 2> /dev/null || true
}

@test "five_sec executes sync 99 times a user, as the kernel sees it" {
	command -v strace > /dev/null || skip "no strace"
	ask 2 100 exec-sync
	strace -f -qq -o calls -e trace=execve "$program" "${options[@]}" > out
	[ "$(grep -c 'execve("[a-z/]*/sync"' calls)" -eq 198 ]
	grep -q '"execs":198,' out
}

@test "a full disk ends reaim with one sentence, and nothing is left on it" {
	[ "$(id -u)" -eq 0 ] || skip "host: mounting takes root"
	unshare -m --propagation private true || skip "host: no private mounts here"
	ask 3 100000 off
	mkdir disk
	for size in 500k 2m; do
		# shellcheck disable=SC2016 # the inner shell's
		run unshare -m --propagation private bash -c '
			mount -t tmpfs -o size=$0 none disk
			"$@" --diskdir="$PWD/disk"
			echo "status $?, left: $(ls disk)"' \
			$size "$program" "${options[@]}" --limit=20
		[ "${#lines[@]}" -eq 2 ]
		says "No space left on device"
		says "status 1, left: "
		[[ "${lines[1]}" == *"left: " ]]
	done
}

@test "too few processes end reaim with one sentence, and the runner doesn't start it" {
	make_group
	ask 8 20 exec-true
	# shellcheck disable=SC2016 # the inner shell's
	run -1 bash -c 'echo $$ > "$0/cgroup.procs" && echo 5 > "$0/pids.max" && exec "$@"' \
		"$group" "$program" "${options[@]}"
	[[ "$output" =~ ^"reaim: cannot fork child "[0-9]" of 8: Resource temporarily unavailable"$ ]]
	[ -z "$(find . -name 'schedgrid-reaim-*')" ]
	cat > reaim.yaml <<-YAML
	schema: schedgrid-grid-1
	name: reaim
	executor: {type: local}
	repeat: {iterations: 1, warmup: 0}
	columns:
	  - name: only
	workloads:
	  - workload: reaim
	    parameters: {users: 8, jobs: 20}
	YAML
	# shellcheck disable=SC2016 # the inner shell's
	run bash -c 'echo $$ > "$0/cgroup.procs" && echo 20 > "$0/pids.max" && "$1" run reaim.yaml -o run' \
		"$group" "$schedgrid"
	[ "$(records_with '"status":"skipped","reason":"needs 25 tasks')" -eq 1 ]
}
