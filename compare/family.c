// SPDX-License-Identifier: GPL-2.0-or-later
/* Combination and adjustment of p; see family.h. */
#include "compare/family.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

const char *const family_adjust_names[] = { "bh", "holm", "none", NULL };

/*
 * struct place - a p and where it came from
 */
struct place {
	double p;
	size_t idx;
};

static int by_p(const void *a, const void *b)
{
	double x = ((const struct place *)a)->p;
	double y = ((const struct place *)b)->p;

	return (x > y) - (x < y);
}

static void adjust_bh(const struct place *places, size_t nr, double *q)
{
	double least = 1.0;
	size_t i;

	for (i = nr; i; i--) {
		least = fmin(least, places[i - 1].p * (double)nr / (double)i);
		q[places[i - 1].idx] = least;
	}
}

static void adjust_holm(const struct place *places, size_t nr, double *q)
{
	double most = 0.0;
	size_t i;

	for (i = 0; i < nr; i++) {
		most = fmax(most, places[i].p * (double)(nr - i));
		q[places[i].idx] = fmin(most, 1.0);
	}
}

int family_adjust(const double *p, size_t n, enum family_adjust how, double *q)
{
	struct place *places = calloc(n + 1, sizeof(*places));
	size_t nr = 0;
	size_t i;

	if (!places)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		q[i] = p[i];
		if (!isnan(p[i]))
			places[nr++] = (struct place){ p[i], i };
	}
	qsort(places, nr, sizeof(*places), by_p);
	if (how == FAMILY_BH)
		adjust_bh(places, nr, q);
	else if (how == FAMILY_HOLM)
		adjust_holm(places, nr, q);
	free(places);
	return 0;
}

/* The Cauchy quantile; for a small p its leading term, which doesn't round to nothing. */
static double quantile_of(double p)
{
	const double small = 1e-8;

	if (p < small)
		return 1.0 / (p * M_PI);
	return tan((0.5 - p) * M_PI);
}

double family_combine(double p1, double p2)
{
	const double large = 1e8;
	double mean;

	if (p1 <= 0.0 || p2 <= 0.0)
		return 0.0;
	if (p1 >= 1.0 || p2 >= 1.0)
		return 1.0;
	mean = (quantile_of(p1) + quantile_of(p2)) / 2.0;
	if (mean > large)
		return 1.0 / (mean * M_PI);
	return 0.5 - atan(mean) / M_PI;
}
