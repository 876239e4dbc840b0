/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What wakeup-latency's parameters may be: one place for its ops and its program. */
#ifndef BENCHMARKS_WAKEUP_LATENCY_LIMITS_H
#define BENCHMARKS_WAKEUP_LATENCY_LIMITS_H

enum {
	WAKEUP_LATENCY_MAX_MESSAGERS = 1024,
	WAKEUP_LATENCY_MAX_WORKERS = 16384,
	WAKEUP_LATENCY_MAX_SECONDS = 86400,
};

#endif
