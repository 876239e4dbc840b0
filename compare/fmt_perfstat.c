// SPDX-License-Identifier: GPL-2.0-or-later
/* Means with their standard errors, as perf stat lays them out; see fmt_perfstat.h. */
#include "compare/fmt_perfstat.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "compare/footer.h"
#include "compare/table.h"
#include "compare/view.h"
#include "lib/err.h"

enum { WIDTH = 18, DIGITS_MIN = 4, DIGITS_MAX = 9 };

/* Whether @metric is a time as perf's last lines have them, and its unit in seconds. */
static bool in_seconds(const struct table_metric *metric, double *ret_scale)
{
	*ret_scale = !strcmp(metric->unit, "ns") ? 1e-9 : 1.0;
	return metric->name &&
	       (!strcmp(metric->unit, "s") ||
		!strncmp(metric->name, "duration_time", strlen("duration_time")));
}

/* What passed on a clock on the wall, from the start to the end. */
static bool is_elapsed(const char *name)
{
	return !strcmp(name, "elapsed") ||
	       !strncmp(name, "duration_time", strlen("duration_time"));
}

static double mean_of(const struct table_cell *cell)
{
	double mean = view_value(cell, VIEW_AMEAN);

	return isnan(mean) ? view_value(cell, VIEW_HMEAN) : mean;
}

/* A published table doesn't say which divisor its stddev took, nor always n. */
static double stderr_of(const struct table_cell *cell)
{
	return cell->is_summary ? (double)NAN : cell->stats.stderr_mean;
}

static void put_percent(FILE *out, double standard_error, double mean)
{
	double percent = stats_coeffvar(standard_error, mean);

	if (!isnan(percent))
		(void)fprintf(out, "  ( +- %5.2f%% )", percent);
	(void)fputc('\n', out);
}

/* Two digits of the standard error, as far as a clock goes. */
static int time_digits(double standard_error)
{
	int digits = DIGITS_MIN;

	if (standard_error > 0.0)
		digits = 1 - (int)floor(log10(standard_error));
	return digits < DIGITS_MIN   ? DIGITS_MIN
	       : digits > DIGITS_MAX ? DIGITS_MAX
				     : digits;
}

static void put_time(FILE *out, const struct table_cell *cell, const char *name,
		     double scale)
{
	double mean = mean_of(cell) * scale;
	double standard_error = stderr_of(cell) * scale;
	int digits = time_digits(standard_error);
	char number[VIEW_NUMBER_SIZE];

	view_number(mean, digits, number);
	(void)fprintf(out, "%*s", WIDTH, number);
	if (!isnan(standard_error)) {
		view_number(standard_error, digits, number);
		(void)fprintf(out, " +- %s", number);
	}
	(void)fprintf(out, " seconds %s", is_elapsed(name) ? "time elapsed" : name);
	put_percent(out, standard_error, mean);
}

/* A count of events has decimals only where its mean has. */
static int count_digits(const struct table_row *row, const struct table_cell *cell)
{
	double mean = mean_of(cell);

	if (!*row->metric->unit && mean == floor(mean))
		return 0;
	return view_digits(row, 1);
}

static void put_count(FILE *out, const struct table_row *row, const char *name,
		      const struct table_cell *cell)
{
	double mean = mean_of(cell);
	double standard_error = stderr_of(cell);
	char number[VIEW_NUMBER_SIZE];
	char *unit = view_printable(row->metric->unit);

	view_number(mean, count_digits(row, cell), number);
	(void)fprintf(out, "%*s %-6s ", WIDTH, number, unit ? unit : "");
	if (isnan(stats_coeffvar(standard_error, mean)))
		(void)fprintf(out, "%s\n", name);
	else
		(void)fprintf(out, "%-24s", name);
	if (!isnan(stats_coeffvar(standard_error, mean)))
		put_percent(out, standard_error, mean);
	free(unit);
}

/* All metrics of one point in one column; the times come last. */
static int put_metrics(FILE *out, const struct view *view,
		       const struct table_point *point, size_t column, bool times)
{
	bool is_first = true;
	size_t i;

	for (i = 0; i < view->nr_rows; i++) {
		const struct table_row *row = view->rows[i].row;
		double scale;
		char *name;

		if (row->point != point || !row->metric->name ||
		    in_seconds(row->metric, &scale) != times)
			continue;
		name = view_printable(row->metric->name);
		if (!name)
			return -ENOMEM;
		if (is_first)
			(void)fputc('\n', out);
		is_first = false;
		if (times)
			put_time(out, &row->cells[column], name, scale);
		else
			put_count(out, row, name, &row->cells[column]);
		free(name);
	}
	return 0;
}

/* The first row of the point stands for its number of iterations. */
static const struct table_row *row_of(const struct view *view,
				      const struct table_point *point)
{
	size_t i;

	for (i = 0; i < view->nr_rows; i++)
		if (view->rows[i].row->point == point)
			return view->rows[i].row;
	return NULL;
}

static int put_heading(FILE *out, const struct table *table,
		       const struct table_section *section, const struct table_row *row,
		       size_t column)
{
	char *title = view_printable(section->title);
	char *raw = table_point_text(row->point, " ");
	char *point = raw ? view_printable(raw) : NULL;
	char *name = view_printable(table->columns[column].name);
	char counts[VIEW_NUMBER_SIZE];
	bool is_whole = title && point && name;

	view_counts(&row->cells[column], counts, sizeof(counts));
	if (is_whole)
		(void)fprintf(out, " %s%s%s, %s (%s iterations):\n", title,
			      *point ? " " : "", point, name, counts);
	free(title);
	free(raw);
	free(point);
	free(name);
	return is_whole ? 0 : -ENOMEM;
}

static int put_block(FILE *out, const struct table *table,
		     const struct table_section *section, const struct view *view,
		     const struct table_row *row, size_t column)
{
	int ret = put_heading(out, table, section, row, column);

	if (!ret)
		ret = put_metrics(out, view, row->point, column, false);
	if (!ret)
		ret = put_metrics(out, view, row->point, column, true);
	(void)fputc('\n', out);
	return ret;
}

static int put_section(FILE *out, const struct table *table,
		       const struct table_section *section)
{
	static const struct view_label no_labels[] = { { NULL, VIEW_MIN, 0, NULL } };
	const struct view_options options = { .labels = no_labels, .all = true };
	struct view view;
	int ret = view_init(&view, table, section, &options);
	size_t i, j;

	for (i = 0; !ret && i < section->nr_points; i++) {
		const struct table_row *row = row_of(&view, &section->points[i]);

		for (j = 0; !ret && row && j < table->nr_columns; j++)
			ret = put_block(out, table, section, &view, row, j);
	}
	if (!ret)
		ret = footer_notes(out, table, section, &view);
	view_release(&view);
	return ret;
}

int fmt_perfstat(FILE *out, const struct table *table, const struct fmt_options *options,
		 struct err *err)
{
	static const char meanings[] =
		"arithmetic means; +-: standard error of the mean, stddev / sqrt(n) with "
		"the divisor n-1; ( +- %): the same in % of the mean, not a standard "
		"deviation";
	struct fmt_options all = *options;
	size_t i;
	int ret = 0;

	all.all = true;
	for (i = 0; !ret && i < table->nr_sections; i++)
		ret = put_section(out, table, &table->sections[i]);
	if (!ret)
		ret = footer_end(out, table, meanings, &all);
	return ret ? err_nomem(err) : 0;
}
