// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fork-latency: one process forks a child that exits at once, and waits for it,
 * again and again.
 *
 * Sensitive to where a new task is put and how long it takes to run there, and
 * to the cost of fork, exit and the wakeup of the parent. A poor test of
 * anything that a task does later in its life: load balancing, preemption, the
 * placement of wakees.
 */
#include <errno.h>
#include <stdint.h>

#include "benchmarks/all.h"
#include "benchmarks/fork-latency/limits.h"
#include "benchmarks/native.h"
#include "lib/err.h"
#include "lib/json.h"

static const struct bench_choice choices[] = {
	{ 0 },
};

static const struct bench_param params[] = {
	{
		.name = "forks",
		.min = 1,
		.max = FORK_LATENCY_MAX_FORKS,
		.number = 10000,
		.help = "children, one after the other",
	},
	{ 0 },
};

static const struct bench_metric metrics[] = {
	{
		.name = "latency",
		.unit = "us",
		.better = BETTER_LOWER,
		.resolution = 1e-6,
		.help = "mean time of a fork, the child's exit and the wait for it",
	},
	{ 0 },
};

static void needs(const struct workload *workload, struct bench_needs *needs)
{
	(void)workload;
	needs->fds = 8;
	needs->tasks = 2;
	needs->memory = 1 << 20;
}

static int check_proof(const struct jval *result, uint64_t forks, struct err *err)
{
	uint64_t children, same_cpu, cpus;

	if (!jval_uint(jval_get(result, "children"), &children) ||
	    !jval_uint(jval_get(result, "same_cpu"), &same_cpu) ||
	    !jval_uint(jval_get(result, "cpus"), &cpus))
		return err_set(err, -EPROTO,
			       "the output has no counts of children, same_cpu and cpus");
	if (children != forks)
		return err_set(err, -EPROTO,
			       "the program counted %ju children, expected %ju",
			       (uintmax_t)children, (uintmax_t)forks);
	if (same_cpu > forks || !cpus || cpus > forks)
		return err_set(err, -EPROTO,
			       "%ju children on the parent's CPU and %ju CPUs in all "
			       "cannot be of %ju children",
			       (uintmax_t)same_cpu, (uintmax_t)cpus, (uintmax_t)forks);
	return 0;
}

static int parse(const struct workload *workload, const char *out, size_t len,
		 struct bench_samples *samples, struct err *err)
{
	struct jval *result;
	int bad = bench_native_parse(workload, out, len, samples, &result, err);

	if (bad)
		return bad;
	bad = check_proof(result, workload_uint(workload, "forks"), err);
	jval_free(result);
	return bad;
}

static const struct bench_program programs[] = {
	{ .name = "native", .plan = bench_native_plan, .parse = parse },
	{ 0 },
};

const struct bench_ops fork_latency_ops = {
	.name = "fork-latency",
	.summary = "fork a child that exits at once, and wait for it",
	.axis = "forks",
	.choices = choices,
	.params = params,
	.metrics = metrics,
	.programs = programs,
	.needs = needs,
};
