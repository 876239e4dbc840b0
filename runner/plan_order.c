// SPDX-License-Identifier: GPL-2.0-or-later
/* The order in which the cells of a plan run; see plan.h. */
#include "runner/plan.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/rng.h"

int plan_order(const struct plan *plan, uint64_t block, size_t *order)
{
	size_t nr_columns = plan->grid->nr_columns;
	size_t *rows = calloc(plan->nr_rows, sizeof(*rows));
	struct rng rng;
	size_t i, j;

	if (!rows)
		return -ENOMEM;
	for (i = 0; i < plan->nr_rows; i++)
		rows[i] = i;
	rng_seed(&rng, plan->grid->seed, block);
	rng_shuffle(&rng, rows, plan->nr_rows);
	for (i = 0; i < plan->nr_rows; i++) {
		for (j = 0; j < nr_columns; j++)
			order[i * nr_columns + j] = rows[i] * nr_columns + j;
		rng_shuffle(&rng, order + i * nr_columns, nr_columns);
	}
	free(rows);
	return 0;
}
