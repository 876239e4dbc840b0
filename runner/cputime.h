/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the CPUs' time went: all of it as /proc/stat counts it in ticks, and
 * our own as the kernel counts it for us and the children that have ended. What
 * the first has more than the second is others' work.
 */
#ifndef RUNNER_CPUTIME_H
#define RUNNER_CPUTIME_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct cputime - the counters at one moment, of all CPUs together
 * @at_ns: when, clock_ns() time; 0: never looked
 * @task_ticks: spent in tasks: user, nice and system time
 * @irq_ticks: spent in interrupts, hard and soft
 * @steal_ticks: taken by the hypervisor
 * @all_ticks: these, idle time and waiting for I/O; 0 when none is known
 * @own_ns: spent by this process and its children that have ended and been
 *          waited for, with theirs
 */
struct cputime {
	uint64_t at_ns;
	uint64_t task_ticks, irq_ticks, steal_ticks, all_ticks;
	uint64_t own_ns;
};

/**
 * struct cputime_foreign - others' share of the CPUs' time between two moments
 * @share: time in tasks that were not ours, of all time of all CPUs; below 0 when
 *         we were charged with more than the CPUs spent
 * @irq_share: time in interrupts, which nobody is charged with or whoever was
 *             interrupted, as the kernel was built
 * @error: how far the ticks may be off, as such a share
 */
struct cputime_foreign {
	double share, irq_share, error;
};

/**
 * cputime_read - the counters now
 * @stat_fd: /proc/stat open for reading, or -1: nothing is known
 * @ret: receives them
 */
void cputime_read(int stat_fd, struct cputime *ret);

/**
 * cputime_foreign - what others took from @before to @after
 *
 * share = (task time - own time) / all time. A tick is counted for whoever it
 * finds, one on each CPU at each end, and each of the three counters of tasks'
 * time is cut to ticks: @error is CPUs + 3 ticks.
 *
 * Return: false when it isn't known: no counters, no time between them, or CPUs
 * went away.
 */
bool cputime_foreign(const struct cputime *before, const struct cputime *after,
		     struct cputime_foreign *ret);

#endif
