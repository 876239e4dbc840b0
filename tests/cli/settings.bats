#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154 # schedgrid, root and output come from elsewhere
# Settings of columns on kernels that don't exist: set, told, put back, also after a crash.

bats_require_minimum_version 1.5.0
load common
load ../fake-kernels

# Columns $2... of settings against a baseline, $1 iterations each.
settings_grid() {
	cat > s.yaml <<-YAML
	schema: schedgrid-grid-1
	name: settings
	repeat: {iterations: $1, warmup: 0}
	timeout: 20s
	columns:
	  - name: base
	YAML
	shift
	local nr=0 settings
	for settings in "$@"; do
		nr=$((nr + 1))
		printf '  - {name: c%d, settings: %s}\n' $nr "$settings" >> s.yaml
	done
	printf 'workloads: [{workload: "null"}]\n' >> s.yaml
}

# Runs the grid and holds the machine against what it was before.
run_and_compare() {
	values > before
	run "$schedgrid" run s.yaml -o run
	values > after
	diff before after
}

@test "flags of domains are set on every CPU while the column runs, and put back" {
	local kernel
	settings_grid 1 '{sched_domain: {levels: [SMT, MC], set: [SD_BALANCE_WAKE]}}'
	for kernel in 2.6.32 3.2.0 4.9.0 5.7.0; do
		fake_kernel $kernel
		rm -rf run
		run_and_compare
		[ "$status" -eq 0 ]
		[ "$(records_with '"status":"ok"')" -eq 2 ]
		[ ! -s "$root/var/lib/schedgrid/journal" ]
	done
}

@test "BL-019: the number that is written is the one of the kernel that reads it" {
	settings_grid 500 '{sched_domain: {levels: [MC], set: [SD_BALANCE_WAKE]}}'
	sed -i '/name: base/d' s.yaml
	fake_kernel 4.9.0
	"$schedgrid" run s.yaml -o run &
	wait_records 1
	[ "$(cat "$root"/proc/sys/kernel/sched_domain/cpu3/domain1/flags)" -eq 4671 ]
	[ "$(cat "$root"/proc/sys/kernel/sched_domain/cpu3/domain0/flags)" -eq 4783 ]
	kill $!
	wait $! || true
	[ "$(cat "$root"/proc/sys/kernel/sched_domain/cpu3/domain1/flags)" -eq 4655 ]
}

@test "what a kernel can't do is skipped with the reason, and nothing is changed" {
	local kernel
	settings_grid 1 '{sched_domain: {set: [SD_BALANCE_WAKE]}}'
	for kernel in 5.10.0 6.1.0 6.12.0; do
		fake_kernel $kernel
		rm -rf run
		run_and_compare
		says "c1: skipped: kernel $kernel prints names in"
		[ "$(records_with '"status":"skipped"')" -eq 1 ]
	done
	fake_kernel 5.7.0
	chmod 444 "$root"/proc/sys/kernel/sched_domain/cpu*/domain*/flags
	run "$schedgrid" plan s.yaml
	says "will be skipped: this kernel lets nobody write '/proc/sys/kernel/sched_domain/cpu0/domain0/flags'"
	fake_kernel 6.1.0
	rm -r "$root/sys/kernel/debug/sched/domains"
	run "$schedgrid" plan s.yaml
	says "will be skipped: kernel 6.1.0 shows no sched_domains"
}

@test "BL-025: a flag under its other name is the same, one that a kernel lacks is no flag" {
	fake_kernel 3.2.0
	settings_grid 1 '{sched_domain: {clear: [SD_SHARE_LLC]}}'
	run_and_compare
	[ "$(records_with '"status":"ok"')" -eq 2 ]
	settings_grid 1 '{sched_domain: {set: [SD_NUMA]}}'
	run "$schedgrid" plan s.yaml
	says "will be skipped: kernels 2.6.36 to 3.4 have no sched_domain flag SD_NUMA"
	settings_grid 1 '{sched_domain: {levels: [NUMA], set: [SD_BALANCE_WAKE]}}'
	run "$schedgrid" plan s.yaml
	says "will be skipped: no CPU has a sched_domain of level NUMA"
}

@test "a flag that is but a word is skipped, or accepted and told in the title" {
	fake_kernel 4.9.0
	settings_grid 1 '{sched_domain: {clear: [SD_SHARE_PKG_RESOURCES]}}'
	run "$schedgrid" plan s.yaml
	says "will be skipped: a write to SD_SHARE_PKG_RESOURCES changes nothing in kernel 4.9.0"
	settings_grid 1 '{sched_domain: {clear: [SD_SHARE_PKG_RESOURCES], accept: word-only}}'
	run_and_compare
	[ "$(records_with '"column":"c1 (word-only)"')" -eq 1 ]
	fake_kernel 3.2.0
	rm -rf run
	run_and_compare
	[ "$(records_with '"column":"c1"')" -eq 1 ]
}

@test "knobs are found in their places, under their names of each kernel" {
	local kernel
	settings_grid 1 '{governor: performance, sysctl: {vm.swappiness: 10}}' \
		'{tunables: {sched_migration_cost_ns: 7}}' '{tunables: {base_slice_ns: 7}}' \
		'{turbo: "off", thp: never, autogroup: "off", numa_balancing: "on"}' \
		'{smt: "off"}' '{features: [WA_WEIGHT]}' \
		'{offline: "3", before: [sync, drop_caches]}'
	for kernel in 2.6.32 4.9.0 5.7.0 6.1.0 6.12.0; do
		fake_kernel $kernel
		rm -rf run
		run_and_compare
		"$schedgrid" plan s.yaml | awk '/^[0-9a-f]/ { c = $2 } /skipped/ { print c }' > skipped
		case $kernel in
		2.6.32) [ "$(xargs < skipped)" = "c3 c4 c6" ] ;;
		4.9.0 | 5.7.0) [ "$(xargs < skipped)" = c3 ] ;;
		*) [ "$(xargs < skipped)" = "" ] ;;
		esac
		[ "$(records_with '"status":"ok"')" -eq $((8 - $(wc -l < skipped))) ]
		[ "$(cat "$root/proc/sys/vm/drop_caches")" = 3 ]
	done
}

@test "a feature that isn't there, and a governor: the nearest, and what there is" {
	fake_kernel 4.9.0
	settings_grid 1 '{features: [NO_TTWU_QUEU]}' '{governor: schedutil}' '{sysctl: {vm.none: 1}}'
	run "$schedgrid" plan s.yaml
	says "has no scheduler feature 'TTWU_QUEU' (expected TTWU_QUEUE?)"
	says "knows no governor 'schedutil' (it has performance powersave)"
	says "kernel 4.9.0 has no sysctl 'vm.none'"
}

@test "BL-079: one CPU that refuses the governor, and a machine without any" {
	fake_kernel 4.9.0
	settings_grid 1 '{governor: performance}'
	chmod 444 "$root/sys/devices/system/cpu/cpufreq/policy2/scaling_governor"
	run_and_compare
	says "c1: skipped: this kernel lets nobody write '/sys/devices/system/cpu/cpufreq/policy2/scaling_governor'"
	rm -rf "$root/sys/devices/system/cpu/cpufreq" run
	run_and_compare
	says "c1: skipped: this machine has no frequency governors"
}

@test "BL-047: a setting that others change under way flags the record, and is set anew" {
	fake_kernel 4.9.0
	cat > s.yaml <<-YAML
	schema: schedgrid-grid-1
	name: changed
	repeat: {iterations: 2, warmup: 0}
	columns: [{name: c1, settings: {governor: performance}}]
	workloads:
	  - workload: exec
	    command: [/bin/sh, -c, "echo powersave > $root/sys/devices/system/cpu/cpufreq/policy1/scaling_governor; echo 1.5"]
	    metrics: [{name: t, unit: s, better: lower, regex: '([0-9.]+)'}]
	YAML
	values > before
	"$schedgrid" run s.yaml -o run --allow-exec
	values > after
	diff before after
	[ "$(records_with '"setting-changed"')" -eq 2 ]
	[ "$(records_with "policy1/scaling_governor' was set to 'performance' and says 'powersave'")" -eq 2 ]
}

@test "after kill -9 restore puts everything back, and so does the next run" {
	local kernel
	settings_grid 100 '{sched_domain: {set: [SD_BALANCE_WAKE]}, governor: performance}' \
		'{smt: "off", thp: never}'
	fake_kernel 4.9.0
	values > before
	for _ in 1 2 3 4; do
		setsid "$schedgrid" run s.yaml -o run > /dev/null 2>&1 &
		pid=$!
		sleep "0.$((RANDOM % 15 + 10))"
		kill -KILL -- -$pid || true
		wait $pid || true
		"$schedgrid" restore --dry-run > left
		"$schedgrid" restore
		values > after
		diff before after
	done
	run "$schedgrid" restore
	[ "$output" = "schedgrid: nothing to restore" ]
	# What a dead run left by itself: a journal, and values that are others than before.
	f=/proc/sys/vm/swappiness
	mkdir -p "$root/var/lib/schedgrid"
	touch "$root/var/lib/schedgrid/journal.lock"
	left='{"schema":"schedgrid-journal-1","boot_id":"11111111-2222-3333-4444-555555555555","run":"gone","writes":[{"kind":"value","path":"'$f'","before":"60","after":"10"}]}'
	echo "$left" > "$root/var/lib/schedgrid/journal"
	echo 10 > "$root$f"
	run "$schedgrid" restore --dry-run
	[ "$output" = "$f	before '60'	set '10'	now '10'" ]
	null_grid 1 1
	run "$schedgrid" run null.yaml -o run0
	says "1 settings that a run in 'gone' left were put back"
	[ "$(cat "$root$f")" = 60 ]
	# Of an earlier start of the kernel nothing is in force.
	echo "${left/11111111/22222222}" > "$root/var/lib/schedgrid/journal"
	echo 33 > "$root$f"
	run "$schedgrid" restore
	says "the machine was started anew since"
	[ "$(cat "$root$f")" = 33 ]
}

@test "a damaged journal, and one that names other files, is refused until it is dropped" {
	local state text
	fake_kernel 4.9.0
	state=$root/var/lib/schedgrid
	mkdir -p "$state"
	touch "$state/journal.lock"
	put /etc/passwd x
	for text in 'nonsense' '{"schema":"schedgrid-journal-2","boot_id":"b","writes":[]}' \
		'{"schema":"schedgrid-journal-1","boot_id":"11111111-2222-3333-4444-555555555555","writes":[{"kind":"value","path":"/etc/passwd","before":"60","after":"10"}]}' \
		'{"schema":"schedgrid-journal-1","boot_id":"11111111-2222-3333-4444-555555555555","writes":[{"kind":"value","path":"/sys/../etc/passwd","before":"60","after":"10"}]}'; do
		echo "$text" > "$state/journal"
		run "$schedgrid" restore
		[ "$status" -eq 4 ]
		says "is damaged"
		null_grid 1 1
		run "$schedgrid" run null.yaml -o run
		[ "$status" -eq 4 ]
	done
	[ "$(cat "$root/etc/passwd")" = x ]
	"$schedgrid" restore --forget
	"$schedgrid" restore
	printf '{"schema":' > "$state/journal" # torn: nothing of it was written
	"$schedgrid" run null.yaml -o run
}

@test "a run with settings is alone on its machine" {
	fake_kernel 4.9.0
	settings_grid 1 '{governor: performance}'
	mkdir -p "$root/var/lib/schedgrid"
	touch "$root/var/lib/schedgrid/journal.lock"
	exec 9< "$root/var/lib/schedgrid/journal.lock"
	flock -s 9
	run "$schedgrid" run s.yaml -o run
	[ "$status" -eq 75 ]
	says "another run measures on this machine"
	null_grid 1 1
	"$schedgrid" run null.yaml -o run0
	flock -x 9
	run "$schedgrid" run null.yaml -o run1
	[ "$status" -eq 75 ]
	says "another run has changed settings of this machine"
}

@test "CPUs that are offline under settings are in no cell of the column" {
	fake_machine
	cat > s.yaml <<-YAML
	schema: schedgrid-grid-1
	name: cpus
	columns:
	  - {name: base}
	  - {name: c1, settings: {offline: "1,3"}}
	  - {name: c2, pin: "0-1", settings: {offline: "1"}}
	workloads: [{workload: "null"}]
	YAML
	fake_kernel 4.9.0
	export HWLOC_FSROOT=$PWD/root HWLOC_THISSYSTEM=0 HWLOC_COMPONENTS=linux,stop
	run "$schedgrid" plan s.yaml
	says "c1  null  step=1  CPUs 0,2,4,6-7"
	says "will be skipped: 1 of its 2 CPUs are missing under the settings of column 'c2'"
}

@test "only a tree that was made for it is taken for the machine" {
	null_grid 1 1
	mkdir real
	SCHEDGRID_FSROOT=$PWD/real run "$schedgrid" run null.yaml -o run
	[ "$status" -eq 2 ]
	says "expected the absolute path of a folder with a file 'fake-tree' in it"
	SCHEDGRID_FSROOT=kernel run "$schedgrid" restore
	[ "$status" -eq 2 ]
}
