// SPDX-License-Identifier: GPL-2.0-or-later
/* Tables of GitHub's Markdown; see fmt_markdown.h. */
#include "compare/fmt_markdown.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/footer.h"
#include "compare/gain.h"
#include "compare/judge.h"
#include "compare/table.h"
#include "compare/view.h"
#include "lib/err.h"

/* Names are words of others: none of them may become markup, a link or HTML. */
static void put_escaped(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (strchr("\\`*_{}[]<>#|~&!@", *text))
			(void)fputc('\\', out);
		(void)fputc(*text, out);
	}
}

static int put_name(FILE *out, const struct table_column *column)
{
	char *above;
	char *name;

	if (view_heading(column, &above, &name))
		return -ENOMEM;
	put_escaped(out, above);
	(void)fputs(*above ? " " : "", out);
	put_escaped(out, name);
	free(above);
	free(name);
	return 0;
}

static int put_head(FILE *out, const struct table *table)
{
	size_t i;
	int ret = 0;

	(void)fputs("| |", out);
	for (i = 0; !ret && i < table->nr_columns; i++) {
		(void)fputc(' ', out);
		ret = put_name(out, &table->columns[i]);
		(void)fputs(" |", out);
	}
	(void)fputs("\n|:--|", out);
	for (i = 0; i < table->nr_columns; i++)
		(void)fputs("--:|", out);
	(void)fputc('\n', out);
	return ret;
}

/* The interval of the gain, and what the rule says of it. */
static void put_verdict(FILE *out, const struct comparison *c, bool is_higher_better)
{
	const char *verdict = verdict_name(c->verdict);
	struct gain gain = gain_of(c, is_higher_better);

	if (!isnan(gain.low))
		(void)fprintf(out, " [%+.2f, %+.2f]", gain.low, gain.high);
	if (verdict)
		(void)fprintf(out, " %s%s%s", c->verdict > VERDICT_MIXED ? "**" : "",
			      verdict, c->verdict > VERDICT_MIXED ? "**" : "");
}

static void put_cell(FILE *out, const struct table *table, const struct table_row *row,
		     const struct judged_row *judged, size_t column)
{
	const struct table_cell *cell = &row->cells[column];
	enum view_statistic mean = view_mean(row, table->nr_columns);
	int digits = view_digits(row, table->nr_columns);
	double spread = view_value(cell, view_spread(mean));
	char number[VIEW_NUMBER_SIZE];

	view_number(view_value(cell, mean), digits, number);
	(void)fprintf(out, " %s", number);
	if (!isnan(spread)) {
		view_number(spread, digits, number);
		(void)fprintf(out, " ± %s", number);
	}
	view_counts(cell, number, sizeof(number));
	(void)fprintf(out, ", n %s", number);
	if (column) {
		double percent = view_percent(row, column, mean);

		view_number(percent, 2, number);
		(void)fprintf(out, " (%s%s%s", percent > 0.0 ? "+" : "", number,
			      isnan(percent) ? "" : "%");
		if (judged && !judged->against[column].base_idx)
			put_verdict(out, &judged->against[column],
				    row->metric->better_higher);
		(void)fputc(')', out);
	}
	(void)fputs(" |", out);
}

static int put_rows(FILE *out, const struct table *table,
		    const struct table_section *section, const struct view *view)
{
	size_t i, j;
	int ret = put_head(out, table);

	for (i = 0; !ret && i < view->nr_rows; i++) {
		const struct table_row *row = view->rows[i].row;

		(void)fputs("| ", out);
		put_escaped(out, view->rows[i].op);
		if (*row->metric->unit) {
			(void)fputs(" (", out);
			put_escaped(out, row->metric->unit);
			(void)fputc(')', out);
		}
		(void)fputs(" |", out);
		for (j = 0; j < table->nr_columns; j++)
			put_cell(out, table, row, judgement_row(table, section, row), j);
		(void)fputc('\n', out);
	}
	return ret;
}

/* No line of ours begins with more backquotes than this. */
static const char fence[] = "``````";

static int put_notes(FILE *out, const struct table *table,
		     const struct table_section *section, const struct view *view)
{
	char *text = NULL;
	size_t len = 0;
	FILE *notes = open_memstream(&text, &len);
	int ret;

	if (!notes)
		return -ENOMEM;
	ret = footer_directions(notes, table, view);
	if (!ret)
		ret = footer_notes(notes, table, section, view);
	if (fclose(notes))
		ret = -ENOMEM;
	if (!ret && len)
		(void)fprintf(out, "\n%s\n%s%s\n", fence, text, fence);
	free(text);
	return ret;
}

static int put_section(FILE *out, const struct table *table,
		       const struct table_section *section, bool all)
{
	const struct view_options options = { .all = all, .metric_first = true };
	struct view view;
	int ret = view_init(&view, table, section, &options);

	if (!ret) {
		(void)fputs("### ", out);
		put_escaped(out, view.title);
		(void)fputs("\n\n", out);
		if (view.nr_rows)
			ret = put_rows(out, table, section, &view);
	}
	if (!ret)
		ret = put_notes(out, table, section, &view);
	(void)fputc('\n', out);
	view_release(&view);
	return ret;
}

int fmt_markdown(FILE *out, const struct table *table, const struct fmt_options *options,
		 struct err *err)
{
	const struct footer_statistics statistics =
		footer_statistics(table, options->all);
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < table->nr_sections; i++)
		ret = put_section(out, table, &table->sections[i], options->all);
	(void)fprintf(out, "%s\n", fence);
	if (!ret)
		ret = footer_put_end(
			out, table, options,
			"%s ± standard deviation (%s), n: samples, (%%): gain over the first "
			"column, positive = better",
			statistics.mean, statistics.spread);
	(void)fprintf(out, "%s\n", fence);
	return ret ? err_nomem(err) : 0;
}
