/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a kernel version puts into its sched_domains: levels, flags, margins. Found by
 * version, each value in a table of its own by the version it holds from.
 */
#ifndef POLICY_DOMAIN_RULES_H
#define POLICY_DOMAIN_RULES_H

#include <stdbool.h>

struct err;

/**
 * enum sd_level - levels of domains, bottom up
 * @SD_LEVEL_SMT: threads of a core
 * @SD_LEVEL_CLS: CPUs with a common L2 or L3 tag
 * @SD_LEVEL_MC: CPUs with a common LLC
 * @SD_LEVEL_PKG: CPUs of a node (not of a package); CPU or DIE in older kernels
 * @SD_LEVEL_NODE: the same by the distance table, where PKG is left out
 * @SD_LEVEL_NUMA: nodes; several levels on machines with several distances
 * @SD_LEVELS: how many; also "all of them"
 */
enum sd_level {
	SD_LEVEL_SMT,
	SD_LEVEL_CLS,
	SD_LEVEL_MC,
	SD_LEVEL_PKG,
	SD_LEVEL_NODE,
	SD_LEVEL_NUMA,
	SD_LEVELS,
};

/**
 * struct domain_rules - of one kernel version; arrays are by enum sd_level
 * @release: the version, see policy/release.h
 * @name: as the kernel spells it; NULL: no such level
 * @flags: bits of enum sd_flag before anything degenerates
 * @imbalance_pct: from which relation of loads on a level counts as out of balance
 * @cache_nice_tries: failed attempts before cache-hot tasks move
 * @busy_factor: how much rarer a busy CPU balances
 * @max_nodes: machines with more nodes have levels that aren't modelled; 0: no limit
 * @imb_numa_shift: part of a node with one LLC that imb_numa_nr allows; 0: no such field
 * @imb_numa_min: its least value above the LLC
 * @has_distances: NUMA levels follow the distance table
 * @has_machine_reclaim: the machine says from which distance on nodes are far
 * @drops_package: x86 has no PKG level where a package has several nodes
 * @needs_groups_numa: the NUMA flags of a level with one sd_group don't keep it
 * @has_smt_gain: the threads of a core share 1178 of capacity instead of having 1024 each
 */
struct domain_rules {
	unsigned int release;
	const char *name[SD_LEVELS];
	unsigned int flags[SD_LEVELS];
	int imbalance_pct[SD_LEVELS];
	int cache_nice_tries[SD_LEVELS];
	int busy_factor;
	int max_nodes;
	int imb_numa_shift, imb_numa_min;
	bool has_distances, has_machine_reclaim, drops_package, needs_groups_numa;
	bool has_smt_gain;
};

/**
 * domain_rules_of - the rules of a kernel version
 * @release: see policy/release.h; below 2.6.32 is taken as 2.6.32
 * @ret: filled
 *
 * Source: sd_init() and the topology tables of the kernels from 2.6.32 to 6.12.
 */
void domain_rules_of(unsigned int release, struct domain_rules *ret);

/**
 * sd_level_parse - the level with a name
 * @name: SMT, CLS, MC, PKG (or DIE or CPU, its older names), NODE, NUMA, all
 * @ret: written on success only; SD_LEVELS for all
 * @err: says what is valid
 *
 * Return: 0 or -EINVAL.
 */
int sd_level_parse(const char *name, enum sd_level *ret, struct err *err);

/** struct flag_change - flags to set and to clear at a level, bits of enum sd_flag */
struct flag_change {
	enum sd_level level;
	unsigned int set, clear;
};

/** flag_change_apply - @flags of a domain at @level after the change */
unsigned int flag_change_apply(const struct flag_change *change, enum sd_level level,
			       unsigned int flags);

#endif
