// SPDX-License-Identifier: GPL-2.0-or-later
/* Hodges and Lehmann's estimates. The differences are never laid out: of sorted values,
 * how many of them are below a number takes one pass, so the one of a given rank is found
 * by halving the range of all doubles. See rank.h. */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "compare/dist.h"
#include "compare/rank.h"
#include "compare/tally.h"

enum { EXACT_MAX = 200 };

/* How many of all differences y - x, or means of two, are @limit at most. */
typedef size_t count_fn(const struct two_samples *samples, double limit);

static size_t differences_below(const struct two_samples *s, double limit)
{
	size_t nr = 0;
	size_t j = 0;
	size_t i;

	for (i = 0; i < s->nr_x; i++) {
		while (j < s->nr_y && s->y[j] - s->x[i] <= limit)
			j++;
		nr += j;
	}
	return nr;
}

static double mean_of(double a, double b)
{
	return a / 2.0 + b / 2.0;
}

/* Of the numbers at @s->x with themselves and each other. */
static size_t means_below(const struct two_samples *s, double limit)
{
	size_t nr = 0;
	size_t j = s->nr_x;
	size_t i;

	for (i = 0; i < s->nr_x; i++) {
		while (j && mean_of(s->x[i], s->x[j - 1]) > limit)
			j--;
		nr += j > i ? j - i : 0;
	}
	return nr;
}

/* The bits of a double as a number that grows with it, and back. */
static int64_t place_of(double x)
{
	int64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits < 0 ? INT64_MIN - bits : bits;
}

static double at_place(int64_t place)
{
	int64_t bits = place < 0 ? INT64_MIN - place : place;
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

/* Half way from @low to @high, never @high itself. */
static int64_t between(int64_t low, int64_t high)
{
	return low + (int64_t)(((uint64_t)high - (uint64_t)low) / 2);
}

/* The smallest number from @low to @high with at least @rank of them at most as large. */
static double of_rank(const struct two_samples *s, count_fn *count, size_t rank,
		      const double *ends)
{
	int64_t low = place_of(ends[0]);
	int64_t high = place_of(ends[1]);

	while (low < high) {
		int64_t middle = between(low, high);

		if (count(s, at_place(middle)) >= rank)
			high = middle;
		else
			low = middle + 1;
	}
	return at_place(low);
}

static struct shift shift_of(const struct two_samples *s, count_fn *count, size_t nr,
			     size_t cut, const double *ends)
{
	struct shift shift = { (double)NAN, (double)NAN, (double)NAN };

	if (!isfinite(ends[0]) || !isfinite(ends[1]))
		return shift;
	shift.estimate = of_rank(s, count, (nr + 1) / 2, ends);
	if (nr % 2 == 0)
		shift.estimate =
			mean_of(shift.estimate, of_rank(s, count, nr / 2 + 1, ends));
	if (cut) {
		shift.low = of_rank(s, count, cut, ends);
		shift.high = of_rank(s, count, nr + 1 - cut, ends);
	}
	return shift;
}

struct shift rank_shift(const struct two_samples *samples, size_t cut)
{
	const double ends[] = { samples->y[0] - samples->x[samples->nr_x - 1],
				samples->y[samples->nr_y - 1] - samples->x[0] };

	return shift_of(samples, differences_below, samples->nr_x * samples->nr_y, cut,
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
	size_t values[EXACT_MAX];
	struct weights weights;
	/* The least sum of so many ranks from 0 on is what U counts from. */
	size_t start = chosen * (chosen - 1) / 2;
	size_t half = start + nr_x * nr_y / 2;
	double *counts;
	size_t i;

	if (nr > EXACT_MAX) {
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
	size_t values[EXACT_MAX];
	struct weights weights;
	size_t half = nr * (nr + 1) / 4;
	double *counts;
	size_t i;

	if (nr > EXACT_MAX) {
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
	*ret = shift_of(&samples, means_below, nr * (nr + 1) / 2, cut, ends);
	return 0;
}
