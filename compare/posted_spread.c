// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds printed standard deviations; see posted_spread.h. */
#include "compare/posted_spread.h"

#include <math.h>
#include <string.h>

#include "compare/posted.h"

/* mmtests has standard deviations in rows of their own. */
static double stddev_below(const struct posted_table *table, const struct posted_row *row,
			   size_t column)
{
	const char *label = strcmp(row->name, "Hmean") ? "Stddev" : "HStddev";
	size_t i;

	for (i = 0; i < table->nr_rows; i++) {
		const struct posted_row *other = &table->rows[i];

		if (!strcmp(other->name, label) && !strcmp(other->op, row->op) &&
		    posted_has(&other->cells[column].value))
			return other->cells[column].value.value;
	}
	return (double)NAN;
}

double posted_stddev(const struct posted_table *table, const struct posted_row *row,
		     size_t column)
{
	const struct posted_cell *cell = &row->cells[column];
	double percent = cell->spread.value;

	if (table->layout == POSTED_MMTESTS)
		return stddev_below(table, row, column);
	if (posted_has(&cell->stddev))
		return cell->stddev.value;
	/* A share of what was rounded to 0 is not 0. */
	if (!posted_has(&cell->spread) || cell->value.value == 0.0)
		return (double)NAN;
	/* LKP cuts to whole percent: the middle of what it can have been. */
	if (table->layout == POSTED_LKP)
		percent += 0.5;
	return fabs(cell->value.value) * percent / 100.0;
}
