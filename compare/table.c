// SPDX-License-Identifier: GPL-2.0-or-later
/* Takes records in: finds section, point, metrics and column of each, and keeps
 * the last attempt of every iteration. Laying out is in table_finish.c. */
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
	for (i = 0; i < table->nr_columns; i++)
		free(table->columns[i].kernel);
	free(table->sections);
	free(table->columns);
	build_free(table->build);
	free(table);
}

void *build_grow(void *array, size_t nr, size_t size)
{
	/* Full exactly when the count is 0 or a power of two. */
	if (nr & (nr - 1))
		return array;
	return reallocarray(array, nr ? 2 * nr : 1, size);
}

int build_index(struct table_build *build, const char *const *parts, size_t next,
		size_t *ret)
{
	struct textmap_entry *entry = NULL;
	char *key = textmap_join(parts);

	if (key)
		entry = textmap_add(&build->indexes, key);
	free(key);
	if (!entry)
		return -ENOMEM;
	if (!entry->value)
		entry->value = (void *)(uintptr_t)(next + 1);
	*ret = (size_t)(uintptr_t)entry->value - 1;
	return 0;
}

int build_keep(struct table_build *build, const char *text, const char **ret)
{
	*ret = text ? textmap_keep(&build->texts, text) : NULL;
	return text && !*ret ? -ENOMEM : 0;
}

int build_column(struct table *table, const char *name, size_t *ret)
{
	const char *parts[] = { "column", name, NULL };
	struct table_column *columns;

	columns = build_grow(table->columns, table->nr_columns, sizeof(*columns));
	if (!columns)
		return -ENOMEM;
	table->columns = columns;
	if (build_index(table->build, parts, table->nr_columns, ret))
		return -ENOMEM;
	if (*ret < table->nr_columns)
		return 0;
	columns[*ret] = (struct table_column){ 0 };
	table->nr_columns++;
	return build_keep(table->build, name, &columns[*ret].name);
}

/* A copy that lives as long as the table; @jval may be NULL. */
static int keep_jval(struct table_build *build, const struct jval *jval,
		     const struct jval **ret)
{
	struct jval **jvals;
	struct jval *copy;

	*ret = NULL;
	if (!jval)
		return 0;
	jvals = build_grow(build->jvals, build->nr_jvals, sizeof(struct jval *));
	if (!jvals)
		return -ENOMEM;
	build->jvals = jvals;
	copy = jval_copy(jval);
	if (!copy)
		return -ENOMEM;
	jvals[build->nr_jvals++] = copy;
	*ret = copy;
	return 0;
}

/* The parameters that the point doesn't hold already. */
static struct jval *fixed_parameters(const struct record *record)
{
	struct jval *fixed = jval_object();
	const struct jval *value;
	const char *key;
	void *pos = NULL;
	int ret = fixed ? 0 : -ENOMEM;

	while (!ret && jval_each(record->parameters, &pos, &key, &value)) {
		if (!jval_get(record->point, key))
			ret = jval_put(fixed, key, jval_copy(value));
	}
	if (ret) {
		jval_free(fixed);
		return NULL;
	}
	return fixed;
}

/* The names of the swept parameters, sorted: points can only be ordered by them. */
static char *axes_text(const struct jval *point)
{
	struct jval *axes = jval_object();
	const struct jval *value;
	const char *key;
	void *pos = NULL;
	char *text = NULL;
	int ret = axes ? 0 : -ENOMEM;

	while (!ret && jval_each(point, &pos, &key, &value))
		ret = jval_put(axes, key, jval_from_bool(true));
	if (!ret)
		text = jval_write(axes, JVAL_CANONICAL);
	jval_free(axes);
	return text;
}

static int add_section(struct table *table, const struct record *record,
		       const struct jval *fixed)
{
	struct table_section *section = &table->sections[table->nr_sections];

	*section = (struct table_section){ 0 };
	table->nr_sections++;
	if (build_keep(table->build, record->workload, &section->workload) ||
	    build_keep(table->build, record->variant, &section->variant))
		return -ENOMEM;
	section->title = section->variant;
	return keep_jval(table->build, fixed, &section->parameters);
}

static int find_section(struct table *table, const struct record *record, size_t *ret)
{
	struct table_section *sections;
	struct jval *fixed = NULL;
	char *fixed_text = NULL;
	char *axes = axes_text(record->point);
	int error = -ENOMEM;

	sections = build_grow(table->sections, table->nr_sections, sizeof(*sections));
	if (!sections)
		goto out;
	table->sections = sections;
	if (record->parameters) {
		fixed = fixed_parameters(record);
		if (fixed)
			fixed_text = jval_write(fixed, JVAL_CANONICAL);
	} else {
		fixed_text = strdup("");
	}
	if (axes && fixed_text) {
		const char *parts[] = { "section", record->workload, record->variant,
					axes,	   fixed_text,	     NULL };

		error = build_index(table->build, parts, table->nr_sections, ret);
	}
	if (!error && *ret == table->nr_sections)
		error = add_section(table, record, fixed);
out:
	free(axes);
	free(fixed_text);
	jval_free(fixed);
	return error;
}

char *build_value_text(const struct jval *value)
{
	const char *text = jval_text(value);
	double number;
	char *out;

	if (text)
		return strdup(text);
	/* 12 digits are more than anybody writes in a grid, and round 0.1 well. */
	if (jval_real(value, &number) && fabs(number) < 1e12)
		return asprintf(&out, "%.12g", number) < 0 ? NULL : out;
	return jval_write(value, JVAL_LINE);
}

/* The values of @point in the order of @axes, which has the same keys. */
static char *point_text(const struct jval *axes, const struct jval *point)
{
	const struct jval *value;
	const char *key;
	void *pos = NULL;
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);
	bool failed = false;

	if (!out)
		return NULL;
	while (jval_each(axes, &pos, &key, &value)) {
		char *part = build_value_text(jval_get(point, key));

		if (part)
			(void)fprintf(out, "%s%s", ftell(out) ? "-" : "", part);
		else
			failed = true;
		free(part);
	}
	if (fclose(out) || failed) {
		free(text);
		return NULL;
	}
	return text;
}

static int add_point(struct table_build *build, struct table_section *section,
		     const struct jval *values)
{
	struct table_point *point = &section->points[section->nr_points];
	const struct jval *axes = section->nr_points ? section->points[0].values : values;
	char *label = point_text(axes, values);
	int ret = -ENOMEM;

	*point = (struct table_point){ 0 };
	section->nr_points++;
	if (label)
		ret = build_keep(build, label, &point->label);
	free(label);
	if (ret || !jval_count(values))
		return ret;
	return keep_jval(build, values, &point->values);
}

static int find_point(struct table *table, size_t section_idx, const struct jval *values,
		      size_t *ret)
{
	struct table_section *section = &table->sections[section_idx];
	char *text = values ? jval_write(values, JVAL_CANONICAL) : strdup("{}");
	struct table_point *points;
	char number[32];
	int error = -ENOMEM;

	points = build_grow(section->points, section->nr_points, sizeof(*points));
	if (points)
		section->points = points;
	(void)snprintf(number, sizeof(number), "%zu", section_idx);
	if (text && points) {
		const char *parts[] = { "point", number, text, NULL };

		error = build_index(table->build, parts, section->nr_points, ret);
	}
	free(text);
	if (error || *ret < section->nr_points)
		return error;
	return add_point(table->build, section, values);
}

static int find_metric(struct table *table, size_t section_idx,
		       const struct record_metric *from, size_t *ret)
{
	struct table_section *section = &table->sections[section_idx];
	const char *unit = from->unit ? from->unit : "";
	const char *better = from->better_higher ? "higher" : "lower";
	char number[32];
	const char *parts[] = { "metric", number, from->name, unit, better, NULL };
	struct table_metric *metrics;

	(void)snprintf(number, sizeof(number), "%zu", section_idx);
	metrics = build_grow(section->metrics, section->nr_metrics, sizeof(*metrics));
	if (!metrics)
		return -ENOMEM;
	section->metrics = metrics;
	if (build_index(table->build, parts, section->nr_metrics, ret))
		return -ENOMEM;
	if (*ret < section->nr_metrics)
		return 0;
	metrics[*ret] = (struct table_metric){
		.better_higher = from->better_higher,
		.secondary = from->secondary,
	};
	section->nr_metrics++;
	if (build_keep(table->build, from->name, &metrics[*ret].name))
		return -ENOMEM;
	return build_keep(table->build, unit, &metrics[*ret].unit);
}

static int take_values(struct table *table, struct execution *execution,
		       const struct record *record)
{
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
			.number = metric->mean,
			.stddev = metric->stddev,
			.n = metric->n,
			.digits = metric->digits,
		};

		if (find_metric(table, execution->section_idx, metric, &value.metric_idx))
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

static int keep_boot(struct table_build *build, const char *boot, const char **ret)
{
	char *text;
	int error;

	if (!boot)
		return 0;
	if (asprintf(&text, "%zu %s", build->run, boot) < 0)
		return -ENOMEM;
	error = build_keep(build, text, ret);
	free(text);
	return error;
}

static int fill_execution(struct table *table, struct execution *execution,
			  const struct record *record)
{
	struct table_build *build = table->build;

	execution->attempt = record->attempt;
	execution->status = record->status;
	execution->flags = record->flags;
	if (build_keep(build, record->reason, &execution->reason) ||
	    keep_boot(build, record->boot, &execution->boot) ||
	    build_keep(build, record->machine, &execution->machine) ||
	    build_keep(build, record->executor, &execution->executor))
		return -ENOMEM;
	if (build_column(table, record->column, &execution->column_idx) ||
	    find_section(table, record, &execution->section_idx) ||
	    find_point(table, execution->section_idx, record->point,
		       &execution->point_idx))
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

void table_next_run(struct table *table)
{
	table->build->run++;
}

int table_set_kernel(struct table *table, const char *column, const char *kernel)
{
	size_t i;

	for (i = 0; i < table->nr_columns; i++) {
		char *copy;

		if (strcmp(table->columns[i].name, column) != 0)
			continue;
		copy = strdup(kernel);
		if (!copy)
			return -ENOMEM;
		free(table->columns[i].kernel);
		table->columns[i].kernel = copy;
		return 0;
	}
	return -ENOENT;
}
