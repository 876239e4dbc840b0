/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a placement looks at, as the kernel would see it at that moment: the CPUs, the task
 * and who places it. The simulator keeps it; placement rules only read it.
 */
#ifndef POLICY_STATE_H
#define POLICY_STATE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "policy/cpumask.h"

struct domains;
struct policy_variant;

/** NICE_0_WEIGHT - weight of a task of nice 0; full scale of util and runnable signals */
enum { NICE_0_WEIGHT = 1024 };

/** NO_IDLE_STATE - exit latency of a CPU whose idle state isn't known */
#define NO_IDLE_STATE UINT_MAX

/**
 * struct cpu_state - one CPU and its runqueue
 * @nr_running: runnable tasks of all classes, the running one among them
 * @nr_sched_idle: those of them of policy SCHED_IDLE
 * @has_pending_wakeup: a task was queued for it from elsewhere and isn't on it yet
 * @weight: sum of the weights of runnable fair tasks
 * @runnable_load: decayed load of the runnable fair tasks
 * @load_avg: the same with that of the sleeping ones
 * @util_avg: decayed running time, 1024 for always
 * @runnable_avg: decayed runnable time of all tasks, waiting included
 * @current_load: what the running task has of the load that the variant looks at; 0: idle
 * @capacity: what other classes leave of struct domain_cpu.capacity
 * @exit_latency: of its present idle state in any unit, or NO_IDLE_STATE
 * @idle_stamp_ns: since when it has been idle
 * @avg_idle_ns: average length of its idle periods
 * @wake_avg_idle_ns: the same, aged (5.14 to 5.19)
 * @avg_scan_cost_ns: average time of a search for an idle CPU that began here
 * @wakee_flips: how often the running task woke another one than the last time
 * @has_idle_cores: of the LLC, at the CPU of its llc_id: an idle core may be found
 * @nr_idle_scan: likewise: CPUs worth looking at (6.0 and later)
 */
struct cpu_state {
	int nr_running, nr_sched_idle;
	bool has_pending_wakeup;
	uint64_t weight, runnable_load, load_avg, util_avg, runnable_avg;
	uint64_t current_load;
	uint64_t capacity;
	unsigned int exit_latency;
	uint64_t idle_stamp_ns;
	uint64_t avg_idle_ns, wake_avg_idle_ns, avg_scan_cost_ns;
	unsigned int wakee_flips;
	bool has_idle_cores;
	int nr_idle_scan;
};

/**
 * struct task_state - the task to be placed
 * @allowed: its affinity, online CPUs only, never empty; lent
 * @cpu: where it ran last; a new task: its parent's
 * @recent_cpu: where it ran before that, or -1
 * @is_new: never ran: no CPU holds anything of its signals
 * @is_queued: on the runqueue of @cpu (exec)
 * @weight: by its nice value
 * @load_avg: decayed load
 * @util_avg: decayed running time
 * @runnable_avg: decayed runnable time
 * @wakee_flips: see struct cpu_state
 * @preferred_node: of NUMA balancing, from 0 as in policy/machine.h, or -1
 */
struct task_state {
	const struct cpumask *allowed;
	int cpu, recent_cpu;
	bool is_new, is_queued;
	uint64_t weight, load_avg, util_avg, runnable_avg;
	unsigned int wakee_flips;
	int preferred_node;
};

/**
 * struct placement - one decision to take; everything is lent
 * @variant: the rules
 * @domains: built by the variant's domain rules
 * @cpus: by CPU number
 * @task: whom to place
 * @this_cpu: where the placing code runs: that of the parent, the waker or the task itself
 * @is_sync: the waker says that it is about to sleep
 */
struct placement {
	const struct policy_variant *variant;
	const struct domains *domains;
	const struct cpu_state *cpus;
	const struct task_state *task;
	int this_cpu;
	bool is_sync;
};

/**
 * cpu_states_init - CPUs that have been idle for long
 * @domains: of the machine
 * @cpus: its nr_cpus entries
 *
 * Nothing ran yet; averages of idle time are where kernels start them, at 1 ms.
 */
void cpu_states_init(const struct domains *domains, struct cpu_state *cpus);

/** cpu_is_idle - nothing runs there and nothing is on its way to it */
static inline bool cpu_is_idle(const struct cpu_state *cpu)
{
	return !cpu->nr_running && !cpu->has_pending_wakeup;
}

/** cpu_is_sched_idle - only tasks of policy SCHED_IDLE run there */
static inline bool cpu_is_sched_idle(const struct cpu_state *cpu)
{
	return cpu->nr_running && cpu->nr_running == cpu->nr_sched_idle;
}

/** without - @sum less @part, never below 0 */
static inline uint64_t without(uint64_t sum, uint64_t part)
{
	return sum > part ? sum - part : 0;
}

/** least_of - the smaller one */
static inline uint64_t least_of(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

#endif
