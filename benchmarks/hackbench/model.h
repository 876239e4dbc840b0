/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The task graph of hackbench, which messaging has too. */
#ifndef BENCHMARKS_HACKBENCH_MODEL_H
#define BENCHMARKS_HACKBENCH_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "benchmarks/model.h"

/** HACKBENCH_BEGIN - mark: the first worker's creation; channels take no time */
enum { HACKBENCH_BEGIN = 2 };

/**
 * struct hackbench_shape - parameters as the workload's, each at least 1
 * @groups: of @fds senders and @fds receivers each
 * @fds: each sender writes to every receiver of its group
 * @loops: messages from each sender to each receiver
 * @size: of a message in bytes
 * @has_threads: threads instead of processes
 * @medium: of the messages
 */
struct hackbench_shape {
	uint64_t groups, fds, loops, size;
	bool has_threads;
	enum program_medium medium;
};

/**
 * hackbench_graph - the first task creates all others, lets them go once all are ready,
 * and waits for them
 *
 * Creation is before MODEL_START, exit before MODEL_STOP.
 */
void hackbench_graph(const struct hackbench_shape *shape, struct program_graph *graph);

/** hackbench_check - whether all messages were passed and all tasks made; 0 or -EPROTO */
int hackbench_check(const struct hackbench_shape *shape,
		    const struct program_outcome *outcome, struct err *err);

/** hackbench_medium - what the word of the choice "channel" stands for */
enum program_medium hackbench_medium(const char *channel);

#endif
