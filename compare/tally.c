// SPDX-License-Identifier: GPL-2.0-or-later
/* Weight by weight: with it or without it. Sums that no choice can reach, or that can't
 * stay within the limit any more, are not visited; see tally.h. */
#include "compare/tally.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Sums of the first weights: @ret[i] is that of the first i. */
static size_t *sums_of(const struct weights *weights)
{
	size_t *sums = calloc(weights->nr + 1, sizeof(*sums));
	size_t i;

	for (i = 0; sums && i < weights->nr; i++)
		sums[i + 1] = sums[i] + weights->value[i];
	return sums;
}

/*
 * struct tally - choices counted so far
 * @rows: row k has the counts of k weights by their sum, each @width wide
 * @sums: of sums_of()
 */
struct tally {
	const struct weights *weights;
	size_t nr_chosen, limit, width;
	const size_t *sums;
	double *rows;
};

/* Add the choices of @k of the first @idx + 1 weights that hold the last of these. */
static void take(const struct tally *tally, size_t idx, size_t k)
{
	const size_t *sums = tally->sums;
	size_t weight = tally->weights->value[idx];
	size_t nr_left = tally->nr_chosen - k;
	/* The others that will be chosen weigh no less than those that come next. */
	size_t rest = sums[idx + 1 + nr_left] - sums[idx + 1];
	size_t first = sums[k - 1] + weight;
	size_t last = sums[idx + 1] - sums[idx + 1 - k];
	double *with = tally->rows + k * tally->width;
	const double *without = with - tally->width;
	size_t sum;

	if (rest > tally->limit)
		return;
	last = smaller(last, tally->limit - rest);
	for (sum = first; sum <= last; sum++)
		with[sum] += without[sum - weight];
}

int tally_choices(const struct weights *weights, size_t nr_chosen, size_t limit,
		  double **ret)
{
	struct tally tally = { weights, nr_chosen, limit, limit + 1, NULL, NULL };
	size_t *sums = sums_of(weights);
	size_t i, k;
	int bad = -ENOMEM;

	tally.sums = sums;
	tally.rows = calloc((nr_chosen + 1) * tally.width, sizeof(double));
	*ret = calloc(tally.width, sizeof(double));
	if (!sums || !tally.rows || !*ret)
		goto out;
	tally.rows[0] = 1.0;
	for (i = 0; i < weights->nr; i++) {
		size_t nr_after = weights->nr - 1 - i;
		size_t least = nr_chosen > nr_after ? nr_chosen - nr_after : 1;

		/* Downwards, so that no weight is taken twice. */
		for (k = smaller(i + 1, nr_chosen); k && k >= least; k--)
			take(&tally, i, k);
	}
	memcpy(*ret, tally.rows + nr_chosen * tally.width, tally.width * sizeof(double));
	bad = 0;
out:
	if (bad) {
		free(*ret);
		*ret = NULL;
	}
	free(tally.rows);
	free(sums);
	return bad;
}

int tally_subsets(const struct weights *weights, size_t limit, double **ret)
{
	double *counts = calloc(limit + 1, sizeof(*counts));
	size_t reached = 0;
	size_t i, sum;

	if (!counts)
		return -ENOMEM;
	counts[0] = 1.0;
	for (i = 0; i < weights->nr; i++) {
		size_t weight = weights->value[i];

		reached = smaller(reached + weight, limit);
		for (sum = reached + 1; sum-- > weight;)
			counts[sum] += counts[sum - weight];
	}
	*ret = counts;
	return 0;
}

double tally_binomial(size_t n, size_t k)
{
	double ways = 1.0;
	size_t i;

	for (i = 1; i <= k; i++)
		ways = ways * (double)(n - k + i) / (double)i;
	return ways;
}
