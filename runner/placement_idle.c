// SPDX-License-Identifier: GPL-2.0-or-later
/* Follows each task from queue to queue; see placement_idle.h. */
#include "runner/placement_idle.h"

#include <stdint.h>
#include <stdlib.h>

#include "runner/placement_read.h"

/* The low bits of a task's state; one that was preempted has none of them. */
enum { SLEEPS = 0xff };

/**
 * struct placement_idle - what was seen so far
 * @queue: for each task the CPU in whose queue it is, and one more; 0: in none
 * @nr_queued: for each CPU how many it has, the running one included
 * @has_other: for each CPU whether others have a task there
 * @nr_free: CPUs that the program may use and where nobody has one
 * @nr_crowded: CPUs that have two or more
 * @first_ns: of the first event
 * @last_ns: of the last one
 * @idle_ns: of the time between them
 * @is_begun: there was an event
 * @is_known: the trace says which CPUs the program may use
 */
struct placement_idle {
	uint16_t *queue;
	unsigned int nr_queued[PLACEMENT_MAX_CPUS];
	bool has_other[PLACEMENT_MAX_CPUS];
	size_t nr_free, nr_crowded;
	uint64_t first_ns, last_ns, idle_ns;
	bool is_begun, is_known;
};

struct placement_idle *placement_idle_new(void)
{
	struct placement_idle *idle = calloc(1, sizeof(*idle));

	if (!idle)
		return NULL;
	idle->queue = calloc(PLACEMENT_MAX_PID, sizeof(*idle->queue));
	if (idle->queue)
		return idle;
	free(idle);
	return NULL;
}

void placement_idle_free(struct placement_idle *idle)
{
	if (idle)
		free(idle->queue);
	free(idle);
}

static bool is_free(const struct placement_idle *idle,
		    const struct placement_machine *machine, size_t cpu)
{
	return machine->is_allowed[cpu] && !idle->nr_queued[cpu] && !idle->has_other[cpu];
}

/* One task more (1), less (-1) or none (0) in the queue of @cpu, and others run or not. */
static void change(struct placement_idle *idle, const struct placement_machine *machine,
		   size_t cpu, int by, bool has_other)
{
	bool was_free = is_free(idle, machine, cpu);
	bool was_crowded = idle->nr_queued[cpu] >= 2;

	idle->nr_queued[cpu] += (unsigned int)by;
	idle->has_other[cpu] = has_other;
	idle->nr_free -= was_free;
	idle->nr_free += is_free(idle, machine, cpu);
	idle->nr_crowded -= was_crowded;
	idle->nr_crowded += idle->nr_queued[cpu] >= 2;
}

/* @task is in the queue of @cpu, or of none (-1), from now on. */
static void put(struct placement_idle *idle, const struct placement_machine *machine,
		unsigned int task, int cpu)
{
	int before = idle->queue[task] - 1;

	if (before == cpu)
		return;
	if (before >= 0)
		change(idle, machine, (size_t)before, -1, idle->has_other[before]);
	if (cpu >= 0)
		change(idle, machine, (size_t)cpu, 1, idle->has_other[cpu]);
	idle->queue[task] = (uint16_t)(cpu + 1);
}

static void follow(struct placement_idle *idle, const struct placement_machine *machine,
		   const struct placement_line *line)
{
	switch (line->kind) {
	case PLACEMENT_NEW:
	case PLACEMENT_WAKE:
		put(idle, machine, line->pid, (int)line->args[0]);
		break;
	case PLACEMENT_RUN:
		put(idle, machine, line->pid, (int)line->cpu);
		break;
	case PLACEMENT_OTHER:
		change(idle, machine, line->cpu, 0, line->args[0] > 0);
		break;
	case PLACEMENT_STOP:
		put(idle, machine, line->pid,
		    line->args[0] & SLEEPS ? -1 : (int)line->cpu);
		break;
	case PLACEMENT_MOVE:
		/* A sleeping task is moved before it is woken. */
		if (idle->queue[line->pid])
			put(idle, machine, line->pid, (int)line->args[1]);
		break;
	case PLACEMENT_MAIN:
	case PLACEMENT_FORK:
	case PLACEMENT_IDLE:
	case PLACEMENT_NR_KINDS:
		break;
	}
}

void placement_idle_take(struct placement_idle *idle,
			 const struct placement_machine *machine,
			 const struct placement_line *line)
{
	if (!idle->is_begun) {
		idle->is_begun = true;
		idle->first_ns = idle->last_ns = line->ns;
		idle->nr_free = machine->nr_allowed;
		idle->is_known = machine->nr_allowed > 0;
	}
	if (idle->nr_free && idle->nr_crowded)
		idle->idle_ns += line->ns - idle->last_ns;
	idle->last_ns = line->ns;
	follow(idle, machine, line);
}

bool placement_idle_share(const struct placement_idle *idle, double *ret)
{
	uint64_t all = idle->last_ns - idle->first_ns;

	if (!all || !idle->is_known)
		return false;
	*ret = (double)idle->idle_ns / (double)all;
	return true;
}
