// SPDX-License-Identifier: GPL-2.0-or-later
/* Audit of standard deviations, noise, and rows that repeat each other. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/audit_rules.h"
#include "compare/posted.h"
#include "compare/posted_percent.h"
#include "compare/posted_spread.h"
#include "compare/ratio.h"

/* Of the test: a change that chance brings more often is noise. */
static const double level = 0.05;

enum { FACTOR_MAX = 1000 };

static int check_stddev(struct audit *audit, const struct posted_table *table,
			const struct posted_row *row, size_t column)
{
	const struct posted_cell *cell = &row->cells[column];
	char printed[AUDIT_TEXT_SIZE];
	const struct audit_finding finding = {
		.line = cell->stddev.line,
		.kind = AUDIT_STDDEV,
		.printed = printed,
	};

	if (!posted_has(&cell->stddev) || cell->stddev.value != cell->value.value ||
	    cell->value.value == 0.0)
		return 0;
	audit_copy(&cell->stddev, printed);
	return audit_add(audit, &finding,
			 "the standard deviation of '%s' is its mean: probably the same "
			 "number typed twice",
			 table->columns[column]);
}

/* What a cell says of its mean; a deviation that was mistyped says nothing. */
static struct side side_at(const struct posted_table *table, const struct posted_row *row,
			   size_t column)
{
	const struct posted_token *value = &row->cells[column].value;
	double stddev = posted_stddev(table, row, column);

	if (stddev == value->value)
		stddev = (double)NAN;
	return side_of(value->value, stddev, table->runs, pow(10.0, -value->digits));
}

/* A printed change that happens by chance too often to be one. */
static int check_noise(struct audit *audit, const struct posted_table *table,
		       const struct posted_row *row, size_t column)
{
	const struct posted_token *percent = &row->cells[column].percent;
	char printed[AUDIT_TEXT_SIZE];
	const struct audit_finding finding = {
		.line = percent->line,
		.kind = AUDIT_NOISE,
		.printed = printed,
	};
	struct side base, other;
	struct effect effect;

	if (!column || !posted_has(percent) || percent->value == 0.0 || table->runs < 2)
		return 0;
	base = side_at(table, row, 0);
	other = side_at(table, row, column);
	if (isnan(base.variance) || isnan(other.variance))
		return 0;
	effect_welch(&base, &other, level, &effect);
	if (!(effect.p > level))
		return 0;
	audit_copy(percent, printed);
	return audit_add(audit, &finding,
			 "'%s%s%s': %s%% can't be told from noise: p=%.2f (Welch's test, "
			 "n=%ju, the printed standard deviations)",
			 row->name, *row->op ? " " : "", row->op, printed, effect.p,
			 (uintmax_t)table->runs);
}

static int check_cell(struct audit *audit, const struct posted_table *table,
		      const struct posted_row *row, size_t column)
{
	int bad = check_stddev(audit, table, row, column);

	return bad ? bad : check_noise(audit, table, row, column);
}

int audit_deviations(struct audit *audit, const struct posted_table *table)
{
	size_t i, j;
	int bad = 0;

	for (i = 0; i < table->nr_rows; i++) {
		for (j = 0; !bad && j < table->nr_columns; j++)
			bad = check_cell(audit, table, &table->rows[i], j);
	}
	return bad;
}

/* Duplicates. */

/* Half of what isn't known of a printed number, of it. */
static double blur(struct posted_range range)
{
	return (range.high - range.low) / (range.high + range.low);
}

static double middle(struct posted_range range)
{
	return (range.high + range.low) / 2.0;
}

/*
 * Whether the row has numbers that say something: known to a percent, and not the same in
 * every column within ten times what isn't known of them.
 */
static bool is_telling(const struct posted_table *table, const struct posted_row *row)
{
	double least = INFINITY;
	double most = 0.0;
	double blurred = 0.0;
	size_t i;

	for (i = 0; i < table->nr_columns; i++) {
		struct posted_range range =
			posted_value_range(table, &row->cells[i].value);

		if (!(range.low > 0.0) || blur(range) > 0.005)
			return false;
		least = fmin(least, middle(range));
		most = fmax(most, middle(range));
		blurred = fmax(blurred, blur(range));
	}
	return most / least - 1.0 > 20.0 * blurred;
}

/* The whole number that makes @other of @row in each column; 0: there is none. */
static unsigned int factor_of(const struct posted_table *table,
			      const struct posted_row *row,
			      const struct posted_row *other)
{
	/* Sums of printed means, such as of five runs, are not exact. */
	static const double slack = 1e-6;
	double ratio = other->cells[0].value.value / row->cells[0].value.value;
	double factor = round(ratio);
	size_t i;

	if (factor < 1.0 || factor > FACTOR_MAX)
		return 0;
	for (i = 0; i < table->nr_columns; i++) {
		struct posted_range a = posted_value_range(table, &row->cells[i].value);
		struct posted_range b = posted_value_range(table, &other->cells[i].value);

		if (a.low * factor > b.high * (1.0 + slack) ||
		    a.high * factor < b.low * (1.0 - slack))
			return 0;
	}
	return (unsigned int)factor;
}

/* mmtests' statistics of one op may be equal: of a single sample, they are. */
static bool is_comparable(const struct posted_table *table, const struct posted_row *a,
			  const struct posted_row *b)
{
	return table->layout != POSTED_MMTESTS || !strcmp(a->name, b->name);
}

static int add_duplicate(struct audit *audit, const struct posted_row *row,
			 const struct posted_row *first, unsigned int times,
			 unsigned int part)
{
	char printed[AUDIT_TEXT_SIZE];
	char what[AUDIT_TEXT_SIZE] = "the same as";
	const struct audit_finding finding = {
		.line = row->cells[0].value.line,
		.kind = AUDIT_DUPLICATE,
		.printed = printed,
	};

	audit_copy(&row->cells[0].value, printed);
	if (times > 1)
		(void)snprintf(what, sizeof(what), "%u times", times);
	else if (part > 1)
		(void)snprintf(what, sizeof(what), "1/%u of", part);
	return audit_add(audit, &finding,
			 "'%s%s%s' is %s '%s%s%s' in every column: one measurement, not "
			 "two",
			 row->name, *row->op ? " " : "", row->op, what, first->name,
			 *first->op ? " " : "", first->op);
}

static int check_row(struct audit *audit, const struct posted_table *table, size_t idx,
		     bool *is_duplicate)
{
	const struct posted_row *row = &table->rows[idx];
	size_t i;

	for (i = 0; i < idx; i++) {
		const struct posted_row *first = &table->rows[i];
		unsigned int times, part;

		if (is_duplicate[i] || !is_telling(table, first) ||
		    !is_comparable(table, first, row))
			continue;
		times = factor_of(table, first, row);
		part = factor_of(table, row, first);
		if (!times && !part)
			continue;
		is_duplicate[idx] = true;
		return add_duplicate(audit, row, first, times, part);
	}
	return 0;
}

int audit_duplicates(struct audit *audit, const struct posted_table *table)
{
	bool *is_duplicate = calloc(table->nr_rows, sizeof(*is_duplicate));
	int bad = is_duplicate ? 0 : -ENOMEM;
	size_t i;

	for (i = 1; !bad && i < table->nr_rows; i++) {
		if (is_telling(table, &table->rows[i]))
			bad = check_row(audit, table, i, is_duplicate);
	}
	free(is_duplicate);
	return bad;
}
