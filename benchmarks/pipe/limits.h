/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What pipe's parameters may be: one place for its ops and its program. */
#ifndef BENCHMARKS_PIPE_LIMITS_H
#define BENCHMARKS_PIPE_LIMITS_H

enum { PIPE_MAX_LOOPS = 1000000000 };

#endif
