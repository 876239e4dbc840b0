/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the lines above a posted table say of it: columns, workload, number of runs. */
#ifndef COMPARE_POSTED_HEADING_H
#define COMPARE_POSTED_HEADING_H

#include <stddef.h>

struct posted;
struct posted_table;

/**
 * posted_heading - name the columns of a table, and what it is of
 * @posted: receives the names
 * @table: has its first row and its number of columns; columns that have a name keep it
 *
 * Columns that nothing names are called "column 1" and so on.
 *
 * Return: 0 or -ENOMEM.
 */
int posted_heading(struct posted *posted, struct posted_table *table);

/**
 * posted_lkp_heading - read LKP's parameters and list of commits
 * @posted: receives the names
 * @table: receives columns, workload, machine and parameters
 * @idx: of the line that reads "commit:"
 *
 * Return: 0 or -ENOMEM. A list of less than 2 commits leaves no columns.
 */
int posted_lkp_heading(struct posted *posted, struct posted_table *table, size_t idx);

#endif
