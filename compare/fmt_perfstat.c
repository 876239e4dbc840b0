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

/*
 * struct figure - what is printed of a cell
 * @standard_error: of the mean; NAN when not known
 */
struct figure {
	double mean, standard_error;
};

/* A published table doesn't say which divisor its stddev took, nor always n. */
static struct figure figure_of(const struct table *table, const struct table_row *row,
			       size_t column)
{
	const struct table_cell *cell = &row->cells[column];
	enum view_statistic mean = view_mean(row, table->nr_columns);
	bool is_known = mean == VIEW_AMEAN && !cell->is_summary;

	return (struct figure){
		.mean = view_value(cell, mean),
		.standard_error = is_known ? cell->stats.stderr_mean : (double)NAN,
	};
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

static void put_time(FILE *out, struct figure figure, const char *name, double scale)
{
	double mean = figure.mean * scale;
	double standard_error = figure.standard_error * scale;
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
static int count_digits(const struct table_row *row, double mean)
{
	if (!*row->metric->unit && mean == floor(mean))
		return 0;
	return view_digits(row, 1);
}

static void put_count(FILE *out, const struct table_row *row, const char *name,
		      struct figure figure)
{
	bool has_percent = !isnan(stats_coeffvar(figure.standard_error, figure.mean));
	char number[VIEW_NUMBER_SIZE];
	char *unit = view_printable(row->metric->unit);

	view_number(figure.mean, count_digits(row, figure.mean), number);
	(void)fprintf(out, "%*s %-6s ", WIDTH, number, unit ? unit : "");
	(void)fprintf(out, has_percent ? "%-24s" : "%s", name);
	put_percent(out, figure.standard_error, figure.mean);
	free(unit);
}

/* All metrics of one point in one column; the times come last. */
static int put_metrics(FILE *out, const struct table *table, const struct view *view,
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
			put_time(out, figure_of(table, row, column), name, scale);
		else
			put_count(out, row, name, figure_of(table, row, column));
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
		ret = put_metrics(out, table, view, row->point, column, false);
	if (!ret)
		ret = put_metrics(out, table, view, row->point, column, true);
	(void)fputc('\n', out);
	return ret;
}

static int put_section(FILE *out, const struct table *table,
		       const struct table_section *section)
{
	const struct view_options options = { .all = true };
	struct view view;
	int ret = view_init(&view, table, section, &options);
	size_t i, j;

	for (i = 0; !ret && i < section->nr_points; i++) {
		const struct table_row *row = row_of(&view, &section->points[i]);

		for (j = 0; !ret && row && j < table->nr_columns; j++)
			ret = put_block(out, table, section, &view, row, j);
	}
	if (!ret)
		ret = footer_harmonic(out, table, &view);
	if (!ret)
		ret = footer_notes(out, table, section, &view);
	view_release(&view);
	return ret;
}

int fmt_perfstat(FILE *out, const struct table *table, const struct fmt_options *options,
		 struct err *err)
{
	struct fmt_options all = *options;
	size_t i;
	int ret = 0;

	all.all = true;
	for (i = 0; !ret && i < table->nr_sections; i++)
		ret = put_section(out, table, &table->sections[i]);
	if (!ret)
		ret = footer_put_end(
			out, table, &all,
			"%s; +-: standard error of the mean, stddev / sqrt(n) with the "
			"divisor n-1; ( +- %%): the same in %% of the mean, not a "
			"standard deviation",
			footer_statistics(table, true).mean);
	return ret ? err_nomem(err) : 0;
}
