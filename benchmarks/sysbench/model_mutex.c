// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sysbench's mutex in the simulator: threads that each compute a little, take one of many
 * mutexes, and give it back. So many turns are simulated; times are of all of them.
 */
#include <stdlib.h>
#include <string.h>

#include "benchmarks/native.h"
#include "benchmarks/sysbench/model.h"
#include "lib/err.h"
#include "lib/rng.h"

enum {
	TURNS = 60000,
	/* Turns that are laid out, and threads that have their own; both are repeated. */
	MOST_OF_A_ROUND = 50,
	MOST_ORDERS = 8,
	MOST_MUTEXES = 65536,
	LOOP_NS = 1,
	FOOTPRINT_KIB = 4,
};

/* struct turns - of each thread: so many times a round; part of what is asked for */
struct turns {
	uint64_t of_a_round, rounds;
	double part;
};

static struct turns turns_of(const struct workload *workload)
{
	uint64_t asked = workload_uint(workload, "mutex_locks");
	uint64_t all = model_part(asked, workload_uint(workload, "threads"), TURNS);
	struct turns turns = {
		.of_a_round = all < MOST_OF_A_ROUND ? all : MOST_OF_A_ROUND,
	};

	turns.rounds = all / turns.of_a_round;
	turns.part = (double)(turns.of_a_round * turns.rounds) / (double)asked;
	return turns;
}

static void add_step(struct program_graph *graph, int program, enum program_op op,
		     uint64_t object, uint64_t amount)
{
	program_add(graph, program,
		    PROGRAM_STEP(.op = op, .object = (int)object, .amount = amount));
}

static void add_thread(const struct workload *workload, struct program_graph *graph,
		       uint64_t order)
{
	uint64_t loops_ns = workload_uint(workload, "mutex_loops") * LOOP_NS;
	struct turns turns = turns_of(workload);
	int thread = program_new(graph, "thread", true, FOOTPRINT_KIB);
	struct rng rng;
	uint64_t i;

	rng_seed(&rng, order, 0);
	sysbench_ready(graph, thread);
	add_step(graph, thread, PROGRAM_STAMP, 0, 0);
	for (i = 0; i < turns.of_a_round; i++) {
		uint64_t mutex = rng_below(&rng, graph->nr_gates);

		add_step(graph, thread, PROGRAM_RUN, 0, loops_ns);
		add_step(graph, thread, PROGRAM_LOCK, mutex, 0);
		add_step(graph, thread, PROGRAM_UNLOCK, mutex, 0);
	}
	program_repeat(graph, thread, 3 * (unsigned int)turns.of_a_round, turns.rounds,
		       0);
	add_step(graph, thread, PROGRAM_NOTE, 0, 0);
}

static int build(const struct workload *workload, struct program_graph *graph,
		 struct err *err)
{
	uint64_t mutexes = workload_uint(workload, "mutexes");
	uint64_t threads = workload_uint(workload, "threads");
	uint64_t orders = MOST_ORDERS;
	int starter = program_new(graph, "sysbench", false, FOOTPRINT_KIB);
	uint64_t i;

	(void)err;
	if (threads < orders)
		orders = threads;
	graph->nr_gates = mutexes < MOST_MUTEXES ? (size_t)mutexes : MOST_MUTEXES;
	for (i = 0; i < graph->nr_gates; i++)
		add_step(graph, starter, PROGRAM_UNLOCK, i, 0);
	for (i = 0; i < orders; i++)
		add_thread(workload, graph, i);
	sysbench_start(workload, graph, starter + 1, (int)orders);
	return 0;
}

static int add_p95(const struct workload *workload, const struct program_note *note,
		   double part, struct bench_samples *samples, struct err *err)
{
	uint64_t *sorted = calloc(note->nr, sizeof(*sorted));
	double ms;

	if (!sorted)
		return err_nomem(err);
	memcpy(sorted, note->ns, note->nr * sizeof(*sorted));
	model_sort(sorted, note->nr);
	ms = (double)model_percentile(sorted, note->nr, 950) / 1e6 / part;
	free(sorted);
	return bench_sample_add(workload->ops, samples, "p95", ms, err);
}

static int samples(const struct workload *workload, const struct program_outcome *outcome,
		   struct bench_samples *samples, struct err *err)
{
	uint64_t threads = workload_uint(workload, "threads");
	struct turns turns = turns_of(workload);
	double busy, seconds;
	int bad = model_notes(outcome, 0, threads, &busy, err);

	if (!bad)
		bad = model_count(outcome, PROGRAM_LOCK,
				  threads * turns.of_a_round * turns.rounds, err);
	if (!bad)
		bad = model_elapsed(outcome, MODEL_START, MODEL_STOP, &seconds, err);
	if (!bad)
		bad = add_p95(workload, &outcome->notes[0], turns.part, samples, err);
	if (!bad)
		bad = bench_sample_add(workload->ops, samples, "latency",
				       busy * 1e3 / (double)threads / turns.part, err);
	if (!bad)
		bad = bench_sample_add(workload->ops, samples, "time",
				       seconds / turns.part, err);
	return bad;
}

const struct bench_model sysbench_mutex_model = { .graph = build, .samples = samples };
