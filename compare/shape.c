// SPDX-License-Identifier: GPL-2.0-or-later
/* Remarks on the shape of a series; see shape.h. */
#include "compare/shape.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "compare/dip.h"
#include "compare/dist.h"
#include "compare/sort.h"
#include "compare/stats.h"

enum { LEAST_OUTLIER = 5, LEAST_OTHER = 10 };

/*
 * struct place - a value and when it came
 */
struct place {
	double value;
	size_t idx;
};

static int by_value(const void *a, const void *b)
{
	double x = ((const struct place *)a)->value;
	double y = ((const struct place *)b)->value;

	return (x > y) - (x < y);
}

/*
 * struct look - a series and copies of it
 * @places: ascending
 * @sorted: ascending
 * @spare: room for @n numbers
 */
struct look {
	const double *values;
	size_t n;
	struct place *places;
	double *sorted, *spare;
};

static void look_release(struct look *look)
{
	free(look->places);
	free(look->sorted);
}

static int look_init(struct look *look, const double *values, size_t n)
{
	size_t i;

	*look = (struct look){ .values = values, .n = n };
	look->places = calloc(n, sizeof(*look->places));
	look->sorted = calloc(2 * n, sizeof(double));
	if (!look->places || !look->sorted) {
		look_release(look);
		return -ENOMEM;
	}
	look->spare = look->sorted + n;
	for (i = 0; i < n; i++)
		look->places[i] = (struct place){ values[i], i };
	qsort(look->places, n, sizeof(*look->places), by_value);
	for (i = 0; i < n; i++)
		look->sorted[i] = look->places[i].value;
	return 0;
}

/* The number that a share @p of the ascending ones is below, between the two nearest. */
static double quantile_of(const double *sorted, size_t n, double p)
{
	double at = p * (double)(n - 1);
	size_t i = (size_t)at;
	double rest = at - (double)i;

	return i + 1 < n ? sorted[i] + rest * (sorted[i + 1] - sorted[i]) : sorted[n - 1];
}

/*
 * struct fences - what is no outlier
 */
struct fences {
	double low, high;
};

/* Where more than half of the values are equal, the different ones alone are judged. */
static struct fences fences_of(const struct look *look)
{
	const double normal = 0.6745;
	const double robust_limit = 3.5;
	const double tukey_limit = 3.0;
	double median = quantile_of(look->sorted, look->n, 0.5);
	double *other = look->spare;
	struct fences fences;
	double lower, upper, reach;
	size_t nr = 0;
	size_t i;

	for (i = 0; i < look->n; i++)
		other[i] = fabs(look->sorted[i] - median);
	sort_numbers(other, look->n);
	reach = robust_limit / normal * quantile_of(other, look->n, 0.5);
	for (i = 0; i < look->n; i++) {
		if (reach > 0.0 || !nr || other[nr - 1] != look->sorted[i])
			other[nr++] = look->sorted[i];
	}
	lower = quantile_of(other, nr, 0.25);
	upper = quantile_of(other, nr, 0.75);
	fences.low = lower - tukey_limit * (upper - lower);
	fences.high = upper + tukey_limit * (upper - lower);
	if (reach > 0.0) {
		fences.low = fmax(fences.low, median - reach);
		fences.high = fmin(fences.high, median + reach);
	}
	return fences;
}

static void find_outliers(const struct look *look, const void *const *boots,
			  struct shape *shape)
{
	struct fences fences;
	size_t i;

	if (look->n < LEAST_OUTLIER)
		return;
	fences = fences_of(look);
	for (i = 0; i < look->n; i++) {
		if (look->values[i] >= fences.low && look->values[i] <= fences.high)
			continue;
		shape->nr_outliers++;
		shape->flags |= SHAPE_OUTLIER;
		if (!i || (boots && boots[i] != boots[i - 1]))
			shape->flags |= SHAPE_WARMUP;
	}
}

static int find_modes(const struct look *look, struct shape *shape)
{
	const double *x = look->sorted;
	size_t split = 1;
	double dip;
	size_t i;

	if (dip_of(x, look->n, &dip))
		return -ENOMEM;
	if (!dip_is_large(dip, look->n))
		return 0;
	for (i = 2; i < look->n; i++) {
		if (x[i] - x[i - 1] > x[split] - x[split - 1])
			split = i;
	}
	shape->flags |= SHAPE_BIMODAL;
	shape->modes[0] = stats_mean(x, split);
	shape->modes[1] = stats_mean(x + split, look->n - split);
	shape->low_share = (double)split / (double)look->n;
	return 0;
}

/* Correlation of each value with the next. */
static void find_neighbours(const struct look *look, struct shape *shape)
{
	const double two_sided_95 = 1.96;
	double mean = stats_mean(look->values, look->n);
	double products = 0.0;
	double squares = 0.0;
	double r;
	size_t i;

	for (i = 0; i < look->n; i++) {
		double d = look->values[i] - mean;

		squares += d * d;
		if (i + 1 < look->n)
			products += d * (look->values[i + 1] - mean);
	}
	r = products / squares;
	if (!(fabs(r) > two_sided_95 / sqrt((double)look->n)))
		return;
	shape->flags |= SHAPE_AUTOCORRELATED;
	shape->n_effective = (double)look->n * (1.0 - r) / (1.0 + r);
}

/* Spearman's correlation of rank and order; its p by the t distribution. */
static void find_trend(const struct look *look, struct shape *shape)
{
	const double p_limit = 0.01;
	double n = (double)look->n;
	double middle = (n - 1.0) / 2.0;
	double products = 0.0;
	double squares = 0.0;
	double r;
	size_t i, j, first;

	for (first = 0; first < look->n; first = i) {
		double rank;

		i = first;
		while (i < look->n && look->sorted[i] == look->sorted[first])
			i++;
		rank = (double)(first + i - 1) / 2.0 - middle;
		squares += rank * rank * (double)(i - first);
		for (j = first; j < i; j++)
			products += rank * ((double)look->places[j].idx - middle);
	}
	r = products / sqrt(squares * n * (n * n - 1.0) / 12.0);
	if (fabs(r) >= 1.0 ||
	    dist_t_two_sided(r * sqrt((n - 2.0) / (1.0 - r * r)), n - 2.0) < p_limit)
		shape->flags |= SHAPE_TREND;
}

int shape_init(struct shape *shape, const double *values, const void *const *boots,
	       size_t n)
{
	struct look look;
	int bad = 0;

	*shape = (struct shape){
		.modes = { (double)NAN, (double)NAN },
		.low_share = (double)NAN,
		.n_effective = (double)NAN,
	};
	if (n < LEAST_OUTLIER)
		return 0;
	if (look_init(&look, values, n))
		return -ENOMEM;
	/* Values that are all the same are none of it. */
	if (look.sorted[0] != look.sorted[n - 1]) {
		find_outliers(&look, boots, shape);
		if (n >= LEAST_OTHER) {
			find_neighbours(&look, shape);
			find_trend(&look, shape);
			bad = find_modes(&look, shape);
		}
	}
	look_release(&look);
	return bad;
}
