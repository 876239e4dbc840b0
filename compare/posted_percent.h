/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the printed means of a posted table allow its percentages to be. Means were
 * rounded for print, so each stands for a range, and so does the change between two.
 */
#ifndef COMPARE_POSTED_PERCENT_H
#define COMPARE_POSTED_PERCENT_H

#include <stdbool.h>
#include <stddef.h>

struct posted_row;
struct posted_table;
struct posted_token;

/** struct posted_range - what a printed number can have been; NAN: nothing known */
struct posted_range {
	double low, high;
};

/**
 * posted_value_range - of a printed mean
 * @table: LKP cuts means of 1000 and more to whole numbers, others round
 * @token: the mean
 */
struct posted_range posted_value_range(const struct posted_table *table,
				       const struct posted_token *token);

/**
 * posted_change_range - of the change against the first column, in percent
 * @table: that @row is of
 * @row: with values
 * @column: above 0
 *
 * Return: positive = more; NAN where the base may be 0 or a value is missing.
 */
struct posted_range posted_change_range(const struct posted_table *table,
					const struct posted_row *row, size_t column);

/** enum posted_match - how a printed percentage follows from a range */
enum posted_match { MATCH_NOT, MATCH_ROUNDED, MATCH_CUT };

/**
 * posted_match - whether @percent can have come from @range
 * @percent: as printed
 * @range: of the exact percentage
 *
 * Return: MATCH_ROUNDED where rounding to the printed decimals can give it, else
 * MATCH_CUT where dropping further decimals can.
 */
enum posted_match posted_match(const struct posted_token *percent,
			       struct posted_range range);

/** posted_can_be_cut - whether dropping decimals of some of @range gives @percent */
bool posted_can_be_cut(const struct posted_token *percent, struct posted_range range);

/** posted_negated - the range with the other sign */
struct posted_range posted_negated(struct posted_range range);

/**
 * posted_is_gain - whether the percentages of a row are gains of what is better lower
 * @table: that @row is of
 * @row: one of its rows
 *
 * Told by the layout, and by the percentages of all rows of that name where more of them
 * fit the other sign: positive is then less, and less is better. Otherwise positive is
 * more.
 */
bool posted_is_gain(const struct posted_table *table, const struct posted_row *row);

#endif
