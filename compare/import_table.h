/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables pasted into a mail as they are imported: one summary a value. */
#ifndef COMPARE_IMPORT_TABLE_H
#define COMPARE_IMPORT_TABLE_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct import;
struct posted;

/**
 * import_table_next - the next table of a mail whose baseline no earlier one has
 * @posted: the tables; those that a reply repeats don't count
 * @after: number of a table, from 1; 0: before the first
 *
 * Tables of one baseline make one run; of several, they can't be compared.
 *
 * Return: its number, or 0 when there is none.
 */
size_t import_table_next(const struct posted *posted, size_t after);

/**
 * import_table - add the means of tables of a mail
 * @import: receives them; after a failure it is only good for import_free()
 * @posted: the tables; those that a reply repeats are left out
 * @name: of the file, for errors
 * @first: number of a table, from 1
 * @is_alone: only this table; otherwise all that have its baseline
 * @err: names file and line
 *
 * Where several tables of the mail are of one variant, each becomes a variant of its own,
 * "hackbench-process-pipes (table 3)".
 *
 * Return: 0, -EPROTO where there is no table or two rows are one, -EINVAL where there is
 * no table @first, or -ENOMEM.
 */
int import_table(struct import *import, const struct posted *posted, const char *name,
		 size_t first, bool is_alone, struct err *err);

#endif
