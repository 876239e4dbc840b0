// SPDX-License-Identifier: GPL-2.0-or-later
/* Percentages, ladders and work for each CPU as numbers; see plan_sweep.h. */
#include "runner/plan_sweep.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "runner/ladder.h"

static uint64_t within(const struct bench_param *param, uint64_t number)
{
	if (number < param->min)
		return param->min;
	return number > param->max ? param->max : number;
}

/* Numbers that are there already are left out: a small machine has few. */
static void add_number(struct plan_sweep *sweep, size_t param, uint64_t number)
{
	union bench_value *own = sweep->own[param];
	size_t i;

	for (i = 0; i < sweep->nr[param]; i++) {
		if (own[i].number == number)
			return;
	}
	own[sweep->nr[param]++].number = number;
}

static int make_room(struct plan_sweep *sweep, size_t param, size_t nr)
{
	sweep->own[param] = calloc(nr + 1, sizeof(*sweep->own[param]));
	sweep->values[param] = sweep->own[param];
	sweep->nr[param] = 0;
	return sweep->own[param] ? 0 : -ENOMEM;
}

static int add_rungs(struct plan_sweep *sweep, size_t idx,
		     const struct ladder_machine *machine)
{
	const struct bench_param *param = &sweep->entry->base.ops->params[idx];
	const struct grid_sweep *written = &sweep->entry->sweep[idx];
	struct rungs rungs = { 0 };
	int bad =
		ladder_rungs(written->ladder, machine, written->values[0].number, &rungs);
	size_t i;

	if (!bad)
		bad = make_room(sweep, idx, rungs.nr);
	for (i = 0; !bad && i < rungs.nr; i++)
		add_number(sweep, idx, within(param, rungs.value[i]));
	rungs_release(&rungs);
	return bad;
}

static int add_listed(struct plan_sweep *sweep, size_t idx,
		      const struct ladder_machine *machine)
{
	const struct bench_param *param = &sweep->entry->base.ops->params[idx];
	const struct grid_sweep *written = &sweep->entry->sweep[idx];
	int bad = make_room(sweep, idx, written->nr);
	size_t i;

	for (i = 0; !bad && i < written->nr; i++) {
		uint64_t number = written->values[i].number;

		if (written->is_percent[i])
			number = within(param, ladder_share(number, machine->nr_cpus));
		add_number(sweep, idx, number);
	}
	return bad;
}

int plan_sweep_init(const struct grid_workload *entry,
		    const struct ladder_machine *machine, struct plan_sweep *ret)
{
	int bad = 0;
	size_t i;

	ret->entry = entry;
	for (i = 0; !bad && entry->base.ops->params[i].name; i++) {
		const struct grid_sweep *written = &entry->sweep[i];

		ret->values[i] = written->values;
		ret->nr[i] = written->nr;
		if (written->ladder)
			bad = add_rungs(ret, i, machine);
		else if (written->is_percent)
			bad = add_listed(ret, i, machine);
	}
	if (bad)
		plan_sweep_release(ret);
	return bad;
}

size_t plan_sweep_rows(const struct plan_sweep *sweep)
{
	size_t product = 1;
	size_t i;

	for (i = 0; sweep->entry->base.ops->params[i].name; i++) {
		if (__builtin_mul_overflow(product, sweep->nr[i], &product))
			return SIZE_MAX;
	}
	return product;
}

void plan_sweep_share(const struct plan_sweep *sweep,
		      const struct ladder_machine *machine, struct workload *workload)
{
	const struct bench_ops *ops = workload->ops;
	size_t i;

	for (i = 0; ops->params[i].name; i++) {
		uint64_t number = workload->value[i].number;

		if (!sweep->entry->sweep[i].is_per_cpu)
			continue;
		number = ladder_per_cpu(number, machine->nr_cpus,
					workload_uint(workload, ops->axis));
		workload->value[i].number = within(&ops->params[i], number);
	}
}

void plan_sweep_release(struct plan_sweep *sweep)
{
	size_t i;

	for (i = 0; i < BENCH_MAX_PARAMS; i++)
		free(sweep->own[i]);
	*sweep = (struct plan_sweep){ 0 };
}
