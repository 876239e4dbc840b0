/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Balancing: a CPU looks for tasks of others, at its tick (periodic) or as it runs out of
 * its own (newidle). Pure functions, in the order of use: is it time, is it this CPU's
 * turn, which CPU has too much and how much of it, which of its tasks move.
 */
#ifndef POLICY_BALANCE_H
#define POLICY_BALANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "policy/state.h"

struct domain;

/** enum balance_idle - what the CPU that pulls is doing */
enum balance_idle { BALANCE_BUSY, BALANCE_IDLE, BALANCE_NEWIDLE };

/**
 * struct balance - one attempt; everything is lent
 * @variant: the rules
 * @domains: built by the variant's domain rules
 * @cpus: by CPU number
 * @this_cpu: where tasks would go
 * @idle: what it does
 * @nr_failed: attempts at the level in a row that moved nothing
 */
struct balance {
	const struct policy_variant *variant;
	const struct domains *domains;
	const struct cpu_state *cpus;
	int this_cpu;
	enum balance_idle idle;
	unsigned int nr_failed;
};

/**
 * enum balance_pull - in what an imbalance is counted
 * @PULL_LOAD: load, 1024 for a task that always runs
 * @PULL_UTIL: util_avg
 * @PULL_TASKS: tasks
 */
enum balance_pull { PULL_LOAD, PULL_UTIL, PULL_TASKS };

/**
 * struct balance_plan - what to move
 * @busiest: CPU to take from
 * @pull: see enum balance_pull
 * @imbalance: how much, never 0
 */
struct balance_plan {
	int busiest;
	enum balance_pull pull;
	uint64_t imbalance;
};

/**
 * balance_min_interval_ms - shortest time between two attempts at a level
 * @variant: the rules
 * @domain: the level; intervals start here, and double up to balance_max_interval_ms()
 *
 * Source: sd_init() of 2.6.32 to 3.10 (1 to 8 ms) and 3.16 to 6.12 (a ms for each CPU).
 */
unsigned int balance_min_interval_ms(const struct policy_variant *variant,
				     const struct domain *domain);

/** balance_max_interval_ms - longest time, before @domain's busy_factor */
unsigned int balance_max_interval_ms(const struct policy_variant *variant,
				     const struct domain *domain);

/**
 * balance_wait_ns - time from one attempt to the next
 * @domains: of the machine
 * @interval_ms: of the level as it is now
 * @is_busy: whether the CPU runs a task, which makes it rarer by busy_factor
 * @tick_ns: length of a tick, the least
 *
 * Source: get_sd_balance_interval(); at most 100 ms for each CPU of the machine.
 */
uint64_t balance_wait_ns(const struct domains *domains, unsigned int interval_ms,
			 bool is_busy, uint64_t tick_ns);

/**
 * balance_newidle_starts - whether a CPU that runs out of tasks looks for others at all
 * @balance: with BALANCE_NEWIDLE
 * @is_overloaded: somewhere a CPU has two tasks or more
 * @cost_ns: what an attempt at the lowest level cost at most, lately
 *
 * Source: idle_balance() and newidle_balance() of 3.3 to 6.12: short idle periods aren't
 * worth it.
 */
bool balance_newidle_starts(const struct balance *balance, bool is_overloaded,
			    uint64_t cost_ns);

/**
 * balance_has_turn - whether this CPU balances @domain for its sd_group
 *
 * The first idle CPU of the group does, else its first one; newly idle ones always do.
 */
bool balance_has_turn(const struct balance *balance, const struct domain *domain);

/**
 * balance_find - which CPU has too much, and how much
 * @balance: the attempt
 * @domain: level of this_cpu to look at
 * @ret: written where something is to move
 *
 * Source: find_busiest_group(), calculate_imbalance() and find_busiest_queue() of 4.9 for
 * variants before 5.5, and of e496132ebedd for later ones. The averages over time that
 * kernels before 5.4 keep for busy CPUs (cpu_load[]) are left out, and so are groups marked
 * imbalanced, unequal CPUs and asymmetric packing.
 *
 * Return: whether the level is out of balance.
 */
bool balance_find(const struct balance *balance, const struct domain *domain,
		  struct balance_plan *ret);

/**
 * struct balance_task - a task of the busiest CPU
 * @allowed: its affinity; lent
 * @is_running: it holds the CPU
 * @load: its load: weight up to 3.10, else load_avg
 * @util: its util_avg
 * @idle_ns: since it last ran
 */
struct balance_task {
	const struct cpumask *allowed;
	bool is_running;
	uint64_t load, util, idle_ns;
};

/**
 * balance_take - which tasks move
 * @balance: the attempt
 * @plan: from balance_find()
 * @domain: the level
 * @tasks: of the busiest CPU, those that didn't run for the longest time first
 * @nr: how many
 * @ret: numbers of those that move, in order; room for @nr
 *
 * Source: detach_tasks() of 4.9 and e496132ebedd: up to 32 tasks are looked at, hot ones
 * (that ran within 0.5 ms) stay until cache_nice_tries attempts failed, newly idle CPUs
 * take one.
 *
 * Return: how many.
 */
size_t balance_take(const struct balance *balance, const struct balance_plan *plan,
		    const struct domain *domain, const struct balance_task *tasks,
		    size_t nr, size_t *ret);

/** balance_is_active - whether even the running task is pushed away by now */
bool balance_is_active(const struct balance *balance, const struct domain *domain);

#endif
