#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154 # schedgrid and output come from elsewhere
# The programs tcp-rr and udp-rr: their counts, and how they end when something is lost.

bats_require_minimum_version 1.5.0
load common

programs=${schedgrid%/*}/programs
[ -d "$programs" ] || programs=$BATS_TEST_DIRNAME/../../build/release/programs

# Process number $2 of $1: servers have odd numbers, clients even ones.
task() {
	local child='' _
	for _ in $(seq 500); do
		child=$(pgrep -P "$1" | sed -n "$2p" || true)
		[ -z "$child" ] || break
		sleep 0.02
	done
	echo "$child"
}

@test "tcp-rr and udp-rr run from a grid" {
	cat > rr.yaml <<-YAML
	schema: schedgrid-grid-1
	name: rr
	executor: {type: local}
	repeat: {iterations: 1, warmup: 0}
	columns:
	  - name: only
	workloads:
	  - workload: tcp-rr
	    parameters: {pairs: 2, seconds: 1}
	  - workload: udp-rr
	    parameters: {seconds: 1, request: 65507, response: 65507}
	YAML
	run "$schedgrid" run rr.yaml -o run
	[ "$status" -eq 0 ]
	says "2 iterations: 2 ok"
	[ "$(records_with '"name":"rate","unit":"trans/s","better":"higher"')" -eq 2 ]
}

@test "tcp-rr and udp-rr take exactly their arguments" {
	local name args
	for name in tcp-rr udp-rr; do
		for args in "" "--pairs=1 --seconds=1 --request=1" \
			"--pairs=0 --seconds=1 --request=1 --response=1" \
			"--seconds=1 --pairs=1 --request=1 --response=1" \
			"--pairs=1 --seconds=1 --request=1 --response=65508" \
			"--pairs=1 --seconds=1 --request=1 --response=1 x"; do
			# shellcheck disable=SC2086 # words
			run -2 "$programs/$name" $args
			says "$name: expected --pairs=N --seconds=N"
		done
	done
}

@test "tcp-rr and udp-rr end with one sentence when a server or a client is killed" {
	local name nr parent code names=(server client)
	for name in tcp-rr udp-rr; do
		for nr in 1 2; do
			code=0
			"$programs/$name" --pairs=1 --seconds=600 --request=1 --response=1 \
				> out 2> err 3>&- &
			parent=$!
			kill -KILL "$(task $parent $nr)"
			wait $parent || code=$?
			[ "$code" -eq 1 ]
			[ "$(cat err)" = "$name: a ${names[nr - 1]} was killed by signal 9 (Killed)" ]
			[ ! -s out ]
		done
	done
}

@test "udp-rr notices that a response doesn't come" {
	"$programs/udp-rr" --pairs=1 --seconds=600 --request=1 --response=1 > out 2> err 3>&- &
	local parent=$! code=0
	task $parent 2
	kill -STOP "$(task $parent 1)"
	wait $parent || code=$?
	[ "$code" -eq 1 ]
	grep -Eqx "udp-rr: a client got no response for 1 s after [0-9]+ transactions: a datagram was lost" err
	[ ! -s out ]
}

@test "tcp-rr's processes go when their parent is killed" {
	"$programs/tcp-rr" --pairs=1 --seconds=600 --request=1 --response=1 > out 2> err 3>&- &
	local parent=$! server client
	server=$(task $parent 1)
	client=$(task $parent 2)
	kill -KILL $parent
	wait $parent || true
	timeout 60 tail -f --pid="$server" /dev/null
	timeout 60 tail -f --pid="$client" /dev/null
}
