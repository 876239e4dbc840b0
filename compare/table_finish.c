// SPDX-License-Identifier: GPL-2.0-or-later
/* Lays a table out: orders columns, metrics and points, has each execution counted,
 * computes the cells, and drops rows that nobody asked for. */
#include "compare/table.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/table_build.h"
#include "compare/table_layout.h"
#include "lib/err.h"
#include "lib/json.h"

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
	size_t *points = NULL;
	size_t *metrics = NULL;
	size_t i, j;
	int ret = -ENOMEM;

	if (!section->nr_metrics) {
		section->metrics = calloc(1, sizeof(*section->metrics));
		if (!section->metrics)
			return -ENOMEM;
		section->metrics[0].unit = "";
		section->nr_metrics = 1;
	}
	*ret_rows = new_array(section->nr_metrics * nr_points, sizeof(**ret_rows));
	points = new_array(nr_points, sizeof(*points));
	metrics = new_array(section->nr_metrics, sizeof(*metrics));
	section->remarks = new_array(table->nr_columns, sizeof(*section->remarks));
	if (!*ret_rows || !points || !metrics || !section->remarks ||
	    build_order_points(section, points) ||
	    build_order_metrics(section, metrics) || add_rows(section, table->nr_columns))
		goto out;
	for (i = 0; i < section->nr_metrics; i++) {
		for (j = 0; j < nr_points; j++)
			(*ret_rows)[i * nr_points + j] =
				metrics[i] * nr_points + points[j];
	}
	ret = 0;
out:
	free(points);
	free(metrics);
	return ret;
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

/* Whether no iteration gave @row anything. */
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

static bool is_missing(const struct table_row *row, size_t nr_columns)
{
	size_t i;

	for (i = 0; i < nr_columns; i++) {
		if (row->cells[i].nr_unrecorded)
			return true;
	}
	return false;
}

/* Whether anything is known of a row at the point of @row; none is dropped yet. */
static bool has_sibling(const struct table_section *section, const struct table_row *row,
			size_t nr_columns)
{
	size_t i;

	for (i = (size_t)(row->point - section->points); i < section->nr_rows;
	     i += section->nr_points) {
		if (!is_empty(&section->rows[i], nr_columns))
			return true;
	}
	return false;
}

/* Drop the rows of a metric that this point never had. */
static void drop_rows(struct table_section *section, size_t nr_columns)
{
	size_t nr = 0;
	size_t i;

	for (i = 0; i < section->nr_rows; i++) {
		struct table_row *row = &section->rows[i];

		if (is_empty(row, nr_columns) && (!is_missing(row, nr_columns) ||
						  has_sibling(section, row, nr_columns)))
			row->metric = NULL;
	}
	for (i = 0; i < section->nr_rows; i++) {
		if (!section->rows[i].metric)
			free(section->rows[i].cells);
		else
			section->rows[nr++] = section->rows[i];
	}
	section->nr_rows = nr;
}

static int finish_section(struct table_section *section, size_t nr_columns,
			  struct err *err)
{
	size_t i, j;

	for (i = 0; i < section->nr_rows; i++) {
		struct table_row *row = &section->rows[i];

		for (j = 0; j < nr_columns; j++) {
			if (finish_cell(&row->cells[j], err))
				return -ENOMEM;
		}
	}
	drop_rows(section, nr_columns);
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
	if (build_unify(table) || build_find_twins(table) || build_count_runs(table))
		return err_nomem(err);
	ret = build_order_columns(table, columns, baseline, &layout.columns, err);
	if (!ret && lay_out(table, &layout))
		ret = err_nomem(err);
	if (!ret)
		build_expect(table, &layout);
	for (i = 0; !ret && i < build->nr_executions; i++)
		ret = build_count(table, &layout, &build->executions[i], err);
	for (i = 0; !ret && i < table->nr_sections; i++)
		ret = finish_section(&table->sections[i], table->nr_columns, err);
	layout_release(&layout, table->nr_sections);
	return ret;
}
