// SPDX-License-Identifier: GPL-2.0-or-later
/* How much is out of balance by type of sd_group, kernels since 5.5; read in e496132ebedd. */
#include "policy/balance_groups.h"
#include "policy/domains.h"
#include "policy/flags.h"
#include "policy/variant.h"

/* NUMA_IMBALANCE_MIN: a pair of tasks that talk to each other. */
enum { PAIR = 2 };

static uint64_t difference(int more, int less)
{
	return more > less ? (uint64_t)(more - less) : 0;
}

/* Whether nodes may differ as they do. */
static bool is_tolerated(const struct balance *balance, const struct domain *domain,
			 const struct balance_level *level, uint64_t imbalance)
{
	const struct group_stats *from = &level->busiest.stats;
	const struct group_stats *to = &level->home.stats;

	if (!(domain->flags & SD_NUMA))
		return false;
	switch (balance->variant->numa_pull) {
	case NUMA_PULL_ALWAYS:
		return false;
	case NUMA_PULL_TWO:
		return from->nr_running <= PAIR;
	case NUMA_PULL_HALF_IDLE:
		return from->nr_running < from->weight / 2 && imbalance <= PAIR;
	case NUMA_PULL_QUARTER_SPAN:
		return to->nr_running < domain->span_weight / 4 && imbalance <= PAIR;
	case NUMA_PULL_LLCS:
		break;
	}
	return to->nr_running + 1 <= domain->imb_numa_nr && imbalance <= PAIR;
}

static uint64_t pull_into_room(const struct balance *balance, const struct domain *domain,
			       const struct balance_level *level, enum balance_pull *pull)
{
	const struct balance_group *busiest = &level->busiest;
	const struct balance_group *home = &level->home;
	uint64_t imbalance;

	if (busiest->type > GROUP_FULLY_BUSY && !(domain->flags & SD_SHARE_LLC)) {
		*pull = PULL_UTIL;
		if (home->stats.capacity > home->stats.util)
			return home->stats.capacity - home->stats.util;
		*pull = PULL_TASKS;
		return balance->idle != BALANCE_BUSY;
	}
	*pull = PULL_TASKS;
	if (busiest->stats.weight == 1 || level->prefers_siblings)
		imbalance = difference(busiest->stats.nr_running, home->stats.nr_running);
	else
		imbalance = difference(home->stats.idle_cpus, busiest->stats.idle_cpus);
	if (is_tolerated(balance, domain, level, imbalance))
		return 0;
	return imbalance / 2;
}

static uint64_t pull_load(const struct balance_level *level, enum balance_pull *pull)
{
	const struct balance_group *busiest = &level->busiest;
	const struct balance_group *home = &level->home;
	uint64_t above, below;

	*pull = PULL_LOAD;
	if (home->avg_load >= level->avg_load || busiest->avg_load <= level->avg_load)
		return 0;
	above = (busiest->avg_load - level->avg_load) * busiest->stats.capacity;
	below = (level->avg_load - home->avg_load) * home->stats.capacity;
	return least_of(above, below) / NICE_0_WEIGHT;
}

static bool loads_are_close(const struct domain *domain,
			    const struct balance_level *level)
{
	const struct balance_group *busiest = &level->busiest;
	const struct balance_group *home = &level->home;

	return home->avg_load >= busiest->avg_load || home->avg_load >= level->avg_load ||
	       100 * busiest->avg_load <=
		       (uint64_t)domain->imbalance_pct * home->avg_load;
}

static bool is_balanced(const struct balance *balance, const struct domain *domain,
			const struct balance_level *level)
{
	const struct balance_group *busiest = &level->busiest;
	const struct balance_group *home = &level->home;

	if (home->type > busiest->type)
		return true;
	if (home->type == GROUP_OVERLOADED)
		return loads_are_close(domain, level);
	if (level->prefers_siblings && home->type == GROUP_HAS_SPARE &&
	    busiest->stats.nr_running > home->stats.nr_running + 1)
		return false;
	if (busiest->type == GROUP_OVERLOADED)
		return false;
	if (balance->idle == BALANCE_BUSY)
		return true;
	if (busiest->stats.weight > 1 &&
	    home->stats.idle_cpus <= busiest->stats.idle_cpus + 1)
		return true;
	return busiest->stats.nr_running == 1;
}

uint64_t balance_imbalance_by_type(const struct balance *balance,
				   const struct domain *domain,
				   const struct balance_level *level,
				   enum balance_pull *pull)
{
	if (is_balanced(balance, domain, level))
		return 0;
	if (level->home.type == GROUP_HAS_SPARE)
		return pull_into_room(balance, domain, level, pull);
	return pull_load(level, pull);
}
