#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Count the single tests in the logs that run-tests.sh left, as one plain line:
#
#   tools/tally.sh LOG-OR-DIRECTORY...         N passed, N failed[, N skipped]
#
# A program that dies, or runs more or fewer tests than it planned, is one failure more.
# With CI=true a skip is a failure, unless its reason begins with "host:", which names
# something that no package can supply, such as a second NUMA node.
# EXTRA_FAILED counts failures that left no log. Exits non-zero when anything failed or
# nothing passed.

find "$@" -name '*.tap' | sort | xargs awk -v ci="${CI-}" \
	-v extra="${EXTRA_FAILED-0}" '
function reset() {
	plan = -1; points = bad = 0; status = "none"
}
function finish() {
	if ((status != 0 && !bad) || points != plan)
		failed++
}
function skip(reason) {
	if ((ci == "true" || ci == "1") && reason !~ /^host:/)
		failed++
	else
		skipped++
}
FNR == 1 {
	if (NR > 1)
		finish()
	reset()
}
/^1\.\.[0-9]+/ {
	plan = substr($1, 4) + 0
	if (plan == 0) {
		at = match(tolower($0), /# *skip[a-z]*/)
		skip(at ? substr($0, RSTART + RLENGTH + 1) : "")
	}
}
/^(not )?ok( |$)/ {
	points++
	if (/^not/) {
		failed++; bad++
	} else if (match(tolower($0), /# *skip( |$)/)) {
		skip(substr($0, RSTART + RLENGTH))
	} else {
		passed++
	}
}
/^# exit / { status = $3 }
END {
	if (NR)
		finish()
	failed += extra
	printf "%d passed, %d failed", passed, failed
	printf skipped ? ", %d skipped\n" : "\n", skipped
	exit failed || !passed
}' || exit 1
