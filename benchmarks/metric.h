/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an iteration of a workload measures: its metrics, and one sample of each. */
#ifndef BENCHMARKS_METRIC_H
#define BENCHMARKS_METRIC_H

#include <stdbool.h>
#include <stddef.h>

enum { BENCH_MAX_METRICS = 20 };

/** enum better - the direction in which a metric improves */
enum better { BETTER_LOWER, BETTER_HIGHER };

/**
 * struct bench_metric - one number that an iteration yields
 * @name: stable; renaming one makes another metric of it
 * @unit: such as "s" or "MB/s" (MB is 10^6 bytes)
 * @better: direction
 * @resolution: smallest step the program can print, in @unit
 * @secondary: shown only where all metrics are asked for
 * @unjudged: why it gets no verdict, such as being a copy of another; NULL: it does
 * @optional: an iteration may go well and yet not yield it
 * @can_be_zero: 0 is a value like others, as of a share, and no sign of a lost number
 * @is_elapsed: not in the output but measured around it, from the start to the end
 * @help: what exactly is measured, one line
 */
struct bench_metric {
	const char *name, *unit;
	enum better better;
	double resolution;
	bool secondary, optional, can_be_zero, is_elapsed;
	const char *unjudged, *help;
};

/**
 * struct bench_sample - one number for one metric
 * @metric: entry of the ops' metrics
 * @value: in the metric's unit, finite
 */
struct bench_sample {
	const struct bench_metric *metric;
	double value;
};

/**
 * struct bench_samples - what one iteration yielded, one per metric at most
 */
struct bench_samples {
	struct bench_sample sample[BENCH_MAX_METRICS];
	size_t nr;
};

#endif
