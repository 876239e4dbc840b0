/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a workload runs in the simulator: the task graph that its native program executes,
 * with the same parameters, and what its metrics are of a simulated run. Models say what
 * tasks do, never what it costs: costs are the machine's.
 */
#ifndef BENCHMARKS_MODEL_H
#define BENCHMARKS_MODEL_H

struct bench_samples;
struct err;
struct program_graph;
struct program_outcome;
struct workload;

/**
 * struct bench_model - a workload's model
 * @graph: add the programs of @workload to the empty @graph. A workload that works for so
 *         many seconds does a fixed amount of work here, enough for a rate. Returns 0;
 *         -EOPNOTSUPP with @err saying which choice has no model; -EINVAL
 * @samples: turn what the run left into samples of the ops' metrics; metrics that a model
 *           can't know are left out. Returns 0, or -EPROTO with @err
 */
struct bench_model {
	int (*graph)(const struct workload *workload, struct program_graph *graph,
		     struct err *err);
	int (*samples)(const struct workload *workload,
		       const struct program_outcome *outcome,
		       struct bench_samples *samples, struct err *err);
};

#endif
