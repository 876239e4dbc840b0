/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sched_domains that a kernel builds on a machine: for each CPU a chain of levels of
 * its own, each with a ring of sd_groups, and what the kernel caches about the LLC when it
 * attaches them.
 */
#ifndef POLICY_DOMAINS_H
#define POLICY_DOMAINS_H

#include <stddef.h>
#include <stdint.h>

#include "policy/domain_rules.h"
#include "policy/machine.h"

struct err;

/**
 * struct domain - one level of one CPU
 * @level: which
 * @name: as the kernel spells it
 * @span: its CPUs; lent by the machine
 * @span_weight: how many
 * @flags: bits of enum sd_flag, this CPU's copy
 * @imbalance_pct: see struct domain_rules
 * @cache_nice_tries: likewise
 * @imb_numa_nr: tasks that may stay in one node before they spread; 0 where the kernel
 *               has no such field
 * @nr_groups: sd_groups in the ring
 * @lead: the CPU that each sd_group was found by, the own one first: the order of the
 *        ring, which decides ties
 * @parent: next level up, or NULL
 * @child: next level down, or NULL
 */
struct domain {
	enum sd_level level;
	const char *name;
	const struct cpumask *span;
	int span_weight;
	unsigned int flags;
	int imbalance_pct, cache_nice_tries;
	int imb_numa_nr;
	int nr_groups;
	uint16_t *lead;
	struct domain *parent, *child;
	/* Position in the list of levels before any degenerate one was removed. */
	int position;
};

/**
 * struct domain_cpu - where a CPU's chain starts, and what was cached at attach
 * @base: lowest level, or NULL
 * @llc: highest level up to which every one shares the LLC (sd_llc), or NULL
 * @llc_size: its CPUs; 1 without
 * @llc_id: its first CPU; the own number without
 * @capacity: of the CPU, 1024 for a full one, before other classes take their share
 */
struct domain_cpu {
	struct domain *base;
	const struct domain *llc;
	int llc_size, llc_id, capacity;
};

/**
 * struct domains - all chains of a machine
 * @machine: lent
 * @rules: of the kernel that built them
 * @cpu: by CPU number
 */
struct domains {
	const struct machine *machine;
	struct domain_rules rules;
	struct domain_cpu *cpu;
	/* nr_positions levels for each CPU, and how to find their spans. */
	struct domain *chains;
	int nr_positions;
	struct domain_position *positions;
};

/**
 * domains_new - build the domains of a machine
 * @machine: lent until domains_free()
 * @rules: see domain_rules_of(); copied
 * @changes: to the flags that levels start with, as a patched kernel has them; what is
 *           cached follows them
 * @nr_changes: how many
 * @ret: to be freed by domains_free(); written on success only
 * @err: says what isn't modelled
 *
 * Return: 0, -ENOTSUP (more nodes than the rules know levels for) or -ENOMEM.
 */
int domains_new(const struct machine *machine, const struct domain_rules *rules,
		const struct flag_change *changes, size_t nr_changes,
		struct domains **ret, struct err *err);

/**
 * domains_write - change flags as a write to each CPU's flags file does
 *
 * Only the word changes: nothing that was cached at attach follows it.
 *
 * Return: how many domains have other flags now.
 */
int domains_write(struct domains *domains, const struct flag_change *change);

/** domain_group - CPUs of the @nr-th sd_group of @domain's ring; lent */
const struct cpumask *domain_group(const struct domains *domains,
				   const struct domain *domain, int nr);

/** domains_share_cache - whether the kernel believes that both CPUs share an LLC */
static inline bool domains_share_cache(const struct domains *domains, int a, int b)
{
	return domains->cpu[a].llc_id == domains->cpu[b].llc_id;
}

/** domains_free - NULL is fine */
void domains_free(struct domains *domains);

#endif
