// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * messaging in the simulator: hackbench's task graph with what perf fixes. That perf is a
 * bigger process is no part of it.
 */
#include "benchmarks/all.h"
#include "benchmarks/hackbench/model.h"
#include "benchmarks/native.h"

enum { FDS = 20, MESSAGE_BYTES = 100 };

static struct hackbench_shape shape_of(const struct workload *workload)
{
	return (struct hackbench_shape){
		.groups = workload_uint(workload, "groups"),
		.fds = FDS,
		.loops = workload_uint(workload, "loops"),
		.size = MESSAGE_BYTES,
		.has_threads = bench_is_threaded(workload),
		.medium = hackbench_medium(workload_word(workload, "channel")),
	};
}

static int build(const struct workload *workload, struct program_graph *graph,
		 struct err *err)
{
	struct hackbench_shape shape = shape_of(workload);

	(void)err;
	hackbench_graph(&shape, graph);
	return 0;
}

static int samples(const struct workload *workload, const struct program_outcome *outcome,
		   struct bench_samples *samples, struct err *err)
{
	struct hackbench_shape shape = shape_of(workload);
	double seconds;
	int bad = hackbench_check(&shape, outcome, err);

	if (!bad)
		bad = model_elapsed(outcome, MODEL_START, MODEL_STOP, &seconds, err);
	if (!bad)
		bad = bench_sample_add(workload->ops, samples, "time", seconds, err);
	return bad;
}

const struct bench_model messaging_model = { .graph = build, .samples = samples };
