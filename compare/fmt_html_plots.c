// SPDX-License-Identifier: GPL-2.0-or-later
/* From rows of a table to plots; see fmt_html_parts.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/dist.h"
#include "compare/fmt_html_parts.h"
#include "compare/runs.h"
#include "compare/table.h"
#include "lib/err.h"
#include "lib/text.h"

enum { LABEL_WIDTH = 14 };

/* "2 wake", cut to what fits beside an axis. */
static char *label_of(const struct table *table, size_t column)
{
	char *printable = view_printable(table->columns[column].name);
	char *label = NULL;
	size_t len = printable ? view_cut(printable, LABEL_WIDTH) : 0;

	if (printable && asprintf(&label, "%zu %.*s%s", column + 1, (int)len, printable,
				  printable[len] ? "..." : "") < 0)
		label = NULL;
	free(printable);
	return label;
}

static int make_labels(struct html_plots *plots, const struct table *table)
{
	size_t nr = table->nr_columns;
	size_t i;

	plots->nr_labels = nr < PLOT_SERIES_MAX ? nr : PLOT_SERIES_MAX;
	plots->labels = calloc(plots->nr_labels + 1, sizeof(char *));
	if (!plots->labels)
		return -ENOMEM;
	for (i = 0; i < plots->nr_labels; i++) {
		plots->labels[i] = label_of(table, i);
		if (!plots->labels[i])
			return -ENOMEM;
	}
	return 0;
}

/* Mean and its 95% interval from Student's t, of one number for each iteration. */
static int fill_mean(struct plot_series *series, const struct table *table,
		     const struct table_row *row, size_t column)
{
	enum view_statistic mean = view_mean(row, table->nr_columns);
	struct runs runs;
	double half;

	if (runs_init(&runs, &row->cells[column], mean == VIEW_HMEAN))
		return -ENOMEM;
	series->mean = runs.side.mean;
	half = dist_t_quantile(0.975, runs.side.df) * sqrt(runs.side.variance);
	series->low = isfinite(half) ? series->mean - half : (double)NAN;
	series->high = isfinite(half) ? series->mean + half : (double)NAN;
	runs_release(&runs);
	return 0;
}

/*
 * struct turn - a sample and when it was its turn
 */
struct turn {
	const char *start;
	double *order;
};

static int compare_turns(const void *a, const void *b)
{
	return strcmp(((const struct turn *)a)->start, ((const struct turn *)b)->start);
}

/* Numbers the samples of a row by when they began; false where one isn't known. */
static bool number_turns(const struct table_row *row, struct plot_series *series,
			 size_t nr_series, struct turn *turns)
{
	size_t nr = 0;
	size_t i, j;

	for (i = 0; i < nr_series; i++) {
		for (j = 0; j < series[i].nr; j++) {
			turns[nr].start = row->cells[i].origins[j].start;
			turns[nr].order = (double *)(uintptr_t)&series[i].order[j];
			if (!turns[nr++].start)
				return false;
		}
	}
	qsort(turns, nr, sizeof(*turns), compare_turns);
	for (i = 0, j = 0; i < nr; i++) {
		j += !i || strcmp(turns[i].start, turns[i - 1].start) != 0;
		*turns[i].order = (double)j;
	}
	return nr;
}

static char *row_text(const char *before, const struct table_section *section,
		      const struct table_row *row)
{
	char *point = table_point_text(row->point, " ");
	char *text = NULL;

	if (point && asprintf(&text, "%s %s %s%s%s", before, section->title,
			      row->metric->name ? row->metric->name : "",
			      *point ? " " : "", point) < 0)
		text = NULL;
	free(point);
	return text;
}

static char *axis_text(const struct table_metric *metric)
{
	const char *name = metric->name ? metric->name : "";
	const char *unit = metric->unit ? metric->unit : "";
	char *raw;
	char *text;

	if (asprintf(&raw, "%.*s%s%.*s", (int)view_cut(name, 24), name,
		     *unit ? " in " : "", (int)view_cut(unit, 12), unit) < 0)
		return NULL;
	text = view_printable(raw);
	free(raw);
	return text;
}

static struct plot_series *new_series(struct html_plots *plots, struct plot *plot)
{
	struct plot_series *series = calloc(plots->nr_labels + 1, sizeof(*series));

	plot->series = series;
	plot->nr_series = series ? plots->nr_labels : 0;
	return series;
}

static int add_samples(struct html_plots *plots, const struct table *table,
		       const struct table_section *section, const struct table_row *row)
{
	struct plot *plot = &plots->plots[plots->nr++];
	struct plot_series *series = new_series(plots, plot);
	size_t i;

	plot->kind = PLOT_SAMPLES;
	plot->description = row_text("Samples, means and intervals of", section, row);
	plot->axis = axis_text(row->metric);
	if (!series || !plot->description || !plot->axis)
		return -ENOMEM;
	for (i = 0; i < plot->nr_series; i++) {
		series[i].label = plots->labels[i];
		series[i].values = row->cells[i].samples;
		series[i].nr = row->cells[i].nr_samples;
		if (fill_mean(&series[i], table, row, i))
			return -ENOMEM;
	}
	return 0;
}

static int add_order(struct html_plots *plots, const struct table_section *section,
		     const struct table_row *row)
{
	struct plot *plot = &plots->plots[plots->nr++];
	struct plot_series *series = new_series(plots, plot);
	struct turn *turns;
	size_t nr = 0;
	size_t i;

	plot->kind = PLOT_ORDER;
	plot->description =
		row_text("Samples in the order of execution of", section, row);
	plot->axis = axis_text(row->metric);
	if (!series || !plot->description || !plot->axis)
		return -ENOMEM;
	for (i = 0; i < plot->nr_series; i++) {
		series[i].label = plots->labels[i];
		series[i].values = row->cells[i].samples;
		series[i].nr = row->cells[i].nr_samples;
		series[i].order = calloc(series[i].nr + 1, sizeof(double));
		if (!series[i].order)
			return -ENOMEM;
		nr += series[i].nr;
	}
	turns = calloc(nr + 1, sizeof(*turns));
	if (!turns)
		return -ENOMEM;
	/* Without an order there is nothing to draw. */
	if (!number_turns(row, series, plot->nr_series, turns)) {
		for (i = 0; i < plot->nr_series; i++)
			series[i].nr = 0;
	}
	free(turns);
	return 0;
}

static int add_section(struct html_plots *plots, const struct table *table,
		       const struct table_section *section, bool all)
{
	const struct view_options options = { .all = all };
	struct plot *grown;
	struct view view;
	size_t i;
	int ret = view_init(&view, table, section, &options);

	grown = ret ? NULL
		    : reallocarray(plots->plots, plots->nr + 2 * view.nr_rows + 1,
				   sizeof(*grown));
	if (grown) {
		memset(grown + plots->nr, 0, (2 * view.nr_rows + 1) * sizeof(*grown));
		plots->plots = grown;
	} else {
		ret = -ENOMEM;
	}
	for (i = 0; !ret && i < view.nr_rows; i++) {
		ret = add_samples(plots, table, section, view.rows[i].row);
		if (!ret)
			ret = add_order(plots, section, view.rows[i].row);
	}
	view_release(&view);
	return ret;
}

int html_plots_init(struct html_plots *plots, const struct table *table, bool all,
		    struct err *err)
{
	struct err why = { 0 };
	size_t i;
	int ret;

	*plots = (struct html_plots){ 0 };
	ret = make_labels(plots, table);
	for (i = 0; !ret && i < table->nr_sections; i++)
		ret = add_section(plots, table, &table->sections[i], all);
	if (ret)
		return err_nomem(err);
	ret = plots->nr ? plot_draw(plots->plots, plots->nr, &plots->drawn, &why) : 0;
	plots->why = strdup(why.text);
	if (!plots->why || ret == -ENOMEM)
		return err_nomem(err);
	return ret == -EINTR ? err_set(err, ret, "%s", why.text) : 0;
}

void html_plots_release(struct html_plots *plots)
{
	size_t i, j;

	for (i = 0; i < plots->nr; i++) {
		struct plot *plot = &plots->plots[i];

		for (j = 0; j < plot->nr_series; j++)
			free((void *)(uintptr_t)plot->series[j].order);
		free((void *)(uintptr_t)plot->series);
		free((void *)(uintptr_t)plot->description);
		free((void *)(uintptr_t)plot->axis);
	}
	for (i = 0; plots->labels && i < plots->nr_labels; i++)
		free(plots->labels[i]);
	free(plots->labels);
	free(plots->plots);
	free(plots->why);
	plot_release(&plots->drawn);
	*plots = (struct html_plots){ 0 };
}
