/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long CPUs were idle while others had tasks waiting: the invariant that a scheduler
 * which conserves work keeps (Lozi et al., "The Linux scheduler: a decade of wasted
 * cores", 2016). Of the program's own tasks and the CPUs that it may use; a CPU on which a
 * task of others runs isn't idle.
 */
#ifndef RUNNER_PLACEMENT_IDLE_H
#define RUNNER_PLACEMENT_IDLE_H

#include <stdbool.h>

struct placement_line;
struct placement_machine;

/** struct placement_idle - what was seen so far; opaque */
struct placement_idle;

/** placement_idle_new - nothing seen yet; placement_idle_free() it; NULL: no memory */
struct placement_idle *placement_idle_new(void);

/** placement_idle_take - the next event of a trace */
void placement_idle_take(struct placement_idle *idle,
			 const struct placement_machine *machine,
			 const struct placement_line *line);

/**
 * placement_idle_share - the part of the time from the first to the last event in which
 * a CPU that the program may use was idle while another had two or more of its tasks
 * @ret: from 0 to 1; written on success only
 *
 * Return: false when it can't be known: the trace doesn't say which CPUs the program may
 * use, or no time passed.
 */
bool placement_idle_share(const struct placement_idle *idle, double *ret);

/** placement_idle_free - NULL is fine */
void placement_idle_free(struct placement_idle *idle);

#endif
