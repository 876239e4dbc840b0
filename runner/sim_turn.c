// SPDX-License-Identifier: GPL-2.0-or-later
/* Simulates one iteration and makes its record; see sim_turn.h. */
#include "runner/sim_turn.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/err.h"
#include "lib/rng.h"
#include "runner/local.h"
#include "runner/plan.h"
#include "runner/sim_host.h"
#include "runner/sim_job.h"
#include "runner/sim_plan.h"

uint64_t sim_seed(const struct grid *grid, uint64_t iteration)
{
	struct rng rng;

	rng_seed(&rng, grid->seed, iteration);
	/* Readers of JSON may take whole numbers of 53 bits only. */
	return rng_next(&rng) >> 11;
}

/* What was counted, behind the workload's own metrics as with other executors. */
static void take_counts(const struct sim_report *report, struct local_result *ret)
{
	struct record *record = &ret->record;
	size_t nr = placement_metrics(&report->placement, ret->counted.metrics,
				      ret->counted.places);
	size_t i;

	for (i = 0; i < nr; i++)
		ret->metrics[record->nr_metrics++] = ret->counted.metrics[i];
}

static int simulate(const struct local *local, const struct cell *cell,
		    struct local_result *ret)
{
	const struct simulation *sim = local->plan->sim;
	const struct sim_column *column = &sim->columns[cell->column];
	const struct sim_job job = {
		.workload = &cell->workload,
		.variant = &column->variant,
		.domains = column->domains,
		.costs = &sim->machine.costs,
		.cpus = &cell->cpus,
		.seed = ret->record.seed,
		.limit_ns = local->plan->grid->timeout_ns,
	};
	struct sim_report report;
	struct err why = { 0 };
	int bad = sim_job_run(&job, &report, &why);

	if (bad == -ENOMEM)
		return bad;
	if (bad) {
		local_conclude(ret, bad == -ETIME ? RECORD_TIMEOUT : RECORD_BROKEN,
			       why.text);
		return 0;
	}
	local_take_samples(&cell->workload, &report.samples, ret);
	take_counts(&report, ret);
	local_conclude(ret, RECORD_OK, "");
	return 0;
}

int sim_turn(const struct local *local, const struct local_turn *turn,
	     struct local_result *ret, struct err *err)
{
	const struct cell *cell = turn->cell;
	uint64_t start_ns = clock_ns();
	struct local named = *local;
	char boot[sizeof(ret->boot)];
	int bad;

	/* Every simulated run is a start of the column's kernel, named as guests' are. */
	(void)snprintf(boot, sizeof(boot), "b%juc%zu", (uintmax_t)turn->iteration,
		       cell->column + 1);
	named.boot = boot;
	if (local_describe(&named, turn, ret, err))
		return err->code;
	memcpy(ret->boot, boot, sizeof(boot));
	ret->record.boot = ret->boot;
	if (cell->unfit) {
		local_conclude(ret, RECORD_SKIPPED, cell->unfit);
		return 0;
	}
	ret->record.has_seed = true;
	ret->record.seed = sim_seed(local->plan->grid, turn->iteration);
	bad = sim_host_keep(local->plan->sim, cell->column, local->dir, boot, err);
	if (!bad && simulate(local, cell, ret))
		bad = err_nomem(err);
	ret->record.wall_ns = clock_ns() - start_ns;
	if (bad)
		local_release(ret);
	return bad;
}
