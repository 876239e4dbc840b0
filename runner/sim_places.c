// SPDX-License-Identifier: GPL-2.0-or-later
/* Counts where simulated tasks were put; see sim_places.h. */
#include "runner/sim_places.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* The unit of a CPU at a level of the monitor's. */
static int unit_of(const struct machine *machine, size_t level, int cpu)
{
	static const enum machine_unit units[PLACEMENT_NR_LEVELS] = {
		[PLACEMENT_CORE] = MACHINE_CORE,
		[PLACEMENT_LLC] = MACHINE_LLC,
		[PLACEMENT_NODE] = MACHINE_NODE,
	};

	return level == PLACEMENT_CPU ? cpu : machine_unit_of(machine, units[level], cpu);
}

static size_t nr_units(const struct machine *machine, size_t level)
{
	static const enum machine_unit units[PLACEMENT_NR_LEVELS] = {
		[PLACEMENT_CORE] = MACHINE_CORE,
		[PLACEMENT_LLC] = MACHINE_LLC,
		[PLACEMENT_NODE] = MACHINE_NODE,
	};

	if (level == PLACEMENT_CPU)
		return (size_t)cpumask_count(&machine->online);
	return (size_t)machine->nr[units[level]];
}

int sim_places_begin(struct sim_places *places, const struct machine *machine)
{
	size_t level;

	*places = (struct sim_places){
		.machine = machine,
		.placement.idle_share = (double)NAN,
	};
	for (level = 0; level < PLACEMENT_NR_LEVELS; level++) {
		/* No level has more units than there are CPU numbers. */
		places->nr_new[level] =
			calloc((size_t)machine->nr_cpus, sizeof(*places->nr_new[level]));
		if (!places->nr_new[level])
			return -ENOMEM;
	}
	return 0;
}

/* The nearest level that both CPUs share; PLACEMENT_NR_LEVELS: none. */
static size_t distance(const struct machine *machine, int a, int b)
{
	size_t level = 0;

	while (level < PLACEMENT_NR_LEVELS &&
	       unit_of(machine, level, a) != unit_of(machine, level, b))
		level++;
	return level;
}

void sim_places_observe(void *arg, const struct sim_placement *placement)
{
	struct sim_places *places = arg;
	struct placement *count = &places->placement;
	size_t far = distance(places->machine, placement->from, placement->to);
	size_t level;
	int node;

	if (placement->event == SIM_FORK) {
		node = unit_of(places->machine, PLACEMENT_NODE, placement->to);
		count->nr_new++;
		if (node < PLACEMENT_MAX_NODES)
			count->new_on_node[node]++;
		for (level = 0; level < PLACEMENT_NR_LEVELS; level++)
			places->nr_new[level]
				      [unit_of(places->machine, level, placement->to)]++;
		return;
	}
	if (placement->event == SIM_WAKEUP) {
		count->nr_woken++;
		count->nr_woken_near[far]++;
	}
	/* As the kernel's tracepoint, which tells of every change of the queue. */
	count->nr_moves += far != PLACEMENT_CPU;
	count->nr_node_moves += far == PLACEMENT_NR_LEVELS;
}

void sim_places_end(struct sim_places *places)
{
	struct placement *count = &places->placement;
	size_t level;

	for (level = 0; level < PLACEMENT_NR_LEVELS; level++) {
		placement_measure(places->nr_new[level], (size_t)places->machine->nr_cpus,
				  count->nr_new, &count->spread[level]);
		count->spread[level].nr_units = nr_units(places->machine, level);
	}
}

void sim_places_release(struct sim_places *places)
{
	size_t level;

	for (level = 0; level < PLACEMENT_NR_LEVELS; level++)
		free(places->nr_new[level]);
	*places = (struct sim_places){ 0 };
}
