#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# sysbench and a private PostgreSQL, for real: figures, proofs, and what goes wrong.

bats_require_minimum_version 1.5.0
load host

# A grid of sysbench in one column, or $3 of them: variant, parameters, columns.
sysbench_grid() {
	cat > grid.yaml <<-YAML
	schema: schedgrid-grid-1
	name: sysbench
	executor: {type: local}
	repeat: {iterations: 1, warmup: 0}
	timeout: 60s
	columns: [${3:-{name: only\}}]
	workloads:
	  - workload: sysbench
	    variant: {test: $1}
	    parameters: {$2}
	YAML
}

# The sysbench of transactions that a run below the working directory started.
started_client() {
	local pid cwd
	for pid in $(pgrep -x sysbench); do
		cwd=$(readlink "/proc/$pid/cwd" || true)
		[[ "$cwd" != "$PWD"/*/raw/* ]] || echo "$pid"
	done
}

# The server as $server and its directory as $place, once sysbench runs transactions.
wait_transactions() {
	local client _
	for _ in $(seq 300); do
		client=$(started_client)
		if [ "$client" ]; then
			place=$(tr '\0' '\n' < "/proc/$client/cmdline" |
				sed -n 's|^--pgsql-host=\(.*\)/home$|\1|p')
			server=$(pgrep -o -f -- "postgres -D $place/home/data")
			return 0
		fi
		sleep 0.1
	done
	return 1
}

# What is left of the server at $place: its directory, processes, shared memory.
left_behind() {
	[ ! -e "$place" ] || echo "$place"
	pgrep -a -f -- "-D $place/home/data" || true
	awk -v server="$server" '$5 == server' /proc/sysvipc/shm
}

# Runs the rest in a mount namespace of its own, to hide or change the system's files.
apart() {
	unshare --mount bash -ec "$1"
}

@test "cpu, threads and mutex yield what they are judged by" {
	sysbench_grid cpu "threads: 2, events: 500"
	cat >> grid.yaml <<-YAML
	  - workload: sysbench
	    variant: {test: threads}
	    parameters: {threads: 2, events: 50}
	  - workload: sysbench
	    variant: {test: mutex}
	    parameters: {threads: 2, mutex_loops: 10}
	YAML
	"$schedgrid" run grid.yaml -o run
	[ "$(records_with '"status":"ok"')" -eq 3 ]
	[ "$(records_with '"name":"rate","unit":"events/s"')" -eq 2 ]
	[ "$(records_with '"name":"p95","unit":"ms"')" -eq 1 ]
	[ "$(records_with '"program":{"name":"sysbench","version":"1.0.')" -eq 3 ]
}

@test "transactions: prepared once, pinned as the column, 14 reads and 2 others each" {
	sysbench_grid oltp-read-only "threads: 2, seconds: 1, rows: 1000" \
		"{name: all}, {name: one, pin: one-cpu}"
	"$schedgrid" run grid.yaml -o run 3>&- &
	local pid=$! allowed pinned=no
	while kill -0 $pid 2> /dev/null; do
		if wait_transactions && [ -d "/proc/$server" ]; then
			allowed=$(grep Cpus_allowed_list "/proc/$server/status" || true)
			[[ "${allowed#*:}" == *[-,]* ]] || pinned=yes
		fi
		[ "$(wc -l < run/records.jsonl)" -lt 2 ] || break
		sleep 0.2
	done
	wait $pid
	[ "$pinned" = yes ]
	[ "$(records_with '"status":"ok"')" -eq 2 ]
	[ "$(records_with '"version":"1.0.[0-9]* with postgresql [0-9.]* (sha256 ')" -eq 2 ]
	[ "$(records_with 'the page cache')" -eq 2 ]
	grep -q '"name":"postgresql\|"program": "postgresql"' run/plan.json
	awk -F'"samples":\\[' '{
		if ($2 / $3 > 0.0715 || $2 / $3 < 0.0714 || $2 / $4 != 0.5)
			exit 1
	}' run/records.jsonl
	[ -z "$(left_behind)" ]
}

@test "the server killed in the middle: broken, nothing left, and the run goes on" {
	sysbench_grid oltp-read-only "threads: 2, seconds: 2, rows: 1000"
	"$schedgrid" run grid.yaml -o run 2> run.err 3>&- &
	local pid=$! code=0
	wait_transactions
	kill -KILL "$server"
	wait $pid || code=$?
	[ "$code" -eq 1 ]
	[ "$(records_with '"status":"broken","reason":"the service postgresql was killed by signal 9')" -eq 1 ]
	[ -z "$(left_behind)" ]
	"$schedgrid" run grid.yaml -o run
	[ "$(records_with '"status":"ok"')" -eq 1 ]
}

@test "the runner killed by SIGKILL under a server: nothing is left" {
	sysbench_grid oltp-read-only "threads: 2, seconds: 30, rows: 1000"
	"$schedgrid" run grid.yaml -o run 2> run.err 3>&- &
	local pid=$! code=0
	wait_transactions
	worker=$(pgrep -o -P $pid) # the other child keeps the server
	kill -KILL "$worker"
	wait $pid || code=$?
	[ "$code" -eq 137 ]
	[ -z "$(left_behind)" ]
}

@test "worker and supervisor killed at once: servers end, the next run removes the rest" {
	sysbench_grid oltp-read-only "threads: 2, seconds: 30, rows: 1000"
	"$schedgrid" run grid.yaml -o run 2> run.err 3>&- &
	local pid=$! _
	wait_transactions
	worker=$(pgrep -o -P $pid) # the other child keeps the server
	kill -KILL "$worker" $pid
	for _ in $(seq 100); do
		pgrep -f -- "-D $place/home/data" > /dev/null || break
		sleep 0.05
	done
	sed -i 's/seconds: 30/seconds: 1/' grid.yaml
	"$schedgrid" run grid.yaml -o other
	[ -z "$(left_behind)" ]
}

@test "Ctrl-C in the middle: interrupted, nothing left" {
	sysbench_grid oltp-read-only "threads: 2, seconds: 30, rows: 1000"
	"$schedgrid" run grid.yaml -o run 2> run.err 3>&- &
	local pid=$! code=0
	wait_transactions
	# A shell starts its jobs with SIGINT ignored.
	kill -TERM $pid
	wait $pid || code=$?
	[ "$code" -eq 143 ]
	[ "$(records_with '"status":"interrupted"')" -eq 1 ]
	[ -z "$(left_behind)" ]
}

@test "no room for the data: broken with what is needed, nothing left" {
	unshare -m --propagation private true || skip "host: no private mounts here"
	sysbench_grid oltp-read-only "threads: 2, seconds: 1, rows: 1000"
	run -1 apart "
		mount -t tmpfs -o size=20m tmpfs /var/tmp
		code=0
		'$schedgrid' run grid.yaml -o run || code=\$?
		ls -A /var/tmp
		exit \$code"
	says "broken: the service postgresql can't be prepared: it needs 80 MiB in '/var/tmp', 20 MiB are free"
	[[ "$output" != *schedgrid-service-* ]]
}

@test "a program that is absent, or a script in its place: skipped, in one sentence" {
	unshare -m --propagation private true || skip "host: no private mounts here"
	sysbench_grid oltp-read-only "threads: 2, seconds: 1, rows: 1000"
	run -0 apart "
		mount -t tmpfs tmpfs /usr/lib/postgresql
		'$schedgrid' run grid.yaml -o run"
	says "skipped: program "
	says "of postgresql is not installed (Debian package postgresql)"
	sysbench_grid cpu "threads: 1, events: 10"
	printf '#!/bin/sh\nexec sysbench "$@"\n' > wrapper
	chmod +x wrapper
	run -0 apart "
		mount --bind wrapper /usr/bin/sysbench
		'$schedgrid' run grid.yaml -o script"
	says "skipped: '/usr/bin/sysbench' is a script"
	run -0 apart "
		mount --bind /dev/null /usr/bin/sysbench
		'$schedgrid' run grid.yaml -o absent"
	says "skipped: program 'sysbench' of sysbench is not installed (Debian package sysbench)"
}
