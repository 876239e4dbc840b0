/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading the result of dbench's own client. */
#ifndef BENCHMARKS_TBENCH_DBENCH_H
#define BENCHMARKS_TBENCH_DBENCH_H

#include "benchmarks/bench.h"

/**
 * dbench_parse - samples from the output of dbench's client
 * @workload: what was asked: clients, seconds and, where @server is known, load
 * @out: NUL-terminated at @len
 * @len: bytes in @out
 * @server: path of dbench's server, or "native": who must have served; NULL: an output
 *          that our own program had no part in, of whatever load and server
 * @samples: receives rate and max-latency; it prints no time of a pass
 * @err: says what doesn't fit
 *
 * The rate is the last that it printed, of all clients since their warm-up.
 *
 * Return: 0 or -EPROTO.
 */
int dbench_parse(const struct workload *workload, const char *out, size_t len,
		 const char *server, struct bench_samples *samples, struct err *err);

#endif
