// SPDX-License-Identifier: GPL-2.0-or-later
/* See load.h. */
#include "policy/load.h"

#include "policy/domains.h"
#include "policy/flags.h"
#include "policy/release.h"
#include "policy/variant.h"

uint64_t load_by(const struct policy_variant *variant, const struct cpu_state *cpu)
{
	switch (variant->idlest.load) {
	case LOAD_WEIGHT:
		return cpu->weight;
	case LOAD_RUNNABLE:
		return cpu->runnable_load;
	case LOAD_AVG:
		break;
	}
	return cpu->load_avg;
}

uint64_t load_of_cpu(const struct placement *place, int cpu)
{
	return load_by(place->variant, &place->cpus[cpu]);
}

uint64_t load_of_task(const struct placement *place)
{
	return place->variant->idlest.load == LOAD_WEIGHT ? place->task->weight
							  : place->task->load_avg;
}

bool task_is_counted(const struct placement *place, int cpu)
{
	return !place->task->is_new && place->task->cpu == cpu;
}

uint64_t load_without_task(const struct placement *place, int cpu)
{
	uint64_t part = task_is_counted(place, cpu) ? place->task->load_avg : 0;

	return without(place->cpus[cpu].load_avg, part);
}

uint64_t util_without_task(const struct placement *place, int cpu)
{
	uint64_t part = task_is_counted(place, cpu) ? place->task->util_avg : 0;
	uint64_t most = (uint64_t)place->domains->cpu[cpu].capacity;

	return least_of(without(place->cpus[cpu].util_avg, part), most);
}

uint64_t runnable_without_task(const struct placement *place, int cpu)
{
	uint64_t part = task_is_counted(place, cpu) ? place->task->runnable_avg : 0;

	return without(place->cpus[cpu].runnable_avg, part);
}

bool domain_is_usable(const struct placement *place, const struct domain *domain)
{
	return place->variant->release >= RELEASE(5, 8, 0) ||
	       (domain->flags & SD_LOAD_BALANCE);
}

int cpu_allowed_near(const struct placement *place, int cpu)
{
	const struct cpumask *allowed = place->task->allowed;
	struct cpumask near;
	int first;

	if (cpumask_has(allowed, cpu))
		return cpu;
	cpumask_and(
		&near, allowed,
		machine_mask(place->domains->machine, MACHINE_NODE, place->task->cpu));
	first = cpumask_from(&near, 0);
	return first >= 0 ? first : cpumask_from(allowed, 0);
}
