// SPDX-License-Identifier: GPL-2.0-or-later
/* Ranks are doubled, so that the shared ones of ties are whole numbers. See rank.h; the
 * estimates are in rank_shift.c. */
#include "compare/rank.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "compare/dist.h"
#include "compare/tally.h"

/*
 * struct ranking - the doubled ranks of a set of values
 * @ranks: ascending, as the values are; owned
 * @nr: how many
 * @sum: of those that were asked about
 * @ties: sum of t^3 - t over all groups of t equal values
 */
struct ranking {
	size_t *ranks;
	size_t nr;
	size_t sum;
	double ties;
};

static double cubes(size_t t)
{
	return (double)t * (double)t * (double)t - (double)t;
}

/* @nr_x equal values of one side and @nr_y of the other come next. */
static void add_group(struct ranking *ranking, size_t nr_x, size_t nr_y)
{
	size_t nr = nr_x + nr_y;
	size_t rank = 2 * ranking->nr + nr + 1;
	size_t i;

	for (i = 0; i < nr; i++)
		ranking->ranks[ranking->nr + i] = rank;
	ranking->nr += nr;
	ranking->sum += nr_y * rank;
	ranking->ties += cubes(nr);
}

/* How many of the @nr ascending numbers at @x are equal to @value. */
static size_t run_of(const double *x, size_t nr, double value)
{
	size_t i = 0;

	while (i < nr && x[i] == value)
		i++;
	return i;
}

/* Rank both sides together; @sum is that of the new one. */
static int rank_both(const struct two_samples *s, struct ranking *ret)
{
	size_t i = 0;
	size_t j = 0;

	*ret = (struct ranking){ 0 };
	ret->ranks = calloc(s->nr_x + s->nr_y, sizeof(*ret->ranks));
	if (!ret->ranks)
		return -ENOMEM;
	while (i < s->nr_x || j < s->nr_y) {
		bool is_x = j == s->nr_y || (i < s->nr_x && s->x[i] <= s->y[j]);
		double value = is_x ? s->x[i] : s->y[j];
		size_t nr_x = run_of(s->x + i, s->nr_x - i, value);
		size_t nr_y = run_of(s->y + j, s->nr_y - j, value);

		add_group(ret, nr_x, nr_y);
		i += nr_x;
		j += nr_y;
	}
	return 0;
}

/* Two-sided p of @distance from the expected value. */
static double normal_p(double distance, double variance, double step)
{
	if (!(variance > 0.0))
		return 1.0;
	return dist_normal_two_sided(fmax(distance - step, 0.0) / sqrt(variance));
}

static size_t divisor_of(size_t a, size_t b)
{
	while (b) {
		size_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static double total_of(const double *counts, size_t limit)
{
	double total = 0.0;
	size_t i;

	for (i = 0; i <= limit; i++)
		total += counts[i];
	return total;
}

/*
 * Share of all choices of @nr_chosen of the ranks whose sum is @limit at most. What all
 * ranks have in common, start and step, is taken out first: it only makes sums longer.
 */
static int lower_tail(const struct ranking *ranking, size_t nr_chosen, size_t limit,
		      double *ret)
{
	size_t *values = calloc(ranking->nr, sizeof(*values));
	const struct weights weights = { values, ranking->nr };
	size_t least = ranking->ranks[0];
	size_t step = 0;
	double *counts;
	size_t i;
	int bad = 0;

	*ret = 0.0;
	if (!values)
		return -ENOMEM;
	for (i = 0; i < ranking->nr; i++) {
		values[i] = ranking->ranks[i] - least;
		step = divisor_of(values[i], step);
	}
	for (i = 0; step && i < ranking->nr; i++)
		values[i] /= step;
	if (limit < nr_chosen * least)
		goto out;
	limit = (limit - nr_chosen * least) / (step ? step : 1);
	bad = tally_choices(&weights, nr_chosen, limit, &counts);
	if (!bad) {
		*ret = total_of(counts, limit) / tally_binomial(ranking->nr, nr_chosen);
		free(counts);
	}
out:
	free(values);
	return bad;
}

/* Ranks counted from the other end, under which a large sum is a small one. */
static void turn_round(struct ranking *ranking)
{
	size_t ends = ranking->ranks[0] + ranking->ranks[ranking->nr - 1];
	size_t i;

	for (i = 0; i < (ranking->nr + 1) / 2; i++) {
		size_t *other = &ranking->ranks[ranking->nr - 1 - i];
		size_t held = ends - ranking->ranks[i];

		ranking->ranks[i] = ends - *other;
		*other = held;
	}
}

static int exact_p(struct ranking *ranking, size_t nr_y, double *ret)
{
	size_t centre = nr_y * (ranking->nr + 1);
	size_t below = ranking->sum < centre ? ranking->sum : 2 * centre - ranking->sum;
	size_t ends = ranking->ranks[0] + ranking->ranks[ranking->nr - 1];
	double lower;
	double upper;
	int bad;

	*ret = 1.0;
	if (below == centre)
		return 0;
	bad = lower_tail(ranking, nr_y, below, &lower);
	upper = lower;
	/* Ties can make the two tails unlike, but not when the sides are alike. */
	if (!bad && ranking->ties > 0.0 && 2 * nr_y != ranking->nr) {
		size_t above = 2 * centre - below;

		turn_round(ranking);
		upper = 0.0;
		if (nr_y * ends >= above)
			bad = lower_tail(ranking, nr_y, nr_y * ends - above, &upper);
	}
	if (!bad)
		*ret = fmin(lower + upper, 1.0);
	return bad;
}

static double approximate_p(const struct ranking *ranking, size_t nr_x, size_t nr_y)
{
	double nr = (double)ranking->nr;
	double product = (double)nr_x * (double)nr_y;
	double centre = (double)nr_y * (nr + 1.0) / 2.0;
	double variance = product / 12.0 * (nr + 1.0 - ranking->ties / (nr * (nr - 1.0)));

	return normal_p(fabs((double)ranking->sum / 2.0 - centre), variance, 0.5);
}

int rank_mann_whitney(const struct two_samples *samples, double *ret)
{
	struct ranking ranking;
	int bad = rank_both(samples, &ranking);

	if (bad)
		return bad;
	if (ranking.nr > RANK_EXACT_MAX)
		*ret = approximate_p(&ranking, samples->nr_x, samples->nr_y);
	else
		bad = exact_p(&ranking, samples->nr_y, ret);
	free(ranking.ranks);
	return bad;
}

/* How many of @other are below each of @own, ties counting half: mean and variance. */
static void placements(const double *own, size_t nr_own, const double *other,
		       size_t nr_other, double *ret_mean, double *ret_variance)
{
	double nr = (double)nr_own;
	double sum = 0.0;
	double squares = 0.0;
	size_t below = 0;
	size_t i;

	for (i = 0; i < nr_own; i++) {
		double place;

		while (below < nr_other && other[below] < own[i])
			below++;
		place = (double)below +
			(double)run_of(other + below, nr_other - below, own[i]) / 2.0;
		/* Halves of small numbers: both sums are exact. */
		sum += place;
		squares += place * place;
	}
	*ret_mean = sum / nr;
	*ret_variance = (squares - sum * sum / nr) / (nr - 1.0);
}

double rank_cles(const struct two_samples *samples)
{
	double mean;
	double variance;

	placements(samples->y, samples->nr_y, samples->x, samples->nr_x, &mean,
		   &variance);
	return mean / (double)samples->nr_x;
}

double rank_brunner_munzel(const struct two_samples *samples)
{
	double nr_x = (double)samples->nr_x;
	double nr_y = (double)samples->nr_y;
	double mean_x, mean_y, x, y, t, df;

	if (samples->nr_x < 2 || samples->nr_y < 2)
		return (double)NAN;
	placements(samples->x, samples->nr_x, samples->y, samples->nr_y, &mean_x, &x);
	placements(samples->y, samples->nr_y, samples->x, samples->nr_x, &mean_y, &y);
	x *= nr_x;
	y *= nr_y;
	if (!(x + y > 0.0))
		return (double)NAN;
	t = nr_x * nr_y * (mean_y / nr_x - 0.5) / sqrt(x + y);
	df = (x + y) * (x + y) / (x * x / (nr_x - 1.0) + y * y / (nr_y - 1.0));
	return dist_t_two_sided(t, df);
}

static int by_size(const void *a, const void *b)
{
	double x = fabs(*(const double *)a);
	double y = fabs(*(const double *)b);

	return (x > y) - (x < y);
}

/* Rank the sizes of @nr numbers, none 0; @sum is that of the positive ones. */
static void rank_sizes(const double *by_size, size_t nr, struct ranking *ret)
{
	size_t i = 0;

	while (i < nr) {
		double size = fabs(by_size[i]);
		size_t nr_below = 0;
		size_t nr_above = 0;

		for (; i < nr && fabs(by_size[i]) == size; i++) {
			if (by_size[i] > 0.0)
				nr_above++;
			else
				nr_below++;
		}
		add_group(ret, nr_below, nr_above);
	}
}

static int exact_signed_p(const struct ranking *ranking, double *ret)
{
	const struct weights weights = { ranking->ranks, ranking->nr };
	size_t total = ranking->nr * (ranking->nr + 1);
	size_t below = ranking->sum;
	double *counts;

	if (total - below < below)
		below = total - below;
	if (tally_subsets(&weights, below, &counts))
		return -ENOMEM;
	*ret = fmin(2.0 * ldexp(total_of(counts, below), -(int)ranking->nr), 1.0);
	free(counts);
	return 0;
}

static double approximate_signed_p(const struct ranking *ranking)
{
	double nr = (double)ranking->nr;
	double centre = nr * (nr + 1.0) / 4.0;
	double variance =
		nr * (nr + 1.0) * (2.0 * nr + 1.0) / 24.0 - ranking->ties / 48.0;

	return normal_p(fabs((double)ranking->sum / 2.0 - centre), variance, 0.5);
}

int rank_signed(const double *differences, size_t nr, double *ret)
{
	struct ranking ranking = { 0 };
	double *sorted = calloc(nr + 1, sizeof(*sorted));
	size_t nr_used = 0;
	size_t i;
	int bad = 0;

	ranking.ranks = calloc(nr + 1, sizeof(*ranking.ranks));
	if (!sorted || !ranking.ranks) {
		bad = -ENOMEM;
		goto out;
	}
	for (i = 0; i < nr; i++) {
		if (differences[i] != 0.0)
			sorted[nr_used++] = differences[i];
	}
	qsort(sorted, nr_used, sizeof(*sorted), by_size);
	rank_sizes(sorted, nr_used, &ranking);
	if (!nr_used)
		*ret = 1.0;
	else if (nr_used > RANK_EXACT_MAX)
		*ret = approximate_signed_p(&ranking);
	else
		bad = exact_signed_p(&ranking, ret);
out:
	free(ranking.ranks);
	free(sorted);
	return bad;
}
