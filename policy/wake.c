// SPDX-License-Identifier: GPL-2.0-or-later
/* The frame of a wakeup: which levels are looked at, and which search follows. */
#include "policy/wake.h"

#include <stddef.h>

#include "policy/domains.h"
#include "policy/flags.h"
#include "policy/idlest.h"
#include "policy/load.h"
#include "policy/variant.h"

/* What the levels above the waker's CPU offer. */
struct wake_levels {
	/* The lowest one for wake_affine, and the widest one that balances wakeups. */
	const struct domain *affine, *balance;
};

bool wake_is_wide(const struct placement *place)
{
	uint64_t waker = place->cpus[place->this_cpu].wakee_flips;
	uint64_t wakee = place->task->wakee_flips;
	uint64_t factor = (uint64_t)place->domains->cpu[place->this_cpu].llc_size;
	uint64_t rarer = waker < wakee ? waker : wakee;
	uint64_t other = waker < wakee ? wakee : waker;

	return rarer >= factor && other >= rarer * factor;
}

static struct wake_levels look_at_levels(const struct placement *place)
{
	const struct wake_rules *rules = &place->variant->wake;
	bool wants_affine = cpumask_has(place->task->allowed, place->this_cpu) &&
			    !(rules->has_wide && wake_is_wide(place));
	bool may_walk =
		!rules->walk_needs_idle || cpu_is_idle(&place->cpus[place->this_cpu]);
	struct wake_levels found = { NULL, NULL };
	const struct domain *domain;

	for (domain = place->domains->cpu[place->this_cpu].base; domain;
	     domain = domain->parent) {
		bool is_affine = wants_affine && (domain->flags & SD_WAKE_AFFINE) &&
				 cpumask_has(domain->span, place->task->cpu);

		if (!domain_is_usable(place, domain)) {
			if (rules->stops_at_affine)
				break;
			continue;
		}
		if (is_affine) {
			found.affine = domain;
			wants_affine = false;
			if (rules->stops_at_affine)
				break;
		}
		if (may_walk && (domain->flags & SD_BALANCE_WAKE))
			found.balance = domain;
		else if (rules->stops_at_affine && !wants_affine)
			break;
	}
	return found;
}

static int choose(const struct placement *place, struct idle_effects *effects)
{
	const struct wake_rules *rules = &place->variant->wake;
	struct wake_levels levels = look_at_levels(place);
	int prev = place->task->cpu;
	int target = prev;

	if (levels.affine && place->this_cpu != prev)
		target = wake_affine(place, levels.affine);
	if (rules->falls_to_walk && levels.balance && target == prev &&
	    place->this_cpu != prev)
		return idlest_walk(place, PLACE_WAKEUP, levels.balance);
	if (!levels.affine && levels.balance)
		return idlest_walk(place, PLACE_WAKEUP, levels.balance);
	/* Without a level for both, kernels before 4.8 look no further. */
	if (!levels.affine && !rules->stops_at_affine)
		return prev;
	return idle_sibling(place, target, effects);
}

int place_wakeup(const struct placement *place, struct idle_effects *effects)
{
	struct idle_effects unused = { 0 };

	if (cpumask_count(place->task->allowed) == 1)
		return cpumask_from(place->task->allowed, 0);
	return cpu_allowed_near(place, choose(place, effects ? effects : &unused));
}

bool wake_needs_ipi(const struct placement *place, int cpu)
{
	if (cpu == place->this_cpu)
		return false;
	return !place->variant->wake.queues_by_cache ||
	       !domains_share_cache(place->domains, place->this_cpu, cpu);
}
