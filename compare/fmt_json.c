// SPDX-License-Identifier: GPL-2.0-or-later
/* Builds the document with lib/json and writes it once; see fmt_json.h. */
#include "compare/fmt_json.h"

#include <errno.h>
#include <stdlib.h>

#include "compare/json_origin.h"
#include "compare/json_put.h"
#include "compare/json_verdict.h"
#include "compare/table.h"
#include "compare/table_plan.h"
#include "compare/view.h"
#include "lib/err.h"
#include "lib/json.h"

static int put_counts(struct jval *object, const struct table_cell *cell)
{
	int ret = 0;

	if (!cell->is_summary)
		ret |= json_put_uint(object, "n", cell->nr_samples);
	else if (cell->summary_n)
		ret |= json_put_uint(object, "n", cell->summary_n);
	ret |= json_put_uint(object, "failed", cell->nr_failed);
	if (cell->nr_invalid)
		ret |= json_put_uint(object, "invalid", cell->nr_invalid);
	if (cell->nr_unrecorded)
		ret |= json_put_uint(object, "unrecorded", cell->nr_unrecorded);
	if (cell->nr_skipped)
		ret |= json_put_uint(object, "skipped", cell->nr_skipped);
	if (cell->reason)
		ret |= json_put_text(object, "reason", cell->reason);
	if (cell->nr_boots)
		ret |= json_put_uint(object, "boots", cell->nr_boots);
	return ret;
}

static int put_stats(struct jval *object, const struct table_row *row,
		     const struct table_cell *cell)
{
	const struct stats *stats = &cell->stats;
	int ret = json_put_real(object, "mean", stats->amean);

	if (row->metric->better_higher || cell->is_summary)
		ret |= json_put_real(object, "hmean", stats->hmean);
	ret |= json_put_real(object, "stddev", stats->stddev_n1);
	if (cell->is_summary)
		ret |= json_put_real(object, "hstddev", stats->hstddev);
	ret |= json_put_real(object, "stderr", stats->stderr_mean);
	ret |= json_put_real(object, "median", stats->median);
	ret |= json_put_real(object, "min", stats->min);
	ret |= json_put_real(object, "max", stats->max);
	/* What rounding to it adds to the variance. */
	if (cell->resolution > 0.0)
		ret |= json_put_real(object, "resolution", cell->resolution);
	if (cell->is_summary && cell->digits >= 0)
		ret |= json_put_uint(object, "digits", (uint64_t)cell->digits);
	return ret;
}

static int push_column(struct jval *array, const struct table *table,
		       const struct table_section *section, const struct table_row *row,
		       size_t column)
{
	struct jval *object = jval_object();
	int ret;

	if (!object)
		return -ENOMEM;
	ret = json_put_text(object, "column", table->columns[column].name);
	ret |= put_counts(object, &row->cells[column]);
	ret |= put_stats(object, row, &row->cells[column]);
	ret |= json_put_samples(object, &row->cells[column]);
	ret |= json_put_flags(object, table, section, row, column);
	ret |= json_put_remarks(object, section, column);
	return ret | jval_push(array, object);
}

static int put_metric(struct jval *object, const struct table_metric *metric)
{
	int ret;

	if (!metric->name)
		return 0;
	ret = json_put_text(object, "metric", metric->name);
	ret |= json_put_text(object, "unit", metric->unit);
	ret |= json_put_text(object, "better",
			     metric->better_higher ? "higher" : "lower");
	if (metric->secondary)
		ret |= jval_put(object, "secondary", jval_from_bool(true));
	if (metric->unjudged)
		ret |= json_put_text(object, "unjudged", metric->unjudged);
	return ret;
}

static int put_place(struct jval *object, const struct table_section *section,
		     const struct table_row *row, bool is_harmonic)
{
	const struct jval *point = row->point->values;
	int ret;

	ret = json_put_text(object, "workload", section->workload);
	ret |= json_put_text(object, "variant", section->variant);
	ret |= put_metric(object, row->metric);
	ret |= jval_put(object, "point", point ? jval_copy(point) : jval_object());
	/* What ratios and percentages are of; without it, of arithmetic means. */
	if (is_harmonic)
		ret |= json_put_text(object, "statistic", "Hmean");
	/* Only where the table holds the variant twice would rows look alike. */
	if (section->title != section->variant && section->parameters)
		ret |= jval_put(object, "parameters", jval_copy(section->parameters));
	return ret;
}

static int push_row(struct jval *rows, const struct table *table,
		    const struct table_section *section, const struct table_row *row)
{
	struct jval *object = jval_object();
	struct jval *columns = jval_array();
	struct jval *against = jval_array();
	size_t i;
	int ret = object && columns && against ? 0 : -ENOMEM;

	if (!ret)
		ret = put_place(object, section, row,
				view_mean(row, table->nr_columns) == VIEW_HMEAN);
	for (i = 0; !ret && i < table->nr_columns; i++) {
		ret |= push_column(columns, table, section, row, i);
		if (i)
			ret |= json_push_against(against, table, section, row, i);
	}
	if (ret) {
		jval_free(object);
		jval_free(columns);
		jval_free(against);
		return -ENOMEM;
	}
	ret = jval_put(object, "columns", columns);
	ret |= jval_put(object, "against", against);
	ret |= json_put_row_verdict(object, table, section, row);
	return ret | jval_push(rows, object);
}

static int push_section(struct jval *rows, const struct table *table,
			const struct table_section *section)
{
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < section->nr_rows; i++)
		ret = push_row(rows, table, section, &section->rows[i]);
	return ret;
}

static int put_notes(struct jval *object, const struct table *table)
{
	struct jval *notes;
	size_t i;
	int ret = 0;

	if (!table->nr_notes)
		return 0;
	notes = jval_array();
	for (i = 0; notes && i < table->nr_notes; i++)
		ret |= jval_push(notes, jval_from_string(table->notes[i]));
	return jval_put(object, "notes", notes) | ret;
}

static int push_run(struct jval *runs, const struct table_run *run)
{
	struct jval *object = jval_object();
	int ret;

	if (!object)
		return -ENOMEM;
	ret = json_put_text(object, "directory", run->dir);
	ret |= json_put_uint(object, "recorded", run->nr_recorded);
	ret |= json_put_uint(object, "planned", run->nr_planned);
	return ret | jval_push(runs, object);
}

static int put_unfinished(struct jval *object, const struct table *table)
{
	struct jval *runs = jval_array();
	size_t i;
	int ret = runs ? 0 : -ENOMEM;

	for (i = 0; !ret && i < table->nr_runs; i++) {
		if (table->runs[i].nr_recorded < table->runs[i].nr_planned)
			ret = push_run(runs, &table->runs[i]);
	}
	if (!ret && jval_count(runs))
		return jval_put(object, "unfinished", runs);
	jval_free(runs);
	return ret;
}

/* All but rows and summary. */
static int put_head(struct jval *top, const struct table *table, const char *version)
{
	int ret = json_put_text(top, "schema", "schedgrid-compare-1");

	if (version)
		ret |= json_put_text(top, "version", version);
	ret |= json_put_rule(top, table);
	ret |= put_notes(top, table);
	ret |= put_unfinished(top, table);
	ret |= json_put_runs(top, table);
	return ret | json_put_columns(top, table);
}

/* The whole document, NULL when out of memory. */
static struct jval *document(const struct table *table, const char *version)
{
	struct jval *top = jval_object();
	struct jval *rows = jval_array();
	size_t i;
	int ret = top && rows ? 0 : -ENOMEM;

	if (!ret)
		ret = put_head(top, table, version);
	for (i = 0; !ret && i < table->nr_sections; i++)
		ret = push_section(rows, table, &table->sections[i]);
	if (ret) {
		jval_free(top);
		jval_free(rows);
		return NULL;
	}
	if (jval_put(top, "rows", rows) || json_put_summary(top, table)) {
		jval_free(top);
		return NULL;
	}
	return top;
}

int fmt_json(FILE *out, const struct table *table, const char *version, struct err *err)
{
	struct jval *top = document(table, version);
	char *text = top ? jval_write(top, JVAL_SAFE) : NULL;

	jval_free(top);
	if (!text)
		return err_nomem(err);
	(void)fprintf(out, "%s\n", text);
	free(text);
	return 0;
}
