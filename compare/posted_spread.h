/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The standard deviation that a posted table prints for a mean, wherever it prints it. */
#ifndef COMPARE_POSTED_SPREAD_H
#define COMPARE_POSTED_SPREAD_H

#include <stddef.h>

struct posted_row;
struct posted_table;

/**
 * posted_stddev - standard deviation of one cell
 * @table: that @row is of
 * @row: a mean
 * @column: of it
 *
 * From a row of its own, from beside the mean, or from its percentage of the mean, which
 * LKP cuts to a whole number: then it is the middle of what it can have been.
 *
 * Return: in the unit of the mean, its divisor unknown; NAN where there is none.
 */
double posted_stddev(const struct posted_table *table, const struct posted_row *row,
		     size_t column);

#endif
