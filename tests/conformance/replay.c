// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Asks the policy what a real kernel was asked: for each new task of placement traces the
 * state of all CPUs is put together from the events before it, and the CPU that the rules
 * choose is held against the one that the kernel chose.
 *
 *	replay VARIANT TRACE...
 *
 * A trace knows who runs where and since when CPUs are idle, not their averages: a decision
 * counts as known, to the node or to the CPU, when it is the same with the averages that
 * follow from the events and with any others, and to the CPU when that one was seen to become
 * idle. Prints
 * "decisions KNOWN-NODES AGREED KNOWN-CPUS AGREED ALL", and each known one that differs.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/err.h"
#include "lib/file.h"
#include "lib/rng.h"
#include "policy/domain_rules.h"
#include "policy/domains.h"
#include "policy/idlest.h"
#include "policy/machine.h"
#include "policy/pelt.h"
#include "policy/state.h"
#include "policy/variant.h"
#include "runner/placement_read.h"

enum {
	TRACE_MAX = 1 << 28,
	NODES_MAX = 64,
	FAR = 21,
	NEAR = 10,
	NOWHERE = -1,
	FULL = 1024,
	DRAWS = 16
};

/* struct seen - what events say of a CPU */
struct seen {
	unsigned int nr;
	unsigned int nr_others;
	bool runs, was_idle;
	uint64_t idle_ns, at_us;
	struct pelt util, runnable;
};

/**
 * struct replay - one trace
 * @queue: for each task its CPU and one more; 0: none
 * @nr: decisions, those known to the node and to the CPU, and those that agreed
 */
struct replay {
	const char *path;
	const struct policy_variant *variant;
	struct machine *machine;
	struct domains *domains;
	struct cpumask allowed;
	struct seen seen[PLACEMENT_MAX_CPUS];
	struct cpu_state *cpus;
	uint16_t *queue;
	bool *is_main;
	unsigned int nr, known_nodes, same_node, known_cpus, same_cpu;
};

static void die(const char *what)
{
	(void)fprintf(stderr, "replay: %s\n", what);
	exit(2);
}

/* The machine of the trace; a package for each node, nodes at the distance of guests. */
static void build(struct replay *replay, const struct placement_machine *found)
{
	struct machine_cpu *cpus = calloc(found->nr_cpus, sizeof(*cpus));
	int distances[NODES_MAX * NODES_MAX];
	struct machine_desc desc = { .cpus = cpus, .is_x86 = true };
	struct domain_rules rules;
	struct err err = { 0 };
	int nodes = 0;
	size_t i;

	if (!cpus)
		die("out of memory");
	for (i = 0; i < found->nr_cpus; i++) {
		const int *units = found->units[i];

		if (units[PLACEMENT_CPU] < 0)
			continue;
		cpus[desc.nr_cpus++] = (struct machine_cpu){
			.cpu = (int)i,
			.unit = { units[PLACEMENT_CORE], -1, units[PLACEMENT_LLC],
				  units[PLACEMENT_NODE], units[PLACEMENT_NODE] },
		};
		if (units[PLACEMENT_NODE] >= nodes)
			nodes = units[PLACEMENT_NODE] + 1;
		if (found->is_allowed[i])
			cpumask_add(&replay->allowed, (int)i);
	}
	if (nodes > NODES_MAX)
		die("too many nodes");
	for (i = 0; i < (size_t)(nodes * nodes); i++)
		distances[i] = i % ((size_t)nodes + 1) ? FAR : NEAR;
	desc.distances = distances;
	domain_rules_of(replay->variant->release, &rules);
	if (machine_new(&desc, &replay->machine, &err) ||
	    domains_new(replay->machine, &rules, NULL, 0, &replay->domains, &err))
		die(err.text);
	free(cpus);
	replay->cpus = calloc((size_t)replay->machine->nr_cpus, sizeof(*replay->cpus));
	if (!replay->cpus)
		die("out of memory");
	cpu_states_init(replay->domains, replay->cpus);
}

static void advance(struct replay *replay, uint64_t ns)
{
	uint64_t us = ns >> 10;
	int cpu;

	for (cpu = 0; cpu < replay->machine->nr_cpus; cpu++) {
		struct seen *seen = &replay->seen[cpu];
		bool is_busy = seen->runs || seen->nr_others;

		(void)pelt_advance(&seen->util, us - seen->at_us, is_busy);
		(void)pelt_advance(&seen->runnable, us - seen->at_us,
				   seen->nr + seen->nr_others);
		seen->at_us = us;
	}
}

static void put(struct replay *replay, unsigned int task, int cpu)
{
	if (replay->queue[task])
		replay->seen[replay->queue[task] - 1].nr--;
	if (cpu >= 0)
		replay->seen[cpu].nr++;
	replay->queue[task] = (uint16_t)(cpu + 1);
}

/* @draw: 0 for the averages that follow from the events, else others at random. */
static void fill_states(struct replay *replay, unsigned int draw)
{
	struct rng rng;
	int cpu;

	rng_seed(&rng, draw, 0);
	for (cpu = 0; cpu < replay->machine->nr_cpus; cpu++) {
		const struct seen *seen = &replay->seen[cpu];
		struct cpu_state *state = &replay->cpus[cpu];

		state->nr_running = (int)(seen->nr + seen->nr_others);
		state->weight = (uint64_t)state->nr_running * NICE_0_WEIGHT;
		state->current_load = state->nr_running ? NICE_0_WEIGHT : 0;
		state->util_avg = draw ? rng_below(&rng, FULL) : seen->util.avg;
		state->runnable_avg = draw ? state->util_avg : seen->runnable.avg;
		state->load_avg = state->runnable_load = state->runnable_avg;
		state->idle_stamp_ns = seen->was_idle ? seen->idle_ns + 1 : 0;
	}
}

static int ask(struct replay *replay, int parent, unsigned int draw)
{
	const struct task_state task = {
		.allowed = &replay->allowed,
		.cpu = parent,
		.recent_cpu = -1,
		.is_new = true,
		.weight = NICE_0_WEIGHT,
		.load_avg = NICE_0_WEIGHT,
		.preferred_node = -1,
	};
	const struct placement place = {
		.variant = replay->variant,
		.domains = replay->domains,
		.cpus = replay->cpus,
		.task = &task,
		.this_cpu = parent,
	};

	fill_states(replay, draw);
	return place_fork(&place);
}

static int node_of(const struct replay *replay, int cpu)
{
	return machine_unit_of(replay->machine, MACHINE_NODE, cpu);
}

static void print_states(const struct replay *replay)
{
	int cpu;

	for (cpu = 0; cpu < replay->machine->nr_cpus; cpu++)
		(void)printf(" %u+%u", replay->seen[cpu].nr, replay->seen[cpu].nr_others);
}

static void decide(struct replay *replay, const struct placement_line *line)
{
	int chosen = (int)line->args[0];
	int expected = ask(replay, (int)line->cpu, 0);
	bool knows_node = true;
	bool knows_cpu = replay->seen[expected].was_idle && replay->seen[chosen].was_idle;
	unsigned int i;

	for (i = 1; i <= DRAWS; i++) {
		int other = ask(replay, (int)line->cpu, i);

		knows_node &= node_of(replay, expected) == node_of(replay, other);
		knows_cpu &= expected == other;
	}

	replay->nr++;
	replay->known_nodes += knows_node;
	replay->same_node +=
		knows_node && node_of(replay, expected) == node_of(replay, chosen);
	replay->known_cpus += knows_cpu;
	replay->same_cpu += knows_cpu && expected == chosen;
	if ((!knows_node || node_of(replay, expected) == node_of(replay, chosen)) &&
	    (!knows_cpu || expected == chosen))
		return;
	(void)printf("%s: at %ju ns from CPU %u: kernel %d, policy %d; tasks:",
		     replay->path, (uintmax_t)line->ns, line->cpu, chosen, expected);
	print_states(replay);
	(void)putchar('\n');
}

static void stop(struct replay *replay, const struct placement_line *line)
{
	enum { SLEEPS = 0xff };

	replay->seen[line->cpu].runs = false;
	if (line->args[0] & SLEEPS)
		put(replay, line->pid, NOWHERE);
}

static void take(const struct placement_machine *machine,
		 const struct placement_line *line, void *data)
{
	struct replay *replay = data;
	struct seen *seen = &replay->seen[line->cpu];

	if (!replay->machine)
		build(replay, machine);
	advance(replay, line->ns);
	switch (line->kind) {
	case PLACEMENT_MAIN:
		replay->is_main[line->pid] = true;
		break;
	case PLACEMENT_NEW:
		if (!replay->is_main[line->pid])
			decide(replay, line);
		put(replay, line->pid, (int)line->args[0]);
		break;
	case PLACEMENT_WAKE:
		put(replay, line->pid, (int)line->args[0]);
		break;
	case PLACEMENT_RUN:
		put(replay, line->pid, (int)line->cpu);
		seen->runs = true;
		break;
	case PLACEMENT_STOP:
		stop(replay, line);
		break;
	case PLACEMENT_MOVE:
		if (replay->queue[line->pid])
			put(replay, line->pid, (int)line->args[1]);
		break;
	case PLACEMENT_OTHER:
		seen->nr_others = (unsigned int)line->args[0];
		break;
	case PLACEMENT_IDLE:
		seen->was_idle = true;
		seen->idle_ns = line->ns;
		break;
	case PLACEMENT_FORK:
	case PLACEMENT_NR_KINDS:
		break;
	}
}

static void replay_file(struct replay *replay, const char *path)
{
	struct placement_machine machine = { 0 };
	struct err err = { 0 };
	char *text = NULL;
	size_t len;

	if (file_read(path, TRACE_MAX, &text, &len, &err) ||
	    placement_read(text, &machine, take, replay, &err))
		die(err.text);
	placement_machine_release(&machine);
	free(text);
}

int main(int argc, char **argv)
{
	struct policy_variant variant;
	struct err err = { 0 };
	unsigned int sum[5] = { 0 };
	int i;

	if (argc < 3)
		die("usage: replay VARIANT TRACE...");
	if (policy_variant_find(argv[1], &variant, &err))
		die(err.text);
	for (i = 2; i < argc; i++) {
		struct replay *replay = calloc(1, sizeof(*replay));

		if (replay) {
			replay->queue = calloc(PLACEMENT_MAX_PID, sizeof(*replay->queue));
			replay->is_main =
				calloc(PLACEMENT_MAX_PID, sizeof(*replay->is_main));
		}
		if (!replay || !replay->queue || !replay->is_main)
			die("out of memory");
		replay->path = argv[i];
		replay->variant = &variant;
		replay_file(replay, argv[i]);
		sum[0] += replay->known_nodes;
		sum[1] += replay->same_node;
		sum[2] += replay->known_cpus;
		sum[3] += replay->same_cpu;
		sum[4] += replay->nr;
		domains_free(replay->domains);
		machine_free(replay->machine);
		free(replay->cpus);
		free(replay->queue);
		free(replay->is_main);
		free(replay);
	}
	(void)printf("decisions %u %u %u %u %u\n", sum[0], sum[1], sum[2], sum[3],
		     sum[4]);
	return 0;
}
