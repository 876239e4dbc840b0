// SPDX-License-Identifier: GPL-2.0-or-later
/* The one place that knows libRmath: its names, its flags for the tail and the scale. */
#include "compare/dist.h"

#include <math.h>
#include <stdbool.h>

#define MATHLIB_STANDALONE
#include <Rmath.h>

enum { UPPER = 0, LOWER = 1, PLAIN = 0 };

static bool is_share(double p)
{
	return p > 0.0 && p < 1.0;
}

double dist_t_two_sided(double t, double df)
{
	if (isnan(t) || !(df > 0.0))
		return (double)NAN;
	return 2.0 * pt(-fabs(t), df, LOWER, PLAIN);
}

double dist_t_quantile(double p, double df)
{
	if (!is_share(p) || !(df > 0.0))
		return (double)NAN;
	return qt(p, df, LOWER, PLAIN);
}

double dist_normal_two_sided(double z)
{
	if (isnan(z))
		return (double)NAN;
	return 2.0 * pnorm(fabs(z), 0.0, 1.0, UPPER, PLAIN);
}

double dist_normal_quantile(double p)
{
	if (!is_share(p))
		return (double)NAN;
	return qnorm(p, 0.0, 1.0, LOWER, PLAIN);
}

double dist_beta_quantile(double p, double a, double b)
{
	if (!is_share(p) || !(a > 0.0) || !(b > 0.0))
		return (double)NAN;
	return qbeta(p, a, b, LOWER, PLAIN);
}

double dist_binomial_cdf(size_t k, size_t n, double p)
{
	if (!(p >= 0.0 && p <= 1.0))
		return (double)NAN;
	return pbinom((double)k, (double)n, p, LOWER, PLAIN);
}

double dist_hypergeometric(size_t k, size_t marked, size_t others, size_t draws)
{
	if (draws > marked + others)
		return (double)NAN;
	return dhyper((double)k, (double)marked, (double)others, (double)draws, PLAIN);
}
