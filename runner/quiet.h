/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waiting for a quiet machine: windows of half a second in which only others can
 * use the CPUs, as we start nothing, until they use few enough of them.
 */
#ifndef RUNNER_QUIET_H
#define RUNNER_QUIET_H

struct grid_quiet;
struct guard;
struct proc_watch;

/**
 * quiet_wait - wait until a window is quiet
 * @rule: what counts as quiet, and how long to wait for it
 * @guard: what happens in between counts for no iteration
 * @watch: a signal ends the wait
 * @ret_busy: receives others' share of the CPUs' time in the last window when none
 *            was quiet
 *
 * The counters are read at the end of each window and not in between.
 *
 * Return: 0 when one was quiet, or it can't be told here; -ETIMEDOUT when none was
 * within the wait; -EINTR when a signal came.
 */
int quiet_wait(const struct grid_quiet *rule, struct guard *guard,
	       struct proc_watch *watch, double *ret_busy);

#endif
