#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs that a precision ends, simulated: normal noise of 2%, stopped at a half-width of 1%,
# 5 to 40 iterations, judged by delta 2%. Where the half-width was reached, no row may be
# inconclusive, and stopping may not make changes where there are none. Five seeds from
# BENCH_SEED on; the worst of them counts.

# shellcheck disable=SC2154,SC2034 # top and missed are those of sides.bash
# shellcheck source=/dev/null
. "$(dirname "$0")/sides.bash"
# shellcheck source=/dev/null
. "$(dirname "$0")/worst.bash"

series=2000

build_with_suite until-sim

for i in 0 1 2 3 4; do
	"$WORK/until-sim" $((BENCH_SEED + i)) $series >>"$WORK/figures" || fail "simulation failed"
done

echo "stopping at a precision: worst of five seeds from $BENCH_SEED, $series series each"
for effect in 0 2 5; do
	figure paired-$effect-open-reached max 0
	figure paired-$effect-reached min
	figure paired-$effect-median max
	figure paired-$effect-same min
done
figure paired-0-changed max 0.05
figure paired-2-changed min
figure paired-5-changed min 0.99
figure plain-0-open-reached max 0
figure plain-0-changed max 0.05
figure plain-0-reached min
figure plain-0-median max
figure plain-0-same min
conclude
