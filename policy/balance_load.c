// SPDX-License-Identifier: GPL-2.0-or-later
/* How much is out of balance by load, kernels before 5.5; read in 4.9.0. */
#include "policy/balance_groups.h"
#include "policy/domains.h"

static uint64_t load_per_task(const struct balance_group *group)
{
	uint64_t nr = (uint64_t)group->stats.nr_running;

	return nr ? group->stats.load / nr : 0;
}

/* What @group gets done with @load more or less, as far as one task's load tells. */
static uint64_t throughput(const struct balance_group *group, uint64_t per_task,
			   uint64_t load)
{
	return group->stats.capacity * least_of(per_task, load);
}

/* One task moves where that lets the level get more done. */
static uint64_t small_imbalance(const struct balance_level *level)
{
	const struct balance_group *busiest = &level->busiest;
	const struct balance_group *home = &level->home;
	uint64_t from = load_per_task(busiest);
	uint64_t to = home->stats.nr_running ? load_per_task(home) : from;
	/* Beside a lighter task at home, one task's lead suffices. */
	uint64_t lead = home->stats.nr_running && from > to ? 1 : 2;
	uint64_t scaled = from * NICE_0_WEIGHT / busiest->stats.capacity;
	uint64_t added = from * NICE_0_WEIGHT / home->stats.capacity;
	uint64_t now, then;

	if (busiest->avg_load + scaled >= home->avg_load + scaled * lead)
		return from;
	now = throughput(busiest, from, busiest->avg_load) +
	      throughput(home, to, home->avg_load);
	then = throughput(home, to, home->avg_load + added);
	if (busiest->avg_load > scaled)
		then += throughput(busiest, from, busiest->avg_load - scaled);
	return then > now ? from : 0;
}

static bool is_balanced(const struct balance *balance, const struct domain *domain,
			const struct balance_level *level)
{
	const struct balance_group *busiest = &level->busiest;
	const struct balance_group *home = &level->home;

	if (balance->idle == BALANCE_NEWIDLE && home->has_room && !busiest->has_room)
		return false;
	if (home->avg_load >= busiest->avg_load || home->avg_load >= level->avg_load)
		return true;
	if (balance->idle == BALANCE_IDLE)
		return busiest->type != GROUP_OVERLOADED &&
		       home->stats.idle_cpus <= busiest->stats.idle_cpus + 1;
	return 100 * busiest->avg_load <=
	       (uint64_t)domain->imbalance_pct * home->avg_load;
}

/* Both are overloaded: no more than what the busiest has above one task for each CPU. */
static uint64_t load_above_capacity(const struct balance_level *level)
{
	const struct group_stats *stats = &level->busiest.stats;
	uint64_t needed = (uint64_t)stats->nr_running * NICE_0_WEIGHT;

	if (level->busiest.type != GROUP_OVERLOADED ||
	    level->home.type != GROUP_OVERLOADED || needed <= stats->capacity)
		return UINT64_MAX;
	return (needed - stats->capacity) * NICE_0_WEIGHT / stats->capacity;
}

uint64_t balance_imbalance_by_load(const struct balance *balance,
				   const struct domain *domain,
				   const struct balance_level *level)
{
	const struct balance_group *busiest = &level->busiest;
	const struct balance_group *home = &level->home;
	uint64_t above, below, imbalance;

	if (!busiest->stats.nr_running || is_balanced(balance, domain, level))
		return 0;
	if (busiest->avg_load <= level->avg_load || home->avg_load >= level->avg_load)
		return small_imbalance(level);
	above = least_of(busiest->avg_load - level->avg_load, load_above_capacity(level));
	below = level->avg_load - home->avg_load;
	imbalance =
		least_of(above * busiest->stats.capacity, below * home->stats.capacity) /
		NICE_0_WEIGHT;
	return imbalance < load_per_task(busiest) ? small_imbalance(level) : imbalance;
}
