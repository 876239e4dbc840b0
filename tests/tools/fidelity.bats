#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The scripts of `make bench-fidelity`, with programs that print what a test wants.

bats_require_minimum_version 1.5.0

setup() {
	: "${SCHEDGRID_SOURCE:=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)}"
	scripts=$SCHEDGRID_SOURCE/tests/fidelity
	cd "$BATS_TEST_TMPDIR" || return
	mkdir -p bin/programs
	export SCHEDGRID=$PWD/bin/schedgrid PATH=$PWD/bin:$PATH
	export BENCH_SECONDS=0 BENCH_SAMPLE_SECONDS=0.001
}

# A program at $1 that prints $2.
make_program() {
	printf '#!/bin/sh\necho "%s"\n' "${2//\"/\\\"}" > "bin/$1"
	chmod +x "bin/$1"
}

make_chat() {
	make_program programs/chat "{\"sent\":20000,\"relayed\":1,\"received\":$1,\"yields\":1,\"metrics\":{\"rate\":$2}}"
}

# Our pipe and perf's with the times $1 and $2.
make_pipes() {
	make_program programs/pipe "{\"metrics\":{\"latency\":$1}}"
	make_program perf "  $2 usecs/op"
}

@test "a chat above the limit is met, one below is missed" {
	make_chat 380000 40000
	run -0 "$scripts/60-chat.sh"
	[[ "${lines[2]}" == *" 5     1.212  1.212..1.212 "*" met" ]]
	[ "${lines[3]}" = "median 40000 messages/s, all counts exact" ]
	make_chat 380000 32000
	run -1 "$scripts/60-chat.sh"
	[[ "${lines[2]}" == *missed ]]
}

@test "a chat that lost a message is not measured" {
	make_chat 379999 40000
	run -2 "$scripts/60-chat.sh"
	[[ "$output" == *"60-chat.sh: our chat lost messages: "* ]]
}

@test "pipe is met within 3% of perf's, and missed beyond" {
	make_pipes 5.1 5.0
	run -0 "$scripts/20-pipe.sh"
	[[ "${lines[2]}" == process*" 1.02 "*met && "${lines[3]}" == thread*" 1.02 "*met ]]
	make_pipes 5.2 5.0
	run -1 "$scripts/20-pipe.sh"
	[[ "${lines[2]}" == *missed && "${lines[3]}" == *missed ]]
}

@test "hackbench is run as often as a sample takes, in all combinations" {
	make_program hackbench "Time: 0.0004"
	make_program programs/hackbench '{"metrics":{"time":0.0004}}'
	run -0 "$scripts/10-hackbench.sh"
	[ "${#lines[@]}" -eq 18 ]
	[[ "${lines[2]}" == "process pipes g1 l100 "*" 1  1..1 "*met ]]
	[[ "${lines[17]}" == "thread sockets g4 l1000 "*met ]]
}

@test "a program that prints no number is not measured" {
	make_pipes 5 5
	make_program programs/pipe '{"metrics":{}}'
	run -2 "$scripts/20-pipe.sh"
	[[ "$output" == *"20-pipe.sh: no number 'latency' was printed"* ]]
}

@test "the tables begin with what they were measured on, and words choose scripts" {
	make_chat 380000 40000
	run -0 "$scripts/run.sh" chat
	[[ "${lines[0]}" == 20[0-9][0-9]-[0-9][0-9]-[0-9][0-9],\ Linux\ *" at most 0 s a row" ]]
	[[ "${lines[1]}" == rt-tests*sysbench* ]]
	[ "${lines[2]}" = "messages/s of our chat / 33000, to be at least 1" ]
	[ "${#lines[@]}" -eq 6 ]
	make_chat 380000 32000
	run -1 "$scripts/run.sh" chat
}

@test "the document has each script" {
	local script
	for script in "$scripts"/[0-9]*.sh; do
		grep -q "^| \`${script##*/}\` |" "$SCHEDGRID_SOURCE/docs/fidelity.md"
	done
}
