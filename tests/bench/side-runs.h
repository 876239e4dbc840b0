/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs made up of noise, for figures of verdicts on numbers of which the truth is known. */
#ifndef TESTS_BENCH_SIDE_RUNS_H
#define TESTS_BENCH_SIDE_RUNS_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "compare/stats.h"
#include "compare/verdict.h"
#include "lib/rng.h"

enum { MAX_RUNS = 64 };

/** struct side_runs - runs, and the room they are in */
struct side_runs {
	struct runs runs;
	double values[MAX_RUNS];
	struct table_origin origins[MAX_RUNS];
	const void *boots[MAX_RUNS];
};

/** uniform - between 0 and 1, neither of them */
static inline double uniform(struct rng *rng)
{
	return ((double)(rng_next(rng) >> 11) + 0.5) * 0x1p-53;
}

/** normal - of mean 0 and stddev 1 */
static inline double normal(struct rng *rng)
{
	return sqrt(-2.0 * log(uniform(rng))) * cos(2.0 * M_PI * uniform(rng));
}

/** side_put - the run @idx of the boot b1; with blocks, both sides' are a pair */
static inline void side_put(struct side_runs *side, size_t idx, double value,
			    int has_blocks)
{
	side->values[idx] = value;
	side->origins[idx] = (struct table_origin){
		.boot = "b1",
		.block = has_blocks ? idx + 1 : 0,
		.execution = idx,
	};
	side->boots[idx] = "b1";
}

/** side_finish - @nr runs were put, of @nr_boots boots */
static inline void side_finish(struct side_runs *side, size_t nr, size_t nr_boots)
{
	struct stats stats;

	if (stats_init(&stats, side->values, nr, NULL))
		abort();
	side->runs = (struct runs){ side->values,
				    side->origins,
				    side->boots,
				    nr,
				    nr_boots,
				    0.0,
				    side_of(stats.amean, stats.stddev_n1, nr, 0.0) };
}

#endif
