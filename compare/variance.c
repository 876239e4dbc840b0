// SPDX-License-Identifier: GPL-2.0-or-later
/* Variances by boots.h, by the mean; see variance.h. */
#include "compare/variance.h"

#include <math.h>

#include "compare/boots.h"
#include "compare/cell.h"
#include "compare/runs.h"

static int split(const struct runs *runs, struct variance *ret)
{
	struct boots boots;
	int bad =
		boots_init(&boots, runs->values, runs->boots, runs->nr, runs->resolution);

	if (bad)
		return bad;
	ret->nr_boots = boots.nr;
	if (boots.nr > 1) {
		ret->run_cv = sqrt(boots.run_variance) / runs->side.mean;
		ret->boot_cv = sqrt(boots.boot_variance) / runs->side.mean;
	}
	boots_release(&boots);
	return 0;
}

int variance_of(const struct table_cell *cell, struct variance *ret)
{
	struct runs runs;
	int bad = runs_init(&runs, cell, false);

	*ret = (struct variance){
		.cv = (double)NAN,
		.run_cv = (double)NAN,
		.boot_cv = (double)NAN,
	};
	if (bad)
		return bad;
	if (runs.values && runs.nr > 1 && runs.side.mean > 0.0) {
		ret->nr_runs = runs.nr;
		ret->cv = sqrt(runs.side.variance * (double)runs.nr) / runs.side.mean;
		ret->run_cv = ret->cv;
		bad = split(&runs, ret);
	}
	runs_release(&runs);
	return bad;
}
