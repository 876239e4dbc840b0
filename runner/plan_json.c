// SPDX-License-Identifier: GPL-2.0-or-later
/* The plan as JSON: what plan.json holds and a resumed run is held against. */
#include "runner/plan.h"

#include <stdlib.h>
#include <string.h>

#include "lib/json.h"
#include "record/host.h"

static struct jval *or_nothing(struct jval *json, int bad)
{
	if (!bad)
		return json;
	jval_free(json);
	return NULL;
}

static struct jval *command_json(const struct cell *cell)
{
	struct bench_command command = { 0 };
	struct jval *json = jval_array();
	int bad = plan_command(cell, 1, &command);
	size_t i;

	for (i = 0; !bad && i < command.nr_args; i++)
		bad = jval_push(json, jval_from_string(command.argv[i]));
	bench_command_release(&command);
	return or_nothing(json, bad);
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
	bad |= jval_put(json, "command", command_json(cell));
	free(cpus);
	return or_nothing(json, bad);
}

static struct jval *columns_json(const struct grid *grid)
{
	struct jval *list = jval_array();
	int bad = 0;
	size_t i;

	for (i = 0; i < grid->nr_columns; i++) {
		struct jval *json = jval_object();

		bad |= jval_put(json, "name", jval_from_string(grid->columns[i].name));
		if (grid->columns[i].pin)
			bad |= jval_put(json, "pin",
					jval_from_string(grid->columns[i].pin));
		bad |= jval_push(list, json);
	}
	return or_nothing(list, bad);
}

static int put_known(struct jval *json, const char *key, const char *text)
{
	return text ? jval_put(json, key, jval_from_string(text)) : 0;
}

/* The path of our own would only tell where the suite lies. */
static struct jval *program_json(const struct program *program)
{
	struct jval *json = jval_object();
	int bad = jval_put(json, "program", jval_from_string(program->word));

	bad |= jval_put(json, "name", jval_from_string(program->name));
	if (strcmp(program->word, "native"))
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
	bad |= jval_put(json, "executor", jval_from_string("local"));
	bad |= jval_put(json, "kernel", host_kernel(plan->host));
	bad |= jval_put(json, "programs", programs_json(plan));
	bad |= jval_put(json, "seed", jval_from_uint(grid->seed));
	bad |= jval_put(json, "iterations", jval_from_uint(grid->iterations));
	bad |= jval_put(json, "warmup", jval_from_uint(grid->warmup));
	bad |= jval_put(json, "timeout_ns", jval_from_uint(grid->timeout_ns));
	bad |= jval_put(json, "columns", columns_json(grid));
	for (i = 0; i < plan->nr_cells; i++)
		bad |= jval_push(cells, cell_json(plan, &plan->cells[i]));
	bad |= jval_put(json, "cells", cells);
	return or_nothing(json, bad);
}
