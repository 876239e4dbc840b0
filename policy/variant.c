// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The variants by name. A variant is a version, whose rules rules_of() knows, and named
 * switches for what differs from it: how a patch and a user's own question are written.
 */
#include "policy/variant.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/err.h"
#include "lib/text.h"
#include "policy/release.h"

#define NR(array) (sizeof(array) / sizeof((array)[0]))

/* Each is bound to the tree it was read in; stable trees carry later changes. */
static const struct policy_variant variants[] = {
	{
		.name = "v2.6.33",
		.follows = "2.6.33",
		.summary = "wakeups that balance by flag",
		.release = RELEASE(2, 6, 33),
	},
	{
		.name = "v3.0",
		.follows = "3.0.101",
		.summary = "idle sibling level by level",
		.release = RELEASE(3, 0, 0),
	},
	{
		.name = "v3.0-hunk",
		.follows = "3.0.101 and the patch of 2011-11",
		.summary = "an idle core before the idle sibling",
		.switches = "smt_preference=skip-sibling",
		.release = RELEASE(3, 0, 0),
	},
	{
		.name = "v3.2",
		.follows = "3.2.41",
		.summary = "idle cores before idle threads",
		.release = RELEASE(3, 2, 0),
	},
	{
		.name = "v3.3",
		.follows = "3.3.8",
		.summary = "idle sd_groups from the cached LLC down",
		.release = RELEASE(3, 3, 0),
	},
	{
		.name = "v3.10",
		.follows = "3.10.4",
		.summary = "the same, an idle previous CPU is seen",
		.release = RELEASE(3, 10, 0),
	},
	{
		.name = "v4.8",
		.follows = "4.8.15",
		.summary = "decayed loads, wide wakeups",
		.release = RELEASE(4, 8, 0),
	},
	{
		.name = "v4.9",
		.follows = "4.9.0",
		.summary = "search for cores, then for CPUs",
		.release = RELEASE(4, 9, 0),
	},
	{
		.name = "tip-sched-2016-12",
		.follows = "4.9-rc6 and the queue for 4.10",
		.summary = "spare capacity before load",
		.switches = "fork_signal=spare-first",
		.release = RELEASE(4, 9, 0),
	},
	{
		.name = "fix-fig",
		.follows = "f519a3f1c6b7",
		.summary = "the same, but not at fork",
		.switches = "fork_signal=spare-except-fork",
		.release = RELEASE(4, 9, 0),
	},
	{
		.name = "fix-sig",
		.follows = "4.10.0 on 4.9-rc6",
		.summary = "runnable load, then load_avg",
		.switches = "fork_signal=load-and-runnable",
		.release = RELEASE(4, 9, 0),
	},
	{
		.name = "v4.10",
		.follows = "4.10.0",
		.summary = "as fix-sig",
		.release = RELEASE(4, 10, 0),
	},
	{
		.name = "v4.13",
		.follows = "1ad3aaf3fcd2",
		.summary = "search in proportion to idle time",
		.release = RELEASE(4, 13, 0),
	},
	{
		.name = "v4.14",
		.follows = "4.14.5",
		.summary = "wake_affine in two stages",
		.release = RELEASE(4, 14, 0),
	},
	{
		.name = "v4.19",
		.follows = "4.19.1",
		.summary = "margins between nodes, recently used CPU",
		.release = RELEASE(4, 19, 0),
	},
	{
		.name = "v5.4",
		.follows = "5.4.195",
		.summary = "CPUs with SCHED_IDLE tasks only are free",
		.release = RELEASE(5, 4, 0),
	},
	{
		.name = "v5.5",
		.follows = "9f68395333ad less what 5.6 and 5.7 brought",
		.summary = "types of sd_groups, statistics unset",
		.release = RELEASE(5, 5, 0),
	},
	{
		.name = "v5.6",
		.follows = "9f68395333ad less what 5.7 brought",
		.summary = "two tasks stay in a node when balancing",
		.release = RELEASE(5, 6, 0),
	},
	{
		.name = "9f68395",
		.follows = "9f68395333ad",
		.summary = "types of sd_groups; the base of 070f5e8",
		.switches = "group_weight=unset+busy_load=unset+runnable_conditions=off",
		.release = RELEASE(5, 7, 0),
	},
	{
		.name = "070f5e8",
		.follows = "070f5e860ee2",
		.summary = "runnable_avg enters the type",
		.switches = "group_weight=unset+busy_load=unset",
		.release = RELEASE(5, 7, 0),
	},
	{
		.name = "v5.7",
		.follows = "5.7.14 less its backport",
		.summary = "the same with the statistics mended",
		.release = RELEASE(5, 7, 0),
	},
	{
		.name = "63a5d0f",
		.follows = "63a5d0fbb5ec",
		.summary = "without the conditions on runnable_avg",
		.switches = "runnable_conditions=off",
		.release = RELEASE(5, 7, 0),
	},
	{
		.name = "v5.8",
		.follows = "5.8.1",
		.summary = "runnable_avg starts as util_avg",
		.release = RELEASE(5, 8, 0),
	},
	{
		.name = "v5.9",
		.follows = "5.9.2",
		.summary = "equal idle CPUs: lower utilisation",
		.release = RELEASE(5, 9, 0),
	},
	{
		.name = "v5.11",
		.follows = "5.11.0",
		.summary = "a quarter of the machine stays in a node",
		.release = RELEASE(5, 11, 0),
	},
	{
		.name = "v5.12",
		.follows = "5.12.9",
		.summary = "cores and CPUs in one scan",
		.release = RELEASE(5, 12, 0),
	},
	{
		.name = "v5.14",
		.follows = "5.14.0",
		.summary = "idle periods age while the CPU is busy",
		.release = RELEASE(5, 14, 0),
	},
	{
		.name = "v5.17",
		.follows = "5.17.0",
		.summary = "the same, level of clusters",
		.release = RELEASE(5, 17, 0),
	},
	{
		.name = "v5.18",
		.follows = "e496132ebedd",
		.summary = "imb_numa_nr tasks stay in a node",
		.release = RELEASE(5, 18, 0),
	},
	{
		.name = "e496132",
		.follows = "e496132ebedd",
		.summary = "the same by its commit",
		.release = RELEASE(5, 18, 0),
	},
	{
		.name = "e496132-v6",
		.follows = "e496132ebedd and the patch of 2022-03-08",
		.summary = "affinity counts for it",
		.switches = "numa_imbalance=affinity-aware",
		.release = RELEASE(5, 18, 0),
	},
	{
		.name = "v6.0",
		.follows = "6.0.0",
		.summary = "and idle CPUs differ by 2 at most",
		.release = RELEASE(6, 0, 0),
	},
	{
		.name = "v6.1.192",
		.follows = "6.1.192",
		.summary = "Debian 12: the same over allowed CPUs",
		.switches = "statistics_cpus=allowed",
		.release = RELEASE(6, 1, 192),
	},
	{
		.name = "v6.3",
		.follows = "6.0.0 and 6.5.0, which have the same rules",
		.summary = "as v6.0",
		.release = RELEASE(6, 3, 0),
	},
	{
		.name = "v6.8",
		.follows = "6.8.1",
		.summary = "clusters first",
		.release = RELEASE(6, 8, 1),
	},
	{
		.name = "v6.12.117",
		.follows = "6.12.117",
		.summary = "Debian 13: the same over allowed CPUs",
		.switches = "statistics_cpus=allowed",
		.release = RELEASE(6, 12, 117),
	},
};

static void idlest_rules_of(unsigned int release, struct idlest_rules *ret)
{
	*ret = (struct idlest_rules){
		.by_type = release >= RELEASE(5, 5, 0),
		.stops_at_gap = release >= RELEASE(4, 8, 0),
		.absent_local_is_idle = release < RELEASE(4, 19, 0),
		.has_numa_margin = release >= RELEASE(4, 19, 0),
		.weight_is_unset = release < RELEASE(5, 7, 0),
		.busy_load_is_unset = release < RELEASE(5, 7, 0),
		.has_runnable_conditions = release >= RELEASE(5, 7, 0),
		.has_util_tie = release >= RELEASE(5, 9, 0),
		.by_idle_age = release >= RELEASE(4, 8, 0),
		.sched_idle_wins = release >= RELEASE(5, 4, 0),
	};
	if (release >= RELEASE(3, 16, 0))
		ret->load = LOAD_RUNNABLE;
	if (release >= RELEASE(4, 10, 0))
		ret->signal = FORK_LOAD_AND_RUNNABLE;
	if (release >= RELEASE(5, 5, 0))
		ret->load = LOAD_AVG;
	if (release >= RELEASE(5, 11, 0))
		ret->numa = NUMA_QUARTER_SPAN;
	if (release >= RELEASE(5, 18, 0))
		ret->numa = NUMA_LLCS;
	if (release >= RELEASE(6, 0, 0))
		ret->numa = NUMA_STRICT;
}

static enum idle_search search_of(unsigned int release)
{
	if (release >= RELEASE(4, 9, 0))
		return SEARCH_SCAN;
	if (release >= RELEASE(3, 3, 0))
		return SEARCH_DOWNWARDS;
	return release >= RELEASE(3, 1, 0) ? SEARCH_CORES_THREADS : SEARCH_UPWARDS;
}

static enum idle_scan scan_of(unsigned int release)
{
	if (release >= RELEASE(6, 0, 0))
		return SCAN_UTIL;
	if (release >= RELEASE(5, 14, 0))
		return SCAN_AGED;
	return release >= RELEASE(4, 13, 0) ? SCAN_PROPORTION : SCAN_CUTOFF;
}

static enum wake_affine affine_of(unsigned int release)
{
	if (release >= RELEASE(4, 14, 0))
		return AFFINE_STAGES;
	return release >= RELEASE(4, 8, 0) ? AFFINE_LOADS : AFFINE_WEIGHTS;
}

static void wake_rules_of(unsigned int release, struct wake_rules *ret)
{
	*ret = (struct wake_rules){
		.falls_to_walk = release < RELEASE(2, 6, 35),
		.stops_at_affine = release >= RELEASE(4, 8, 0),
		.has_wide = release >= RELEASE(4, 8, 0),
		.affine = affine_of(release),
		.affine_needs_cache = release >= RELEASE(4, 19, 0),
		.affine_sees_prev = release >= RELEASE(5, 11, 0),
		.search = search_of(release),
		.sees_idle_prev = release >= RELEASE(3, 10, 0),
		.scan = scan_of(release),
		.sees_recent = release >= RELEASE(4, 19, 0),
		.is_one_scan = release >= RELEASE(5, 12, 0),
		.starts_behind_target = release >= RELEASE(5, 15, 0),
		.clusters_first = release >= RELEASE(6, 8, 0),
		.queues_by_cache = release >= RELEASE(3, 3, 0),
	};
}

static enum numa_pull numa_pull_of(unsigned int release)
{
	if (release >= RELEASE(5, 18, 0))
		return NUMA_PULL_LLCS;
	if (release >= RELEASE(5, 11, 0))
		return NUMA_PULL_QUARTER_SPAN;
	return release >= RELEASE(5, 6, 0) ? NUMA_PULL_TWO : NUMA_PULL_ALWAYS;
}

static void set_scan(struct policy_variant *variant, size_t value)
{
	variant->wake.scan = (enum idle_scan)value;
}

static void set_siblings(struct policy_variant *variant, size_t value)
{
	variant->wake.search = value ? SEARCH_SKIP_SIBLING : search_of(variant->release);
}

static void set_numa(struct policy_variant *variant, size_t value)
{
	variant->idlest.numa = (enum numa_imbalance)value;
}

static void set_numa_pull(struct policy_variant *variant, size_t value)
{
	variant->numa_pull = (enum numa_pull)value;
}

static void set_signal(struct policy_variant *variant, size_t value)
{
	variant->idlest.signal = (enum fork_signal)value;
}

static void set_conditions(struct policy_variant *variant, size_t value)
{
	variant->idlest.has_runnable_conditions = value;
}

static void set_initial(struct policy_variant *variant, size_t value)
{
	variant->initial_runnable = (enum initial_runnable)value;
}

static void set_weight(struct policy_variant *variant, size_t value)
{
	variant->idlest.weight_is_unset = value;
}

static void set_busy_load(struct policy_variant *variant, size_t value)
{
	variant->idlest.busy_load_is_unset = value;
}

static void set_counted(struct policy_variant *variant, size_t value)
{
	variant->idlest.counts_allowed_only = value;
}

static void set_gate(struct policy_variant *variant, size_t value)
{
	variant->wake.walk_needs_idle = value;
}

static void set_granularity(struct policy_variant *variant, size_t value)
{
	variant->granularity = (enum wakeup_granularity)value;
}

enum { MAX_VALUES = 6 };

/* Values are in the order of the enum that they set; for a bool: false, true. */
static const struct policy_switch {
	const char *name;
	void (*set)(struct policy_variant *variant, size_t value);
	const char *values[MAX_VALUES];
} switches[] = {
	{ "busy_load", set_busy_load, { "compared", "unset" } },
	{ "fork_signal",
	  set_signal,
	  { "runnable", "spare-first", "spare-except-fork", "load-and-runnable" } },
	{ "group_weight", set_weight, { "set", "unset" } },
	{ "idle_scan",
	  set_scan,
	  { "none-limit", "cutoff-512", "prop", "prop-aged", "util" } },
	{ "initial_runnable", set_initial, { "full", "util" } },
	{ "numa_imbalance",
	  set_numa,
	  { "none", "quarter-span", "llcs", "affinity-aware", "strict-6.0" } },
	{ "numa_pull",
	  set_numa_pull,
	  { "always", "two", "half-idle", "quarter-span", "llcs" } },
	{ "runnable_conditions", set_conditions, { "off", "on" } },
	{ "smt_preference", set_siblings, { "none", "skip-sibling" } },
	{ "statistics_cpus", set_counted, { "all", "allowed" } },
	{ "wake_balance_gate", set_gate, { "always", "waker-idle" } },
	{ "wakeup_granularity", set_granularity, { "fixed", "by-nr-running" } },
};

/* "expected WORD?" where one is near, else the first one as an example. */
static int refuse(const char *what, const char *word, const char *const *valid,
		  struct err *err)
{
	const char *nearest = text_nearest(word, valid);

	if (nearest)
		return err_set(err, -EINVAL, "'%s' is no %s (expected %s?)", word, what,
			       nearest);
	return err_set(err, -EINVAL, "'%s' is no %s (expected one such as %s)", word,
		       what, valid[0]);
}

static int flip_value(const struct policy_switch *which, const char *value,
		      struct policy_variant *variant, struct err *err)
{
	size_t i;

	for (i = 0; which->values[i]; i++)
		if (!strcmp(which->values[i], value)) {
			which->set(variant, i);
			return 0;
		}
	return refuse("value of this policy switch", value, which->values, err);
}

/* @text is "switch=value" and is cut at the sign. */
static int flip(char *text, struct policy_variant *variant, struct err *err)
{
	const char *names[NR(switches) + 1];
	char *value = strchr(text, '=');
	size_t i;

	if (!value)
		return err_set(
			err, -EINVAL,
			"'%s' switches nothing (expected a switch of the policy and "
			"its value, such as %s=%s)",
			text, switches[0].name, switches[0].values[0]);
	*value++ = '\0';
	for (i = 0; i < NR(switches); i++) {
		if (!strcmp(switches[i].name, text))
			return flip_value(&switches[i], value, variant, err);
		names[i] = switches[i].name;
	}
	names[i] = NULL;
	return refuse("policy switch", text, names, err);
}

/* Several of them, + between. */
static int flip_all(const char *text, struct policy_variant *variant, struct err *err)
{
	char *copy = strdup(text);
	char *next = copy;
	int bad = 0;

	if (!copy)
		return err_nomem(err);
	while (!bad && next)
		bad = flip(strsep(&next, "+"), variant, err);
	free(copy);
	return bad;
}

static const struct policy_variant *find_base(const char *name, struct err *err)
{
	const char *names[NR(variants) + 1];
	size_t i;

	for (i = 0; i < NR(variants); i++) {
		if (!strcmp(variants[i].name, name))
			return &variants[i];
		names[i] = variants[i].name;
	}
	names[i] = NULL;
	(void)refuse("policy variant", name, names, err);
	return NULL;
}

/* All rules of a version. */
static void rules_of(unsigned int release, struct policy_variant *variant)
{
	idlest_rules_of(release, &variant->idlest);
	wake_rules_of(release, &variant->wake);
	variant->numa_pull = numa_pull_of(release);
	variant->initial_runnable = release < RELEASE(5, 8, 0) ? INITIAL_RUNNABLE_FULL
							       : INITIAL_RUNNABLE_UTIL;
}

int policy_variant_find(const char *name, struct policy_variant *ret, struct err *err)
{
	const char *more = strchrnul(name, '+');
	char *base_name = strndup(name, (size_t)(more - name));
	const struct policy_variant *base;
	struct policy_variant variant;
	int bad;

	if (!base_name)
		return err_nomem(err);
	base = find_base(base_name, err);
	free(base_name);
	if (!base)
		return -EINVAL;
	variant = *base;
	rules_of(variant.release, &variant);
	bad = variant.switches ? flip_all(variant.switches, &variant, err) : 0;
	if (!bad && *more)
		bad = flip_all(more + 1, &variant, err);
	if (!bad)
		*ret = variant;
	return bad;
}

const char *policy_variant_name(size_t index)
{
	return index < NR(variants) ? variants[index].name : NULL;
}

const char *policy_switch_name(size_t index)
{
	return index < NR(switches) ? switches[index].name : NULL;
}
