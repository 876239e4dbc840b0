/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether the columns of a table may stand side by side. A difference between two
 * columns is one of the kernel or setting they are named for only when the program,
 * its parameters and the machine were the same.
 */
#ifndef COMPARE_COMPARABLE_H
#define COMPARE_COMPARABLE_H

#include <stdbool.h>

struct err;
struct table;

/**
 * comparable_check - look for what makes a comparison worthless
 * @table: finished
 * @force: keep what was found as notes of the table instead of refusing it
 * @err: names the columns and what differs
 *
 * Looked for are: two kernels in one column, also when they share a release; two
 * cells in one column's place; unlike programs or machines in one row; a metric that
 * is better when lower here and when higher there; and columns that ran the same
 * points with other parameters. What isn't known, as in published
 * tables, is no difference.
 *
 * Return: 0, -EINVAL when columns are not comparable, or -ENOMEM.
 */
int comparable_check(struct table *table, bool force, struct err *err);

#endif
