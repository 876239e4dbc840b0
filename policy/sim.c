// SPDX-License-Identifier: GPL-2.0-or-later
/* The simulator's loop, and what is built before it and counted after it; see sim.h. */
#include "policy/sim.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/err.h"
#include "policy/domains.h"
#include "policy/sim_parts.h"
#include "policy/variant.h"

static const uint64_t HOUR_NS = UINT64_C(3600000000000);

void sim_fail(struct sim *sim, int bad, const char *what, int number)
{
	if (sim->bad)
		return;
	sim->bad = bad;
	if (what)
		(void)err_set(sim->err, bad, "%s (task %d)", what, number);
	else
		(void)err_nomem(sim->err);
}

void sim_post(struct sim *sim, uint64_t time_ns, enum sim_kind kind, int who,
	      uint64_t stamp)
{
	struct event event = {
		.time_ns = time_ns,
		.kind = (int)kind,
		.who = who,
		.stamp = stamp,
	};

	if (events_put(&sim->events, event))
		sim_fail(sim, -ENOMEM, NULL, 0);
}

void sim_stage(struct sim *sim, struct sim_task *task, enum task_stage stage)
{
	uint64_t elapsed = sim->now_ns - task->since_ns;

	if (task->stage == TASK_RUNNING)
		task->run_ns += elapsed;
	else if (task->stage == TASK_WAITING)
		task->wait_ns += elapsed;
	else
		task->block_ns += elapsed;
	sim->nr_waiting -= task->stage == TASK_WAITING;
	sim->nr_waiting += stage == TASK_WAITING;
	task->stage = stage;
	task->since_ns = sim->now_ns;
}

/* Room for one more task, here and where all tasks of a CPU may be listed. */
static bool make_room(struct sim *sim)
{
	size_t room = sim->room_tasks ? 2 * sim->room_tasks : 64;
	struct sim_task *tasks;
	struct balance_task *candidates;
	int *ids;
	size_t *taken;

	if (sim->nr_tasks < sim->room_tasks)
		return true;
	tasks = reallocarray(sim->tasks, room, sizeof(*tasks));
	if (tasks)
		sim->tasks = tasks;
	candidates = reallocarray(sim->candidates, room, sizeof(*candidates));
	if (candidates)
		sim->candidates = candidates;
	ids = reallocarray(sim->candidate_ids, room, sizeof(*ids));
	if (ids)
		sim->candidate_ids = ids;
	taken = reallocarray(sim->taken, room, sizeof(*taken));
	if (taken)
		sim->taken = taken;
	if (!tasks || !candidates || !ids || !taken)
		return false;
	sim->room_tasks = room;
	return true;
}

int sim_task_new(struct sim *sim, const struct program *program, int parent, int base)
{
	const struct cost_model *costs = sim->options->costs;
	int number = (int)sim->nr_tasks;
	struct sim_task *task;

	if (!make_room(sim)) {
		sim_fail(sim, -ENOMEM, NULL, 0);
		return -1;
	}
	task = &sim->tasks[sim->nr_tasks++];
	*task = (struct sim_task){
		.program = program,
		.parent = parent,
		.base = base,
		.process = program->is_thread && parent >= 0 ? sim->tasks[parent].process
							     : number,
		.home_node = -1,
		.recent_cpu = -1,
		.warm_cpu = -1,
		.next = -1,
		.last_wakee = -1,
		.fair = { .weight = NICE_0_WEIGHT },
		.born_ns = sim->now_ns,
		.since_ns = sim->now_ns,
		.debt_ns =
			program->is_thread ? costs->start_thread : costs->start_process,
	};
	rng_seed(&task->rng, sim->options->seed, (uint64_t)number + 1);
	sim->nr_alive++;
	if (parent >= 0)
		sim->tasks[parent].nr_children++;
	return number;
}

static bool build_shared(struct sim *sim, const struct program_graph *graph)
{
	const struct waiters nobody = { -1, -1 };
	size_t i;

	sim->channels = calloc(graph->nr_channels + 1, sizeof(*sim->channels));
	sim->gates = calloc(graph->nr_gates + 1, sizeof(*sim->gates));
	sim->barriers = calloc(graph->nr_barriers + 1, sizeof(*sim->barriers));
	if (!sim->channels || !sim->gates || !sim->barriers)
		return false;
	for (i = 0; i < graph->nr_channels; i++)
		sim->channels[i].readers = sim->channels[i].writers = nobody;
	for (i = 0; i < graph->nr_gates; i++)
		sim->gates[i].waiters = nobody;
	for (i = 0; i < graph->nr_barriers; i++)
		sim->barriers[i].waiters = nobody;
	return true;
}

static int build(struct sim *sim)
{
	const struct sim_options *options = sim->options;
	size_t nr = (size_t)sim->machine->nr_cpus;
	struct rng rng;
	int cpu;

	sim->states = calloc(nr, sizeof(*sim->states));
	sim->cpus = calloc(nr, sizeof(*sim->cpus));
	sim->pending = calloc(nr, sizeof(*sim->pending));
	sim->result.placed = calloc(nr * SIM_EVENTS, sizeof(*sim->result.placed));
	if (!sim->states || !sim->cpus || !sim->pending || !sim->result.placed ||
	    !build_shared(sim, options->graph))
		return err_nomem(sim->err);
	sim->result.nr_cpus = (int)nr;
	for (cpu = 0; cpu < sim->machine->nr_cpus; cpu++)
		sim->cpus[cpu].current = sim->cpus[cpu].switched_from = -1;
	cpu_states_init(options->domains, sim->states);
	fair_times_of(options->variant->release, cpumask_count(&sim->machine->online),
		      &sim->times);
	sim->times.grows_with_tasks =
		options->variant->granularity == GRANULARITY_BY_NR_RUNNING;
	rng_seed(&rng, options->seed, 0);
	sim->phase_ns = rng_below(&rng, SIM_TICK_NS);
	for (cpu = cpumask_from(&sim->machine->online, 0); cpu >= 0;
	     cpu = cpumask_from(&sim->machine->online, cpu + 1))
		sim_idle_begin(sim, cpu);
	sim_balance_init(sim);
	return 0;
}

static void release(struct sim *sim)
{
	int cpu;

	for (cpu = 0; sim->cpus && cpu < sim->machine->nr_cpus; cpu++) {
		free(sim->cpus[cpu].tasks);
		free(sim->cpus[cpu].fair);
	}
	events_release(&sim->events);
	free(sim->states);
	free(sim->cpus);
	free(sim->tasks);
	free(sim->channels);
	free(sim->gates);
	free(sim->barriers);
	free(sim->pending);
	free(sim->candidates);
	free(sim->candidate_ids);
	free(sim->taken);
}

static void handle(struct sim *sim, const struct event *event)
{
	switch ((enum sim_kind)event->kind) {
	case KIND_STEP:
		if (sim->cpus[event->who].stamp == event->stamp)
			sim_step_end(sim, event->who);
		break;
	case KIND_TICK:
		sim_tick(sim, event->who);
		break;
	case KIND_TIMER:
		sim->tasks[event->who].is_granted = true;
		sim_wake(sim, event->who, -1, false);
		break;
	case KIND_ARRIVAL:
		sim_arrive(sim, event->who, (int)event->stamp);
		break;
	}
	sim_pick_all(sim);
}

static void pass_time(struct sim *sim, uint64_t now_ns)
{
	if (sim->nr_waiting && sim->nr_idle_allowed)
		sim->result.overloaded_idle_ns += now_ns - sim->now_ns;
	sim->now_ns = now_ns;
}

static int stuck(const struct sim *sim)
{
	size_t i;

	for (i = 0; i < sim->nr_tasks; i++)
		if (sim->tasks[i].stage != TASK_GONE)
			break;
	return err_set(sim->err, -EDEADLK,
		       "task %zu ('%s') waits for ever in its step %zu", i,
		       sim->tasks[i].program->name, sim->tasks[i].step);
}

static int loop(struct sim *sim)
{
	uint64_t limit_ns = sim->options->limit_ns ? sim->options->limit_ns : HOUR_NS;
	struct event event;

	while (!sim->bad && sim->nr_alive) {
		if (!events_take(&sim->events, &event))
			return stuck(sim);
		if (event.time_ns > limit_ns)
			return err_set(sim->err, -ETIME,
				       "the simulated run is longer than %.0f s",
				       (double)limit_ns / 1e9);
		pass_time(sim, event.time_ns);
		sim->result.nr_events++;
		handle(sim, &event);
	}
	return sim->bad;
}

static void sum_up(struct sim *sim)
{
	struct sim_result *result = &sim->result;
	size_t i;
	int cpu;

	result->outcome.end_ns = sim->now_ns;
	result->nr_tasks = sim->nr_tasks;
	for (i = 0; i < sim->nr_tasks; i++) {
		result->run_ns += sim->tasks[i].run_ns;
		result->wait_ns += sim->tasks[i].wait_ns;
		result->block_ns += sim->tasks[i].block_ns;
	}
	for (cpu = cpumask_from(&sim->machine->online, 0); cpu >= 0;
	     cpu = cpumask_from(&sim->machine->online, cpu + 1)) {
		sim_progress(sim, cpu);
		result->busy_ns += sim->cpus[cpu].busy_ns;
	}
}

/* The first task is there already; nobody places it. */
static int begin(struct sim *sim)
{
	int number = sim_task_new(sim, sim->options->graph->programs, -1, 0);
	int cpu = sim->options->first_cpu;

	if (number < 0)
		return sim->bad;
	sim->tasks[number].cpu = cpu;
	signals_new_task(sim, &sim->tasks[number], cpu);
	sim_enqueue(sim, number, cpu, SIM_FORK);
	sim_pick_all(sim);
	return sim->bad;
}

int sim_run(const struct sim_options *options, struct sim_result *ret, struct err *err)
{
	const struct machine *machine = options->domains->machine;
	struct sim sim = {
		.options = options,
		.machine = machine,
		.allowed = options->allowed ? *options->allowed : machine->online,
		.err = err,
	};
	int bad = sim_check_graph(options->graph, err);

	if (bad)
		return bad;
	cpumask_and(&sim.allowed, &sim.allowed, &machine->online);
	if (!cpumask_has(&sim.allowed, options->first_cpu))
		return err_set(err, -EINVAL, "the first task can't start on CPU %d",
			       options->first_cpu);
	bad = build(&sim);
	if (!bad)
		bad = begin(&sim);
	if (!bad)
		bad = loop(&sim);
	if (!bad) {
		sum_up(&sim);
		bad = sim_check_end(&sim, err);
	}
	release(&sim);
	if (bad)
		sim_result_free(&sim.result);
	else
		*ret = sim.result;
	return bad;
}

uint64_t sim_placed(const struct sim_result *result, const struct machine *machine,
		    enum sim_event event, enum machine_unit unit, int number)
{
	const uint64_t *placed = result->placed + (size_t)event * (size_t)result->nr_cpus;
	const struct cpumask *mask = &machine->masks[unit][number];
	uint64_t sum = 0;
	int cpu;

	for (cpu = cpumask_from(mask, 0); cpu >= 0; cpu = cpumask_from(mask, cpu + 1))
		sum += placed[cpu];
	return sum;
}

void sim_result_free(struct sim_result *result)
{
	free(result->placed);
	result->placed = NULL;
	program_outcome_release(&result->outcome);
}
