/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The threads workload as sysbench does it: its command and what it prints. */
#ifndef BENCHMARKS_THREADS_SYSBENCH_H
#define BENCHMARKS_THREADS_SYSBENCH_H

#include "benchmarks/bench.h"

/** sysbench_plan - a bench_program's plan() */
int sysbench_plan(const struct workload *workload, unsigned int iteration,
		  struct bench_command *command);
/**
 * sysbench_parse - a bench_program's parse(): yields the rate alone
 *
 * What sysbench prints of its latencies has two digits.
 */
int sysbench_parse(const struct workload *workload, const char *out, size_t len,
		   struct bench_samples *samples, struct err *err);

#endif
