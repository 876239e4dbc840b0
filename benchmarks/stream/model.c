// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stream in the simulator: threads that touch their part of the arrays first and then move
 * it, kernel by kernel, between barriers. The first task is one of them and takes the times.
 */
#include <errno.h>
#include <string.h>

#include "benchmarks/all.h"
#include "benchmarks/model.h"
#include "benchmarks/native.h"
#include "lib/err.h"

enum {
	/* Writing all three arrays, then reading and writing one of them. */
	FILL_BYTES = 40,
	FOOTPRINT_KIB = 4,
	NR_OPERATIONS = PROGRAM_NOTES,
	STEPS_OF_A_PASS = 5 * NR_OPERATIONS,
};

static const struct {
	const char *best, *average;
	unsigned int bytes; /* of one element */
} operations[NR_OPERATIONS] = {
	{ "copy", "copy-avg", 16 },
	{ "scale", "scale-avg", 16 },
	{ "add", "add-avg", 24 },
	{ "triad", "triad-avg", 24 },
};

static void add_step(struct program_graph *graph, int program, enum program_op op,
		     int object, uint64_t amount)
{
	program_add(graph, program,
		    PROGRAM_STEP(.op = op, .object = object, .amount = amount));
}

/* One pass over the operations, noted or not. */
static void add_pass(struct program_graph *graph, int program, uint64_t elements,
		     bool is_noted)
{
	int i;

	for (i = 0; i < NR_OPERATIONS; i++) {
		if (is_noted)
			add_step(graph, program, PROGRAM_STAMP, 0, 0);
		add_step(graph, program, PROGRAM_BARRIER, 0, 0);
		add_step(graph, program, PROGRAM_MEMORY, 0,
			 elements * operations[i].bytes);
		add_step(graph, program, PROGRAM_BARRIER, 0, 0);
		if (is_noted)
			add_step(graph, program, PROGRAM_NOTE, i, 0);
	}
}

/*
 * The program's first barrier is left out: threads spin there, so that those which are
 * forked meanwhile find their CPUs as busy as they are with the arrays.
 *
 * The first pass isn't counted; others than the first thread don't take times.
 */
static void add_work(const struct workload *workload, struct program_graph *graph,
		     int program, bool is_first)
{
	uint64_t threads = workload_uint(workload, "threads");
	uint64_t elements = workload_uint(workload, "size") / threads;
	unsigned int steps = STEPS_OF_A_PASS - (is_first ? 0 : 2 * NR_OPERATIONS);

	add_step(graph, program, PROGRAM_MEMORY, 0, elements * FILL_BYTES);
	add_pass(graph, program, elements, false);
	add_pass(graph, program, elements, is_first);
	program_repeat(graph, program, steps, workload_uint(workload, "ntimes") - 1, 0);
	add_step(graph, program, PROGRAM_BARRIER, 0, 0);
}

static int build(const struct workload *workload, struct program_graph *graph,
		 struct err *err)
{
	uint64_t threads = workload_uint(workload, "threads");
	int first, other;
	uint64_t i;

	if (!strcmp(workload_word(workload, "affinity"), "per-thread"))
		return err_set(
			err, -EOPNOTSUPP,
			"affinity per-thread has no model: simulated tasks all have "
			"the same affinity (expected 'mask')");
	first = program_new(graph, "stream", false, FOOTPRINT_KIB);
	other = program_new(graph, "thread", true, FOOTPRINT_KIB);
	(void)program_barrier(graph, (unsigned int)threads);
	for (i = 1; i < threads; i++)
		add_step(graph, first, PROGRAM_FORK, other, 0);
	add_work(workload, graph, first, true);
	add_step(graph, first, PROGRAM_WAIT, 0, 0);
	add_work(workload, graph, other, false);
	return 0;
}

static double best_of(const struct program_note *note)
{
	uint64_t best_ns = note->ns[0];
	size_t i;

	for (i = 1; i < note->nr; i++)
		best_ns = note->ns[i] < best_ns ? note->ns[i] : best_ns;
	return (double)best_ns / 1e9;
}

/* The bytes of the arrays count, whichever way they share the threads. */
static int samples(const struct workload *workload, const struct program_outcome *outcome,
		   struct bench_samples *samples, struct err *err)
{
	uint64_t threads = workload_uint(workload, "threads");
	uint64_t elements = workload_uint(workload, "size") / threads * threads;
	uint64_t counted = workload_uint(workload, "ntimes") - 1;
	double seconds;
	int bad = 0;
	int i;

	for (i = 0; !bad && i < NR_OPERATIONS; i++) {
		double megabytes = (double)elements * operations[i].bytes / 1e6;

		bad = model_notes(outcome, i, counted, &seconds, err);
		if (!bad)
			bad = bench_sample_add(workload->ops, samples, operations[i].best,
					       megabytes / best_of(&outcome->notes[i]),
					       err);
		if (!bad)
			bad = bench_sample_add(
				workload->ops, samples, operations[i].average,
				megabytes * (double)counted / seconds, err);
	}
	return bad;
}

const struct bench_model stream_model = { .graph = build, .samples = samples };
