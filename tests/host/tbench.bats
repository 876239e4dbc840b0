#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154 # schedgrid and output come from elsewhere
# tbench beside dbench's own programs: the same packets, either side of them in place of
# ours, and whose server it was.

bats_require_minimum_version 1.5.0
load host

programs=${schedgrid%/*}/programs
[ -d "$programs" ] || programs=$BATS_TEST_DIRNAME/../../build/release/programs
tbench=$programs/tbench
srv=/usr/bin/tbench_srv
client=/usr/bin/tbench

teardown() {
	[ -z "${pid:-}" ] || kill -KILL "$pid" 2> /dev/null || true
}

grid() {
	cat > tbench.yaml <<-YAML
	schema: schedgrid-grid-1
	name: tbench
	executor: {type: local}
	repeat: {iterations: 1, warmup: 0}
	columns:
	  - name: only
	workloads:
	YAML
	cat >> tbench.yaml
}

# Sizes of what the process sent that sent $2 bytes first, from strace's file $1; at most 13.
sends() {
	sed -nE 's/^([0-9]+) .*sendto\(.* = ([0-9]+)$/\1 \2/p' "$1" |
		awk -v first="$2" '
			!($1 in begun) { begun[$1] = 1; if ($2 == first && !chosen) chosen = $1 }
			$1 == chosen && ++nr <= 13 { printf "%s ", $2 }'
}

@test "tbench sends the packets of dbench's client, byte for byte" {
	strace -f -o trace -e trace=sendto "$tbench" --load=full --clients=1 --seconds=1 --warmup=0 > out
	grep -q '"pass_packets":458342,"pass_payload":2488062937' out
	[ "$(sends trace 61)" = "61 108 47 124 103 111 122 47 130 59 60 59 65595 " ]
	[ "$(sends trace 8)" = "8 " ]
	strace -f -o upstream -e trace=sendto "$tbench" --load=full --clients=1 --seconds=2 \
		--warmup=0 --client=$client > out
	[ "$(sends upstream 8 | cut -d' ' -f2-)" = "$(sends trace 61 | cut -d' ' -f-12) " ]
}

@test "either side of tbench can be dbench's, with the whole load, a part and ours" {
	grid <<-YAML
	  - {workload: tbench, variant: {load: full}, parameters: {seconds: 2}}
	  - {workload: tbench, variant: {load: tiny}, program: dbench, parameters: {seconds: 2}}
	  - {workload: tbench, program: dbench-server, parameters: {seconds: 2}}
	  - {workload: tbench, variant: {load: full}, program: dbench-client, parameters: {seconds: 2}}
	YAML
	run "$schedgrid" run tbench.yaml -o run
	[ "$status" -eq 0 ]
	says "4 iterations: 4 ok"
	[ "$(records_with '"variant":"tbench-tiny-dbench"')" -eq 1 ]
	[ "$(records_with '"version":"[0-9.]*, tbench 4.00, tbench_srv","sha256"')" -eq 1 ]
	[ "$(records_with '"version":"[0-9.]*, tbench 4.00","sha256"')" -eq 1 ]
	[ "$(records_with '"version":"[0-9.]*, tbench_srv","sha256"')" -eq 1 ]
	grep -q "\"path\": *\"$srv\"" run/plan.json
	grep -q "$(sha256sum $srv | cut -d' ' -f1)" run/plan.json
	grep -q "$(sha256sum $client | cut -d' ' -f1)" run/plan.json
	# Where the suite itself lies is nobody's business.
	run ! grep -q 'programs/tbench"' run/plan.json
	run ! pgrep -x tbench_srv
}

@test "BL-011: a server that was there before is never measured" {
	local side
	$srv > /dev/null 3>&- &
	pid=$!
	# It has no sign that it listens but that it does.
	until grep -q ':1B5B .* 0A ' /proc/net/tcp; do
		sleep 0.02
	done
	for side in --server=$srv --client=$client; do
		run -75 "$tbench" --load=tiny --clients=1 --seconds=2 --warmup=0 "$side"
		[ "$output" = "tbench: cannot listen on 127.0.0.1:7003, dbench's port: Address already in use" ]
	done
	# A run of our own doesn't mind: it has a port of its own.
	"$tbench" --load=tiny --clients=1 --seconds=1 --warmup=0
}

@test "tbench refuses a server that a script started in its own place" {
	printf '#!/bin/sh\n%s &\nwait\n' $srv > wrapper
	chmod +x wrapper
	run -75 "$tbench" --load=tiny --clients=1 --seconds=1 --warmup=0 --server="$PWD/wrapper"
	[ "$output" = "tbench: port 7003 is served by another process than the $PWD/wrapper that was started" ]
	run ! pgrep -x tbench_srv
}

@test "BL-001: tbench fails within seconds when dbench's server ends, and leaves nobody" {
	printf '#!/bin/sh\nexit 3\n' > ends
	chmod +x ends
	run -1 timeout 10 "$tbench" --load=tiny --clients=1 --seconds=1 --warmup=0 --server="$PWD/ends"
	[ "$output" = "tbench: $PWD/ends ended with exit status 3" ]
	"$tbench" --load=tiny --clients=1 --seconds=600 --warmup=0 --server=$srv > out 2> err 3>&- &
	local run=$! code=0
	until pgrep -P "$(pgrep -P $run -x tbench_srv || echo 1)" -x tbench_srv > /dev/null; do
		sleep 0.02
	done
	kill -KILL "$(pgrep -P $run -x tbench_srv)"
	wait $run || code=$?
	[ "$code" -eq 1 ]
	[ "$(cat err)" = "tbench: $srv was killed by signal 9 (Killed)" ]
	[ ! -s out ]
	run ! pgrep -x tbench_srv
}

# Runs the grid of dbench's programs with $1 mounted in the place of $2, all to be skipped.
skipped_with() {
	run unshare -m --propagation private bash -c \
		"mount --bind '$1' '$2' && exec '$schedgrid' run tbench.yaml -o '$3'"
	[ "$status" -eq 1 ] || [ "$status" -eq 0 ]
	grep -q '"status":"skipped"' "$3/records.jsonl"
	run grep -c '"status":"ok"' "$3/records.jsonl"
	[ "$output" -eq 0 ]
}

@test "tbench is skipped with a reason where dbench's programs or load are missing" {
	[ "$(id -u)" -eq 0 ] || skip "host: mounting takes root"
	unshare -m --propagation private true || skip "host: no private mounts here"
	grid <<-YAML
	  - {workload: tbench, program: dbench, parameters: {seconds: 2}}
	YAML
	mkdir empty
	printf '#!/bin/sh\nexec /bin/true\n' > script
	chmod +x script
	skipped_with /dev/null $srv run1
	grep -q "program '$srv' of dbench is not installed (Debian package dbench)" run1/records.jsonl
	skipped_with "$PWD/script" $client run2
	grep -q "'$client' is a script" run2/records.jsonl
	skipped_with /bin/true $client run3
	grep -q "'$client' is of version .*expected 4.00" run3/records.jsonl
	grid <<-YAML
	  - {workload: tbench, variant: {load: tiny}, parameters: {seconds: 2}}
	YAML
	skipped_with "$PWD/empty" /usr/share/dbench run4
	grep -q "client.txt, which isn't there (Debian package dbench)" run4/records.jsonl
}
