/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a workload runs in the simulator: the task graph that its native program executes,
 * with the same parameters, and what its metrics are of a simulated run. Models say what
 * tasks do, never what it costs: costs are the machine's.
 */
#ifndef BENCHMARKS_MODEL_H
#define BENCHMARKS_MODEL_H

#include <stdint.h>

#include "policy/program.h"

struct bench_samples;
struct err;
struct workload;

/** MODEL_START, MODEL_STOP - marks between which most models take their time */
enum { MODEL_START = 0, MODEL_STOP = 1 };

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

/**
 * model_elapsed - the time between two marks
 * @outcome: of a run
 * @from: the earlier mark
 * @to: the later one
 * @ret: in seconds, above 0
 * @err: set when a mark was never passed, or both at the same time
 *
 * Return: 0 or -EPROTO.
 */
int model_elapsed(const struct program_outcome *outcome, int from, int to, double *ret,
		  struct err *err);

/**
 * model_notes - how many times were noted, and their sum
 * @outcome: of a run
 * @note: which
 * @ret_s: their sum in seconds, above 0
 * @err: set when there are not @nr of them
 * @nr: how many there must be
 *
 * Return: 0 or -EPROTO.
 */
int model_notes(const struct program_outcome *outcome, int note, uint64_t nr,
		double *ret_s, struct err *err);

/**
 * model_count - check that as many steps of a kind were done as the workload asks for
 * @outcome: of a run
 * @op: the kind
 * @nr: how many
 * @err: set when it is another number
 *
 * Return: 0 or -EPROTO.
 */
int model_count(const struct program_outcome *outcome, enum program_op op, uint64_t nr,
		struct err *err);

/**
 * model_part - how much of @asked a simulation does: that, or its share of @budget
 * @asked: how often each task is to do something
 * @tasks: that do it, at least 1
 * @budget: for all of them together
 *
 * Return: at least 1.
 */
uint64_t model_part(uint64_t asked, uint64_t tasks, uint64_t budget);

/** model_sort - the @nr times at @ns, from least to most */
void model_sort(uint64_t *ns, size_t nr);

/** model_percentile - of the @nr sorted times at @ns, at least one: nearest rank */
uint64_t model_percentile(const uint64_t *ns, size_t nr, unsigned int permille);

#endif
