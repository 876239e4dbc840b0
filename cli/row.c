// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows of tables against cells of plans; see row.h. */
#include "cli/row.h"

#include <string.h>

#include "compare/table.h"
#include "lib/json.h"
#include "runner/plan.h"

bool row_is_of(const struct table_section *section, const struct table_row *row,
	       const struct cell *cell)
{
	const struct jval *point = row->point->values;

	if (strcmp(section->variant, cell->variant) != 0)
		return false;
	return point && jval_count(point) ? jval_equal(point, cell->point)
					  : !jval_count(cell->point);
}
