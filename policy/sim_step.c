// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Steps of programs: what each costs, and what it does when that is paid. A step that has
 * to wait takes its task off the CPU and is tried again when somebody woke it up.
 */
#include "policy/sim_parts.h"

#include <errno.h>

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

/* Whether a mutex needs the kernel: it is taken, or somebody waits for it. */
static bool is_contended(const struct sim *sim, const struct sim_task *task,
			 const struct program_step *step)
{
	const struct sim_gate *gate = &sim->gates[object_of(task, step)];

	return step->op == PROGRAM_LOCK ? !gate->tokens : gate->waiters.first >= 0;
}

/* enum payment - what a step's cost consists of */
enum payment { PAY_NOTHING, PAY_CALL, PAY_MESSAGE, PAY_FUTEX, PAY_MUTEX, PAY_LIFE };

static const enum payment payments[PROGRAM_OPS] = {
	[PROGRAM_SLEEP] = PAY_CALL,	 [PROGRAM_WAIT] = PAY_CALL,
	[PROGRAM_YIELD] = PAY_CALL,	 [PROGRAM_SEND] = PAY_MESSAGE,
	[PROGRAM_RECEIVE] = PAY_MESSAGE, [PROGRAM_BLOCK] = PAY_FUTEX,
	[PROGRAM_WAKE] = PAY_FUTEX,	 [PROGRAM_BARRIER] = PAY_FUTEX,
	[PROGRAM_LOCK] = PAY_MUTEX,	 [PROGRAM_UNLOCK] = PAY_MUTEX,
	[PROGRAM_FORK] = PAY_LIFE,	 [PROGRAM_EXEC] = PAY_LIFE,
	[PROGRAM_EXIT] = PAY_LIFE,
};

/* What the kernel does for the step, in ns. */
static uint64_t kernel_cost(const struct sim *sim, const struct sim_task *task,
			    const struct program_step *step)
{
	const struct cost_model *costs = sim->options->costs;
	uint64_t futex = costs->syscall + costs->message[PROGRAM_FUTEX];

	switch (payments[step->op]) {
	case PAY_NOTHING:
		break;
	case PAY_CALL:
		return costs->syscall;
	case PAY_MESSAGE:
		return message_cost(sim, task, step);
	case PAY_FUTEX:
		return futex;
	case PAY_MUTEX:
		return is_contended(sim, task, step) ? futex : 0;
	case PAY_LIFE:
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

	if (was_granted(task))
		return true;
	if (!gate->is_open && !gate->tokens) {
		push(sim, &gate->waiters, number);
		return false;
	}
	gate->tokens -= !gate->is_open;
	if (step->op == PROGRAM_BLOCK)
		task->stamp_ns = gate->stamp_ns;
	return true;
}

/* Wake up the first one that waits at @gate, and hand it the stamp of its waker. */
static bool let_pass(struct sim *sim, struct sim_gate *gate, int waker)
{
	int first = gate->waiters.first;

	if (first >= 0)
		sim->tasks[first].stamp_ns = sim->tasks[waker].stamp_ns;
	return wake_one(sim, &gate->waiters, waker, false, true);
}

static bool wake(struct sim *sim, int number, const struct program_step *step)
{
	struct sim_gate *gate = &sim->gates[object_of(&sim->tasks[number], step)];
	uint64_t i;

	if (!step->amount)
		gate->is_open = true;
	for (i = 0; !step->amount || i < step->amount; i++)
		if (!let_pass(sim, gate, number))
			break;
	gate->tokens += step->amount ? step->amount - i : 0;
	gate->stamp_ns = sim->tasks[number].stamp_ns;
	return true;
}

/* Who is woken up tries again, and may find that another one was quicker. */
static bool unlock(struct sim *sim, int number, const struct program_step *step)
{
	struct sim_gate *gate = &sim->gates[object_of(&sim->tasks[number], step)];

	gate->tokens = 1;
	(void)wake_one(sim, &gate->waiters, number, false, false);
	return true;
}

/*
 * Let others run first. Before 6.6 that goes to the next one in line unless it has a
 * wakeup's granularity less of a claim; since then the turn moves back by a slice.
 */
static bool yield(struct sim *sim, int number, const struct program_step *step)
{
	struct sim_cpu *here = &sim->cpus[sim->tasks[number].cpu];
	size_t slot = (size_t)sim->tasks[number].slot;
	struct fair_task *fair = &here->fair[slot];
	const struct fair_task *next = NULL;
	size_t i;

	(void)step;
	if (here->nr < 2)
		return true;
	sim_ask(sim, sim->tasks[number].cpu);
	if (sim->times.is_eevdf) {
		fair->deadline += fair_virtual(sim->times.slice_ns, fair->weight);
		return true;
	}
	for (i = 0; i < here->nr; i++)
		if (i != slot && (!next || here->fair[i].vruntime < next->vruntime))
			next = &here->fair[i];
	if (next && next->vruntime >= fair->vruntime &&
	    next->vruntime - fair->vruntime <= (int64_t)sim->times.wakeup_granularity_ns)
		fair->vruntime = next->vruntime + 1;
	return true;
}

static bool note(struct sim *sim, int number, const struct program_step *step)
{
	uint64_t ns = sim->now_ns - sim->tasks[number].stamp_ns;

	if (program_note_add(&sim->result.outcome, step->object, ns))
		sim_fail(sim, -ENOMEM, NULL, number);
	return true;
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

static bool wait_for_children(struct sim *sim, int number,
			      const struct program_step *step)
{
	(void)step;
	return !sim->tasks[number].nr_children;
}

static bool fork_one(struct sim *sim, int number, const struct program_step *step)
{
	sim_fork(sim, number, &sim->options->graph->programs[step->object],
		 (int)step->amount);
	return true;
}

static bool mark(struct sim *sim, int number, const struct program_step *step)
{
	(void)number;
	sim->result.outcome.has_mark[step->object] = true;
	sim->result.outcome.mark_ns[step->object] = sim->now_ns;
	return true;
}

static bool stamp(struct sim *sim, int number, const struct program_step *step)
{
	(void)step;
	sim->tasks[number].stamp_ns = sim->now_ns;
	return true;
}

/* Steps that do nothing but take time have none. */
static bool (*const effects[PROGRAM_OPS])(struct sim *sim, int number,
					  const struct program_step *step) = {
	[PROGRAM_SLEEP] = doze,
	[PROGRAM_SEND] = send,
	[PROGRAM_RECEIVE] = receive,
	[PROGRAM_BLOCK] = block,
	[PROGRAM_WAKE] = wake,
	[PROGRAM_LOCK] = block,
	[PROGRAM_UNLOCK] = unlock,
	[PROGRAM_YIELD] = yield,
	[PROGRAM_BARRIER] = meet,
	[PROGRAM_FORK] = fork_one,
	[PROGRAM_WAIT] = wait_for_children,
	[PROGRAM_MARK] = mark,
	[PROGRAM_STAMP] = stamp,
	[PROGRAM_NOTE] = note,
};

static bool apply(struct sim *sim, int number)
{
	const struct program_step *step = step_of(&sim->tasks[number]);

	return effects[step->op] ? effects[step->op](sim, number, step) : true;
}

/* On to the next step, and around loops. */
static void advance(struct sim_task *task)
{
	const struct program_step *step;

	task->is_begun = task->is_retry = false;
	task->step++;
	for (step = step_of(task); step->op == PROGRAM_REPEAT; step = step_of(task)) {
		uint64_t *count = &task->loops[step->object];

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
		sim->result.outcome.nr_done[op]++;
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
	sim->result.outcome.nr_done[op]++;
	advance(&sim->tasks[number]);
	if (op == PROGRAM_EXEC)
		sim_exec(sim, number);
	if (here->current == number && !sim->bad)
		sim_step_begin(sim, cpu);
}
