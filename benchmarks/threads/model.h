/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The task graph of threads, which a test of sysbench has too. */
#ifndef BENCHMARKS_THREADS_MODEL_H
#define BENCHMARKS_THREADS_MODEL_H

#include <stdint.h>

#include "benchmarks/model.h"

/**
 * struct threads_shape - what the threads do
 * @threads: how many
 * @locks: that they share
 * @passes: of an event: lock, yield, unlock; what is simulated of them
 * @events: of each thread
 * @part: that @passes are of what was asked for
 */
struct threads_shape {
	uint64_t threads, locks, passes, events;
	double part;
};

/**
 * threads_shape - how much is simulated: whole events, or a part of one of each thread
 * @threads: at least 1, as the others
 * @locks: that they share
 * @yields: passes of an event
 */
struct threads_shape threads_shape(uint64_t threads, uint64_t locks, uint64_t yields);

/** threads_graph - threads between MODEL_START and MODEL_STOP; events are noted as 0 */
void threads_graph(const struct threads_shape *shape, struct program_graph *graph);

/**
 * threads_figures - what became of it
 * @shape: of the graph
 * @outcome: of the run
 * @rate: events in a second
 * @latency_ms: mean time of an event
 * @err: set when other work was done
 *
 * Return: 0 or -EPROTO.
 */
int threads_figures(const struct threads_shape *shape,
		    const struct program_outcome *outcome, double *rate,
		    double *latency_ms, struct err *err);

#endif
