/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two clocks, looked at before and after: ticks, which are comparable, and a fine one. */
#ifndef BENCHMARKS_REAIM_MEASURE_H
#define BENCHMARKS_REAIM_MEASURE_H

#include <sys/resource.h>
#include <sys/times.h>

#include "benchmarks/program.h"
#include "benchmarks/reaim/formula.h"
#include "benchmarks/reaim/limits.h"

/** enum measure_which - a clock; also index of what is kept for each */
enum measure_which { MEASURE_TICKS, MEASURE_FINE, MEASURE_NR_CLOCKS };

/**
 * struct measure - a load point on one clock
 * @parent_sec: from the start until all are reaped
 * @user_sec: CPU time of all children and what they started, in user mode
 * @system_sec: likewise in the kernel
 * @spread: of the children's times; its deviation in seconds
 */
struct measure {
	double parent_sec, user_sec, system_sec;
	struct formula_spread spread;
};

/* struct measure_now - both clocks at one moment */
struct measure_now {
	clock_t ticks;
	struct tms tms;
	uint64_t ns;
	struct rusage usage;
};

/** measure_look - look at both clocks */
static inline void measure_look(struct measure_now *now)
{
	now->ns = program_now_ns();
	now->ticks = times(&now->tms);
	(void)getrusage(RUSAGE_CHILDREN, &now->usage);
}

static inline double measure_span(const struct timeval *from, const struct timeval *to)
{
	return (double)(to->tv_sec - from->tv_sec) +
	       (double)(to->tv_usec - from->tv_usec) / 1e6;
}

/** measure_clock - what passed on a clock between two looks, but for the spread */
static inline void measure_clock(const struct measure_now *start,
				 const struct measure_now *end, int which,
				 struct measure *ret)
{
	if (which == MEASURE_TICKS) {
		const double sec = 1.0 / REAIM_TICKS_SEC;

		ret->parent_sec = (double)(end->ticks - start->ticks) * sec;
		ret->user_sec =
			(double)(end->tms.tms_cutime - start->tms.tms_cutime) * sec;
		ret->system_sec =
			(double)(end->tms.tms_cstime - start->tms.tms_cstime) * sec;
		return;
	}
	ret->parent_sec = (double)(end->ns - start->ns) / 1e9;
	ret->user_sec = measure_span(&start->usage.ru_utime, &end->usage.ru_utime);
	ret->system_sec = measure_span(&start->usage.ru_stime, &end->usage.ru_stime);
}

/** measure_spread - of @nr children's times, in ticks or nanoseconds */
static inline void measure_spread(const double *elapsed, size_t nr, int which,
				  struct measure *ret)
{
	ret->spread = formula_spread(elapsed, nr, which == MEASURE_TICKS);
	ret->spread.std_dev /= which == MEASURE_TICKS ? REAIM_TICKS_SEC : 1e9;
}

#endif
