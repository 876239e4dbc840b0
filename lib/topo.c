// SPDX-License-Identifier: GPL-2.0-or-later
/* Flattens hwloc's tree into struct topo. */
#include "lib/topo.h"

#include <errno.h>
#include <hwloc.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/err.h"
#include "lib/file.h"

/* hwloc would mix this host's own caches, from cpuid, into another machine's tree. */
static int choose_source(hwloc_topology_t machine, struct err *err)
{
	const char *root = getenv("HWLOC_FSROOT");
	char *cpus;
	int bad = 0;

	if (!root)
		return 0;
	cpus = file_path("%s/sys/devices/system/cpu", root);
	if (!cpus)
		return err_nomem(err);
	/* Without it hwloc silently describes this host. */
	if (access(cpus, R_OK | X_OK))
		bad = err_set(err, -errno, "HWLOC_FSROOT: cannot read '%s': %m", cpus);
	else
		(void)hwloc_topology_set_components(
			machine, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
	free(cpus);
	return bad;
}

static int index_of(hwloc_obj_t obj)
{
	return obj ? (int)obj->logical_index : -1;
}

/* The outermost data cache above @pu: what the kernel calls the LLC. */
static hwloc_obj_t llc_of(hwloc_obj_t pu)
{
	hwloc_obj_t llc = NULL;
	hwloc_obj_t obj;

	for (obj = pu; obj; obj = obj->parent)
		if (hwloc_obj_type_is_dcache(obj->type))
			llc = obj;
	return llc;
}

/* The memory-side tree hangs off a parent, so look for the node by its CPUs. */
static int node_of(hwloc_topology_t machine, unsigned int cpu)
{
	hwloc_obj_t node = NULL;

	while ((node = hwloc_get_next_obj_by_type(machine, HWLOC_OBJ_NUMANODE, node)))
		if (hwloc_bitmap_isset(node->cpuset, cpu))
			return (int)node->os_index;
	return -1;
}

/* Node numbers have holes, and some CPUs may not know theirs: count what is there. */
static int count_distinct(const struct topo *topo, size_t offset, unsigned int *ret)
{
	struct cpulist seen = { 0 };
	int bad = 0;
	size_t i;

	for (i = 0; !bad && i < topo->nr_cpus; i++) {
		int value = *(const int *)((const char *)&topo->cpus[i] + offset);

		if (value >= 0)
			bad = cpulist_add(&seen, (unsigned int)value);
	}
	*ret = (unsigned int)seen.nr;
	cpulist_release(&seen);
	return bad;
}

static int fill_cpus(hwloc_topology_t machine, struct topo *topo)
{
	int nr = hwloc_get_nbobjs_by_type(machine, HWLOC_OBJ_PU);
	hwloc_obj_t last_llc = NULL;
	hwloc_obj_t pu = NULL;
	hwloc_obj_t llc;
	int nr_llcs = 0;

	if (nr <= 0)
		return -ENODEV;
	topo->cpus = calloc((size_t)nr, sizeof(*topo->cpus));
	/* No more caches than CPUs. */
	topo->llc_sizes = calloc((size_t)nr, sizeof(*topo->llc_sizes));
	if (!topo->cpus || !topo->llc_sizes)
		return -ENOMEM;
	while ((pu = hwloc_get_next_obj_by_type(machine, HWLOC_OBJ_PU, pu))) {
		struct topo_cpu *cpu = &topo->cpus[topo->nr_cpus++];

		/*
		 * The walk never comes back to a cache that it left. hwloc's own
		 * numbers won't do: where one package ends at L2 and another at L3,
		 * both have a cache 0.
		 */
		llc = llc_of(pu);
		if (llc && llc != last_llc) {
			last_llc = llc;
			topo->llc_sizes[nr_llcs++] = llc->attr->cache.size;
		}
		cpu->cpu = pu->os_index;
		cpu->llc = llc ? nr_llcs - 1 : -1;
		cpu->core = index_of(
			hwloc_get_ancestor_obj_by_type(machine, HWLOC_OBJ_CORE, pu));
		cpu->package = index_of(
			hwloc_get_ancestor_obj_by_type(machine, HWLOC_OBJ_PACKAGE, pu));
		cpu->node = node_of(machine, cpu->cpu);
		if (llc && llc->attr->cache.size > topo->llc_bytes)
			topo->llc_bytes = llc->attr->cache.size;
	}
	return 0;
}

static int fill_nodes(hwloc_topology_t machine, struct topo *topo)
{
	int nr = hwloc_get_nbobjs_by_type(machine, HWLOC_OBJ_NUMANODE);
	hwloc_obj_t node = NULL;

	if (nr <= 0)
		return 0;
	topo->nodes = calloc((size_t)nr, sizeof(*topo->nodes));
	if (!topo->nodes)
		return -ENOMEM;
	while ((node = hwloc_get_next_obj_by_type(machine, HWLOC_OBJ_NUMANODE, node)))
		topo->nodes[topo->nr_all_nodes++] = (struct topo_node){
			.node = node->os_index,
			.memory_bytes = node->attr->numanode.local_memory,
		};
	return 0;
}

static int by_number(const void *a, const void *b)
{
	const struct topo_cpu *cpu_a = a;
	const struct topo_cpu *cpu_b = b;

	return cpu_a->cpu < cpu_b->cpu ? -1 : cpu_a->cpu > cpu_b->cpu;
}

static int fill_allowed(hwloc_topology_t machine, struct topo *topo)
{
	hwloc_bitmap_t set = hwloc_bitmap_dup(hwloc_topology_get_allowed_cpuset(machine));
	hwloc_bitmap_t bound = hwloc_bitmap_alloc();
	int bad = set && bound ? 0 : -ENOMEM;
	size_t i;

	if (!bad && hwloc_topology_is_thissystem(machine) &&
	    !hwloc_get_cpubind(machine, bound, HWLOC_CPUBIND_PROCESS))
		(void)hwloc_bitmap_and(set, set, bound);
	for (i = 0; !bad && i < topo->nr_cpus; i++)
		if (hwloc_bitmap_isset(set, topo->cpus[i].cpu))
			bad = cpulist_add(&topo->allowed, topo->cpus[i].cpu);
	hwloc_bitmap_free(set);
	hwloc_bitmap_free(bound);
	return bad;
}

static int flatten(hwloc_topology_t machine, struct topo *topo)
{
	int bad = fill_cpus(machine, topo);

	if (!bad)
		bad = fill_nodes(machine, topo);
	if (bad)
		return bad;
	qsort(topo->cpus, topo->nr_cpus, sizeof(*topo->cpus), by_number);
	if (count_distinct(topo, offsetof(struct topo_cpu, core), &topo->nr_cores) ||
	    count_distinct(topo, offsetof(struct topo_cpu, llc), &topo->nr_llcs) ||
	    count_distinct(topo, offsetof(struct topo_cpu, node), &topo->nr_nodes) ||
	    count_distinct(topo, offsetof(struct topo_cpu, package), &topo->nr_packages))
		return -ENOMEM;
	return fill_allowed(machine, topo);
}

int topo_discover(struct topo **ret, struct err *err)
{
	struct topo *topo = calloc(1, sizeof(*topo));
	hwloc_topology_t machine;
	int bad;

	if (!topo || hwloc_topology_init(&machine)) {
		free(topo);
		return err_nomem(err);
	}
	(void)hwloc_topology_set_flags(machine, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
	bad = choose_source(machine, err);
	if (!bad)
		bad = hwloc_topology_load(machine) ? -EIO : flatten(machine, topo);
	hwloc_topology_destroy(machine);
	if (bad) {
		topo_free(topo);
		return bad == -ENOMEM
			       ? err_nomem(err)
			       : err_set(err, bad, "cannot read the machine's topology");
	}
	*ret = topo;
	return 0;
}

const struct topo_cpu *topo_find(const struct topo *topo, unsigned int cpu)
{
	struct topo_cpu key = { .cpu = cpu };

	return bsearch(&key, topo->cpus, topo->nr_cpus, sizeof(key), by_number);
}

static int llc_number(const struct topo *topo, unsigned int cpu)
{
	const struct topo_cpu *entry = topo_find(topo, cpu);

	return entry ? entry->llc : -1;
}

unsigned long long topo_llc_sum(const struct topo *topo, const struct cpulist *cpus)
{
	unsigned long long sum = 0;
	size_t i, j;

	for (i = 0; i < cpus->nr; i++) {
		int llc = llc_number(topo, cpus->cpu[i]);

		if (llc < 0 || !topo->llc_sizes || !topo->llc_sizes[llc])
			return 0;
		for (j = 0; j < i && llc_number(topo, cpus->cpu[j]) != llc; j++)
			;
		sum += j == i ? topo->llc_sizes[llc] : 0;
	}
	return sum;
}

void topo_free(struct topo *topo)
{
	if (!topo)
		return;
	free(topo->cpus);
	free(topo->llc_sizes);
	free(topo->nodes);
	cpulist_release(&topo->allowed);
	free(topo);
}
