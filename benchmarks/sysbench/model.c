// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sysbench in the simulator: which test has which model, what tests share, and the simplest
 * of them. The test threads is the model of the workload threads.
 */
#include "benchmarks/sysbench/model.h"

#include <math.h>

#include "benchmarks/all.h"
#include "benchmarks/native.h"
#include "benchmarks/sysbench/command.h"
#include "benchmarks/threads/model.h"

enum {
	CPU_EVENTS = 4000,
	MOST_CPU_EVENTS = 200,
	FOOTPRINT_KIB = 4,
	/* An event up to prime 25000 takes so long at about 3 GHz (1137 in a second). */
	MEASURED_PRIME = 25000,
	MEASURED_NS = 880000,
	/* Greater primes take longer than a simulation is worth. */
	MOST_PRIME = 1000000,
};

uint64_t sysbench_events(const struct workload *workload, uint64_t most, uint64_t budget)
{
	uint64_t threads = workload_uint(workload, "threads");
	uint64_t events = workload_uint(workload, "events");

	if (events && events / threads < most)
		most = events < threads ? 1 : events / threads;
	return model_part(most, threads, budget);
}

static void add_step(struct program_graph *graph, int program, enum program_op op,
		     int object, uint64_t amount)
{
	program_add(graph, program,
		    PROGRAM_STEP(.op = op, .object = object, .amount = amount));
}

void sysbench_start(const struct workload *workload, struct program_graph *graph,
		    int first, int nr)
{
	uint64_t threads = workload_uint(workload, "threads");
	uint64_t i;

	(void)program_barrier(graph, (unsigned int)threads + 1);
	for (i = 0; i < threads; i++)
		add_step(graph, 0, PROGRAM_FORK, first + (int)(i % (uint64_t)nr), 2 * i);
	add_step(graph, 0, PROGRAM_BARRIER, 0, 0);
	add_step(graph, 0, PROGRAM_MARK, MODEL_START, 0);
	add_step(graph, 0, PROGRAM_WAIT, 0, 0);
	add_step(graph, 0, PROGRAM_MARK, MODEL_STOP, 0);
}

void sysbench_ready(struct program_graph *graph, int program)
{
	add_step(graph, program, PROGRAM_BARRIER, 0, 0);
}

/* Trial divisions up to the root of each number: as the power of one and a half. */
static uint64_t event_ns(uint64_t max_prime)
{
	double times = (double)(max_prime < MOST_PRIME ? max_prime : MOST_PRIME) /
		       MEASURED_PRIME;

	return (uint64_t)(times * sqrt(times) * MEASURED_NS) + 1;
}

static int cpu_graph(const struct workload *workload, struct program_graph *graph,
		     struct err *err)
{
	uint64_t events = sysbench_events(workload, MOST_CPU_EVENTS, CPU_EVENTS);
	int thread;

	(void)err;
	(void)program_new(graph, "sysbench", false, FOOTPRINT_KIB);
	thread = program_new(graph, "thread", true, FOOTPRINT_KIB);
	sysbench_ready(graph, thread);
	add_step(graph, thread, PROGRAM_STAMP, 0, 0);
	add_step(graph, thread, PROGRAM_RUN, 0,
		 event_ns(workload_uint(workload, "max_prime")));
	add_step(graph, thread, PROGRAM_NOTE, 0, 0);
	program_repeat(graph, thread, 3, events, 0);
	sysbench_start(workload, graph, thread, 1);
	return 0;
}

static int cpu_samples(const struct workload *workload,
		       const struct program_outcome *outcome,
		       struct bench_samples *samples, struct err *err)
{
	uint64_t events = sysbench_events(workload, MOST_CPU_EVENTS, CPU_EVENTS) *
			  workload_uint(workload, "threads");
	double busy, seconds;
	int bad = model_notes(outcome, 0, events, &busy, err);

	if (!bad)
		bad = model_elapsed(outcome, MODEL_START, MODEL_STOP, &seconds, err);
	if (!bad)
		bad = bench_sample_add(workload->ops, samples, "rate",
				       (double)events / seconds, err);
	if (!bad)
		bad = bench_sample_add(workload->ops, samples, "latency",
				       busy * 1e3 / (double)events, err);
	return bad;
}

const struct bench_model sysbench_cpu_model = {
	.graph = cpu_graph,
	.samples = cpu_samples,
};

static struct threads_shape shape_of(const struct workload *workload)
{
	return threads_shape(workload_uint(workload, "threads"),
			     workload_uint(workload, "locks"),
			     workload_uint(workload, "yields"));
}

static int build(const struct workload *workload, struct program_graph *graph,
		 struct err *err)
{
	struct threads_shape shape;

	switch (sysbench_test(workload)) {
	case SYSBENCH_CPU:
		return sysbench_cpu_model.graph(workload, graph, err);
	case SYSBENCH_MUTEX:
		return sysbench_mutex_model.graph(workload, graph, err);
	case SYSBENCH_OLTP:
		return sysbench_oltp_model.graph(workload, graph, err);
	case SYSBENCH_THREADS:
		break;
	}
	shape = shape_of(workload);
	threads_graph(&shape, graph);
	return 0;
}

static int threads_samples(const struct workload *workload,
			   const struct program_outcome *outcome,
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

static int samples(const struct workload *workload, const struct program_outcome *outcome,
		   struct bench_samples *samples, struct err *err)
{
	switch (sysbench_test(workload)) {
	case SYSBENCH_CPU:
		return sysbench_cpu_model.samples(workload, outcome, samples, err);
	case SYSBENCH_MUTEX:
		return sysbench_mutex_model.samples(workload, outcome, samples, err);
	case SYSBENCH_OLTP:
		return sysbench_oltp_model.samples(workload, outcome, samples, err);
	case SYSBENCH_THREADS:
		break;
	}
	return threads_samples(workload, outcome, samples, err);
}

const struct bench_model sysbench_model = { .graph = build, .samples = samples };
