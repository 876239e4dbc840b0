// SPDX-License-Identifier: GPL-2.0-or-later
/* Ratios in a sheet whose widths are those of the layout; see fmt_mmtests_ratio.h. */
#include "compare/fmt_mmtests_ratio.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "compare/fmt_mmtests.h"
#include "compare/footer.h"
#include "compare/mmtests_rule.h"
#include "compare/sheet.h"
#include "compare/table.h"
#include "compare/view.h"
#include "lib/err.h"

/* Of the value, with the gap that a sheet leaves before it. */
static const int value_widths[] = { [MMTESTS_2016] = 12 - 2, [MMTESTS_TODAY] = 18 - 2 };

/* UNITS_SIZE: two numbers and their signs. */
enum { LABEL_WIDTH = 5, COUNTS_WIDTH = 7, UNITS_SIZE = 2 * VIEW_NUMBER_SIZE + 16 };

/*
 * struct printer - one section on its way out
 * @label: width
 * @behind: widths of what follows the ratios, by column
 */
struct printer {
	const struct table *table;
	const struct mmtests_options *options;
	const struct view *view;
	struct sheet sheet;
	int label;
	int *behind;
};

/*
 * struct total - what the rows of one direction come to in one column
 * @nr_ratios: above 0
 * @nr_distances: known
 */
struct total {
	double log_sum, sum, least, most;
	size_t nr_ratios, nr_distances;
};

/* The mean that the layout has for @row: harmonic for rates, where there is one. */
static enum view_statistic mean_of(const struct printer *p, const struct table_row *row)
{
	size_t i;

	for (i = 0; row->metric->better_higher && i < p->table->nr_columns; i++) {
		if (!isnan(view_value(&row->cells[i], VIEW_HMEAN)))
			return VIEW_HMEAN;
	}
	return view_mean(row, p->table->nr_columns);
}

static double ratio_of(const struct printer *p, const struct table_row *row,
		       size_t column)
{
	enum view_statistic mean = mean_of(p, row);
	double base = view_value(&row->cells[0], mean);
	double ratio = view_value(&row->cells[column], mean) / base;

	return base > 0.0 && ratio >= 0.0 && isfinite(ratio) ? ratio : (double)NAN;
}

static double distance_of(const struct printer *p, const struct table_row *row,
			  size_t column)
{
	enum view_statistic mean = mean_of(p, row);

	return p->options->layout == MMTESTS_2016 ? mmtests_sigmas(row, column, mean)
						  : mmtests_distance(row, column, mean);
}

/* What follows a ratio; not padded between the parentheses, as mmtests has it. */
static int put_units(const struct printer *p, const struct table_row *row, size_t column,
		     char *out)
{
	double percent = view_percent(row, column, mean_of(p, row));
	double distance = distance_of(p, row, column);
	char gain[VIEW_NUMBER_SIZE];
	char units[VIEW_NUMBER_SIZE];

	view_number(percent, 2, gain);
	view_number(distance, 2, units);
	return snprintf(out, UNITS_SIZE, "(%s%s) (%s%s%s)", gain,
			isnan(percent) ? "" : "%",
			isfinite(distance) && *units != '-' ? "+" : "", units,
			isfinite(distance) ? "s" : "");
}

static void measure(struct printer *p)
{
	char units[UNITS_SIZE];
	size_t i, j;

	for (i = 0; i < p->view->nr_rows; i++) {
		for (j = 0; j < p->table->nr_columns; j++) {
			int len = put_units(p, p->view->rows[i].row, j, units);

			p->behind[j] = len > p->behind[j] ? len : p->behind[j];
		}
	}
}

static void put_cell(struct printer *p, size_t column, const char *value,
		     const char *units)
{
	sheet_put(&p->sheet, column + 1, "%*s %-*s", value_widths[p->options->layout],
		  value, p->behind[column], units);
}

static void put_ratio(struct printer *p, const struct table_row *row, size_t column)
{
	char ratio[VIEW_NUMBER_SIZE];
	char units[UNITS_SIZE];

	view_number(ratio_of(p, row, column), view_digits(row, p->table->nr_columns),
		    ratio);
	(void)put_units(p, row, column, units);
	put_cell(p, column, ratio, units);
}

static void put_rows(struct printer *p)
{
	size_t i, j;

	for (i = 0; i < p->view->nr_rows; i++) {
		const struct view_row *row = &p->view->rows[i];

		if (!row->row->metric->name)
			continue;
		sheet_add_row(&p->sheet);
		sheet_put(&p->sheet, 0, "%-*s %s", p->label, "Ratio", row->op);
		for (j = 0; j < p->table->nr_columns; j++)
			put_ratio(p, row->row, j);
	}
}

static struct total total_of(const struct printer *p, size_t column, bool better_higher)
{
	struct total total = { .least = HUGE_VAL, .most = -HUGE_VAL };
	size_t i;

	for (i = 0; i < p->view->nr_rows; i++) {
		const struct table_row *row = p->view->rows[i].row;
		double ratio = ratio_of(p, row, column);
		double distance = distance_of(p, row, column);

		if (row->metric->better_higher != better_higher)
			continue;
		if (ratio > 0.0) {
			total.log_sum += log(ratio);
			total.nr_ratios++;
		}
		if (isfinite(distance)) {
			total.sum += distance;
			total.least = fmin(total.least, distance);
			total.most = fmax(total.most, distance);
			total.nr_distances++;
		}
	}
	return total;
}

/* In the order of their lines. */
enum which { DISTANCE_MEAN, DISTANCE_LEAST, DISTANCE_MOST, RATIO_GMEAN, NR_TOTALS };

static double total_value(const struct total *total, enum which which)
{
	if (which == RATIO_GMEAN)
		return exp(total->log_sum / (double)total->nr_ratios);
	if (!total->nr_distances)
		return (double)NAN;
	if (which == DISTANCE_MEAN)
		return total->sum / (double)total->nr_distances;
	return which == DISTANCE_LEAST ? total->least : total->most;
}

/* Decimals of the direction's rows, or -1 where it has none. */
static int total_digits(const struct printer *p, bool better_higher)
{
	int most = -1;
	size_t i;

	for (i = 0; i < p->view->nr_rows; i++) {
		const struct table_row *row = p->view->rows[i].row;
		int digits = view_digits(row, p->table->nr_columns);

		if (row->metric->name && row->metric->better_higher == better_higher &&
		    digits > most)
			most = digits;
	}
	return most;
}

static void put_totals(struct printer *p, bool better_higher)
{
	static const char *const labels[] = { "Dmean", "Dmin", "Dmax", "Gmean" };
	int digits = total_digits(p, better_higher);
	char text[VIEW_NUMBER_SIZE];
	size_t i, j;

	for (i = 0; digits >= 0 && i < NR_TOTALS; i++) {
		sheet_add_row(&p->sheet);
		sheet_put(&p->sheet, 0, "%-*s %s", p->label, labels[i],
			  better_higher ? "Higher" : "Lower");
		for (j = 0; j < p->table->nr_columns; j++) {
			struct total total = total_of(p, j, better_higher);

			view_number(total_value(&total, (enum which)i), digits, text);
			put_cell(p, j, text, "");
		}
	}
}

static void put_counts(struct printer *p)
{
	char text[VIEW_NUMBER_SIZE];
	size_t i, j;

	for (i = 0; p->view->shows_counts && i < p->view->nr_rows; i++) {
		sheet_add_row(&p->sheet);
		sheet_put(&p->sheet, 0, "%-*s %s", p->label, "Samples",
			  p->view->rows[i].op);
		for (j = 0; j < p->table->nr_columns; j++) {
			view_counts(&p->view->rows[i].row->cells[j], text, sizeof(text));
			put_cell(p, j, text, "");
		}
	}
}

static int put_view(struct printer *p, FILE *out)
{
	int ret;

	p->behind = calloc(p->table->nr_columns + 1, sizeof(*p->behind));
	if (!p->behind)
		return -ENOMEM;
	measure(p);
	p->label = p->view->shows_counts ? COUNTS_WIDTH : LABEL_WIDTH;
	sheet_init(&p->sheet, p->table->nr_columns + 1, 1);
	sheet_add_headings(&p->sheet, p->table);
	put_rows(p);
	put_totals(p, false);
	put_totals(p, true);
	put_counts(p);
	ret = sheet_print(&p->sheet, out);
	sheet_release(&p->sheet);
	free(p->behind);
	return ret;
}

static int put_section(struct printer *p, const struct table_section *section, FILE *out)
{
	const struct view_options options = {
		.all = p->options->all,
		.metric_first = p->options->layout == MMTESTS_TODAY,
	};
	struct view view;
	int ret;

	ret = view_init(&view, p->table, section, &options);
	if (!ret) {
		p->view = &view;
		(void)fprintf(out, "%s\n", view.title);
		if (view.nr_rows)
			ret = put_view(p, out);
	}
	if (!ret)
		ret = footer_notes(out, p->table, section, &view);
	(void)fputc('\n', out);
	p->view = NULL;
	view_release(&view);
	return ret;
}

int fmt_mmtests_ratio(FILE *out, const struct table *table,
		      const struct mmtests_options *options, struct err *err)
{
	static const char *const meanings[] = {
		[MMTESTS_2016] = "Ratio: of the means (of rates harmonic) to the first "
				 "column's; (%): gain, positive = better; s: the "
				 "difference in standard deviations, divisor n, the root "
				 "of the mean of both variances; Dmean, Dmin, Dmax: of "
				 "these; Gmean: geometric mean of the ratios above 0",
		[MMTESTS_TODAY] =
			"Ratio: of the means (of rates harmonic) to the first "
			"column's; (%): gain, positive = better; s: the "
			"difference over the sum of both columns' 1.96 Stddev (of "
			"rates HStddev); Dmean, Dmin, Dmax: of these; Gmean: "
			"geometric mean of the ratios above 0",
	};
	const struct fmt_options common = mmtests_common(options);
	struct printer printer = { .table = table, .options = options };
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < table->nr_sections; i++)
		ret = put_section(&printer, &table->sections[i], out);
	if (!ret)
		ret = footer_end(out, table, meanings[options->layout], &common);
	return ret ? err_nomem(err) : 0;
}
