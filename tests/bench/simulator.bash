# SPDX-License-Identifier: GPL-2.0-or-later
#
# Builds sim-rate from the sources that it needs, with any compiler and flags; to be sourced.

# build_simulator PROGRAM TOP COMPILER [FLAG...]
build_simulator() {
	local program=$1 top=$2 compiler=$3

	shift 3
	"$compiler" -std=gnu11 -D_GNU_SOURCE -I"$top" -ffunction-sections -fdata-sections \
		-Wl,--gc-sections -pthread "$@" -o "$program" "$top"/tests/bench/sim-rate.c \
		"$top"/policy/*.c "$top"/benchmarks/hackbench/model.c \
		"$top"/lib/{err,rng,text}.c
}
