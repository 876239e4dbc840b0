// SPDX-License-Identifier: GPL-2.0-or-later
/* That null doesn't run in the simulator. */
#include <errno.h>

#include "benchmarks/all.h"
#include "benchmarks/model.h"
#include "lib/err.h"

static int build(const struct workload *workload, struct program_graph *graph,
		 struct err *err)
{
	(void)workload;
	(void)graph;
	return err_set(err, -EOPNOTSUPP,
		       "null has no model: what its script says is no work of tasks");
}

static int samples(const struct workload *workload, const struct program_outcome *outcome,
		   struct bench_samples *samples, struct err *err)
{
	(void)outcome;
	(void)samples;
	return build(workload, NULL, err);
}

const struct bench_model null_model = { .graph = build, .samples = samples };
