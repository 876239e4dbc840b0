/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Settings of a column: what the machine is told before its cells run, as the grid file
 * says it. Here they are only words; runner/settings_find.h makes files and values of
 * them, and runner/settings_apply.h writes these.
 */
#ifndef RUNNER_SETTINGS_H
#define RUNNER_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/cpulist.h"

struct err;
struct jval;

/** enum settings_method - how flags of sched_domains get into the kernel */
enum settings_method { SETTINGS_WRITE, SETTINGS_MODULE };

/** enum settings_switch - one of two states, or left alone */
enum settings_switch { SETTINGS_KEEP, SETTINGS_ON, SETTINGS_OFF };

/** struct settings_list - texts in the order written; owned */
struct settings_list {
	char **text;
	size_t nr;
};

/**
 * struct settings_pair - a name and what it is set to
 * @name: as written
 * @value: as written
 */
struct settings_pair {
	char *name, *value;
};

/** struct settings_pairs - pairs in the order written, no name twice; owned */
struct settings_pairs {
	struct settings_pair *pair;
	size_t nr;
};

/**
 * struct settings_domain - flags of the scheduling domains of all CPUs
 * @levels: names of levels; none: every level
 * @set: bits of enum sd_flag, see policy/flags.h; with @clear 0: nothing is asked for
 * @clear: likewise; no bit is in both
 * @method: how
 * @accept_word_only: flags that the kernel doesn't look at any more are wanted too
 */
struct settings_domain {
	struct settings_list levels;
	unsigned int set, clear;
	enum settings_method method;
	bool accept_word_only;
};

/**
 * struct settings_cpuset - a control group of CPUs that the workload runs in
 * @cpus: its CPUs; none: no such group
 * @mems: its memory nodes as a list; NULL: those of the group above
 * @partition: "member", "root" or "isolated" of version 2; NULL: as it comes
 */
struct settings_cpuset {
	struct cpulist cpus;
	char *mems, *partition;
};

/**
 * struct settings - all of a column
 * @users: columns that have it, for settings_share() and settings_free()
 * @domain: flags of scheduling domains
 * @features: of the scheduler, the name on or off ("on", "off")
 * @tunables: of the scheduler such as base_slice_ns, without "sched_" in front
 * @sysctl: such as vm.swappiness
 * @governor: of all CPUs; NULL: left alone
 * @thp: of transparent huge pages; NULL: left alone
 * @turbo: boost frequencies
 * @smt: more than one thread a core
 * @autogroup: a task group for each session
 * @numa_balancing: tasks and pages move to each other
 * @offline: CPUs to take offline
 * @cpuset: where the workload runs
 * @drop_caches: before each iteration, after the settings
 * @sync: likewise, before the caches are dropped
 */
struct settings {
	unsigned int users;
	struct settings_domain domain;
	struct settings_pairs features, tunables, sysctl;
	char *governor, *thp;
	enum settings_switch turbo, smt, autogroup, numa_balancing;
	struct cpulist offline;
	struct settings_cpuset cpuset;
	bool drop_caches, sync;
};

/** settings_new - nothing set, one user; NULL: out of memory */
struct settings *settings_new(void);

/** settings_share - one more user of the same; NULL is fine */
struct settings *settings_share(struct settings *settings);

/** settings_free - one user less, the last one frees it; NULL is fine */
void settings_free(struct settings *settings);

/** settings_any - whether there is anything to set or to do; false for NULL */
bool settings_any(const struct settings *settings);

/**
 * settings_json - what tells settings apart, whatever the order they were written in
 *
 * A renamed flag has its newest name. What is left alone is left out, and so is
 * "accept", which changes nothing of the machine.
 *
 * Return: new object; NULL: out of memory.
 */
struct jval *settings_json(const struct settings *settings);

/**
 * settings_has_level - whether the flags of a level are meant
 * @domain: what is asked for
 * @name: of the level as a kernel calls it; SIBLING is SMT, CPU, DIE and PKG are one level, and so are NODE and
 *        NUMA
 */
bool settings_has_level(const struct settings_domain *domain, const char *name);

/**
 * settings_level_names - names of levels that kernels have had, ended by NULL; static
 */
const char *const *settings_level_names(void);

/**
 * settings_flag - a flag of any kernel by its name
 * @name: such as SD_BALANCE_WAKE, old or new
 * @ret: its bit of enum sd_flag; written on success only
 * @err: names the nearest
 *
 * Return: 0 or -EINVAL.
 */
int settings_flag(const char *name, unsigned int *ret, struct err *err);

/** settings_add_text - append a copy; 0 or -ENOMEM */
int settings_add_text(struct settings_list *list, const char *text);

/** settings_add_pair - append copies; 0 or -ENOMEM */
int settings_add_pair(struct settings_pairs *pairs, const char *name, const char *value);

/** settings_value - what @name is set to, NULL: nothing; lent */
const char *settings_value(const struct settings_pairs *pairs, const char *name);

#endif
