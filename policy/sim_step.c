// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Steps of programs: what each costs, and what it does when that is paid. A step that has
 * to wait takes its task off the CPU and is tried again when somebody woke it up.
 */
#include "policy/sim_parts.h"

#include "policy/release.h"
#include "policy/variant.h"

static const struct program_step *step_of(const struct sim_task *task)
{
	static const struct program_step end = { .op = PROGRAM_EXIT };

	return task->step < task->program->nr_steps ? &task->program->steps[task->step]
						    : &end;
}

static int object_of(const struct sim_task *task, const struct program_step *step)
{
	return step->object + (step->is_based ? task->base : 0);
}

static void push(struct sim *sim, struct waiters *waiters, int number)
{
	sim->tasks[number].next = -1;
	if (waiters->first < 0)
		waiters->first = number;
	else
		sim->tasks[waiters->last].next = number;
	waiters->last = number;
}

static int pop(struct sim *sim, struct waiters *waiters)
{
	int number = waiters->first;

	if (number >= 0)
		waiters->first = sim->tasks[number].next;
	return number;
}

/* Wake the first one; @grants: it has what it waited for. */
static bool wake_one(struct sim *sim, struct waiters *waiters, int waker, bool is_sync,
		     bool grants)
{
	int number = pop(sim, waiters);

	if (number < 0)
		return false;
	sim->tasks[number].is_granted = grants;
	sim_wake(sim, number, waker, is_sync);
	return true;
}

static uint64_t message_cost(const struct sim *sim, const struct sim_task *task,
			     const struct program_step *step)
{
	const struct cost_model *costs = sim->options->costs;
	enum program_medium medium =
		sim->options->graph->channels[object_of(task, step)].medium;

	return costs->syscall + costs->message[medium];
}

/* A task's beginning and end. */
static uint64_t life_cost(const struct sim *sim, const struct sim_task *task,
			  const struct program_step *step)
{
	const struct cost_model *costs = sim->options->costs;

	if (step->op == PROGRAM_EXEC)
		return costs->start_process;
	if (step->op == PROGRAM_EXIT)
		return task->program->is_thread ? costs->start_thread : costs->exit;
	return sim->options->graph->programs[step->object].is_thread
		       ? costs->fork_thread
		       : costs->fork_process;
}

/* What the kernel does for the step, in ns. */
static uint64_t kernel_cost(const struct sim *sim, const struct sim_task *task,
			    const struct program_step *step)
{
	const struct cost_model *costs = sim->options->costs;

	switch (step->op) {
	case PROGRAM_RUN:
	case PROGRAM_MEMORY:
	case PROGRAM_REPEAT:
	case PROGRAM_MARK:
		break;
	case PROGRAM_SEND:
	case PROGRAM_RECEIVE:
		return message_cost(sim, task, step);
	case PROGRAM_BLOCK:
	case PROGRAM_WAKE:
	case PROGRAM_BARRIER:
		return costs->syscall + costs->message[PROGRAM_FUTEX];
	case PROGRAM_SLEEP:
	case PROGRAM_WAIT:
		return costs->syscall;
	case PROGRAM_FORK:
	case PROGRAM_EXEC:
	case PROGRAM_EXIT:
		return life_cost(sim, task, step);
	}
	return 0;
}

/* Computing takes a little longer at random: what repeated runs differ by. */
static uint64_t with_jitter(const struct sim *sim, struct sim_task *task, uint64_t ns)
{
	uint64_t most = ns * sim->options->costs->jitter_permille / 1000;

	return ns + rng_below(&task->rng, most + 1);
}

static void begin(struct sim *sim, struct sim_task *task)
{
	const struct program_step *step = step_of(task);

	task->is_begun = true;
	task->left = 0;
	if (task->is_retry)
		return;
	task->debt_ns += with_jitter(sim, task, kernel_cost(sim, task, step));
	if (step->op == PROGRAM_RUN)
		task->left = with_jitter(sim, task, step->amount);
	if (step->op != PROGRAM_MEMORY)
		return;
	task->left = step->amount;
	if (task->home_node < 0)
		task->home_node = machine_unit_of(sim->machine, MACHINE_NODE, task->cpu);
}

void sim_step_begin(struct sim *sim, int cpu)
{
	struct sim_task *task = &sim->tasks[sim->cpus[cpu].current];

	if (!task->is_begun)
		begin(sim, task);
	sim_streams(sim, cpu, step_of(task)->op == PROGRAM_MEMORY && task->left);
	sim_arm(sim, cpu);
}

/* The effects return whether the step is over; if not, the task waits. */

static bool send(struct sim *sim, int number, const struct program_step *step)
{
	int object = object_of(&sim->tasks[number], step);
	const struct program_channel *kind = &sim->options->graph->channels[object];
	struct sim_channel *channel = &sim->channels[object];

	if (channel->nr == kind->capacity) {
		push(sim, &channel->writers, number);
		return false;
	}
	channel->nr++;
	channel->last_cpu = sim->tasks[number].cpu;
	(void)wake_one(sim, &channel->readers, number, kind->medium != PROGRAM_FUTEX,
		       false);
	return true;
}

static bool receive(struct sim *sim, int number, const struct program_step *step)
{
	const struct cost_model *costs = sim->options->costs;
	struct sim_task *task = &sim->tasks[number];
	int object = object_of(task, step);
	const struct program_channel *kind = &sim->options->graph->channels[object];
	struct sim_channel *channel = &sim->channels[object];

	if (!channel->nr) {
		push(sim, &channel->readers, number);
		return false;
	}
	channel->nr--;
	task->debt_ns +=
		(uint64_t)costs->lines[kind->medium] *
		costs->line[sim_distance(sim->machine, channel->last_cpu, task->cpu)];
	(void)wake_one(sim, &channel->writers, number, kind->medium != PROGRAM_FUTEX,
		       false);
	return true;
}

/* Whether what the task waited for was given to it; it is used up by that. */
static bool was_granted(struct sim_task *task)
{
	bool granted = task->is_granted;

	task->is_granted = false;
	return granted;
}

static bool block(struct sim *sim, int number, const struct program_step *step)
{
	struct sim_task *task = &sim->tasks[number];
	struct sim_gate *gate = &sim->gates[object_of(task, step)];

	if (was_granted(task) || gate->is_open)
		return true;
	if (!gate->tokens) {
		push(sim, &gate->waiters, number);
		return false;
	}
	gate->tokens--;
	return true;
}

static void wake(struct sim *sim, int number, const struct program_step *step)
{
	struct sim_gate *gate = &sim->gates[object_of(&sim->tasks[number], step)];
	uint64_t i;

	if (!step->amount)
		gate->is_open = true;
	for (i = 0; !step->amount || i < step->amount; i++)
		if (!wake_one(sim, &gate->waiters, number, false, true))
			break;
	gate->tokens += step->amount ? step->amount - i : 0;
}

static bool meet(struct sim *sim, int number, const struct program_step *step)
{
	struct sim_task *task = &sim->tasks[number];
	int object = object_of(task, step);
	struct sim_barrier *barrier = &sim->barriers[object];

	if (was_granted(task))
		return true;
	if (++barrier->nr < sim->options->graph->parties[object]) {
		push(sim, &barrier->waiters, number);
		return false;
	}
	barrier->nr = 0;
	while (wake_one(sim, &barrier->waiters, number, false, true))
		;
	return true;
}

static bool doze(struct sim *sim, int number, const struct program_step *step)
{
	if (was_granted(&sim->tasks[number]))
		return true;
	sim_post(sim, sim->now_ns + step->amount, KIND_TIMER, number, 0);
	return false;
}

static void finish(struct sim *sim, int number)
{
	struct sim_task *task = &sim->tasks[number];
	struct sim_task *parent = task->parent >= 0 ? &sim->tasks[task->parent] : NULL;

	if (parent && !--parent->nr_children && parent->stage == TASK_BLOCKED &&
	    step_of(parent)->op == PROGRAM_WAIT)
		/* An exiting waker isn't synchronous any more since 5.0. */
		sim_wake(sim, task->parent, number,
			 sim->options->variant->release < RELEASE(5, 0, 0));
	sim_dequeue(sim, number, TASK_GONE);
	signals_leave(sim, task);
	sim->nr_alive--;
}

static bool apply(struct sim *sim, int number)
{
	const struct program_step *step = step_of(&sim->tasks[number]);

	switch (step->op) {
	case PROGRAM_SEND:
		return send(sim, number, step);
	case PROGRAM_RECEIVE:
		return receive(sim, number, step);
	case PROGRAM_BLOCK:
		return block(sim, number, step);
	case PROGRAM_BARRIER:
		return meet(sim, number, step);
	case PROGRAM_SLEEP:
		return doze(sim, number, step);
	case PROGRAM_WAIT:
		return !sim->tasks[number].nr_children;
	case PROGRAM_WAKE:
		wake(sim, number, step);
		break;
	case PROGRAM_FORK:
		sim_fork(sim, number, &sim->options->graph->programs[step->object],
			 (int)step->amount);
		break;
	case PROGRAM_MARK:
		sim->result.outcome.has_mark[step->object] = true;
		sim->result.outcome.mark_ns[step->object] = sim->now_ns;
		break;
	case PROGRAM_RUN:
	case PROGRAM_MEMORY:
	case PROGRAM_EXEC:
	case PROGRAM_REPEAT:
	case PROGRAM_EXIT:
		break;
	}
	return true;
}

/* On to the next step, and around loops. */
static void advance(struct sim_task *task)
{
	const struct program_step *step;

	task->is_begun = task->is_retry = false;
	task->step++;
	for (step = step_of(task); step->op == PROGRAM_REPEAT; step = step_of(task)) {
		unsigned int *count = &task->loops[step->object];

		if ((*count)++ < step->amount) {
			task->step -= step->back;
			continue;
		}
		*count = 0;
		task->step++;
	}
}

void sim_step_end(struct sim *sim, int cpu)
{
	struct sim_cpu *here = &sim->cpus[cpu];
	int number = here->current;
	struct sim_task *task = &sim->tasks[number];
	enum program_op op = step_of(task)->op;

	sim_touch(sim, cpu);
	if (here->arms_debt) {
		task->debt_ns = 0;
		if (task->left) {
			sim_arm(sim, cpu);
			return;
		}
	}
	task->left = 0;
	if (op == PROGRAM_EXIT) {
		finish(sim, number);
		return;
	}
	if (!apply(sim, number)) {
		task = &sim->tasks[number];
		task->is_retry = true;
		task->is_begun = false;
		sim_dequeue(sim, number, TASK_BLOCKED);
		return;
	}
	advance(&sim->tasks[number]);
	if (op == PROGRAM_EXEC)
		sim_exec(sim, number);
	if (here->current == number && !sim->bad)
		sim_step_begin(sim, cpu);
}
