// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * messaging: `perf bench sched messaging`, the same pattern of messages as
 * hackbench, sent by perf.
 *
 * A workload of its own, because its figures are no match for hackbench's: perf
 * forks its workers from a process that maps dozens of libraries, whose copying
 * and tearing down is part of the time. Sensitive to what hackbench is, and in
 * process mode to fork and exit besides. A poor test of small changes: it prints
 * milliseconds, cut and not rounded.
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "benchmarks/all.h"
#include "benchmarks/native.h"
#include "benchmarks/upstream.h"

/* What perf fixes: senders in a group, and as many receivers. */
enum { FDS = 20 };

static const char *const task_words[] = { "process", "thread", NULL };
static const char *const channel_words[] = { "pipes", "sockets", NULL };

static const struct bench_choice choices[] = {
	{ .key = "task", .words = task_words },
	{ .key = "channel", .words = channel_words },
	{ 0 },
};

static const struct bench_param params[] = {
	{
		.name = "groups",
		.min = 1,
		.max = 5000,
		.number = 1,
		.help = "groups of 20 senders and 20 receivers that talk to each other",
	},
	{
		.name = "loops",
		.min = 1,
		.max = 100000000,
		.number = 100,
		.help = "messages from each sender to each receiver of its group",
	},
	{ 0 },
};

static const struct bench_metric metrics[] = {
	{
		.name = "time",
		.unit = "s",
		.better = BETTER_LOWER,
		.resolution = 1e-3,
		.help = "from all workers ready to all reaped: their exit but not their creation",
	},
	{ 0 },
};

static void needs(const struct workload *workload, struct bench_needs *needs)
{
	const uint64_t margin_fds = 32, per_thread = 64 << 10, per_process = 512 << 10;
	uint64_t workers = workload_uint(workload, "groups") * 2 * FDS;
	bool threaded = bench_is_threaded(workload);

	needs->fds = margin_fds + (threaded ? workers : UINT64_C(2) * FDS);
	needs->tasks = workers + 1;
	needs->threads = threaded ? workers : 0;
	needs->memory = (workers + 1) * (threaded ? per_thread : per_process);
}

/* Never with --repeat, which some versions take and ignore: the runner repeats. */
static int plan(const struct workload *workload, unsigned int iteration,
		struct bench_command *command)
{
	static const char *const start[] = { "perf", "bench", "sched", "messaging" };
	size_t i;
	int bad = 0;

	(void)iteration;
	for (i = 0; !bad && i < sizeof(start) / sizeof(start[0]); i++)
		bad = bench_arg(command, "%s", start[i]);
	if (!bad && !strcmp(workload_word(workload, "channel"), "pipes"))
		bad = bench_arg(command, "-p");
	if (!bad && bench_is_threaded(workload))
		bad = bench_arg(command, "-t");
	if (!bad)
		bad = bench_arg(command, "--group=%ju",
				(uintmax_t)workload_uint(workload, "groups"));
	if (!bad)
		bad = bench_arg(command, "--nr_loops=%ju",
				(uintmax_t)workload_uint(workload, "loops"));
	return bad;
}

static int parse(const struct workload *workload, const char *out, size_t len,
		 struct bench_samples *samples, struct err *err)
{
	const struct upstream upstream = { out, len, err };
	const char *tasks = bench_is_threaded(workload) ? "threads" : "processes";
	uint64_t groups = workload_uint(workload, "groups");
	double time;
	int bad;

	bad = upstream_says(&upstream, "# Running ", "",
			    "# Running 'sched/messaging' benchmark:");
	if (!bad)
		bad = upstream_says(&upstream, "# ", " per group",
				    "# 20 sender and receiver %s per group", tasks);
	if (!bad)
		bad = upstream_says(&upstream, "# ", " run", "# %ju groups == %ju %s run",
				    (uintmax_t)groups, (uintmax_t)(groups * 2 * FDS),
				    tasks);
	if (!bad)
		bad = upstream_number(&upstream, "Total time: ", " [sec]", 3, &time);
	if (!bad)
		bad = bench_sample_add(workload->ops, samples, "time", time, err);
	return bad;
}

static const char *const version_args[] = { "--version", NULL };

static const struct bench_program programs[] = {
	{
		.name = "perf",
		.command = "perf",
		.package = "linux-perf",
		.version_args = version_args,
		.plan = plan,
		.parse = parse,
	},
	{ 0 },
};

const struct bench_ops messaging_ops = {
	.name = "messaging",
	.summary = "perf's messaging benchmark; no match for hackbench's figures",
	.axis = "groups",
	.choices = choices,
	.params = params,
	.metrics = metrics,
	.programs = programs,
	.model = &messaging_model,
	.needs = needs,
};
