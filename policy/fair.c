// SPDX-License-Identifier: GPL-2.0-or-later
/* See fair.h. */
#include "policy/fair.h"

#include "policy/release.h"
#include "policy/state.h"

/* More tasks than this, and each has the least share instead of a part of the latency. */
enum { LATENCY_TASKS = 8, MOST_CPUS = 8 };

/* Of a lead that grows with the tasks. */
enum { MOST_LEAD_NS = 8000000 };

void fair_times_of(unsigned int release, int nr_cpus, struct fair_times *ret)
{
	uint64_t factor = 1;
	int cpus;

	for (cpus = nr_cpus < MOST_CPUS ? nr_cpus : MOST_CPUS; cpus > 1; cpus /= 2)
		factor++;
	*ret = (struct fair_times){
		.is_eevdf = release >= RELEASE(6, 6, 0),
		.latency_ns = 6000000 * factor,
		.min_granularity_ns = 750000 * factor,
		.wakeup_granularity_ns = 1000000 * factor,
		.slice_ns = (release >= RELEASE(6, 12, 0) ? 700000 : 750000) * factor,
	};
}

int64_t fair_virtual(uint64_t ns, uint64_t weight)
{
	return (int64_t)(ns * NICE_0_WEIGHT / weight);
}

uint64_t fair_slice(const struct fair_times *times, int nr_running, uint64_t weight,
		    uint64_t total_weight)
{
	uint64_t period = times->latency_ns;

	if (nr_running > LATENCY_TASKS)
		period = (uint64_t)nr_running * times->min_granularity_ns;
	return period * weight / total_weight;
}

int64_t fair_place_new(int64_t min, uint64_t slice_ns, uint64_t weight)
{
	return min + fair_virtual(slice_ns, weight);
}

int64_t fair_place_woken(const struct fair_times *times, int64_t min, int64_t own)
{
	int64_t earliest = min - (int64_t)times->latency_ns / 2;

	return own > earliest ? own : earliest;
}

bool fair_wakeup_preempts(const struct fair_times *times, int nr_running,
			  const struct fair_task *current, const struct fair_task *woken)
{
	uint64_t lead_ns = times->wakeup_granularity_ns;

	if (times->grows_with_tasks) {
		lead_ns *= (uint64_t)nr_running;
		if (lead_ns > MOST_LEAD_NS)
			lead_ns = MOST_LEAD_NS;
	}
	return current->vruntime - woken->vruntime > fair_virtual(lead_ns, woken->weight);
}

bool fair_tick_preempts(const struct fair_times *times, const struct fair_task *current,
			uint64_t ran_ns, uint64_t slice_ns, const struct fair_task *next)
{
	if (!next)
		return false;
	if (ran_ns > slice_ns)
		return true;
	return ran_ns >= times->min_granularity_ns &&
	       current->vruntime - next->vruntime > (int64_t)slice_ns;
}

int fair_pick(const struct fair_task *tasks, size_t nr)
{
	int first = nr ? 0 : -1;
	size_t i;

	for (i = 1; i < nr; i++)
		if (tasks[i].vruntime < tasks[first].vruntime)
			first = (int)i;
	return first;
}

/* Sums relative to the first task, so that they stay small. */
static int64_t sum_of_keys(const struct fair_task *tasks, size_t nr, int64_t *weight)
{
	int64_t sum = 0;
	size_t i;

	*weight = 0;
	for (i = 0; i < nr; i++) {
		sum += (tasks[i].vruntime - tasks[0].vruntime) * (int64_t)tasks[i].weight;
		*weight += (int64_t)tasks[i].weight;
	}
	return sum;
}

int64_t eevdf_average(const struct fair_task *tasks, size_t nr)
{
	int64_t weight, sum;

	if (!nr)
		return 0;
	sum = sum_of_keys(tasks, nr, &weight);
	/* Downwards, also below zero: the average must itself be eligible. */
	if (sum < 0)
		sum -= weight - 1;
	return tasks[0].vruntime + sum / weight;
}

static bool is_eligible(const struct fair_task *tasks, size_t which, int64_t sum,
			int64_t weight)
{
	return sum >= (tasks[which].vruntime - tasks[0].vruntime) * weight;
}

bool eevdf_is_eligible(const struct fair_task *tasks, size_t nr, size_t which)
{
	int64_t weight;
	int64_t sum = sum_of_keys(tasks, nr, &weight);

	return is_eligible(tasks, which, sum, weight);
}

int eevdf_pick(const struct fair_task *tasks, size_t nr, int current)
{
	int64_t weight;
	int64_t sum = sum_of_keys(tasks, nr, &weight);
	int best = -1;
	size_t i;

	if (current >= 0 && is_eligible(tasks, (size_t)current, sum, weight))
		return current;
	for (i = 0; i < nr; i++)
		if (is_eligible(tasks, i, sum, weight) &&
		    (best < 0 || tasks[i].deadline < tasks[best].deadline))
			best = (int)i;
	return best;
}

void eevdf_place(const struct fair_times *times, const struct fair_task *tasks, size_t nr,
		 const int64_t *lag, struct fair_task *task)
{
	int64_t slice = fair_virtual(times->slice_ns, task->weight);
	int64_t behind = 0;
	int64_t weight;

	(void)sum_of_keys(tasks, nr, &weight);
	if (lag && nr)
		behind = *lag * (weight + (int64_t)task->weight) / weight;
	task->vruntime = eevdf_average(tasks, nr) - behind;
	task->deadline = task->vruntime + (lag ? slice : slice / 2);
}
