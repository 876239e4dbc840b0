// SPDX-License-Identifier: GPL-2.0-or-later
/* The number of samples below a quantile is binomial; see quantile.h. */
#include "compare/quantile.h"

#include "compare/dist.h"

/* The largest k of which P(X < k) <= @tail; 0 when there is none above 0. */
static size_t lower_rank(size_t n, double p, double tail)
{
	size_t low = 0;
	size_t high = n;

	while (low < high) {
		size_t middle = high - (high - low) / 2;

		if (dist_binomial_cdf(middle - 1, n, p) <= tail)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

void quantile_interval(size_t n, double p, double alpha, size_t *ret_low,
		       size_t *ret_high)
{
	/* Seen from the other end, the quantile is that of 1 - p. */
	size_t from_end = lower_rank(n, 1.0 - p, alpha / 2.0);

	*ret_low = lower_rank(n, p, alpha / 2.0);
	*ret_high = from_end ? n + 1 - from_end : 0;
}
