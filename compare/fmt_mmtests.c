// SPDX-License-Identifier: GPL-2.0-or-later
/* Both layouts are one table of widths and labels; the rest is shared. */
#include "compare/fmt_mmtests.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/fmt_mmtests_ratio.h"
#include "compare/footer.h"
#include "compare/judge.h"
#include "compare/mmtests_rule.h"
#include "compare/table.h"
#include "compare/view.h"
#include "lib/err.h"
#include "lib/text.h"

/*
 * struct style - what differs between the layouts
 * @label, @value, @percent: least widths
 * @metric_first: ops are called time-1 even where time is the only metric
 * @has_marks: a mean that changed has stars, or question marks, for parentheses
 * @labels: the statistics in order
 */
struct style {
	size_t label, value, percent;
	bool metric_first;
	bool has_marks;
	const struct view_label *labels;
};

enum {
	BOTH = VIEW_LOWER | VIEW_HIGHER,
	MEAN = VIEW_LOWER | VIEW_SUMMARY,
	HARMONIC = VIEW_HIGHER | VIEW_SUMMARY,
	MAX_LABELS = 32
};

static const struct view_label labels_2016[] = {
	{ "Min", VIEW_MIN, BOTH, NULL },
	{ "Amean", VIEW_AMEAN, MEAN, "arithmetic mean" },
	{ "Hmean", VIEW_HMEAN, HARMONIC, "harmonic mean" },
	{ "Stddev", VIEW_STDDEV_N, BOTH, "around the arithmetic mean, divisor n" },
	{ "CoeffVar", VIEW_COEFFVAR_N, BOTH, "Stddev in % of the arithmetic mean" },
	{ "Max", VIEW_MAX, BOTH, NULL },
	{ NULL, VIEW_MIN, 0, NULL },
};

static const struct view_label labels_today[] = {
	{ "Min", VIEW_MIN, BOTH, NULL },
	{ "Amean", VIEW_AMEAN, MEAN, "arithmetic mean" },
	{ "Hmean", VIEW_HMEAN, HARMONIC, "harmonic mean" },
	{ "Stddev", VIEW_STDDEV_N1, MEAN, "divisor n-1" },
	{ "HStddev", VIEW_HSTDDEV, HARMONIC,
	  "Hmean^2 times the stddev of the reciprocals, divisor n" },
	{ "CoeffVar", VIEW_COEFFVAR_N1, MEAN, "Stddev in % of Amean" },
	{ "HCoeffVar", VIEW_HCOEFFVAR, HARMONIC, "HStddev in % of Hmean" },
	{ "Max", VIEW_MAX, BOTH, NULL },
	{ "BAmean.50", VIEW_BEST50_AMEAN, VIEW_LOWER | VIEW_FULL, NULL },
	{ "BAmean.75", VIEW_BEST75_AMEAN, VIEW_LOWER | VIEW_FULL, NULL },
	{ "BAmean.90", VIEW_BEST90_AMEAN, VIEW_LOWER | VIEW_FULL, NULL },
	{ "BAmean.95", VIEW_BEST95_AMEAN, VIEW_LOWER, "Amean of the best" },
	{ "BAmean.99", VIEW_BEST99_AMEAN, VIEW_LOWER | VIEW_FULL, NULL },
	{ "BHmean.50", VIEW_BEST50_HMEAN, VIEW_HIGHER | VIEW_FULL, NULL },
	{ "BHmean.75", VIEW_BEST75_HMEAN, VIEW_HIGHER | VIEW_FULL, NULL },
	{ "BHmean.90", VIEW_BEST90_HMEAN, VIEW_HIGHER | VIEW_FULL, NULL },
	{ "BHmean.95", VIEW_BEST95_HMEAN, VIEW_HIGHER, "Hmean of the best" },
	{ "BHmean.99", VIEW_BEST99_HMEAN, VIEW_HIGHER | VIEW_FULL, NULL },
	{ "Pctile.50", VIEW_PCTILE50_LOW, VIEW_LOWER | VIEW_FULL,
	  "the last of the best 50%, and so on" },
	{ "Pctile.75", VIEW_PCTILE75_LOW, VIEW_LOWER | VIEW_FULL, NULL },
	{ "Pctile.90", VIEW_PCTILE90_LOW, VIEW_LOWER | VIEW_FULL, NULL },
	{ "Pctile.95", VIEW_PCTILE95_LOW, VIEW_LOWER | VIEW_FULL, NULL },
	{ "Pctile.99", VIEW_PCTILE99_LOW, VIEW_LOWER | VIEW_FULL, NULL },
	{ "Pctile.50", VIEW_PCTILE50_HIGH, VIEW_HIGHER | VIEW_FULL,
	  "the last of the best 50%, and so on" },
	{ "Pctile.75", VIEW_PCTILE75_HIGH, VIEW_HIGHER | VIEW_FULL, NULL },
	{ "Pctile.90", VIEW_PCTILE90_HIGH, VIEW_HIGHER | VIEW_FULL, NULL },
	{ "Pctile.95", VIEW_PCTILE95_HIGH, VIEW_HIGHER | VIEW_FULL, NULL },
	{ "Pctile.99", VIEW_PCTILE99_HIGH, VIEW_HIGHER | VIEW_FULL, NULL },
	{ NULL, VIEW_MIN, 0, NULL },
};

static const struct style styles[] = {
	[MMTESTS_2016] = { 8, 12, 6, false, false, labels_2016 },
	[MMTESTS_TODAY] = { 9, 18, 7, true, true, labels_today },
};

static const char counts_label[] = "Samples";

enum { PERCENT_EXTRA = 4 };

/*
 * struct printer - one section on its way out
 * @used: which labels any section showed, for the footer
 */
struct printer {
	FILE *out;
	const struct table *table;
	const struct style *style;
	const struct mmtests_options *options;
	const struct table_section *section;
	const struct view *view;
	char **above;
	char **names;
	size_t label, op, value, percent;
	bool used[MAX_LABELS];
};

static size_t max_size(size_t a, size_t b)
{
	return a > b ? a : b;
}

static void measure_line(struct printer *p, const struct view_line *line)
{
	const struct table_row *row = line->row->row;
	int digits = view_digits(row, p->table->nr_columns);
	char text[VIEW_NUMBER_SIZE];
	size_t i;

	p->label = max_size(p->label, strlen(line->label->text));
	for (i = 0; i < p->table->nr_columns; i++) {
		enum view_statistic statistic = line->label->statistic;

		view_number(view_value(&row->cells[i], statistic), digits, text);
		p->value = max_size(p->value, strlen(text) + 1);
		view_number(view_percent(row, i, statistic), 2, text);
		p->percent = max_size(p->percent, strlen(text));
	}
}

static void measure_counts(struct printer *p, const struct table_row *row)
{
	char text[VIEW_NUMBER_SIZE];
	size_t i;

	for (i = 0; i < p->table->nr_columns; i++) {
		view_counts(&row->cells[i], text, sizeof(text));
		p->value = max_size(p->value, strlen(text) + 1);
	}
}

static size_t column_width(const struct printer *p)
{
	return p->value + p->percent + PERCENT_EXTRA;
}

static void measure(struct printer *p)
{
	size_t heading = 0;
	size_t i;

	p->label = p->style->label;
	p->value = p->style->value;
	p->percent = p->style->percent;
	p->op = 0;
	for (i = 0; i < p->view->nr_rows; i++) {
		p->op = max_size(p->op, text_width(p->view->rows[i].op));
		if (p->view->shows_counts)
			measure_counts(p, p->view->rows[i].row);
	}
	for (i = 0; i < p->view->nr_lines; i++)
		measure_line(p, &p->view->lines[i]);
	for (i = 0; i < p->table->nr_columns; i++) {
		heading = max_size(heading, text_width(p->above[i]) + 1);
		heading = max_size(heading, text_width(p->names[i]) + 1);
	}
	if (heading > column_width(p))
		p->value += heading - column_width(p);
}

static void put_spaces(FILE *out, size_t nr)
{
	for (; nr; nr--)
		(void)fputc(' ', out);
}

static void put_heading(const struct printer *p, char *const *texts)
{
	size_t nr = p->table->nr_columns;
	size_t i;

	/* No blanks at the end of the line: mails get quoted and compared. */
	while (nr && !*texts[nr - 1])
		nr--;
	if (nr)
		put_spaces(p->out, p->label + 1 + p->op);
	for (i = 0; i < nr; i++) {
		put_spaces(p->out, column_width(p) - text_width(texts[i]));
		(void)fputs(texts[i], p->out);
	}
	(void)fputc('\n', p->out);
}

static void put_op(const struct printer *p, const char *label, const char *op)
{
	(void)fprintf(p->out, "%-*s %s", (int)p->label, label, op);
	put_spaces(p->out, p->op - text_width(op));
}

static char mark_of(const struct printer *p, const struct view_line *line, size_t column)
{
	enum view_statistic statistic = line->label->statistic;

	if (!p->style->has_marks || !column ||
	    (statistic != VIEW_AMEAN && statistic != VIEW_HMEAN))
		return '\0';
	if (!p->options->significance)
		return judgement_mark(p->table, p->section, line->row->row, column);
	return fabs(mmtests_distance(line->row->row, column, statistic)) > 1.0 ? '*'
									       : '\0';
}

static void put_line(struct printer *p, const struct view_line *line)
{
	const struct table_row *row = line->row->row;
	int digits = view_digits(row, p->table->nr_columns);
	char text[VIEW_NUMBER_SIZE];
	size_t i;

	put_op(p, line->label->text, line->row->op);
	for (i = 0; i < p->table->nr_columns; i++) {
		enum view_statistic statistic = line->label->statistic;
		double percent = view_percent(row, i, statistic);
		char mark = mark_of(p, line, i);

		view_number(view_value(&row->cells[i], statistic), digits, text);
		(void)fprintf(p->out, "%*s", (int)p->value, text);
		view_number(percent, 2, text);
		(void)fprintf(p->out, " %c%*s%c%c", mark ? mark : '(', (int)p->percent,
			      text, isnan(percent) ? ' ' : '%', mark ? mark : ')');
	}
	(void)fputc('\n', p->out);
}

static void put_counts(const struct printer *p, const struct view_row *row)
{
	char text[VIEW_NUMBER_SIZE];
	size_t i;

	put_op(p, counts_label, row->op);
	for (i = 0; i < p->table->nr_columns; i++) {
		if (i)
			put_spaces(p->out, p->percent + PERCENT_EXTRA);
		view_counts(&row->row->cells[i], text, sizeof(text));
		(void)fprintf(p->out, "%*s", (int)p->value, text);
	}
	(void)fputc('\n', p->out);
}

static void put_view(struct printer *p)
{
	bool has_above = false;
	size_t i;

	measure(p);
	for (i = 0; i < p->table->nr_columns; i++)
		has_above |= *p->above[i] != '\0';
	if (has_above)
		put_heading(p, p->above);
	put_heading(p, p->names);
	for (i = 0; i < p->view->nr_lines; i++) {
		put_line(p, &p->view->lines[i]);
		p->used[p->view->lines[i].label - p->style->labels] = true;
	}
	for (i = 0; p->view->shows_counts && i < p->view->nr_rows; i++)
		put_counts(p, &p->view->rows[i]);
}

static int put_section(struct printer *p, const struct table_section *section)
{
	const struct view_options options = {
		.labels = p->style->labels,
		.all = p->options->all,
		.metric_first = p->style->metric_first,
	};
	struct view view;
	int ret;

	ret = view_init(&view, p->table, section, &options);
	if (!ret) {
		p->view = &view;
		p->section = section;
		(void)fprintf(p->out, "%s\n", view.title);
		if (view.nr_rows)
			put_view(p);
		ret = footer_notes(p->out, p->table, section, &view);
		(void)fputc('\n', p->out);
	}
	p->view = NULL;
	view_release(&view);
	return ret;
}

struct fmt_options mmtests_common(const struct mmtests_options *options)
{
	return (struct fmt_options){
		.all = options->all,
		.version = options->version,
		.facts = options->facts,
	};
}

static bool is_best(enum view_statistic statistic)
{
	return statistic == VIEW_BEST95_AMEAN || statistic == VIEW_BEST95_HMEAN;
}

/* Whose divisor nobody knows in tables that were published. */
static bool is_deviation(enum view_statistic statistic)
{
	return statistic == VIEW_STDDEV_N || statistic == VIEW_STDDEV_N1;
}

/* Samples of every cell of the metrics with this direction; 0 when they differ. */
static size_t common_count(const struct table *table, bool better_higher)
{
	size_t nr = 0;
	size_t i, j, k;

	for (i = 0; i < table->nr_sections; i++) {
		const struct table_section *section = &table->sections[i];

		for (j = 0; j < section->nr_rows * table->nr_columns; j++) {
			const struct table_row *row =
				&section->rows[j / table->nr_columns];

			k = row->cells[j % table->nr_columns].nr_samples;
			if (!k || row->metric->better_higher != better_higher)
				continue;
			if (nr && nr != k)
				return 0;
			nr = k;
		}
	}
	return nr;
}

static void put_best(FILE *out, const struct table *table, bool better_higher)
{
	size_t nr = common_count(table, better_higher);

	if (nr)
		(void)fprintf(out, " %zu of %zu", stats_best(nr, STATS_95), nr);
	else
		(void)fputs(" 95%, at least one", out);
}

static int put_footer(const struct printer *p, const struct mmtests_options *options)
{
	const struct fmt_options common = mmtests_common(options);
	const struct view_label *labels = p->style->labels;
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);
	size_t i;
	int ret;

	if (!out)
		return -ENOMEM;
	for (i = 0; labels[i].text; i++) {
		if (!p->used[i] || !labels[i].meaning ||
		    (is_deviation(labels[i].statistic) &&
		     !footer_statistics(p->table, options->all).has_samples))
			continue;
		(void)fprintf(out, "%s: %s", labels[i].text, labels[i].meaning);
		if (is_best(labels[i].statistic))
			put_best(out, p->table, labels[i].rows & VIEW_HIGHER);
		(void)fputs("; ", out);
	}
	(void)fputs("(%): gain over the first column, positive = better", out);
	if (p->options->significance)
		(void)fputs("; *: by mmtests' rule, further apart than both columns' "
			    "1.96 Stddev together; verdicts are by the rule below",
			    out);
	else if (p->style->has_marks)
		(void)fputs(footer_marks(p->table, options->all), out);
	ret = fclose(out) ? -ENOMEM : footer_end(p->out, p->table, text, &common);
	free(text);
	return ret;
}

static int make_headings(struct printer *p)
{
	size_t nr = p->table->nr_columns;
	size_t i;

	p->above = calloc(nr + 1, sizeof(char *));
	p->names = calloc(nr + 1, sizeof(char *));
	if (!p->above || !p->names)
		return -ENOMEM;
	for (i = 0; i < nr; i++) {
		if (view_heading(&p->table->columns[i], &p->above[i], &p->names[i])) {
			p->above[i] = NULL;
			p->names[i] = NULL;
			return -ENOMEM;
		}
	}
	return 0;
}

static void free_headings(struct printer *p)
{
	size_t i;

	for (i = 0; p->above && p->names && i < p->table->nr_columns; i++) {
		free(p->above[i]);
		free(p->names[i]);
	}
	free(p->above);
	free(p->names);
}

int fmt_mmtests(FILE *out, const struct table *table,
		const struct mmtests_options *options, struct err *err)
{
	struct printer printer = {
		.out = out,
		.table = table,
		.style = &styles[options->layout],
		.options = options,
	};
	size_t i;
	int ret;

	if (options->ratio)
		return fmt_mmtests_ratio(out, table, options, err);
	ret = make_headings(&printer);
	for (i = 0; !ret && i < table->nr_sections; i++)
		ret = put_section(&printer, &table->sections[i]);
	if (!ret)
		ret = put_footer(&printer, options);
	free_headings(&printer);
	return ret ? err_nomem(err) : 0;
}
