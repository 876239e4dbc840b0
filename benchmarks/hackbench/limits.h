/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What hackbench's parameters may be: one place for its ops and its program. */
#ifndef BENCHMARKS_HACKBENCH_LIMITS_H
#define BENCHMARKS_HACKBENCH_LIMITS_H

enum {
	HACKBENCH_MAX_GROUPS = 5000,
	HACKBENCH_MAX_LOOPS = 100000000,
	HACKBENCH_MAX_FDS = 1000,
	HACKBENCH_MAX_SIZE = 1048576,
};

#endif
