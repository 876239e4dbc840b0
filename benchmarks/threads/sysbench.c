// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * threads by `sysbench threads`. It repeats the number of threads, but neither
 * locks nor yields: it refuses an option that it doesn't know, and that has to
 * do. The rate is its count of events by its time.
 */
#include "benchmarks/threads/sysbench.h"

#include <errno.h>
#include <stdint.h>

#include "benchmarks/native.h"
#include "benchmarks/upstream.h"
#include "lib/err.h"

int sysbench_plan(const struct workload *workload, unsigned int iteration,
		  struct bench_command *command)
{
	static const struct {
		const char *option, *param;
	} numbers[] = {
		{ "--threads", "threads" },
		{ "--thread-locks", "locks" },
		{ "--thread-yields", "yields" },
		{ "--time", "seconds" },
	};
	int bad = bench_arg(command, "sysbench");
	size_t i;

	(void)iteration;
	if (!bad)
		bad = bench_arg(command, "threads");
	for (i = 0; !bad && i < sizeof(numbers) / sizeof(numbers[0]); i++)
		bad = bench_arg(command, "%s=%ju", numbers[i].option,
				(uintmax_t)workload_uint(workload, numbers[i].param));
	if (!bad)
		bad = bench_arg(command, "run");
	return bad;
}

/* It prints numbers behind a name and blanks up to a column. */
#define TIME   "total time:                          "
#define EVENTS "total number of events:              "

int sysbench_parse(const struct workload *workload, const char *out, size_t len,
		   struct bench_samples *samples, struct err *err)
{
	const struct upstream upstream = { out, len, err };
	uint64_t seconds = workload_uint(workload, "seconds");
	double time, events;
	int bad;

	bad = upstream_says(&upstream, "Number of threads:", "", "Number of threads: %ju",
			    (uintmax_t)workload_uint(workload, "threads"));
	if (!bad)
		bad = upstream_says(&upstream, "Threads started", "", "Threads started!");
	if (!bad)
		bad = upstream_number(&upstream, TIME, "s", 4, &time);
	if (!bad)
		bad = upstream_number(&upstream, EVENTS, "", 0, &events);
	if (bad)
		return bad;
	if (time < (double)seconds)
		return err_set(err, -EPROTO,
			       "asked for %ju seconds, the program ran %.4f",
			       (uintmax_t)seconds, time);
	return bench_sample_add(workload->ops, samples, "rate", events / time, err);
}
