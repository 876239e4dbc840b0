// SPDX-License-Identifier: GPL-2.0-or-later
/* Rule, comparisons and counts as JSON; see json_verdict.h. */
#include "compare/json_verdict.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "compare/judge.h"
#include "compare/json_put.h"
#include "compare/percent.h"
#include "compare/quantile.h"
#include "compare/sort.h"
#include "compare/table.h"
#include "compare/view.h"
#include "lib/json.h"

/*
 * Of whatever an adjustment draws at random. None of today's does: the field says with
 * which seed the same verdicts come out again.
 */
enum { SEED = 42 };

int json_put_rule(struct jval *top, const struct table *table)
{
	const struct judgement *judgement = table->judgement;
	struct jval *object;
	int ret;

	if (!judgement)
		return 0;
	object = jval_object();
	if (!object)
		return -ENOMEM;
	ret = json_put_real(object, "delta", judgement->rule.delta);
	ret |= json_put_real(object, "alpha", judgement->rule.alpha);
	ret |= json_put_text(object, "adjust",
			     family_adjust_names[judgement->rule.adjust]);
	ret |= json_put_uint(object, "family", judgement->family[0]);
	if (judgement->family[1])
		ret |= json_put_uint(object, "family_secondary", judgement->family[1]);
	if (judgement->rule.is_chain)
		ret |= jval_put(object, "chain", jval_from_bool(true));
	ret |= json_put_uint(object, "seed", SEED);
	return jval_put(top, "rule", object) | ret;
}

static int put_counts(struct jval *object, const struct judged_column *column)
{
	struct jval *counts = jval_object();
	int ret = 0;
	size_t i;

	if (!counts)
		return -ENOMEM;
	for (i = VERDICT_MISSING; i < NR_VERDICTS; i++)
		ret |= json_put_uint(counts, verdict_name((enum verdict)i),
				     column->nr[i]);
	return jval_put(object, "verdicts", counts) | ret;
}

static int push_summary(struct jval *array, const struct table *table, size_t idx)
{
	const struct judged_column *column = &table->judgement->columns[idx];
	const char *verdict = verdict_name(column->verdict);
	struct jval *object = jval_object();
	int ret;

	if (!object)
		return -ENOMEM;
	ret = json_put_text(object, "column", table->columns[idx].name);
	ret |= json_put_uint(object, "rows", column->nr_rows);
	ret |= put_counts(object, column);
	ret |= json_put_interval(object, "mde", column->mde);
	ret |= json_put_real(object, "gain_gmean", column->gmean);
	ret |= json_put_interval(object, "gain_gmean_ci95", column->gmean_ci95);
	if (column->nr_failing)
		ret |= json_put_uint(object, "failing", column->nr_failing);
	if (verdict)
		ret |= json_put_text(object, "verdict", verdict);
	return ret | jval_push(array, object);
}

int json_put_summary(struct jval *top, const struct table *table)
{
	struct jval *array;
	int ret = 0;
	size_t i;

	if (!table->judgement)
		return 0;
	array = jval_array();
	if (!array)
		return -ENOMEM;
	for (i = 1; i < table->nr_columns; i++)
		ret |= push_summary(array, table, i);
	return jval_put(top, "summary", array) | ret;
}

static int put_median_interval(struct jval *object, const struct table_cell *cell)
{
	struct runs runs;
	size_t low, high;
	int ret = 0;

	if (cell->is_summary)
		return 0;
	if (runs_init(&runs, cell, false))
		return -ENOMEM;
	quantile_interval(runs.nr, 0.5, 0.05, &low, &high);
	if (low && high) {
		double ends[2];

		sort_numbers(runs.values, runs.nr);
		ends[0] = runs.values[low - 1];
		ends[1] = runs.values[high - 1];
		ret = json_put_interval(object, "median_ci95", ends);
	}
	runs_release(&runs);
	return ret;
}

static int push_flag(struct jval *flags, bool is_set, const char *flag)
{
	return is_set ? jval_push(flags, jval_from_string(flag)) : 0;
}

int json_put_flags(struct jval *object, const struct table *table,
		   const struct table_section *section, const struct table_row *row,
		   size_t column)
{
	enum { FEW = 5 };
	const struct judged_row *judged = judgement_row(table, section, row);
	const struct table_cell *cell = &row->cells[column];
	size_t n = cell->is_summary ? (size_t)cell->summary_n : cell->nr_samples;
	const struct shape *shape;
	struct jval *flags;
	int ret;

	if (!judged)
		return 0;
	shape = &judged->shapes[column];
	flags = jval_array();
	if (!flags)
		return -ENOMEM;
	ret = push_flag(flags, shape->flags & SHAPE_OUTLIER, "O");
	ret |= push_flag(flags, shape->flags & SHAPE_WARMUP, "W");
	ret |= push_flag(flags, shape->flags & SHAPE_BIMODAL, "M");
	ret |= push_flag(flags, shape->flags & SHAPE_AUTOCORRELATED, "A");
	ret |= push_flag(flags, shape->flags & SHAPE_TREND, "T");
	ret |= push_flag(flags, cell->nr_boots == 1, "B1");
	ret |= push_flag(flags, cell->nr_failed || cell->nr_invalid, "F");
	ret |= push_flag(flags, n && n < FEW, "n<5");
	ret |= jval_put(object, "flags", flags);
	ret |= put_median_interval(object, cell);
	if (shape->nr_outliers)
		ret |= json_put_uint(object, "outliers", shape->nr_outliers);
	ret |= json_put_interval(object, "modes", shape->modes);
	ret |= json_put_real(object, "low_mode_share", shape->low_share);
	return ret | json_put_real(object, "n_effective", shape->n_effective);
}

static int put_effect(struct jval *object, const struct comparison *c)
{
	const struct effect *effect = &c->effect;
	int ret;

	ret = json_put_interval(object, "ci95", effect->ci95);
	ret |= json_put_interval(object, "ci90", effect->ci90);
	ret |= json_put_interval(object, "difference_ci95", effect->difference_ci95);
	ret |= json_put_real(object, "t", effect->t);
	ret |= json_put_real(object, "df", effect->df);
	ret |= json_put_real(object, "p_welch", effect->p);
	ret |= json_put_real(object, "p_rank", c->p_rank);
	ret |= json_put_real(object, "p", c->p);
	ret |= json_put_real(object, "q", c->q);
	ret |= json_put_real(object, "mde", effect->mde);
	return ret | json_put_real(object, "pair_ratio", c->pair_ratio);
}

static int put_shift(struct jval *object, const struct comparison *c)
{
	const double interval[] = { c->shift.low, c->shift.high };
	int ret;

	ret = json_put_real(object, c->is_shift_ratio ? "hl" : "hl_difference",
			    c->shift.estimate);
	ret |= json_put_interval(
		object, c->is_shift_ratio ? "hl_ci95" : "hl_difference_ci95", interval);
	ret |= json_put_real(object, "cles", c->cles);
	return ret | json_put_real(object, "failures_p", c->failures_p);
}

static int put_comparison(struct jval *object, const struct comparison *c)
{
	const char *design = design_name(c->design);
	const char *verdict = verdict_name(c->verdict);
	int ret = put_effect(object, c) | put_shift(object, c);

	if (design)
		ret |= json_put_text(object, "design", design);
	if (c->design == DESIGN_PAIRED)
		ret |= json_put_uint(object, "pairs", c->nr_base);
	if (c->nr_base && c->nr_other)
		ret |= json_put_text(object, "unit_of_n",
				     c->unit == UNIT_BOOTS ? "boots" : "runs");
	if (verdict)
		ret |= json_put_text(object, "verdict", verdict);
	if (c->reason)
		ret |= json_put_text(object, "reason", c->reason);
	return ret;
}

int json_push_against(struct jval *array, const struct table *table,
		      const struct table_section *section, const struct table_row *row,
		      size_t column)
{
	const struct judged_row *judged = judgement_row(table, section, row);
	const struct comparison *c = judged ? &judged->against[column] : NULL;
	size_t base_idx = c ? c->base_idx : 0;
	enum view_statistic mean = view_mean(row, table->nr_columns);
	double base = view_value(&row->cells[base_idx], mean);
	double other = view_value(&row->cells[column], mean);
	struct jval *object = jval_object();
	int ret;

	if (!object)
		return -ENOMEM;
	ret = json_put_text(object, "column", table->columns[column].name);
	if (c && table->judgement->rule.is_chain)
		ret |= json_put_text(object, "baseline", table->columns[base_idx].name);
	ret |= json_put_real(object, "ratio", other / base);
	ret |= json_put_real(object, "percent",
			     percent_gain(base, other, row->metric->better_higher));
	if (c)
		ret |= put_comparison(object, c);
	return ret | jval_push(array, object);
}

int json_put_row_verdict(struct jval *object, const struct table *table,
			 const struct table_section *section, const struct table_row *row)
{
	const struct judged_row *judged = judgement_row(table, section, row);
	const char *verdict = judged ? verdict_name(judged->verdict) : NULL;

	return verdict ? json_put_text(object, "verdict", verdict) : 0;
}
