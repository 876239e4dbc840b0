/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What both models of balancing share: sums of sd_groups, their type, the level's total. */
#ifndef POLICY_BALANCE_GROUPS_H
#define POLICY_BALANCE_GROUPS_H

#include "policy/balance.h"
#include "policy/idlest.h"

/**
 * struct balance_group - an sd_group as balancing compares it
 * @mask: its CPUs; lent
 * @stats: sums over them
 * @type: see enum group_type; before 5.5 a group is overloaded or has spare
 * @avg_load: load for each 1024 of capacity
 * @has_room: tasks may still come (before 5.5)
 */
struct balance_group {
	const struct cpumask *mask;
	struct group_stats stats;
	enum group_type type;
	uint64_t avg_load;
	bool has_room;
};

/**
 * struct balance_level - a level as an attempt sees it
 * @home: the sd_group of the CPU that pulls
 * @busiest: the one to pull from; its mask is NULL where there is none
 * @avg_load: of all
 * @prefers_siblings: tasks spread over the groups below (SD_PREFER_SIBLING of the child)
 */
struct balance_level {
	struct balance_group home, busiest;
	uint64_t avg_load;
	bool prefers_siblings;
};

/** balance_imbalance_by_load - the model before 5.5; 0: in balance */
uint64_t balance_imbalance_by_load(const struct balance *balance,
				   const struct domain *domain,
				   const struct balance_level *level);

/** balance_imbalance_by_type - the model since 5.5; @pull is set. 0: in balance */
uint64_t balance_imbalance_by_type(const struct balance *balance,
				   const struct domain *domain,
				   const struct balance_level *level,
				   enum balance_pull *pull);

#endif
