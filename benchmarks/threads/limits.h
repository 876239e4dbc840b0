/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What threads' parameters may be: one place for its ops and its program. */
#ifndef BENCHMARKS_THREADS_LIMITS_H
#define BENCHMARKS_THREADS_LIMITS_H

enum {
	THREADS_MAX_THREADS = 65536,
	THREADS_MAX_LOCKS = 65536,
	THREADS_MAX_YIELDS = 1000000,
	THREADS_MAX_SECONDS = 86400,
};

#endif
