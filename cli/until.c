// SPDX-License-Identifier: GPL-2.0-or-later
/* Judges the ledger of a run that goes on; see until.h. */
#include "cli/until.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/row.h"
#include "compare/judge.h"
#include "compare/load.h"
#include "compare/power.h"
#include "compare/table.h"
#include "lib/err.h"
#include "runner/plan.h"
#include "runner/select.h"

/* Whether the cell gives numbers to this place, as its column or as the baseline. */
static bool is_cell_of(const struct cell *cell, const struct plan *plan,
		       const struct table *table, const struct power_place *place)
{
	const char *column = plan->grid->columns[cell->column].name;

	return row_is_of(place->section, place->row, cell) &&
	       (!strcmp(column, table->columns[place->column].name) ||
		!strcmp(column, table->columns[0].name));
}

static bool wants(const struct table *table, const struct power_place *place, void *data)
{
	const struct until_scope *scope = data;
	const struct plan *plan = scope->plan;
	size_t i;

	for (i = 0; i < plan->nr_cells; i++) {
		const struct cell *cell = &plan->cells[i];

		if (is_cell_of(cell, plan, table, place) &&
		    select_cell(cell, plan->grid, scope->only))
			return true;
	}
	return false;
}

static int name_place(const struct table *table, const struct power_place *place,
		      char *text)
{
	char *point = table_point_text(place->row->point, " ");

	if (!point)
		return -1;
	(void)snprintf(text, UNTIL_ROW_SIZE, "%s%s%s %s, %s", place->section->variant,
		       *point ? " " : "", point, place->row->metric->name,
		       table->columns[place->column].name);
	free(point);
	return 0;
}

int until_measure(const char *dir, void *data, struct until_width *ret, struct err *err)
{
	const struct until_scope *scope = data;
	/* What isn't comparable is for compare to say, when all is there. */
	const struct load_options options = {
		.dirs = &dir,
		.nr_dirs = 1,
		.force = true,
	};
	struct judgement *judgement = NULL;
	struct table *table = NULL;
	struct power_widest widest;
	int bad = load_table(&options, &table, err);

	*ret = (struct until_width){ 0 };
	if (!bad)
		bad = judge_table(table, &rule_default, &judgement, err);
	if (!bad) {
		table->judgement = judgement;
		widest = power_widest(table, scope->only ? wants : NULL, data);
		ret->nr = widest.nr;
		ret->halfwidth = widest.halfwidth;
		if (widest.nr && name_place(table, &widest.place, ret->row))
			bad = err_nomem(err);
	}
	judgement_free(judgement);
	table_free(table);
	return bad;
}
