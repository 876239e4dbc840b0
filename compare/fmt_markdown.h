/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables for pages and comments that render Markdown as GitHub does.
 */
#ifndef COMPARE_FMT_MARKDOWN_H
#define COMPARE_FMT_MARKDOWN_H

#include <stdio.h>

#include "compare/fmt.h"

struct err;
struct table;

/**
 * fmt_markdown - print all sections of @table, and the footer
 * @out: the stream; its errors are the caller's to look at
 * @table: finished
 * @options: how
 * @err: may be NULL
 *
 * Each cell has the mean, its standard deviation with divisor n - 1, n, and the
 * gain over the first column, positive = better, rounded to two decimals. Names
 * can't turn into markup; notes and footer are in a fenced block.
 *
 * Return: 0 or -ENOMEM.
 */
int fmt_markdown(FILE *out, const struct table *table, const struct fmt_options *options,
		 struct err *err);

#endif
