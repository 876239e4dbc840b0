/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tests of sysbench in the simulator: what each has of its own. */
#ifndef BENCHMARKS_SYSBENCH_MODEL_H
#define BENCHMARKS_SYSBENCH_MODEL_H

#include "benchmarks/bench.h"
#include "benchmarks/model.h"

/** sysbench_cpu_model - threads that only compute */
extern const struct bench_model sysbench_cpu_model;
/** sysbench_mutex_model - threads that take mutexes at random */
extern const struct bench_model sysbench_mutex_model;
/** sysbench_oltp_model - threads that talk to a database */
extern const struct bench_model sysbench_oltp_model;

/**
 * sysbench_events - how many events each thread does
 * @workload: asks for a time, or a number of events of all threads
 * @most: of a thread
 * @budget: of all threads
 */
uint64_t sysbench_events(const struct workload *workload, uint64_t most, uint64_t budget);

/**
 * sysbench_start - let the first task start all threads at once and wait for them
 * @workload: says how many
 * @graph: whose first program is the first task's
 * @first: program of the first thread
 * @nr: programs from there on, which the threads have in turn
 *
 * Between MODEL_START and MODEL_STOP. A thread begins with sysbench_ready(). The base of
 * a thread is twice its number.
 */
void sysbench_start(const struct workload *workload, struct program_graph *graph,
		    int first, int nr);

/** sysbench_ready - the first step of a thread's @program */
void sysbench_ready(struct program_graph *graph, int program);

#endif
