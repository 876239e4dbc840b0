#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Our chat has no reference to run beside it. It must do all that was asked for, and with
# 10 rooms of 20 users must not be below what its model in Java came to on a machine of
# two CPUs. That is no band: another machine, and another language.

# shellcheck source=/dev/null
. "$(dirname "$0")/../bench/sides.bash"

rooms=10 users=20 messages=100
java=33000

reference() {
	take $java
}

candidate() {
	local output sent=$((rooms * users * messages))

	output=$("$PROGRAMS/chat" --rooms=$rooms --users=$users --messages=$messages) ||
		fail "our chat failed"
	[[ $output =~ \"sent\":$sent,.*\"received\":$((sent * (users - 1))), ]] ||
		fail "our chat lost messages: $output"
	take_json rate "$output"
}

heading "messages/s of our chat / $java, to be at least 1"
measure chat
report "$rooms rooms of $users, $messages each" chat --least=1
sort -g -k2 "$WORK/chat.pairs" | awk '
	{ rate[NR] = $2 }
	END { printf "median %.0f messages/s, all counts exact\n", rate[int((NR + 1) / 2)] }'
conclude
