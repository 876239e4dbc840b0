// SPDX-License-Identifier: GPL-2.0-or-later
/* Runqueues of the simulator: who is on them, who runs, who preempts whom. */
#include <errno.h>
#include <stdlib.h>

#include "policy/sim_parts.h"

void sim_progress(struct sim *sim, int cpu)
{
	struct sim_cpu *here = &sim->cpus[cpu];
	uint64_t elapsed = sim->now_ns - here->since_ns;
	uint64_t done = elapsed * here->rate / 1000;
	struct sim_task *task;
	uint64_t *work;

	here->since_ns = sim->now_ns;
	if (here->current < 0) {
		here->idle_ns += elapsed;
		return;
	}
	task = &sim->tasks[here->current];
	work = here->arms_debt ? &task->debt_ns : &task->left;
	*work = without(*work, done);
	here->busy_ns += elapsed;
	here->fair[task->slot].vruntime += fair_virtual(elapsed, NICE_0_WEIGHT);
}

void sim_touch(struct sim *sim, int cpu)
{
	sim_progress(sim, cpu);
	signals_touch(sim, cpu);
}

void sim_ask(struct sim *sim, int cpu)
{
	if (sim->cpus[cpu].needs_pick)
		return;
	sim->cpus[cpu].needs_pick = true;
	sim->pending[sim->nr_pending++] = cpu;
}

static bool make_room(struct sim *sim, struct sim_cpu *here)
{
	size_t room = here->room ? 2 * here->room : 8;
	int *tasks;
	struct fair_task *fair;

	if (here->nr < here->room)
		return true;
	tasks = reallocarray(here->tasks, room, sizeof(*tasks));
	if (tasks)
		here->tasks = tasks;
	fair = reallocarray(here->fair, room, sizeof(*fair));
	if (fair)
		here->fair = fair;
	if (!tasks || !fair) {
		sim_fail(sim, -ENOMEM, NULL, 0);
		return false;
	}
	here->room = room;
	return true;
}

/* The clock of a runqueue never goes back. */
static void renew_min(struct sim_cpu *here)
{
	int first = fair_pick(here->fair, here->nr);

	if (first >= 0 && here->fair[first].vruntime > here->min_vruntime)
		here->min_vruntime = here->fair[first].vruntime;
}

static void place_vruntime(struct sim *sim, struct sim_task *task, int cpu)
{
	struct sim_cpu *here = &sim->cpus[cpu];
	uint64_t nr = here->nr + 1;

	if (sim->times.is_eevdf) {
		eevdf_place(&sim->times, here->fair, here->nr,
			    task->stage == TASK_NEW ? NULL : &task->lag, &task->fair);
		return;
	}
	renew_min(here);
	if (task->stage == TASK_NEW) {
		uint64_t slice = fair_slice(&sim->times, (int)nr, NICE_0_WEIGHT,
					    nr * NICE_0_WEIGHT);

		task->fair.vruntime =
			fair_place_new(here->min_vruntime, slice, NICE_0_WEIGHT);
		return;
	}
	if (task->cpu != cpu)
		task->fair.vruntime +=
			here->min_vruntime - sim->cpus[task->cpu].min_vruntime;
	if (task->stage == TASK_BLOCKED)
		task->fair.vruntime = fair_place_woken(&sim->times, here->min_vruntime,
						       task->fair.vruntime);
}

static int protected_slot(const struct sim *sim, const struct sim_cpu *here)
{
	int slot = sim->tasks[here->current].slot;

	return here->fair[slot].vruntime < here->fair[slot].deadline ? slot : -1;
}

static bool preempts(const struct sim *sim, const struct sim_cpu *here, int slot)
{
	if (sim->times.is_eevdf)
		return eevdf_pick(here->fair, here->nr, protected_slot(sim, here)) ==
		       slot;
	return fair_wakeup_preempts(&sim->times, (int)here->nr,
				    &here->fair[sim->tasks[here->current].slot],
				    &here->fair[slot]);
}

static void insert(struct sim *sim, int number, int cpu)
{
	struct sim_cpu *here = &sim->cpus[cpu];
	struct sim_task *task = &sim->tasks[number];

	task->slot = (int)here->nr;
	here->tasks[here->nr] = number;
	here->fair[here->nr++] = task->fair;
	if (here->nr == 2)
		sim->nr_overloaded++;
}

void sim_enqueue(struct sim *sim, int number, int cpu, enum sim_event event)
{
	struct sim_cpu *here = &sim->cpus[cpu];
	struct sim_task *task = &sim->tasks[number];
	bool is_there = task->stage == TASK_BLOCKED && task->cpu == cpu;

	if (!cpumask_has(&sim->allowed, cpu))
		sim_fail(sim, -EPROTO, "a task was put on a CPU that it isn't allowed on",
			 number);
	/* Load tracking follows below: it may see the task first. */
	sim_progress(sim, cpu);
	if (!make_room(sim, here))
		return;
	if (task->stage != TASK_NEW && task->cpu != cpu)
		signals_leave(sim, task);
	if (event == SIM_WAKEUP && task->cpu != cpu)
		task->recent_cpu = task->cpu;
	signals_join(sim, cpu, task, is_there);
	place_vruntime(sim, task, cpu);
	task->cpu = cpu;
	insert(sim, number, cpu);
	sim_stage(sim, task, TASK_WAITING);
	signals_publish(sim, cpu);
	if (here->current < 0 || preempts(sim, here, task->slot))
		sim_ask(sim, cpu);
}

static void take_out(struct sim *sim, struct sim_cpu *here, size_t slot)
{
	size_t i;

	if (here->nr-- == 2)
		sim->nr_overloaded--;
	for (i = slot; i < here->nr; i++) {
		here->tasks[i] = here->tasks[i + 1];
		here->fair[i] = here->fair[i + 1];
		sim->tasks[here->tasks[i]].slot = (int)i;
	}
}

void sim_dequeue(struct sim *sim, int number, enum task_stage stage)
{
	struct sim_task *task = &sim->tasks[number];
	int cpu = task->cpu;
	struct sim_cpu *here = &sim->cpus[cpu];

	sim_touch(sim, cpu);
	signals_sleep(sim, cpu, task);
	task->fair = here->fair[task->slot];
	if (sim->times.is_eevdf)
		task->lag = eevdf_average(here->fair, here->nr) - task->fair.vruntime;
	else
		renew_min(here);
	take_out(sim, here, (size_t)task->slot);
	if (here->current == number) {
		sim_streams(sim, cpu, false);
		here->current = -1;
		sim_ask(sim, cpu);
	}
	sim_stage(sim, task, stage);
	signals_publish(sim, cpu);
}

/* What it costs to begin here: switching, and fetching what is cached elsewhere. */
static void charge_switch(struct sim *sim, int cpu, struct sim_task *task, int number)
{
	const struct cost_model *costs = sim->options->costs;
	struct sim_cpu *here = &sim->cpus[cpu];
	const struct sim_task *last =
		here->switched_from >= 0 ? &sim->tasks[here->switched_from] : NULL;

	if (here->switched_from != number) {
		sim->result.switches++;
		task->debt_ns += last && last->process == task->process
					 ? costs->switch_same
					 : costs->switch_other;
	}
	if (task->warm_cpu >= 0 && task->warm_cpu != cpu) {
		enum cost_distance far = sim_distance(sim->machine, task->warm_cpu, cpu);

		task->debt_ns += costs->migrate + (uint64_t)costs->refill_kib[far] *
							  task->program->footprint_kib;
	}
	here->switched_from = number;
	task->warm_cpu = cpu;
}

static void run_next(struct sim *sim, int cpu)
{
	struct sim_cpu *here = &sim->cpus[cpu];
	int slot = sim->times.is_eevdf ? eevdf_pick(here->fair, here->nr, -1)
				       : fair_pick(here->fair, here->nr);
	int number = here->tasks[slot];
	struct sim_task *task = &sim->tasks[number];
	bool was_idle = here->is_idle;

	signals_touch_task(sim, task);
	here->current = number;
	here->picked_ns = sim->now_ns;
	sim_stage(sim, task, TASK_RUNNING);
	signals_publish(sim, cpu);
	if (was_idle) {
		task->debt_ns += here->exit_ns;
		sim_idle_end(sim, cpu);
	}
	charge_switch(sim, cpu, task, number);
	if (!sim->times.is_eevdf)
		renew_min(here);
	sim_step_begin(sim, cpu);
}

static void pick(struct sim *sim, int cpu)
{
	struct sim_cpu *here = &sim->cpus[cpu];

	sim_touch(sim, cpu);
	if (here->current >= 0) {
		sim_streams(sim, cpu, false);
		sim_stage(sim, &sim->tasks[here->current], TASK_WAITING);
		here->current = -1;
	}
	here->stamp++;
	if (!here->nr && !here->is_idle)
		sim_newidle(sim, cpu);
	here->needs_pick = false;
	if (here->nr)
		run_next(sim, cpu);
	else if (!here->is_idle)
		sim_idle_begin(sim, cpu);
}

void sim_pick_all(struct sim *sim)
{
	size_t i;

	/* Picking may ask others: the list grows meanwhile. */
	for (i = 0; i < sim->nr_pending && !sim->bad; i++)
		pick(sim, sim->pending[i]);
	sim->nr_pending = 0;
}

bool sim_tick_fair(struct sim *sim, int cpu)
{
	struct sim_cpu *here = &sim->cpus[cpu];
	size_t slot = (size_t)sim->tasks[here->current].slot;
	struct fair_task *fair = &here->fair[slot];
	const struct fair_task *next = NULL;
	uint64_t slice;
	size_t i;

	if (sim->times.is_eevdf) {
		if (fair->vruntime < fair->deadline)
			return false;
		fair->deadline =
			fair->vruntime + fair_virtual(sim->times.slice_ns, fair->weight);
		return here->nr > 1;
	}
	for (i = 0; i < here->nr; i++)
		if (i != slot && (!next || here->fair[i].vruntime < next->vruntime))
			next = &here->fair[i];
	slice = fair_slice(&sim->times, (int)here->nr, NICE_0_WEIGHT,
			   here->nr * NICE_0_WEIGHT);
	return fair_tick_preempts(&sim->times, fair, sim->now_ns - here->picked_ns, slice,
				  next);
}
