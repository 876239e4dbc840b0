/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The values that an entry of a grid comes to on a machine: percentages, ladders
 * and work for each CPU become numbers.
 */
#ifndef RUNNER_PLAN_SWEEP_H
#define RUNNER_PLAN_SWEEP_H

#include <stddef.h>

#include "runner/grid.h"

struct ladder_machine;

/**
 * struct plan_sweep - the values of each parameter of one entry
 * @entry: of the grid; lent
 * @values: of each parameter, as the ops' params: the entry's, or numbers of its own
 * @nr: how many, at least 1
 * @own: which arrays of @values are freed here
 *
 * A parameter that is work for each CPU has one value, for plan_sweep_share().
 */
struct plan_sweep {
	const struct grid_workload *entry;
	const union bench_value *values[BENCH_MAX_PARAMS];
	size_t nr[BENCH_MAX_PARAMS];
	union bench_value *own[BENCH_MAX_PARAMS];
};

/**
 * plan_sweep_init - the values of @entry on @machine
 * @ret: all zero; filled on success, to be released by the caller
 *
 * Values are kept within the parameter's limits, and no two are the same.
 *
 * Return: 0 or -ENOMEM.
 */
int plan_sweep_init(const struct grid_workload *entry,
		    const struct ladder_machine *machine, struct plan_sweep *ret);

/** plan_sweep_rows - combinations of values; SIZE_MAX: too many to count */
size_t plan_sweep_rows(const struct plan_sweep *sweep);

/**
 * plan_sweep_share - give what is work for each CPU its value in one row
 * @workload: has the row's other values
 */
void plan_sweep_share(const struct plan_sweep *sweep,
		      const struct ladder_machine *machine, struct workload *workload);

/** plan_sweep_release - free what it owns; all zero is fine */
void plan_sweep_release(struct plan_sweep *sweep);

#endif
