/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What reaim's own program prints, held against what was asked and its formulas. */
#ifndef BENCHMARKS_REAIM_OUTPUT_H
#define BENCHMARKS_REAIM_OUTPUT_H

#include <stddef.h>
#include <stdint.h>

struct bench_samples;
struct err;
struct workload;

/** reaim_jobs_per_child - jobs that the mix comes to; 0: the workfile is gone */
uint64_t reaim_jobs_per_child(const struct workload *workload);

/**
 * reaim_parse - parse() of the native program
 *
 * Proof of the work are the jobs that all users counted, and the sync points of
 * their disk tests with a program run at each where one was asked for. Of an own
 * workfile, which may be gone, the program says itself how many these are. The
 * headline must be what the formula makes of the ticks.
 */
int reaim_parse(const struct workload *workload, const char *out, size_t len,
		struct bench_samples *samples, struct err *err);

#endif
