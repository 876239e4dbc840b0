// SPDX-License-Identifier: GPL-2.0-or-later
/* Ranges of printed numbers; see posted_percent.h. */
#include "compare/posted_percent.h"

#include <math.h>
#include <string.h>

#include "compare/posted.h"

/* What the computation of a percentage may lose. */
static const double slack = 1e-9;

static const struct posted_range unknown = { (double)NAN, (double)NAN };

static double step_of(const struct posted_token *token)
{
	return pow(10.0, -token->digits);
}

struct posted_range posted_value_range(const struct posted_table *table,
				       const struct posted_token *token)
{
	double half = 0.5 * step_of(token);

	if (!posted_has(token))
		return unknown;
	if (table->layout == POSTED_LKP && !token->digits)
		return (struct posted_range){ token->value, token->value + 1.0 };
	return (struct posted_range){ token->value - half, token->value + half };
}

struct posted_range posted_change_range(const struct posted_table *table,
					const struct posted_row *row, size_t column)
{
	struct posted_range base = posted_value_range(table, &row->cells[0].value);
	struct posted_range value = posted_value_range(table, &row->cells[column].value);

	/* Also where the range of the base reaches 0: then any change is possible. */
	if (!(base.low > slack) || !(value.low >= 0.0))
		return unknown;
	return (struct posted_range){
		100.0 * (value.low / base.high - 1.0),
		100.0 * (value.high / base.low - 1.0),
	};
}

struct posted_range posted_negated(struct posted_range range)
{
	return (struct posted_range){ -range.high, -range.low };
}

static bool overlap(double low, double high, struct posted_range range)
{
	return low <= range.high + slack && high >= range.low - slack;
}

bool posted_can_be_cut(const struct posted_token *percent, struct posted_range range)
{
	double step = step_of(percent);
	double value = percent->value;

	return overlap(value > 0.0 ? value : value - step,
		       value < 0.0 ? value : value + step, range);
}

enum posted_match posted_match(const struct posted_token *percent,
			       struct posted_range range)
{
	double step = step_of(percent);
	double value = percent->value;

	if (overlap(value - step / 2.0, value + step / 2.0, range))
		return MATCH_ROUNDED;
	return posted_can_be_cut(percent, range) ? MATCH_CUT : MATCH_NOT;
}

/* What is said of a spread gets better by getting less. */
static bool is_spread(const char *name)
{
	return strstr(name, "Stddev") || strstr(name, "CoeffVar");
}

static bool is_default_gain(const struct posted_table *table,
			    const struct posted_row *row)
{
	return table->layout == POSTED_MMTESTS && !strstr(row->name, "Hmean");
}

/* How much more the percentages of a row fit changes than gains. */
static long votes_of(const struct posted_table *table, const struct posted_row *row)
{
	long votes = 0;
	size_t i;

	for (i = 1; i < table->nr_columns; i++) {
		const struct posted_token *percent = &row->cells[i].percent;
		struct posted_range change = posted_change_range(table, row, i);

		if (!posted_has(percent) || isnan(change.low))
			continue;
		votes += posted_match(percent, change) != MATCH_NOT;
		votes -= posted_match(percent, posted_negated(change)) != MATCH_NOT;
	}
	return votes;
}

bool posted_is_gain(const struct posted_table *table, const struct posted_row *row)
{
	bool is_gain = is_default_gain(table, row);
	long votes = 0;
	size_t i;

	if (table->layout == POSTED_LKP)
		return false;
	if (table->layout == POSTED_MMTESTS && is_spread(row->name))
		return true;
	for (i = 0; i < table->nr_rows; i++) {
		const struct posted_row *other = &table->rows[i];

		if (table->layout != POSTED_MMTESTS || !strcmp(other->name, row->name))
			votes += votes_of(table, other);
	}
	return votes ? votes < 0 : is_gain;
}
