// SPDX-License-Identifier: GPL-2.0-or-later
/* The tables of domain_rules.h: the last row that isn't newer than the kernel holds. */
#include "policy/domain_rules.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "lib/err.h"
#include "lib/text.h"
#include "policy/flags.h"
#include "policy/release.h"

#define NR(array) (sizeof(array) / sizeof((array)[0]))

/* What every level balances on. SD_LOAD_BALANCE went in 5.8. */
enum {
	EACH = SD_BALANCE_NEWIDLE | SD_BALANCE_EXEC | SD_BALANCE_FORK | SD_WAKE_AFFINE,
	THREADS = EACH | SD_SHARE_CPUCAPACITY,
	CACHE = EACH | SD_SHARE_LLC,
	SIBLING = SD_PREFER_SIBLING,
	NODES = EACH | SD_SERIALIZE,
};

/* Flags of SMT, CLS, MC, PKG, NODE, NUMA. */
static const struct {
	unsigned int since;
	unsigned int flags[SD_LEVELS];
} flag_rows[] = {
	{ RELEASE(2, 6, 32), { THREADS, 0, CACHE | SIBLING, EACH | SIBLING, 0, NODES } },
	{ RELEASE(3, 0, 0),
	  { THREADS | CACHE, 0, CACHE | SIBLING, EACH | SIBLING, 0, NODES } },
	{ RELEASE(3, 16, 0),
	  { THREADS | CACHE, 0, CACHE, EACH | SIBLING, 0, NODES | SD_NUMA } },
	{ RELEASE(4, 8, 0),
	  { THREADS | CACHE | SIBLING, 0, CACHE, EACH | SIBLING, EACH | SIBLING,
	    NODES | SD_NUMA } },
	{ RELEASE(4, 19, 0),
	  { THREADS | CACHE | SIBLING, CACHE | SIBLING, CACHE | SIBLING, EACH | SIBLING,
	    EACH | SIBLING, NODES | SD_NUMA } },
	{ RELEASE(6, 7, 0),
	  { THREADS | CACHE | SIBLING, CACHE | SIBLING | SD_CLUSTER, CACHE | SIBLING,
	    EACH | SIBLING, EACH | SIBLING, NODES | SD_NUMA } },
};

static const struct {
	unsigned int since;
	int imbalance_pct[SD_LEVELS];
	int busy_factor;
} margin_rows[] = {
	{ RELEASE(2, 6, 32), { 110, 0, 125, 125, 0, 125 }, 64 },
	{ RELEASE(3, 16, 0), { 110, 0, 117, 125, 125, 125 }, 32 },
	{ RELEASE(5, 10, 0), { 110, 117, 117, 117, 117, 117 }, 16 },
};

static const struct {
	unsigned int since;
	const char *name[SD_LEVELS];
} name_rows[] = {
	{ RELEASE(2, 6, 32), { "SMT", NULL, "MC", "CPU", NULL, "NODE" } },
	{ RELEASE(3, 10, 0), { "SMT", NULL, "MC", "CPU", NULL, "NUMA" } },
	{ RELEASE(3, 16, 0), { "SMT", NULL, "MC", "DIE", NULL, "NUMA" } },
	{ RELEASE(4, 14, 0), { "SMT", NULL, "MC", "DIE", "NODE", "NUMA" } },
	{ RELEASE(5, 17, 0), { "SMT", "CLS", "MC", "DIE", "NODE", "NUMA" } },
	{ RELEASE(6, 8, 0), { "SMT", "CLS", "MC", "PKG", "NODE", "NUMA" } },
};

static const int cache_nice_tries[SD_LEVELS] = { 0, 1, 1, 1, 1, 2 };

void domain_rules_of(unsigned int release, struct domain_rules *ret)
{
	unsigned int load_balance = release < RELEASE(5, 8, 0) ? SD_LOAD_BALANCE : 0;
	size_t flags = NR(flag_rows) - 1;
	size_t margins = NR(margin_rows) - 1;
	size_t names = NR(name_rows) - 1;
	size_t level;

	while (flags && flag_rows[flags].since > release)
		flags--;
	while (margins && margin_rows[margins].since > release)
		margins--;
	while (names && name_rows[names].since > release)
		names--;
	*ret = (struct domain_rules){
		.release = release,
		.busy_factor = margin_rows[margins].busy_factor,
		.has_distances = release >= RELEASE(3, 10, 0),
		.max_nodes = release >= RELEASE(3, 10, 0) ? 0 : 16,
		.has_machine_reclaim = release >= RELEASE(5, 4, 0),
		.drops_package = release >= RELEASE(3, 16, 0),
		.needs_groups_numa = release >= RELEASE(5, 10, 0),
		.has_smt_gain = release < RELEASE(5, 2, 0),
	};
	for (level = 0; level < SD_LEVELS; level++) {
		ret->name[level] = name_rows[names].name[level];
		ret->flags[level] = flag_rows[flags].flags[level] | load_balance;
		ret->imbalance_pct[level] = margin_rows[margins].imbalance_pct[level];
		ret->cache_nice_tries[level] = cache_nice_tries[level];
	}
	if (release >= RELEASE(5, 18, 0))
		ret->imb_numa_shift = 2;
	if (release >= RELEASE(6, 0, 0)) {
		ret->imb_numa_shift = 3;
		ret->imb_numa_min = 1;
	}
}

int sd_level_parse(const char *name, enum sd_level *ret, struct err *err)
{
	static const char *const names[] = { "SMT", "CLS",  "MC",   "PKG", "DIE",
					     "CPU", "NODE", "NUMA", "all", NULL };
	static const enum sd_level levels[] = {
		SD_LEVEL_SMT, SD_LEVEL_CLS,  SD_LEVEL_MC,   SD_LEVEL_PKG, SD_LEVEL_PKG,
		SD_LEVEL_PKG, SD_LEVEL_NODE, SD_LEVEL_NUMA, SD_LEVELS
	};
	const char *nearest;
	size_t i;

	for (i = 0; names[i]; i++)
		if (!strcmp(name, names[i])) {
			*ret = levels[i];
			return 0;
		}
	nearest = text_nearest(name, names);
	if (nearest)
		return err_set(err, -EINVAL, "'%s' is no domain level (expected %s?)",
			       name, nearest);
	return err_set(
		err, -EINVAL,
		"'%s' is no domain level (expected SMT, CLS, MC, PKG, NODE, NUMA or all)",
		name);
}

unsigned int flag_change_apply(const struct flag_change *change, enum sd_level level,
			       unsigned int flags)
{
	if (change->level != SD_LEVELS && change->level != level)
		return flags;
	return (flags | change->set) & ~change->clear;
}
