// SPDX-License-Identifier: GPL-2.0-or-later
/* Signs and cuts of percentages; see percent.h. */
#include "compare/percent.h"

#include <math.h>

static double share(double baseline, double candidate)
{
	double percent = 100.0 * candidate / baseline;

	return isfinite(percent) ? percent : 100.0 * (candidate / baseline);
}

double percent_gain(double baseline, double candidate, bool better_higher)
{
	double percent;

	if (baseline == candidate)
		return 0.0;
	/* A share of a negative number has no sign that could mean "better". */
	if (!(baseline > 0.0) || !(candidate >= 0.0))
		return (double)NAN;
	percent = better_higher ? share(baseline, candidate) - 100.0
				: 100.0 - share(baseline, candidate);
	return isfinite(percent) ? percent : (double)NAN;
}

double percent_change(double baseline, double candidate)
{
	return percent_gain(baseline, candidate, true);
}

double percent_cut(double percent)
{
	double steps = fabs(percent) * 100.0;
	double cut = floor(steps + 1e-9 * fmax(1.0, steps)) / 100.0;

	/* Of what is so large, nothing would be cut. */
	if (!isfinite(cut))
		return percent;
	if (cut == 0.0)
		return 0.0;
	return percent < 0.0 ? -cut : cut;
}
