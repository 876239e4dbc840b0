// SPDX-License-Identifier: GPL-2.0-or-later
/* What is tried before a search for an idle CPU, and what is left after it; see wake.h. */
#include "policy/domains.h"
#include "policy/variant.h"
#include "policy/wake.h"

/* On machines with clusters, a CPU of another one is only the second choice. */
static bool shares_cluster(const struct placement *place, int cpu, int target)
{
	const struct cpumask *cluster = wake_cluster(place, target);

	return !cluster || cpumask_has(cluster, cpu);
}

static bool is_near_and_idle(const struct placement *place, int cpu, int target,
			     struct idle_effects *effects)
{
	return cpu != target && domains_share_cache(place->domains, cpu, target) &&
	       look_idle(place, cpu, effects);
}

static bool recent_will_do(const struct placement *place, int target,
			   struct idle_effects *effects)
{
	int recent = place->task->recent_cpu;

	return place->variant->wake.sees_recent && recent >= 0 &&
	       cpumask_has(place->task->allowed, recent) &&
	       is_near_and_idle(place, recent, target, effects);
}

int idle_sibling(const struct placement *place, int target, struct idle_effects *effects)
{
	const struct wake_rules *rules = &place->variant->wake;
	int prev = place->task->cpu;
	int second = -1;
	int found;

	if (look_idle(place, target, effects))
		return target;
	if (rules->sees_idle_prev && is_near_and_idle(place, prev, target, effects)) {
		if (shares_cluster(place, prev, target))
			return prev;
		second = prev;
	}
	if (recent_will_do(place, target, effects)) {
		if (shares_cluster(place, place->task->recent_cpu, target))
			return place->task->recent_cpu;
		second = second < 0 ? place->task->recent_cpu : second;
	}
	if (rules->search != SEARCH_SCAN)
		return idle_by_levels(place, target, effects);
	found = idle_by_scan(place, target, effects);
	if (found < 0)
		found = second;
	return found >= 0 ? found : target;
}
