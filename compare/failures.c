// SPDX-License-Identifier: GPL-2.0-or-later
/* Fisher's exact test of two counts; see failures.h. */
#include "compare/failures.h"

#include <math.h>

#include "compare/dist.h"

double failures_p(const struct failures *base, const struct failures *other)
{
	/* Equally likely tables may differ in the last digits. */
	const double slack = 1.0 + 1e-7;
	size_t failed = base->failed + other->failed;
	size_t passed = base->total + other->total - failed;
	double here = dist_hypergeometric(other->failed, failed, passed, other->total);
	double p = 0.0;
	size_t k;

	for (k = 0; k <= failed && k <= other->total; k++) {
		double there = dist_hypergeometric(k, failed, passed, other->total);

		if (there <= here * slack)
			p += there;
	}
	return fmin(p, 1.0);
}
