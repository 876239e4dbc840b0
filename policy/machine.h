/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine that a policy places tasks on: which CPUs share a core, a cluster, an LLC,
 * a node and a package, and how far the nodes are from each other. Built from a plain
 * table, from a regular shape or from lib/topo's; it never changes afterwards.
 */
#ifndef POLICY_MACHINE_H
#define POLICY_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

#include "policy/cpumask.h"

struct err;
struct topo;

/**
 * enum machine_unit - the units that CPUs belong to, innermost first
 *
 * A cluster is a set of cores with a common L2 or L3 tag (the kernel's CLS level).
 */
enum machine_unit {
	MACHINE_CORE,
	MACHINE_CLUSTER,
	MACHINE_LLC,
	MACHINE_NODE,
	MACHINE_PACKAGE,
	MACHINE_UNITS,
};

/**
 * struct machine_cpu - one CPU of a description
 * @cpu: its number, below CPUMASK_CPUS
 * @unit: which core, cluster ... it belongs to: any numbers from 0 on, equal means
 *        shared. A cluster of -1 is the core alone.
 */
struct machine_cpu {
	int cpu;
	int unit[MACHINE_UNITS];
};

/**
 * struct machine_desc - a machine in words
 * @cpus: lent, in any order
 * @nr_cpus: how many
 * @distances: nr_nodes x nr_nodes, nodes in rising order of their numbers; NULL: 10 at
 *             home and 20 elsewhere
 * @reclaim_distance: node_reclaim_distance of kernels that have it (5.4 and later; 32 on
 *                    EPYC); 0: 30
 * @is_x86: whether the kernel leaves the DIE level out where a package has several nodes
 */
struct machine_desc {
	const struct machine_cpu *cpus;
	size_t nr_cpus;
	const int *distances;
	int reclaim_distance;
	bool is_x86;
};

/**
 * enum machine_numbering - how firmware numbers the CPUs of a regular machine
 * @MACHINE_BLOCKED: all first threads, package by package, then all second ones
 * @MACHINE_INTERLEAVED: the same, but the packages take turns
 * @MACHINE_ADJACENT: the threads of a core follow each other
 */
enum machine_numbering {
	MACHINE_BLOCKED,
	MACHINE_INTERLEAVED,
	MACHINE_ADJACENT,
};

/**
 * struct machine_shape - a regular machine; a count of 0 is taken as 1
 * @packages: sockets
 * @nodes: in one package
 * @llcs: in one node
 * @clusters: in one LLC; 0: none
 * @cores: in one cluster, or in one LLC without clusters
 * @threads: of one core
 * @numbering: order of the CPU numbers
 * @near_distance: between nodes of one package; 0: 12
 * @far_distance: between packages; 0: 20
 * @reclaim_distance: as in struct machine_desc
 */
struct machine_shape {
	int packages, nodes, llcs, clusters, cores, threads;
	enum machine_numbering numbering;
	int near_distance, far_distance, reclaim_distance;
};

/**
 * struct machine - see the top of the file
 * @online: its CPUs
 * @nr_cpus: one more than the highest number
 * @nr: how many cores, clusters, LLCs ... there are
 * @of: unit[] of each CPU, from 0 in the order of their first CPUs (nodes: of their
 *      numbers); -1 where there is no such CPU
 * @masks: the CPUs of each unit; an LLC is cut at the border of a node
 * @single: a mask of each CPU alone
 * @distance: between nodes, nr[MACHINE_NODE] squared
 * @nr_distances: different ones
 * @near: CPUs of nodes that are not farther than the n-th of them from a node:
 *        near[n * nr[MACHINE_NODE] + node]
 * @distances: the different ones, rising
 * @reclaim_distance: as in struct machine_desc, never 0
 * @is_x86: likewise
 */
struct machine {
	struct cpumask online;
	int nr_cpus;
	int nr[MACHINE_UNITS];
	struct machine_cpu *of;
	struct cpumask *masks[MACHINE_UNITS];
	struct cpumask *single;
	int *distance;
	int nr_distances;
	int *distances;
	struct cpumask *near;
	int reclaim_distance;
	bool is_x86;
};

/**
 * machine_new - build a machine
 * @desc: its description
 * @ret: to be freed by machine_free(); written on success only
 * @err: says what doesn't fit
 *
 * Return: 0, -EINVAL (no CPU, one twice, a number too high, a core in two LLCs or nodes,
 * a cluster in two LLCs, distances that no machine has) or -ENOMEM.
 */
int machine_new(const struct machine_desc *desc, struct machine **ret, struct err *err);

/** machine_regular - build a machine of a regular shape (x86); as machine_new() */
int machine_regular(const struct machine_shape *shape, struct machine **ret,
		    struct err *err);

/**
 * machine_from_topo - build the machine that lib/topo describes
 * @topo: a core that isn't known is the CPU alone, an unknown LLC the core, an unknown
 *        node the machine, an unknown package the node
 * @distances: as in struct machine_desc; lib/topo knows none
 * @ret: as for machine_new()
 * @err: likewise
 *
 * Return: as machine_new().
 */
int machine_from_topo(const struct topo *topo, const int *distances, struct machine **ret,
		      struct err *err);

/** machine_unit_of - number of the @unit that @cpu belongs to */
static inline int machine_unit_of(const struct machine *machine, enum machine_unit unit,
				  int cpu)
{
	return machine->of[cpu].unit[unit];
}

/** machine_mask - the CPUs that share a @unit with @cpu; lent */
static inline const struct cpumask *machine_mask(const struct machine *machine,
						 enum machine_unit unit, int cpu)
{
	return &machine->masks[unit][machine_unit_of(machine, unit, cpu)];
}

/** machine_free - NULL is fine */
void machine_free(struct machine *machine);

#endif
