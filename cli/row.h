/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which rows of a table hold the numbers of a plan's cells. */
#ifndef CLI_ROW_H
#define CLI_ROW_H

#include <stdbool.h>

struct cell;
struct table_row;
struct table_section;

/** row_is_of - whether the row is of the cell's variant and point, whatever its metric */
bool row_is_of(const struct table_section *section, const struct table_row *row,
	       const struct cell *cell);

#endif
