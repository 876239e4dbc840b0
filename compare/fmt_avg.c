// SPDX-License-Identifier: GPL-2.0-or-later
/* Averages and standard deviations; see fmt_avg.h. */
#include "compare/fmt_avg.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "compare/footer.h"
#include "compare/percent.h"
#include "compare/sheet.h"
#include "compare/table.h"
#include "compare/view.h"
#include "lib/err.h"

/**
 * struct printer - one section on its way out
 * @has_spread: some cell knows its standard deviation
 */
struct printer {
	FILE *out;
	const struct table *table;
	const struct view *view;
	bool has_spread;
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

static void put_column(struct sheet *sheet, const struct printer *p, size_t column)
{
	const struct table_row *row = p->view->rows[0].row;
	enum view_statistic mean = view_mean(row, p->table->nr_columns);
	int digits = view_digits(row, p->table->nr_columns);
	double value = view_value(&row->cells[column], mean);
	double change = percent_change(view_value(&row->cells[0], mean), value);
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
	if (!column)
		return;
	if (isnan(change))
		sheet_put(sheet, CHANGE, "(n/a)");
	else
		sheet_put(sheet, CHANGE, fabs(change) < 1e15 ? "(%+.1f%%)" : "(%+.6e%%)",
			  change);
}

static void put_one_row(struct sheet *sheet, const struct printer *p)
{
	const struct table_metric *metric = p->view->rows[0].row->metric;
	const char *name = metric->name ? metric->name : "";
	size_t i;

	sheet_init(sheet, NR_PLACES, 1);
	sheet_add_row(sheet);
	sheet_put(sheet, AVERAGE, "Average %s%s%s%s", name, *metric->unit ? " (" : "",
		  metric->unit, *metric->unit ? ")" : "");
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

		view_number(value, digits, number);
		view_number(spread, 2, percent);
		if (p->has_spread)
			sheet_put(sheet, i + 1, "%s\t(+- %s%s)", number, percent,
				  isnan(spread) ? "" : "%");
		else
			sheet_put(sheet, i + 1, "%s", number);
	}
}

static void put_counts(struct sheet *sheet, const struct printer *p,
		       const struct view_row *row)
{
	char text[VIEW_NUMBER_SIZE];
	size_t i;

	sheet_add_row(sheet);
	sheet_put(sheet, 0, "samples of %s", row->op);
	for (i = 0; i < p->table->nr_columns; i++) {
		view_counts(&row->row->cells[i], text, sizeof(text));
		sheet_put(sheet, i + 1, "%s%s", text, p->has_spread ? "\t" : "");
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

static int put_view(const struct printer *p)
{
	struct sheet sheet;
	int ret;

	if (p->view->nr_rows == 1)
		put_one_row(&sheet, p);
	else
		put_rows(&sheet, p);
	ret = sheet_print(&sheet, p->out);
	sheet_release(&sheet);
	return ret ? ret : footer_directions(p->out, p->table, p->view);
}

static int put_title(FILE *out, const struct table_section *section,
		     const struct view *view)
{
	char *title = view_printable(section->title);
	char *raw = NULL;
	char *point = NULL;

	/* The only row has no line of its own to say its point. */
	if (view->nr_rows == 1)
		raw = table_point_text(view->rows[0].row->point, " ");
	point = view_printable(raw ? raw : "");
	if (title && point)
		(void)fprintf(out, "%s%s%s\n", title, *point ? " " : "", point);
	free(raw);
	free(title);
	free(point);
	return title && point ? 0 : -ENOMEM;
}

static int put_section(FILE *out, const struct table *table,
		       const struct table_section *section, bool all)
{
	static const struct view_label no_labels[] = { { NULL, VIEW_MIN, 0, NULL } };
	const struct view_options options = { .labels = no_labels, .all = all };
	struct view view;
	struct printer printer = { .out = out, .table = table, .view = &view };
	int ret = view_init(&view, table, section, &options);

	if (!ret)
		ret = put_title(out, section, &view);
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
	static const char meanings[] =
		"average: arithmetic mean; std. dev: divisor n-1; (+- %): std. dev in % of "
		"the average; change: against the first column, positive = more";
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < table->nr_sections; i++)
		ret = put_section(out, table, &table->sections[i], options->all);
	if (!ret)
		ret = footer_end(out, table, meanings, options);
	return ret ? err_nomem(err) : 0;
}
