// SPDX-License-Identifier: GPL-2.0-or-later
/* The machines that guests have; see guest_spec.h. */
#include "runner/guest_spec.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/native.h"
#include "lib/clock.h"
#include "lib/cpulist.h"
#include "lib/err.h"
#include "lib/json.h"
#include "lib/topo.h"

enum { DISTANCE_OWN = 10, MEMORY_MIN = 256, MEMORY_MAX = 1 << 20 };

/* Fields: sockets, LLCs of each, cores of each, threads of each, nodes, distance. */
static const struct guest_topology topologies[] = {
	{ "one-node-2", 1, 1, 2, 1, 1, DISTANCE_OWN },
	{ "one-node-8", 1, 1, 4, 2, 1, DISTANCE_OWN },
	{ "two-node-8", 2, 1, 2, 2, 2, 21 },
	{ "two-node-8-llcs", 2, 4, 1, 1, 2, 21 },
	{ "two-node-16", 2, 2, 2, 2, 2, 21 },
	{ "two-node-48", 2, 1, 12, 2, 2, 21 },
	{ "two-node-128", 2, 8, 4, 2, 2, 21 },
};

enum { NR_TOPOLOGIES = sizeof(topologies) / sizeof(topologies[0]) };

void guest_spec_init(struct guest_spec *spec)
{
	*spec = (struct guest_spec){
		.timeout_ns = 120 * CLOCK_SEC,
		.boots = 1,
	};
	(void)guest_topology_find("two-node-8", &spec->topology);
}

int guest_topology_find(const char *name, struct guest_topology *ret)
{
	size_t i;

	for (i = 0; i < NR_TOPOLOGIES; i++) {
		if (strcmp(topologies[i].name, name))
			continue;
		*ret = topologies[i];
		return 0;
	}
	return -ENOENT;
}

const char *const *guest_topology_names(void)
{
	static const char *const names[] = {
		"one-node-2",  "one-node-8",  "two-node-8",   "two-node-8-llcs",
		"two-node-16", "two-node-48", "two-node-128", NULL,
	};

	return names;
}

unsigned int guest_nr_cpus(const struct guest_topology *topology)
{
	return topology->sockets * topology->llcs * topology->cores * topology->threads;
}

static int check_topology(const struct guest_topology *topology, struct err *err)
{
	unsigned int nr_llcs = topology->sockets * topology->llcs;

	if (guest_nr_cpus(topology) > GUEST_MAX_CPUS)
		return err_set(err, -EINVAL,
			       "the topology has %u CPUs (expected at most %d)",
			       guest_nr_cpus(topology), GUEST_MAX_CPUS);
	if (topology->nodes <= nr_llcs && nr_llcs % topology->nodes)
		return err_set(err, -EINVAL,
			       "%u nodes can't share %u last-level caches evenly",
			       topology->nodes, nr_llcs);
	if (topology->nodes > nr_llcs)
		return err_set(err, -EINVAL,
			       "%u nodes and %u last-level caches (expected one cache a "
			       "node at least)",
			       topology->nodes, nr_llcs);
	return 0;
}

int guest_topology_finish(struct guest_topology *topology, struct err *err)
{
	if (check_topology(topology, err))
		return err->code;
	if (!*topology->name)
		(void)snprintf(topology->name, sizeof(topology->name),
			       "guest-%us%ul%uc%ut%un", topology->sockets, topology->llcs,
			       topology->cores, topology->threads, topology->nodes);
	return 0;
}

int guest_spec_finish(struct guest_spec *spec, struct err *err)
{
	const struct guest_topology *topology = &spec->topology;

	if (guest_topology_finish(&spec->topology, err))
		return err->code;
	if (!spec->memory_mib)
		spec->memory_mib = guest_nr_cpus(topology) > 32 ? 2048 : 1024;
	if (spec->memory_mib < MEMORY_MIN || spec->memory_mib > MEMORY_MAX)
		return err_set(err, -EINVAL, "memory of %ju MiB (expected %d to %d)",
			       (uintmax_t)spec->memory_mib, MEMORY_MIN, MEMORY_MAX);
	if (spec->memory_mib % topology->nodes)
		return err_set(err, -EINVAL,
			       "memory of %ju MiB can't be shared out evenly to %u nodes",
			       (uintmax_t)spec->memory_mib, topology->nodes);
	if (spec->mode == GUEST_DETERMINISTIC && spec->accel == GUEST_KVM)
		return err_set(err, -EINVAL,
			       "mode deterministic counts instructions, which accel kvm "
			       "can't (expected accel: tcg)");
	return 0;
}

int guest_topo(const struct guest_topology *topology, struct topo **ret)
{
	unsigned int nr = guest_nr_cpus(topology);
	struct topo *topo = calloc(1, sizeof(*topo));
	int bad = -ENOMEM;
	unsigned int i;

	if (topo)
		topo->cpus = calloc(nr, sizeof(*topo->cpus));
	if (topo && topo->cpus)
		bad = 0;
	for (i = 0; !bad && i < nr; i++) {
		int core = (int)(i / topology->threads);
		int llc = core / (int)topology->cores;

		topo->cpus[i] = (struct topo_cpu){
			.cpu = i,
			.core = core,
			.llc = llc,
			.node = (int)(i / (nr / topology->nodes)),
			.package = llc / (int)topology->llcs,
		};
		bad = cpulist_add(&topo->allowed, i);
	}
	if (bad) {
		topo_free(topo);
		return -ENOMEM;
	}
	topo->nr_cpus = nr;
	topo->nr_cores = nr / topology->threads;
	topo->nr_llcs = topology->sockets * topology->llcs;
	topo->nr_nodes = topology->nodes;
	topo->nr_packages = topology->sockets;
	*ret = topo;
	return 0;
}

static int check_count(const char *what, size_t found, size_t asked, struct err *err)
{
	if (found == asked)
		return 0;
	return err_set(err, -EPROTO, "the guest's kernel sees %zu %s (expected %zu)",
		       found, what, asked);
}

/*
 * Not packages: no domain follows them, and up to 6.1 a kernel takes each CPU for one
 * where caches are many and have a single CPU each.
 */
int guest_check_topo(const struct guest_topology *topology, const struct topo *found,
		     struct err *err)
{
	struct topo *asked = NULL;
	int bad = guest_topo(topology, &asked);
	size_t i;

	if (bad)
		return err_nomem(err);
	bad = check_count("CPUs", found->nr_cpus, asked->nr_cpus, err);
	if (!bad)
		bad = check_count("cores", found->nr_cores, asked->nr_cores, err);
	if (!bad)
		bad = check_count("last-level caches", found->nr_llcs, asked->nr_llcs,
				  err);
	if (!bad)
		bad = check_count("NUMA nodes", found->nr_nodes, asked->nr_nodes, err);
	for (i = 0; !bad && i < asked->nr_cpus; i++) {
		const struct topo_cpu *a = &asked->cpus[i];
		const struct topo_cpu *b = &found->cpus[i];

		if (a->cpu != b->cpu || a->core != b->core || a->llc != b->llc ||
		    a->node != b->node)
			bad = err_set(err, -EPROTO,
				      "the guest's kernel has CPU %u in core %d, "
				      "last-level cache %d and node %d (expected %d, %d "
				      "and %d)",
				      b->cpu, b->core, b->llc, b->node, a->core, a->llc,
				      a->node);
	}
	topo_free(asked);
	return bad;
}

static int add_nodes(const struct guest_spec *spec, struct bench_command *command)
{
	const struct guest_topology *topology = &spec->topology;
	unsigned int each = guest_nr_cpus(topology) / topology->nodes;
	unsigned int i, j;
	int bad = 0;

	for (i = 0; i < topology->nodes; i++) {
		bad |= bench_arg(command, "-object");
		bad |= bench_arg(command, "memory-backend-ram,id=m%u,size=%juM", i,
				 (uintmax_t)(spec->memory_mib / topology->nodes));
		bad |= bench_arg(command, "-numa");
		bad |= bench_arg(command, "node,nodeid=%u,memdev=m%u,cpus=%u-%u", i, i,
				 i * each, (i + 1) * each - 1);
	}
	for (i = 0; i < topology->nodes; i++) {
		for (j = i + 1; j < topology->nodes; j++) {
			bad |= bench_arg(command, "-numa");
			bad |= bench_arg(command, "dist,src=%u,dst=%u,val=%u", i, j,
					 topology->distance);
		}
	}
	return bad;
}

int guest_machine_args(const struct guest_spec *spec, struct bench_command *command)
{
	const struct guest_topology *topology = &spec->topology;
	int bad = 0;

	bad |= bench_arg(command, "-m");
	bad |= bench_arg(command, "%juM", (uintmax_t)spec->memory_mib);
	bad |= bench_arg(command, "-smp");
	bad |= bench_arg(command, "%u,sockets=%u,dies=%u,cores=%u,threads=%u",
			 guest_nr_cpus(topology), topology->sockets, topology->llcs,
			 topology->cores, topology->threads);
	bad |= add_nodes(spec, command);
	return bad ? -ENOMEM : 0;
}

struct jval *guest_spec_json(const struct guest_spec *spec)
{
	const struct guest_topology *topology = &spec->topology;
	struct jval *json = jval_object();
	int bad = 0;

	bad |= jval_put(json, "sockets", jval_from_uint(topology->sockets));
	bad |= jval_put(json, "llcs", jval_from_uint(topology->llcs));
	bad |= jval_put(json, "cores", jval_from_uint(topology->cores));
	bad |= jval_put(json, "threads", jval_from_uint(topology->threads));
	bad |= jval_put(json, "nodes", jval_from_uint(topology->nodes));
	if (topology->nodes > 1)
		bad |= jval_put(json, "distance", jval_from_uint(topology->distance));
	bad |= jval_put(json, "memory_mib", jval_from_uint(spec->memory_mib));
	bad |= jval_put(json, "mode",
			jval_from_string(spec->mode == GUEST_PARALLEL ? "parallel"
								      : "deterministic"));
	if (!bad)
		return json;
	jval_free(json);
	return NULL;
}
