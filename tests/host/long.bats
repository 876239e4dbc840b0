#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Long runs and small limits: what the runner holds does not grow.

bats_require_minimum_version 1.5.0
load host

teardown() {
	end_started
	[ -z "${dir-}" ] || rm -rf "$dir"
}

# Descriptors, resident KiB and children of the worker, once the ledger has $1 records.
sample() {
	until [ "$(wc -l < "$ledger")" -ge "$1" ]; do
		[ -d "/proc/$worker" ] || return 1
		sleep 0.03
	done
	fds=$(find "/proc/$worker/fd" -type l | wc -l)
	rss=$(awk '/^VmRSS:/ { print $2 }' "/proc/$worker/status")
	children=$(pgrep -P "$worker" | wc -l)
}

@test "BL-065: 5000 iterations with 64 descriptors: flat in descriptors, memory, children" {
	null_grid 1 5000
	[ -w /dev/shm ] || skip "host: no /dev/shm"
	# In memory: the disk's speed is not what is looked at.
	local ledger
	dir=$(mktemp -d /dev/shm/schedgrid-long-XXXXXX)
	ledger=$dir/run/records.jsonl
	(ulimit -n 64; exec "$schedgrid" run null.yaml -o "$dir/run" 2> run.err 3>&-) &
	local pid=$!
	for _ in $(seq 200); do
		[ -s "$ledger" ] && break
		sleep 0.05
	done
	find_worker $pid
	[ "$worker" ]
	sample 500
	local first_fds=$fds first_rss=$rss
	sample 4500
	echo "# at 500 and 4500: $first_fds and $fds descriptors," \
		"$first_rss and $rss KiB resident, $children children" >&3
	wait $pid
	local ok
	ok=$(grep -c '"status":"ok"' "$ledger")
	[ "$ok" -eq 5000 ]
	# One more while a child is being started.
	[ "$fds" -le $((first_fds + 4)) ]
	[ $((rss - first_rss)) -lt 256 ]
	[ "$children" -le 1 ]
}

@test "BL-097: arrays of more than 2 GiB each are computed right" {
	local free
	free=$(awk '/^MemAvailable:/ { print int($2 / 1024) }' /proc/meminfo)
	[ "$free" -gt 9000 ] || skip "host: less than 9 GB of memory are free"
	cat > null.yaml <<-YAML
	schema: schedgrid-grid-1
	name: large
	executor: {type: local}
	repeat: {iterations: 1, warmup: 0}
	columns:
	  - name: only
	workloads:
	  - workload: stream
	    parameters: {threads: 2, size: 300000000, ntimes: 2}
	YAML
	"$schedgrid" run null.yaml -o run
	[ "$(records_with '"status":"ok"')" -eq 1 ]
	grep -q '"validated":true' run/raw/*/*/stdout
}

# A memory control group of 50 MB as $group, and the file that moves a process in.
make_group() {
	local base=/sys/fs/cgroup
	if [ -d $base/memory ] && group=$base/memory/schedgrid-test-$$ &&
		mkdir "$group" 2> /dev/null; then
		echo 50M > "$group/memory.limit_in_bytes"
		# Swap would let it live on.
		echo 50M > "$group/memory.memsw.limit_in_bytes" 2> /dev/null || true
	elif grep -qw memory $base/cgroup.subtree_control 2> /dev/null &&
		group=$base/schedgrid-test-$$ && mkdir "$group" 2> /dev/null; then
		echo 50M > "$group/memory.max"
		echo 0 > "$group/memory.swap.max" 2> /dev/null || true
	else
		skip "host: no memory control group can be made"
	fi
}

# Runs null.yaml in the group $group; the exit status goes to $code.
run_in_group() {
	code=0
	(echo "$BASHPID" > "$group/cgroup.procs"
		exec "$schedgrid" run null.yaml -o run --allow-exec 2> run.err) || code=$?
	rmdir "$group" || true
	cat run.err
	[ "$(wc -l < run/records.jsonl)" -eq 1 ]
}

@test "BL-007: a program that the kernel ends for want of memory is no result" {
	make_group
	null_grid 1 1
	sed -i '/workload: "null"/,$d' null.yaml
	# It reads on until a line ends, and keeps what it has read.
	cat >> null.yaml <<-YAML
	  - workload: exec
	    command: [tail, -n, "1", /dev/zero]
	    metrics: [{name: a, unit: s, better: lower, json: a}]
	YAML
	run_in_group
	[ "$code" -eq 1 ]
	[ "$(records_with '"status":"failed","reason":"killed by signal 9')" -eq 1 ]
	[ "$(records_with '"metrics":\[\]')" -eq 1 ]
}

@test "what needs more memory than its control group has is not begun" {
	make_group
	null_grid 1 1
	sed -i '/workload: "null"/,$d' null.yaml
	echo "  - {workload: stream, parameters: {threads: 1, size: 20000000}}" >> null.yaml
	run_in_group
	[ "$code" -eq 0 ]
	[ "$(records_with '"status":"skipped","reason":"needs .*memory')" -eq 1 ]
}
