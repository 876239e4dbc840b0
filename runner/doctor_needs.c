// SPDX-License-Identifier: GPL-2.0-or-later
/* Programs, cells and limits: what a grid needs; see doctor_checks.h. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "benchmarks/bench.h"
#include "lib/err.h"
#include "lib/file.h"
#include "runner/doctor_checks.h"
#include "runner/limits.h"
#include "runner/plan.h"
#include "runner/program.h"

static bool is_told(const struct doctor *doctor, const char *thing)
{
	size_t i;

	for (i = 0; i < doctor->nr; i++)
		if (doctor->findings[i].thing &&
		    !strcmp(doctor->findings[i].thing, thing))
			return true;
	return false;
}

static void tell_program(const struct program *program, const struct workload *workload,
			 bool is_needed, struct doctor *doctor)
{
	const struct bench_program *wanted = workload->program;
	const char *version = program->version;
	char *thing = file_path("program %s (%s)", program->name, program->word);
	char *remedy =
		wanted->package ? file_path("apt-get install %s", wanted->package) : NULL;
	char *cost = file_path(is_needed ? "its cells of %s are skipped"
					 : "a grid can't say program: %s",
			       is_needed ? workload->ops->name : program->word);
	struct doctor_advice advice = { cost, remedy };

	if (!thing || !cost)
		doctor->nomem = true;
	else if (is_told(doctor, thing))
		; /* One program may do the work of several workloads. */
	else if (program->path)
		doctor_add(doctor, DOCTOR_OK, thing, NULL, "%s%s%s", program->path,
			   version ? ", version " : "", version ? version : "");
	else
		doctor_add(doctor, is_needed ? DOCTOR_MISSING : DOCTOR_NOTE, thing,
			   &advice, "not found in %s", PROGRAM_PATH);
	free(cost);
	free(remedy);
	free(thing);
}

/* The suite's own are always needed: without them the suite is half installed. */
static int find_program(const struct workload *workload, struct doctor *doctor,
			struct err *err)
{
	struct doctor_advice advice = { "its workload can't run",
					"make, or make install" };
	struct program program = { 0 };
	struct err why = { 0 };
	int bad = program_find(workload, ".", &program, &why);

	if (bad == -ENOENT) {
		char *thing = file_path("program %s (%s)", workload->ops->name,
					workload->program->name);

		if (thing)
			doctor_add(doctor, DOCTOR_MISSING, thing, &advice, "%s",
				   why.text);
		free(thing);
		return thing ? 0 : err_nomem(err);
	}
	if (bad)
		return err_set(err, bad, "%s", why.text);
	tell_program(&program, workload, !workload->program->command, doctor);
	program_release(&program);
	return 0;
}

static int all_programs(struct doctor *doctor, struct err *err)
{
	const struct bench_ops *const *ops;
	const struct bench_program *program;

	for (ops = bench_all(); *ops; ops++) {
		/* Its program is for the grid to say. */
		if ((*ops)->runs_command)
			continue;
		for (program = (*ops)->programs; program->name; program++) {
			struct workload workload;

			workload_init(&workload, *ops);
			workload.program = program;
			if (find_program(&workload, doctor, err))
				return err->code;
		}
	}
	return 0;
}

int doctor_programs(const struct doctor_subject *subject, struct doctor *doctor,
		    struct err *err)
{
	struct err local = { 0 };
	const struct plan *plan = subject->plan;
	size_t i, j;

	if (!plan)
		return all_programs(doctor, err ? err : &local);
	for (i = 0; i < plan->nr_programs; i++) {
		for (j = 0; j < plan->nr_cells; j++)
			if (plan->cells[j].program == i)
				break;
		if (j < plan->nr_cells)
			tell_program(&plan->programs[i], &plan->cells[j].workload, true,
				     doctor);
	}
	return 0;
}

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
