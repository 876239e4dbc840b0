#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154 # schedgrid and output come from elsewhere
# The program tbench: what it counts, and how it ends when somebody is missing.

bats_require_minimum_version 1.5.0
load common

programs=${schedgrid%/*}/programs
[ -d "$programs" ] || programs=$BATS_TEST_DIRNAME/../../build/release/programs
tbench=$programs/tbench

# Waits until $1 has as many children as there are numbers in $2, into the array $2.
children() {
	local -n found=$2
	local _
	for _ in $(seq 500); do
		mapfile -t found < <(pgrep -P "$1" || true)
		[ "${#found[@]}" -lt "$3" ] || return 0
		sleep 0.02
	done
	return 1
}

# A run of two clients for minutes, as $parent, with its ${server} and ${clients[@]}, all
# of which are there.
start() {
	local all
	"$tbench" --load=synthetic --clients=2 --seconds=600 --warmup=0 > out 2> err 3>&- &
	parent=$!
	children $parent all 3
	server=${all[0]}
	clients=("${all[@]:1}")
	children "$server" workers 2
}

# The run must end with code 1, this one sentence and no result, and leave nobody.
ends_with() {
	local code=0 pid
	wait "$parent" || code=$?
	[ "$code" -eq 1 ]
	[ "$(wc -l < err)" -eq 1 ]
	grep -Eqx "tbench: $1" err || { cat err; return 1; }
	[ ! -s out ]
	for pid in "$server" "${clients[@]}" "${workers[@]}"; do
		gone "$pid"
	done
}

gone() {
	timeout 20 tail -f --pid="$1" /dev/null
}

@test "tbench runs from a grid, and a pass of its load has a time" {
	cat > tbench.yaml <<-YAML
	schema: schedgrid-grid-1
	name: tbench
	executor: {type: local}
	repeat: {iterations: 1, warmup: 0}
	columns:
	  - name: only
	workloads:
	  - workload: tbench
	    parameters: {clients: [1, 3], seconds: 2, warmup: 1}
	YAML
	run "$schedgrid" run tbench.yaml -o run
	[ "$status" -eq 0 ]
	says "2 iterations: 2 ok"
	[ "$(records_with '"variant":"tbench-synthetic"')" -eq 2 ]
	[ "$(records_with '"name":"rate","unit":"MB/s","better":"higher"')" -eq 2 ]
	[ "$(records_with '"name":"max-latency","unit":"ms","better":"lower"')" -eq 2 ]
}

@test "tbench's server sends a reply for each packet that its clients count" {
	run -0 --separate-stderr "$tbench" --load=synthetic --clients=3 --seconds=1 --warmup=0
	[[ "$output" =~ \"packets\":([0-9]+).*\"served\":([0-9]+) ]]
	[ $((BASH_REMATCH[1] + 3)) -eq "${BASH_REMATCH[2]}" ]
	says '"pass_packets":10002,"pass_payload":54270063'
}

@test "tbench takes exactly its arguments" {
	local args
	for args in "" "--load=synthetic --clients=1 --seconds=1" \
		"--load=other --clients=1 --seconds=1 --warmup=0" \
		"--load=synthetic --clients=0 --seconds=1 --warmup=0" \
		"--load=synthetic --clients=1001 --seconds=1 --warmup=0" \
		"--load=synthetic --clients=1 --seconds=0 --warmup=0" \
		"--load=synthetic --clients=1 --seconds=1 --warmup=-1" \
		"--load=synthetic --seconds=1 --clients=1 --warmup=0" \
		"--load=synthetic --clients=1 --seconds=1 --warmup=0 x" \
		"--load=synthetic --clients=1 --seconds=1 --warmup=0 --server=tbench_srv"; do
		# shellcheck disable=SC2086 # words
		run -2 "$tbench" $args
		says "tbench: expected --load=synthetic|full|tiny --clients=N"
	done
}

@test "tbench ends with one sentence when its server is killed" {
	start
	kill -KILL "$server"
	ends_with 'the server was killed by signal 9 \(Killed\)'
}

@test "tbench ends with one sentence when one of its server's processes is killed" {
	start
	kill -KILL "${workers[0]}"
	ends_with 'client 1 of 2 failed: the server ended its connection'
}

@test "tbench ends with one sentence when a client is killed" {
	start
	kill -KILL "${clients[1]}"
	ends_with 'client 2 of 2 was killed by signal 9 \(Killed\)'
}

@test "tbench's processes go when their parent is killed" {
	local pid
	start
	kill -KILL "$parent"
	wait "$parent" || true
	for pid in "$server" "${clients[@]}" "${workers[@]}"; do
		gone "$pid"
	done
}

@test "tbench needs few descriptors, however many clients" {
	(ulimit -n 16 && "$tbench" --load=synthetic --clients=30 --seconds=1 --warmup=0) > out
	grep -q '"clients":30' out
	# A sanitizer's own search for leaks needs a descriptor too.
	run -1 env ASAN_OPTIONS=detect_leaks=0 bash -c "ulimit -n 6; '$tbench' --load=synthetic --clients=1 --seconds=1 --warmup=0"
	says "tbench: cannot "
	says "Too many open files"
	[ "${#lines[@]}" -eq 1 ]
}

@test "tbench says which program of dbench's can't be started" {
	run "$tbench" --load=synthetic --clients=1 --seconds=2 --warmup=0 \
		--client="$PWD/nothing"
	if [ "$status" -eq 75 ]; then
		says "cannot listen on 127.0.0.1:7003"
	else
		[ "$status" -eq 1 ]
		[ "$output" = "tbench: $PWD/nothing failed: cannot start it: No such file or directory" ]
	fi
}
