// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds cells that are there twice; see plan_repeats.h. */
#include "runner/plan_repeats.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/err.h"
#include "runner/plan.h"

static int by_id(const void *a, const void *b)
{
	const struct cell *const *left = a;
	const struct cell *const *right = b;
	int order = strcmp((*left)->id, (*right)->id);

	if (order)
		return order;
	if ((*left)->column != (*right)->column)
		return (*left)->column < (*right)->column ? -1 : 1;
	return *left < *right ? -1 : *left > *right;
}

/*
 * The grid's reader has refused what is written twice. What depends on the
 * machine may still come to something that is written too.
 */
int plan_check_repeats(const struct plan *plan, struct err *err)
{
	const struct cell **sorted = calloc(plan->nr_cells + 1, sizeof(struct cell *));
	int bad = 0;
	size_t i;

	if (!sorted)
		return err_nomem(err);
	for (i = 0; i < plan->nr_cells; i++)
		sorted[i] = &plan->cells[i];
	qsort(sorted, plan->nr_cells, sizeof(struct cell *), by_id);
	for (i = 1; !bad && i < plan->nr_cells; i++) {
		const struct cell *cell = sorted[i];
		char *point;

		if (strcmp(sorted[i - 1]->id, cell->id) ||
		    sorted[i - 1]->column != cell->column)
			continue;
		point = cell_point(cell);
		bad = err_set(err, -EINVAL,
			      "%s:%u:%u: two cells of %s are the same on this machine, "
			      "with %s: an 'auto', a share, a ladder or a pin comes to "
			      "what another one says",
			      plan->grid->file, cell->entry->pos.line,
			      cell->entry->pos.column, cell->variant, point ? point : "");
		free(point);
	}
	free(sorted);
	return bad;
}
