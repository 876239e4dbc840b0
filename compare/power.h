/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How precise runs are, and how many are needed: half-widths of ratios, and the numbers
 * of runs and boots that find an effect. docs/repeat.md explains it to users.
 */
#ifndef COMPARE_POWER_H
#define COMPARE_POWER_H

#include <stdbool.h>
#include <stddef.h>

struct comparison;
struct table;
struct table_row;
struct table_section;

/**
 * power_halfwidth - half of the 95% interval of a comparison's ratio
 * @c: measured
 *
 * Where it is at most half of delta, the verdict isn't inconclusive: an interval that
 * contains 1 then lies inside 1 +- delta.
 *
 * Return: a share; 0 without any variance; INFINITY where there is no interval yet; NAN
 * where there won't be one: a side has no number, or a mean that isn't above 0.
 */
double power_halfwidth(const struct comparison *c);

/**
 * struct power_place - a comparison in a table
 * @section: of the row
 * @row: of the section
 * @column: compared with its baseline
 */
struct power_place {
	const struct table_section *section;
	const struct table_row *row;
	size_t column;
};

/** typedef power_wants_fn - whether a comparison is looked at */
typedef bool power_wants_fn(const struct table *table, const struct power_place *place,
			    void *data);

/**
 * struct power_widest - how well the ratios of a table are known
 * @halfwidth: the widest one's; NAN where there is none
 * @place: where it is
 * @nr: ratios that have a half-width, of primary metrics that are judged
 */
struct power_widest {
	double halfwidth;
	struct power_place place;
	size_t nr;
};

/**
 * power_widest - the widest interval of a table
 * @table: judged
 * @wants: NULL: all of them
 * @data: for @wants
 */
struct power_widest power_widest(const struct table *table, power_wants_fn *wants,
				 void *data);

/**
 * struct power_goal - what is to be found
 * @effect: change of the mean as a share, above 0
 * @alpha: level of the test, on two sides
 * @is_paired: the sides are measured in pairs
 */
struct power_goal {
	double effect, alpha;
	bool is_paired;
};

/** More runs than these are no plan. */
enum { POWER_MOST = 1000000 };

/**
 * power_runs - independent values a side that find an effect 80 times of 100
 * @goal: what is to be found
 * @variance: of one value of the old side plus that of the new one, both relative to the
 *            mean; of pairs the variance of the ratio
 *
 * The smallest n with (t(1 - alpha/2) + t(0.8)) sqrt(variance / n) <= effect, where t has
 * 2n - 2 degrees of freedom, of pairs n - 1. Within half a percent of the answer by the
 * noncentral t from 5 on.
 *
 * Return: at least 2; POWER_MOST for that many or more; 0 where @variance isn't known.
 */
size_t power_runs(const struct power_goal *goal, double variance);

/**
 * struct power_split - boots and runs
 * @boots: of each side
 * @runs: in each boot
 */
struct power_split {
	size_t boots, runs;
};

/**
 * power_split - how to spend time best where boots differ
 * @goal: what is to be found
 * @run_variance: of one run inside a boot, both sides together, relative to the mean
 * @boot_variance: what a boot adds, likewise
 * @boot_cost: what a boot costs in time, as a multiple of a run
 *
 * Runs in a boot: the root of boot_cost run_variance / boot_variance, by Kalibera and
 * Jones (2013), at most 30; then boots by power_runs() of the boots' means, at least 3.
 * The runs are then no more than those boots need.
 *
 * Return: boots is 0 where a variance isn't known.
 */
struct power_split power_split(const struct power_goal *goal, double run_variance,
			       double boot_variance, double boot_cost);

#endif
