// SPDX-License-Identifier: GPL-2.0-or-later
/* Placement in the simulator: what the library is asked, and what follows from it. */
#include "policy/domains.h"
#include "policy/idlest.h"
#include "policy/sim_parts.h"
#include "policy/variant.h"
#include "policy/wake.h"

enum { SECOND_NS = 1000000000, MOST_AVG_IDLE_NS = 1000000 };

void sim_observe(struct sim *sim, enum sim_event event, int number, int from, int to,
		 int by)
{
	const struct sim_options *options = sim->options;
	struct sim_placement placement = {
		.time_ns = sim->now_ns,
		.event = event,
		.task = number,
		.from = from,
		.to = to,
		.by = by,
	};

	sim->result.placed[(size_t)event * (size_t)sim->machine->nr_cpus + (size_t)to]++;
	sim->result.migrations[event] += from != to;
	if (options->observe)
		options->observe(options->arg, &placement);
}

static struct task_state state_of(const struct sim *sim, const struct sim_task *task)
{
	return (struct task_state){
		.allowed = &sim->allowed,
		.cpu = task->cpu,
		.recent_cpu = task->recent_cpu,
		.is_new = task->stage == TASK_NEW,
		.is_queued = task->stage == TASK_RUNNING,
		.weight = NICE_0_WEIGHT,
		.load_avg = task->signals.load.avg,
		.util_avg = task->signals.util.avg,
		.runnable_avg = task->signals.runnable.avg,
		.wakee_flips = task->flips,
		.preferred_node = -1,
	};
}

static struct placement decision(const struct sim *sim, const struct task_state *task,
				 int this_cpu)
{
	return (struct placement){
		.variant = sim->options->variant,
		.domains = sim->options->domains,
		.cpus = sim->states,
		.task = task,
		.this_cpu = this_cpu,
	};
}

void sim_fork(struct sim *sim, int parent, const struct program *program, int base)
{
	int number = sim_task_new(sim, program, parent, base);
	struct task_state state;
	struct placement place;
	struct sim_task *task;
	int this_cpu, cpu;

	if (number < 0)
		return;
	task = &sim->tasks[number];
	this_cpu = task->cpu = sim->tasks[parent].cpu;
	sim_touch(sim, this_cpu);
	state = state_of(sim, task);
	state.load_avg = NICE_0_WEIGHT;
	place = decision(sim, &state, this_cpu);
	cpu = place_fork(&place);
	signals_new_task(sim, task, cpu);
	sim_observe(sim, SIM_FORK, number, this_cpu, cpu, this_cpu);
	sim_enqueue(sim, number, cpu, SIM_FORK);
}

void sim_exec(struct sim *sim, int number)
{
	struct sim_task *task = &sim->tasks[number];
	struct task_state state;
	struct placement place;
	int from = task->cpu;
	int cpu;

	sim_touch(sim, from);
	state = state_of(sim, task);
	place = decision(sim, &state, from);
	cpu = place_exec(&place);
	sim_observe(sim, SIM_EXEC, number, from, cpu, from);
	if (cpu == from)
		return;
	sim_dequeue(sim, number, TASK_WAITING);
	sim_enqueue(sim, number, cpu, SIM_EXEC);
}

/* Who wakes up others than the last time has many partners. */
static void note_wakee(const struct sim *sim, struct sim_task *waker, int wakee)
{
	if (sim->now_ns > waker->flips_halved_ns + SECOND_NS) {
		waker->flips /= 2;
		waker->flips_halved_ns = sim->now_ns;
	}
	if (waker->last_wakee == wakee)
		return;
	waker->last_wakee = wakee;
	waker->flips++;
}

/* The search costs the waker time, and the CPUs learn from it. */
static void apply_effects(struct sim *sim, int this_cpu, int target, int waker,
			  const struct idle_effects *effects)
{
	const struct cost_model *costs = sim->options->costs;
	uint64_t scan_ns = (uint64_t)effects->nr_looked * costs->scan_cpu;
	struct cpu_state *state = &sim->states[this_cpu];

	sim->result.nr_looked += (uint64_t)effects->nr_looked;
	if (effects->nr_looked > 1)
		state->avg_scan_cost_ns =
			scan_cost_after(state->avg_scan_cost_ns, scan_ns);
	if (effects->found_no_core)
		sim->states[sim->options->domains->cpu[target].llc_id].has_idle_cores =
			false;
	if (waker >= 0)
		sim->tasks[waker].debt_ns += costs->wake + scan_ns;
}

void sim_wake(struct sim *sim, int number, int waker, bool is_sync)
{
	struct sim_task *task = &sim->tasks[number];
	int this_cpu = waker >= 0 ? sim->tasks[waker].cpu : task->cpu;
	struct idle_effects effects = { 0 };
	struct task_state state;
	struct placement place;
	int cpu;

	if (waker >= 0)
		note_wakee(sim, &sim->tasks[waker], number);
	sim_touch(sim, this_cpu);
	signals_sync(sim, task);
	state = state_of(sim, task);
	place = decision(sim, &state, this_cpu);
	place.is_sync = is_sync;
	cpu = place_wakeup(&place, &effects);
	apply_effects(sim, this_cpu, cpu, waker, &effects);
	sim_observe(sim, SIM_WAKEUP, number, task->cpu, cpu, this_cpu);
	if (!wake_needs_ipi(&place, cpu)) {
		sim_enqueue(sim, number, cpu, SIM_WAKEUP);
		return;
	}
	sim->cpus[cpu].nr_arriving++;
	sim->states[cpu].has_pending_wakeup = true;
	sim_post(sim,
		 sim->now_ns + sim->options->costs
				       ->ipi[sim_distance(sim->machine, this_cpu, cpu)],
		 KIND_ARRIVAL, number, (uint64_t)cpu);
}

void sim_arrive(struct sim *sim, int number, int cpu)
{
	if (!--sim->cpus[cpu].nr_arriving)
		sim->states[cpu].has_pending_wakeup = false;
	sim_enqueue(sim, number, cpu, SIM_WAKEUP);
}

/* The deepest state that pays for an idle period as long as they are here on average. */
static void enter_idle_state(struct sim *sim, int cpu)
{
	const struct cost_model *costs = sim->options->costs;
	struct cpu_state *state = &sim->states[cpu];
	size_t i;

	sim->cpus[cpu].exit_ns = 0;
	state->exit_latency = NO_IDLE_STATE;
	for (i = 0; i < costs->nr_idle; i++) {
		if (i &&
		    (uint64_t)costs->idle[i].residency_us * 1000 > state->avg_idle_ns)
			break;
		sim->cpus[cpu].exit_ns = costs->idle[i].exit_ns;
		state->exit_latency = costs->idle[i].latency_us;
	}
}

static bool core_is_idle(const struct sim *sim, int cpu)
{
	const struct cpumask *core = machine_mask(sim->machine, MACHINE_CORE, cpu);
	int other;

	for (other = cpumask_from(core, 0); other >= 0;
	     other = cpumask_from(core, other + 1))
		if (!cpu_is_idle(&sim->states[other]))
			return false;
	return true;
}

void sim_idle_begin(struct sim *sim, int cpu)
{
	sim->cpus[cpu].is_idle = true;
	sim->states[cpu].idle_stamp_ns = sim->now_ns;
	enter_idle_state(sim, cpu);
	if (core_is_idle(sim, cpu))
		sim->states[sim->options->domains->cpu[cpu].llc_id].has_idle_cores = true;
	sim->nr_idle_allowed += cpumask_has(&sim->allowed, cpu);
	sim_siblings_changed(sim, cpu);
}

/* An eighth of the difference, and no more than 1 ms: update_avg_idle(). */
static uint64_t average(uint64_t old, uint64_t idle_ns)
{
	int64_t next = (int64_t)old + ((int64_t)idle_ns - (int64_t)old) / 8;

	return next < MOST_AVG_IDLE_NS ? (uint64_t)next : MOST_AVG_IDLE_NS;
}

void sim_idle_end(struct sim *sim, int cpu)
{
	struct cpu_state *state = &sim->states[cpu];
	uint64_t idle_ns = sim->now_ns - state->idle_stamp_ns;
	struct sim_cpu *here = &sim->cpus[cpu];

	here->is_idle = false;
	state->avg_idle_ns = average(state->avg_idle_ns, idle_ns);
	state->wake_avg_idle_ns = state->avg_idle_ns / 2;
	sim->nr_idle_allowed -= cpumask_has(&sim->allowed, cpu);
	if (!here->has_tick) {
		uint64_t past = (sim->now_ns + SIM_TICK_NS - sim->phase_ns) % SIM_TICK_NS;

		here->has_tick = true;
		sim_post(sim, sim->now_ns + SIM_TICK_NS - past, KIND_TICK, cpu, 0);
	}
	sim_siblings_changed(sim, cpu);
}
