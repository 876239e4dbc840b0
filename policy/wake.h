/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Placement of a task that wakes up: beside its waker, where it was, or where it's idle. */
#ifndef POLICY_WAKE_H
#define POLICY_WAKE_H

#include <stdbool.h>
#include <stdint.h>

#include "policy/state.h"

struct domain;

/**
 * struct idle_effects - what a search for an idle CPU did besides finding one
 * @nr_looked: CPUs whose idleness was asked for
 * @found_no_core: the LLC of the target has no idle core: its has_idle_cores becomes false
 */
struct idle_effects {
	int nr_looked;
	bool found_no_core;
};

/**
 * place_wakeup - the CPU that a woken task is put on
 * @place: this_cpu is the waker's
 * @effects: added to, for the caller to apply to the CPUs; may be NULL
 *
 * Source: select_task_rq_fair() of 3.3, 4.9 and 5.7 to 6.12. For 2.6.33 the search for an
 * idle CPU is that of 3.0 (approximate).
 *
 * Return: a CPU that @place's task is allowed on.
 */
int place_wakeup(const struct placement *place, struct idle_effects *effects);

/** look_idle - whether @cpu is idle; counts the look */
static inline bool look_idle(const struct placement *place, int cpu,
			     struct idle_effects *effects)
{
	effects->nr_looked++;
	return cpu_is_idle(&place->cpus[cpu]);
}

/**
 * wake_is_wide - whether waker and wakee have too many partners to be kept together
 *
 * Source: wake_wide(), 4.8 and later: the rarer of both flips at least as often as the LLC
 * has CPUs, the other one that many times as often.
 */
bool wake_is_wide(const struct placement *place);

/**
 * wake_affine - the waker's or the previous CPU
 * @place: the decision; both CPUs differ
 * @domain: level that spans both
 *
 * Source: wake_affine() of 3.3, 4.9, 4.14, 4.19 and 5.11. Group scheduling is left out.
 *
 * Return: one of both.
 */
int wake_affine(const struct placement *place, const struct domain *domain);

/**
 * idle_sibling - an idle CPU that shares the LLC with @target, or @target
 * @place: the decision
 * @target: where to look around: the waker's or the previous CPU
 * @effects: added to
 */
int idle_sibling(const struct placement *place, int target, struct idle_effects *effects);

/** idle_by_levels - the search of kernels before 4.9: through levels and sd_groups */
int idle_by_levels(const struct placement *place, int target,
		   struct idle_effects *effects);

/** idle_by_scan - that of 4.9 and later; -1 for none */
int idle_by_scan(const struct placement *place, int target, struct idle_effects *effects);

/** wake_cluster - CPUs of the cluster of @cpu where scans begin with it, or NULL; lent */
const struct cpumask *wake_cluster(const struct placement *place, int cpu);

/**
 * scan_limit - how many CPUs a scan may look at
 * @place: the decision
 * @target: CPU whose LLC is scanned
 *
 * Return: a count, 0 for no scan.
 */
uint64_t scan_limit(const struct placement *place, int target);

/**
 * scan_limit_of_util - nr_idle_scan of an LLC from its load
 * @util: sum of the util_avg of its CPUs
 * @llc_size: its CPUs
 * @imbalance_pct: of its level
 *
 * Source: SIS_UTIL, 6.0 and later; periodic balancing refreshes it.
 */
int scan_limit_of_util(uint64_t util, int llc_size, int imbalance_pct);

/** scan_cost_after - avg_scan_cost_ns after a scan that took @elapsed_ns */
uint64_t scan_cost_after(uint64_t avg_scan_cost_ns, uint64_t elapsed_ns);

/**
 * wake_needs_ipi - whether the task is handed to @cpu by an interrupt
 *
 * Otherwise the waker puts it on the runqueue itself. Source: ttwu_queue().
 */
bool wake_needs_ipi(const struct placement *place, int cpu);

#endif
