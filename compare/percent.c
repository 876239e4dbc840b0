// SPDX-License-Identifier: GPL-2.0-or-later
/* Percentages with positive = better; see percent.h. */
#include "compare/percent.h"

#include <math.h>

double percent_gain(double baseline, double candidate, bool better_higher)
{
	double percent;

	if (baseline == candidate)
		return 0.0;
	/* A share of a negative number has no sign that could mean "better". */
	if (!(baseline > 0.0) || !(candidate >= 0.0))
		return (double)NAN;
	percent = better_higher ? 100.0 * candidate / baseline - 100.0
				: 100.0 - 100.0 * candidate / baseline;
	return isfinite(percent) ? percent : (double)NAN;
}
