/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who runs next on one CPU: by virtual runtime up to 6.5, by eligibility and deadline
 * (EEVDF) since 6.6. Times are ns; virtual ones are those of a task of nice 0.
 */
#ifndef POLICY_FAIR_H
#define POLICY_FAIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct fair_times - the times that a kernel schedules by
 * @is_eevdf: 6.6 and later; of the times only @slice_ns counts then
 * @latency_ns: in which each task runs once
 * @min_granularity_ns: least share of one task
 * @wakeup_granularity_ns: lead of a woken task that preempts
 * @grows_with_tasks: that lead is needed for each runnable task, up to 8 ms in all; see
 *                    enum wakeup_granularity
 * @slice_ns: before a task has to compete again
 */
struct fair_times {
	bool is_eevdf, grows_with_tasks;
	uint64_t latency_ns, min_granularity_ns, wakeup_granularity_ns, slice_ns;
};

/**
 * fair_times_of - the times of a kernel on a machine
 * @release: see policy/release.h
 * @nr_cpus: online ones: times grow with their logarithm, up to 8
 * @ret: filled
 *
 * Source: defaults and update_sysctl() of 3.3 to 6.12.
 */
void fair_times_of(unsigned int release, int nr_cpus, struct fair_times *ret);

/**
 * struct fair_task - a runnable task
 * @vruntime: weighted time it ran, relative to any fixed point
 * @deadline: when its slice should be served (EEVDF)
 * @weight: by its nice value
 */
struct fair_task {
	int64_t vruntime, deadline;
	uint64_t weight;
};

/** fair_virtual - @ns of a task of @weight as virtual time */
int64_t fair_virtual(uint64_t ns, uint64_t weight);

/**
 * fair_slice - how long a task runs among others, up to 6.5
 * @times: of the kernel
 * @nr_running: runnable tasks
 * @weight: the task's
 * @total_weight: of all of them
 */
uint64_t fair_slice(const struct fair_times *times, int nr_running, uint64_t weight,
		    uint64_t total_weight);

/** fair_place_new - vruntime of a new task: a slice behind the smallest one, @min */
int64_t fair_place_new(int64_t min, uint64_t slice_ns, uint64_t weight);

/** fair_place_woken - vruntime after a sleep: @own, but no more than half a latency back */
int64_t fair_place_woken(const struct fair_times *times, int64_t min, int64_t own);

/**
 * fair_wakeup_preempts - whether a woken task takes the CPU, up to 6.5
 * @times: of the kernel
 * @nr_running: runnable tasks of the CPU, the woken one among them
 * @current: running
 * @woken: the other one
 */
bool fair_wakeup_preempts(const struct fair_times *times, int nr_running,
			  const struct fair_task *current, const struct fair_task *woken);

/**
 * fair_tick_preempts - whether the tick ends the turn of @current, up to 6.5
 * @times: of the kernel
 * @current: running
 * @ran_ns: since it was picked
 * @slice_ns: its fair_slice()
 * @next: the waiting task with the smallest vruntime; NULL: none
 */
bool fair_tick_preempts(const struct fair_times *times, const struct fair_task *current,
			uint64_t ran_ns, uint64_t slice_ns, const struct fair_task *next);

/** fair_pick - the smallest vruntime of @nr tasks, the first of equal ones; -1 for none */
int fair_pick(const struct fair_task *tasks, size_t nr);

/** eevdf_average - weighted average of the vruntimes of @nr tasks; 0 for none */
int64_t eevdf_average(const struct fair_task *tasks, size_t nr);

/** eevdf_is_eligible - whether the @which-th of @nr tasks has run no more than its share */
bool eevdf_is_eligible(const struct fair_task *tasks, size_t nr, size_t which);

/**
 * eevdf_pick - the eligible task with the earliest deadline
 * @tasks: all runnable ones, the running one among them
 * @nr: how many
 * @current: number of the running one while its slice isn't used up, which keeps the CPU
 *           as long as it is eligible; -1: none
 *
 * Return: its number, the first of equal ones; -1 for no task.
 */
int eevdf_pick(const struct fair_task *tasks, size_t nr, int current);

/**
 * eevdf_place - where a task joins others
 * @times: of the kernel
 * @tasks: who is runnable there; may be none
 * @nr: how many
 * @lag: by how much the task was behind the average when it left; NULL: it is new, and
 *       its first deadline comes after half a slice
 * @task: its weight is set; vruntime and deadline are filled
 *
 * The lag grows by what the task itself adds to the average.
 */
void eevdf_place(const struct fair_times *times, const struct fair_task *tasks, size_t nr,
		 const int64_t *lag, struct fair_task *task);

#endif
