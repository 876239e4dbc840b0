// SPDX-License-Identifier: GPL-2.0-or-later
/* Precision reached and numbers needed; see power.h. */
#include "compare/power.h"

#include <math.h>

#include "compare/dist.h"
#include "compare/judge.h"
#include "compare/table.h"

enum { LEAST_RUNS = 2, LEAST_BOOTS = 3, MOST_RUNS_OF_BOOT = 30 };

static const double wanted_power = 0.8;

double power_halfwidth(const struct comparison *c)
{
	const struct effect *effect = &c->effect;

	if (c->is_missing)
		return (double)NAN;
	if (c->nr_base < LEAST_RUNS || c->nr_other < LEAST_RUNS)
		return (double)INFINITY;
	if (isnan(effect->ratio))
		return (double)NAN;
	/* Nothing that more runs of the same numbers could tell. */
	if (c->is_without_variance || (isnan(effect->df) && effect->p >= 1.0))
		return 0.0;
	if (isnan(effect->ci95[0]) || isnan(effect->ci95[1]))
		return (double)INFINITY;
	return (effect->ci95[1] - effect->ci95[0]) / 2.0;
}

static void look_at_row(const struct table *table, struct power_place *place,
			power_wants_fn *wants, void *data, struct power_widest *ret)
{
	const struct judged_row *judged =
		judgement_row(table, place->section, place->row);

	for (place->column = 1; judged && place->column < table->nr_columns;
	     place->column++) {
		const struct comparison *c = &judged->against[place->column];
		double halfwidth = power_halfwidth(c);

		if (c->verdict == VERDICT_NONE || isnan(halfwidth) ||
		    (wants && !wants(table, place, data)))
			continue;
		ret->nr++;
		if (!(halfwidth <= ret->halfwidth)) {
			ret->halfwidth = halfwidth;
			ret->place = *place;
		}
	}
}

struct power_widest power_widest(const struct table *table, power_wants_fn *wants,
				 void *data)
{
	struct power_widest ret = { .halfwidth = (double)NAN };
	size_t i, j;

	for (i = 0; i < table->nr_sections; i++) {
		const struct table_section *section = &table->sections[i];

		for (j = 0; j < section->nr_rows; j++) {
			struct power_place place = { section, &section->rows[j], 0 };

			if (!place.row->metric->secondary &&
			    !place.row->metric->unjudged && place.row->metric->name)
				look_at_row(table, &place, wants, data, &ret);
		}
	}
	return ret;
}

static bool finds(const struct power_goal *goal, double variance, size_t n)
{
	double df = goal->is_paired ? (double)n - 1.0 : 2.0 * (double)n - 2.0;
	double reach = dist_t_quantile(1.0 - goal->alpha / 2.0, df) +
		       dist_t_quantile(wanted_power, df);

	return reach * sqrt(variance / (double)n) <= goal->effect;
}

size_t power_runs(const struct power_goal *goal, double variance)
{
	size_t low = LEAST_RUNS;
	size_t high = LEAST_RUNS;

	if (!(variance >= 0.0))
		return 0;
	while (high < POWER_MOST && !finds(goal, variance, high)) {
		low = high + 1;
		high *= 2;
	}
	while (low < high && high < POWER_MOST) {
		size_t middle = low + (high - low) / 2;

		if (finds(goal, variance, middle))
			high = middle;
		else
			low = middle + 1;
	}
	return high < POWER_MOST ? high : POWER_MOST;
}

struct power_split power_split(const struct power_goal *goal, double run_variance,
			       double boot_variance, double boot_cost)
{
	struct power_split ret = { 0 };
	double runs = MOST_RUNS_OF_BOOT;

	if (!(run_variance >= 0.0) || !(boot_variance >= 0.0))
		return ret;
	if (boot_variance > 0.0)
		runs = fmin(ceil(sqrt(boot_cost * run_variance / boot_variance)), runs);
	ret.runs = runs > 1.0 ? (size_t)runs : 1;
	ret.boots = power_runs(goal, boot_variance + run_variance / (double)ret.runs);
	if (ret.boots > LEAST_BOOTS)
		return ret;
	/* So few boots that each may do with fewer runs. */
	ret.boots = LEAST_BOOTS;
	while (ret.runs > 1 &&
	       finds(goal, boot_variance + run_variance / (double)(ret.runs - 1),
		     ret.boots))
		ret.runs--;
	return ret;
}
