/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The inside of the simulator: its tasks, its CPUs and what they share. */
#ifndef POLICY_SIM_STATE_H
#define POLICY_SIM_STATE_H

#include "lib/rng.h"
#include "policy/balance.h"
#include "policy/events.h"
#include "policy/fair.h"
#include "policy/pelt.h"
#include "policy/sim.h"
#include "policy/state.h"

/** enum sim_kind - what events are about: a CPU's step, a CPU's tick, a task twice */
enum sim_kind { KIND_STEP, KIND_TICK, KIND_TIMER, KIND_ARRIVAL };

/** SIM_TICK_NS - HZ=250; SIM_LEVELS - of domains of a CPU, at most */
enum { SIM_TICK_NS = 4000000, SIM_LEVELS = 16 };

/** struct signals - load tracking of a task or a CPU, up to date at @at_us */
struct signals {
	struct pelt load, util, runnable;
	uint64_t at_us;
};

/** enum task_stage - where a task is in its life */
enum task_stage { TASK_NEW, TASK_WAITING, TASK_RUNNING, TASK_BLOCKED, TASK_GONE };

/**
 * struct sim_task - a task
 * @is_begun: its step's work is known
 * @is_retry: it waited in this step and tries again
 * @is_granted: what it waited for was given to it
 * @debt_ns: work of the kernel that comes before its step
 * @left: of its step: ns at full speed, or bytes
 * @cpu: where it is or was last; @slot: its place there
 * @warm_cpu: where it ran last, or -1
 * @next: behind it in a list of waiters, or -1
 * @since_ns: when its stage began
 * @stamp_ns: what its notes count from
 */
struct sim_task {
	const struct program *program;
	enum task_stage stage;
	size_t step;
	uint64_t loops[PROGRAM_LOOPS];
	bool is_begun, is_retry, is_granted;
	uint64_t debt_ns, left;
	int parent, base, process, home_node, nr_children;
	int cpu, recent_cpu, warm_cpu, slot, next;
	int last_wakee;
	unsigned int flips;
	uint64_t flips_halved_ns;
	struct fair_task fair;
	int64_t lag;
	struct signals signals;
	struct rng rng;
	uint64_t born_ns, since_ns, run_ns, wait_ns, block_ns, stamp_ns;
};

/** struct sim_level - one level of balancing of a CPU */
struct sim_level {
	uint64_t last_ns;
	unsigned int interval_ms, nr_failed;
};

/**
 * struct sim_cpu - a CPU and its runqueue; what placement sees is in struct cpu_state
 * @tasks, @fair: runnable tasks in the order they came, the running one among them
 * @current: the running one, or -1
 * @left: part of load tracking that tasks left behind, to be taken off
 * @rate: work done in 1000 ns
 * @stamp: of the event that ends the step; others are stale
 * @switched_from: who ran last, or -1
 * @nr_arriving: tasks on their way from another LLC
 * @arms_debt: the armed event ends the task's debt, not its step
 */
struct sim_cpu {
	int *tasks;
	struct fair_task *fair;
	size_t nr, room;
	int current, switched_from;
	int64_t min_vruntime;
	struct signals signals;
	struct pelt runnable_load;
	struct {
		uint64_t load, util, runnable;
	} left;
	uint64_t since_ns, picked_ns, rate, stamp, busy_ns, idle_ns;
	bool has_tick, needs_pick, is_idle, is_streaming, arms_debt;
	unsigned int exit_ns, nr_arriving;
	uint64_t balance_cost_ns;
	struct sim_level levels[SIM_LEVELS];
};

/** struct waiters - a list of tasks, first in first out; empty: -1 */
struct waiters {
	int first, last;
};

/** struct sim_channel - messages in it, the CPU of the last sender, and who waits */
struct sim_channel {
	unsigned int nr;
	int last_cpu;
	struct waiters readers, writers;
};

/** struct sim_gate - tokens, and the stamp of who put the last one; open for good */
struct sim_gate {
	uint64_t tokens, stamp_ns;
	bool is_open;
	struct waiters waiters;
};

/** struct sim_barrier - how many came, and who waits */
struct sim_barrier {
	unsigned int nr;
	struct waiters waiters;
};

/**
 * struct sim - a run
 * @bad: first failure: a negative errno
 * @pending: CPUs that pick anew when the present event is done
 */
struct sim {
	const struct sim_options *options;
	const struct machine *machine;
	struct fair_times times;
	struct cpumask allowed;
	uint64_t now_ns, phase_ns;
	int bad;
	struct err *err;
	struct events events;
	struct cpu_state *states;
	struct sim_cpu *cpus;
	struct sim_task *tasks;
	size_t nr_tasks, room_tasks, nr_alive;
	struct sim_channel *channels;
	struct sim_gate *gates;
	struct sim_barrier *barriers;
	int *pending;
	size_t nr_pending;
	/* Room for all tasks: candidates of an attempt to balance. */
	struct balance_task *candidates;
	int *candidate_ids;
	size_t *taken;
	int nr_idle_allowed, nr_overloaded;
	uint64_t nr_waiting, nohz_next_ns;
	struct sim_result result;
};

#endif
