#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Guests: real kernels under QEMU, and every way in which one can fail to start, to stay
# or to tell the truth. The kernels are those of tools/fetch-kernels.sh.

bats_require_minimum_version 1.5.0

load host

setup_file() {
	# shellcheck disable=SC2155
	export KERNELS=$("${SCHEDGRID_SOURCE:-$BATS_TEST_DIRNAME/../..}"/tools/fetch-kernels.sh)
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	command -v qemu-system-x86_64 > /dev/null || skip "QEMU is not installed"
	old=$KERNELS/6.1/vmlinuz
	new=$KERNELS/6.12/vmlinuz
}

# Writes guest.yaml: the null workload on a small guest. $1 more of the executor, $2 more
# of the kernel, $3 repeat, $4 script.
guest_grid() {
	cat > guest.yaml <<-YAML
	schema: schedgrid-grid-1
	name: guests
	executor: {type: guest, topology: one-node-2, accel: tcg, ${1:-timeout: 60s}}
	repeat: ${3:-{iterations: 1, warmup: 0\}}
	timeout: 20s
	columns:
	  - name: only
	    kernel: {image: "${image:-$new}"${2:+, $2}}
	workloads:
	  - workload: "null"
	    parameters: {script: "${4:-1}"}
	YAML
}

# Nothing of QEMU stays that works below here.
nothing_left() {
	[ "$(started_here)" -eq 0 ]
	[ -z "$(find run/raw -name initrd.cpio)" ]
}

# The run fails, and its only record has status $1 and a reason with $2 in it.
fails_as() {
	run -1 "$schedgrid" run guest.yaml -o run
	echo "$output"
	cat run/records.jsonl
	[ "$(wc -l < run/records.jsonl)" -eq 1 ]
	grep -q "\"status\":\"$1\"" run/records.jsonl
	grep -qF -- "$2" run/records.jsonl
	[ "$(grep -c '"samples"' run/records.jsonl)" -eq 0 ]
	nothing_left
}

# The grid's run, which must end complete. An emulated kernel can panic by itself on a busy
# machine; that boot is broken, never failed, and the same command makes up for it.
completes() {
	local _ code
	for _ in 1 2 3; do
		code=0
		"$schedgrid" run guest.yaml -o run || code=$?
		[ "$code" -ne 0 ] || return 0
		grep -o '"status":"[a-z]*","reason":"[^"]*"' run/records.jsonl || true
		[ "$(grep -c '"status":"broken"' run/records.jsonl)" -gt 0 ]
		[ "$(grep -c '"status":"failed"' run/records.jsonl)" -eq 0 ]
	done
	return 1
}

# Waits until QEMU of the first boot is there; 10 s at most.
wait_guest() {
	local _
	for _ in $(seq 200); do
		[ -e run/raw/guest/b1c1/console.log ] && return 0
		sleep 0.05
	done
	return 1
}

@test "two kernels on eight CPUs and two nodes, each proven by itself" {
	cat > guest.yaml <<-YAML
	schema: schedgrid-grid-1
	name: guests
	executor: {type: guest, topology: two-node-8, accel: tcg}
	repeat: {boots: 2, iterations: 2, warmup: 1}
	columns:
	  - name: old
	    kernel: {image: "$old", policy: v6.1.192}
	  - name: new
	    kernel: {image: "$new", cmdline: "mitigations=off"}
	workloads:
	  - workload: hackbench
	    parameters: {groups: 1, loops: 5, fds: 2}
	YAML
	completes
	[ "$(grep -c '"status":"ok","flags":\["emulated"\]' run/records.jsonl)" -eq 8 ]
	[ "$(grep -c '"warmup"' run/records.jsonl)" -ge 4 ]
	[ "$(grep -o '"boot":"[a-z0-9]*"' run/records.jsonl | sort -u | wc -l)" -ge 4 ]
	grep -q '"release": "6\.1\.' run/hosts/b1c1.json
	grep -q '"release": "6\.12\.' run/hosts/b*c2.json
	grep -q '"build_id": "[0-9a-f]\{40\}"' run/hosts/b*c2.json
	grep -q 'mitigations=off' run/hosts/b*c2.json
	for level in SMT MC NUMA; do grep -q "\"name\": \"$level\"" run/hosts/b1c1.json; done
	grep -q SD_SHARE_PKG_RESOURCES run/hosts/b1c1.json
	grep -q SD_SHARE_LLC run/hosts/b*c2.json
	[ -s run/raw/guest/b1c1/console.log ]
	run -0 "$schedgrid" compare run
	says "flags emulated"
	nothing_left
	run -0 "$schedgrid" run guest.yaml -o run
	says "nothing was missing"
}

@test "a kernel that panics breaks the cell, with the panic as the reason" {
	guest_grid "" 'cmdline: "rdinit=/none root=/dev/none"'
	fails_as broken "Kernel panic - not syncing"
}

@test "a guest that says nothing is ended at its limit" {
	guest_grid "timeout: 1s"
	fails_as broken "the guest said nothing for 1.0s"
}

@test "a program that never ends is cut off in the guest, and the next one runs" {
	guest_grid "" "" "{iterations: 2, warmup: 0}" "hang 1"
	sed -i 's/^timeout: .*/timeout: 1s/' guest.yaml
	run -1 "$schedgrid" run guest.yaml -o run
	[ "$(grep -c '"status":"timeout"' run/records.jsonl)" -eq 1 ]
	[ "$(grep -c '"status":"ok"' run/records.jsonl)" -eq 1 ]
	nothing_left
}

@test "QEMU that is killed leaves a reason and no process" {
	guest_grid
	"$schedgrid" run guest.yaml -o run 2> run.err 3>&- &
	pid=$!
	wait_guest
	for proc in /proc/[0-9]*; do
		[ "$(readlink "$proc/cwd")" != "$PWD/run/raw/guest/b1c1" ] ||
			kill -KILL "${proc#/proc/}"
	done
	code=0
	wait $pid || code=$?
	cat run.err run/records.jsonl
	[ $code -eq 1 ]
	grep -q "QEMU was killed by signal 9" run/records.jsonl
	nothing_left
}

@test "a runner that is killed takes its guest along" {
	guest_grid
	"$schedgrid" run guest.yaml -o run 2> run.err 3>&- &
	pid=$!
	wait_guest
	find_worker $pid
	kill -KILL "$worker"
	wait $pid || true
	wait_gone 5
	run -0 "$schedgrid" run guest.yaml -o run
	[ "$(grep -c '"status":"ok"' run/records.jsonl)" -eq 1 ]
	nothing_left
}

@test "a signal ends the guest, and the run goes on later" {
	guest_grid
	"$schedgrid" run guest.yaml -o run 2> run.err 3>&- &
	pid=$!
	wait_guest
	kill -TERM $pid
	code=0
	wait $pid || code=$?
	[ $code -eq 143 ]
	nothing_left
	run -0 "$schedgrid" run guest.yaml -o run
	[ "$(grep -c '"status":"ok"' run/records.jsonl)" -eq 1 ]
}

@test "a damaged image is the guest's failure and no other" {
	head -c 3000000 "$new" > part
	image=$PWD/part
	guest_grid "timeout: 5s"
	fails_as broken ""
}

@test "what is no kernel is refused before anything runs" {
	echo "not a kernel" > text
	image=$PWD/text
	guest_grid
	run -2 "$schedgrid" run guest.yaml -o run
	says "is no kernel image (expected a bzImage for x86)"
	says "guest.yaml:8:"
	[ ! -e run ]
}

@test "an image that boots another kernel than it says has no records" {
	# The name in the header, which the kernel itself doesn't read.
	sed 's/6\.12\.\([0-9]*\)/6.99.\1/' < "$new" > renamed || true
	cmp -s "$new" renamed && skip "host: sed can't edit the image"
	image=$PWD/renamed
	guest_grid
	fails_as broken "the guest runs kernel 6.12."
}

@test "the same seed twice gives the same records in deterministic mode" {
	guest_grid "mode: deterministic" "" "{boots: 2, iterations: 2, warmup: 0}"
	run -0 "$schedgrid" run guest.yaml -o one
	run -0 "$schedgrid" run guest.yaml -o two
	for dir in one two; do
		sed 's/"start":"[^"]*"/"start":0/' $dir/records.jsonl > $dir.records
		[ "$(wc -l < $dir.records)" -eq 4 ]
	done
	cmp one.records two.records
	cmp one/hosts/b1c1.json two/hosts/b1c1.json
	cmp one/raw/guest/b2c1/console.log two/raw/guest/b2c1/console.log
	# Another boot starts elsewhere, or all boots would be one.
	run -1 cmp -s one/raw/guest/b1c1/guest.jsonl one/raw/guest/b2c1/guest.jsonl
}

@test "without QEMU the cells are skipped, and the package is named" {
	[ "$EUID" -eq 0 ] || skip "host: hiding QEMU needs root"
	unshare -m --propagation private true || skip "host: no private mounts here"
	guest_grid
	# shellcheck disable=SC2016 # the inner shell's own
	run -0 unshare -m sh -c 'mount --bind /dev/null "$(command -v qemu-system-x86_64)" &&
		exec "$@"' sh "$schedgrid" run guest.yaml -o run
	says "Debian package qemu-system-x86"
	grep -q '"status":"skipped"' run/records.jsonl
	[ "$(grep -c '"samples"' run/records.jsonl)" -eq 0 ]
}
