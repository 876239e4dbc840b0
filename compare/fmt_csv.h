/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table as comma-separated values (RFC 4180, but lines end with a newline only),
 * one line for each row and column of the table.
 */
#ifndef COMPARE_FMT_CSV_H
#define COMPARE_FMT_CSV_H

#include <stdio.h>

struct err;
struct table;

/**
 * fmt_csv - print @table
 * @out: the stream; its errors are the caller's to look at
 * @table: finished
 * @err: may be NULL
 *
 * Columns: workload, variant, metric, unit, better, point, column, n, failed, mean,
 * stddev, min, median, max, ratio, percent. Empty means not known. Numbers are not
 * rounded; "stddev" has divisor n - 1, "ratio" and "percent" compare the mean with
 * the first column's, positive = better. Every row is there, as in JSON.
 *
 * Return: 0 or -ENOMEM.
 */
int fmt_csv(FILE *out, const struct table *table, struct err *err);

#endif
