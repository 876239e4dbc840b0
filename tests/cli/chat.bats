#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154 # schedgrid and output come from elsewhere
# The chat workload's program: its counts, and how it ends when something is lost.

bats_require_minimum_version 1.5.0
load common

chat=${schedgrid%/*}/programs/chat
[ -x "$chat" ] || chat=$BATS_TEST_DIRNAME/../../build/release/programs/chat

# The server or the client, which are started in this order: child number $2 of $1.
side() {
	local child='' _
	for _ in $(seq 500); do
		child=$(pgrep -P "$1" | sed -n "$2p" || true)
		[ -z "$child" ] || break
		sleep 0.02
	done
	echo "$child"
}

@test "chat sends and receives exactly what its rooms, users and messages make" {
	run -0 "$chat" --rooms=2 --users=3 --messages=7
	says '"rooms":2,"users":3,"messages":7,"sent":42,"relayed":84,"received":84,'
	run -0 "$chat" --rooms=1 --users=2 --messages=1
	says '"sent":2,"relayed":2,"received":2,'
}

@test "chat runs from a grid, a row for each number of rooms" {
	cat > chat.yaml <<-YAML
	schema: schedgrid-grid-1
	name: chat
	executor: {type: local}
	repeat: {iterations: 2, warmup: 0}
	columns:
	  - name: only
	workloads:
	  - workload: chat
	    parameters: {rooms: [1, 2], users: 3, messages: 5}
	YAML
	run "$schedgrid" run chat.yaml -o run
	[ "$status" -eq 0 ]
	says "4 iterations: 4 ok"
	[ "$(records_with '"name":"rate","unit":"messages/s","better":"higher"')" -eq 4 ]
	[ "$(records_with '"point":{"rooms":2}')" -eq 2 ]
}

@test "chat's program takes exactly its arguments" {
	local args
	for args in "" "--rooms=1 --users=2" "--rooms=1 --users=1 --messages=1" \
		"--users=2 --rooms=1 --messages=1" "--rooms=1 --users=2 --messages=0" \
		"--rooms=1 --users=2 --messages=1x" "--rooms=1 --users=2 --messages=1 x" \
		"--rooms=1001 --users=2 --messages=1"; do
		# shellcheck disable=SC2086 # words
		run -2 "$chat" $args
		says "chat: expected --rooms=N --users=N --messages=N"
	done
}

@test "BL-073: a lost message ends chat with counts of received and expected" {
	run -1 "$chat" --rooms=2 --users=3 --messages=500 --patience=1 --lose=1001
	[ "${#lines[@]}" -eq 1 ]
	says "chat: the client failed: no message for 1 s: received "
	says " of 6000, sent "
	says " of 3000"
}

@test "chat ends with one sentence when server or client is killed" {
	local nr parent code names=(server client)
	for nr in 1 2; do
		code=0
		"$chat" --rooms=2 --users=3 --messages=1000000 > out 2> err 3>&- &
		parent=$!
		kill -KILL "$(side $parent $nr)"
		wait $parent || code=$?
		[ "$code" -eq 1 ]
		[ "$(cat err)" = "chat: the ${names[nr - 1]} was killed by signal 9 (Killed)" ]
		[ ! -s out ]
	done
}

@test "chat doesn't wait for ever for a server that has stopped" {
	"$chat" --rooms=2 --users=3 --messages=1000000 --patience=1 > out 2> err 3>&- &
	local parent=$! code=0
	kill -STOP "$(side $parent 1)"
	wait $parent || code=$?
	[ "$code" -eq 1 ]
	grep -Eq "chat: the client failed: (no message for 1 s|[0-9] of 6 users)" err
	[ ! -s out ]
}

@test "chat's server and client go when their parent is killed" {
	"$chat" --rooms=2 --users=3 --messages=1000000 > out 2> err 3>&- &
	local parent=$! server client
	server=$(side $parent 1)
	client=$(side $parent 2)
	kill -KILL $parent
	wait $parent || true
	timeout 60 tail -f --pid="$server" /dev/null
	timeout 60 tail -f --pid="$client" /dev/null
}

@test "chat says what it could not have" {
	ulimit -n 32
	run -1 "$chat" --rooms=10 --users=10 --messages=1
	[ "${#lines[@]}" -eq 1 ]
	says "Too many open files"
}
