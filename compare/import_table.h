/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables pasted into a mail as they are imported: one summary a value. */
#ifndef COMPARE_IMPORT_TABLE_H
#define COMPARE_IMPORT_TABLE_H

#include <stddef.h>

struct err;
struct import;
struct posted;

/**
 * import_table - add the means of all tables of a mail
 * @import: receives them; after a failure it is only good for import_free()
 * @posted: the tables; those that a reply repeats are left out
 * @name: of the file, for errors
 * @only: number of the only table wanted, from 1; 0: all of them
 * @err: names file and line
 *
 * Where several tables of the mail are of one variant, each becomes a variant of its own,
 * "hackbench-process-pipes (table 3)".
 *
 * Return: 0, -EPROTO where there is no table or two rows are one, -EINVAL where there is
 * no table @only, or -ENOMEM.
 */
int import_table(struct import *import, const struct posted *posted, const char *name,
		 size_t only, struct err *err);

#endif
