// SPDX-License-Identifier: GPL-2.0-or-later
/* One line a row, raw changes; see fmt_pct.h. */
#include "compare/fmt_pct.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "compare/footer.h"
#include "compare/judge.h"
#include "compare/percent.h"
#include "compare/sheet.h"
#include "compare/table.h"
#include "compare/view.h"
#include "lib/err.h"

static void put_row(struct sheet *sheet, const struct table *table,
		    const struct table_section *section, const struct view_row *view_row)
{
	const struct table_row *row = view_row->row;
	enum view_statistic mean = view_mean(row, table->nr_columns);
	int digits = view_digits(row, table->nr_columns);
	double baseline = view_value(&row->cells[0], mean);
	size_t i;

	sheet_add_row(sheet);
	sheet_put(sheet, 0, "%s:", view_row->op);
	for (i = 0; i < table->nr_columns; i++) {
		double value = view_value(&row->cells[i], mean);
		char number[VIEW_NUMBER_SIZE];
		char percent[VIEW_NUMBER_SIZE];
		const char mark[] = { judgement_mark(table, section, row, i), '\0' };

		view_number(value, digits, number);
		view_number(percent_cut(percent_change(baseline, value)), 2, percent);
		sheet_put(sheet, i + 1, "%s\t(%s pct)%s", number, percent, mark);
	}
}

static void put_counts(struct sheet *sheet, const struct table *table,
		       const struct view_row *row)
{
	char text[VIEW_NUMBER_SIZE];
	size_t i;

	sheet_add_row(sheet);
	sheet_put(sheet, 0, "Samples %s:", row->op);
	for (i = 0; i < table->nr_columns; i++) {
		view_counts(&row->row->cells[i], text, sizeof(text));
		sheet_put(sheet, i + 1, "%s\t", text);
	}
}

static int put_view(FILE *out, const struct table *table,
		    const struct table_section *section, const struct view *view)
{
	struct sheet sheet;
	size_t i;
	int ret;

	sheet_init(&sheet, table->nr_columns + 1, 0);
	sheet_add_headings(&sheet, table);
	sheet_add_row(&sheet);
	for (i = 0; i < view->nr_rows; i++)
		put_row(&sheet, table, section, &view->rows[i]);
	for (i = 0; view->shows_counts && i < view->nr_rows; i++)
		put_counts(&sheet, table, &view->rows[i]);
	for (i = 0; i < table->nr_columns; i++)
		sheet_pad(&sheet, i + 1);
	ret = sheet_print(&sheet, out);
	sheet_release(&sheet);
	return ret ? ret : footer_directions(out, table, view);
}

static int put_section(FILE *out, const struct table *table,
		       const struct table_section *section, bool all)
{
	const struct view_options options = { .all = all, .metric_first = true };
	struct view view;
	int ret = view_init(&view, table, section, &options);

	if (!ret)
		(void)fprintf(out, "%s\n", view.title);
	if (!ret && view.nr_rows)
		ret = put_view(out, table, section, &view);
	if (!ret)
		ret = footer_notes(out, table, section, &view);
	(void)fputc('\n', out);
	view_release(&view);
	return ret;
}

int fmt_pct(FILE *out, const struct table *table, const struct fmt_options *options,
	    struct err *err)
{
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < table->nr_sections; i++)
		ret = put_section(out, table, &table->sections[i], options->all);
	if (!ret)
		ret = footer_put_end(
			out, table, options,
			"%s; (pct): change against the first column, cut after two "
			"decimals, positive = more%s",
			footer_statistics(table, options->all).mean,
			footer_marks(table, options->all));
	return ret ? err_nomem(err) : 0;
}
