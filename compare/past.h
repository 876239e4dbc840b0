/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What earlier runs recorded of given cells, as a table. Cells are found by their ids, so
 * another kernel, program or parameter is another cell, whatever its column is called.
 */
#ifndef COMPARE_PAST_H
#define COMPARE_PAST_H

#include <stddef.h>
#include <stdint.h>

struct err;
struct table;

/**
 * struct past_cell - a cell that is looked for
 * @id: its id
 * @column: whose records become those of this column
 */
struct past_cell {
	const char *id, *column;
};

/**
 * struct past - what was found
 * @table: finished; its columns are those of the cells, in their order
 * @nr_records: iterations of the cells that are ok
 * @wall_ns: of all of them
 */
struct past {
	struct table *table;
	uint64_t nr_records, wall_ns;
};

/**
 * struct past_wish - what to look for
 * @dirs: directories of runs
 * @nr_dirs: how many
 * @cells: what is looked for
 * @nr_cells: how many
 */
struct past_wish {
	const char *const *dirs;
	size_t nr_dirs;
	const struct past_cell *cells;
	size_t nr_cells;
};

/**
 * past_load - look through runs
 * @wish: where and what for
 * @ret: the table is to be freed by table_free(); written on success only
 * @err: names the file that is damaged
 *
 * Return: 0 or a negative errno.
 */
int past_load(const struct past_wish *wish, struct past *ret, struct err *err);

#endif
