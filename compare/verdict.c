// SPDX-License-Identifier: GPL-2.0-or-later
/* Chooses the statistics that suit how the runs were made, and applies the rule to them;
 * see verdict.h. */
#include "compare/verdict.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "compare/boots.h"
#include "compare/sort.h"
#include "compare/tally.h"

const struct rule rule_default = { .delta = 0.02, .alpha = 0.05, .adjust = FAMILY_BH };

/* Fewer than this make Brunner and Munzel's approximation a poor one. */
enum { LEAST_BRUNNER_MUNZEL = 5 };

/* Of boots that both columns have, pairs of runs tell more while there are so few. */
enum { LEAST_BOOT_PAIRS = 3 };

const char *verdict_name(enum verdict verdict)
{
	switch (verdict) {
	case VERDICT_MISSING:
		return "missing";
	case VERDICT_INCONCLUSIVE:
		return "inconclusive";
	case VERDICT_SAME:
		return "same";
	case VERDICT_MIXED:
		return "mixed";
	case VERDICT_BETTER_WEAK:
		return "better?";
	case VERDICT_WORSE_WEAK:
		return "worse?";
	case VERDICT_BETTER:
		return "better";
	case VERDICT_WORSE:
		return "worse";
	case VERDICT_NONE:
	case NR_VERDICTS:
		break;
	}
	return NULL;
}

/*
 * struct look - the values that are compared, and room for what becomes of them
 * @sorted_x: ascending, of the old ones
 * @sorted_y: of the new ones
 */
struct look {
	const struct rule *rule;
	struct cut_memo *memo;
	struct comparison *ret;
	double *sorted_x, *sorted_y;
	size_t nr_x, nr_y;
};

static int look_init(struct look *look, const double *x, const double *y)
{
	size_t i;

	look->sorted_x = calloc(look->nr_x + 1, sizeof(double));
	look->sorted_y = calloc(look->nr_y + 1, sizeof(double));
	if (!look->sorted_x || !look->sorted_y)
		return -ENOMEM;
	for (i = 0; i < look->nr_x; i++)
		look->sorted_x[i] = x[i];
	for (i = 0; i < look->nr_y; i++)
		look->sorted_y[i] = y[i];
	sort_numbers(look->sorted_x, look->nr_x);
	sort_numbers(look->sorted_y, look->nr_y);
	look->ret->nr_base = look->nr_x;
	look->ret->nr_other = look->nr_y;
	look->ret->is_shift_ratio = look->sorted_x[0] > 0.0 && look->sorted_y[0] > 0.0;
	return 0;
}

static void look_release(struct look *look)
{
	free(look->sorted_x);
	free(look->sorted_y);
	look->sorted_x = look->sorted_y = NULL;
}

static int set_cut(struct look *look)
{
	struct cut_memo *memo = look->memo;

	if (memo->nr_x == look->nr_x && memo->nr_y == look->nr_y)
		return 0;
	memo->nr_x = look->nr_x;
	memo->nr_y = look->nr_y;
	return rank_cut(look->nr_x, look->nr_y, 0.05, &memo->cut);
}

static void set_shift(struct comparison *ret, struct shift shift)
{
	if (ret->is_shift_ratio)
		shift = (struct shift){ exp(shift.estimate), exp(shift.low),
					exp(shift.high) };
	ret->shift = shift;
}

static int compare_ranks(struct look *look)
{
	struct comparison *ret = look->ret;
	struct two_samples samples = { look->sorted_x, look->nr_x, look->sorted_y,
				       look->nr_y };
	size_t least = look->nr_x < look->nr_y ? look->nr_x : look->nr_y;
	size_t i;

	if (look->nr_x != look->nr_y && least >= LEAST_BRUNNER_MUNZEL)
		ret->p_rank = rank_brunner_munzel(&samples);
	if (isnan(ret->p_rank) && rank_mann_whitney(&samples, &ret->p_rank))
		return -ENOMEM;
	ret->cles = rank_cles(&samples);
	if (set_cut(look))
		return -ENOMEM;
	for (i = 0; ret->is_shift_ratio && i < look->nr_x; i++)
		look->sorted_x[i] = log(look->sorted_x[i]);
	for (i = 0; ret->is_shift_ratio && i < look->nr_y; i++)
		look->sorted_y[i] = log(look->sorted_y[i]);
	set_shift(ret, rank_shift(&samples, look->memo->cut));
	return 0;
}

/* Chance of the most extreme ranks there are, on both ends. */
static double least_p(const struct look *look)
{
	if (look->ret->design == DESIGN_PAIRED)
		return ldexp(2.0, -(int)look->nr_x);
	return 2.0 / tally_binomial(look->nr_x + look->nr_y, look->nr_x);
}

static void combine(const struct look *look)
{
	struct comparison *ret = look->ret;

	ret->p = ret->effect.p;
	if (!isnan(ret->p) && !isnan(ret->p_rank) && least_p(look) <= look->rule->alpha)
		ret->p = family_combine(ret->p, ret->p_rank);
}

/* Two independent series; what their means say is known already. */
static int compare_values(struct look *look, const double *x, const double *y)
{
	int bad = look_init(look, x, y);

	if (!bad)
		bad = compare_ranks(look);
	if (!bad)
		combine(look);
	look_release(look);
	return bad;
}

static int compare_pair_ranks(struct look *look, const struct pairs *pairs)
{
	struct comparison *ret = look->ret;
	double *differences = calloc(pairs->nr, sizeof(*differences));
	struct two_samples samples = { look->sorted_x, pairs->nr, look->sorted_y,
				       pairs->nr };
	struct shift shift;
	double sum = 0.0;
	size_t i;
	int bad = -ENOMEM;

	if (!differences)
		return -ENOMEM;
	ret->cles = rank_cles(&samples);
	for (i = 0; i < pairs->nr; i++) {
		differences[i] = pairs->other[i] - pairs->base[i];
		/* Pairs that are equal have to stay so: 1 is what divides exactly. */
		if (ret->is_shift_ratio)
			differences[i] = log(pairs->other[i] / pairs->base[i]);
		sum += differences[i];
	}
	sort_numbers(differences, pairs->nr);
	if (!rank_signed(differences, pairs->nr, &ret->p_rank) &&
	    !rank_signed_shift(differences, pairs->nr, 0.05, &shift)) {
		set_shift(ret, shift);
		if (ret->is_shift_ratio)
			ret->pair_ratio = exp(sum / (double)pairs->nr);
		bad = 0;
	}
	free(differences);
	return bad;
}

static int compare_pairs(struct look *look, const struct pairs *pairs)
{
	int bad;

	look->nr_x = look->nr_y = pairs->nr;
	look->ret->design = DESIGN_PAIRED;
	effect_paired(pairs, look->rule->alpha, &look->ret->effect);
	bad = look_init(look, pairs->base, pairs->other);
	if (!bad)
		bad = compare_pair_ranks(look, pairs);
	if (!bad)
		combine(look);
	look_release(look);
	return bad;
}

/* The means of boots that both have, in @ret; their number is 0 unless all are. */
static int pair_boots(const struct boots *base, const struct boots *other,
		      struct pairs *ret)
{
	size_t i, j;

	if (pairs_init(ret, base->nr, 0.0))
		return -ENOMEM;
	for (i = 0; i < base->nr; i++) {
		for (j = 0; j < other->nr && other->keys[j] != base->keys[i]; j++)
			;
		if (j < other->nr)
			pairs_add(ret, base->means[i], other->means[j]);
	}
	if (ret->nr != base->nr || ret->nr != other->nr)
		ret->nr = 0;
	return 0;
}

static int compare_boot_means(struct look *look, const struct boots *base,
			      const struct boots *other)
{
	struct pairs pairs;
	int bad = pair_boots(base, other, &pairs);

	if (bad)
		return bad;
	look->ret->unit = UNIT_BOOTS;
	if (pairs.nr) {
		bad = compare_pairs(look, &pairs);
	} else {
		look->nr_x = base->nr;
		look->nr_y = other->nr;
		effect_welch(&base->side, &other->side, look->rule->alpha,
			     &look->ret->effect);
		bad = compare_values(look, base->means, other->means);
	}
	pairs_release(&pairs);
	return bad;
}

static int compare_boots(struct look *look, const struct runs *base,
			 const struct runs *other)
{
	struct boots a = { 0 };
	struct boots b = { 0 };
	int bad = boots_init(&a, base->values, base->boots, base->nr, base->resolution);

	if (!bad)
		bad = boots_init(&b, other->values, other->boots, other->nr,
				 other->resolution);
	if (!bad)
		bad = compare_boot_means(look, &a, &b);
	boots_release(&a);
	boots_release(&b);
	return bad;
}

static int compare_runs(struct look *look, const struct runs *base,
			const struct runs *other)
{
	struct pairs pairs;
	int bad = design_pairs(base, other, &pairs);

	if (bad)
		return bad;
	if (pairs.nr) {
		bad = compare_pairs(look, &pairs);
	} else {
		look->nr_x = look->ret->nr_base = base->nr;
		look->nr_y = look->ret->nr_other = other->nr;
		effect_welch(&base->side, &other->side, look->rule->alpha,
			     &look->ret->effect);
		look->ret->p = look->ret->effect.p;
		if (base->values && other->values && base->nr && other->nr)
			bad = compare_values(look, base->values, other->values);
	}
	pairs_release(&pairs);
	return bad;
}

static void clear(struct comparison *ret)
{
	*ret = (struct comparison){
		.pair_ratio = (double)NAN,
		.p_rank = (double)NAN,
		.p = (double)NAN,
		.q = (double)NAN,
		.shift = { (double)NAN, (double)NAN, (double)NAN },
		.cles = (double)NAN,
		.failures_p = (double)NAN,
	};
	effect_none(&ret->effect);
}

/* Whether all runs of both sides gave one and the same number. */
static bool are_equal(const struct runs *base, const struct runs *other)
{
	const struct runs *sides[] = { base, other };
	size_t i, j;

	for (i = 0; i < 2; i++) {
		if (!sides[i]->values || !sides[i]->nr)
			return false;
		for (j = 0; j < sides[i]->nr; j++) {
			if (sides[i]->values[j] != base->values[0])
				return false;
		}
	}
	return true;
}

int verdict_measure(const struct runs *base, const struct runs *other,
		    const struct rule *rule, struct cut_memo *memo,
		    struct comparison *ret)
{
	struct look look = { rule, memo, ret, NULL, NULL, 0, 0 };
	bool has_shared = design_shares_boot(base, other);
	size_t least =
		base->nr_boots < other->nr_boots ? base->nr_boots : other->nr_boots;
	bool has_boots = base->values && other->values && least >= 2;
	int bad;

	clear(ret);
	ret->design = design_order(base, other);
	ret->is_confounded = least == 1 && !has_shared;
	if (has_boots && (!has_shared || least >= LEAST_BOOT_PAIRS))
		bad = compare_boots(&look, base, other);
	else
		bad = compare_runs(&look, base, other);
	ret->is_missing = isnan(base->side.mean) || isnan(other->side.mean);
	ret->is_equal = are_equal(base, other);
	ret->is_without_variance = isnan(ret->effect.p) &&
				   isfinite(base->side.variance) &&
				   isfinite(other->side.variance);
	return bad;
}

/* Above 0 when the mean grew. */
static double direction_of(const struct comparison *c)
{
	if (!isnan(c->pair_ratio))
		return c->pair_ratio - 1.0;
	return c->effect.difference_ci95[0] + c->effect.difference_ci95[1];
}

static enum verdict directed(const struct comparison *c, bool is_higher_better,
			     bool is_weak)
{
	bool is_better = (direction_of(c) > 0.0) == is_higher_better;

	if (is_weak)
		return is_better ? VERDICT_BETTER_WEAK : VERDICT_WORSE_WEAK;
	return is_better ? VERDICT_BETTER : VERDICT_WORSE;
}

/* Whether the typical run went the other way than the mean. */
static bool is_torn(const struct comparison *c)
{
	double typical = c->shift.estimate - (c->is_shift_ratio ? 1.0 : 0.0);
	double mean = direction_of(c);

	return (mean > 0.0 && typical < 0.0) || (mean < 0.0 && typical > 0.0);
}

static bool is_same(const struct comparison *c, double delta)
{
	if (c->is_equal || (c->effect.p == 1.0 && isnan(c->effect.df)))
		return true;
	return c->effect.inner[0] > 1.0 - delta && c->effect.inner[1] < 1.0 + delta;
}

/* Why there is no p. */
static const char *why_not(const struct comparison *c)
{
	if (!c->nr_base || !c->nr_other)
		return "n not known";
	if (c->nr_base < 2 || c->nr_other < 2)
		return "n<2";
	return c->is_without_variance ? "zero variance" : "standard deviation not known";
}

void verdict_decide(struct comparison *c, const struct rule *rule, bool is_higher_better)
{
	bool is_strong = c->q <= rule->alpha;

	c->verdict = VERDICT_INCONCLUSIVE;
	c->reason = NULL;
	if (c->is_missing) {
		c->verdict = VERDICT_MISSING;
	} else if (isnan(c->p)) {
		c->reason = why_not(c);
	} else if (is_same(c, rule->delta)) {
		c->verdict = VERDICT_SAME;
	} else if (is_strong && is_torn(c)) {
		c->verdict = VERDICT_MIXED;
		c->reason = "mean and typical run differ in direction";
	} else if (is_strong || c->p <= rule->alpha || c->effect.p <= rule->alpha) {
		c->verdict =
			directed(c, is_higher_better, !is_strong || c->is_confounded);
		if (is_strong && c->is_confounded)
			c->reason = "one boot";
	}
}

enum verdict verdict_sum(const size_t *nr)
{
	bool is_better = nr[VERDICT_BETTER] || nr[VERDICT_BETTER_WEAK];
	bool is_worse = nr[VERDICT_WORSE] || nr[VERDICT_WORSE_WEAK];

	if (nr[VERDICT_MIXED] || (nr[VERDICT_BETTER] && nr[VERDICT_WORSE]))
		return VERDICT_MIXED;
	if (nr[VERDICT_BETTER])
		return VERDICT_BETTER;
	if (nr[VERDICT_WORSE])
		return VERDICT_WORSE;
	if (is_better && is_worse)
		return VERDICT_INCONCLUSIVE;
	if (is_better)
		return VERDICT_BETTER_WEAK;
	if (is_worse)
		return VERDICT_WORSE_WEAK;
	if (nr[VERDICT_INCONCLUSIVE])
		return VERDICT_INCONCLUSIVE;
	if (nr[VERDICT_SAME])
		return VERDICT_SAME;
	return nr[VERDICT_MISSING] ? VERDICT_MISSING : VERDICT_NONE;
}
