/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The idlest CPU of a domain: how tasks are placed at fork and exec, and at those wakeups
 * that balance.
 */
#ifndef POLICY_IDLEST_H
#define POLICY_IDLEST_H

#include <stdbool.h>
#include <stdint.h>

#include "policy/state.h"

struct domain;
struct idlest_rules;

/** enum place_event - why a task is placed */
enum place_event { PLACE_FORK, PLACE_EXEC, PLACE_WAKEUP };

/**
 * place_fork - the CPU of a new task
 *
 * Return: a CPU that @place's task is allowed on.
 */
int place_fork(const struct placement *place);

/** place_exec - where the task goes as it starts a new program; as place_fork() */
int place_exec(const struct placement *place);

/**
 * idlest_walk - search from a domain downwards
 * @place: the decision
 * @event: why
 * @domain: of @place's this_cpu, where to begin; NULL: nothing is searched
 *
 * Return: the CPU found, or this_cpu where no sd_group was idler.
 */
int idlest_walk(const struct placement *place, enum place_event event,
		const struct domain *domain);

/**
 * idlest_group_by_load - the sd_group to go to by load, kernels before 5.5
 * @place: the decision
 * @event: why
 * @domain: whose ring to search
 * @cpu: the CPU that stands for home
 *
 * Source: find_idlest_group() of 3.3, 4.9, f519a3f1c6b7, 4.10, 4.19 and 5.4.
 *
 * Return: its number in the ring, or -1 to stay at home.
 */
int idlest_group_by_load(const struct placement *place, enum place_event event,
			 const struct domain *domain, int cpu);

/** idlest_group_by_type - the same by type of sd_group, kernels from 5.5 on */
int idlest_group_by_type(const struct placement *place, const struct domain *domain,
			 int cpu);

/** enum group_type - how busy an sd_group is, idle first */
enum group_type { GROUP_HAS_SPARE, GROUP_FULLY_BUSY, GROUP_OVERLOADED };

/**
 * struct group_stats - sums over the CPUs of an sd_group, the placed task left out
 * @load: of load_avg
 * @util: of util_avg
 * @runnable: of runnable_avg
 * @capacity: of capacity
 * @nr_running: tasks
 * @idle_cpus: CPUs without any
 * @weight: CPUs
 */
struct group_stats {
	uint64_t load, util, runnable, capacity;
	int nr_running, idle_cpus, weight;
};

/**
 * group_classify - type of an sd_group
 * @stats: its sums
 * @imbalance_pct: of the level
 * @rules: the variant's
 *
 * Source: group_is_overloaded() and group_has_capacity(), 5.5 to 6.12. Types that need
 * unequal CPUs, asymmetric packing or a history of failed balancing are not modelled.
 */
enum group_type group_classify(const struct group_stats *stats, int imbalance_pct,
			       const struct idlest_rules *rules);

#endif
