/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ladders: the values that a parameter climbs through on a machine, such as the
 * numbers of hackbench groups that mmtests would run on it.
 */
#ifndef RUNNER_LADDER_H
#define RUNNER_LADDER_H

#include <stddef.h>
#include <stdint.h>

struct cpulist;
struct topo;

/**
 * struct ladder_machine - the CPUs that a ladder is for
 * @nr_cpus: how many, at least 1
 * @smt: CPUs of one core
 * @llc: CPUs of one last-level cache
 * @node: CPUs of one NUMA node
 * @nr_llcs: last-level caches, at least 1
 * @nr_nodes: NUMA nodes, at least 1
 *
 * @smt <= @llc, @llc and @node <= @nr_cpus. Of places of several sizes the largest
 * counts. A level that isn't known is as large as the one inside it, a node as all.
 */
struct ladder_machine {
	uint64_t nr_cpus, smt, llc, node, nr_llcs, nr_nodes;
};

/**
 * struct rungs - the values of a ladder
 * @value: owned array in rising order, without duplicates
 * @nr: how many
 */
struct rungs {
	uint64_t *value;
	size_t nr;
};

/**
 * struct ladder - one way to climb
 * @name: the word in a grid
 * @climb: adds the rungs from 1 to @max, in any order; 0 or -ENOMEM
 * @percent: where it ends, as a percentage of the CPUs; 0: by itself
 */
struct ladder {
	const char *name;
	int (*climb)(const struct ladder_machine *machine, uint64_t max,
		     struct rungs *rungs);
	unsigned int percent;
};

/** ladder_names - the ladders known, ended by NULL; static */
const char *const *ladder_names(void);

/**
 * ladder_find - the ladder called @name, or NULL
 *
 *   mmtests         today's hackbench, tbench and netperf: 1 to twice the CPUs, in equal
 *                   steps from each level of the topology to the next. From a thread to
 *                   a core and on to its LLC 4 steps each, to the node 3, or 6 where a
 *                   node has more than 3 LLCs, to all CPUs 2, to twice as many 3, to
 *                   four times as many 2. Steps are cut to a tenth, rungs to whole
 *                   numbers (bin/generate-stride-range).
 *   mmtests-2016    hackbench of that time: 1 to four times the CPUs. Above 32 by threes
 *                   to 8, by nines from 12 to 32, by 31 from 48; above 8 by twos to 8,
 *                   by sixes from 12; else by twos.
 *   mmtests-stream  the threads of its four STREAM configurations: 1, two a node, one
 *                   and two an LLC.
 *
 * The end is always a rung of the first two.
 */
const struct ladder *ladder_find(const char *name);

/**
 * ladder_rungs - the values of @ladder on @machine
 * @cap: where to end at the latest; at least 1
 * @ret: empty; filled on success, to be released by the caller
 *
 * Return: 0 or -ENOMEM.
 */
int ladder_rungs(const struct ladder *ladder, const struct ladder_machine *machine,
		 uint64_t cap, struct rungs *ret);

/** rungs_release - free the array; it is empty again */
void rungs_release(struct rungs *rungs);

/** ladder_share - @percent of @nr_cpus as LKP takes it: rounded down, at least 1 */
uint64_t ladder_share(uint64_t percent, uint64_t nr_cpus);

/**
 * ladder_per_cpu - the share of one of @nr_tasks in work of @each for every CPU
 *
 * How LKP keeps hackbench as long for any number of groups: loops are 30000 times the
 * CPUs by the groups. Return: rounded down, at least 1.
 */
uint64_t ladder_per_cpu(uint64_t each, uint64_t nr_cpus, uint64_t nr_tasks);

/**
 * ladder_measure - the machine that @cpus of @topo make
 * @ret: receives it; of no CPUs as if it were one
 *
 * Return: 0 or -ENOMEM.
 */
int ladder_measure(const struct topo *topo, const struct cpulist *cpus,
		   struct ladder_machine *ret);

#endif
