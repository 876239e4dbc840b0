// SPDX-License-Identifier: GPL-2.0-or-later
/* Takes records in and keeps the last attempt of every iteration. What records name is
 * numbered in table_place.c, laying out is in table_finish.c. */
#include "compare/table.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/table_build.h"
#include "lib/err.h"
#include "lib/json.h"

struct table *table_new(void)
{
	struct table *table = calloc(1, sizeof(*table));

	if (!table)
		return NULL;
	table->build = calloc(1, sizeof(*table->build));
	if (!table->build) {
		free(table);
		return NULL;
	}
	return table;
}

static void section_release(struct table_section *section, size_t nr_columns)
{
	size_t i, j;

	for (i = 0; i < section->nr_rows; i++) {
		for (j = 0; j < nr_columns; j++)
			free(section->rows[i].cells[j].samples);
		free(section->rows[i].cells);
	}
	free(section->rows);
	free(section->metrics);
	free(section->points);
}

static void build_free(struct table_build *build)
{
	size_t i;

	for (i = 0; i < build->nr_executions; i++)
		free(build->executions[i].values);
	for (i = 0; i < build->nr_jvals; i++)
		jval_free(build->jvals[i]);
	free(build->executions);
	free(build->sources);
	free(build->hosts);
	free(build->jvals);
	textmap_release(&build->indexes);
	textmap_release(&build->texts);
	free(build);
}

void table_free(struct table *table)
{
	size_t i;

	if (!table)
		return;
	for (i = 0; i < table->nr_sections; i++)
		section_release(&table->sections[i], table->nr_columns);
	free(table->sections);
	free(table->columns);
	free(table->notes);
	build_free(table->build);
	free(table);
}

/* The metrics of a section mostly come in the same order in every record. */
static int find_metric(struct table *table, size_t section_idx, size_t guess,
		       const struct record_metric *metric, size_t *ret)
{
	const struct table_section *section = &table->sections[section_idx];
	const struct table_metric *known = &section->metrics[guess];
	const char *unit = metric->unit ? metric->unit : "";

	if (guess < section->nr_metrics && !strcmp(known->name, metric->name) &&
	    !strcmp(known->unit, unit) && known->better_higher == metric->better_higher) {
		*ret = guess;
		return 0;
	}
	return build_metric(table, section_idx, metric, ret);
}

static int take_values(struct table *table, struct execution *execution,
		       const struct record *record)
{
	size_t section_idx = table->build->sources[execution->source_idx].section_idx;
	size_t nr = 0;
	size_t i, j;

	for (i = 0; i < record->nr_metrics; i++)
		nr += record->metrics[i].is_summary ? 1 : record->metrics[i].nr_samples;
	execution->values = calloc(nr ? nr : 1, sizeof(*execution->values));
	if (!execution->values)
		return -ENOMEM;
	for (i = 0; i < record->nr_metrics; i++) {
		const struct record_metric *metric = &record->metrics[i];
		struct build_value value = {
			.is_summary = metric->is_summary,
			.is_hmean = metric->is_hmean,
			.number = metric->mean,
			.stddev = metric->stddev,
			.n = metric->n,
			.digits = metric->digits,
		};

		if (find_metric(table, section_idx, i, metric, &value.metric_idx))
			return -ENOMEM;
		if (metric->is_summary)
			execution->values[execution->nr_values++] = value;
		for (j = 0; !metric->is_summary && j < metric->nr_samples; j++) {
			value.number = metric->samples[j];
			execution->values[execution->nr_values++] = value;
		}
	}
	return 0;
}

/* The place for @record among the executions; *@ret NULL when it counts no more. */
static int find_execution(struct table *table, const struct record *record,
			  struct execution **ret)
{
	struct table_build *build = table->build;
	char run[32];
	/* Without a boot there is nothing to tell attempts from iterations by. */
	const char *by_id[] = { "record", run, record->column, record->id, NULL };
	char iteration[32];
	const char *by_iteration[] = { "iteration",  run,	   record->column,
				       record->cell, record->boot, iteration,
				       NULL };
	const char *const *parts = record->boot ? by_iteration : by_id;
	struct execution *executions;
	size_t idx;

	(void)snprintf(run, sizeof(run), "%zu", build->run);
	(void)snprintf(iteration, sizeof(iteration), "%" PRIu64, record->iteration);
	executions =
		build_grow(build->executions, build->nr_executions, sizeof(*executions));
	if (!executions)
		return -ENOMEM;
	build->executions = executions;
	if (build_index(build, parts, build->nr_executions, &idx))
		return -ENOMEM;
	*ret = &executions[idx];
	if (idx == build->nr_executions)
		build->nr_executions++;
	else if (record->attempt > (*ret)->attempt)
		free((*ret)->values);
	else
		*ret = NULL;
	if (*ret)
		**ret = (struct execution){ 0 };
	return 0;
}

static int fill_execution(struct table *table, struct execution *execution,
			  const struct record *record)
{
	execution->attempt = record->attempt;
	execution->status = record->status;
	execution->flags = record->flags;
	if (build_keep(table->build, record->reason, &execution->reason) ||
	    build_source(table, record, &execution->source_idx))
		return -ENOMEM;
	return record->status == RECORD_OK ? take_values(table, execution, record) : 0;
}

int table_add_record(struct table *table, const struct record *record, struct err *err)
{
	struct execution *execution;

	assert(!table->build->is_finished);
	if (record->flags & RECORD_WARMUP)
		return 0;
	if (find_execution(table, record, &execution))
		return err_nomem(err);
	if (execution && fill_execution(table, execution, record))
		return err_nomem(err);
	return 0;
}

/* The topology without what a run was allowed to use of it. */
static int keep_topology(struct table_build *build, const struct jval *facts,
			 const char **ret)
{
	struct jval *topology = jval_object();
	const struct jval *value;
	const char *key;
	void *pos = NULL;
	char *text = NULL;
	int error = topology ? 0 : -ENOMEM;

	while (!error && jval_each(jval_get(facts, "topology"), &pos, &key, &value)) {
		if (strcmp(key, "allowed") != 0)
			error = jval_put(topology, key, jval_copy(value));
	}
	if (!error)
		text = jval_write(topology, JVAL_CANONICAL);
	if (!text)
		error = -ENOMEM;
	else if (jval_count(topology))
		error = build_keep(build, text, ret);
	free(text);
	jval_free(topology);
	return error;
}

int table_add_host(struct table *table, const char *boot, const struct jval *facts,
		   struct err *err)
{
	struct table_build *build = table->build;
	const struct jval *kernel = jval_get(facts, "kernel");
	struct build_host *hosts;
	struct build_host host = { 0 };
	const char *parts[] = { "host", NULL, NULL };
	size_t idx;

	assert(!build->is_finished);
	hosts = build_grow(build->hosts, build->nr_hosts, sizeof(*hosts));
	if (!hosts)
		return err_nomem(err);
	build->hosts = hosts;
	if (build_boot(build, boot, &host.boot) ||
	    build_keep(build, jval_get_text(kernel, "release"), &host.release) ||
	    build_keep(build, jval_get_text(kernel, "version"), &host.version) ||
	    build_keep(build, jval_get_text(kernel, "build_id"), &host.build_id) ||
	    build_keep(build, jval_get_text(facts, "cpu_model"), &host.cpu_model) ||
	    keep_topology(build, facts, &host.topology))
		return err_nomem(err);
	parts[1] = host.boot;
	if (build_index(build, parts, build->nr_hosts, &idx))
		return err_nomem(err);
	hosts[idx] = host;
	build->nr_hosts += idx == build->nr_hosts;
	return 0;
}

const struct build_host *build_host_of(struct table_build *build,
				       const struct source *source)
{
	size_t i;

	/* Sources come boot by boot, and so do hosts: few, and near each other. */
	for (i = 0; source->boot && i < build->nr_hosts; i++) {
		if (build->hosts[i].boot == source->boot)
			return &build->hosts[i];
	}
	return NULL;
}

void table_next_run(struct table *table)
{
	table->build->run++;
}
