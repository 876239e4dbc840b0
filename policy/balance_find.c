// SPDX-License-Identifier: GPL-2.0-or-later
/* The busiest sd_group and CPU of a level; see balance.h. */
#include "policy/balance_groups.h"
#include "policy/domains.h"
#include "policy/flags.h"
#include "policy/load.h"
#include "policy/variant.h"

static uint64_t util_of(const struct balance *balance, int cpu)
{
	uint64_t most = (uint64_t)balance->domains->cpu[cpu].capacity;

	return least_of(balance->cpus[cpu].util_avg, most);
}

/* 4.9: either overloaded or not; room is another question. */
static void classify_by_load(const struct domain *domain, struct balance_group *group)
{
	const struct group_stats *stats = &group->stats;
	bool is_crowded =
		stats->capacity * 100 < stats->util * (uint64_t)domain->imbalance_pct;

	group->has_room =
		stats->nr_running < stats->weight ||
		stats->capacity * 100 > stats->util * (uint64_t)domain->imbalance_pct;
	group->type = stats->nr_running > stats->weight && is_crowded ? GROUP_OVERLOADED
								      : GROUP_HAS_SPARE;
}

static struct balance_group examine(const struct balance *balance,
				    const struct domain *domain, int nr)
{
	struct balance_group group = {
		.mask = domain_group(balance->domains, domain, nr),
	};
	struct idlest_rules rules = balance->variant->idlest;
	int cpu;

	for (cpu = cpumask_from(group.mask, 0); cpu >= 0;
	     cpu = cpumask_from(group.mask, cpu + 1)) {
		const struct cpu_state *here = &balance->cpus[cpu];

		group.stats.load += load_by(balance->variant, here);
		group.stats.util += util_of(balance, cpu);
		group.stats.runnable += here->runnable_avg;
		group.stats.capacity += here->capacity;
		group.stats.nr_running += here->nr_running;
		group.stats.idle_cpus += cpu_is_idle(here);
		group.stats.weight++;
	}
	/* That defect of 5.5 was in the statistics of placement alone. */
	rules.weight_is_unset = false;
	if (rules.by_type)
		group.type = group_classify(&group.stats, domain->imbalance_pct, &rules);
	else
		classify_by_load(domain, &group);
	if (group.stats.capacity)
		group.avg_load = group.stats.load * NICE_0_WEIGHT / group.stats.capacity;
	return group;
}

/* Since 5.5, of groups with room the one with fewer idle CPUs, then with more tasks. */
static bool is_busier(const struct balance *balance, const struct balance_group *group,
		      const struct balance_group *best)
{
	if (balance->variant->idlest.by_type && !group->stats.nr_running)
		return false;
	if (!best->mask)
		return group->stats.load || group->stats.nr_running;
	if (group->type != best->type)
		return group->type > best->type;
	if (!balance->variant->idlest.by_type || group->type == GROUP_OVERLOADED)
		return group->avg_load > best->avg_load;
	if (group->type == GROUP_FULLY_BUSY)
		return false;
	if (group->stats.idle_cpus != best->stats.idle_cpus)
		return group->stats.idle_cpus < best->stats.idle_cpus;
	return group->stats.nr_running > best->stats.nr_running;
}

static struct balance_level look_at_level(const struct balance *balance,
					  const struct domain *domain)
{
	struct balance_level level = {
		.home = examine(balance, domain, 0),
		.prefers_siblings =
			domain->child && (domain->child->flags & SD_PREFER_SIBLING),
	};
	uint64_t load = level.home.stats.load;
	uint64_t capacity = level.home.stats.capacity;
	int nr;

	for (nr = 1; nr < domain->nr_groups; nr++) {
		struct balance_group group = examine(balance, domain, nr);

		load += group.stats.load;
		capacity += group.stats.capacity;
		/* Before 5.5 a second task is one too many while home has room. */
		if (!balance->variant->idlest.by_type && level.prefers_siblings &&
		    level.home.has_room && group.stats.nr_running > 1) {
			group.has_room = false;
			group.type = GROUP_OVERLOADED;
		}
		if (is_busier(balance, &group, &level.busiest))
			level.busiest = group;
	}
	if (capacity)
		level.avg_load = load * NICE_0_WEIGHT / capacity;
	return level;
}

/* By what a CPU is the busiest one: compared as a fraction. */
struct rank {
	uint64_t amount, capacity;
};

static struct rank rank_of(const struct balance *balance, const struct balance_plan *plan,
			   int cpu)
{
	const struct cpu_state *here = &balance->cpus[cpu];
	struct rank none = { 0, 1 };
	uint64_t load = load_by(balance->variant, here);

	switch (plan->pull) {
	case PULL_TASKS:
		return (struct rank){ (uint64_t)here->nr_running, 1 };
	case PULL_UTIL:
		if (here->nr_running <= 1)
			return none;
		return (struct rank){ util_of(balance, cpu), 1 };
	case PULL_LOAD:
		break;
	}
	/* The only task of a CPU isn't pulled for more than is out of balance. */
	if (!here->nr_running || !here->capacity ||
	    (here->nr_running == 1 && load > plan->imbalance))
		return none;
	return (struct rank){ load, here->capacity };
}

static int find_cpu(const struct balance *balance, const struct cpumask *mask,
		    const struct balance_plan *plan)
{
	struct rank best = { 0, 1 };
	int busiest = -1;
	int cpu;

	for (cpu = cpumask_from(mask, 0); cpu >= 0; cpu = cpumask_from(mask, cpu + 1)) {
		struct rank rank = rank_of(balance, plan, cpu);

		if (rank.amount * best.capacity <= best.amount * rank.capacity)
			continue;
		best = rank;
		busiest = cpu;
	}
	return busiest;
}

bool balance_find(const struct balance *balance, const struct domain *domain,
		  struct balance_plan *ret)
{
	struct balance_level level = look_at_level(balance, domain);
	struct balance_plan plan = { .pull = PULL_LOAD };

	if (!level.busiest.mask)
		return false;
	plan.imbalance =
		balance->variant->idlest.by_type
			? balance_imbalance_by_type(balance, domain, &level, &plan.pull)
			: balance_imbalance_by_load(balance, domain, &level);
	if (!plan.imbalance)
		return false;
	plan.busiest = find_cpu(balance, level.busiest.mask, &plan);
	if (plan.busiest < 0)
		return false;
	*ret = plan;
	return true;
}
