/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The local executor: one iteration of one cell on this machine and its
 * running kernel. It starts the program, keeps its raw output, and makes a
 * record of what came out; it never judges by the exit status alone.
 */
#ifndef RUNNER_LOCAL_H
#define RUNNER_LOCAL_H

#include <errno.h>
#include <stdbool.h>

#include "benchmarks/bench.h"
#include "lib/clock.h"
#include "lib/proc.h"
#include "record/record.h"
#include "runner/guard.h"
#include "runner/service.h"
#include "runner/monitor.h"

struct cell;
struct err;
struct guard;
struct plan;
struct placement_trace;

/**
 * struct local - what all iterations of a run share
 * @plan: lent
 * @dir: directory of the run; lent
 * @boot: name of this start of the kernel; lent
 * @watch: where signals arrive
 * @checked_ns: for each cell of the plan when its limits were last found wide
 *              enough, 0 before; clock_ns() time
 * @monitors: what is counted; only what this machine can
 * @monitor_name: monitor_text() of them, NULL when there are none; lent
 * @monitor_unfit: why the monitors can't work here, NULL when they can; lent
 * @settings_unfit: why the settings of the next iteration can't be had, NULL when they
 *                  can; lent
 * @trace: records for monitor placement; NULL where nothing does
 * @services: servers that cells need; NULL where no cell does
 * @guard: looks at the machine before and after; NULL: nothing does
 * @room_ns: when the room on the disk was last looked at, clock_ns() time; 0 before
 * @max_file_bytes: what a program may write to one file, by that room
 * @quiet_ns: when others last left the machine alone, clock_ns() time; 0 before
 */
struct local {
	const struct plan *plan;
	const char *dir;
	const char *boot;
	struct proc_watch *watch;
	struct services *services;
	struct guard *guard;
	struct monitors monitors;
	const char *monitor_name, *monitor_unfit, *settings_unfit;
	struct placement_trace *trace;
	uint64_t *checked_ns;
	uint64_t room_ns, max_file_bytes, quiet_ns;
};

/**
 * struct local_turn - which iteration
 * @cell: of the plan
 * @block: pass over the columns, 0 for a warm-up
 * @iteration: from 1, warm-ups counted apart
 * @attempt: from 1; a number that has output already is passed over
 * @seq: position in the run's order of execution
 */
struct local_turn {
	const struct cell *cell;
	uint64_t block, iteration, attempt, seq;
};

/**
 * struct local_result - the record of one iteration and what it points at
 * @record: lent strings and metrics are those below and the plan's
 */
struct local_result {
	struct record record;
	char *id;
	char start[CLOCK_DATE_SIZE];
	char reason[1024];
	struct record_metric metrics[BENCH_MAX_METRICS + MONITOR_MAX_METRICS];
	double values[BENCH_MAX_METRICS];
	struct guard_report report;
	struct monitor_report counted;
	char version[200], service_remark[SERVICE_REMARK_SIZE];
	char quiet_remark[120];
	char boot[40];
	const char *remarks[4 + GUARD_MAX_REMARKS + MONITOR_MAX_REMARKS];
};

/**
 * local_run - run one iteration
 * @local: of the run
 * @turn: which
 * @ret: receives the record, to be released by local_release()
 * @err: says why the run can't go on (no memory, no disk, a process that can't
 *       be killed); whatever the workload did is in the record instead
 *
 * Return: 0 or a negative errno.
 */
int local_run(struct local *local, const struct local_turn *turn,
	      struct local_result *ret, struct err *err);

/**
 * struct local_output - what a program left
 * @raw_dir: folder of its output; lent
 * @out: its stdout there, open for reading; whoever filled it in closes it
 */
struct local_output {
	const char *raw_dir;
	int out;
};

/**
 * struct local_ended - a program that has ended, and what it left
 * @proc: how it went
 * @output: what it printed
 */
struct local_ended {
	struct proc_result proc;
	struct local_output output;
};

/**
 * local_describe - begin the record of an attempt: everything but its outcome
 * @result: overwritten; to be released by local_release() on success
 *
 * Return: 0 or -ENOMEM.
 */
int local_describe(const struct local *local, const struct local_turn *turn,
		   struct local_result *result, struct err *err);

/**
 * local_make_raw_dir - make the folder of an attempt's output
 * @turn: its attempt grows past those that have output already
 *
 * Return: the path, the caller's to free(); NULL with @err set.
 */
char *local_make_raw_dir(const struct local *local, struct local_turn *turn,
			 struct err *err);

/** local_conclude - end a record with a status and its reason, which is copied */
void local_conclude(struct local_result *result, enum record_status status,
		    const char *reason);

/**
 * local_take_samples - a workload's samples as the metrics of a record
 * @result: receives them; they are copied
 */
void local_take_samples(const struct workload *workload,
			const struct bench_samples *samples, struct local_result *result);

/**
 * local_judge - let the end of a program, and what it left, decide
 * @ended: the program
 * @result: described; receives status, reason, time and metrics
 * @err: says why the run can't go on
 *
 * Return: 0 or -ENOMEM; the program's and the host's trouble is in the record.
 */
int local_judge(const struct local *local, const struct cell *cell,
		struct local_ended *ended, struct local_result *result, struct err *err);

/**
 * local_judge_output - let the kept output of a program that ended well decide
 * @workload: what the program was asked to do
 * @monitors: it ran under, NULL for none
 * @output: of it
 * @result: receives status, reason and metrics; everything else stays
 * @err: set when it can't be told: the host's trouble and not the program's
 *
 * Output that is too long or doesn't prove that the work was done makes the
 * record failed.
 *
 * Return: 0, or the negative errno of reading the output.
 */
int local_judge_output(const struct workload *workload, const struct monitors *monitors,
		       const struct local_output *output, struct local_result *result,
		       struct err *err);

/** local_release - free what a result owns */
void local_release(struct local_result *result);

/** local_must_stop - whether a failure is this machine's, and no iteration can go on */
static inline bool local_must_stop(int bad)
{
	return bad == -ENOMEM || bad == -EBUSY || bad == -ENOSPC || bad == -EDQUOT ||
	       bad == -EROFS;
}

#endif
