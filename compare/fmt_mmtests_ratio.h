/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ratio view of mmtests: each mean over that of the first column, the gain in percent,
 * the difference in the units of mmtests_rule.h, and what all rows come to.
 */
#ifndef COMPARE_FMT_MMTESTS_RATIO_H
#define COMPARE_FMT_MMTESTS_RATIO_H

#include <stdio.h>

struct err;
struct mmtests_options;
struct table;

/**
 * fmt_mmtests_ratio - print the ratios of all sections, and the footer
 * @out: the stream; its errors are the caller's to look at
 * @table: finished
 * @options: how
 * @err: may be NULL
 *
 * Return: 0 or -ENOMEM.
 */
int fmt_mmtests_ratio(FILE *out, const struct table *table,
		      const struct mmtests_options *options, struct err *err);

#endif
