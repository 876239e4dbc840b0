// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The way from the widest level down to a CPU: in each level the idlest sd_group, in it
 * the idlest CPU, and on from there below that level; see idlest.h.
 */
#include "policy/idlest.h"

#include <stddef.h>

#include "policy/domains.h"
#include "policy/flags.h"
#include "policy/load.h"
#include "policy/variant.h"

static unsigned int flag_of(enum place_event event)
{
	switch (event) {
	case PLACE_FORK:
		return SD_BALANCE_FORK;
	case PLACE_EXEC:
		return SD_BALANCE_EXEC;
	case PLACE_WAKEUP:
		break;
	}
	return SD_BALANCE_WAKE;
}

/* An idle CPU of a shallow state, or of the same one but left more recently. */
static bool is_better_idle(const struct cpu_state *cpu, const struct cpu_state *best)
{
	if (!best)
		return true;
	if (cpu->exit_latency != NO_IDLE_STATE && cpu->exit_latency != best->exit_latency)
		return cpu->exit_latency < best->exit_latency;
	return cpu->idle_stamp_ns > best->idle_stamp_ns;
}

/* The idlest allowed CPU among @mask, which @home is never in; the first of equal ones. */
static int idlest_cpu(const struct placement *place, const struct cpumask *mask, int home)
{
	const struct idlest_rules *rules = &place->variant->idlest;
	const struct cpu_state *best = NULL;
	uint64_t least = UINT64_MAX;
	int idlest = home;
	int cpu;

	for (cpu = cpumask_from(mask, 0); cpu >= 0; cpu = cpumask_from(mask, cpu + 1)) {
		const struct cpu_state *here = &place->cpus[cpu];
		uint64_t load;

		if (!cpumask_has(place->task->allowed, cpu))
			continue;
		if (rules->sched_idle_wins && cpu_is_sched_idle(here))
			return cpu;
		if (rules->by_idle_age && cpu_is_idle(here)) {
			if (is_better_idle(here, best)) {
				best = here;
				idlest = cpu;
			}
			continue;
		}
		load = load_of_cpu(place, cpu);
		if (!best && load < least) {
			least = load;
			idlest = cpu;
		}
	}
	return idlest;
}

static int idlest_group(const struct placement *place, enum place_event event,
			const struct domain *domain, int cpu)
{
	return place->variant->idlest.by_type
		       ? idlest_group_by_type(place, domain, cpu)
		       : idlest_group_by_load(place, event, domain, cpu);
}

/* The widest level of @cpu below @weight CPUs that has @flag. */
static const struct domain *widest_below(const struct placement *place, int cpu,
					 int weight, unsigned int flag)
{
	const struct domain *widest = NULL;
	const struct domain *domain;

	for (domain = place->domains->cpu[cpu].base; domain; domain = domain->parent) {
		if (weight <= domain->span_weight)
			break;
		if (domain->flags & flag)
			widest = domain;
	}
	return widest;
}

int idlest_walk(const struct placement *place, enum place_event event,
		const struct domain *domain)
{
	unsigned int flag = flag_of(event);
	int cpu = place->this_cpu;

	while (domain) {
		int group = -1;
		int next;

		if (domain->flags & flag)
			group = idlest_group(place, event, domain, cpu);
		if (group < 0) {
			domain = domain->child;
			continue;
		}
		next = idlest_cpu(place, domain_group(place->domains, domain, group),
				  cpu);
		if (next == cpu) {
			domain = domain->child;
			continue;
		}
		cpu = next;
		domain = widest_below(place, cpu, domain->span_weight, flag);
	}
	return cpu;
}

/* Where the walk begins: the widest level of this CPU that has the flag. */
static const struct domain *start_level(const struct placement *place, unsigned int flag)
{
	const struct domain *found = NULL;
	const struct domain *domain;

	for (domain = place->domains->cpu[place->this_cpu].base; domain;
	     domain = domain->parent) {
		if (domain_is_usable(place, domain) && (domain->flags & flag))
			found = domain;
		else if (place->variant->idlest.stops_at_gap)
			break;
	}
	return found;
}

int place_fork(const struct placement *place)
{
	const struct domain *domain = start_level(place, SD_BALANCE_FORK);

	return cpu_allowed_near(place, idlest_walk(place, PLACE_FORK, domain));
}

int place_exec(const struct placement *place)
{
	const struct domain *domain = start_level(place, SD_BALANCE_EXEC);

	return cpu_allowed_near(place, idlest_walk(place, PLACE_EXEC, domain));
}
