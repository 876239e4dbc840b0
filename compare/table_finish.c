// SPDX-License-Identifier: GPL-2.0-or-later
/* Lays a table out: orders columns and points, hands each execution to the
 * cells it belongs to, and computes their statistics. */
#include "compare/table.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/table_build.h"
#include "lib/err.h"
#include "lib/json.h"

/*
 * struct layout - where things that were numbered on arrival have gone
 * @columns: column on arrival to column
 * @rows: for each section, metric on arrival * nr_points + point on arrival,
 *        to the row; lives until empty rows are dropped
 */
struct layout {
	size_t *columns;
	size_t **rows;
};

/* An array that may be of no entries and still isn't NULL. */
static void *new_array(size_t nr, size_t size)
{
	return calloc(nr ? nr : 1, size);
}

static int add_rows(struct table_section *section, size_t nr_columns)
{
	size_t nr = section->nr_metrics * section->nr_points;
	size_t i, j;

	section->nr_rows = 0;
	section->rows = new_array(nr, sizeof(*section->rows));
	if (!section->rows)
		return -ENOMEM;
	for (i = 0; i < nr; i++) {
		struct table_row *row = &section->rows[i];

		row->metric = &section->metrics[i / section->nr_points];
		row->point = &section->points[i % section->nr_points];
		row->cells = new_array(nr_columns, sizeof(*row->cells));
		if (!row->cells)
			return -ENOMEM;
		section->nr_rows++;
		for (j = 0; j < nr_columns; j++)
			row->cells[j].digits = -1;
	}
	return 0;
}

static int lay_out_section(struct table *table, struct table_section *section,
			   size_t **ret_rows)
{
	size_t nr_points = section->nr_points;
	size_t *places;
	size_t i, j;

	if (!section->nr_metrics) {
		section->metrics = calloc(1, sizeof(*section->metrics));
		if (!section->metrics)
			return -ENOMEM;
		section->metrics[0].unit = "";
		section->nr_metrics = 1;
	}
	*ret_rows = new_array(section->nr_metrics * nr_points, sizeof(**ret_rows));
	places = new_array(nr_points, sizeof(*places));
	if (!*ret_rows || !places || build_order_points(section, places) ||
	    add_rows(section, table->nr_columns)) {
		free(places);
		return -ENOMEM;
	}
	for (i = 0; i < section->nr_metrics; i++) {
		for (j = 0; j < nr_points; j++)
			(*ret_rows)[i * nr_points + j] = i * nr_points + places[j];
	}
	free(places);
	return 0;
}

static int add_sample(struct table_cell *cell, double sample)
{
	double *samples;

	if (!isfinite(sample)) {
		cell->nr_invalid++;
		return 0;
	}
	samples = build_grow(cell->samples, cell->nr_samples, sizeof(*samples));
	if (!samples)
		return -ENOMEM;
	cell->samples = samples;
	samples[cell->nr_samples++] = sample;
	return 0;
}

static int set_summary(struct table_cell *cell, const struct build_value *value)
{
	if (cell->is_summary || cell->nr_samples || cell->nr_invalid)
		return -EINVAL;
	cell->is_summary = true;
	cell->summary_n = value->n;
	cell->digits = value->digits;
	cell->stats.amean = cell->stats.stddev_n1 = (double)NAN;
	cell->stats.hmean = cell->stats.hstddev = (double)NAN;
	if (value->is_hmean) {
		cell->stats.hmean = value->number;
		cell->stats.hstddev = value->stddev;
	} else {
		cell->stats.amean = value->number;
		cell->stats.stddev_n1 = value->stddev;
	}
	return 0;
}

static int add_value(const struct table_section *section, struct table_cell *cell,
		     const struct build_value *value, struct err *err)
{
	int ret;

	if (value->is_summary)
		ret = set_summary(cell, value);
	else
		ret = cell->is_summary ? -EINVAL : add_sample(cell, value->number);
	if (ret == -ENOMEM)
		return err_nomem(err);
	if (ret)
		return err_set(err, ret,
			       "metric '%s' of %s has more than one summary in the same "
			       "cell, or samples beside it",
			       section->metrics[value->metric_idx].name, section->title);
	return 0;
}

static bool counts_as_failed(enum record_status status)
{
	return status == RECORD_FAILED || status == RECORD_BROKEN ||
	       status == RECORD_TIMEOUT;
}

/* Append @text to the list in *@ret when @column doesn't have it there yet. */
static int list_once(struct table_build *build, const char *kind,
		     const struct table_column *column, const char *text,
		     const char **ret)
{
	const char *parts[] = { kind, column->name, text, NULL };
	char *joined;
	bool first = false;
	int error;

	if (!text)
		return 0;
	if (build_is_new(build, parts, &first))
		return -ENOMEM;
	if (!first)
		return 0;
	if (asprintf(&joined, "%s%s%s", *ret ? *ret : "", *ret ? ", " : "", text) < 0)
		return -ENOMEM;
	error = build_keep(build, joined, ret);
	free(joined);
	return error;
}

static int count_boot(struct table_build *build, const struct table_column *column,
		      const char *cell, const char *boot, size_t *nr_boots)
{
	const char *parts[] = { "boot", column->name, cell, boot, NULL };
	bool first = false;

	if (boot && build_is_new(build, parts, &first))
		return -ENOMEM;
	*nr_boots += first;
	return 0;
}

/* Say that @source gave @cell something; most of the time it gave the last, too. */
static int note_source(struct table_build *build, struct table_column *column,
		       struct table_cell *cell, struct source *source)
{
	char name[32];

	if (cell->last == source)
		return 0;
	cell->last = source;
	if (!cell->source)
		cell->source = source;
	else if (!cell->other && !build_is_alike(cell->source, source))
		cell->other = source;
	/* A published table counts its own boots, if any. */
	if (cell->is_summary)
		return 0;
	if (!source->gave_samples &&
	    count_boot(build, column, "", source->boot, &column->nr_boots))
		return -ENOMEM;
	source->gave_samples = true;
	(void)snprintf(name, sizeof(name), "%p", (void *)cell);
	return count_boot(build, column, name, source->boot, &cell->nr_boots);
}

static int add_ok(struct table *table, const struct layout *layout,
		  const struct execution *execution, struct err *err)
{
	struct source *source = &table->build->sources[execution->source_idx];
	struct table_section *section = &table->sections[source->section_idx];
	const size_t *row_of = layout->rows[source->section_idx];
	size_t column = layout->columns[source->column_idx];
	size_t i;

	for (i = 0; i < execution->nr_values; i++) {
		const struct build_value *value = &execution->values[i];
		size_t row = value->metric_idx * section->nr_points + source->point_idx;
		struct table_cell *cell = &section->rows[row_of[row]].cells[column];
		int ret = add_value(section, cell, value, err);

		if (ret)
			return ret;
		if (note_source(table->build, &table->columns[column], cell, source))
			return err_nomem(err);
	}
	return 0;
}

static void count_others(struct table *table, const struct layout *layout,
			 const struct execution *execution)
{
	const struct source *source = &table->build->sources[execution->source_idx];
	const struct table_section *section = &table->sections[source->section_idx];
	const size_t *row_of = layout->rows[source->section_idx];
	size_t column = layout->columns[source->column_idx];
	size_t i;

	for (i = 0; i < section->nr_metrics; i++) {
		size_t row = row_of[i * section->nr_points + source->point_idx];
		struct table_cell *cell = &section->rows[row].cells[column];

		if (counts_as_failed(execution->status)) {
			cell->nr_failed++;
		} else {
			cell->nr_skipped++;
			if (!cell->reason)
				cell->reason = execution->reason;
		}
	}
}

/* What the footer says of a column comes from sources that count for something. */
static int count_source(struct table_build *build, struct table_column *column,
			struct source *source)
{
	if (source->is_counted)
		return 0;
	source->is_counted = true;
	source->host = build_host_of(build, source);
	if (list_once(build, "machine", column, source->machine, &column->machines) ||
	    list_once(build, "executor", column, source->executor, &column->executors))
		return -ENOMEM;
	if (!source->host)
		return 0;
	return list_once(build, "kernel", column, source->host->release, &column->kernel);
}

static int add_execution(struct table *table, const struct layout *layout,
			 const struct execution *execution, struct err *err)
{
	struct source *source = &table->build->sources[execution->source_idx];
	struct table_column *column =
		&table->columns[layout->columns[source->column_idx]];

	if (execution->status == RECORD_INTERRUPTED)
		return 0;
	column->flags |= execution->flags;
	if (count_source(table->build, column, source))
		return err_nomem(err);
	if (execution->status == RECORD_OK)
		return add_ok(table, layout, execution, err);
	count_others(table, layout, execution);
	return 0;
}

static int finish_cell(struct table_cell *cell, struct err *err)
{
	struct table_cell summary = *cell;

	if (stats_init(&cell->stats, cell->samples, cell->nr_samples, err))
		return -ENOMEM;
	if (cell->is_summary) {
		cell->stats.amean = summary.stats.amean;
		cell->stats.stddev_n1 = summary.stats.stddev_n1;
		cell->stats.hmean = summary.stats.hmean;
		cell->stats.hstddev = summary.stats.hstddev;
	}
	return 0;
}

static bool is_empty(const struct table_row *row, size_t nr_columns)
{
	size_t i;

	for (i = 0; i < nr_columns; i++) {
		const struct table_cell *cell = &row->cells[i];

		if (cell->is_summary || cell->nr_samples || cell->nr_failed ||
		    cell->nr_invalid || cell->nr_skipped)
			return false;
	}
	return true;
}

/* Compute the cells, and drop rows of a metric that this point never had. */
static int finish_section(struct table_section *section, size_t nr_columns,
			  struct err *err)
{
	size_t nr = 0;
	size_t i, j;

	for (i = 0; i < section->nr_rows; i++) {
		struct table_row *row = &section->rows[i];

		for (j = 0; j < nr_columns; j++) {
			if (finish_cell(&row->cells[j], err))
				return -ENOMEM;
		}
	}
	for (i = 0; i < section->nr_rows; i++) {
		if (is_empty(&section->rows[i], nr_columns))
			free(section->rows[i].cells);
		else
			section->rows[nr++] = section->rows[i];
	}
	section->nr_rows = nr;
	return 0;
}

static bool is_same_variant(const struct table_section *a, const struct table_section *b)
{
	return !strcmp(a->workload, b->workload) && !strcmp(a->variant, b->variant);
}

/* Whether another section of this variant has another value of @key. */
static bool tells_apart(const struct table *table, const struct table_section *section,
			const char *key, const struct jval *value)
{
	size_t i;

	for (i = 0; i < table->nr_sections; i++) {
		const struct table_section *other = &table->sections[i];
		const struct jval *theirs = jval_get(other->parameters, key);

		if (is_same_variant(section, other) &&
		    (!theirs || !jval_equal(theirs, value)))
			return true;
	}
	return false;
}

static int set_title(struct table *table, struct table_section *section)
{
	const struct jval *value;
	const char *key;
	void *pos = NULL;
	const char *before = " (";
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);
	int ret = 0;

	if (!out)
		return -ENOMEM;
	(void)fputs(section->variant, out);
	while (!ret && jval_each(section->parameters, &pos, &key, &value)) {
		char *number;

		if (!tells_apart(table, section, key, value))
			continue;
		number = build_value_text(value);
		if (number)
			(void)fprintf(out, "%s%s=%s", before, key, number);
		else
			ret = -ENOMEM;
		before = " ";
		free(number);
	}
	(void)fputs(before[1] ? "" : ")", out);
	if (fclose(out))
		ret = -ENOMEM;
	if (!ret)
		ret = build_keep(table->build, text, &section->title);
	free(text);
	return ret;
}

static void layout_release(struct layout *layout, size_t nr_sections)
{
	size_t i;

	for (i = 0; layout->rows && i < nr_sections; i++)
		free(layout->rows[i]);
	free(layout->rows);
	free(layout->columns);
}

static int lay_out(struct table *table, struct layout *layout)
{
	size_t i;

	layout->rows = new_array(table->nr_sections, sizeof(*layout->rows));
	if (!layout->rows)
		return -ENOMEM;
	for (i = 0; i < table->nr_sections; i++) {
		if (set_title(table, &table->sections[i]) ||
		    lay_out_section(table, &table->sections[i], &layout->rows[i]))
			return -ENOMEM;
	}
	return 0;
}

int table_finish(struct table *table, const char *const *columns, const char *baseline,
		 struct err *err)
{
	struct table_build *build = table->build;
	struct layout layout = { 0 };
	size_t i;
	int ret;

	assert(!build->is_finished);
	build->is_finished = true;
	if (build_unify(table))
		return err_nomem(err);
	ret = build_order_columns(table, columns, baseline, &layout.columns, err);
	if (!ret && lay_out(table, &layout))
		ret = err_nomem(err);
	for (i = 0; !ret && i < build->nr_executions; i++)
		ret = add_execution(table, &layout, &build->executions[i], err);
	for (i = 0; !ret && i < table->nr_sections; i++)
		ret = finish_section(&table->sections[i], table->nr_columns, err);
	layout_release(&layout, table->nr_sections);
	return ret;
}
