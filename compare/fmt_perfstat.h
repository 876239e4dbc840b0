/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The layout of `perf stat --repeat`: a block for each row and column, a line for
 * each metric with the standard error of its mean, times in seconds last.
 */
#ifndef COMPARE_FMT_PERFSTAT_H
#define COMPARE_FMT_PERFSTAT_H

#include <stdio.h>

#include "compare/fmt.h"

struct err;
struct table;

/**
 * fmt_perfstat - write the table
 * @out: the stream; look at it for write errors
 * @table: finished
 * @options: @all changes nothing, counters are what this format is for
 * @err: may be NULL
 *
 * "( +- p% )" is 100 * stddev / sqrt(n) / mean with the divisor n - 1, as in
 * tools/perf/util/stat.c; perf has 0 for one run, here it has none. No statistic
 * compares columns.
 *
 * Return: 0 or -ENOMEM.
 */
int fmt_perfstat(FILE *out, const struct table *table, const struct fmt_options *options,
		 struct err *err);

#endif
