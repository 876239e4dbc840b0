// SPDX-License-Identifier: GPL-2.0-or-later
/* The plan as JSON: what plan.json holds and a resumed run is held against. */
#include "runner/plan.h"

#include <stdlib.h>

#include "lib/json.h"
#include "record/host.h"
#include "runner/guest.h"
#include "runner/guest_spec.h"
#include "runner/settings.h"
#include "runner/sim_plan.h"
#include "runner/slurm_spec.h"
#include "runner/until.h"

static struct jval *or_nothing(struct jval *json, int bad)
{
	if (!bad)
		return json;
	jval_free(json);
	return NULL;
}

static struct jval *command_json(const struct plan *plan, const struct cell *cell)
{
	struct bench_command command = { 0 };
	struct jval *json = jval_array();
	int bad = plan_command_line(plan, cell, false, &command);
	size_t i;

	for (i = 0; !bad && i < command.nr_args; i++)
		bad = jval_push(json, jval_from_string(command.argv[i]));
	bench_command_release(&command);
	return or_nothing(json, bad);
}

static struct jval *service_json(const struct cell *cell)
{
	struct jval *list = jval_array();
	unsigned int idx;
	int bad = 0;
	size_t i;

	for (idx = 0; !bad; idx++) {
		struct bench_command command = { 0 };
		struct jval *args = jval_array();

		bad = plan_service_command(cell, idx, &command);
		for (i = 0; !bad && i < command.nr_args; i++)
			bad = jval_push(args, jval_from_string(command.argv[i]));
		if (!command.nr_args)
			jval_free(args);
		bench_command_release(&command);
		if (!i)
			break;
		bad |= jval_push(list, args);
	}
	return or_nothing(list, bad);
}

static struct jval *cell_json(const struct plan *plan, const struct cell *cell)
{
	struct jval *json = jval_object();
	char *cpus = cpulist_write(&cell->cpus);
	int bad = cpus ? 0 : -1;

	bad |= jval_put(json, "id", jval_from_string(cell->id));
	bad |= jval_put(json, "column",
			jval_from_string(plan->grid->columns[cell->column].name));
	bad |= jval_put(json, "workload", jval_from_string(cell->workload.ops->name));
	bad |= jval_put(json, "variant", jval_from_string(cell->variant));
	bad |= jval_put(json, "point", jval_copy(cell->point));
	bad |= jval_put(json, "parameters", jval_copy(cell->parameters));
	if (cpus)
		bad |= jval_put(json, "cpus", jval_from_string(cpus));
	bad |= jval_put(json, "program", jval_from_string(cell->workload.program->name));
	bad |= jval_put(json, "command", command_json(plan, cell));
	if (cell->service)
		bad |= jval_put(json, "service", service_json(cell));
	free(cpus);
	return or_nothing(json, bad);
}

static int put_known(struct jval *json, const char *key, const char *text)
{
	return text ? jval_put(json, key, jval_from_string(text)) : 0;
}

/* Which kernel is booted; where a guest's image lies tells nothing of it. */
static int put_kernel(struct jval *json, const struct plan *plan, size_t idx)
{
	const struct grid_column *column = &plan->grid->columns[idx];
	int bad = jval_put(json, "kernel", plan_kernel(plan, idx));

	bad |= put_known(json, "cmdline", column->cmdline);
	return bad | put_known(json, "policy", column->policy);
}

static struct jval *columns_json(const struct plan *plan)
{
	const struct grid *grid = plan->grid;
	struct jval *list = jval_array();
	int bad = 0;
	size_t i;

	for (i = 0; i < grid->nr_columns; i++) {
		struct jval *json = jval_object();

		bad |= jval_put(json, "name", jval_from_string(grid->columns[i].name));
		if (grid->columns[i].pin)
			bad |= jval_put(json, "pin",
					jval_from_string(grid->columns[i].pin));
		if (settings_any(grid->columns[i].settings))
			bad |= jval_put(json, "settings",
					settings_json(grid->columns[i].settings));
		if (plan->guest || grid->slurm)
			bad |= put_kernel(json, plan, i);
		if (plan->sim)
			bad |= jval_put(json, "kernel", plan_kernel(plan, i));
		bad |= jval_push(list, json);
	}
	return or_nothing(list, bad);
}

/* The path of our own would only tell where the suite lies. */
static struct jval *program_json(const struct program *program)
{
	struct jval *json = jval_object();
	int bad = jval_put(json, "program", jval_from_string(program->word));

	bad |= jval_put(json, "name", jval_from_string(program->name));
	if (!program->is_own)
		bad |= put_known(json, "path", program->path);
	bad |= put_known(json, "version", program->version);
	bad |= put_known(json, "sha256", program->sha256);
	return or_nothing(json, bad);
}

static struct jval *programs_json(const struct plan *plan)
{
	struct jval *list = jval_array();
	int bad = 0;
	size_t i;

	for (i = 0; i < plan->nr_programs; i++)
		bad |= jval_push(list, program_json(&plan->programs[i]));
	return or_nothing(list, bad);
}

/* With another perf the figures are others. */
static struct jval *plan_monitors_json(const struct plan *plan)
{
	struct jval *json = monitors_json(&plan->grid->monitors);
	int bad = 0;

	if (plan->grid->monitors.nr_events)
		bad = jval_put(json, "program", program_json(&plan->tools.perf));
	return or_nothing(json, bad);
}

static struct jval *quiet_json(const struct grid_quiet *quiet)
{
	struct jval *json = jval_object();
	int bad = jval_put(json, "busy", jval_from_real(quiet->max_foreign));

	bad |= jval_put(json, "wait_ns", jval_from_uint(quiet->wait_ns));
	bad |= jval_put(json, "repeat", jval_from_uint(quiet->repeat));
	return or_nothing(json, bad);
}

static bool is_first_of_workload(const struct grid *grid, size_t idx)
{
	size_t i;

	for (i = 0; i < idx; i++) {
		if (grid->workloads[i].base.ops == grid->workloads[idx].base.ops)
			return false;
	}
	return true;
}

/* What results have to say where they are published, each once. */
static struct jval *terms_json(const struct grid *grid)
{
	struct jval *list = jval_array();
	int bad = 0;
	size_t i;

	for (i = 0; i < grid->nr_workloads; i++) {
		const char *terms = grid->workloads[i].base.ops->terms;

		if (terms && is_first_of_workload(grid, i))
			bad |= jval_push(list, jval_from_string(terms));
	}
	return or_nothing(list, bad);
}

const char *plan_executor(const struct plan *plan)
{
	if (plan->sim)
		return "sim";
	if (plan->grid->slurm)
		return "slurm";
	return plan->guest ? "guest" : "local";
}

struct jval *plan_kernel(const struct plan *plan, size_t column)
{
	if (plan->sim)
		return simulation_kernel(plan->sim, column);
	if (plan->grid->slurm)
		return slurm_kernel_json(plan->grid, column);
	return plan->guest ? guest_kernel(plan->guest, column) : host_kernel(plan->host);
}

const char *plan_machine(const struct plan *plan)
{
	if (plan->sim)
		return plan->sim->machine.name;
	return plan->guest ? plan->grid->guest->topology.name : plan->host->machine;
}

struct jval *plan_json(const struct plan *plan)
{
	const struct grid *grid = plan->grid;
	struct jval *json = jval_object();
	struct jval *cells = jval_array();
	int bad = 0;
	size_t i;

	bad |= jval_put(json, "schema", jval_from_string("schedgrid-plan-1"));
	bad |= jval_put(json, "version", jval_from_string(SCHEDGRID_VERSION));
	bad |= jval_put(json, "name", jval_from_string(grid->name));
	bad |= jval_put(json, "executor", jval_from_string(plan_executor(plan)));
	if (plan->guest)
		bad |= jval_put(json, "guest", guest_json(plan->guest));
	else if (plan->sim)
		bad |= jval_put(json, "sim", simulation_json(plan->sim));
	else if (!grid->slurm)
		bad |= jval_put(json, "kernel", host_kernel(plan->host));
	bad |= jval_put(json, "programs", programs_json(plan));
	bad |= jval_put(json, "seed", jval_from_uint(grid->seed));
	bad |= jval_put(json, "iterations", jval_from_uint(grid->iterations));
	if (grid->until.halfwidth > 0.0)
		bad |= jval_put(json, "until", until_json(grid));
	bad |= jval_put(json, "warmup", jval_from_uint(grid->warmup));
	bad |= jval_put(json, "timeout_ns", jval_from_uint(grid->timeout_ns));
	if (grid->quiet.is_given)
		bad |= jval_put(json, "quiet", quiet_json(&grid->quiet));
	if (monitors_any(&grid->monitors))
		bad |= jval_put(json, "monitors", plan_monitors_json(plan));
	bad |= jval_put(json, "terms", terms_json(grid));
	bad |= jval_put(json, "columns", columns_json(plan));
	for (i = 0; i < plan->nr_cells; i++)
		bad |= jval_push(cells, cell_json(plan, &plan->cells[i]));
	bad |= jval_put(json, "cells", cells);
	return or_nothing(json, bad);
}
