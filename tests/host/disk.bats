#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Disks that are full, read-only or failing under a run: it stops with one sentence and
# exit status 4, what was finished stays, and the same command goes on later.

bats_require_minimum_version 1.5.0
load host

# Runs the rest as a script of bash whose mounts are nobody else's.
privately() {
	[ "$(id -u)" -eq 0 ] || skip "host: mounting takes root"
	unshare -m --propagation private true || skip "host: no private mounts here"
	run unshare -m --propagation private bash -euc "
		source '$BATS_TEST_DIRNAME/disk-steps.bash'
		$1"
	echo "$output"
}

@test "BL-039: a disk without room stops the run, and nothing is lost once there is some" {
	null_grid 1 5
	privately '
		mkdir run
		mount -t tmpfs -o size=512k none run
		fails_with 4 "free for '"'run'"'"
		lines_are 0
		mount -o remount,size=4m run
		completes 5'
	[ "$status" -eq 0 ]
}

@test "BL-039: a disk that fills up under way keeps every finished record" {
	null_grid "sleep:20" 40
	privately '
		mkdir run
		mount -t tmpfs -o size=4m none run
		start
		wait_lines 5
		fill run/filler
		stops_with 4
		grep -qE "No space left|free for" run.err
		all_whole
		[ "$(grep -c "\"status\":\"ok\"" run/records.jsonl)" -eq \
			"$(wc -l < run/records.jsonl)" ]
		rm run/filler
		completes 40'
	[ "$status" -eq 0 ]
}

@test "BL-039: a disk out of inodes" {
	null_grid "sleep:5" 40
	privately '
		mkdir run
		mount -t tmpfs -o size=8m,nr_inodes=40 none run
		fails_with 4 "No space left on device"
		all_whole
		[ "$(wc -l < run/records.jsonl)" -ge 5 ]
		mount -o remount,nr_inodes=4000 run
		completes 40'
	[ "$status" -eq 0 ]
}

@test "a directory that is read-only, from the start and of a run that was begun" {
	null_grid 1 5
	privately '
		mkdir run
		mount --bind run run
		mount -o remount,ro,bind run
		fails_with 4 "Read-only file system"
		mount -o remount,rw,bind run
		"$schedgrid" run null.yaml -o run --only only
		cp run/records.jsonl before
		mount -o remount,ro,bind run
		code=0
		"$schedgrid" run null.yaml -o run --more 2 2> run.err || code=$?
		[ $code -eq 4 ]
		[ "$(wc -l < run.err)" -eq 1 ]
		cmp before run/records.jsonl'
	[ "$status" -eq 0 ]
}

# Runs null.yaml with a system call of the ledger failing now and then.
run_injected() {
	command -v strace > /dev/null || skip "no strace"
	strace -f -qq -o /dev/null -e trace="${1%%:*}" -e inject="$1" true 2> /dev/null ||
		skip "host: no tracing of processes here"
	run strace -f -qq -o strace.out -e trace="${1%%:*}" -e inject="$1" \
		"$schedgrid" run null.yaml -o run
}

@test "a ledger that can't be synced loses nothing that was, and keeps no half record" {
	null_grid 1 8
	run_injected fdatasync:error=EIO:when=4
	[ "$status" -eq 4 ]
	says "cannot write 'run/records.jsonl': Input/output error"
	[ "$(wc -l < run/records.jsonl)" -eq 3 ]
	run_on run
	check_complete run 8
}

@test "half a record that can't be cut back is set aside by the next run" {
	null_grid 1 8
	command -v strace > /dev/null || skip "no strace"
	"$schedgrid" run null.yaml -o run
	printf '{"schema":"schedgrid-record-1","id":"x' >> run/records.jsonl
	run_injected ftruncate:error=EIO:when=1
	[ "$status" -eq 4 ]
	says "cannot mend 'run/records.jsonl'"
	run "$schedgrid" run null.yaml -o run
	[ "$status" -eq 0 ]
	says "was torn; it was moved to"
	check_complete run 8
}

@test "a plan or facts of the host that can't be written stop the run before it begins" {
	null_grid 1 2
	run_injected fsync:error=EIO:when=1+
	[ "$status" -eq 4 ]
	says "Input/output error"
	[ ! -s run/records.jsonl ]
	run_on run
	check_complete run 2
}
