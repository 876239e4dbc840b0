// SPDX-License-Identifier: GPL-2.0-or-later
/* Takes a plan in: each of its cells is a source from which no record comes. Later
 * they are counted against the records; see table_plan.h. */
#include "compare/table_plan.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/table.h"
#include "compare/table_build.h"
#include "compare/table_layout.h"
#include "lib/err.h"
#include "lib/json.h"

/* The number, under its cell's name, of what @run planned; @next when it is new. */
static int planned_index(struct table_build *build, size_t run, const char *column,
			 const char *cell, size_t next, size_t *ret)
{
	char number[32];
	const char *parts[] = { "planned", number, column, cell, NULL };

	(void)snprintf(number, sizeof(number), "%zu", run);
	return build_index(build, parts, next, ret);
}

static int note_cpus(struct table *table, size_t column_idx, const char *cpus)
{
	struct table_column *column = &table->columns[column_idx];
	const char *parts[] = { "cpus", column->name, NULL };
	bool is_first = false;

	if (build_is_new(table->build, parts, &is_first))
		return -ENOMEM;
	/* Cells that are pinned in several ways have nothing in common to tell. */
	if (!is_first && (!column->cpus || !cpus || strcmp(column->cpus, cpus) != 0)) {
		column->cpus = NULL;
		return 0;
	}
	return build_keep(table->build, cpus, &column->cpus);
}

static int add_cell(struct table *table, const struct jval *cell, uint64_t nr_planned)
{
	struct table_build *build = table->build;
	const struct record like = {
		.cell = jval_get_text(cell, "id"),
		.column = jval_get_text(cell, "column"),
		.workload = jval_get_text(cell, "workload"),
		.variant = jval_get_text(cell, "variant"),
		.point = jval_get(cell, "point"),
		.parameters = jval_get(cell, "parameters"),
	};
	struct source *source;
	size_t idx, first;

	if (!like.cell || !like.column || !like.workload || !like.variant)
		return 0;
	if (build_source(table, &like, &idx) ||
	    planned_index(build, build->run, like.column, like.cell, idx, &first))
		return -ENOMEM;
	source = &build->sources[idx];
	source->nr_planned = nr_planned;
	return note_cpus(table, source->column_idx, jval_get_text(cell, "cpus"));
}

static int add_run(struct table *table, const char *dir, uint64_t nr_planned)
{
	struct table_run *runs = build_grow(table->runs, table->nr_runs, sizeof(*runs));

	if (!runs)
		return -ENOMEM;
	table->runs = runs;
	runs[table->nr_runs] = (struct table_run){ .nr_planned = nr_planned };
	if (build_keep(table->build, dir, &runs[table->nr_runs].dir))
		return -ENOMEM;
	table->nr_runs++;
	return 0;
}

static int write_terms(struct table_build *build, const struct jval *terms, FILE *out)
{
	size_t i;

	for (i = 0; i < jval_count(terms); i++) {
		const char *text = jval_text(jval_item(terms, i));
		const char *parts[] = { "terms", text, NULL };
		bool is_new = false;

		if (!text || !*text)
			continue;
		if (build_is_new(build, parts, &is_new))
			return -ENOMEM;
		if (is_new)
			(void)fprintf(out, "%s\n", text);
	}
	return 0;
}

static int add_terms(struct table_build *build, const struct jval *terms,
		     struct table_run *run)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);
	int bad;

	if (!out)
		return -ENOMEM;
	bad = write_terms(build, terms, out);
	if (fclose(out) || bad || build_keep(build, text, &run->terms))
		bad = -ENOMEM;
	free(text);
	return bad;
}

/* What was added to one cell alone, by `run --more N --only ...`. */
static uint64_t nr_more_of(const struct jval *plan, const struct jval *cell)
{
	const char *id = jval_get_text(cell, "id");
	uint64_t nr = 0;

	if (id)
		(void)jval_uint(jval_get(jval_get(plan, "more_of"), id), &nr);
	return nr;
}

/* How many iterations each cell is to have at least. */
static uint64_t nr_iterations(const struct jval *plan)
{
	uint64_t nr = 0;
	uint64_t more = 0;

	if (jval_uint(jval_get(jval_get(plan, "stopped"), "after"), &nr))
		return nr;
	(void)jval_uint(jval_get(plan, "iterations"), &nr);
	(void)jval_uint(jval_get(plan, "more"), &more);
	return nr + more;
}

int table_add_plan(struct table *table, const char *dir, const struct jval *plan,
		   struct err *err)
{
	const struct jval *columns = jval_get(plan, "columns");
	const struct jval *cells = jval_get(plan, "cells");
	const char *stopped = jval_get_text(jval_get(plan, "stopped"), "why");
	uint64_t each = nr_iterations(plan);
	uint64_t nr_planned = 0;
	size_t i, idx;

	assert(!table->build->is_finished);
	for (i = 0; i < jval_count(columns); i++) {
		const char *name = jval_get_text(jval_item(columns, i), "name");

		if (name && build_column(table, name, &idx))
			return err_nomem(err);
	}
	for (i = 0; i < jval_count(cells); i++) {
		const struct jval *cell = jval_item(cells, i);
		uint64_t nr = each + nr_more_of(plan, cell);

		nr_planned += nr;
		if (add_cell(table, cell, nr))
			return err_nomem(err);
	}
	if (add_run(table, dir, nr_planned) ||
	    add_terms(table->build, jval_get(plan, "terms"),
		      &table->runs[table->nr_runs - 1]) ||
	    build_keep(table->build, stopped ? stopped : "",
		       &table->runs[table->nr_runs - 1].stopped))
		return err_nomem(err);
	table->runs[table->nr_runs - 1].number = table->build->run;
	return 0;
}

bool build_is_copy(const struct table_build *build, size_t run)
{
	size_t i;

	for (i = 0; i < build->nr_copies; i++) {
		if (build->copies[i] == run)
			return true;
	}
	return false;
}

/* Whether the iteration is over: of others, the run makes another attempt. */
static bool is_recorded(const struct execution *execution)
{
	return execution->status != RECORD_INTERRUPTED &&
	       execution->status != RECORD_BROKEN;
}

static int count_execution(struct table_build *build, const struct execution *execution)
{
	const struct source *source = &build->sources[execution->source_idx];
	struct source *planned;
	size_t idx;

	if (planned_index(build, source->run, source->column, source->cell, SIZE_MAX - 1,
			  &idx))
		return -ENOMEM;
	if (idx == SIZE_MAX - 1)
		return 0;
	planned = &build->sources[idx];
	planned->nr_recorded += planned->nr_recorded < planned->nr_planned;
	return 0;
}

int build_count_runs(struct table *table)
{
	struct table_build *build = table->build;
	size_t i, j;

	for (i = 0; table->nr_runs && i < build->nr_executions; i++) {
		if (is_recorded(&build->executions[i]) &&
		    count_execution(build, &build->executions[i]))
			return -ENOMEM;
	}
	for (i = 0; i < table->nr_runs; i++) {
		for (j = 0; j < build->nr_sources; j++) {
			if (build->sources[j].run == table->runs[i].number)
				table->runs[i].nr_recorded +=
					build->sources[j].nr_recorded;
		}
	}
	return 0;
}
