// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hackbench as rt-tests has it. It prints one time in milliseconds, cut and not
 * rounded, and says in words what it runs, which is held against what was asked.
 */
#include "benchmarks/hackbench/rt_tests.h"

#include <stdint.h>
#include <string.h>

#include "benchmarks/native.h"
#include "benchmarks/upstream.h"

int rt_tests_plan(const struct workload *workload, unsigned int iteration,
		  struct bench_command *command)
{
	static const struct {
		const char *option, *param;
	} numbers[] = {
		{ "-g", "groups" },
		{ "-f", "fds" },
		{ "-l", "loops" },
		{ "-s", "size" },
	};
	const char *channel = workload_word(workload, "channel");
	int bad = bench_arg(command, "hackbench");
	size_t i;

	(void)iteration;
	for (i = 0; !bad && i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		bad = bench_arg(command, "%s", numbers[i].option);
		if (!bad)
			bad = bench_arg(
				command, "%ju",
				(uintmax_t)workload_uint(workload, numbers[i].param));
	}
	/* Sockets are what it takes without an option. */
	if (!bad && !strcmp(channel, "pipes"))
		bad = bench_arg(command, "-p");
	if (!bad && !strcmp(channel, "tcp"))
		bad = bench_arg(command, "-i");
	if (!bad)
		bad = bench_arg(command, bench_is_threaded(workload) ? "-T" : "-P");
	return bad;
}

int rt_tests_parse(const struct workload *workload, const char *out, size_t len,
		   struct bench_samples *samples, struct err *err)
{
	const struct upstream upstream = { out, len, err };
	uint64_t groups = workload_uint(workload, "groups");
	uint64_t fds = workload_uint(workload, "fds");
	double time;
	int bad;

	bad = upstream_says(&upstream, "Running in ", "",
			    "Running in %s mode with %ju groups using %ju file "
			    "descriptors each (== %ju tasks)",
			    bench_is_threaded(workload) ? "threaded" : "process",
			    (uintmax_t)groups, (uintmax_t)(2 * fds),
			    (uintmax_t)(2 * fds * groups));
	if (!bad)
		bad = upstream_says(&upstream, "Each sender ", "",
				    "Each sender will pass %ju messages of %ju bytes",
				    (uintmax_t)workload_uint(workload, "loops"),
				    (uintmax_t)workload_uint(workload, "size"));
	if (!bad)
		bad = upstream_number(&upstream, "Time: ", "", 3, &time);
	if (!bad)
		bad = bench_sample_add(workload->ops, samples, "time", time, err);
	return bad;
}
