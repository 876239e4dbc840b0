// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hackbench: groups of senders and receivers that pass small messages.
 *
 * Each group has as many senders as receivers ("fds" of either), and every
 * sender writes to every receiver of its group. Sensitive to wakeup placement,
 * to how runnable tasks are spread over CPUs, and to the cost of switching
 * between them when many are runnable. A poor test of idle-CPU search and of
 * latency (all CPUs are overloaded from the start), of fork placement (workers
 * exist before the clock starts), and, with pipes, of anything that hides
 * behind the pipe's mutex and wait-queue lock. In process mode with few loops
 * the figure is mostly the exit of the workers.
 */
#include "benchmarks/all.h"

#include "benchmarks/hackbench/limits.h"
#include "benchmarks/hackbench/rt_tests.h"
#include "benchmarks/native.h"
#include "lib/json.h"

static const char *const task_words[] = { "process", "thread", NULL };
static const char *const channel_words[] = { "pipes", "sockets", "tcp", NULL };

static const struct bench_choice choices[] = {
	{ .key = "task", .words = task_words },
	{ .key = "channel", .words = channel_words },
	{ 0 },
};

static const struct bench_param params[] = {
	{
		.name = "groups",
		.min = 1,
		.max = HACKBENCH_MAX_GROUPS,
		.number = 1,
		.help = "groups of tasks that talk to each other",
	},
	{
		.name = "loops",
		.min = 1,
		.max = HACKBENCH_MAX_LOOPS,
		.number = 100,
		.help = "messages from each sender to each receiver of its group",
	},
	{
		.name = "fds",
		.min = 1,
		.max = HACKBENCH_MAX_FDS,
		.number = 20,
		.help = "senders in a group, and as many receivers",
	},
	{
		.name = "size",
		.min = 1,
		.max = HACKBENCH_MAX_SIZE,
		.number = 100,
		.unit = "bytes",
		.help = "length of a message",
	},
	{ 0 },
};

static const struct bench_metric metrics[] = {
	{
		.name = "time",
		.unit = "s",
		.better = BETTER_LOWER,
		.resolution = 1e-9,
		.help = "from all workers ready to all reaped: their exit but not their creation",
	},
	{
		.name = "setup",
		.unit = "s",
		.better = BETTER_LOWER,
		.resolution = 1e-9,
		.secondary = true,
		.help = "from the creation of the first worker to all ready",
	},
	{
		.name = "total",
		.unit = "s",
		.better = BETTER_LOWER,
		.resolution = 1e-9,
		.secondary = true,
		.help = "from before the first channel to all workers reaped",
	},
	{ 0 },
};

static uint64_t nr_workers(const struct workload *workload)
{
	return workload_uint(workload, "groups") * 2 * workload_uint(workload, "fds");
}

static void needs(const struct workload *workload, struct bench_needs *needs)
{
	/*
	 * Standard streams, ready and wake channels, one in the making, the
	 * listening socket of tcp, inherited ones.
	 */
	const uint64_t margin_fds = 3 + 4 + 2 + 1 + 6;
	/* Generous: stacks, page tables, and half a channel full of messages. */
	const uint64_t per_thread = 64 << 10, per_process = 128 << 10;
	uint64_t tasks = nr_workers(workload) + 1;
	bool threaded = bench_is_threaded(workload);

	/* A thread's channel ends stay open in the one process there is. */
	needs->fds = margin_fds + (threaded ? nr_workers(workload)
					    : 2 * workload_uint(workload, "fds"));
	needs->tasks = tasks;
	needs->threads = threaded ? nr_workers(workload) : 0;
	needs->memory = tasks * (workload_uint(workload, "size") +
				 (threaded ? per_thread : per_process));
}

static int parse(const struct workload *workload, const char *out, size_t len,
		 struct bench_samples *samples, struct err *err)
{
	uint64_t workers = nr_workers(workload);
	struct jval *object;
	int ret = bench_native_parse(workload, out, len, samples, &object, err);

	if (ret)
		return ret;
	ret = bench_native_count(object, "workers", "workers", workers, err);
	if (!ret)
		ret = bench_native_count(object, "messages", "messages",
					 workers / 2 * workload_uint(workload, "fds") *
						 workload_uint(workload, "loops"),
					 err);
	jval_free(object);
	return ret;
}

static const char *const version_args[] = { "-h", NULL };
/* It prints the time alone. */
static const double rt_tests_resolution[] = { 1e-3, 0, 0 };

static const struct bench_program programs[] = {
	{ .name = "native", .plan = bench_native_plan, .parse = parse },
	{
		.name = "rt-tests",
		.command = "hackbench",
		.package = "rt-tests",
		.version_args = version_args,
		.resolution = rt_tests_resolution,
		.plan = rt_tests_plan,
		.parse = rt_tests_parse,
	},
	{ 0 },
};

const struct bench_ops hackbench_ops = {
	.name = "hackbench",
	.summary = "groups of senders and receivers passing small messages",
	.axis = "groups",
	.choices = choices,
	.params = params,
	.metrics = metrics,
	.programs = programs,
	.model = &hackbench_model,
	.needs = needs,
};
