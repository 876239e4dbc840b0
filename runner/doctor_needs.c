// SPDX-License-Identifier: GPL-2.0-or-later
/* Cells and limits: what a grid needs; see doctor_checks.h. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "benchmarks/bench.h"
#include "lib/err.h"
#include "runner/doctor_checks.h"
#include "runner/limits.h"
#include "runner/monitor.h"
#include "runner/plan.h"

/* Cells that share a reason are one finding. */
static void tell_unfit(const struct plan *plan, char *const *reasons,
		       struct doctor *doctor)
{
	static const struct doctor_advice advice = { "they are skipped", NULL };
	size_t i, j;

	for (i = 0; i < plan->nr_cells; i++) {
		size_t nr = 1;

		for (j = 0; reasons[i] && j < i; j++)
			if (reasons[j] && !strcmp(reasons[i], reasons[j]))
				break;
		if (!reasons[i] || j < i)
			continue;
		for (j = i + 1; j < plan->nr_cells; j++)
			nr += reasons[j] && !strcmp(reasons[i], reasons[j]);
		doctor_add(doctor, DOCTOR_MISSING, "cells", &advice,
			   "%zu of %zu can't run here: %s", nr, plan->nr_cells,
			   reasons[i]);
	}
}

static void add_needs(const struct bench_needs *needs, struct bench_needs *most)
{
	most->fds = needs->fds > most->fds ? needs->fds : most->fds;
	most->tasks = needs->tasks > most->tasks ? needs->tasks : most->tasks;
	most->memory = needs->memory > most->memory ? needs->memory : most->memory;
}

static void check_cells(const struct plan *plan, struct bench_needs *most,
			struct doctor *doctor)
{
	char **reasons = calloc(plan->nr_cells + 1, sizeof(*reasons));
	size_t i;

	for (i = 0; reasons && i < plan->nr_cells; i++) {
		const struct cell *cell = &plan->cells[i];
		struct bench_needs needs = { 0 };
		struct err why = { 0 };

		if (cell->workload.ops->needs)
			cell->workload.ops->needs(&cell->workload, &needs);
		monitor_add_needs(&plan->grid->monitors, &needs);
		add_needs(&needs, most);
		if (cell->unfit || limits_provide(&needs, &why))
			reasons[i] = strdup(cell->unfit ? cell->unfit : why.text);
	}
	if (reasons)
		tell_unfit(plan, reasons, doctor);
	else
		doctor->nomem = true;
	for (i = 0; reasons && i < plan->nr_cells; i++)
		free(reasons[i]);
	free(reasons);
}

/* The first remark stands for all: they differ in numbers only. */
static void tell_undersized(const struct plan *plan, struct doctor *doctor)
{
	static const struct doctor_advice advice = {
		"their records are flagged: they measure caches and not memory",
		"a larger size in the grid, or size: auto"
	};
	const char *remark = NULL;
	size_t nr = 0;
	size_t i;

	for (i = 0; i < plan->nr_cells; i++) {
		const struct cell *cell = &plan->cells[i];

		if (!cell->remark.is_undersized)
			continue;
		remark = remark ? remark : cell->remark.text;
		nr++;
	}
	if (remark)
		doctor_add(doctor, DOCTOR_NOTE, "undersized", &advice,
			   "%zu of %zu cells: %s", nr, plan->nr_cells, remark);
}

void doctor_grid(const struct doctor_subject *subject, struct doctor *doctor)
{
	static const struct doctor_advice consent = {
		"they run with your rights", "schedgrid run --allow-exec, once read"
	};
	const struct plan *plan = subject->plan;
	struct bench_needs most = { 0 };
	struct rlimit files;
	struct err why = { 0 };

	if (!plan)
		return;
	if (getrlimit(RLIMIT_NOFILE, &files))
		files = (struct rlimit){ 0, 0 };
	check_cells(plan, &most, doctor);
	tell_undersized(plan, doctor);
	doctor_add(doctor, DOCTOR_OK, "needs", NULL,
		   "at most %ju open files (the limit is %ju, the hard one %ju), "
		   "%ju tasks, %ju MiB of memory",
		   (uintmax_t)most.fds, (uintmax_t)files.rlim_cur,
		   (uintmax_t)files.rlim_max, (uintmax_t)most.tasks,
		   (uintmax_t)(most.memory >> 20));
	if (plan_check_commands(plan, &why))
		doctor_add(doctor, DOCTOR_NOTE, "commands", &consent,
			   "the grid names commands of its own");
}
