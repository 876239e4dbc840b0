#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154 # schedgrid and output come from elsewhere
# What hackbench does, call by call: with F fds, G groups and L loops there are G*F*F*L
# messages, each written by one call, and beside them one byte from each of the 2*F*G
# workers that is ready and one that starts all of them.

bats_require_minimum_version 1.5.0
load ../cli/common

programs=${schedgrid%/*}/programs
[ -d "$programs" ] || programs=$BATS_TEST_DIRNAME/../../build/release/programs

# Counts the calls of one run over the channel $1 into calls; $2 as --task.
trace() {
	command -v strace > /dev/null || skip "no strace"
	strace -f -qq -o calls -e trace=read,write,poll,clone,clone3,wait4,pipe,pipe2,socketpair,connect,accept \
		"$programs/hackbench" --task="$2" --channel="$1" \
		--groups=2 --loops=10 --fds=5 --size=100 > result
	grep -q '"workers":20,"messages":500,' result
}

# Calls of the name $1 that moved $2 bytes.
moved() {
	grep -cE "^[0-9]+ +($1\(|<\.\.\. $1 resumed>).* = $2$" calls
}

@test "hackbench: as many writes and reads of a message as there are messages" {
	for channel in pipes sockets; do
		trace $channel process
		[ "$(moved write 100)" -eq 500 ]
		[ "$(moved read 100)" -eq 500 ]
		[ "$(moved write 1)" -eq 21 ]
		[ "$(moved read 1)" -eq 20 ]
		[ "$(moved wait4 '[0-9]+')" -eq 20 ]
	done
}

@test "hackbench: each tcp channel is a connection, and each message one write" {
	for task in process thread; do
		trace tcp $task
		[ "$(moved write 100)" -eq 500 ]
		[ "$(moved write 1)" -eq 21 ]
		# 10 channels, ready and wake.
		[ "$(moved connect 0)" -eq 12 ]
		[ "$(moved accept '[0-9]+')" -eq 12 ]
		[ "$(grep -c 'socketpair\|pipe' calls)" -eq 0 ]
	done
}

@test "hackbench of rt-tests: the same messages over the same channels" {
	command -v strace > /dev/null || skip "no strace"
	command -v hackbench > /dev/null || skip "no hackbench of rt-tests"
	strace -f -qq -o calls -e trace=read,write,connect hackbench -g 2 -f 5 -l 10 -s 100 -i -P > result
	[ "$(moved write 100)" -eq 500 ]
	[ "$(moved write 1)" -eq 21 ]
}
