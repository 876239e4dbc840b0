/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between which of the sorted samples a quantile of what they came from is, whatever
 * their distribution. */
#ifndef COMPARE_QUANTILE_H
#define COMPARE_QUANTILE_H

#include <stddef.h>

/**
 * quantile_interval - order statistics that enclose a quantile
 * @n: samples
 * @p: which quantile, such as 0.5; 0 < @p < 1
 * @alpha: 1 - level; half of it on either side
 * @ret_low: receives the rank of the lower end, from 1; 0 when there are too few
 *           samples for one
 * @ret_high: likewise of the upper end
 */
void quantile_interval(size_t n, double p, double alpha, size_t *ret_low,
		       size_t *ret_high);

#endif
