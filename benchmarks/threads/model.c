// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * threads in the simulator: each event takes the next lock, again and again, and yields
 * while it holds it. The locks' turn is dealt out beforehand: the first events to the
 * threads in order, and so on.
 */
#include "benchmarks/threads/model.h"

#include "benchmarks/all.h"
#include "benchmarks/native.h"

enum { PASSES = 60000, MOST_EVENTS = 20, FOOTPRINT_KIB = 4 };

struct threads_shape threads_shape(uint64_t threads, uint64_t locks, uint64_t yields)
{
	uint64_t passes = model_part(MOST_EVENTS * yields, threads, PASSES);
	struct threads_shape shape = {
		.threads = threads,
		.locks = locks,
		.passes = passes < yields ? passes : yields,
		.events = passes < yields ? 1 : passes / yields,
	};

	shape.part = (double)shape.passes / (double)yields;
	return shape;
}

static void add_step(struct program_graph *graph, int program, enum program_op op,
		     int object)
{
	program_add(graph, program, PROGRAM_STEP(.op = op, .object = object));
}

/* The thread whose first event has lock @first. */
static int add_thread(const struct threads_shape *shape, struct program_graph *graph,
		      uint64_t first)
{
	int thread = program_new(graph, "thread", true, FOOTPRINT_KIB);
	uint64_t i;

	add_step(graph, thread, PROGRAM_BARRIER, 0);
	add_step(graph, thread, PROGRAM_BARRIER, 1);
	for (i = 0; i < shape->events; i++) {
		int lock = (int)((first + i * shape->threads) % shape->locks);

		add_step(graph, thread, PROGRAM_STAMP, 0);
		add_step(graph, thread, PROGRAM_LOCK, lock);
		add_step(graph, thread, PROGRAM_YIELD, 0);
		add_step(graph, thread, PROGRAM_UNLOCK, lock);
		program_repeat(graph, thread, 3, shape->passes, 0);
		add_step(graph, thread, PROGRAM_NOTE, 0);
	}
	return thread;
}

void threads_graph(const struct threads_shape *shape, struct program_graph *graph)
{
	unsigned int parties = (unsigned int)shape->threads + 1;
	int starter = program_new(graph, "starter", false, FOOTPRINT_KIB);
	int first = starter + 1;
	int lock;
	uint64_t i;

	graph->nr_gates = (size_t)shape->locks;
	(void)program_barrier(graph, parties);
	(void)program_barrier(graph, parties);
	for (i = 0; i < shape->threads && i < shape->locks; i++)
		(void)add_thread(shape, graph, i);
	for (i = 0; i < shape->locks; i++)
		add_step(graph, starter, PROGRAM_UNLOCK, (int)i);
	for (i = 0, lock = 0; i < shape->threads; i++) {
		add_step(graph, starter, PROGRAM_FORK, first + lock);
		lock = lock + 1 < (int)shape->locks ? lock + 1 : 0;
	}
	add_step(graph, starter, PROGRAM_BARRIER, 0);
	add_step(graph, starter, PROGRAM_MARK, MODEL_START);
	add_step(graph, starter, PROGRAM_BARRIER, 1);
	add_step(graph, starter, PROGRAM_WAIT, 0);
	add_step(graph, starter, PROGRAM_MARK, MODEL_STOP);
}

int threads_figures(const struct threads_shape *shape,
		    const struct program_outcome *outcome, double *rate,
		    double *latency_ms, struct err *err)
{
	uint64_t events = shape->threads * shape->events;
	double whole = (double)events * shape->part;
	double seconds;
	int bad = model_count(outcome, PROGRAM_YIELD, events * shape->passes, err);

	if (!bad)
		bad = model_notes(outcome, 0, events, &seconds, err);
	if (bad)
		return bad;
	*latency_ms = seconds * 1e3 / whole;
	bad = model_elapsed(outcome, MODEL_START, MODEL_STOP, &seconds, err);
	if (!bad)
		*rate = whole / seconds;
	return bad;
}

static struct threads_shape shape_of(const struct workload *workload)
{
	return threads_shape(workload_uint(workload, "threads"),
			     workload_uint(workload, "locks"),
			     workload_uint(workload, "yields"));
}

static int build(const struct workload *workload, struct program_graph *graph,
		 struct err *err)
{
	struct threads_shape shape = shape_of(workload);

	(void)err;
	threads_graph(&shape, graph);
	return 0;
}

static int samples(const struct workload *workload, const struct program_outcome *outcome,
		   struct bench_samples *samples, struct err *err)
{
	struct threads_shape shape = shape_of(workload);
	double rate, latency_ms;
	int bad = threads_figures(&shape, outcome, &rate, &latency_ms, err);

	if (!bad)
		bad = bench_sample_add(workload->ops, samples, "rate", rate, err);
	if (!bad)
		bad = bench_sample_add(workload->ops, samples, "latency", latency_ms,
				       err);
	return bad;
}

const struct bench_model threads_model = { .graph = build, .samples = samples };
