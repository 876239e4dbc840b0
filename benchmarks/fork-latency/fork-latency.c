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
#include <stdbool.h>
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

/*
 * Facts of the placement, on which there is no verdict; the sign of their percentages is
 * that of near being better, but not the parent's CPU.
 */
#define SHARE(word, direction, what)                                                    \
	{                                                                               \
		.name = (word), .unit = "%", .better = (direction), .resolution = 1e-4, \
		.secondary = true, .optional = true, .can_be_zero = true,               \
		.unjudged = "no place is better in itself",                             \
		.help = "share of the children that " what                              \
	}

static const struct bench_metric metrics[] = {
	{
		.name = "latency",
		.unit = "us",
		.better = BETTER_LOWER,
		.resolution = 1e-6,
		.help = "mean time of a fork, the child's exit and the wait for it",
	},
	SHARE("same-cpu", BETTER_LOWER, "began on the CPU from which they were forked"),
	SHARE("same-llc", BETTER_HIGHER, "began on another CPU of the same LLC"),
	SHARE("same-node", BETTER_HIGHER, "began below another LLC of the same node"),
	SHARE("other-node", BETTER_LOWER, "began on another NUMA node"),
	{ 0 },
};

static void needs(const struct workload *workload, struct bench_needs *needs)
{
	(void)workload;
	needs->fds = 8;
	needs->tasks = 2;
	needs->memory = 1 << 20;
}

/* struct counts - children by where they began; those of LLCs may be missing */
struct counts {
	uint64_t same_cpu, same_llc, same_node, other_node, cpus;
	bool has_llcs;
};

static int read_counts(const struct jval *result, struct counts *ret, struct err *err)
{
	bool has_llc = jval_uint(jval_get(result, "same_llc"), &ret->same_llc);
	bool has_node = jval_uint(jval_get(result, "same_node"), &ret->same_node);

	if (!jval_uint(jval_get(result, "same_cpu"), &ret->same_cpu) ||
	    !jval_uint(jval_get(result, "other_node"), &ret->other_node) ||
	    !jval_uint(jval_get(result, "cpus"), &ret->cpus))
		return err_set(err, -EPROTO,
			       "the output has no counts of same_cpu, other_node and "
			       "cpus");
	if (has_llc != has_node)
		return err_set(err, -EPROTO,
			       "the output has only one of the counts of same_llc and "
			       "same_node");
	ret->has_llcs = has_llc;
	return 0;
}

/* Each child began in one place. */
static int check_counts(const struct counts *counts, uint64_t forks, struct err *err)
{
	uint64_t far = counts->other_node;
	uint64_t near = counts->same_cpu;
	bool fits = near <= forks && far <= forks - near;

	if (fits && counts->has_llcs)
		fits = counts->same_llc <= forks - near - far &&
		       counts->same_node == forks - near - far - counts->same_llc;
	if (!fits)
		return err_set(err, -EPROTO,
			       "%ju children on the parent's CPU, %ju on another node "
			       "and the rest cannot be of %ju children",
			       (uintmax_t)near, (uintmax_t)far, (uintmax_t)forks);
	if (!counts->cpus || counts->cpus > forks)
		return err_set(err, -EPROTO, "%ju CPUs in all cannot be of %ju children",
			       (uintmax_t)counts->cpus, (uintmax_t)forks);
	return 0;
}

static int add_shares(const struct workload *workload, const struct counts *counts,
		      struct bench_samples *samples, struct err *err)
{
	const struct {
		const char *name;
		uint64_t nr;
		bool is_known;
	} shares[] = {
		{ "same-cpu", counts->same_cpu, true },
		{ "same-llc", counts->same_llc, counts->has_llcs },
		{ "same-node", counts->same_node, counts->has_llcs },
		{ "other-node", counts->other_node, true },
	};
	double forks = (double)workload_uint(workload, "forks");
	int bad = 0;
	size_t i;

	for (i = 0; !bad && i < sizeof(shares) / sizeof(shares[0]); i++) {
		if (shares[i].is_known)
			bad = bench_sample_add(workload->ops, samples, shares[i].name,
					       100.0 * (double)shares[i].nr / forks, err);
	}
	return bad;
}

static int parse(const struct workload *workload, const char *out, size_t len,
		 struct bench_samples *samples, struct err *err)
{
	uint64_t forks = workload_uint(workload, "forks");
	struct counts counts;
	struct jval *result;
	int bad = bench_native_parse(workload, out, len, samples, &result, err);

	if (bad)
		return bad;
	bad = bench_native_count(result, "children", "children", forks, err);
	if (!bad)
		bad = read_counts(result, &counts, err);
	if (!bad)
		bad = check_counts(&counts, forks, err);
	if (!bad)
		bad = add_shares(workload, &counts, samples, err);
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
	.model = &fork_latency_model,
	.needs = needs,
};
