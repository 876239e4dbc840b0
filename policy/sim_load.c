// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Load tracking of the simulator. All signals share the same periods, so that those of a
 * task are simply part of its CPU's sums. A CPU's are brought up to date by its own events
 * only: others see them as old as they are, as in the kernel.
 */
#include "policy/release.h"
#include "policy/sim_parts.h"
#include "policy/variant.h"

/* CPUs were idle for a second before the run begins, on a border of periods. */
enum { IDLE_BEFORE_US = 1024 * 1024 };

static uint64_t clock_us(const struct sim *sim)
{
	return IDLE_BEFORE_US + (sim->now_ns >> 10);
}

static uint64_t most(unsigned int contrib)
{
	return PELT_MAX - PELT_PERIOD + contrib;
}

/* What was added to or taken off a sum shows at once. */
static void renew(struct pelt *signal)
{
	signal->avg = signal->sum * 1024 / most(signal->contrib);
}

static void advance(struct signals *signals, uint64_t now_us, unsigned int runnable,
		    unsigned int running)
{
	uint64_t delta = now_us - signals->at_us;

	if (!delta)
		return;
	(void)pelt_advance(&signals->load, delta, runnable);
	(void)pelt_advance(&signals->util, delta, running);
	(void)pelt_advance(&signals->runnable, delta, runnable);
	signals->at_us = now_us;
}

static void take_off(struct pelt *signal, uint64_t part)
{
	signal->sum = without(signal->sum, part);
	renew(signal);
}

static void add_to(struct pelt *signal, uint64_t part)
{
	signal->sum += part;
	renew(signal);
}

static void advance_cpu(struct sim *sim, int cpu)
{
	struct sim_cpu *here = &sim->cpus[cpu];
	uint64_t now_us = clock_us(sim);

	if (here->left.load || here->left.util || here->left.runnable) {
		take_off(&here->signals.load, here->left.load);
		take_off(&here->signals.util, here->left.util);
		take_off(&here->signals.runnable, here->left.runnable);
		here->left.load = here->left.util = here->left.runnable = 0;
	}
	if (now_us > here->signals.at_us)
		(void)pelt_advance(&here->runnable_load, now_us - here->signals.at_us,
				   (unsigned int)here->nr);
	advance(&here->signals, now_us, (unsigned int)here->nr, here->current >= 0);
}

void signals_touch_task(struct sim *sim, struct sim_task *task)
{
	advance(&task->signals, clock_us(sim), 1, task->stage == TASK_RUNNING);
}

void signals_touch(struct sim *sim, int cpu)
{
	struct sim_cpu *here = &sim->cpus[cpu];

	advance_cpu(sim, cpu);
	if (here->current >= 0)
		signals_touch_task(sim, &sim->tasks[here->current]);
	signals_publish(sim, cpu);
}

void signals_publish(struct sim *sim, int cpu)
{
	const struct sim_cpu *here = &sim->cpus[cpu];
	struct cpu_state *state = &sim->states[cpu];
	const struct sim_task *task =
		here->current >= 0 ? &sim->tasks[here->current] : NULL;

	state->nr_running = (int)here->nr;
	state->weight = here->nr * NICE_0_WEIGHT;
	state->runnable_load = here->runnable_load.avg;
	state->load_avg = here->signals.load.avg;
	state->util_avg = here->signals.util.avg;
	state->runnable_avg = here->signals.runnable.avg;
	state->wakee_flips = task ? task->flips : 0;
	state->current_load = 0;
	if (task)
		state->current_load = sim->options->variant->idlest.load == LOAD_WEIGHT
					      ? NICE_0_WEIGHT
					      : task->signals.load.avg;
}

static void start(struct pelt *signal, uint64_t avg, unsigned int contrib)
{
	signal->contrib = contrib;
	signal->avg = avg;
	signal->sum = avg * most(contrib) / 1024;
}

void signals_new_task(struct sim *sim, struct sim_task *task, int cpu)
{
	const struct policy_variant *variant = sim->options->variant;
	const struct cpu_state *state = &sim->states[cpu];
	/* Kernels from 4.7 to 6.8 have a weight of higher resolution here. */
	uint64_t scale = variant->release < RELEASE(6, 9, 0) ? 1024 : 1;
	uint64_t util = pelt_new_task_util(state->util_avg, state->load_avg,
					   NICE_0_WEIGHT * scale);
	unsigned int contrib = (unsigned int)(clock_us(sim) % PELT_PERIOD);

	start(&task->signals.load, NICE_0_WEIGHT, contrib);
	start(&task->signals.util, util, contrib);
	start(&task->signals.runnable,
	      variant->initial_runnable == INITIAL_RUNNABLE_FULL ? 1024 : util, contrib);
	task->signals.at_us = clock_us(sim);
}

void signals_sleep(struct sim *sim, int cpu, struct sim_task *task)
{
	signals_touch_task(sim, task);
	take_off(&sim->cpus[cpu].runnable_load, task->signals.load.sum);
}

void signals_sync(struct sim *sim, struct sim_task *task)
{
	uint64_t at_us = sim->cpus[task->cpu].signals.at_us;

	if (at_us > task->signals.at_us)
		advance(&task->signals, at_us, 0, 0);
}

void signals_leave(struct sim *sim, struct sim_task *task)
{
	struct sim_cpu *old = &sim->cpus[task->cpu];

	/* As old as the CPU's own: what is left there is exactly this. */
	signals_sync(sim, task);
	old->left.load += task->signals.load.sum;
	old->left.util += task->signals.util.sum;
	old->left.runnable += task->signals.runnable.sum;
}

static void attach(struct sim_cpu *here, const struct sim_task *task)
{
	add_to(&here->signals.load, task->signals.load.sum);
	add_to(&here->signals.util, task->signals.util.sum);
	add_to(&here->signals.runnable, task->signals.runnable.sum);
}

void signals_join(struct sim *sim, int cpu, struct sim_task *task, bool is_there)
{
	unsigned int release = sim->options->variant->release;
	struct sim_cpu *here = &sim->cpus[cpu];
	/* 4.8 to 4.10: a new task is attached before the CPU's clock is refreshed. */
	bool is_stale = task->stage == TASK_NEW && release >= RELEASE(4, 8, 0) &&
			release < RELEASE(4, 11, 0);

	if (is_stale) {
		attach(here, task);
		advance_cpu(sim, cpu);
	} else {
		advance_cpu(sim, cpu);
	}
	advance(&task->signals, clock_us(sim), 0, 0);
	if (!is_there && !is_stale)
		attach(here, task);
	add_to(&here->runnable_load, task->signals.load.sum);
}
