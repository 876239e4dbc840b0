// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What monitors can count here, and what one costs, measured: the same short work with
 * and without it.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "benchmarks/bench.h"
#include "lib/clock.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/proc.h"
#include "lib/scratch.h"
#include "runner/doctor_checks.h"
#include "runner/monitor.h"
#include "runner/placement_trace.h"
#include "runner/plan.h"
#include "runner/program.h"

/* Odd, so that there is a middle one; the first pair only warms up. */
enum { NR_PAIRS = 7, GROUPS = 4, LOOPS = 200, TIMEOUT_SEC = 30, OUTPUT_MAX = 1 << 16 };

/**
 * struct trial - the work, and what it runs under
 * @monitors: of perf-stat, those that can count here
 * @trace: of placement; NULL: perf-stat is tried
 */
struct trial {
	struct workload workload;
	struct program program;
	struct monitor_tools tools;
	struct monitors monitors;
	struct placement_trace *trace;
	struct proc_watch watch;
};

/* struct cost - of one execution: as the work itself measures, and from outside */
struct cost {
	double time, wall;
};

static int read_time(const struct trial *trial, const char *dir, double *ret,
		     struct err *err)
{
	struct bench_samples samples = { 0 };
	char *path = file_path("%s/stdout", dir);
	char *text = NULL;
	size_t len;
	int bad = path ? file_read(path, OUTPUT_MAX, &text, &len, err) : err_nomem(err);

	if (!bad)
		bad = workload_parse(&trial->workload, text, len, &samples, err);
	if (!bad)
		*ret = samples.sample[0].value;
	free(text);
	free(path);
	return bad;
}

static int run_in(struct trial *trial, const char *dir, bool is_monitored,
		  struct cost *ret, struct err *err)
{
	struct bench_command command = { 0 };
	struct proc_spec spec = {
		.path = trial->program.path,
		.dir = dir,
		.timeout_ns = TIMEOUT_SEC * CLOCK_SEC,
	};
	struct proc_result result = { .end = PROC_EXITED };
	int bad = workload_plan(&trial->workload, 1, &command);

	if (!bad && is_monitored && !trial->trace) {
		bad = monitor_wrap(&trial->monitors, trial->tools.perf.path,
				   trial->tools.witness.path, trial->program.path,
				   &command);
		spec.path = trial->tools.perf.path;
	}
	spec.argv = command.argv;
	if (is_monitored)
		placement_trace_begin(trial->trace);
	bad = bad ? err_nomem(err) : proc_run(&trial->watch, &spec, &result, err);
	if (is_monitored && trial->trace)
		free(placement_trace_end(trial->trace, getpid()));
	bench_command_release(&command);
	if (bad)
		return bad;
	if (result.end != PROC_EXITED || result.wait_status || result.nr_left)
		return err_set(err, -EIO, "'%s' did not end well", trial->program.path);
	ret->wall = (double)result.wall_ns / CLOCK_SEC;
	return read_time(trial, dir, &ret->time, err);
}

static int run_once(struct trial *trial, bool is_monitored, struct cost *ret,
		    struct err *err)
{
	struct scratch scratch;
	int bad = scratch_open(&scratch, err);

	if (bad)
		return bad;
	bad = run_in(trial, scratch.dir, is_monitored, ret, err);
	scratch_close(&scratch);
	return bad;
}

static int by_size(const void *a, const void *b)
{
	const double *left = a;
	const double *right = b;

	return (*left > *right) - (*left < *right);
}

static double median(double *values)
{
	qsort(values, NR_PAIRS, sizeof(*values), by_size);
	return values[NR_PAIRS / 2];
}

static int measure(struct trial *trial, struct cost ret[2], struct err *err)
{
	double time[2][NR_PAIRS], wall[2][NR_PAIRS];
	int i, with;

	for (i = -1; i < NR_PAIRS; i++) {
		for (with = 0; with < 2; with++) {
			struct cost cost = { 0 };

			if (run_once(trial, with, &cost, err))
				return err->code;
			if (i < 0)
				continue;
			time[with][i] = cost.time;
			wall[with][i] = cost.wall;
		}
	}
	for (with = 0; with < 2; with++)
		ret[with] = (struct cost){ median(time[with]), median(wall[with]) };
	return 0;
}

static int measure_perf(struct trial *trial, const struct monitors *wanted,
			struct cost ret[2], char **ret_note, struct err *err)
{
	int bad = proc_watch_open(&trial->watch, err);

	if (bad)
		return bad;
	bad = monitor_probe(wanted, &trial->tools, &trial->watch, &trial->monitors,
			    ret_note, err);
	if (!bad)
		bad = measure(trial, ret, err);
	proc_watch_close(&trial->watch);
	/* It was meant for us, and nobody else has seen it. */
	if (trial->watch.signal)
		(void)raise(trial->watch.signal);
	return bad;
}

static void tell(const char *monitor, const char *name, const struct cost cost[2],
		 struct doctor *doctor)
{
	static const struct doctor_advice advice = {
		"its columns compare with columns under the same monitor only", NULL
	};

	doctor_add(doctor, DOCTOR_NOTE, monitor, &advice,
		   "hackbench of %d groups takes %.4f s without and %.4f s with %s "
		   "(%+.1f%%, medians of %d); to start and end it all takes %+.1f ms",
		   GROUPS, cost[0].time, cost[1].time, name,
		   100.0 * (cost[1].time / cost[0].time - 1.0), NR_PAIRS,
		   1e3 * (cost[1].wall - cost[1].time - cost[0].wall + cost[0].time));
}

static int prepare(struct trial *trial, struct err *err)
{
	int bad;

	workload_init(&trial->workload, bench_find("hackbench"));
	workload_set(&trial->workload, "groups", GROUPS);
	workload_set(&trial->workload, "loops", LOOPS);
	bad = program_find(&trial->workload, ".", &trial->program, err);
	if (!bad)
		bad = monitor_find(&trial->tools, err);
	return bad;
}

/* What perf costs, with @wanted of its events. */
static void try_perf(struct trial *trial, const struct monitors *wanted, bool tells_note,
		     struct doctor *doctor)
{
	static const struct doctor_advice advice = {
		"a grid can't say monitors: [perf-stat]",
		"apt-get install linux-perf; sysctl kernel.perf_event_paranoid=1"
	};
	struct cost cost[2] = { 0 };
	struct err why = { 0 };
	char *note = NULL;
	char *name = NULL;
	int bad = trial->tools.perf.path ? measure_perf(trial, wanted, cost, &note, &why)
					 : monitor_missing(&why);

	if (note && tells_note)
		doctor_add(doctor, DOCTOR_NOTE, "events", NULL, "%s", note);
	if (bad) {
		doctor_add(doctor, DOCTOR_NOTE, "monitor perf-stat", &advice, "%s",
			   why.text);
	} else {
		name = monitor_text(&trial->monitors);
		doctor->nomem |= !name;
		tell("monitor perf-stat", name ? name : "", cost, doctor);
	}
	free(name);
	free(note);
}

static void try_placement(struct trial *trial, struct doctor *doctor)
{
	static const struct doctor_advice advice = {
		"a grid can't say monitors: [placement] on this machine",
		"run as root where tracefs is mounted, or in guests"
	};
	struct cost cost[2] = { 0 };
	struct err why = { 0 };
	int bad = placement_trace_open(&trial->trace, &why);

	if (!bad)
		bad = proc_watch_open(&trial->watch, &why);
	if (!bad) {
		bad = measure(trial, cost, &why);
		proc_watch_close(&trial->watch);
		if (trial->watch.signal)
			(void)raise(trial->watch.signal);
	}
	if (bad)
		doctor_add(doctor, DOCTOR_NOTE, "monitor placement", &advice, "%s",
			   why.text);
	else
		tell("monitor placement", "placement", cost, doctor);
	placement_trace_close(trial->trace);
	trial->trace = NULL;
}

/* Two readings beside a program, never while it runs: whether there is something to read. */
static void try_schedstat(struct doctor *doctor)
{
	static const struct doctor_advice advice = {
		"a grid can't say monitors: [schedstat] on this machine",
		"a kernel with CONFIG_SCHEDSTATS, or guests"
	};
	struct err why = { 0 };
	uint64_t begin_ns = clock_ns();

	if (schedstat_check(&why))
		doctor_add(doctor, DOCTOR_NOTE, "monitor schedstat", &advice, "%s",
			   why.text);
	else
		doctor_add(doctor, DOCTOR_OK, "monitor schedstat", NULL,
			   "a reading takes %.1f ms, before and after each program",
			   (double)(clock_ns() - begin_ns) / 1e6);
}

/* Which of the grid's events can be counted; a wrong name was refused before. */
static void check_events(const struct plan *plan, struct doctor *doctor)
{
	static const struct doctor_advice none = { "all cells are skipped", NULL };
	static const struct doctor_advice some = { "their metrics are absent", NULL };
	struct monitors usable = { 0 };
	struct proc_watch watch;
	struct err why = { 0 };
	char *note = NULL;
	int bad;

	if (proc_watch_open(&watch, &why)) {
		doctor_add(doctor, DOCTOR_NOTE, "events", &none, "%s", why.text);
		return;
	}
	bad = monitor_probe(&plan->grid->monitors, &plan->tools, &watch, &usable, &note,
			    &why);
	if (bad)
		doctor_add(doctor, DOCTOR_MISSING, "events", &none, "%s", why.text);
	else if (note)
		doctor_add(doctor, DOCTOR_NOTE, "events", &some, "%s", note);
	else
		doctor_add(doctor, DOCTOR_OK, "events", NULL,
			   "perf can count all of the grid's %zu", usable.nr_events);
	proc_watch_close(&watch);
	if (watch.signal)
		(void)raise(watch.signal);
	free(note);
	monitors_release(&usable);
}

void doctor_monitors(const struct doctor_subject *subject, struct doctor *doctor)
{
	const struct plan *plan = subject->plan;
	bool has_events = plan && plan->grid->monitors.nr_events;
	struct monitors defaults = { 0 };
	struct trial trial = { 0 };
	struct err why = { 0 };

	/* Another machine's perf can't be asked. */
	if (has_events && plan->tools.perf.path && !*subject->root)
		check_events(plan, doctor);
	if (!subject->measures_monitors)
		return;
	if (prepare(&trial, &why) || monitor_add_defaults(&defaults, &why)) {
		doctor_add(doctor, DOCTOR_NOTE, "monitors", NULL, "%s", why.text);
	} else {
		try_perf(&trial, has_events ? &plan->grid->monitors : &defaults,
			 !has_events, doctor);
		try_placement(&trial, doctor);
		try_schedstat(doctor);
	}
	monitors_release(&defaults);
	monitors_release(&trial.monitors);
	program_release(&trial.program);
	monitor_tools_release(&trial.tools);
}
