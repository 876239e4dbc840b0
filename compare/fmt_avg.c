// SPDX-License-Identifier: GPL-2.0-or-later
/* Averages and standard deviations; see fmt_avg.h. */
#include "compare/fmt_avg.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "compare/footer.h"
#include "compare/judge.h"
#include "compare/percent.h"
#include "compare/sheet.h"
#include "compare/table.h"
#include "compare/view.h"
#include "lib/err.h"

/**
 * struct printer - one section on its way out
 * @has_spread: some cell knows its standard deviation
 * @has_marks: the only row has marks behind changes
 * @transposed: and its columns side by side, as if there were several
 */
struct printer {
	FILE *out;
	const struct table *table;
	const struct table_section *section;
	const struct view *view;
	bool has_spread, has_marks, transposed;
};

static double spread_of(const struct printer *p, const struct table_row *row,
			size_t column)
{
	enum view_statistic mean = view_mean(row, p->table->nr_columns);

	return view_value(&row->cells[column], view_spread(mean));
}

static bool has_spread(const struct printer *p)
{
	size_t i, j;

	for (i = 0; i < p->view->nr_rows; i++) {
		for (j = 0; j < p->table->nr_columns; j++) {
			if (!isnan(spread_of(p, p->view->rows[i].row, j)))
				return true;
		}
	}
	return false;
}

/* The places of a section that has one row: a line for each column. */
enum { NAME, AVERAGE, STDDEV, COUNT, CHANGE, NR_PLACES };

static void put_name(struct sheet *sheet, const struct table_column *column)
{
	char *above = NULL;
	char *name = NULL;

	if (view_heading(column, &above, &name)) {
		sheet->failed = true;
		return;
	}
	sheet_put(sheet, NAME, "%s%s%s", above, *above ? " " : "", name);
	free(above);
	free(name);
}

/* "(+2.6%)*" of a candidate; empty for the baseline. */
static void write_change(const struct printer *p, size_t column,
			 char text[VIEW_NUMBER_SIZE])
{
	const struct table_row *row = p->view->rows[0].row;
	enum view_statistic mean = view_mean(row, p->table->nr_columns);
	double change = percent_change(view_value(&row->cells[0], mean),
				       view_value(&row->cells[column], mean));
	const char mark[] = { judgement_mark(p->table, p->section, row, column), '\0' };

	*text = '\0';
	if (!column)
		return;
	if (isnan(change))
		(void)snprintf(text, VIEW_NUMBER_SIZE, "(n/a)%s",
			       p->has_marks ? " " : "");
	else
		(void)snprintf(text, VIEW_NUMBER_SIZE,
			       fabs(change) < 1e15 ? "(%+.1f%%)%s" : "(%+.6e%%)%s",
			       change, *mark || !p->has_marks ? mark : " ");
}

/* "Average time (s)", but where the metric is an average by its name: that alone. */
static void put_label(struct sheet *sheet, size_t place, const char *average,
		      const struct table_metric *metric)
{
	const char *name = metric->name ? metric->name : "";
	bool is_average = !strncasecmp(name, "av", 2);

	sheet_put(sheet, place, "%s%s%s%s%s%s", is_average ? "" : average,
		  is_average ? "" : " ", name, *metric->unit ? " (" : "", metric->unit,
		  *metric->unit ? ")" : "");
}

static void put_column(struct sheet *sheet, const struct printer *p, size_t column)
{
	const struct table_row *row = p->view->rows[0].row;
	enum view_statistic mean = view_mean(row, p->table->nr_columns);
	int digits = view_digits(row, p->table->nr_columns);
	double value = view_value(&row->cells[column], mean);
	char text[VIEW_NUMBER_SIZE];

	sheet_add_row(sheet);
	put_name(sheet, &p->table->columns[column]);
	view_number(value, digits, text);
	sheet_put(sheet, AVERAGE, "%s", text);
	if (p->has_spread) {
		view_number(spread_of(p, row, column), digits, text);
		sheet_put(sheet, STDDEV, "%s", text);
	}
	if (p->view->shows_counts) {
		view_counts(&row->cells[column], text, sizeof(text));
		sheet_put(sheet, COUNT, "%s", text);
	}
	write_change(p, column, text);
	if (*text)
		sheet_put(sheet, CHANGE, "%s", text);
}

static void put_one_row(struct sheet *sheet, const struct printer *p)
{
	size_t i;

	sheet_init(sheet, NR_PLACES, 1);
	sheet_add_row(sheet);
	put_label(sheet, AVERAGE, "Average", p->view->rows[0].row->metric);
	if (p->has_spread)
		sheet_put(sheet, STDDEV, "std. dev");
	if (p->view->shows_counts)
		sheet_put(sheet, COUNT, "samples");
	if (p->table->nr_columns > 1)
		sheet_put(sheet, CHANGE, "change");
	sheet_add_row(sheet);
	for (i = 0; i < p->table->nr_columns; i++)
		put_column(sheet, p, i);
}

static void put_row(struct sheet *sheet, const struct printer *p,
		    const struct view_row *view_row)
{
	const struct table_row *row = view_row->row;
	const char *unit = row->metric->unit;
	enum view_statistic mean = view_mean(row, p->table->nr_columns);
	int digits = view_digits(row, p->table->nr_columns);
	size_t i;

	sheet_add_row(sheet);
	sheet_put(sheet, 0, "%s%s%s%s", view_row->op, *unit ? " (" : "", unit,
		  *unit ? ")" : "");
	for (i = 0; i < p->table->nr_columns; i++) {
		double value = view_value(&row->cells[i], mean);
		double spread = stats_coeffvar(spread_of(p, row, i), value);
		char number[VIEW_NUMBER_SIZE];
		char percent[VIEW_NUMBER_SIZE];
		const char mark[] = { judgement_mark(p->table, p->section, row, i),
				      '\0' };

		view_number(value, digits, number);
		view_number(spread, 2, percent);
		if (p->has_spread)
			sheet_put(sheet, i + 1, "%s\t(+- %s%s)%s", number, percent,
				  isnan(spread) ? "" : "%", mark);
		else
			sheet_put(sheet, i + 1, "%s", number);
	}
}

static void put_counts(struct sheet *sheet, const struct printer *p,
		       const struct view_row *row)
{
	bool has_halves = p->has_spread || p->view->nr_rows == 1;
	char text[VIEW_NUMBER_SIZE];
	size_t i;

	sheet_add_row(sheet);
	sheet_put(sheet, 0, "samples of %s", row->op);
	for (i = 0; i < p->table->nr_columns; i++) {
		view_counts(&row->row->cells[i], text, sizeof(text));
		sheet_put(sheet, i + 1, "%s%s", text, has_halves ? "\t" : "");
	}
}

static void put_rows(struct sheet *sheet, const struct printer *p)
{
	size_t i;

	sheet_init(sheet, p->table->nr_columns + 1, 1);
	sheet_add_headings(sheet, p->table);
	sheet_add_row(sheet);
	for (i = 0; i < p->view->nr_rows; i++)
		put_row(sheet, p, &p->view->rows[i]);
	for (i = 0; p->view->shows_counts && i < p->view->nr_rows; i++)
		put_counts(sheet, p, &p->view->rows[i]);
	for (i = 0; i < p->table->nr_columns; i++)
		sheet_pad(sheet, i + 1);
}

/* Average, standard deviation and count below each other, a place for each column. */
static void put_transposed(struct sheet *sheet, const struct printer *p)
{
	const struct view_row *view_row = &p->view->rows[0];
	const struct table_row *row = view_row->row;
	enum view_statistic mean = view_mean(row, p->table->nr_columns);
	int digits = view_digits(row, p->table->nr_columns);
	char number[VIEW_NUMBER_SIZE];
	char change[VIEW_NUMBER_SIZE];
	size_t i;

	sheet_init(sheet, p->table->nr_columns + 1, 1);
	sheet_add_headings(sheet, p->table);
	sheet_add_row(sheet);
	sheet_add_row(sheet);
	put_label(sheet, 0, "Avg.", row->metric);
	for (i = 0; i < p->table->nr_columns; i++) {
		view_number(view_value(&row->cells[i], mean), digits, number);
		write_change(p, i, change);
		sheet_put(sheet, i + 1, "%s\t%s%s", number, i ? " " : "", change);
	}
	if (p->has_spread) {
		sheet_add_row(sheet);
		sheet_put(sheet, 0, "std dev");
	}
	for (i = 0; p->has_spread && i < p->table->nr_columns; i++) {
		view_number(spread_of(p, row, i), digits, number);
		sheet_put(sheet, i + 1, "%s\t", number);
	}
	if (p->view->shows_counts)
		put_counts(sheet, p, view_row);
	for (i = 0; i < p->table->nr_columns; i++)
		sheet_pad(sheet, i + 1);
}

static bool has_marks(const struct printer *p)
{
	size_t i;

	for (i = 0; i < p->table->nr_columns; i++) {
		if (judgement_mark(p->table, p->section, p->view->rows[0].row, i))
			return true;
	}
	return false;
}

static int put_view(struct printer *p)
{
	struct sheet sheet;
	int ret;

	p->has_marks = has_marks(p);
	if (p->view->nr_rows == 1 && p->transposed)
		put_transposed(&sheet, p);
	else if (p->view->nr_rows == 1)
		put_one_row(&sheet, p);
	else
		put_rows(&sheet, p);
	ret = sheet_print(&sheet, p->out);
	sheet_release(&sheet);
	return ret ? ret : footer_directions(p->out, p->table, p->view);
}

static int put_title(FILE *out, const struct view *view)
{
	char *raw = NULL;
	char *point = NULL;

	/* The only row has no line of its own to say its point. */
	if (view->nr_rows == 1)
		raw = table_point_text(view->rows[0].row->point, " ");
	point = view_printable(raw ? raw : "");
	if (point)
		(void)fprintf(out, "%s%s%s\n", view->title, *point ? " " : "", point);
	free(raw);
	free(point);
	return point ? 0 : -ENOMEM;
}

static int put_section(FILE *out, const struct table *table,
		       const struct table_section *section, const struct fmt_options *how)
{
	const struct view_options options = { .all = how->all, .metric_first = true };
	struct view view;
	struct printer printer = {
		.out = out,
		.table = table,
		.section = section,
		.view = &view,
		.transposed = how->transposed,
	};
	int ret = view_init(&view, table, section, &options);

	if (!ret)
		ret = put_title(out, &view);
	if (!ret && view.nr_rows) {
		printer.has_spread = has_spread(&printer);
		ret = put_view(&printer);
	}
	if (!ret)
		ret = footer_notes(out, table, section, &view);
	(void)fputc('\n', out);
	view_release(&view);
	return ret;
}

int fmt_avg(FILE *out, const struct table *table, const struct fmt_options *options,
	    struct err *err)
{
	const struct footer_statistics statistics =
		footer_statistics(table, options->all);
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < table->nr_sections; i++)
		ret = put_section(out, table, &table->sections[i], options);
	if (!ret)
		ret = footer_put_end(
			out, table, options,
			"average: %s; std. dev: %s; (+- %%): std. dev in %% of the average%s%s",
			statistics.mean, statistics.spread,
			table->nr_columns > 1
				? "; change: against the first column, positive = more"
				: "",
			footer_marks(table, options->all));
	return ret ? err_nomem(err) : 0;
}
