#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Run test programs under prove and keep what each printed:
#
#   tools/run-tests.sh LOGDIR TEST...
#
# TEST is a program that prints TAP, or a .bats file. LOGDIR/<test>.tap holds its TAP
# and exit status for tally.sh, LOGDIR/<test>.err its standard error. What failed is
# shown at the end. Exits non-zero when a test failed or there was none.
#
#   TEST_TIMEOUT_SEC    limit of one TEST, 600 when not set
#   TEST_JOBS           how many at a time, 2 when not set

set -u

# cmocka prints a skipped test as "not ok N # SKIP", which prove takes for a failure.
skips_are_ok='s/^not ok \([0-9]*\) # SKIP/ok \1 # SKIP/'

run_one() {
	local log=$TEST_LOGDIR/$1 command=("$1") status

	mkdir -p "${log%/*}"
	case $1 in
	*.bats) command=(bats --formatter tap "$1") ;;
	/*) ;;
	*) command=("./$1") ;;
	esac
	timeout -k 10 "${TEST_TIMEOUT_SEC:-600}" "${command[@]}" \
		</dev/null 2>"$log.err" | sed -u "$skips_are_ok" | tee "$log.tap"
	status=${PIPESTATUS[0]}
	echo "# exit $status" >>"$log.tap"
	return "$status"
}

# The failed points of a log with the remarks that follow them.
show_failures() {
	local log=$1

	awk '/^not ok/ { shown = 1 } /^ok/ { shown = 0 }
	     /^# exit [1-9]/ { print; next } shown' "$log"
	tail -n 40 "${log%.tap}.err"
}

if [ "${1-}" = --one ]; then
	run_one "$2"
	exit
fi

export TEST_LOGDIR=$1 CMOCKA_MESSAGE_OUTPUT=TAP
shift
rm -rf "$TEST_LOGDIR"
mkdir -p "$TEST_LOGDIR"
if [ $# -eq 0 ]; then
	echo "there are no tests to run for ${TEST_LOGDIR##*/}" >&2
	exit 1
fi

prove -j"${TEST_JOBS:-2}" --exec "$0 --one" "$@"
status=$?

if [ $status -ne 0 ]; then
	find "$TEST_LOGDIR" -name '*.tap' | sort | while read -r log; do
		tools/tally.sh "$log" | grep -q ' 0 failed' && continue
		echo "--- ${log#"$TEST_LOGDIR"/}"
		show_failures "$log"
	done
fi
exit $status
