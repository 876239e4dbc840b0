// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wakeup-latency in the simulator: workers tell their messager that they wait, it wakes
 * them up, and they note how long that took. A run of so many seconds is so many requests.
 * A messager that finds several workers wakes each from a time of its own, where the
 * program takes one time for all of them.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/all.h"
#include "benchmarks/model.h"
#include "benchmarks/native.h"
#include "lib/err.h"

enum {
	REQUESTS = 20000,
	MOST_OF_A_WORKER = 2000,
	REQUEST_SLEEP_NS = 100000,
	/* 20000 turns of six operations, each after the other. */
	REQUEST_RUN_NS = 40000,
	FOOTPRINT_KIB = 4,
};

static uint64_t nr_workers(const struct workload *workload)
{
	return workload_uint(workload, "messagers") * workload_uint(workload, "workers");
}

static uint64_t requests_of(const struct workload *workload)
{
	return model_part(MOST_OF_A_WORKER, nr_workers(workload), REQUESTS);
}

static void add_step(struct program_graph *graph, int program, enum program_op op,
		     int object, uint64_t amount)
{
	program_add(graph, program,
		    PROGRAM_STEP(.op = op, .object = object, .amount = amount));
}

static void add_based(struct program_graph *graph, int program, enum program_op op,
		      uint64_t amount)
{
	program_add(graph, program,
		    PROGRAM_STEP(.op = op, .is_based = true, .amount = amount));
}

/* Both barriers: all threads are there; all may begin. */
static void add_start(struct program_graph *graph, int program)
{
	add_step(graph, program, PROGRAM_BARRIER, 0, 0);
	add_step(graph, program, PROGRAM_BARRIER, 1, 0);
}

static void add_messager(struct program_graph *graph, int program, uint64_t requests)
{
	add_start(graph, program);
	add_based(graph, program, PROGRAM_RECEIVE, 0);
	add_step(graph, program, PROGRAM_STAMP, 0, 0);
	add_based(graph, program, PROGRAM_WAKE, 1);
	program_repeat(graph, program, 3, requests, 0);
}

static void add_worker(struct program_graph *graph, int program, uint64_t requests)
{
	add_start(graph, program);
	add_based(graph, program, PROGRAM_SEND, 0);
	add_based(graph, program, PROGRAM_BLOCK, 0);
	add_step(graph, program, PROGRAM_NOTE, 0, 0);
	add_step(graph, program, PROGRAM_SLEEP, 0, REQUEST_SLEEP_NS);
	add_step(graph, program, PROGRAM_RUN, 0, REQUEST_RUN_NS);
	program_repeat(graph, program, 5, requests, 0);
}

static int build(const struct workload *workload, struct program_graph *graph,
		 struct err *err)
{
	uint64_t messagers = workload_uint(workload, "messagers");
	uint64_t each = workload_uint(workload, "workers");
	uint64_t requests = requests_of(workload);
	struct program_channel list = { PROGRAM_FUTEX, (unsigned int)each };
	unsigned int parties = (unsigned int)(messagers + messagers * each + 1);
	int starter = program_new(graph, "starter", false, FOOTPRINT_KIB);
	int messager = program_new(graph, "messager", true, FOOTPRINT_KIB);
	int worker = program_new(graph, "worker", true, FOOTPRINT_KIB);
	uint64_t i;

	(void)err;
	(void)program_channels(graph, list, (size_t)messagers);
	(void)program_barrier(graph, parties);
	(void)program_barrier(graph, parties);
	graph->nr_gates = (size_t)messagers;
	for (i = 0; i < messagers; i++)
		add_step(graph, starter, PROGRAM_FORK, messager, i);
	for (i = 0; i < messagers * each; i++)
		add_step(graph, starter, PROGRAM_FORK, worker, i / each);
	add_step(graph, starter, PROGRAM_BARRIER, 0, 0);
	add_step(graph, starter, PROGRAM_MARK, MODEL_START, 0);
	add_step(graph, starter, PROGRAM_BARRIER, 1, 0);
	add_step(graph, starter, PROGRAM_WAIT, 0, 0);
	add_step(graph, starter, PROGRAM_MARK, MODEL_STOP, 0);
	add_messager(graph, messager, each * requests);
	add_worker(graph, worker, requests);
	return 0;
}

static int add_percentiles(const struct workload *workload,
			   const struct program_note *note, struct bench_samples *samples,
			   struct err *err)
{
	static const struct {
		const char *name;
		unsigned int permille;
	} percentiles[] = {
		{ "p99", 990 }, { "p50", 500 }, { "p90", 900 }, { "p99.9", 999 }
	};
	uint64_t *sorted = calloc(note->nr, sizeof(*sorted));
	int bad = sorted ? 0 : err_nomem(err);
	size_t i;

	if (sorted) {
		memcpy(sorted, note->ns, note->nr * sizeof(*sorted));
		model_sort(sorted, note->nr);
	}
	for (i = 0; !bad && i < sizeof(percentiles) / sizeof(percentiles[0]); i++)
		bad = bench_sample_add(workload->ops, samples, percentiles[i].name,
				       (double)model_percentile(sorted, note->nr,
								percentiles[i].permille) /
					       1e3,
				       err);
	free(sorted);
	return bad;
}

static int samples(const struct workload *workload, const struct program_outcome *outcome,
		   struct bench_samples *samples, struct err *err)
{
	uint64_t requests = requests_of(workload) * nr_workers(workload);
	double seconds;
	int bad = model_notes(outcome, 0, requests, &seconds, err);

	if (!bad)
		bad = model_elapsed(outcome, MODEL_START, MODEL_STOP, &seconds, err);
	if (!bad)
		bad = add_percentiles(workload, &outcome->notes[0], samples, err);
	if (!bad)
		bad = bench_sample_add(workload->ops, samples, "rate",
				       (double)requests / seconds, err);
	return bad;
}

const struct bench_model wakeup_latency_model = { .graph = build, .samples = samples };
