// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fork-latency in the simulator: a task that forks another one and waits for it, in turns.
 * Where the children began isn't among the outcomes; the simulator counts placements.
 */
#include "benchmarks/all.h"
#include "benchmarks/model.h"
#include "benchmarks/native.h"

enum { MOST_FORKS = 10000, FOOTPRINT_KIB = 8 };

static uint64_t forks_of(const struct workload *workload)
{
	return model_part(workload_uint(workload, "forks"), 1, MOST_FORKS);
}

static int build(const struct workload *workload, struct program_graph *graph,
		 struct err *err)
{
	int parent = program_new(graph, "parent", false, FOOTPRINT_KIB);
	int child = program_new(graph, "child", false, FOOTPRINT_KIB);

	(void)err;
	program_add(graph, parent,
		    PROGRAM_STEP(.op = PROGRAM_MARK, .object = MODEL_START));
	program_add(graph, parent, PROGRAM_STEP(.op = PROGRAM_FORK, .object = child));
	program_add(graph, parent, PROGRAM_STEP(.op = PROGRAM_WAIT));
	program_repeat(graph, parent, 2, forks_of(workload), 0);
	program_add(graph, parent,
		    PROGRAM_STEP(.op = PROGRAM_MARK, .object = MODEL_STOP));
	program_add(graph, child, PROGRAM_STEP(.op = PROGRAM_EXIT));
	return 0;
}

static int samples(const struct workload *workload, const struct program_outcome *outcome,
		   struct bench_samples *samples, struct err *err)
{
	uint64_t forks = forks_of(workload);
	double seconds;
	int bad = model_count(outcome, PROGRAM_FORK, forks, err);

	if (!bad)
		bad = model_elapsed(outcome, MODEL_START, MODEL_STOP, &seconds, err);
	if (!bad)
		bad = bench_sample_add(workload->ops, samples, "latency",
				       seconds * 1e6 / (double)forks, err);
	return bad;
}

const struct bench_model fork_latency_model = { .graph = build, .samples = samples };
