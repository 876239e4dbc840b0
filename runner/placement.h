/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the kernel put the tasks of one program, as metrics: over how many CPUs,
 * cores, last-level caches and nodes new tasks were spread, how far tasks were woken
 * from where they had slept, and how often they were moved.
 */
#ifndef RUNNER_PLACEMENT_H
#define RUNNER_PLACEMENT_H

#include <stddef.h>
#include <stdint.h>

#include "record/record.h"
#include "runner/placement_read.h"

struct cpulist;
struct err;
struct placement_trace;
struct topo;

/** The file in an iteration's folder: the machine's CPUs, then placement_trace_end(). */
#define PLACEMENT_FILE "placement.trace"

enum {
	PLACEMENT_MAX_NODES = 8,
	/*
	 * Used, largest, entropy a level; nodes; wakeups and shares; two of migrations;
	 * idle CPUs.
	 */
	PLACEMENT_MAX_METRICS =
		1 + 3 * PLACEMENT_NR_LEVELS + PLACEMENT_MAX_NODES + 6 + 2 + 1,
};

/**
 * struct placement_spread - how new tasks were spread at one level
 * @nr_units: of the machine; below 2 there is nothing to spread over
 * @nr_used: that got a task
 * @largest: share of the tasks that the fullest got, 0 to 1
 * @entropy: of the shares, in bits: log2(@nr_used) when all have the same
 */
struct placement_spread {
	size_t nr_units, nr_used;
	double largest, entropy;
};

/**
 * struct placement - what happened in one iteration
 * @nr_new: tasks that the program created, itself not counted
 * @new_on_node: of them, by NUMA node
 * @spread: of them
 * @nr_woken: wake-ups of tasks of which it is known where they ran last
 * @nr_woken_near: of them, to the same CPU, another one of the core, of the LLC, of the
 *                 node; the last is to another node
 * @nr_moves: how often a task changed its queue
 * @nr_node_moves: of them, to another node
 * @idle_share: see placement_idle_share(); NAN: not known
 */
struct placement {
	uint64_t nr_new;
	uint64_t new_on_node[PLACEMENT_MAX_NODES];
	struct placement_spread spread[PLACEMENT_NR_LEVELS];
	uint64_t nr_woken, nr_woken_near[PLACEMENT_NR_LEVELS + 1];
	uint64_t nr_moves, nr_node_moves;
	double idle_share;
};

/**
 * placement_write - keep a trace with the machine it is of
 * @dir: of the iteration
 * @topo: of the machine where the program ran
 * @cpus: that the program may use
 * @trace: from placement_trace_end()
 * @err: says what failed
 *
 * Return: 0 or a negative errno.
 */
int placement_write(const char *dir, const struct topo *topo, const struct cpulist *cpus,
		    const char *trace, struct err *err);

/**
 * placement_keep - end a recording on this machine, and placement_write() it
 * @trace: begun; NULL: nothing is recorded, and nothing to do
 *
 * Return: 0 or a negative errno.
 */
int placement_keep(struct placement_trace *trace, const char *dir,
		   const struct topo *topo, const struct cpulist *cpus, struct err *err);

/**
 * placement_parse - read a trace again
 * @text: of a PLACEMENT_FILE
 * @ret: written on success only
 * @err: says which line is wrong, or that events were lost
 *
 * A trace that lost events tells nothing: what is missing may be anything. So does one
 * in which no program was started.
 *
 * Return: 0, -EPROTO, -ENODATA when it tells nothing or failed, or -ENOMEM.
 */
int placement_parse(const char *text, struct placement *ret, struct err *err);

/**
 * placement_metrics - what compare shows of it
 * @metrics: receives them, PLACEMENT_MAX_METRICS at most; names and units are static
 * @values: receives the samples that @metrics point to, as many
 *
 * All are secondary. A level that the machine has only one of has none, and so has
 * what nothing happened of: the share of no wake-ups isn't 0.
 *
 * Return: how many.
 */
size_t placement_metrics(const struct placement *placement, struct record_metric *metrics,
			 double *values);

/**
 * placement_measure - how tasks were spread over units
 * @counts: tasks of each unit
 * @nr: units in @counts
 * @sum: of all tasks
 * @ret: all but @nr_units is filled
 */
void placement_measure(const uint64_t *counts, size_t nr, uint64_t sum,
		       struct placement_spread *ret);

/**
 * placement_list - the choices for new tasks as lines for people
 * @text: of a PLACEMENT_FILE
 * @ret: the caller's to free(); written on success only
 *
 * Return: as placement_parse().
 */
int placement_list(const char *text, char **ret, struct err *err);

#endif
