// SPDX-License-Identifier: GPL-2.0-or-later
/* When a CPU balances, whether it has the turn, and which tasks move; see balance.h. */
#include "policy/balance.h"

#include "policy/domains.h"
#include "policy/flags.h"
#include "policy/release.h"
#include "policy/variant.h"

/* sysctl_sched_migration_cost; also what counts as hot. */
enum { MIGRATION_COST_NS = 500000 };

/* sysctl_sched_nr_migrate. */
enum { MOST_LOOKED_AT = 32 };

unsigned int balance_min_interval_ms(const struct policy_variant *variant,
				     const struct domain *domain)
{
	if (variant->release >= RELEASE(3, 16, 0) ||
	    (domain->level == SD_LEVEL_NUMA && variant->release >= RELEASE(3, 5, 0)))
		return (unsigned int)domain->span_weight;
	return domain->level == SD_LEVEL_NUMA || domain->level == SD_LEVEL_NODE ? 8 : 1;
}

unsigned int balance_max_interval_ms(const struct policy_variant *variant,
				     const struct domain *domain)
{
	unsigned int least = balance_min_interval_ms(variant, domain);

	if (variant->release >= RELEASE(3, 16, 0) || domain->level == SD_LEVEL_SMT ||
	    least > 8)
		return 2 * least;
	return 4 * least;
}

uint64_t balance_wait_ns(const struct domains *domains, unsigned int interval_ms,
			 bool is_busy, uint64_t tick_ns)
{
	uint64_t most = (uint64_t)cpumask_count(&domains->machine->online) * 100000000;
	uint64_t wait = (uint64_t)interval_ms * 1000000;

	if (is_busy)
		wait *= (uint64_t)domains->rules.busy_factor;
	if (wait > most)
		wait = most;
	return wait > tick_ns ? wait : tick_ns;
}

bool balance_newidle_starts(const struct balance *balance, bool is_overloaded,
			    uint64_t cost_ns)
{
	uint64_t idle = balance->cpus[balance->this_cpu].avg_idle_ns;
	unsigned int release = balance->variant->release;

	if (release >= RELEASE(4, 9, 0) && !is_overloaded)
		return false;
	if (release >= RELEASE(5, 17, 0))
		return idle >= cost_ns;
	return idle >= MIGRATION_COST_NS;
}

bool balance_has_turn(const struct balance *balance, const struct domain *domain)
{
	const struct cpumask *home = domain_group(balance->domains, domain, 0);
	int cpu;

	if (balance->idle == BALANCE_NEWIDLE)
		return true;
	for (cpu = cpumask_from(home, 0); cpu >= 0; cpu = cpumask_from(home, cpu + 1))
		if (cpu_is_idle(&balance->cpus[cpu]))
			return cpu == balance->this_cpu;
	return cpumask_from(home, 0) == balance->this_cpu;
}

static bool may_move(const struct balance *balance, const struct domain *domain,
		     const struct balance_task *task)
{
	if (task->is_running || !cpumask_has(task->allowed, balance->this_cpu))
		return false;
	return task->idle_ns >= MIGRATION_COST_NS ||
	       balance->nr_failed > (unsigned int)domain->cache_nice_tries ||
	       (domain->flags & SD_SHARE_CPUCAPACITY);
}

/* What @task takes off @left; 0: too much, it stays. */
static uint64_t part_of(const struct balance_plan *plan, const struct balance_task *task,
			uint64_t left)
{
	uint64_t load = task->load ? task->load : 1;
	uint64_t util = task->util ? task->util : 1;

	switch (plan->pull) {
	case PULL_LOAD:
		return load / 2 <= left ? load : 0;
	case PULL_UTIL:
		return util <= left ? util : 0;
	case PULL_TASKS:
		break;
	}
	return 1;
}

size_t balance_take(const struct balance *balance, const struct balance_plan *plan,
		    const struct domain *domain, const struct balance_task *tasks,
		    size_t nr, size_t *ret)
{
	uint64_t left = plan->imbalance;
	size_t nr_taken = 0;
	size_t i;

	for (i = 0; i < nr && i < MOST_LOOKED_AT; i++) {
		uint64_t part;

		/* An idle CPU doesn't leave the other one without work. */
		if (balance->idle != BALANCE_BUSY && nr - nr_taken <= 1)
			break;
		if (!may_move(balance, domain, &tasks[i]))
			continue;
		part = part_of(plan, &tasks[i], left);
		if (!part)
			continue;
		ret[nr_taken++] = i;
		if (balance->idle == BALANCE_NEWIDLE || part >= left)
			break;
		left -= part;
	}
	return nr_taken;
}

bool balance_is_active(const struct balance *balance, const struct domain *domain)
{
	return balance->idle != BALANCE_NEWIDLE &&
	       balance->nr_failed > (unsigned int)domain->cache_nice_tries + 2;
}
