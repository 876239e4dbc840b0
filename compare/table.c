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
		for (j = 0; j < nr_columns; j++) {
			free(section->rows[i].cells[j].samples);
			free(section->rows[i].cells[j].origins);
		}
		free(section->rows[i].cells);
	}
	free(section->rows);
	free(section->remarks);
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
	free(build->copies);
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
	free(table->machines);
	free(table->runs);
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
	    !strcmp(known->unit, unit) && known->better_higher == metric->better_higher &&
	    known->rank >= guess) {
		*ret = guess;
		return 0;
	}
	return build_metric(table, section_idx, metric, guess, ret);
}

static int take_values(struct table *table, struct execution *execution,
		       const struct record *record)
{
	size_t section_idx = table->build->sources[execution->source_idx].section_idx;
	size_t nr = 0;
	size_t i, j, idx;

	for (i = 0; i < record->nr_metrics; i++)
		nr += record->metrics[i].nr_samples ? record->metrics[i].nr_samples : 1;
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
			.digits = (int16_t)metric->digits,
			.resolution = metric->resolution,
		};

		if (find_metric(table, section_idx, i, metric, &idx) || idx > UINT32_MAX)
			return -ENOMEM;
		value.metric_idx = (uint32_t)idx;
		if (!metric->is_summary && !metric->nr_samples)
			value.number = (double)NAN;
		if (metric->is_summary || !metric->nr_samples)
			execution->values[execution->nr_values++] = value;
		for (j = 0; !metric->is_summary && j < metric->nr_samples; j++) {
			value.number = metric->samples[j];
			execution->values[execution->nr_values++] = value;
		}
	}
	return 0;
}

/* The first attempt is what a copy of the run has in common with it. */
static int note_first(struct table_build *build, struct execution *execution,
		      const struct record *record)
{
	if (record->attempt >= execution->first)
		return 0;
	execution->first = record->attempt;
	return build_keep(build, record->start, &execution->start);
}

/* The place for @record among the executions. */
static int find_execution(struct table *table, const struct record *record,
			  struct execution **ret, bool *ret_new)
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
	*ret_new = idx == build->nr_executions;
	if (*ret_new) {
		build->nr_executions++;
		**ret = (struct execution){ .first = UINT64_MAX };
	}
	return note_first(build, *ret, record);
}

static int fill_execution(struct table *table, struct execution *execution,
			  const struct record *record)
{
	free(execution->values);
	execution->values = NULL;
	execution->nr_values = 0;
	execution->iteration = record->iteration;
	execution->attempt = record->attempt;
	execution->status = record->status;
	execution->flags = record->flags;
	execution->block = record->block;
	if (build_keep(table->build, record->reason, &execution->reason) ||
	    build_source(table, record, &execution->source_idx))
		return -ENOMEM;
	return record->status == RECORD_OK ? take_values(table, execution, record) : 0;
}

int table_add_record(struct table *table, const struct record *record, struct err *err)
{
	struct execution *execution;
	bool is_new;

	assert(!table->build->is_finished);
	if (record->flags & RECORD_WARMUP)
		return 0;
	if (find_execution(table, record, &execution, &is_new))
		return err_nomem(err);
	if ((is_new || record->attempt > execution->attempt) &&
	    fill_execution(table, execution, record))
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

/* "2 CPUs" and so on, where there are at least @least of them. */
static void put_number(FILE *out, uint64_t nr, uint64_t least, const char *one)
{
	if (nr >= least)
		(void)fprintf(out, "%s%" PRIu64 " %s%s", ftell(out) ? ", " : "", nr, one,
			      nr == 1 ? "" : "s");
}

static uint64_t number_of(const struct jval *topology, const char *key)
{
	uint64_t nr = 0;

	(void)jval_uint(jval_get(topology, key), &nr);
	return nr;
}

static void put_size(FILE *out, uint64_t bytes)
{
	static const char *const units[] = { "bytes", "KiB", "MiB" };
	size_t i = 0;

	for (; i < 2 && bytes % 1024 == 0; i++)
		bytes /= 1024;
	(void)fprintf(out, " of %" PRIu64 " %s", bytes, units[i]);
}

int build_hardware(struct table_build *build, const struct jval *facts, const char **ret)
{
	const struct jval *topology = jval_get(facts, "topology");
	const char *model = jval_get_text(facts, "cpu_model");
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);
	uint64_t nr_cpus = number_of(topology, "cpus");
	uint64_t nr_cores = number_of(topology, "cores");
	uint64_t bytes = number_of(topology, "llc_bytes");
	int error;

	if (!out)
		return -ENOMEM;
	(void)fputs(model ? model : "", out);
	put_number(out, nr_cpus, 1, "CPU");
	put_number(out, nr_cores != nr_cpus ? nr_cores : 0, 1, "core");
	put_number(out, number_of(topology, "nodes"), 2, "node");
	put_number(out, number_of(topology, "llcs"), 1, "LLC");
	if (number_of(topology, "llcs") && bytes)
		put_size(out, bytes);
	error = fclose(out) ? -ENOMEM : build_keep(build, len ? text : NULL, ret);
	free(text);
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
	    build_keep(build, jval_get_text(facts, "boot_id"), &host.boot_id) ||
	    build_keep(build, jval_get_text(facts, "cpu_model"), &host.cpu_model) ||
	    keep_topology(build, facts, &host.topology) ||
	    build_hardware(build, facts, &host.hardware))
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

const char *build_boot_name(const struct source *source)
{
	return source->host && source->host->boot_id ? source->host->boot_id
						     : source->boot;
}

void table_next_run(struct table *table)
{
	table->build->run++;
}
