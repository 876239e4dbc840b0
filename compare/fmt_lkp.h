/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The layout of LKP's reports: a block for each point, its parameters and columns in full
 * above it, "± 3%" beside values that vary by more than 2%, and raw changes.
 */
#ifndef COMPARE_FMT_LKP_H
#define COMPARE_FMT_LKP_H

#include <stdio.h>

#include "compare/fmt.h"

struct err;
struct table;

/**
 * fmt_lkp - print all sections of @table, and the footer
 * @out: the stream; its errors are the caller's to look at
 * @table: finished
 * @options: how
 * @err: may be NULL
 *
 * Return: 0 or -ENOMEM.
 */
int fmt_lkp(FILE *out, const struct table *table, const struct fmt_options *options,
	    struct err *err);

#endif
