// SPDX-License-Identifier: GPL-2.0-or-later
/* A nested design of two levels, by the formulas of Kalibera and Jones (2013); boots may
 * have unequal numbers of runs. See boots.h. */
#include "compare/boots.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "compare/stats.h"

static size_t index_of(const struct boots *boots, const void *key)
{
	size_t i;

	/* Runs come boot by boot. */
	for (i = boots->nr; i; i--) {
		if (boots->keys[i - 1] == key)
			return i - 1;
	}
	return boots->nr;
}

static double squared(double x)
{
	return x * x;
}

/*
 * struct sizes - runs of each boot, and which one each run belongs to
 */
struct sizes {
	size_t *nr, *of;
};

static void sort_runs(struct boots *boots, const double *values, const void *const *keys,
		      size_t n, const struct sizes *sizes)
{
	size_t i;

	for (i = 0; i < n; i++) {
		size_t idx = index_of(boots, keys[i]);

		boots->nr += idx == boots->nr;
		boots->keys[idx] = keys[i];
		sizes->of[i] = idx;
		sizes->nr[idx]++;
	}
	for (i = 0; i < n; i++)
		boots->means[sizes->of[i]] += values[i] / (double)sizes->nr[sizes->of[i]];
}

static void set_variances(struct boots *boots, const double *values, size_t n,
			  const struct sizes *sizes, double resolution)
{
	double nr = (double)boots->nr;
	double mean = stats_mean(boots->means, boots->nr);
	double between = 0.0;
	double within = 0.0;
	double per_run = 0.0;
	double rounding = squared(resolution) / 12.0;
	size_t i;

	for (i = 0; i < n; i++)
		within += squared(values[i] - boots->means[sizes->of[i]]);
	for (i = 0; i < boots->nr; i++) {
		between += squared(boots->means[i] - mean) / (nr - 1.0);
		per_run += 1.0 / (double)sizes->nr[i] / nr;
	}
	if (n > boots->nr) {
		boots->run_variance = fmax(within / (double)(n - boots->nr), rounding);
		boots->boot_variance = fmax(between - boots->run_variance * per_run, 0.0);
		between = fmax(between, boots->run_variance * per_run);
	}
	boots->side = side_of(mean, sqrt(between), boots->nr, 0.0);
	boots->side.variance = fmax(boots->side.variance, rounding * per_run / nr);
}

int boots_init(struct boots *boots, const double *values, const void *const *keys,
	       size_t n, double resolution)
{
	struct sizes sizes = { 0 };
	int bad = -ENOMEM;

	*boots = (struct boots){
		.run_variance = (double)NAN,
		.boot_variance = (double)NAN,
	};
	boots->means = calloc(n, sizeof(*boots->means));
	boots->keys = calloc(n, sizeof(*boots->keys));
	sizes.nr = calloc(n, sizeof(*sizes.nr));
	sizes.of = calloc(n, sizeof(*sizes.of));
	if (!boots->means || !boots->keys || !sizes.nr || !sizes.of)
		goto out;
	sort_runs(boots, values, keys, n, &sizes);
	if (boots->nr > 1)
		set_variances(boots, values, n, &sizes, resolution);
	else
		boots->side = side_of(boots->means[0], (double)NAN, 1, 0.0);
	bad = 0;
out:
	free(sizes.nr);
	free(sizes.of);
	if (bad)
		boots_release(boots);
	return bad;
}

void boots_release(struct boots *boots)
{
	free(boots->means);
	free(boots->keys);
	*boots = (struct boots){ 0 };
}
