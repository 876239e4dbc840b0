// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A block for each point, as LKP reports; see fmt_lkp.h. Columns of values are 16 wide,
 * with the change in front 28. Where LKP prints what isn't so, this doesn't: a missing
 * value reads "n/a" instead of 0, a change from 0 "n/a" instead of +1.1e+103%, and a rate
 * of failures is of the column's own runs.
 */
#include "compare/fmt_lkp.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/footer.h"
#include "compare/judge.h"
#include "compare/percent.h"
#include "compare/table.h"
#include "compare/view.h"
#include "lib/err.h"
#include "lib/json.h"
#include "lib/text.h"

enum {
	RULE_WIDTH = 89,
	TITLE_WIDTH = 16,
	NEXT_TITLE_WIDTH = 27,
	SPREAD_ABOVE = 2, /* percent; what varies less has no "±" */
	LINE_SIZE = 64,
};

/**
 * struct block - one point of a section
 * @rows: of the view that are of this point, by name
 * @nr_rows: how many
 * @has_failures: of any column
 */
struct block {
	FILE *out;
	const struct table *table;
	const struct table_section *section;
	struct view_row *rows;
	size_t nr_rows;
	bool has_failures;
};

/* The heading. */

static void put_run(FILE *out, char c, size_t nr)
{
	while (nr--)
		(void)fputc(c, out);
}

/* One list of axes, their names or their values; false: out of memory. */
static bool put_axes(const struct block *block, const struct jval *values, bool is_names)
{
	const struct jval *value;
	const char *key;
	void *pos = NULL;

	while (jval_each(values, &pos, &key, &value)) {
		char *written = jval_text(value) ? strdup(jval_text(value))
						 : jval_write(value, JVAL_LINE);
		char *text = written ? view_printable(is_names ? key : written) : NULL;

		if (text)
			(void)fprintf(block->out, "/%s", text);
		free(written);
		free(text);
		if (!text)
			return false;
	}
	return true;
}

static bool put_axis_line(const struct block *block, bool is_names)
{
	const char *machines = block->table->columns[0].machines;
	const struct table_point *point = block->rows[0].row->point;
	char *machine = view_printable(machines ? machines : "");
	char *variant = view_printable(block->section->variant);
	bool ok = machine && variant;

	if (ok && machines)
		(void)fprintf(block->out, "%s/", is_names ? "tbox_group" : machine);
	if (ok)
		(void)fputs(is_names ? "testcase" : variant, block->out);
	ok = ok && put_axes(block, block->section->parameters, is_names) &&
	     put_axes(block, point->values, is_names);
	(void)fputs(is_names ? ":\n" : "\n", block->out);
	free(machine);
	free(variant);
	return ok;
}

static int put_axis_lines(const struct block *block)
{
	put_run(block->out, '=', RULE_WIDTH);
	(void)fputc('\n', block->out);
	if (!put_axis_line(block, true))
		return -ENOMEM;
	(void)fputs("  ", block->out);
	return put_axis_line(block, false) ? 0 : -ENOMEM;
}

static int put_columns(const struct block *block)
{
	size_t i;

	(void)fputs("\ncommit:\n", block->out);
	for (i = 0; i < block->table->nr_columns; i++) {
		char *name = view_printable(block->table->columns[i].name);

		if (!name)
			return -ENOMEM;
		(void)fprintf(block->out, "  %s\n", name);
		free(name);
	}
	(void)fputc('\n', block->out);
	return 0;
}

static int put_titles(const struct block *block)
{
	size_t last = block->table->nr_columns - 1;
	size_t i;

	for (i = 0; i <= last; i++) {
		size_t width = i ? NEXT_TITLE_WIDTH : TITLE_WIDTH;
		char *name = view_printable(block->table->columns[i].name);

		if (!name)
			return -ENOMEM;
		name[view_cut(name, width)] = '\0';
		(void)fputs(name, block->out);
		if (i < last)
			put_run(block->out, ' ', width - text_width(name) + 1);
		free(name);
	}
	(void)fputc('\n', block->out);
	for (i = 0; i <= last; i++) {
		put_run(block->out, '-', i ? NEXT_TITLE_WIDTH : TITLE_WIDTH);
		(void)fputs(i < last ? " " : "\n", block->out);
	}
	return 0;
}

static void put_legend(const struct block *block, const char *first, const char *next)
{
	size_t i;

	(void)fputs(first, block->out);
	for (i = 1; i < block->table->nr_columns; i++)
		(void)fputs(next, block->out);
	(void)fputc('\n', block->out);
}

static void put_legends(const struct block *block)
{
	if (block->has_failures) {
		put_legend(block, "       fail:runs", "  %reproduction    fail:runs");
		put_legend(block, "           |", "             |             |");
	}
	put_legend(block, "         %stddev", "     %change         %stddev");
	put_legend(block, "             \\", "          |                \\");
}

/* Rows. */

static void write_value(double value, char *out)
{
	if (!isfinite(value))
		(void)snprintf(out, LINE_SIZE, "%10s", "n/a");
	else if (value != 0.0 && fabs(value) < 0.1)
		(void)snprintf(out, LINE_SIZE, "%10.3g", value);
	else if (fabs(value) < 1000.0)
		(void)snprintf(out, LINE_SIZE, "%10.2f", value);
	else if (fabs(value) > 1e8)
		(void)snprintf(out, LINE_SIZE, "%10.4g", value);
	else
		(void)snprintf(out, LINE_SIZE, "%10.0f", trunc(value));
}

/* The spread is that of a population; of a published one, nobody says which. */
static double spread_of(const struct table_cell *cell, enum view_statistic mean)
{
	if (mean == VIEW_HMEAN)
		return view_value(cell, VIEW_HCOEFFVAR);
	return view_value(cell, VIEW_COEFFVAR_N);
}

static void put_value(const struct block *block, const struct table_cell *cell,
		      enum view_statistic mean)
{
	double spread = spread_of(cell, mean);
	char text[LINE_SIZE];

	write_value(view_value(cell, mean), text);
	(void)fputs(text, block->out);
	if (spread > SPREAD_ABOVE && spread < 1e6)
		(void)fprintf(block->out, " \xc2\xb1%3.0f%%", trunc(spread));
	else
		put_run(block->out, ' ', 6);
}

/* What is a share already changes by points. */
static bool is_share(const char *metric)
{
	return !strncmp(metric, "perf-profile", strlen("perf-profile")) ||
	       (*metric && metric[strlen(metric) - 1] == '%');
}

static void put_change(const struct block *block, const struct table_row *row,
		       size_t column, double base, double value)
{
	const struct table_metric *metric = row->metric;
	double change = percent_change(base, value);
	char mark = judgement_mark(block->table, block->section, row, column);

	if (!mark)
		mark = ' ';
	if (metric->name && is_share(metric->name) && isfinite(value - base))
		(void)fprintf(block->out, "%+10.1f%c ", value - base, mark);
	else if (isnan(change))
		(void)fprintf(block->out, "%10s  ", "n/a");
	else if (fabs(change) >= 100000.0)
		(void)fprintf(block->out, "%+10.2g%%%c", change, mark);
	else
		(void)fprintf(block->out, "%+10.1f%%%c", change, mark);
}

static int put_name(const struct block *block, const char *metric)
{
	char *workload = view_printable(block->section->workload);
	char *name = view_printable(metric);

	if (workload && name)
		(void)fprintf(block->out, "  %s.%s\n", workload, name);
	free(workload);
	free(name);
	return workload && name ? 0 : -ENOMEM;
}

static int put_row(const struct block *block, const struct table_row *row)
{
	size_t nr_columns = block->table->nr_columns;
	enum view_statistic mean = view_mean(row, nr_columns);
	double base = view_value(&row->cells[0], mean);
	size_t i;

	for (i = 0; i < nr_columns; i++) {
		double value = view_value(&row->cells[i], mean);

		if (i)
			put_change(block, row, i, base, value);
		put_value(block, &row->cells[i], mean);
	}
	return put_name(block, row->metric->name ? row->metric->name : "");
}

/* Failures. */

static size_t runs_of(const struct table_cell *cell)
{
	size_t nr_good = cell->is_summary ? cell->summary_n : cell->nr_samples;

	return nr_good + cell->nr_failed + cell->nr_invalid;
}

static double failure_rate(const struct table_cell *cell)
{
	size_t runs = runs_of(cell);

	return runs ? 100.0 * (double)cell->nr_failed / (double)runs : (double)NAN;
}

static int put_failures(const struct block *block)
{
	const struct table_row *row = block->rows[0].row;
	double base = failure_rate(&row->cells[0]);
	size_t i;

	for (i = 0; i < block->table->nr_columns; i++) {
		const struct table_cell *cell = &row->cells[i];
		double change = failure_rate(cell) - base;

		if (i && isnan(change))
			(void)fprintf(block->out, "%10s  ", "n/a");
		else if (i)
			(void)fprintf(block->out, "%10.0f%% ", change);
		if (!runs_of(cell))
			(void)fprintf(block->out, "%13s   ", "n/a");
		else if (cell->nr_failed)
			(void)fprintf(block->out, "%11zu:%-4zu", cell->nr_failed,
				      runs_of(cell));
		else
			(void)fprintf(block->out, "%11s:%-4zu", "", runs_of(cell));
	}
	return put_name(block, "fail");
}

/* Blocks. */

static int by_name(const void *a, const void *b)
{
	const struct view_row *left = a;
	const struct view_row *right = b;
	const char *name = left->row->metric->name;
	const char *other = right->row->metric->name;

	return strcmp(name ? name : "", other ? other : "");
}

static void take_rows(struct block *block, const struct view *view,
		      const struct table_point *point)
{
	size_t i, j;

	block->nr_rows = 0;
	block->has_failures = false;
	for (i = 0; i < view->nr_rows; i++) {
		const struct table_row *row = view->rows[i].row;

		if (row->point != point)
			continue;
		block->rows[block->nr_rows++] = view->rows[i];
		for (j = 0; j < block->table->nr_columns; j++)
			block->has_failures |= row->cells[j].nr_failed > 0;
	}
	qsort(block->rows, block->nr_rows, sizeof(*block->rows), by_name);
}

static int put_block(const struct block *block)
{
	size_t i;

	if (put_axis_lines(block) || put_columns(block) || put_titles(block))
		return -ENOMEM;
	put_legends(block);
	if (block->has_failures && put_failures(block))
		return -ENOMEM;
	for (i = 0; i < block->nr_rows; i++)
		if (put_row(block, block->rows[i].row))
			return -ENOMEM;
	(void)fputc('\n', block->out);
	return 0;
}

static int put_blocks(struct block *block, const struct view *view)
{
	size_t i;
	int ret = 0;

	block->rows = calloc(view->nr_rows + 1, sizeof(*block->rows));
	if (!block->rows)
		return -ENOMEM;
	for (i = 0; !ret && i < block->section->nr_points; i++) {
		take_rows(block, view, &block->section->points[i]);
		if (block->nr_rows)
			ret = put_block(block);
	}
	free(block->rows);
	return ret;
}

static int put_section(FILE *out, const struct table *table,
		       const struct table_section *section, bool all)
{
	const struct view_options options = { .all = all };
	struct block block = { .out = out, .table = table, .section = section };
	struct view view;
	int ret = view_init(&view, table, section, &options);

	if (!ret)
		ret = put_blocks(&block, &view);
	if (!ret && view.nr_rows)
		ret = footer_directions(out, table, &view);
	if (!ret)
		ret = footer_notes(out, table, section, &view);
	(void)fputc('\n', out);
	view_release(&view);
	return ret;
}

int fmt_lkp(FILE *out, const struct table *table, const struct fmt_options *options,
	    struct err *err)
{
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < table->nr_sections; i++)
		ret = put_section(out, table, &table->sections[i], options->all);
	if (!ret)
		ret = footer_put_end(
			out, table, options,
			"%s; %%stddev: divisor n, in %% of the mean, cut to a whole number "
			"and shown above 2%%; %%change: against the first column, positive "
			"= more; %%reproduction: difference of the rates of failures%s",
			footer_statistics(table, options->all).mean,
			footer_marks(table, options->all));
	return ret ? err_nomem(err) : 0;
}
