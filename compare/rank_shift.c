// SPDX-License-Identifier: GPL-2.0-or-later
/* Hodges and Lehmann's estimates. The differences are never laid out: of sorted values,
 * how many of them are below a number takes one pass, so the one of a given rank is found
 * by halving the range that it can be in. See rank.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "compare/dist.h"
#include "compare/rank.h"
#include "compare/tally.h"

/*
 * struct split - all differences, or means of two, on either side of a number
 * @nr: how many are at most as large
 * @below: the largest of these
 * @above: the smallest of the others
 */
struct split {
	size_t nr;
	double below, above;
};

typedef struct split split_fn(const struct two_samples *samples, double at);

static void add_below(struct split *split, double value)
{
	if (value > split->below)
		split->below = value;
}

static void add_above(struct split *split, double value)
{
	if (value < split->above)
		split->above = value;
}

static struct split split_differences(const struct two_samples *s, double at)
{
	struct split split = { 0, -INFINITY, INFINITY };
	size_t j = 0;
	size_t i;

	for (i = 0; i < s->nr_x; i++) {
		while (j < s->nr_y && s->y[j] - s->x[i] <= at)
			j++;
		split.nr += j;
		if (j)
			add_below(&split, s->y[j - 1] - s->x[i]);
		if (j < s->nr_y)
			add_above(&split, s->y[j] - s->x[i]);
	}
	return split;
}

static double mean_of(double a, double b)
{
	return a / 2.0 + b / 2.0;
}

/* Of the numbers at @s->x with themselves and each other. */
static struct split split_means(const struct two_samples *s, double at)
{
	struct split split = { 0, -INFINITY, INFINITY };
	size_t j = s->nr_x;
	size_t i;

	for (i = 0; i < s->nr_x; i++) {
		while (j > i && mean_of(s->x[i], s->x[j - 1]) > at)
			j--;
		if (j > i) {
			split.nr += j - i;
			add_below(&split, mean_of(s->x[i], s->x[j - 1]));
		} else {
			j = i;
		}
		if (j < s->nr_x)
			add_above(&split, mean_of(s->x[i], s->x[j]));
	}
	return split;
}

/* The one of them that has @rank, from 1; @ends are the least and the largest. */
static double of_rank(const struct two_samples *s, split_fn *split_at, size_t rank,
		      const double *ends)
{
	double low = ends[0];
	double high = ends[1];

	/* Both ends are among them, and move at least to the next. */
	while (low < high) {
		double middle = mean_of(low, high);
		struct split split;

		if (!(middle >= low && middle < high))
			middle = low;
		split = split_at(s, middle);
		if (split.nr >= rank)
			high = split.below;
		else
			low = split.above;
	}
	return high;
}

static struct shift shift_of(const struct two_samples *s, split_fn *split_at, size_t nr,
			     size_t cut, const double *ends)
{
	struct shift shift = { (double)NAN, (double)NAN, (double)NAN };

	if (!isfinite(ends[0]) || !isfinite(ends[1]))
		return shift;
	shift.estimate = of_rank(s, split_at, (nr + 1) / 2, ends);
	if (nr % 2 == 0)
		shift.estimate =
			mean_of(shift.estimate, of_rank(s, split_at, nr / 2 + 1, ends));
	if (cut) {
		shift.low = of_rank(s, split_at, cut, ends);
		shift.high = of_rank(s, split_at, nr + 1 - cut, ends);
	}
	return shift;
}

struct shift rank_shift(const struct two_samples *samples, size_t cut)
{
	const double ends[] = { samples->y[0] - samples->x[samples->nr_x - 1],
				samples->y[samples->nr_y - 1] - samples->x[0] };

	return shift_of(samples, split_differences, samples->nr_x * samples->nr_y, cut,
			ends);
}

/* The first index at which the sum of @counts reaches @share of @all; @nr if none. */
static size_t index_at(const double *counts, size_t nr, double share)
{
	double sum = 0.0;
	size_t i;

	for (i = 0; i < nr; i++) {
		sum += counts[i];
		if (sum >= share)
			break;
	}
	return i;
}

/* The normal approximation of a cut. */
static size_t approximate_cut(double mean, double variance, double alpha)
{
	double cut = ceil(mean + dist_normal_quantile(alpha / 2.0) * sqrt(variance));

	return cut > 0.0 ? (size_t)cut : 0;
}

int rank_cut(size_t nr_x, size_t nr_y, double alpha, size_t *ret)
{
	size_t nr = nr_x + nr_y;
	size_t chosen = nr_x < nr_y ? nr_x : nr_y;
	size_t values[RANK_EXACT_MAX];
	struct weights weights;
	/* The least sum of so many ranks from 0 on is what U counts from. */
	size_t start = chosen * (chosen - 1) / 2;
	size_t half = start + nr_x * nr_y / 2;
	double *counts;
	size_t i;

	if (nr > RANK_EXACT_MAX) {
		double product = (double)nr_x * (double)nr_y;

		*ret = approximate_cut(product / 2.0, product * (double)(nr + 1) / 12.0,
				       alpha);
		return 0;
	}
	for (i = 0; i < nr; i++)
		values[i] = i;
	weights = (struct weights){ values, nr };
	if (tally_choices(&weights, chosen, half, &counts))
		return -ENOMEM;
	*ret = index_at(counts, half + 1, tally_binomial(nr, chosen) * alpha / 2.0) -
	       start;
	free(counts);
	return 0;
}

static int signed_cut(size_t nr, double alpha, size_t *ret)
{
	size_t values[RANK_EXACT_MAX];
	struct weights weights;
	size_t half = nr * (nr + 1) / 4;
	double *counts;
	size_t i;

	if (nr > RANK_EXACT_MAX) {
		double n = (double)nr;

		*ret = approximate_cut(n * (n + 1.0) / 4.0,
				       n * (n + 1.0) * (2.0 * n + 1.0) / 24.0, alpha);
		return 0;
	}
	for (i = 0; i < nr; i++)
		values[i] = i + 1;
	weights = (struct weights){ values, nr };
	if (tally_subsets(&weights, half, &counts))
		return -ENOMEM;
	*ret = index_at(counts, half + 1, ldexp(alpha / 2.0, (int)nr));
	free(counts);
	return 0;
}

int rank_signed_shift(const double *differences, size_t nr, double alpha,
		      struct shift *ret)
{
	const struct two_samples samples = { differences, nr, differences, nr };
	const double ends[] = { differences[0], differences[nr - 1] };
	size_t cut;

	if (signed_cut(nr, alpha, &cut))
		return -ENOMEM;
	*ret = shift_of(&samples, split_means, nr * (nr + 1) / 2, cut, ends);
	return 0;
}
