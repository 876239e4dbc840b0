// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers the units of a machine and makes their masks; see machine.h. */
#include "policy/machine.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/err.h"

enum { LOCAL_DISTANCE = 10, OTHER_DISTANCE = 20, RECLAIM_DISTANCE = 30 };

static int take_cpu(struct machine *machine, const struct machine_cpu *cpu,
		    struct err *err)
{
	if (cpu->cpu < 0 || cpu->cpu >= CPUMASK_CPUS)
		return err_set(err, -EINVAL,
			       "CPU %d is out of range (expected a number below %d)",
			       cpu->cpu, CPUMASK_CPUS);
	if (cpumask_has(&machine->online, cpu->cpu))
		return err_set(err, -EINVAL, "CPU %d is described twice", cpu->cpu);
	if (cpu->unit[MACHINE_NODE] < 0 || cpu->unit[MACHINE_NODE] >= CPUMASK_CPUS)
		return err_set(err, -EINVAL, "CPU %d has node %d (expected 0 to %d)",
			       cpu->cpu, cpu->unit[MACHINE_NODE], CPUMASK_CPUS - 1);
	cpumask_add(&machine->online, cpu->cpu);
	if (cpu->cpu >= machine->nr_cpus)
		machine->nr_cpus = cpu->cpu + 1;
	return 0;
}

/* The number of the unit among those of lower CPUs, or a new one. */
static int renumber(const struct machine *machine, const struct machine_cpu *raw,
		    enum machine_unit unit, int cpu)
{
	int other;

	for (other = cpumask_from(&machine->online, 0); other < cpu;
	     other = cpumask_from(&machine->online, other + 1)) {
		if (raw[other].unit[unit] != raw[cpu].unit[unit])
			continue;
		/* The kernel never lets a cache reach over the border of a node. */
		if (unit == MACHINE_LLC &&
		    raw[other].unit[MACHINE_NODE] != raw[cpu].unit[MACHINE_NODE])
			continue;
		return machine_unit_of(machine, unit, other);
	}
	return machine->nr[unit];
}

/* Nodes keep the order of their own numbers: distances are given in it. */
static int rank(const struct cpumask *numbers, int number)
{
	int count = 0;
	int other;

	for (other = cpumask_from(numbers, 0); other < number;
	     other = cpumask_from(numbers, other + 1))
		count++;
	return count;
}

static int number_unit(struct machine *machine, const struct machine_cpu *raw,
		       enum machine_unit unit)
{
	struct cpumask nodes = { { 0 } };
	int cpu;

	for (cpu = cpumask_from(&machine->online, 0); cpu >= 0;
	     cpu = cpumask_from(&machine->online, cpu + 1))
		cpumask_add(&nodes, raw[cpu].unit[MACHINE_NODE]);
	for (cpu = cpumask_from(&machine->online, 0); cpu >= 0;
	     cpu = cpumask_from(&machine->online, cpu + 1)) {
		int number = unit == MACHINE_NODE
				     ? rank(&nodes, raw[cpu].unit[MACHINE_NODE])
				     : renumber(machine, raw, unit, cpu);

		machine->of[cpu].unit[unit] = number;
		if (number >= machine->nr[unit])
			machine->nr[unit] = number + 1;
	}
	machine->masks[unit] =
		calloc((size_t)machine->nr[unit], sizeof(*machine->masks[unit]));
	if (!machine->masks[unit])
		return -ENOMEM;
	for (cpu = cpumask_from(&machine->online, 0); cpu >= 0;
	     cpu = cpumask_from(&machine->online, cpu + 1))
		cpumask_add(&machine->masks[unit][machine->of[cpu].unit[unit]], cpu);
	return 0;
}

/* Where no cluster is named, each core is one of its own. */
static void name_clusters(const struct machine *machine, struct machine_cpu *raw)
{
	int cpu;

	for (cpu = 0; cpu < machine->nr_cpus; cpu++)
		if (raw[cpu].unit[MACHINE_CLUSTER] < 0)
			raw[cpu].unit[MACHINE_CLUSTER] = -2 - raw[cpu].unit[MACHINE_CORE];
}

static bool is_within(const struct machine *machine, enum machine_unit inner,
		      enum machine_unit outer, int cpu)
{
	const struct cpumask *mask = machine_mask(machine, inner, cpu);
	struct cpumask common;

	cpumask_and(&common, mask, machine_mask(machine, outer, cpu));
	return cpumask_equal(&common, mask);
}

static int check_nesting(const struct machine *machine, struct err *err)
{
	int cpu;

	for (cpu = cpumask_from(&machine->online, 0); cpu >= 0;
	     cpu = cpumask_from(&machine->online, cpu + 1)) {
		if (!is_within(machine, MACHINE_CORE, MACHINE_CLUSTER, cpu))
			return err_set(err, -EINVAL,
				       "the core of CPU %d is in two clusters", cpu);
		if (!is_within(machine, MACHINE_CLUSTER, MACHINE_LLC, cpu))
			return err_set(
				err, -EINVAL,
				"the core or cluster of CPU %d is in two LLCs or nodes",
				cpu);
	}
	return 0;
}

static int number_units(const struct machine_desc *desc, struct machine *machine,
			struct err *err)
{
	size_t nr = (size_t)machine->nr_cpus;
	struct machine_cpu *raw = calloc(nr, sizeof(*raw));
	enum machine_unit unit;
	int bad = 0;
	size_t i;

	machine->of = malloc(nr * sizeof(*machine->of));
	machine->single = calloc(nr, sizeof(*machine->single));
	if (!raw || !machine->of || !machine->single) {
		free(raw);
		return err_nomem(err);
	}
	memset(machine->of, 0xff, nr * sizeof(*machine->of));
	for (i = 0; i < desc->nr_cpus; i++) {
		const struct machine_cpu *cpu = &desc->cpus[i];

		raw[cpu->cpu] = *cpu;
		machine->of[cpu->cpu].cpu = cpu->cpu;
		cpumask_add(&machine->single[cpu->cpu], cpu->cpu);
	}
	name_clusters(machine, raw);
	for (unit = 0; !bad && unit < MACHINE_UNITS; unit++)
		if (number_unit(machine, raw, unit))
			bad = err_nomem(err);
	free(raw);
	return bad ? bad : check_nesting(machine, err);
}

static int by_distance(const void *a, const void *b)
{
	const int *left = a;
	const int *right = b;

	return *left < *right ? -1 : *left > *right;
}

static void collect_distances(struct machine *machine)
{
	size_t nr = (size_t)machine->nr[MACHINE_NODE] * (size_t)machine->nr[MACHINE_NODE];
	int kept = 0;
	size_t i;

	memcpy(machine->distances, machine->distance, nr * sizeof(*machine->distances));
	qsort(machine->distances, nr, sizeof(*machine->distances), by_distance);
	for (i = 0; i < nr; i++)
		if (!kept || machine->distances[kept - 1] != machine->distances[i])
			machine->distances[kept++] = machine->distances[i];
	machine->nr_distances = kept;
}

static int fill_distances(const int *given, struct machine *machine, struct err *err)
{
	int nodes = machine->nr[MACHINE_NODE];
	int from, to;

	for (from = 0; from < nodes; from++)
		for (to = 0; to < nodes; to++) {
			int at = from * nodes + to;
			int plain = from == to ? LOCAL_DISTANCE : OTHER_DISTANCE;

			machine->distance[at] = given ? given[at] : plain;
			if ((machine->distance[at] == LOCAL_DISTANCE) != (from == to) ||
			    machine->distance[at] < LOCAL_DISTANCE)
				return err_set(err, -EINVAL,
					       "node %d is at distance %d from node %d "
					       "(expected %d at home and more elsewhere)",
					       to, machine->distance[at], from,
					       LOCAL_DISTANCE);
		}
	return 0;
}

static int measure(const struct machine_desc *desc, struct machine *machine,
		   struct err *err)
{
	size_t nodes = (size_t)machine->nr[MACHINE_NODE];
	int bad, level, from, to;

	machine->distance = calloc(nodes * nodes, sizeof(*machine->distance));
	machine->distances = calloc(nodes * nodes, sizeof(*machine->distances));
	if (!machine->distance || !machine->distances)
		return err_nomem(err);
	bad = fill_distances(desc->distances, machine, err);
	if (bad)
		return bad;
	collect_distances(machine);
	machine->near =
		calloc(nodes * (size_t)machine->nr_distances, sizeof(*machine->near));
	if (!machine->near)
		return err_nomem(err);
	for (level = 0; level < machine->nr_distances; level++)
		for (from = 0; from < (int)nodes; from++)
			for (to = 0; to < (int)nodes; to++)
				if (machine->distance[from * (int)nodes + to] <=
				    machine->distances[level])
					cpumask_or(
						&machine->near[level * (int)nodes + from],
						&machine->masks[MACHINE_NODE][to]);
	return 0;
}

int machine_new(const struct machine_desc *desc, struct machine **ret, struct err *err)
{
	struct machine *machine = calloc(1, sizeof(*machine));
	int bad = 0;
	size_t i;

	if (!machine)
		return err_nomem(err);
	if (!desc->nr_cpus)
		bad = err_set(err, -EINVAL,
			      "a machine without CPUs (expected one at least)");
	for (i = 0; !bad && i < desc->nr_cpus; i++)
		bad = take_cpu(machine, &desc->cpus[i], err);
	machine->is_x86 = desc->is_x86;
	machine->reclaim_distance =
		desc->reclaim_distance ? desc->reclaim_distance : RECLAIM_DISTANCE;
	if (!bad)
		bad = number_units(desc, machine, err);
	if (!bad)
		bad = measure(desc, machine, err);
	if (bad) {
		machine_free(machine);
		return bad;
	}
	*ret = machine;
	return 0;
}

void machine_free(struct machine *machine)
{
	enum machine_unit unit;

	if (!machine)
		return;
	for (unit = 0; unit < MACHINE_UNITS; unit++)
		free(machine->masks[unit]);
	free(machine->of);
	free(machine->single);
	free(machine->distance);
	free(machine->distances);
	free(machine->near);
	free(machine);
}
