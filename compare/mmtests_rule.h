/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The distances by which mmtests calls a difference significant. They take standard
 * deviations for half-widths, not standard errors, so more samples never help: they are
 * here to print what mmtests prints, and enter no verdict.
 */
#ifndef COMPARE_MMTESTS_RULE_H
#define COMPARE_MMTESTS_RULE_H

#include <stddef.h>

#include "compare/view.h"

struct table_row;

/**
 * mmtests_distance - the difference of two means in units of mmtests since 2024-11
 * @row: of a finished table
 * @column: compared with column 0
 * @mean: VIEW_AMEAN or VIEW_HMEAN
 *
 * (new - base) over the sum of both half-widths, each of which is qnorm(.975) times the
 * standard deviation that goes with @mean: divisor n - 1, HStddev divisor n. Where both
 * are 0 it is the plain difference, as mmtests has it.
 *
 * Return: significant beyond -1 and 1; NAN where a mean or a spread isn't known.
 */
double mmtests_distance(const struct table_row *row, size_t column,
			enum view_statistic mean);

/**
 * mmtests_sigmas - the same as mmtests had it before
 * @row: of a finished table
 * @column: compared with column 0
 * @mean: VIEW_AMEAN or VIEW_HMEAN
 *
 * (new - base) over the root of the mean of both variances, here with divisor n.
 *
 * Return: standard deviations; NAN where a mean or a spread isn't known.
 */
double mmtests_sigmas(const struct table_row *row, size_t column,
		      enum view_statistic mean);

#endif
