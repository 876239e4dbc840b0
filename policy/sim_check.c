// SPDX-License-Identifier: GPL-2.0-or-later
/* What must be true of a graph before a run, and of the simulator after it. */
#include <errno.h>
#include <inttypes.h>

#include "lib/err.h"
#include "policy/sim_parts.h"

/* How many objects of the step's kind there are; none is numbered: 1. */
static size_t limit_of(const struct program_graph *graph, enum program_op op)
{
	const size_t limits[PROGRAM_OPS] = {
		[PROGRAM_RUN] = 1,
		[PROGRAM_MEMORY] = 1,
		[PROGRAM_SLEEP] = 1,
		[PROGRAM_SEND] = graph->nr_channels,
		[PROGRAM_RECEIVE] = graph->nr_channels,
		[PROGRAM_BLOCK] = graph->nr_gates,
		[PROGRAM_WAKE] = graph->nr_gates,
		[PROGRAM_LOCK] = graph->nr_gates,
		[PROGRAM_UNLOCK] = graph->nr_gates,
		[PROGRAM_YIELD] = 1,
		[PROGRAM_BARRIER] = graph->nr_barriers,
		[PROGRAM_FORK] = graph->nr_programs,
		[PROGRAM_EXEC] = 1,
		[PROGRAM_WAIT] = 1,
		[PROGRAM_REPEAT] = PROGRAM_LOOPS,
		[PROGRAM_MARK] = PROGRAM_MARKS,
		[PROGRAM_STAMP] = 1,
		[PROGRAM_NOTE] = PROGRAM_NOTES,
		[PROGRAM_EXIT] = 1,
	};

	return limits[op];
}

static bool is_within(const struct program_graph *graph, const struct program_step *step,
		      int base)
{
	int object = step->object + (step->is_based ? base : 0);

	return object >= 0 && (size_t)object < limit_of(graph, step->op);
}

/* Whether a task of @program with @base finds what its @nr-th step names. */
static int check_step(const struct program_graph *graph, const struct program *program,
		      size_t nr, int base, struct err *err)
{
	const struct program_step *step = &program->steps[nr];

	if (!is_within(graph, step, base))
		return err_set(err, -EINVAL,
			       "step %zu of program '%s' names object %d with "
			       "base %d (expected a number below %zu)",
			       nr, program->name, step->object, base,
			       limit_of(graph, step->op));
	if (step->op == PROGRAM_REPEAT && (!step->back || step->back > nr))
		return err_set(err, -EINVAL,
			       "step %zu of program '%s' goes %u steps back "
			       "(expected 1 to %zu)",
			       nr, program->name, step->back, nr);
	return 0;
}

static int check_program(const struct program_graph *graph, const struct program *program,
			 int base, struct err *err)
{
	int bad = 0;
	size_t i;

	if (!program->nr_steps)
		return err_set(err, -EINVAL, "program '%s' has no steps", program->name);
	for (i = 0; i < program->nr_steps && !bad; i++)
		bad = check_step(graph, program, i, base, err);
	return bad;
}

/*
 * Each program is looked at with the bases that it is forked with. Its own forks may come
 * first: whom they name is checked here.
 */
static int check_forks(const struct program_graph *graph, const struct program *program,
		       struct err *err)
{
	int bad = 0;
	size_t i;

	for (i = 0; i < program->nr_steps && !bad; i++) {
		const struct program_step *step = &program->steps[i];

		if (step->op != PROGRAM_FORK)
			continue;
		bad = check_step(graph, program, i, 0, err);
		if (!bad)
			bad = check_program(graph, &graph->programs[step->object],
					    (int)step->amount, err);
	}
	return bad;
}

int sim_check_graph(const struct program_graph *graph, struct err *err)
{
	size_t i;
	int bad;

	if (graph->is_short)
		return err_nomem(err);
	if (!graph->nr_programs)
		return err_set(err, -EINVAL, "the graph has no program");
	bad = check_program(graph, &graph->programs[0], 0, err);
	for (i = 0; i < graph->nr_programs && !bad; i++)
		bad = check_forks(graph, &graph->programs[i], err);
	return bad;
}

static int check_tasks(const struct sim *sim, struct err *err)
{
	size_t i;

	for (i = 0; i < sim->nr_tasks; i++) {
		const struct sim_task *task = &sim->tasks[i];
		uint64_t known = task->run_ns + task->wait_ns + task->block_ns;

		if (task->stage != TASK_GONE)
			return err_set(err, -EPROTO, "the simulator lost task %zu ('%s')",
				       i, task->program->name);
		if (known != task->since_ns - task->born_ns)
			return err_set(err, -EPROTO,
				       "the simulator knows %" PRIu64
				       " ns of the life of task %zu (expected %" PRIu64
				       ")",
				       known, i, task->since_ns - task->born_ns);
	}
	return 0;
}

int sim_check_end(const struct sim *sim, struct err *err)
{
	const struct sim_result *result = &sim->result;
	int bad = check_tasks(sim, err);
	int cpu;

	if (bad)
		return bad;
	for (cpu = cpumask_from(&sim->machine->online, 0); cpu >= 0;
	     cpu = cpumask_from(&sim->machine->online, cpu + 1)) {
		const struct sim_cpu *here = &sim->cpus[cpu];

		if (here->nr || here->busy_ns + here->idle_ns != here->since_ns)
			return err_set(err, -EPROTO,
				       "the simulator lost time or tasks of CPU %d", cpu);
	}
	if (result->busy_ns != result->run_ns)
		return err_set(err, -EPROTO,
			       "the simulator's CPUs were busy for %" PRIu64
			       " ns and its tasks ran for %" PRIu64,
			       result->busy_ns, result->run_ns);
	return 0;
}
