/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What reaim's parameters may be: one place for its ops and its program. */
#ifndef BENCHMARKS_REAIM_LIMITS_H
#define BENCHMARKS_REAIM_LIMITS_H

enum {
	REAIM_MAX_USERS = 10000,
	REAIM_MAX_JOBS = 1000000,
	REAIM_MAX_REPEAT = 1000,
	REAIM_MAX_KIB = 1 << 20, /* of a file, and of the pool */
	REAIM_MAX_WEIGHT = 1000000,
	REAIM_MAX_WORKFILE = 1 << 16, /* bytes */
	REAIM_TICKS_SEC = 100,	      /* times() counts in these on every kernel */
};

#endif
