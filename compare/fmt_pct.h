/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables in the style that mails with STREAM results use: one line a metric, raw
 * changes as "(60.26 pct)", cut after two decimals and not rounded.
 */
#ifndef COMPARE_FMT_PCT_H
#define COMPARE_FMT_PCT_H

#include <stdio.h>

#include "compare/fmt.h"

struct err;
struct table;

/**
 * fmt_pct - print all sections of @table, and the footer
 * @out: the stream; its errors are the caller's to look at
 * @table: finished
 * @options: how
 * @err: may be NULL
 *
 * Means are arithmetic, unless a published table says otherwise. Percentages are
 * of the first column, positive = more, whichever direction is better.
 *
 * Return: 0 or -ENOMEM.
 */
int fmt_pct(FILE *out, const struct table *table, const struct fmt_options *options,
	    struct err *err);

#endif
