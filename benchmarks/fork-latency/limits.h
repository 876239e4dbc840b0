/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What fork-latency's parameters may be: one place for its ops and its program. */
#ifndef BENCHMARKS_FORK_LATENCY_LIMITS_H
#define BENCHMARKS_FORK_LATENCY_LIMITS_H

enum { FORK_LATENCY_MAX_FORKS = 1000000000 };

#endif
