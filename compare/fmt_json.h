/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table as JSON of schema "schedgrid-compare-1", for programs. What isn't
 * known is absent, never 0 or null.
 */
#ifndef COMPARE_FMT_JSON_H
#define COMPARE_FMT_JSON_H

#include <stdio.h>

struct err;
struct table;

/**
 * fmt_json - print @table, indented
 * @out: the stream; its errors are the caller's to look at
 * @table: finished
 * @version: of the suite, may be NULL
 * @err: may be NULL
 *
 * "mean" is the arithmetic mean also of rates, "stddev" has divisor n - 1.
 * "ratio" and "percent" compare the means; percent is positive when better.
 * Where a published table has harmonic means, they compare those, and the cell
 * has "hmean" and "hstddev" instead. Every row is there, secondary metrics are
 * marked. "notes" says what makes columns incomparable, "unrecorded" how many
 * iterations were planned and aren't recorded, "unfinished" of which runs. Whatever the
 * names, the text is plain ASCII, with \uNNNN for all other characters.
 *
 * Return: 0 or -ENOMEM.
 */
int fmt_json(FILE *out, const struct table *table, const char *version, struct err *err);

#endif
