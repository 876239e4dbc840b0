// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The search for an idle CPU by a scan of the LLC, kernels from 4.9 on, and what limits
 * it; read in 10e2f1acd010, 1ad3aaf3fcd2, 5.12.9, 5.17.0, 6.1.192 and 6.8.1.
 */
#include <stddef.h>

#include "policy/domains.h"
#include "policy/flags.h"
#include "policy/variant.h"
#include "policy/wake.h"

/* Idle time is worth this part of a scan; a scan looks at this many CPUs at least. */
enum { IDLE_FUZZ = 512, FEWEST = 4 };

/* A scan under way: what is left to look at, and the first idle CPU of a busy core. */
struct scan {
	const struct placement *place;
	struct idle_effects *effects;
	struct cpumask left;
	uint64_t limit;
	int spare;
};

static uint64_t proportional(uint64_t idle_ns, uint64_t cost_ns, uint64_t llc_size)
{
	uint64_t cost = cost_ns + 1;
	uint64_t span = llc_size * idle_ns;

	return span > FEWEST * cost ? span / cost : FEWEST;
}

uint64_t scan_limit(const struct placement *place, int target)
{
	const struct cpu_state *waker = &place->cpus[place->this_cpu];
	const struct domain_cpu *llc = &place->domains->cpu[target];
	uint64_t size = (uint64_t)llc->llc_size;
	int nr;

	switch (place->variant->wake.scan) {
	case SCAN_ALL:
		break;
	case SCAN_CUTOFF:
		return waker->avg_idle_ns / IDLE_FUZZ < waker->avg_scan_cost_ns ? 0
										: size;
	/* The CPU at which the count has run down isn't looked at any more. */
	case SCAN_PROPORTION:
		return proportional(waker->avg_idle_ns / IDLE_FUZZ,
				    waker->avg_scan_cost_ns, size) -
		       1;
	case SCAN_AGED:
		return proportional(waker->wake_avg_idle_ns, waker->avg_scan_cost_ns,
				    size) -
		       1;
	case SCAN_UTIL:
		nr = place->cpus[llc->llc_id].nr_idle_scan;
		return nr > 0 ? (uint64_t)nr : 0;
	}
	return size;
}

int scan_limit_of_util(uint64_t util, int llc_size, int imbalance_pct)
{
	uint64_t size = (uint64_t)llc_size;
	uint64_t pct = (uint64_t)imbalance_pct;
	uint64_t each = util / size;
	uint64_t used = each * each * pct * pct / 10240000;

	return (int)((1024 - (used < 1024 ? used : 1024)) * size / 1024);
}

uint64_t scan_cost_after(uint64_t avg_scan_cost_ns, uint64_t elapsed_ns)
{
	int64_t difference = (int64_t)(elapsed_ns - avg_scan_cost_ns);

	return avg_scan_cost_ns + (uint64_t)(difference / 8);
}

static bool has_threads(const struct placement *place, int cpu)
{
	return cpumask_count(machine_mask(place->domains->machine, MACHINE_CORE, cpu)) >
	       1;
}

/* Whether the core of @cpu is all idle; it is not looked at again. */
static bool is_idle_core(struct scan *scan, int cpu)
{
	const struct cpumask *core =
		machine_mask(scan->place->domains->machine, MACHINE_CORE, cpu);
	bool all_idle = true;
	int thread;

	for (thread = cpumask_from(core, 0); thread >= 0;
	     thread = cpumask_from(core, thread + 1)) {
		cpumask_remove(&scan->left, thread);
		/* Nothing to learn any more. */
		if (!all_idle && scan->spare >= 0)
			continue;
		if (!look_idle(scan->place, thread, scan->effects))
			all_idle = false;
		else if (scan->spare < 0 &&
			 cpumask_has(scan->place->task->allowed, thread))
			scan->spare = thread;
	}
	return all_idle;
}

/* Walks @mask from @start on; the core's CPU, or -1. */
static int scan_cores(struct scan *scan, const struct cpumask *mask, int start)
{
	int cpu;

	for (cpu = cpumask_ring_first(mask, start); cpu >= 0;
	     cpu = cpumask_ring_next(mask, start, cpu))
		if (cpumask_has(&scan->left, cpu) && is_idle_core(scan, cpu))
			return cpu;
	return -1;
}

static int scan_cpus(struct scan *scan, const struct cpumask *mask, int start)
{
	int cpu;

	for (cpu = cpumask_ring_first(mask, start); cpu >= 0;
	     cpu = cpumask_ring_next(mask, start, cpu)) {
		if (!cpumask_has(&scan->left, cpu))
			continue;
		if (!scan->limit)
			return -1;
		scan->limit--;
		cpumask_remove(&scan->left, cpu);
		if (look_idle(scan->place, cpu, scan->effects))
			return cpu;
	}
	return -1;
}

/* An idle thread of @cpu's core, by number; 4.9 takes the target's, 5.12 the last one's. */
static int idle_thread(struct scan *scan, int cpu)
{
	const struct cpumask *core =
		machine_mask(scan->place->domains->machine, MACHINE_CORE, cpu);
	int thread;

	for (thread = cpumask_from(core, 0); thread >= 0;
	     thread = cpumask_from(core, thread + 1))
		if (cpumask_has(scan->place->task->allowed, thread) &&
		    look_idle(scan->place, thread, scan->effects))
			return thread;
	return -1;
}

/* 4.9 to 5.11: a pass for cores, one for CPUs, and the threads of the target's core. */
static int scan_in_passes(struct scan *scan, const struct domain *llc, int target,
			  bool seeks_core)
{
	const struct cpumask all = scan->left;
	int found = -1;

	if (seeks_core) {
		found = scan_cores(scan, llc->span, target);
		scan->effects->found_no_core = found < 0;
		scan->left = all;
	}
	if (found < 0)
		found = scan_cpus(scan, llc->span, target);
	if (found < 0 && has_threads(scan->place, target))
		found = idle_thread(scan, target);
	return found;
}

const struct cpumask *wake_cluster(const struct placement *place, int cpu)
{
	const struct domain *domain = place->domains->cpu[cpu].base;

	if (!place->variant->wake.clusters_first)
		return NULL;
	while (domain && !(domain->flags & SD_CLUSTER))
		domain = domain->parent;
	return domain ? domain->span : NULL;
}

/* 5.12 and later: for a core where there is one, else for any CPU; the cluster first. */
static int scan_once(struct scan *scan, const struct domain *llc, int target,
		     bool seeks_core)
{
	const struct cpumask *part[] = { wake_cluster(scan->place, target), llc->span };
	int start = target + (scan->place->variant->wake.starts_behind_target ? 1 : 0);
	int found = -1;
	int i;

	for (i = 0; found < 0 && i < 2; i++) {
		if (!part[i])
			continue;
		found = seeks_core ? scan_cores(scan, part[i], start)
				   : scan_cpus(scan, part[i], start);
	}
	if (!seeks_core)
		return found;
	scan->effects->found_no_core = found < 0;
	return found >= 0 ? found : scan->spare;
}

int idle_by_scan(const struct placement *place, int target, struct idle_effects *effects)
{
	const struct domain *llc = place->domains->cpu[target].llc;
	bool seeks_core = has_threads(place, target) &&
			  place->cpus[place->domains->cpu[target].llc_id].has_idle_cores;
	struct scan scan = { .place = place, .effects = effects, .spare = -1 };
	int found;

	if (!llc)
		return -1;
	cpumask_and(&scan.left, llc->span, place->task->allowed);
	scan.limit = scan_limit(place, target);
	if (!place->variant->wake.is_one_scan)
		return scan_in_passes(&scan, llc, target, seeks_core);
	if (!seeks_core && has_threads(place, target) &&
	    domains_share_cache(place->domains, place->task->cpu, target)) {
		found = idle_thread(&scan, place->task->cpu);
		if (found >= 0)
			return found;
	}
	/* An LLC that is full is left alone, whether or not it has idle cores. */
	if (place->variant->wake.scan == SCAN_UTIL && !scan.limit)
		return -1;
	return scan_once(&scan, llc, target, seeks_core);
}
