// SPDX-License-Identifier: GPL-2.0-or-later
/* The rungs of each ladder, and the machine they depend on; see ladder.h. */
#include "runner/ladder.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "lib/cpulist.h"
#include "lib/topo.h"

static int add(struct rungs *rungs, uint64_t value)
{
	uint64_t *grown = reallocarray(rungs->value, rungs->nr + 1, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	rungs->value = grown;
	grown[rungs->nr++] = value;
	return 0;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Every @tenths of one from @from on, cut to whole numbers; none beyond @to or @max. */
static int add_steps(struct rungs *rungs, uint64_t from, uint64_t to, uint64_t tenths,
		     uint64_t max)
{
	uint64_t end = 10 * smaller(to, max);
	uint64_t at;
	int bad = 0;

	for (at = 10 * from; !bad && tenths && at <= end; at += tenths)
		bad = add(rungs, at / 10);
	return bad;
}

static int climb_topology(const struct ladder_machine *machine, uint64_t max,
			  struct rungs *rungs)
{
	const uint64_t cpus = machine->nr_cpus;
	const struct {
		uint64_t from, to, nr_steps;
	} levels[] = {
		{ 1, machine->smt, 4 },
		{ machine->smt, machine->llc, 4 },
		{ machine->llc, machine->node,
		  machine->nr_llcs > 3 * machine->nr_nodes ? 6 : 3 },
		{ machine->node, cpus, 2 },
		{ cpus, 2 * cpus, 3 },
		{ cpus, 4 * cpus, 2 },
	};
	int bad = add(rungs, 1) || add(rungs, max);
	size_t i;

	for (i = 0; !bad && i < sizeof(levels) / sizeof(levels[0]); i++) {
		if (levels[i].to > levels[i].from)
			bad = add_steps(rungs, levels[i].from, levels[i].to,
					10 * (levels[i].to - levels[i].from) /
						levels[i].nr_steps,
					max);
	}
	return bad ? -ENOMEM : 0;
}

static int climb_strides(const struct ladder_machine *machine, uint64_t max,
			 struct rungs *rungs)
{
	int bad = add(rungs, max);

	(void)machine;
	if (max > 32) {
		bad = bad || add_steps(rungs, 1, 8, 30, max) ||
		      add_steps(rungs, 12, 32, 90, max) ||
		      add_steps(rungs, 48, max, 310, max);
	} else {
		bad = bad || add_steps(rungs, 1, 8, 20, max) ||
		      add_steps(rungs, 12, max, 60, max);
	}
	return bad ? -ENOMEM : 0;
}

static int climb_caches(const struct ladder_machine *machine, uint64_t max,
			struct rungs *rungs)
{
	const uint64_t threads[] = { 1, 2 * machine->nr_nodes, machine->nr_llcs,
				     2 * machine->nr_llcs };
	int bad = 0;
	size_t i;

	for (i = 0; !bad && i < sizeof(threads) / sizeof(threads[0]); i++) {
		if (threads[i] <= max)
			bad = add(rungs, threads[i]);
	}
	return bad;
}

static const struct ladder ladders[] = {
	{ "mmtests", climb_topology, 200 },
	{ "mmtests-2016", climb_strides, 400 },
	{ "mmtests-stream", climb_caches, 0 },
};

enum { NR_LADDERS = sizeof(ladders) / sizeof(ladders[0]) };

const char *const *ladder_names(void)
{
	static const char *const names[] = { "mmtests", "mmtests-2016", "mmtests-stream",
					     NULL };

	return names;
}

const struct ladder *ladder_find(const char *name)
{
	size_t i;

	for (i = 0; i < NR_LADDERS; i++) {
		if (!strcmp(ladders[i].name, name))
			return &ladders[i];
	}
	return NULL;
}

static int by_value(const void *a, const void *b)
{
	const uint64_t *left = a;
	const uint64_t *right = b;

	return *left < *right ? -1 : *left > *right;
}

static void drop_duplicates(struct rungs *rungs)
{
	size_t nr = 0;
	size_t i;

	qsort(rungs->value, rungs->nr, sizeof(*rungs->value), by_value);
	for (i = 0; i < rungs->nr; i++) {
		if (!nr || rungs->value[nr - 1] != rungs->value[i])
			rungs->value[nr++] = rungs->value[i];
	}
	rungs->nr = nr;
}

int ladder_rungs(const struct ladder *ladder, const struct ladder_machine *machine,
		 uint64_t cap, struct rungs *ret)
{
	uint64_t max = cap;
	struct rungs rungs = { 0 };
	int bad;

	if (ladder->percent)
		max = smaller(cap, ladder_share(ladder->percent, machine->nr_cpus));
	bad = ladder->climb(machine, max, &rungs);
	if (bad) {
		rungs_release(&rungs);
		return bad;
	}
	drop_duplicates(&rungs);
	*ret = rungs;
	return 0;
}

void rungs_release(struct rungs *rungs)
{
	free(rungs->value);
	*rungs = (struct rungs){ 0 };
}

uint64_t ladder_share(uint64_t percent, uint64_t nr_cpus)
{
	uint64_t share = percent * nr_cpus / 100;

	return share ? share : 1;
}

uint64_t ladder_per_cpu(uint64_t each, uint64_t nr_cpus, uint64_t nr_tasks)
{
	uint64_t whole;

	if (__builtin_mul_overflow(each, nr_cpus, &whole))
		whole = UINT64_MAX;
	return whole < nr_tasks ? 1 : whole / nr_tasks;
}

/* struct places - how many cores, caches or nodes there are, and the largest of them */
struct places {
	uint64_t nr, largest;
};

static int place_of(const struct topo *topo, unsigned int cpu, size_t offset)
{
	const struct topo_cpu *entry = topo_find(topo, cpu);

	return entry ? *(const int *)((const char *)entry + offset) : -1;
}

/* None when one of the CPUs doesn't tell. */
static int count_places(const struct topo *topo, const struct cpulist *cpus,
			size_t offset, struct places *ret)
{
	int *place = calloc(cpus->nr + 1, sizeof(*place));
	size_t i, j;

	*ret = (struct places){ 0 };
	if (!place)
		return -ENOMEM;
	for (i = 0; i < cpus->nr; i++) {
		place[i] = place_of(topo, cpus->cpu[i], offset);
		if (place[i] < 0)
			break;
	}
	/* Those of a place already counted are -1. */
	for (j = 0; i == cpus->nr && j < cpus->nr; j++) {
		uint64_t size = 0;
		int here = place[j];
		size_t k;

		for (k = j; here >= 0 && k < cpus->nr; k++) {
			if (place[k] != here)
				continue;
			place[k] = -1;
			size++;
		}
		ret->nr += size > 0;
		ret->largest = size > ret->largest ? size : ret->largest;
	}
	free(place);
	return 0;
}

int ladder_measure(const struct topo *topo, const struct cpulist *cpus,
		   struct ladder_machine *ret)
{
	struct places cores, llcs, nodes;

	if (count_places(topo, cpus, offsetof(struct topo_cpu, core), &cores) ||
	    count_places(topo, cpus, offsetof(struct topo_cpu, llc), &llcs) ||
	    count_places(topo, cpus, offsetof(struct topo_cpu, node), &nodes))
		return -ENOMEM;
	ret->nr_cpus = cpus->nr ? cpus->nr : 1;
	ret->smt = cores.nr ? cores.largest : 1;
	ret->llc = llcs.nr ? llcs.largest : ret->smt;
	ret->node = nodes.nr ? nodes.largest : ret->nr_cpus;
	ret->nr_llcs = llcs.nr ? llcs.nr : 1;
	ret->nr_nodes = nodes.nr ? nodes.nr : 1;
	return 0;
}
