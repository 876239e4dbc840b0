// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How fast a running task gets on: alone on its core or not, and with which share of
 * the bandwidths of its LLC, of its memory's node and of the link between. Shares are
 * equal parts.
 */
#include "policy/sim_parts.h"

enum cost_distance sim_distance(const struct machine *machine, int a, int b)
{
	if (a == b)
		return COST_SELF;
	if (machine_unit_of(machine, MACHINE_CORE, a) ==
	    machine_unit_of(machine, MACHINE_CORE, b))
		return COST_SMT;
	if (machine_unit_of(machine, MACHINE_LLC, a) ==
	    machine_unit_of(machine, MACHINE_LLC, b))
		return COST_LLC;
	if (machine_unit_of(machine, MACHINE_PACKAGE, a) ==
	    machine_unit_of(machine, MACHINE_PACKAGE, b))
		return COST_NODE;
	return COST_REMOTE;
}

static bool has_busy_sibling(const struct sim *sim, int cpu, bool streams)
{
	const struct cpumask *core = machine_mask(sim->machine, MACHINE_CORE, cpu);
	int other;

	for (other = cpumask_from(core, 0); other >= 0;
	     other = cpumask_from(core, other + 1))
		if (other != cpu && sim->cpus[other].current >= 0 &&
		    (!streams || sim->cpus[other].is_streaming))
			return true;
	return false;
}

/* Streams that share a way, the one that asks among them. */
struct rivals {
	unsigned int llc, node, link;
};

static struct rivals rivals_of(const struct sim *sim, int cpu, int home)
{
	const struct machine *machine = sim->machine;
	int node = machine_unit_of(machine, MACHINE_NODE, cpu);
	struct rivals rivals = { 1, 1, 1 };
	int other;

	for (other = cpumask_from(&machine->online, 0); other >= 0;
	     other = cpumask_from(&machine->online, other + 1)) {
		int its_home;

		if (other == cpu || !sim->cpus[other].is_streaming)
			continue;
		its_home = sim->tasks[sim->cpus[other].current].home_node;
		rivals.llc += machine_unit_of(machine, MACHINE_LLC, other) ==
			      machine_unit_of(machine, MACHINE_LLC, cpu);
		rivals.node += its_home == home;
		rivals.link += its_home == home &&
			       machine_unit_of(machine, MACHINE_NODE, other) == node;
	}
	return rivals;
}

/* Bytes in 1000 ns. */
static uint64_t stream_rate(const struct sim *sim, int cpu)
{
	const struct cost_model *costs = sim->options->costs;
	int home = sim->tasks[sim->cpus[cpu].current].home_node;
	struct rivals rivals = rivals_of(sim, cpu, home);
	uint64_t rate = costs->thread_mbs;

	if (has_busy_sibling(sim, cpu, true))
		rate = rate * costs->smt_memory_permille / 1000;
	rate = least_of(rate, costs->llc_mbs / rivals.llc);
	rate = least_of(rate, costs->node_mbs / rivals.node);
	if (home != machine_unit_of(sim->machine, MACHINE_NODE, cpu))
		rate = least_of(rate * costs->remote_permille / 1000,
				costs->link_mbs / rivals.link);
	return rate ? rate : 1;
}

void sim_arm(struct sim *sim, int cpu)
{
	struct sim_cpu *here = &sim->cpus[cpu];
	const struct sim_task *task = &sim->tasks[here->current];
	uint64_t amount = task->debt_ns ? task->debt_ns : task->left;

	here->arms_debt = task->debt_ns;
	if (here->is_streaming && !here->arms_debt)
		here->rate = stream_rate(sim, cpu);
	else
		here->rate = has_busy_sibling(sim, cpu, false)
				     ? sim->options->costs->smt_permille
				     : 1000;
	here->stamp++;
	sim_post(sim, sim->now_ns + (amount * 1000 + here->rate - 1) / here->rate,
		 KIND_STEP, cpu, here->stamp);
}

static void go_on(struct sim *sim, int cpu)
{
	/* One that is about to pick arms by itself. */
	if (sim->cpus[cpu].current < 0 || sim->cpus[cpu].needs_pick)
		return;
	sim_progress(sim, cpu);
	sim_arm(sim, cpu);
}

void sim_siblings_changed(struct sim *sim, int cpu)
{
	const struct cpumask *core = machine_mask(sim->machine, MACHINE_CORE, cpu);
	int other;

	for (other = cpumask_from(core, 0); other >= 0;
	     other = cpumask_from(core, other + 1))
		if (other != cpu)
			go_on(sim, other);
}

void sim_streams(struct sim *sim, int cpu, bool streams)
{
	struct sim_cpu *here = &sim->cpus[cpu];
	int other;

	if (here->is_streaming == streams)
		return;
	here->is_streaming = streams;
	for (other = cpumask_from(&sim->machine->online, 0); other >= 0;
	     other = cpumask_from(&sim->machine->online, other + 1))
		if (other != cpu && sim->cpus[other].is_streaming)
			go_on(sim, other);
}
