// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Ticks and balancing of the simulator. Simpler than the kernel: moves take effect at
 * once, also when a running task is pushed away, and idle CPUs are balanced at the tick of
 * a busy one that has two tasks.
 */
#include "policy/domains.h"
#include "policy/flags.h"
#include "policy/sim_parts.h"
#include "policy/variant.h"
#include "policy/wake.h"

void sim_balance_init(struct sim *sim)
{
	const struct domains *domains = sim->options->domains;
	int cpu, i;

	for (cpu = cpumask_from(&sim->machine->online, 0); cpu >= 0;
	     cpu = cpumask_from(&sim->machine->online, cpu + 1)) {
		const struct domain *domain = domains->cpu[cpu].base;

		for (i = 0; domain && i < SIM_LEVELS; i++, domain = domain->parent)
			sim->cpus[cpu].levels[i].interval_ms =
				balance_min_interval_ms(sim->options->variant, domain);
	}
}

/* Tasks of @busiest, those that didn't run for the longest time first. */
static size_t list_candidates(struct sim *sim, int busiest)
{
	const struct sim_cpu *from = &sim->cpus[busiest];
	bool by_weight = sim->options->variant->idlest.load == LOAD_WEIGHT;
	size_t i, at;

	for (i = 0; i < from->nr; i++) {
		int number = from->tasks[i];
		const struct sim_task *task = &sim->tasks[number];
		struct balance_task candidate = {
			.allowed = &sim->allowed,
			.is_running = from->current == number,
			.load = by_weight ? NICE_0_WEIGHT : task->signals.load.avg,
			.util = task->signals.util.avg,
		};

		if (!candidate.is_running)
			candidate.idle_ns = sim->now_ns - task->since_ns;
		for (at = i; at && sim->candidates[at - 1].idle_ns < candidate.idle_ns;
		     at--) {
			sim->candidates[at] = sim->candidates[at - 1];
			sim->candidate_ids[at] = sim->candidate_ids[at - 1];
		}
		sim->candidates[at] = candidate;
		sim->candidate_ids[at] = number;
	}
	return from->nr;
}

static void move(struct sim *sim, int number, int cpu, enum sim_event event)
{
	sim_observe(sim, event, number, sim->tasks[number].cpu, cpu, cpu);
	sim_dequeue(sim, number, TASK_WAITING);
	sim_enqueue(sim, number, cpu, event);
}

/* Push the running task of @busiest over to @cpu. */
static size_t push_running(struct sim *sim, int busiest, int cpu)
{
	int number = sim->cpus[busiest].current;

	if (number < 0 || !cpumask_has(&sim->allowed, cpu))
		return 0;
	move(sim, number, cpu, SIM_ACTIVE);
	return 1;
}

static size_t pull(struct sim *sim, const struct balance *balance,
		   const struct domain *domain, const struct balance_plan *plan)
{
	enum sim_event event =
		balance->idle == BALANCE_NEWIDLE ? SIM_NEWIDLE : SIM_PERIODIC;
	size_t nr = list_candidates(sim, plan->busiest);
	size_t i;

	nr = balance_take(balance, plan, domain, sim->candidates, nr, sim->taken);
	for (i = 0; i < nr; i++)
		move(sim, sim->candidate_ids[sim->taken[i]], balance->this_cpu, event);
	return nr;
}

static struct balance attempt(const struct sim *sim, int cpu, enum balance_idle idle,
			      const struct sim_level *level)
{
	return (struct balance){
		.variant = sim->options->variant,
		.domains = sim->options->domains,
		.cpus = sim->states,
		.this_cpu = cpu,
		.idle = idle,
		.nr_failed = level->nr_failed,
	};
}

/* One attempt at a level; how many tasks came. */
static size_t balance_level(struct sim *sim, const struct domain *domain,
			    struct sim_level *level, int cpu, enum balance_idle idle)
{
	struct balance balance = attempt(sim, cpu, idle, level);
	struct balance_plan plan;
	size_t nr;

	if (!balance_find(&balance, domain, &plan)) {
		level->nr_failed = 0;
		if (level->interval_ms < balance_max_interval_ms(balance.variant, domain))
			level->interval_ms *= 2;
		return 0;
	}
	nr = pull(sim, &balance, domain, &plan);
	level->interval_ms = balance_min_interval_ms(balance.variant, domain);
	if (nr) {
		level->nr_failed = 0;
		return nr;
	}
	if (idle != BALANCE_NEWIDLE)
		level->nr_failed++;
	balance.nr_failed = level->nr_failed;
	if (!balance_is_active(&balance, domain))
		return 0;
	nr = push_running(sim, plan.busiest, cpu);
	if (nr)
		level->nr_failed = (unsigned int)domain->cache_nice_tries + 1;
	return nr;
}

/* 6.0 and later: balancing says how far wakeups of an LLC scan. */
static void renew_scan_limit(struct sim *sim, const struct domain *domain, int cpu)
{
	const struct domain_cpu *cached = &sim->options->domains->cpu[cpu];
	uint64_t util = 0;
	int other;

	if (domain != cached->llc)
		return;
	for (other = cpumask_from(domain->span, 0); other >= 0;
	     other = cpumask_from(domain->span, other + 1))
		util += sim->states[other].util_avg;
	sim->states[cached->llc_id].nr_idle_scan =
		scan_limit_of_util(util, cached->llc_size, domain->imbalance_pct);
}

static void balance_cpu(struct sim *sim, int cpu, enum balance_idle idle)
{
	const struct domains *domains = sim->options->domains;
	const struct domain *domain = domains->cpu[cpu].base;
	int i;

	for (i = 0; domain && i < SIM_LEVELS; i++, domain = domain->parent) {
		struct sim_level *level = &sim->cpus[cpu].levels[i];
		struct balance balance = attempt(sim, cpu, idle, level);

		if (sim->now_ns <
		    level->last_ns + balance_wait_ns(domains, level->interval_ms,
						     idle == BALANCE_BUSY, SIM_TICK_NS))
			continue;
		level->last_ns = sim->now_ns;
		renew_scan_limit(sim, domain, cpu);
		if (balance_has_turn(&balance, domain) &&
		    balance_level(sim, domain, level, cpu, idle))
			idle = BALANCE_BUSY;
	}
}

/* Idle CPUs have no tick: one of them is asked to balance for all. */
static void kick_idle(struct sim *sim)
{
	int cpu;

	if (sim->now_ns < sim->nohz_next_ns)
		return;
	sim->nohz_next_ns = sim->now_ns + SIM_TICK_NS;
	for (cpu = cpumask_from(&sim->machine->online, 0); cpu >= 0;
	     cpu = cpumask_from(&sim->machine->online, cpu + 1)) {
		if (!cpu_is_idle(&sim->states[cpu]))
			continue;
		signals_touch(sim, cpu);
		balance_cpu(sim, cpu, BALANCE_IDLE);
	}
}

void sim_tick(struct sim *sim, int cpu)
{
	struct sim_cpu *here = &sim->cpus[cpu];

	if (here->current < 0) {
		here->has_tick = false;
		return;
	}
	sim_touch(sim, cpu);
	sim_post(sim, sim->now_ns + SIM_TICK_NS, KIND_TICK, cpu, 0);
	if (sim_tick_fair(sim, cpu))
		sim_ask(sim, cpu);
	sim->tasks[here->current].debt_ns += sim->options->costs->tick;
	sim_arm(sim, cpu);
	balance_cpu(sim, cpu, BALANCE_BUSY);
	if (here->nr > 1)
		kick_idle(sim);
}

void sim_newidle(struct sim *sim, int cpu)
{
	const struct domains *domains = sim->options->domains;
	const struct domain *domain = domains->cpu[cpu].base;
	uint64_t cost_ns = 0;
	struct balance balance =
		attempt(sim, cpu, BALANCE_NEWIDLE, &sim->cpus[cpu].levels[0]);
	int i;

	if (!domain || !balance_newidle_starts(&balance, sim->nr_overloaded > 0,
					       (uint64_t)domain->span_weight *
						       sim->options->costs->balance_cpu))
		return;
	for (i = 0; domain && i < SIM_LEVELS; i++, domain = domain->parent) {
		struct sim_level *level = &sim->cpus[cpu].levels[i];

		cost_ns +=
			(uint64_t)domain->span_weight * sim->options->costs->balance_cpu;
		if (sim->states[cpu].avg_idle_ns < cost_ns)
			return;
		if (!(domain->flags & SD_BALANCE_NEWIDLE))
			continue;
		if (balance_level(sim, domain, level, cpu, BALANCE_NEWIDLE))
			return;
	}
}
