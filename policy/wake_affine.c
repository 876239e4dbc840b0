// SPDX-License-Identifier: GPL-2.0-or-later
/* The waker's or the previous CPU, by the rules of three generations; see wake.h. */
#include "policy/domains.h"
#include "policy/load.h"
#include "policy/margin.h"
#include "policy/variant.h"
#include "policy/wake.h"

/* What both rules before 4.14 start from: loads of both CPUs as the wakeup leaves them. */
struct both {
	uint64_t here, there;
	bool is_balanced;
};

/* A waker that is about to sleep doesn't count. */
static uint64_t load_here(const struct placement *place)
{
	uint64_t load = load_of_cpu(place, place->this_cpu);

	return place->is_sync ? without(load, place->cpus[place->this_cpu].current_load)
			      : load;
}

static struct both weigh(const struct placement *place, const struct domain *domain)
{
	uint64_t here_full = place->cpus[place->this_cpu].capacity;
	uint64_t there_full = place->cpus[place->task->cpu].capacity;
	struct both both = {
		.here = load_here(place),
		.there = load_of_cpu(place, place->task->cpu),
	};
	uint64_t here = 100 * there_full;
	uint64_t there = margin_percent(domain->imbalance_pct) * here_full;

	if (both.here) {
		here *= both.here + load_of_task(place);
		there *= both.there;
	}
	both.is_balanced = here <= there;
	return both;
}

static bool by_weights(const struct placement *place, const struct domain *domain)
{
	const struct cpu_state *waker = &place->cpus[place->this_cpu];
	struct both both = weigh(place, domain);
	uint64_t per_task =
		waker->nr_running ? waker->weight / (uint64_t)waker->nr_running : 0;

	if (!both.here || both.is_balanced)
		return true;
	return both.here <= both.there && both.here + both.there <= per_task;
}

/* The CPU that idleness alone decides for, or -1. */
static int by_idleness(const struct placement *place)
{
	const struct wake_rules *rules = &place->variant->wake;
	const struct cpu_state *waker = &place->cpus[place->this_cpu];
	int prev = place->task->cpu;
	bool prev_is_idle = cpu_is_idle(&place->cpus[prev]);

	if (cpu_is_idle(waker)) {
		if (!rules->affine_needs_cache)
			return place->this_cpu;
		if (domains_share_cache(place->domains, place->this_cpu, prev))
			return prev_is_idle ? prev : place->this_cpu;
	}
	if (place->is_sync && waker->nr_running == 1)
		return place->this_cpu;
	return rules->affine_sees_prev && prev_is_idle ? prev : -1;
}

static bool by_load(const struct placement *place, const struct domain *domain)
{
	const struct cpu_state *waker = &place->cpus[place->this_cpu];
	int64_t task = (int64_t)load_of_task(place);
	int64_t here = (int64_t)load_of_cpu(place, place->this_cpu);
	int64_t there = (int64_t)load_of_cpu(place, place->task->cpu) - task;
	bool is_strict = place->variant->wake.affine_needs_cache;

	if (place->is_sync) {
		if ((int64_t)waker->current_load > here)
			return true;
		here -= (int64_t)waker->current_load;
	}
	here = (here + task) * 100 * (int64_t)place->cpus[place->task->cpu].capacity;
	there *=
		(int64_t)margin_percent(domain->imbalance_pct) * (int64_t)waker->capacity;
	if (is_strict && place->is_sync)
		there++;
	return is_strict ? here < there : here <= there;
}

int wake_affine(const struct placement *place, const struct domain *domain)
{
	bool is_here = false;
	int decided;

	switch (place->variant->wake.affine) {
	case AFFINE_WEIGHTS:
		is_here = by_weights(place, domain);
		break;
	case AFFINE_LOADS:
		is_here = weigh(place, domain).is_balanced;
		break;
	case AFFINE_STAGES:
		decided = by_idleness(place);
		if (decided >= 0)
			return decided;
		is_here = by_load(place, domain);
		break;
	}
	return is_here ? place->this_cpu : place->task->cpu;
}
