// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pipe: two tasks pass a word back and forth through two pipes, by our own
 * program or by `perf bench sched pipe`, which does the same.
 *
 * Sensitive to the cost of a wakeup and of the switch that follows, and above
 * all to where the wakee is put: on the waker's CPU or on another one, which
 * may be idle and asleep. A poor test of load balancing, of anything with more
 * than two tasks, and of throughput: one of the two always sleeps.
 */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "benchmarks/all.h"
#include "benchmarks/native.h"
#include "benchmarks/pipe/limits.h"
#include "benchmarks/upstream.h"
#include "lib/err.h"
#include "lib/json.h"

static const char *const task_words[] = { "process", "thread", NULL };

static const struct bench_choice choices[] = {
	{ .key = "task", .words = task_words },
	{ 0 },
};

static const struct bench_param params[] = {
	{
		.name = "loops",
		.min = 1,
		.max = PIPE_MAX_LOOPS,
		.number = 1000000,
		.help = "round trips: two writes and two reads each",
	},
	{ 0 },
};

static const struct bench_metric metrics[] = {
	{
		.name = "latency",
		.unit = "us/op",
		.better = BETTER_LOWER,
		.resolution = 1e-6,
		.help = "time of a round trip, start and end of the tasks included",
	},
	{
		.name = "rate",
		.unit = "ops/s",
		.better = BETTER_HIGHER,
		.resolution = 1e-3,
		.secondary = true,
		.help = "round trips in a second, the same figure turned over",
	},
	{ 0 },
};

static void needs(const struct workload *workload, struct bench_needs *needs)
{
	needs->fds = 32;
	needs->tasks = 3;
	needs->threads = bench_is_threaded(workload) ? 2 : 0;
	needs->memory = 1 << 20;
}

static int parse(const struct workload *workload, const char *out, size_t len,
		 struct bench_samples *samples, struct err *err)
{
	uint64_t loops = workload_uint(workload, "loops");
	struct jval *object;
	int bad = bench_native_parse(workload, out, len, samples, &object, err);

	if (bad)
		return bad;
	bad = bench_native_count(object, "round_trips", "round_trips", loops, err);
	jval_free(object);
	return bad;
}

static int perf_plan(const struct workload *workload, unsigned int iteration,
		     struct bench_command *command)
{
	static const char *const start[] = { "perf", "bench", "sched", "pipe" };
	size_t i;
	int bad = 0;

	(void)iteration;
	for (i = 0; !bad && i < sizeof(start) / sizeof(start[0]); i++)
		bad = bench_arg(command, "%s", start[i]);
	if (!bad)
		bad = bench_arg(command, "--loop=%ju",
				(uintmax_t)workload_uint(workload, "loops"));
	if (!bad && bench_is_threaded(workload))
		bad = bench_arg(command, "--threaded");
	return bad;
}

/* Both figures are the same time: a rate that doesn't fit is of another run. */
static int check_fit(double latency_us, double rate, struct err *err)
{
	double expected = 1e6 / latency_us;

	if (fabs(expected - rate) <= 1 + 1e-3 * expected)
		return 0;
	return err_set(err, -EPROTO, "%g usecs/op and %g ops/sec don't go together",
		       latency_us, rate);
}

static int perf_parse(const struct workload *workload, const char *out, size_t len,
		      struct bench_samples *samples, struct err *err)
{
	const struct upstream upstream = { out, len, err };
	double latency_us, rate;
	int bad;

	bad = upstream_says(&upstream, "# Running ", "",
			    "# Running 'sched/pipe' benchmark:");
	if (!bad)
		bad = upstream_says(&upstream, "# Executed ", "",
				    "# Executed %ju pipe operations between two %s",
				    (uintmax_t)workload_uint(workload, "loops"),
				    bench_is_threaded(workload) ? "threads"
								: "processes");
	if (!bad)
		bad = upstream_number(&upstream, "", " usecs/op", 6, &latency_us);
	if (!bad)
		bad = upstream_number(&upstream, "", " ops/sec", 0, &rate);
	if (!bad)
		bad = bench_sample_add(workload->ops, samples, "latency", latency_us,
				       err);
	if (!bad)
		bad = check_fit(latency_us, rate, err);
	if (!bad)
		bad = bench_sample_add(workload->ops, samples, "rate", rate, err);
	return bad;
}

static const char *const version_args[] = { "--version", NULL };
static const double perf_resolution[] = { 1e-6, 1 };

static const struct bench_program programs[] = {
	{ .name = "native", .plan = bench_native_plan, .parse = parse },
	{
		.name = "perf",
		.command = "perf",
		.package = "linux-perf",
		.version_args = version_args,
		.resolution = perf_resolution,
		.plan = perf_plan,
		.parse = perf_parse,
	},
	{ 0 },
};

const struct bench_ops pipe_ops = {
	.name = "pipe",
	.summary = "two tasks passing a word back and forth through two pipes",
	.axis = "loops",
	.choices = choices,
	.params = params,
	.metrics = metrics,
	.programs = programs,
	.model = &pipe_model,
	.needs = needs,
};
