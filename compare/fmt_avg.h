/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Averages and standard deviations in the style of mails about SD_BALANCE_WAKE: a
 * line for each column where there is one row, otherwise a line for each row.
 */
#ifndef COMPARE_FMT_AVG_H
#define COMPARE_FMT_AVG_H

#include <stdio.h>

#include "compare/fmt.h"

struct err;
struct table;

/**
 * fmt_avg - print all sections of @table, and the footer
 * @out: the stream; its errors are the caller's to look at
 * @table: finished
 * @options: how
 * @err: may be NULL
 *
 * Averages are arithmetic means, unless a published table says otherwise, and
 * standard deviations have divisor n - 1. A section of one row has the raw change,
 * rounded to one decimal, and its columns side by side where the options ask for it
 * transposed; a section of several has each standard deviation in percent of its
 * average.
 *
 * Return: 0 or -ENOMEM.
 */
int fmt_avg(FILE *out, const struct table *table, const struct fmt_options *options,
	    struct err *err);

#endif
