// SPDX-License-Identifier: GPL-2.0-or-later
/* Everything is computed relative to the old mean, so that no square leaves the range of
 * a double before the means do. See ratio.h. */
#include "compare/ratio.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "compare/dist.h"
#include "compare/stats.h"

/* Power at which the detectable change is stated. */
static const double power = 0.8;

static double squared(double x)
{
	return x * x;
}

struct side side_of(double mean, double stddev, size_t n, double resolution)
{
	double rounding = squared(resolution) / 12.0;
	struct side side = { mean, (double)NAN, (double)NAN };

	if (n < 2 || !(stddev >= 0.0))
		return side;
	side.variance = fmax(squared(stddev), rounding) / (double)n;
	side.df = (double)n - 1.0;
	return side;
}

static void set_none(double *interval)
{
	interval[0] = interval[1] = (double)NAN;
}

void effect_none(struct effect *effect)
{
	effect->t = effect->df = effect->p = effect->ratio = effect->mde = (double)NAN;
	set_none(effect->ci95);
	set_none(effect->ci90);
	set_none(effect->inner);
	set_none(effect->difference_ci95);
}

/* The t that a two-sided interval reaches to; of no spread it doesn't matter. */
static double reach(double level, double df)
{
	return isnan(df) ? 0.0 : dist_t_quantile(1.0 - level / 2.0, df);
}

/*
 * Fieller's interval: all ratios r at which the mean of (new - r * old) is no further
 * from 0 than t standard errors. @a and @b are the variances of the old and the new
 * mean, both by the square of the old mean.
 */
static void fieller(double ratio, double a, double b, double t, double *interval)
{
	double g = 1.0 - t * t * a;
	double root = b + ratio * ratio * a - t * t * a * b;

	if (!(g > 0.0) || !(root >= 0.0))
		return;
	interval[0] = (ratio - t * sqrt(root)) / g;
	interval[1] = (ratio + t * sqrt(root)) / g;
}

static double welch_df(const struct side *base, const struct side *other)
{
	double sum = base->variance + other->variance;
	double a = base->variance / sum;
	double b = other->variance / sum;

	return 1.0 / (a * a / base->df + b * b / other->df);
}

/* Of an effect whose @df is set, in units of the standard error. */
static double detectable(double df, double alpha)
{
	return reach(alpha, df) + dist_t_quantile(power, df);
}

static void set_ratio(const struct side *base, const struct side *other, double alpha,
		      struct effect *ret)
{
	double a = squared(sqrt(base->variance) / base->mean);
	double b = squared(sqrt(other->variance) / base->mean);

	fieller(ret->ratio, a, b, reach(0.05, ret->df), ret->ci95);
	fieller(ret->ratio, a, b, reach(0.10, ret->df), ret->ci90);
	fieller(ret->ratio, a, b, reach(2.0 * alpha, ret->df), ret->inner);
}

/* @change as a share of the old mean; NAN where that is 0, which has no shares. */
static double share_of(double change, double base)
{
	return base != 0.0 ? change / fabs(base) : (double)NAN;
}

void effect_welch(const struct side *base, const struct side *other, double alpha,
		  struct effect *ret)
{
	double difference = other->mean - base->mean;
	double error = sqrt(base->variance + other->variance);
	double to_end;

	effect_none(ret);
	if (base->mean > 0.0 && other->mean > 0.0)
		ret->ratio = other->mean / base->mean;
	if (!isfinite(difference) || !isfinite(error))
		return;
	if (error > 0.0) {
		ret->t = difference / error;
		ret->df = welch_df(base, other);
		ret->p = dist_t_two_sided(ret->t, ret->df);
		ret->mde = detectable(ret->df, alpha) * share_of(error, base->mean);
	} else if (difference != 0.0) {
		/* Nothing says how far such values may differ by chance. */
		return;
	} else {
		ret->p = 1.0;
	}
	to_end = reach(0.05, ret->df) * error;
	ret->difference_ci95[0] = difference - to_end;
	ret->difference_ci95[1] = difference + to_end;
	if (!isnan(ret->ratio))
		set_ratio(base, other, alpha, ret);
}

int pairs_init(struct pairs *pairs, size_t most, double resolution)
{
	*pairs = (struct pairs){
		.base = calloc(most + 1, sizeof(*pairs->base)),
		.other = calloc(most + 1, sizeof(*pairs->other)),
		.resolution = resolution,
	};
	if (pairs->base && pairs->other)
		return 0;
	pairs_release(pairs);
	return -ENOMEM;
}

void pairs_add(struct pairs *pairs, double base, double other)
{
	pairs->base[pairs->nr] = base;
	pairs->other[pairs->nr++] = other;
}

void pairs_release(struct pairs *pairs)
{
	free(pairs->base);
	free(pairs->other);
	*pairs = (struct pairs){ 0 };
}

/* One number a pair: their mean, and its standard error. */
struct series {
	double mean, error;
};

static double log_ratio_of(const struct pairs *pairs, size_t i)
{
	return log(pairs->other[i]) - log(pairs->base[i]);
}

static double difference_of(const struct pairs *pairs, size_t i)
{
	return pairs->other[i] - pairs->base[i];
}

static struct series series_of(const struct pairs *pairs,
			       double (*value)(const struct pairs *, size_t),
			       double rounding)
{
	double nr = (double)pairs->nr;
	struct series series = { 0 };
	double squares = 0.0;
	size_t i;

	for (i = 0; i < pairs->nr; i++)
		series.mean += value(pairs, i) / nr;
	for (i = 0; i < pairs->nr; i++)
		squares += squared(value(pairs, i) - series.mean);
	/* What is left of equal numbers is the error of adding them up. */
	if (squares < squared(series.mean * 1e-14) * nr)
		squares = 0.0;
	series.error = sqrt(fmax(squares / (nr - 1.0), rounding) / nr);
	return series;
}

static void around(const struct series *series, double t, double *interval)
{
	interval[0] = series->mean - t * series->error;
	interval[1] = series->mean + t * series->error;
}

static void around_ratio(const struct series *series, double t, double *interval)
{
	around(series, t, interval);
	interval[0] = exp(interval[0]);
	interval[1] = exp(interval[1]);
}

static bool is_positive(const struct pairs *pairs)
{
	size_t i;

	for (i = 0; i < pairs->nr; i++) {
		if (!(pairs->base[i] > 0.0) || !(pairs->other[i] > 0.0))
			return false;
	}
	return true;
}

void effect_paired(const struct pairs *pairs, double alpha, struct effect *ret)
{
	double step = squared(pairs->resolution) / 12.0;
	struct series plain, used;
	double base, other;
	bool is_log;

	effect_none(ret);
	if (pairs->nr < 2)
		return;
	base = stats_mean(pairs->base, pairs->nr);
	other = stats_mean(pairs->other, pairs->nr);
	is_log = is_positive(pairs);
	if (base > 0.0 && other > 0.0)
		ret->ratio = other / base;
	plain = used = series_of(pairs, difference_of, 2.0 * step);
	if (is_log)
		used = series_of(pairs, log_ratio_of,
				 step / squared(base) + step / squared(other));
	if (!isfinite(used.error) || !isfinite(plain.error) ||
	    (used.error == 0.0 && used.mean != 0.0))
		return;
	ret->p = 1.0;
	if (used.error > 0.0) {
		ret->t = used.mean / used.error;
		ret->df = (double)pairs->nr - 1.0;
		ret->p = dist_t_two_sided(ret->t, ret->df);
		ret->mde = detectable(ret->df, alpha) *
			   (is_log ? used.error : share_of(plain.error, base));
	}
	around(&plain, reach(0.05, ret->df), ret->difference_ci95);
	if (!is_log)
		return;
	around_ratio(&used, reach(0.05, ret->df), ret->ci95);
	around_ratio(&used, reach(0.10, ret->df), ret->ci90);
	around_ratio(&used, reach(2.0 * alpha, ret->df), ret->inner);
}
