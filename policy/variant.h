/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Policy variants: which rules of placement a kernel follows. A rule that versions share
 * exists once; what differs between them is a field here.
 */
#ifndef POLICY_VARIANT_H
#define POLICY_VARIANT_H

#include <stdbool.h>
#include <stddef.h>

struct err;

/**
 * enum load_signal - what "load of a CPU" means
 * @LOAD_WEIGHT: weights of its runnable tasks, at once (up to 3.10)
 * @LOAD_RUNNABLE: decayed load of its runnable tasks (3.16 to 5.4)
 * @LOAD_AVG: decayed load, sleeping tasks included (5.5 and later)
 */
enum load_signal { LOAD_WEIGHT, LOAD_RUNNABLE, LOAD_AVG };

/** enum fork_signal - what decides between sd_groups at fork, before 5.5 */
enum fork_signal {
	FORK_RUNNABLE,		/* load alone */
	FORK_SPARE_FIRST,	/* spare capacity, then load */
	FORK_SPARE_EXCEPT_FORK, /* the same at exec and wakeup, load alone at fork */
	FORK_LOAD_AND_RUNNABLE, /* runnable load, then load_avg; spare as above */
};

/** enum numa_imbalance - when fork stays in a node although another has more idle CPUs */
enum numa_imbalance {
	NUMA_NONE,	     /* while an idle CPU is left at home */
	NUMA_QUARTER_SPAN,   /* below a quarter of the level's CPUs */
	NUMA_LLCS,	     /* up to imb_numa_nr tasks */
	NUMA_AFFINITY_AWARE, /* the same, and up to the allowed CPUs at home */
	NUMA_STRICT,	     /* the same, and idle CPUs differ by 2 at most */
};

/**
 * struct idlest_rules - fork and exec: the search for the idlest sd_group and CPU
 * @load: what load means
 * @signal: before 5.5
 * @by_type: sd_groups are classified first (5.5 and later)
 * @stops_at_gap: the search starts below the first level that lacks the flag
 * @absent_local_is_idle: a local sd_group outside the affinity counts as load 0
 * @has_numa_margin: runnable load must differ by a margin between nodes (4.19 to 5.4)
 * @weight_is_unset: sd_groups are taken as having no CPUs (5.5, 5.6)
 * @busy_load_is_unset: loads of busy sd_groups are compared as 0 (5.5, 5.6)
 * @has_runnable_conditions: runnable_avg enters the type (5.7 and later)
 * @counts_allowed_only: statistics leave CPUs outside the affinity out
 * @has_util_tie: equal idle CPUs: the lower utilisation (5.9 and later)
 * @numa: between nodes (5.5 and later)
 * @by_idle_age: an idle CPU wins by exit latency, then by how recently it became idle
 * @sched_idle_wins: a CPU with SCHED_IDLE tasks only is taken at once (5.4 and later)
 */
struct idlest_rules {
	enum load_signal load;
	enum fork_signal signal;
	bool by_type, stops_at_gap, absent_local_is_idle, has_numa_margin;
	bool weight_is_unset, busy_load_is_unset, has_runnable_conditions;
	bool counts_allowed_only, has_util_tie;
	enum numa_imbalance numa;
	bool by_idle_age, sched_idle_wins;
};

/**
 * enum wake_affine - what decides between the waker's and the previous CPU
 * @AFFINE_WEIGHTS: weights, by half the level's margin or by load per task (up to 3.10)
 * @AFFINE_LOADS: decayed loads by that margin (4.8 to 4.13)
 * @AFFINE_STAGES: idle CPUs first, then decayed loads (4.14 and later)
 */
enum wake_affine { AFFINE_WEIGHTS, AFFINE_LOADS, AFFINE_STAGES };

/** enum idle_search - how an idle CPU near the target is looked for */
enum idle_search {
	SEARCH_UPWARDS,	      /* level by level, any idle CPU (3.0) */
	SEARCH_SKIP_SIBLING,  /* the same, on beyond an idle sibling (a patch of 2011) */
	SEARCH_CORES_THREADS, /* idle sd_groups above SMT, then in it (3.1, 3.2) */
	SEARCH_DOWNWARDS,     /* idle sd_groups from the LLC's level down (3.3 to 4.8) */
	SEARCH_SCAN,	      /* idle cores, then idle CPUs (4.9 and later) */
};

/** enum idle_scan - how many CPUs the scan of 4.9 and later looks at */
enum idle_scan {
	SCAN_ALL,	 /* the whole LLC */
	SCAN_CUTOFF,	 /* none when idle periods are short (4.9 to 4.12) */
	SCAN_PROPORTION, /* by the length of idle periods (4.13 to 5.13) */
	SCAN_AGED,	 /* the same, ageing while the CPU is busy (5.14 to 5.19) */
	SCAN_UTIL,	 /* by the LLC's utilisation (6.0 and later) */
};

/**
 * struct wake_rules - placement at wakeup
 * @falls_to_walk: where wake_affine declines, levels with SD_BALANCE_WAKE are searched
 *                 (2.6.33)
 * @walk_needs_idle: levels with SD_BALANCE_WAKE are searched by idle wakers only
 * @stops_at_affine: the first level that spans both CPUs ends the look at levels (4.8
 *                   and later)
 * @has_wide: wakers and wakees of many leave wake_affine out (4.8 and later)
 * @affine: see enum wake_affine
 * @affine_needs_cache: an idle waker's CPU counts only where it shares the LLC with the
 *                      previous one; equal loads go there (4.19 and later)
 * @affine_sees_prev: an idle previous CPU wins (5.11 and later)
 * @search: see enum idle_search
 * @sees_idle_prev: before the search, an idle previous CPU of the same LLC is taken (3.10
 *                  and later)
 * @scan: see enum idle_scan
 * @sees_recent: so is an idle CPU that the task ran on before (4.19 and later)
 * @is_one_scan: cores and CPUs in one pass (5.12 and later)
 * @starts_behind_target: scans begin at the CPU after the target (5.15 and later)
 * @clusters_first: scans begin with the cluster (6.8 and later)
 * @queues_by_cache: only wakeups to another LLC are handed over by an interrupt (3.3 and
 *                   later)
 */
struct wake_rules {
	bool falls_to_walk, walk_needs_idle, stops_at_affine, has_wide;
	enum wake_affine affine;
	bool affine_needs_cache, affine_sees_prev;
	enum idle_search search;
	bool sees_idle_prev;
	enum idle_scan scan;
	bool sees_recent, is_one_scan, starts_behind_target, clusters_first;
	bool queues_by_cache;
};

/**
 * enum numa_pull - when balancing leaves nodes that have room as they are (5.5 and later)
 * @NUMA_PULL_ALWAYS: never (5.5)
 * @NUMA_PULL_TWO: while the busiest node runs two tasks or fewer (5.6 to 5.10)
 * @NUMA_PULL_HALF_IDLE: while it runs fewer tasks than half its CPUs, for an imbalance of
 *                       up to two (approximate; a proposal of 2020-01)
 * @NUMA_PULL_QUARTER_SPAN: while the other one runs fewer than a quarter of the level's
 *                          CPUs, likewise (5.11 to 5.17)
 * @NUMA_PULL_LLCS: up to imb_numa_nr tasks there, likewise (5.18 and later)
 */
enum numa_pull {
	NUMA_PULL_ALWAYS,
	NUMA_PULL_TWO,
	NUMA_PULL_HALF_IDLE,
	NUMA_PULL_QUARTER_SPAN,
	NUMA_PULL_LLCS,
};

/**
 * enum wakeup_granularity - how far a woken task must lead to preempt, before 6.6
 * @GRANULARITY_FIXED: by the same time everywhere
 * @GRANULARITY_BY_NR_RUNNING: by that time for each runnable task of the CPU, at most
 *                             8 ms (approximate; a proposal)
 */
enum wakeup_granularity { GRANULARITY_FIXED, GRANULARITY_BY_NR_RUNNING };

/** enum initial_runnable - runnable_avg of a new task */
enum initial_runnable { INITIAL_RUNNABLE_FULL, INITIAL_RUNNABLE_UTIL };

/**
 * struct policy_variant - one kernel's rules
 * @name: as in grid files: v6.1.192, fix-sig
 * @follows: the tree or commit that its rules were read in
 * @summary: what it is there for, a few words
 * @release: version that the rules not named in @switches hold for, see policy/release.h
 * @switches: rules that differ from that version's: "switch=value" with + between; NULL: none
 * @idlest: placement at fork and exec
 * @wake: placement at wakeup
 * @numa_pull: balancing between nodes; see policy/balance.h for what needs no field
 * @granularity: preemption by woken tasks
 * @initial_runnable: what a new task starts with
 */
struct policy_variant {
	const char *name, *follows, *summary, *switches;
	unsigned int release;
	struct idlest_rules idlest;
	struct wake_rules wake;
	enum numa_pull numa_pull;
	enum wakeup_granularity granularity;
	enum initial_runnable initial_runnable;
};

/**
 * policy_variant_find - the variant with a name
 * @name: of a variant, or "BASE+SWITCH=VALUE+..." for a base with rules exchanged:
 *        v5.18+numa_imbalance=affinity-aware; docs/policy.md lists them
 * @ret: filled on success only; its strings are constant and describe the base
 * @err: says which variant, switch or value is valid
 *
 * Return: 0, -EINVAL or -ENOMEM.
 */
int policy_variant_find(const char *name, struct policy_variant *ret, struct err *err);

/** policy_variant_name - of the @index-th variant, oldest first; NULL behind the last */
const char *policy_variant_name(size_t index);

/** policy_switch_name - of the @index-th switch, by name; NULL behind the last one */
const char *policy_switch_name(size_t index);

#endif
