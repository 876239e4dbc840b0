// SPDX-License-Identifier: GPL-2.0-or-later
/* Descriptions of machines from what others know of them: a regular shape, lib/topo. */
#include <errno.h>
#include <stdlib.h>

#include "lib/err.h"
#include "lib/topo.h"
#include "policy/machine.h"

enum { NEAR_DISTANCE = 12, FAR_DISTANCE = 20 };

/* Numbers of made-up units begin above those of real ones. */
enum { UNKNOWN = 1 << 20 };

static int at_least_one(int count)
{
	return count > 0 ? count : 1;
}

/* A shape whose counts are all real; clusters stay 0 when there are none. */
static struct machine_shape completed(const struct machine_shape *given)
{
	return (struct machine_shape){
		.packages = at_least_one(given->packages),
		.nodes = at_least_one(given->nodes),
		.llcs = at_least_one(given->llcs),
		.clusters = at_least_one(given->clusters),
		.cores = at_least_one(given->cores),
		.threads = at_least_one(given->threads),
		.numbering = given->numbering,
		.near_distance =
			given->near_distance ? given->near_distance : NEAR_DISTANCE,
		.far_distance = given->far_distance ? given->far_distance : FAR_DISTANCE,
		.reclaim_distance = given->reclaim_distance,
	};
}

static int cpu_number(const struct machine_shape *shape, int core, int nr_cores,
		      int thread)
{
	int in_package = nr_cores / shape->packages;

	switch (shape->numbering) {
	case MACHINE_ADJACENT:
		return core * shape->threads + thread;
	case MACHINE_INTERLEAVED:
		return thread * nr_cores + core % in_package * shape->packages +
		       core / in_package;
	case MACHINE_BLOCKED:
		break;
	}
	return thread * nr_cores + core;
}

static int *shape_distances(const struct machine_shape *shape)
{
	int nodes = shape->packages * shape->nodes;
	int *distances = calloc((size_t)nodes * (size_t)nodes, sizeof(*distances));
	int from, to;

	for (from = 0; distances && from < nodes; from++)
		for (to = 0; to < nodes; to++) {
			int *at = &distances[from * nodes + to];

			if (from == to)
				*at = 10;
			else if (from / shape->nodes == to / shape->nodes)
				*at = shape->near_distance;
			else
				*at = shape->far_distance;
		}
	return distances;
}

int machine_regular(const struct machine_shape *shape, struct machine **ret,
		    struct err *err)
{
	struct machine_shape full = completed(shape);
	long long nr_cores = 1LL * full.packages * full.nodes * full.llcs;
	struct machine_cpu *cpus;
	int *distances;
	int core, thread, bad;

	if (nr_cores > CPUMASK_CPUS || full.clusters > CPUMASK_CPUS ||
	    full.cores > CPUMASK_CPUS || full.threads > CPUMASK_CPUS ||
	    nr_cores * full.clusters * full.cores * full.threads > CPUMASK_CPUS)
		return err_set(err, -EINVAL,
			       "the machine is too large (expected %d CPUs at most)",
			       CPUMASK_CPUS);
	nr_cores *= 1LL * full.clusters * full.cores;
	cpus = calloc((size_t)(nr_cores * full.threads), sizeof(*cpus));
	distances = shape_distances(&full);
	if (!cpus || !distances) {
		free(cpus);
		free(distances);
		return err_nomem(err);
	}
	for (core = 0; core < nr_cores; core++)
		for (thread = 0; thread < full.threads; thread++) {
			int cluster = core / full.cores;
			int llc = cluster / full.clusters;
			int node = llc / full.llcs;

			cpus[core * full.threads + thread] = (struct machine_cpu){
				.cpu = cpu_number(&full, core, (int)nr_cores, thread),
				.unit = { core, shape->clusters > 0 ? cluster : -1, llc,
					  node, node / full.nodes },
			};
		}
	bad = machine_new(
		&(struct machine_desc){
			.cpus = cpus,
			.nr_cpus = (size_t)(nr_cores * full.threads),
			.distances = distances,
			.reclaim_distance = full.reclaim_distance,
			.is_x86 = true,
		},
		ret, err);
	free(cpus);
	free(distances);
	return bad;
}

int machine_from_topo(const struct topo *topo, const int *distances, struct machine **ret,
		      struct err *err)
{
	struct machine_cpu *cpus =
		calloc(topo->nr_cpus ? topo->nr_cpus : 1, sizeof(*cpus));
	size_t i;
	int bad;

	if (!cpus)
		return err_nomem(err);
	for (i = 0; i < topo->nr_cpus; i++) {
		const struct topo_cpu *from = &topo->cpus[i];
		int core = from->core >= 0 ? from->core : UNKNOWN + (int)from->cpu;
		int node = from->node >= 0 ? from->node : 0;

		cpus[i] = (struct machine_cpu){
			.cpu = from->cpu < CPUMASK_CPUS ? (int)from->cpu : CPUMASK_CPUS,
			.unit = { core, -1,
				  from->llc >= 0 ? from->llc : 2 * UNKNOWN + core, node,
				  from->package >= 0 ? from->package : UNKNOWN + node },
		};
	}
	bad = machine_new(
		&(struct machine_desc){
			.cpus = cpus,
			.nr_cpus = topo->nr_cpus,
			.distances = distances,
			.is_x86 = true,
		},
		ret, err);
	free(cpus);
	return bad;
}
