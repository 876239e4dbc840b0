// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * threads by `sysbench threads`. It repeats the number of threads, but neither
 * locks nor yields: it refuses an option that it doesn't know, and that has to
 * do. The rate is its count of events by its time.
 */
#include "benchmarks/threads/sysbench.h"

#include <stdint.h>

#include "benchmarks/native.h"
#include "benchmarks/sysbench/output.h"
#include "benchmarks/upstream.h"

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

int sysbench_parse(const struct workload *workload, const char *out, size_t len,
		   struct bench_samples *samples, struct err *err)
{
	const struct upstream upstream = { out, len, err };
	const struct sysbench_ask ask = {
		.threads = workload_uint(workload, "threads"),
		.seconds = workload_uint(workload, "seconds"),
	};
	struct sysbench_result result;
	int bad = sysbench_read(&upstream, &ask, &result);

	return bad ? bad
		   : bench_sample_add(workload->ops, samples, "rate",
				      result.events / result.seconds, err);
}
