// SPDX-License-Identifier: GPL-2.0-or-later
/* From a ratio of means to a gain; see gain.h. */
#include "compare/gain.h"

#include <math.h>

#include "compare/verdict.h"

struct gain gain_of(const struct comparison *comparison, bool is_higher_better)
{
	const struct effect *effect = &comparison->effect;
	double sign = is_higher_better ? 100.0 : -100.0;
	struct gain gain = { (double)NAN, (double)NAN, (double)NAN };

	/* Adding 0 turns the -0 of no gain into 0. */
	if (isfinite(effect->ratio))
		gain.percent = sign * (effect->ratio - 1.0) + 0.0;
	if (isfinite(effect->ci95[0]) && isfinite(effect->ci95[1])) {
		double ends[] = { sign * (effect->ci95[0] - 1.0),
				  sign * (effect->ci95[1] - 1.0) };

		gain.low = fmin(ends[0], ends[1]);
		gain.high = fmax(ends[0], ends[1]);
	}
	return gain;
}
