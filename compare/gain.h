/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A comparison as a gain in percent: positive is better, whatever the metric. */
#ifndef COMPARE_GAIN_H
#define COMPARE_GAIN_H

#include <stdbool.h>

struct comparison;

/**
 * struct gain - how much better, in percent; NAN is what is not known
 * @percent: of the means: 100 * (ratio - 1) of a rate, 100 * (1 - ratio) of a time
 * @low: lower end of its 95% interval
 * @high: upper end; both are known or neither
 */
struct gain {
	double percent, low, high;
};

/** gain_of - the gain of a comparison; @is_higher_better: direction of the metric */
struct gain gain_of(const struct comparison *comparison, bool is_higher_better);

#endif
