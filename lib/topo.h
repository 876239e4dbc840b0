/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine as a plain table: which CPUs there are and which core, LLC,
 * node and package each belongs to. The only place that knows hwloc, which
 * reads this host, or another machine's tree when HWLOC_FSROOT names one.
 */
#ifndef LIB_TOPO_H
#define LIB_TOPO_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/cpulist.h"

struct err;

/**
 * struct topo_cpu - one CPU that is online
 * @cpu: its number
 * @core: which core, from 0 in the machine's order; -1 when not known
 * @llc: which last-level cache, likewise
 * @node: which NUMA node by the kernel's number, likewise
 * @package: which package, from 0 in the machine's order, likewise
 */
struct topo_cpu {
	unsigned int cpu;
	int core, llc, node, package;
};

/**
 * struct topo_node - one NUMA node, also one without CPUs
 * @node: the kernel's number
 * @memory_bytes: of its own; 0 when it has none or it isn't known
 */
struct topo_node {
	unsigned int node;
	unsigned long long memory_bytes;
};

/**
 * struct topo - a machine
 * @cpus: online CPUs by number
 * @nr_cpus: how many
 * @nr_cores: cores among them; 0 when not known
 * @nr_llcs: last-level caches; 0 when not known
 * @nr_nodes: NUMA nodes that have CPUs; 0 when not known
 * @nr_packages: packages; 0 when not known
 * @nodes: every NUMA node in the machine's order
 * @nr_all_nodes: how many
 * @llc_bytes: size of one last-level cache (the largest); 0 when not known
 * @llc_sizes: bytes of each last-level cache, by the number in struct topo_cpu; 0
 *             when not known; NULL when none is
 * @allowed: the CPUs that this process may use (cpuset and affinity)
 */
struct topo {
	struct topo_cpu *cpus;
	size_t nr_cpus;
	unsigned int nr_cores, nr_llcs, nr_nodes, nr_packages;
	struct topo_node *nodes;
	size_t nr_all_nodes;
	unsigned long long llc_bytes;
	unsigned long long *llc_sizes;
	struct cpulist allowed;
};

/**
 * topo_discover - look at this host, or at the tree HWLOC_FSROOT names
 * @ret: the machine, to be freed by topo_free(); written on success only
 * @err: says what failed
 *
 * Return: 0 or a negative errno.
 */
int topo_discover(struct topo **ret, struct err *err);

/** topo_find - the entry of CPU @cpu, or NULL when it isn't online */
const struct topo_cpu *topo_find(const struct topo *topo, unsigned int cpu);

/**
 * topo_llc_sum - bytes of all last-level caches that any of @cpus has
 *
 * Return: each cache counted once; 0 when the size of one of them isn't known.
 */
unsigned long long topo_llc_sum(const struct topo *topo, const struct cpulist *cpus);

/** topo_free - NULL is fine */
void topo_free(struct topo *topo);

#endif
