// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The idlest sd_group by load, as kernels before 5.5 look for it. One search serves load
 * alone (3.3 to 4.9), spare capacity first (the queue for 4.10 of December 2016), the same
 * but not at fork (f519a3f1c6b7), and runnable load with load_avg (4.10 to 5.4).
 */
#include "policy/domains.h"
#include "policy/flags.h"
#include "policy/idlest.h"
#include "policy/load.h"
#include "policy/margin.h"
#include "policy/variant.h"

/* Larger than any load, and a few hundred times it still fits. */
#define NO_LOAD (UINT64_MAX / 4096)

/* One sd_group: load and load_avg by capacity, and spare capacity of its best CPU. */
struct group_load {
	uint64_t load, load_avg, spare;
};

/* What the search has seen: home and the best elsewhere, -1 for none. */
struct search {
	struct group_load home, idlest;
	uint64_t most_spare;
	int idlest_nr, spare_nr;
};

static struct group_load sum_up(const struct placement *place,
				const struct cpumask *group)
{
	struct group_load sum = { 0 };
	uint64_t capacity = 0;
	int cpu;

	for (cpu = cpumask_from(group, 0); cpu >= 0; cpu = cpumask_from(group, cpu + 1)) {
		uint64_t full = (uint64_t)place->domains->cpu[cpu].capacity;
		uint64_t spare = full - util_without_task(place, cpu);

		sum.load += load_of_cpu(place, cpu);
		sum.load_avg += place->cpus[cpu].load_avg;
		capacity += place->cpus[cpu].capacity;
		if (spare > sum.spare)
			sum.spare = spare;
	}
	if (!capacity)
		capacity = 1;
	sum.load = sum.load * NICE_0_WEIGHT / capacity;
	sum.load_avg = sum.load_avg * NICE_0_WEIGHT / capacity;
	return sum;
}

/* Runnable load first; where it is close, load_avg by a relative margin. */
static bool is_idler(const struct placement *place, const struct domain *domain,
		     const struct group_load *group, struct group_load *best)
{
	uint64_t margin = margin_absolute(domain->imbalance_pct);
	uint64_t pct = margin_percent(domain->imbalance_pct);

	if (place->variant->idlest.signal != FORK_LOAD_AND_RUNNABLE) {
		if (group->load >= best->load)
			return false;
		best->load = group->load;
		return true;
	}
	if (best->load > group->load + margin) {
		*best = *group;
		return true;
	}
	if (group->load < best->load + margin &&
	    100 * best->load_avg > pct * group->load_avg) {
		/* The load to compare with remains that of the sd_group before. */
		best->load_avg = group->load_avg;
		return true;
	}
	return false;
}

static void look_at(const struct placement *place, const struct domain *domain, int cpu,
		    struct search *search)
{
	int nr;

	for (nr = 0; nr < domain->nr_groups; nr++) {
		const struct cpumask *mask = domain_group(place->domains, domain, nr);
		struct group_load group;

		if (!cpumask_meet(mask, place->task->allowed))
			continue;
		group = sum_up(place, mask);
		if (cpumask_has(mask, cpu)) {
			search->home = group;
			continue;
		}
		if (is_idler(place, domain, &group, &search->idlest))
			search->idlest_nr = nr;
		if (group.spare > search->most_spare) {
			search->most_spare = group.spare;
			search->spare_nr = nr;
		}
	}
}

static bool looks_at_spare(const struct placement *place, enum place_event event)
{
	switch (place->variant->idlest.signal) {
	case FORK_RUNNABLE:
		return false;
	case FORK_SPARE_FIRST:
		return true;
	case FORK_SPARE_EXCEPT_FORK:
	case FORK_LOAD_AND_RUNNABLE:
		break;
	}
	return event != PLACE_FORK;
}

static bool home_is_good(const struct placement *place, const struct domain *domain,
			 const struct search *search)
{
	const struct idlest_rules *rules = &place->variant->idlest;
	const struct group_load *home = &search->home;
	const struct group_load *idlest = &search->idlest;
	uint64_t margin = margin_absolute(domain->imbalance_pct);
	uint64_t pct = margin_percent(domain->imbalance_pct);

	if (rules->signal != FORK_LOAD_AND_RUNNABLE)
		return 100 * home->load < pct * idlest->load;
	if (rules->has_numa_margin && (domain->flags & SD_NUMA) &&
	    idlest->load + margin >= home->load)
		return true;
	if (idlest->load > home->load + margin)
		return true;
	return home->load < idlest->load + margin &&
	       100 * home->load_avg < pct * idlest->load_avg;
}

int idlest_group_by_load(const struct placement *place, enum place_event event,
			 const struct domain *domain, int cpu)
{
	uint64_t absent = place->variant->idlest.absent_local_is_idle ? 0 : NO_LOAD;
	struct search search = {
		.home = { .load = absent, .load_avg = absent },
		.idlest = { .load = NO_LOAD, .load_avg = NO_LOAD },
		.idlest_nr = -1,
		.spare_nr = -1,
	};
	uint64_t half = place->task->is_new ? 0 : place->task->util_avg / 2;

	look_at(place, domain, cpu, &search);
	if (looks_at_spare(place, event)) {
		uint64_t pct = margin_percent(domain->imbalance_pct);

		if (search.home.spare > half &&
		    pct * search.home.spare > 100 * search.most_spare)
			return -1;
		if (search.most_spare > half)
			return search.spare_nr;
	}
	if (search.idlest_nr < 0 || home_is_good(place, domain, &search))
		return -1;
	return search.idlest_nr;
}
