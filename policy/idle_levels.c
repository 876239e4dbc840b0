// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The search for an idle CPU through levels and sd_groups, kernels before 4.9; read in
 * 3.0.101, 3.2.41, 3.3.8 and 3.10.4.
 */
#include "policy/domains.h"
#include "policy/flags.h"
#include "policy/variant.h"
#include "policy/wake.h"

/* The idle CPU of one level: the first, or the last one where siblings are passed over. */
static int idle_of_level(const struct placement *place, const struct domain *domain,
			 bool passes_siblings, struct idle_effects *effects)
{
	bool goes_on = passes_siblings && (domain->flags & SD_SHARE_CPUCAPACITY);
	int found = -1;
	int cpu;

	for (cpu = cpumask_from(domain->span, 0); cpu >= 0;
	     cpu = cpumask_from(domain->span, cpu + 1)) {
		if (!cpumask_has(place->task->allowed, cpu) ||
		    !look_idle(place, cpu, effects))
			continue;
		found = cpu;
		if (!goes_on)
			break;
	}
	return found;
}

static int upwards(const struct placement *place, int target, bool passes_siblings,
		   struct idle_effects *effects)
{
	const struct domain *domain;
	int found = target;

	for (domain = place->domains->cpu[target].base;
	     domain && (domain->flags & SD_SHARE_LLC); domain = domain->parent) {
		int cpu = idle_of_level(place, domain, passes_siblings, effects);

		if (cpu >= 0)
			found = cpu;
		if (!passes_siblings && cpumask_has(domain->span, place->this_cpu) &&
		    cpumask_has(domain->span, place->task->cpu))
			break;
	}
	return found;
}

/* All of it idle; the one that the target is in never is. */
static bool is_free(const struct placement *place, const struct cpumask *group,
		    struct idle_effects *effects)
{
	int cpu;

	if (!cpumask_meet(group, place->task->allowed))
		return false;
	for (cpu = cpumask_from(group, 0); cpu >= 0; cpu = cpumask_from(group, cpu + 1))
		if (!look_idle(place, cpu, effects))
			return false;
	return true;
}

/* Lowest allowed CPU of the ring's first sd_group that is all idle, or -1. */
static int free_group(const struct placement *place, const struct domain *domain,
		      struct idle_effects *effects)
{
	int nr;

	for (nr = 0; nr < domain->nr_groups; nr++) {
		const struct cpumask *group = domain_group(place->domains, domain, nr);
		struct cpumask both;

		if (!is_free(place, group, effects))
			continue;
		cpumask_and(&both, group, place->task->allowed);
		return cpumask_from(&both, 0);
	}
	return -1;
}

/* One pass over the levels that share the LLC: those of threads, or those above. */
static int pass(const struct placement *place, int target, bool is_smt,
		struct idle_effects *effects)
{
	const struct domain *domain;
	int found = -1;

	for (domain = place->domains->cpu[target].base;
	     found < 0 && domain && (domain->flags & SD_SHARE_LLC);
	     domain = domain->parent)
		if (!(domain->flags & SD_SHARE_CPUCAPACITY) == !is_smt)
			found = free_group(place, domain, effects);
	return found;
}

static int downwards(const struct placement *place, int target,
		     struct idle_effects *effects)
{
	const struct domain *domain;
	int found = -1;

	for (domain = place->domains->cpu[target].llc; found < 0 && domain;
	     domain = domain->child)
		found = free_group(place, domain, effects);
	return found;
}

int idle_by_levels(const struct placement *place, int target,
		   struct idle_effects *effects)
{
	int found = -1;

	switch (place->variant->wake.search) {
	case SEARCH_UPWARDS:
	case SEARCH_SKIP_SIBLING:
		return upwards(place, target,
			       place->variant->wake.search == SEARCH_SKIP_SIBLING,
			       effects);
	case SEARCH_CORES_THREADS:
		found = pass(place, target, false, effects);
		if (found < 0)
			found = pass(place, target, true, effects);
		break;
	case SEARCH_DOWNWARDS:
		found = downwards(place, target, effects);
		break;
	case SEARCH_SCAN:
		break;
	}
	return found >= 0 ? found : target;
}
