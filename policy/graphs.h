/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Task graphs: what the programs of some workloads do, as the simulator runs it. */
#ifndef POLICY_GRAPHS_H
#define POLICY_GRAPHS_H

#include <stdbool.h>
#include <stdint.h>

#include "policy/program.h"

/** GRAPH_START, GRAPH_STOP - marks between which a workload takes its time */
enum { GRAPH_START = 0, GRAPH_STOP = 1 };

/**
 * struct graph_hackbench - parameters as the workload's
 * @groups: of @fds senders and @fds receivers each
 * @fds: each sender writes to every receiver of its group
 * @loops: messages from each sender to each receiver
 * @has_threads: threads instead of processes
 * @medium: of the messages, 100 bytes each
 */
struct graph_hackbench {
	unsigned int groups, fds, loops;
	bool has_threads;
	enum program_medium medium;
};

/**
 * graph_hackbench - the first task creates all others, lets them go once all are ready,
 * and waits for them; all counts are at least 1
 *
 * Creation is before GRAPH_START, exit before GRAPH_STOP.
 */
void graph_hackbench(const struct graph_hackbench *parameters,
		     struct program_graph *graph);

/**
 * graph_stream - threads that move memory between barriers, the first task among them
 * @threads: at least 2
 * @bytes: traffic of one kernel, all threads together
 * @passes: kernels one after the other, at least 1
 * @graph: added to
 */
void graph_stream(unsigned int threads, uint64_t bytes, unsigned int passes,
		  struct program_graph *graph);

/**
 * graph_pair - two processes that send one message back and forth
 * @medium: of the messages
 * @loops: round trips, at least 1
 * @think_ns: computing before each message
 * @graph: added to
 */
void graph_pair(enum program_medium medium, unsigned int loops, uint64_t think_ns,
		struct program_graph *graph);

#endif
