#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154 # schedgrid, output and status come from elsewhere
# The monitor placement: in guests, and with this machine's tracefs.

bats_require_minimum_version 1.5.0

load host

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
}

# Writes place.yaml: executor $1, kernel $2 (none: the running one), workloads behind it.
placement_grid() {
	cat > place.yaml <<-YAML
	schema: schedgrid-grid-1
	name: place
	executor: {$1}
	repeat: {iterations: 1, warmup: 0}
	timeout: 60s
	monitors: [placement]
	columns:
	  - name: only
	${2:+    kernel: {image: "$2"\}}
	workloads:
	  - workload: stream
	    parameters: {threads: [4], size: 100000}
	YAML
}

# Sample of metric $1 in the only record of run $2.
sample() {
	grep -o "\"name\":\"$1\",[^}]*\"samples\":\[[^]]*" "$2/records.jsonl" |
		sed 's/.*\[//'
}

# Our instances of tracefs; none where there is no tracefs.
instances() {
	find /sys/kernel/tracing/instances -maxdepth 1 -name 'schedgrid-*' 2> /dev/null | wc -l
}

has_tracefs() {
	[ "$EUID" -eq 0 ] || skip "host: not root"
	[ -w /sys/kernel/tracing/instances ] || skip "host: no tracefs that can be written"
	[ -d /sys/kernel/tracing/events/sched/sched_wakeup_new ] ||
		skip "host: the kernel has no scheduler events"
}

@test "two boots of a deterministic guest place threads alike" {
	command -v qemu-system-x86_64 > /dev/null || skip "QEMU is not installed"
	kernels=$("${SCHEDGRID_SOURCE:-$BATS_TEST_DIRNAME/../..}"/tools/fetch-kernels.sh)
	placement_grid "type: guest, topology: two-node-8, accel: tcg, mode: deterministic" \
		"$kernels/6.12/vmlinuz"
	sed -i 's/\[placement\]/[placement, schedstat]/' place.yaml
	run -0 "$schedgrid" run place.yaml -o one
	run -0 "$schedgrid" run place.yaml -o two
	# QEMU was seen to count otherwise once in a hundred boots; then a third one decides.
	if ! cmp one/raw/*/b1c1-i1-a1/placement.trace two/raw/*/b1c1-i1-a1/placement.trace; then
		run -0 "$schedgrid" run place.yaml -o three
		cmp one/raw/*/b1c1-i1-a1/placement.trace three/raw/*/b1c1-i1-a1/placement.trace ||
			cmp two/raw/*/b1c1-i1-a1/placement.trace \
				three/raw/*/b1c1-i1-a1/placement.trace
	fi
	[ "$(sample new-tasks one)" = 3.0 ]
	[ -n "$(sample ttwu one)" ]
	[ -n "$(sample pulled-newidle one)" ]
	[ "$(grep -c '^cpu ' one/raw/*/b1c1-i1-a1/placement.trace)" -eq 8 ]
	[ "$(grep -c '^new ' one/raw/*/b1c1-i1-a1/placement.trace)" -eq 4 ]
	grep -q '"name":"new-node-largest","unit":"%"' one/records.jsonl
	run -0 "$schedgrid" compare one --all
	says new-cpu-entropy
	says "monitors placement, schedstat"
}

@test "a workload of this machine is traced, and nothing stays in tracefs" {
	has_tracefs
	before=$(instances)
	placement_grid "type: local"
	run -0 "$schedgrid" run place.yaml -o run
	[ "$(sample new-tasks run)" = 3.0 ]
	[ "$(instances)" -le "$before" ]
	run -0 "$schedgrid" reparse run
	[ "$(wc -l < run/records.jsonl)" -eq 1 ]
}

@test "what a killed run left in tracefs is removed by the next one" {
	has_tracefs
	# No process has the number, since pid_max is at most 4194304.
	left=/sys/kernel/tracing/instances/schedgrid-4194305
	mkdir "$left"
	placement_grid "type: local"
	"$schedgrid" run place.yaml -o run || rmdir "$left"
	[ ! -e "$left" ]
}

@test "without the right to trace the cells are skipped with the reason" {
	[ "$EUID" -eq 0 ] || skip "host: not root"
	placement_grid "type: local"
	chmod 755 "$BATS_RUN_TMPDIR" "${BATS_TEST_TMPDIR%/*}" .
	mkdir -m 777 open
	mkdir bin
	cp -r "${schedgrid%/*}/programs" "$(readlink -f "$schedgrid")" bin/
	run -0 setpriv --reuid=65534 --regid=65534 --clear-groups \
		bin/schedgrid run place.yaml -o open/run
	grep -q '"status":"skipped","reason":"monitor placement: ' open/run/records.jsonl
}
