// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The idlest sd_group by type, as kernels from 5.5 on look for it; read in 070f5e860ee2,
 * 5.7.14, e496132ebedd, 6.1.192 and 6.12.117.
 */
#include <stdlib.h>

#include "policy/domains.h"
#include "policy/flags.h"
#include "policy/idlest.h"
#include "policy/load.h"
#include "policy/margin.h"
#include "policy/variant.h"

/* An sd_group as the search compares it. */
struct candidate {
	int nr;
	const struct cpumask *mask;
	struct group_stats stats;
	enum group_type type;
	uint64_t avg_load;
};

static bool lacks_runnable_room(const struct group_stats *stats, uint64_t pct)
{
	return stats->capacity * pct < stats->runnable * 100;
}

enum group_type group_classify(const struct group_stats *stats, int imbalance_pct,
			       const struct idlest_rules *rules)
{
	uint64_t pct = (uint64_t)imbalance_pct;
	int weight = rules->weight_is_unset ? 0 : stats->weight;
	bool is_crowded =
		rules->has_runnable_conditions && lacks_runnable_room(stats, pct);

	if (stats->nr_running > weight &&
	    (stats->capacity * 100 < stats->util * pct || is_crowded))
		return GROUP_OVERLOADED;
	if (stats->nr_running < weight ||
	    (!is_crowded && stats->capacity * 100 > stats->util * pct))
		return GROUP_HAS_SPARE;
	return GROUP_FULLY_BUSY;
}

static void add_cpu(const struct placement *place, int cpu, struct group_stats *stats)
{
	const struct cpu_state *here = &place->cpus[cpu];
	int own = place->task->is_queued && place->task->cpu == cpu;
	int nr_running = here->nr_running - own;

	stats->load += load_without_task(place, cpu);
	stats->util += util_without_task(place, cpu);
	stats->runnable += runnable_without_task(place, cpu);
	stats->nr_running += nr_running;
	if (!nr_running && !here->has_pending_wakeup)
		stats->idle_cpus++;
}

static struct candidate examine(const struct placement *place,
				const struct domain *domain, int nr)
{
	const struct idlest_rules *rules = &place->variant->idlest;
	struct candidate group = {
		.nr = nr,
		.mask = domain_group(place->domains, domain, nr),
	};
	int cpu;

	for (cpu = cpumask_from(group.mask, 0); cpu >= 0;
	     cpu = cpumask_from(group.mask, cpu + 1)) {
		group.stats.capacity += place->cpus[cpu].capacity;
		group.stats.weight++;
		if (!rules->counts_allowed_only || cpumask_has(place->task->allowed, cpu))
			add_cpu(place, cpu, &group.stats);
	}
	group.type = group_classify(&group.stats, domain->imbalance_pct, rules);
	if (group.type != GROUP_HAS_SPARE && !rules->busy_load_is_unset &&
	    group.stats.capacity)
		group.avg_load = group.stats.load * NICE_0_WEIGHT / group.stats.capacity;
	return group;
}

static bool is_idler(const struct candidate *group, const struct candidate *best,
		     const struct idlest_rules *rules)
{
	if (group->type != best->type)
		return group->type < best->type;
	if (group->type != GROUP_HAS_SPARE)
		return group->avg_load < best->avg_load;
	if (group->stats.idle_cpus != best->stats.idle_cpus)
		return group->stats.idle_cpus > best->stats.idle_cpus;
	return rules->has_util_tie && group->stats.util < best->stats.util;
}

/* Both have no room left: go only where load is clearly lower. */
static bool load_keeps_home(const struct domain *domain, const struct candidate *home,
			    const struct candidate *idlest)
{
	if ((domain->flags & SD_NUMA) &&
	    idlest->avg_load + margin_absolute(domain->imbalance_pct) >= home->avg_load)
		return true;
	return 100 * home->avg_load <= (uint64_t)domain->imbalance_pct * idlest->avg_load;
}

static int allowed_at(const struct placement *place, const struct candidate *home)
{
	struct cpumask both;

	cpumask_and(&both, home->mask, place->task->allowed);
	return cpumask_count(&both);
}

/* imb_numa_nr, and never more tasks than the task's affinity has CPUs for at home. */
static int tolerated(const struct placement *place, const struct domain *domain,
		     const struct candidate *home)
{
	int allowed;

	if (place->variant->idlest.numa == NUMA_LLCS)
		return domain->imb_numa_nr;
	allowed = allowed_at(place, home);
	return allowed < domain->imb_numa_nr ? allowed : domain->imb_numa_nr;
}

/* Between nodes that both have room a few tasks stay together. */
static bool numa_keeps_home(const struct placement *place, const struct domain *domain,
			    const struct candidate *home, const struct candidate *idlest)
{
	bool is_within;

	switch (place->variant->idlest.numa) {
	case NUMA_NONE:
		return home->stats.idle_cpus > 0;
	case NUMA_QUARTER_SPAN:
		return home->stats.nr_running < domain->span_weight / 4;
	case NUMA_LLCS:
	case NUMA_AFFINITY_AWARE:
	case NUMA_STRICT:
		break;
	}
	is_within = home->stats.nr_running + 1 <= tolerated(place, domain, home);
	if (place->variant->idlest.numa != NUMA_STRICT)
		return is_within;
	return is_within && abs(home->stats.idle_cpus - idlest->stats.idle_cpus) <= 2;
}

static bool is_preferred_node(const struct placement *place,
			      const struct candidate *group)
{
	return place->task->preferred_node >= 0 &&
	       machine_unit_of(place->domains->machine, MACHINE_NODE,
			       cpumask_from(group->mask, 0)) ==
		       place->task->preferred_node;
}

static bool spare_keeps_home(const struct placement *place, const struct domain *domain,
			     const struct candidate *home, const struct candidate *idlest)
{
	if (domain->flags & SD_NUMA) {
		if (is_preferred_node(place, home))
			return true;
		if (is_preferred_node(place, idlest))
			return false;
		if (numa_keeps_home(place, domain, home, idlest))
			return true;
	}
	return home->stats.idle_cpus >= idlest->stats.idle_cpus;
}

int idlest_group_by_type(const struct placement *place, const struct domain *domain,
			 int cpu)
{
	struct candidate home = { .nr = -1 };
	struct candidate idlest = {
		.nr = -1,
		.type = GROUP_OVERLOADED,
		.avg_load = UINT64_MAX,
	};
	bool stays;
	int nr;

	for (nr = 0; nr < domain->nr_groups; nr++) {
		struct candidate group;

		if (!cpumask_meet(domain_group(place->domains, domain, nr),
				  place->task->allowed))
			continue;
		group = examine(place, domain, nr);
		if (cpumask_has(group.mask, cpu))
			home = group;
		else if (is_idler(&group, &idlest, &place->variant->idlest))
			idlest = group;
	}
	if (idlest.nr < 0 || home.nr < 0)
		return idlest.nr;
	if (home.type != idlest.type)
		return home.type < idlest.type ? -1 : idlest.nr;
	stays = home.type == GROUP_HAS_SPARE
			? spare_keeps_home(place, domain, &home, &idlest)
			: load_keeps_home(domain, &home, &idlest);
	return stays ? -1 : idlest.nr;
}
