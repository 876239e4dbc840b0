// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * reaim's five_sec in the simulator: users that do their jobs in orders of their own, where
 * a disk test forks a child at each sync point, which executes a program. One load point is
 * simulated, whatever the repeat.
 *
 * Jobs are work of so many ns on a CPU of its own; these are estimates, from the number of
 * operations and system calls in each. CPU times of users aren't among the outcomes.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/all.h"
#include "benchmarks/model.h"
#include "benchmarks/native.h"
#include "benchmarks/reaim/formula.h"
#include "benchmarks/reaim/limits.h"
#include "benchmarks/reaim/mixes.h"
#include "benchmarks/reaim/share.h"
#include "lib/err.h"
#include "lib/rng.h"

enum {
	SYNC_NS = 200000,
	FSYNC_NS = 2000,
	FOOTPRINT_KIB = 16,
	/* Users share orders, so that the graph stays small. */
	MOST_ORDERS = 16,
	TICK_NS = 1000000000 / REAIM_TICKS_SEC,
};

/* struct job - work in ns, that for each KiB of the user's file, and sync points */
struct job {
	const char *test;
	unsigned int run_ns, kib_ns, syncs;
};

static const struct job jobs[] = {
	{ "add_short", 8000000, 0, 0 },	  { "dir_rtns_1", 1000000, 0, 0 },
	{ "disk_cp", 20000, 800, 3 },	  { "disk_rd", 20000, 800, 2 },
	{ "disk_rr", 20000, 900, 2 },	  { "disk_rw", 20000, 1100, 2 },
	{ "disk_src", 300000, 0, 0 },	  { "disk_wrt", 10000, 500, 2 },
	{ "link_test", 250000, 0, 0 },	  { "page_test", 1500000, 0, 0 },
	{ "signal_test", 1000000, 0, 0 },
};

enum { NR_JOBS = sizeof(jobs) / sizeof(jobs[0]) };

/* enum sync_mode - what happens at a sync point, as the choice */
enum sync_mode { EXEC_SYNC, EXEC_TRUE, FSYNC, OFF };

/* struct plan - what a user does */
struct plan {
	uint64_t nr[NR_JOBS], all, kib;
	enum sync_mode mode;
	int program; /* that a sync point executes */
};

static int make_plan(const struct workload *workload, struct plan *plan, struct err *err)
{
	const char *mix = workload_word(workload, "mix");
	const char *text = reaim_mix_text("five_sec");
	uint64_t asked = workload_uint(workload, "jobs");
	struct workfile_fault fault;
	struct workfile workfile;
	size_t i;

	if (strcmp(mix, "five_sec") != 0)
		return err_set(err, -EOPNOTSUPP,
			       "mix %s has no model (expected five_sec)", mix);
	if (workfile_read(text, strlen(text), &workfile, &fault))
		return err_set(err, -EINVAL, "mix %s: %s", mix, fault.text);
	plan->all = 0;
	for (i = 0; i < NR_JOBS; i++) {
		int test = reaim_test_find(jobs[i].test, strlen(jobs[i].test));

		plan->nr[i] = workfile_jobs(&workfile, test, asked);
		plan->all += plan->nr[i];
	}
	plan->kib =
		workload_uint(workload, "filesize") +
		workload_uint(workload, "poolsize") / workload_uint(workload, "users");
	plan->mode = (enum sync_mode)workload->choice[1];
	return 0;
}

static void add_step(struct program_graph *graph, int program, enum program_op op,
		     int object, uint64_t amount)
{
	program_add(graph, program,
		    PROGRAM_STEP(.op = op, .object = object, .amount = amount));
}

static void add_sync(const struct plan *plan, struct program_graph *graph, int user)
{
	if (plan->mode == OFF)
		return;
	if (plan->mode == FSYNC) {
		add_step(graph, user, PROGRAM_RUN, 0, FSYNC_NS);
		return;
	}
	add_step(graph, user, PROGRAM_FORK, plan->program, 0);
	add_step(graph, user, PROGRAM_WAIT, 0, 0);
}

/* Its work in equal parts around its sync points. */
static void add_job(const struct plan *plan, struct program_graph *graph, int user,
		    const struct job *job)
{
	uint64_t ns = job->run_ns + job->kib_ns * plan->kib;
	unsigned int i;

	add_step(graph, user, PROGRAM_RUN, 0, ns / (job->syncs + 1));
	for (i = 0; i < job->syncs; i++) {
		add_sync(plan, graph, user);
		add_step(graph, user, PROGRAM_RUN, 0, ns / (job->syncs + 1));
	}
}

/* Each job that is left is as likely as any other to be the next one. */
static void add_jobs(struct plan plan, struct program_graph *graph, int user,
		     unsigned int order)
{
	struct rng rng;
	uint64_t left;

	rng_seed(&rng, order, 0);
	for (left = plan.all; left; left--) {
		uint64_t nth = rng_below(&rng, left);
		size_t i = 0;

		while (nth >= plan.nr[i])
			nth -= plan.nr[i++];
		plan.nr[i]--;
		add_job(&plan, graph, user, &jobs[i]);
	}
}

static int add_user(const struct plan *plan, struct program_graph *graph,
		    unsigned int order)
{
	int user = program_new(graph, "user", false, FOOTPRINT_KIB);

	add_step(graph, user, PROGRAM_SEND, 0, 0);
	add_step(graph, user, PROGRAM_BLOCK, 0, 0);
	add_jobs(*plan, graph, user, order);
	add_step(graph, user, PROGRAM_NOTE, 0, 0);
	return user;
}

static int build(const struct workload *workload, struct program_graph *graph,
		 struct err *err)
{
	uint64_t users = workload_uint(workload, "users");
	const struct program_channel report = { PROGRAM_PIPE, (unsigned int)users };
	uint64_t orders = MOST_ORDERS;
	struct plan plan;
	int parent, first;
	uint64_t i;
	int bad = make_plan(workload, &plan, err);

	if (bad)
		return bad;
	if (users < orders)
		orders = users;
	parent = program_new(graph, "parent", false, FOOTPRINT_KIB);
	plan.program = program_new(graph, "sync", false, FOOTPRINT_KIB);
	first = plan.program + 1;
	(void)program_channels(graph, report, 1);
	graph->nr_gates = 1;
	add_step(graph, plan.program, PROGRAM_EXEC, 0, 0);
	if (plan.mode == EXEC_SYNC)
		add_step(graph, plan.program, PROGRAM_RUN, 0, SYNC_NS);
	for (i = 0; i < orders; i++)
		(void)add_user(&plan, graph, (unsigned int)i);
	for (i = 0; i < users; i++)
		add_step(graph, parent, PROGRAM_FORK, first + (int)(i % orders), 0);
	add_step(graph, parent, PROGRAM_RECEIVE, 0, 0);
	program_repeat(graph, parent, 1, users, 0);
	add_step(graph, parent, PROGRAM_MARK, MODEL_START, 0);
	add_step(graph, parent, PROGRAM_STAMP, 0, 0);
	add_step(graph, parent, PROGRAM_WAKE, 0, 0);
	add_step(graph, parent, PROGRAM_WAIT, 0, 0);
	add_step(graph, parent, PROGRAM_MARK, MODEL_STOP, 0);
	return 0;
}

/* struct clock - what one of the two clocks shows: its metrics' suffix, times in s */
struct clock {
	const char *suffix;
	double seconds;
	struct formula_spread spread;
};

static int add_value(const struct workload *workload, struct bench_samples *samples,
		     const char *name, const struct clock *clock, double value,
		     struct err *err)
{
	char metric[40];

	(void)snprintf(metric, sizeof(metric), "%s%s", name, clock->suffix);
	return bench_sample_add(workload->ops, samples, metric, value, err);
}

static int add_clock(const struct workload *workload, uint64_t nr_jobs,
		     const struct clock *clock, struct bench_samples *samples,
		     struct err *err)
{
	uint64_t users = workload_uint(workload, "users");
	double rate = formula_rate(nr_jobs, users, clock->seconds);
	const struct {
		const char *name;
		double value;
	} values[] = {
		{ "jobs_per_min", rate },
		{ "jobs_per_min_child", rate / (double)users },
		{ "max_jobs_per_min", rate },
		{ "parent_time", clock->seconds },
		{ "std_dev_time", clock->spread.std_dev },
		{ "std_dev_percent", clock->spread.percent },
		{ "jti", clock->spread.jti },
	};
	int bad = 0;
	size_t i;

	for (i = 0; !bad && i < sizeof(values) / sizeof(values[0]); i++)
		bad = add_value(workload, samples, values[i].name, clock, values[i].value,
				err);
	return bad;
}

/* The clock of ticks shows whole ones; a run of none has no rate. */
static int read_clock(const struct program_outcome *outcome, bool on_ticks,
		      struct clock *clock, struct err *err)
{
	const struct program_note *note = &outcome->notes[0];
	uint64_t unit_ns = on_ticks ? TICK_NS : 1;
	uint64_t start = outcome->mark_ns[MODEL_START] / unit_ns;
	double *elapsed = calloc(note->nr, sizeof(*elapsed));
	uint64_t last;
	size_t i;

	if (!elapsed)
		return err_nomem(err);
	for (i = 0; i < note->nr; i++) {
		uint64_t end = (outcome->mark_ns[MODEL_START] + note->ns[i]) / unit_ns;

		elapsed[i] = (double)(end - start);
	}
	last = outcome->mark_ns[MODEL_STOP] / unit_ns;
	clock->suffix = on_ticks ? "" : "_fine";
	clock->seconds = (double)(last - start) * (double)unit_ns / 1e9;
	clock->spread = formula_spread(elapsed, note->nr, on_ticks);
	clock->spread.std_dev *= (double)unit_ns / 1e9;
	free(elapsed);
	return 0;
}

/* As many users' times, and as many jobs' children, as were asked for. */
static int check_work(const struct workload *workload, const struct plan *plan,
		      const struct program_outcome *outcome, struct err *err)
{
	uint64_t users = workload_uint(workload, "users");
	uint64_t syncs = 0;
	double seconds;
	size_t i;
	int bad = model_notes(outcome, 0, users, &seconds, err);

	for (i = 0; i < NR_JOBS; i++)
		syncs += plan->nr[i] * jobs[i].syncs;
	if (!bad)
		bad = model_count(outcome, PROGRAM_EXEC,
				  plan->mode <= EXEC_TRUE ? users * syncs : 0, err);
	return bad ? bad : model_elapsed(outcome, MODEL_START, MODEL_STOP, &seconds, err);
}

static int samples(const struct workload *workload, const struct program_outcome *outcome,
		   struct bench_samples *samples, struct err *err)
{
	struct clock clock = { .seconds = 0 };
	struct plan plan;
	int on_ticks;
	int bad = make_plan(workload, &plan, err);

	if (!bad)
		bad = check_work(workload, &plan, outcome, err);
	for (on_ticks = 1; !bad && on_ticks >= 0; on_ticks--) {
		bad = read_clock(outcome, on_ticks, &clock, err);
		if (!bad)
			bad = add_clock(workload, plan.all, &clock, samples, err);
	}
	if (!bad)
		bad = bench_sample_add(workload->ops, samples, "workload",
				       (double)(workload_uint(workload, "users") *
						workload_uint(workload, "jobs") *
						workload_uint(workload, "repeat")),
				       err);
	return bad;
}

const struct bench_model reaim_model = { .graph = build, .samples = samples };
