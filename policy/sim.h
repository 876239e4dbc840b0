/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The simulator: a graph of programs runs on a machine under a variant's rules, event by
 * event, in integer nanoseconds. The same options give the same result, everywhere.
 */
#ifndef POLICY_SIM_H
#define POLICY_SIM_H

#include <stdbool.h>
#include <stdint.h>

#include "policy/costs.h"
#include "policy/machine.h"
#include "policy/program.h"

struct domains;
struct err;
struct policy_variant;

/** enum sim_event - why a task got a CPU */
enum sim_event {
	SIM_FORK,
	SIM_EXEC,
	SIM_WAKEUP,
	SIM_NEWIDLE,
	SIM_PERIODIC,
	SIM_ACTIVE, /* a running task was pushed away */
	SIM_EVENTS,
};

/**
 * struct sim_placement - one decision, as it is observed
 * @time_ns: when
 * @event: why
 * @task: number of the task, in the order of creation; the first is 0
 * @from: CPU where it was; a new task: its parent's
 * @to: CPU it got
 * @by: CPU that decided
 */
struct sim_placement {
	uint64_t time_ns;
	enum sim_event event;
	int task, from, to, by;
};

/**
 * struct sim_options - what to run; everything is lent
 * @variant: the rules
 * @domains: of the machine, built by the variant's domain rules
 * @costs: of the machine
 * @graph: what runs
 * @allowed: affinity of all tasks; NULL: every CPU
 * @first_cpu: where the first task starts, one of @allowed
 * @seed: of jitter and of the tick's phase
 * @limit_ns: the longest run; 0: an hour
 * @observe: called for each placement; NULL: nobody
 * @arg: for @observe
 */
struct sim_options {
	const struct policy_variant *variant;
	const struct domains *domains;
	const struct cost_model *costs;
	const struct program_graph *graph;
	const struct cpumask *allowed;
	int first_cpu;
	uint64_t seed, limit_ns;
	void (*observe)(void *arg, const struct sim_placement *placement);
	void *arg;
};

/**
 * struct sim_result - what came of it
 * @outcome: what the workload takes its metrics from
 * @nr_tasks: created
 * @nr_events: taken from the queue of events
 * @nr_looked: CPUs that searches for an idle one looked at
 * @placed: placements by event and CPU; @nr_cpus for each event
 * @nr_cpus: of the machine
 * @migrations: of them, those to another CPU than before
 * @switches: from task to task
 * @run_ns: of all tasks together, what they had a CPU
 * @wait_ns: what they waited for one
 * @block_ns: what they waited for something else
 * @busy_ns: of all CPUs together; the same as @run_ns
 * @overloaded_idle_ns: how long a CPU was idle while a task waited for another one (both
 *                      of the tasks' affinity)
 */
struct sim_result {
	struct program_outcome outcome;
	uint64_t nr_tasks, nr_events, nr_looked;
	uint64_t *placed;
	int nr_cpus;
	uint64_t migrations[SIM_EVENTS];
	uint64_t switches, run_ns, wait_ns, block_ns, busy_ns, overloaded_idle_ns;
};

/**
 * sim_run - run it to the end
 * @options: see there
 * @ret: to be freed by sim_result_free(); written on success only
 * @err: says what is wrong with the graph, or which task waits for ever
 *
 * In each run it is checked that tasks run where they may, that none is lost, and that
 * times add up: of each task to its life, of each CPU to the run.
 *
 * Return: 0, -EINVAL (the graph or first_cpu make no sense), -EDEADLK (tasks that wait for
 * ever), -ETIME (limit_ns), -EPROTO (a check failed: a fault of the simulator) or -ENOMEM.
 */
int sim_run(const struct sim_options *options, struct sim_result *ret, struct err *err);

/** sim_placed - placements for @event on the CPUs of the @number-th @unit of @machine */
uint64_t sim_placed(const struct sim_result *result, const struct machine *machine,
		    enum sim_event event, enum machine_unit unit, int number);

/** sim_result_free - what the result holds */
void sim_result_free(struct sim_result *result);

#endif
