// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs one iteration on this machine; see local.h. */
#include "runner/local.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "benchmarks/exit.h"
#include "benchmarks/native.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/proc.h"
#include "lib/text.h"
#include "record/host.h"
#include "runner/guard.h"
#include "runner/guest.h"
#include "runner/limits.h"
#include "runner/placement_trace.h"
#include "runner/plan.h"
#include "runner/quiet.h"
#include "runner/service.h"

/*
 * More than any workload prints, what is longer proves nothing; and what one file of
 * a program may come to, so that none fills the disk before its time is up.
 */
enum { OUTPUT_MAX = 1 << 20, FILE_MAX = 1 << 30 };

/* What others leave of memory and tasks changes slowly, and a look isn't free. */
#define LIMITS_STAND_NS (10 * CLOCK_SEC)
#define ROOM_STANDS_NS	CLOCK_SEC
#define QUIET_STANDS_NS CLOCK_SEC

void local_conclude(struct local_result *result, enum record_status status,
		    const char *reason)
{
	result->record.status = status;
	result->record.by_output = false;
	text_printable(reason, result->reason, sizeof(result->reason));
	result->record.reason = *result->reason ? result->reason : NULL;
}

int local_describe(const struct local *local, const struct local_turn *turn,
		   struct local_result *result, struct err *err)
{
	const struct plan *plan = local->plan;
	const struct cell *cell = turn->cell;
	struct record *record = &result->record;
	bool is_warmup = turn->block == 0;

	*result = (struct local_result){ 0 };
	result->id = file_path("%s/%s/%c%ju/a%ju", cell->id, local->boot,
			       is_warmup ? 'w' : 'i', (uintmax_t)turn->iteration,
			       (uintmax_t)turn->attempt);
	if (!result->id)
		return err_nomem(err);
	clock_date(result->start);
	record->id = result->id;
	record->cell = cell->id;
	record->column = plan->grid->columns[cell->column].name;
	record->workload = cell->workload.ops->name;
	record->variant = cell->variant;
	record->point = cell->point;
	record->parameters = cell->parameters;
	record->machine = plan_machine(plan);
	record->executor = plan_executor(plan);
	record->boot = local->boot;
	record->block = turn->block;
	record->iteration = turn->iteration;
	record->attempt = turn->attempt;
	record->seq = turn->seq;
	record->flags = is_warmup ? RECORD_WARMUP : 0;
	if (plan->guest && plan->guest->is_emulated)
		record->flags |= RECORD_EMULATED;
	record->start = result->start;
	record->monitors = local->monitor_name;
	record->program.name = plan->programs[cell->program].word;
	record->program.version = plan->programs[cell->program].version;
	if (cell->service) {
		services_version(plan, cell, result->version, sizeof(result->version));
		record->program.version = result->version;
	}
	record->program.sha256 = plan->programs[cell->program].sha256;
	return 0;
}

/* Where the raw output of an attempt goes; NULL: out of memory. */
static char *raw_dir_of(const struct local *local, const struct local_turn *turn)
{
	return file_path("%s/raw/%s/%s-%c%ju-a%ju", local->dir, turn->cell->id,
			 local->boot, turn->block ? 'i' : 'w', (uintmax_t)turn->iteration,
			 (uintmax_t)turn->attempt);
}

/*
 * Output is never deleted, nor shared by two attempts: one that has output already,
 * because a crash kept it from its record or the ledger was lost, is passed over.
 */
static int pass_over_output(const struct local *local, struct local_turn *turn,
			    struct err *err)
{
	struct stat there;
	char *dir;
	bool is_taken;

	for (;; turn->attempt++) {
		dir = raw_dir_of(local, turn);
		if (!dir)
			return err_nomem(err);
		is_taken = !lstat(dir, &there);
		free(dir);
		if (!is_taken)
			return 0;
	}
}

/* Likewise, and makes the folder of the attempt; NULL: @err says why it can't. */
char *local_make_raw_dir(const struct local *local, struct local_turn *turn,
			 struct err *err)
{
	char *dir;

	for (;; turn->attempt++) {
		dir = raw_dir_of(local, turn);
		if (!dir) {
			err_nomem(err);
			return NULL;
		}
		if (!mkdir(dir, 0755))
			return dir;
		if (errno != EEXIST)
			break;
		free(dir);
	}
	/* The cell's first iteration; a run that was moved away is not begun anew. */
	if (errno != ENOENT)
		err_set(err, -errno, "cannot create '%s': %m", dir);
	else if (access(local->dir, F_OK))
		err_set(err, -EIO, "'%s' is gone since the run began: %m", local->dir);
	else if (!file_make_dirs(dir, err))
		return dir;
	free(dir);
	return NULL;
}

/* The first line on standard error, or nothing. */
static void first_complaint(const char *raw_dir, char *text, size_t size)
{
	char *path = file_path("%s/stderr", raw_dir);
	char *line = path ? file_read_line(path) : NULL;

	(void)snprintf(text, size, "%s%s", line ? ": " : "", line ? line : "");
	free(line);
	free(path);
}

/* What held for the size of a file: ours, or a lower limit of the caller. */
static uint64_t file_limit(const struct local *local)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur > local->max_file_bytes)
		return local->max_file_bytes;
	return limit.rlim_cur;
}

/* One of the suite's own, which did nothing for want of something that may come back. */
static bool is_unready(const struct local *local, const struct cell *cell, int status)
{
	return local->plan->programs[cell->program].is_own && WIFEXITED(status) &&
	       WEXITSTATUS(status) == PROGRAM_UNREADY;
}

static void conclude_exit(const struct local *local, const struct cell *cell,
			  const struct local_ended *ended, struct local_result *result)
{
	int status = ended->proc.wait_status;
	char said[512];
	char reason[1024];

	first_complaint(ended->output.raw_dir, said, sizeof(said));
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ)
		(void)snprintf(reason, sizeof(reason),
			       "killed for writing more than %ju KiB to a file%s",
			       (uintmax_t)(file_limit(local) >> 10), said);
	else if (WIFSIGNALED(status))
		(void)snprintf(reason, sizeof(reason), "killed by signal %d (%s)%s",
			       WTERMSIG(status), strsignal(WTERMSIG(status)), said);
	else
		(void)snprintf(reason, sizeof(reason), "exit status %d%s",
			       WEXITSTATUS(status), said);
	local_conclude(result,
		       is_unready(local, cell, status) ? RECORD_BROKEN : RECORD_FAILED,
		       reason);
}

void local_take_samples(const struct workload *workload,
			const struct bench_samples *samples, struct local_result *result)
{
	size_t i;

	for (i = 0; i < samples->nr; i++) {
		const struct bench_metric *metric = samples->sample[i].metric;

		result->values[i] = samples->sample[i].value;
		result->metrics[i] = (struct record_metric){
			.name = metric->name,
			.unit = metric->unit,
			.better_higher = metric->better == BETTER_HIGHER,
			.secondary = metric->secondary,
			.unjudged = metric->unjudged,
			.resolution = workload_resolution(workload, metric),
			.samples = &result->values[i],
			.nr_samples = 1,
		};
	}
	result->record.metrics = result->metrics;
	result->record.nr_metrics = samples->nr;
}

static bool has_metric(const struct record *record, const char *name)
{
	size_t i;

	for (i = 0; i < record->nr_metrics; i++)
		if (!strcmp(record->metrics[i].name, name))
			return true;
	return false;
}

/* What was counted comes behind what the workload itself measured. */
static void take_counts(const struct monitors *monitors, const char *raw_dir,
			struct local_result *result)
{
	struct record *record = &result->record;
	size_t i;

	monitor_collect(monitors, raw_dir, &result->counted);
	for (i = 0; i < result->counted.nr_metrics; i++) {
		const struct record_metric *metric = &result->counted.metrics[i];

		if (!has_metric(record, metric->name))
			result->metrics[record->nr_metrics++] = *metric;
	}
}

/* What no output can tell. */
static int add_elapsed(const struct workload *workload, uint64_t wall_ns,
		       struct bench_samples *samples, struct err *err)
{
	const struct bench_metric *metric = workload->ops->metrics;
	int bad = 0;

	for (; !bad && metric->name; metric++)
		if (metric->is_elapsed)
			bad = bench_sample_add(workload->ops, samples, metric->name,
					       (double)wall_ns / CLOCK_SEC, err);
	return bad;
}

int local_judge_output(const struct workload *workload, const struct monitors *monitors,
		       const struct local_output *output, struct local_result *result,
		       struct err *err)
{
	struct bench_samples samples = { 0 };
	struct err why = { 0 };
	char *text = NULL;
	size_t len;
	int bad = file_read_fd(output->out, OUTPUT_MAX, &text, &len);

	/* Too much of it is the program's doing, all else is the host's. */
	if (bad == -EFBIG) {
		err_set(&why, bad, "its stdout is larger than %d bytes", OUTPUT_MAX);
	} else if (bad) {
		errno = -bad;
		return err_set(err, bad, "cannot read its stdout: %m");
	} else {
		bad = workload_parse(workload, text, len, &samples, &why);
		if (!bad)
			bad = add_elapsed(workload, result->record.wall_ns, &samples,
					  &why);
	}
	free(text);
	if (bad == -ENOMEM)
		return err_nomem(err);
	if (bad == -EINTR) {
		local_conclude(result, RECORD_INTERRUPTED, why.text);
		return 0;
	}
	if (!bad)
		local_take_samples(workload, &samples, result);
	if (!bad && monitors)
		take_counts(monitors, output->raw_dir, result);
	local_conclude(result, bad ? RECORD_FAILED : RECORD_OK, why.text);
	result->record.by_output = true;
	return 0;
}

/* The program never ran to its end under perf: not its own doing. */
static void conclude_perf(struct local_result *result, const char *raw_dir)
{
	char reason[1024];
	char said[512];

	first_complaint(raw_dir, said, sizeof(said));
	(void)snprintf(reason, sizeof(reason), "perf stat failed%s", said);
	local_conclude(result, RECORD_BROKEN, reason);
}

/* Samples whose output nobody can look at any more would have no evidence. */
static int check_kept(const struct local_ended *ended, struct err *err)
{
	struct stat out;

	if (!fstat(ended->output.out, &out) && out.st_nlink)
		return 0;
	return err_set(err, -ENOENT, "'%s/stdout' was removed or replaced meanwhile",
		       ended->output.raw_dir);
}

int local_judge(const struct local *local, const struct cell *cell,
		struct local_ended *ended, struct local_result *result, struct err *err)
{
	const struct proc_result *proc = &ended->proc;
	char span[CLOCK_SPAN_SIZE];
	struct err why = { 0 };
	const struct monitors *monitors =
		monitors_any(&local->monitors) ? &local->monitors : NULL;
	char reason[128];
	int bad;

	result->record.wall_ns = proc->wall_ns;
	switch (proc->end) {
	case PROC_SIGNALED:
		(void)snprintf(reason, sizeof(reason), "stopped by signal %d (%s)",
			       local->watch->signal, strsignal(local->watch->signal));
		local_conclude(result, RECORD_INTERRUPTED, reason);
		return 0;
	case PROC_TIMEOUT:
		clock_span(local->plan->grid->timeout_ns, span);
		(void)snprintf(reason, sizeof(reason), "cut off at the time limit of %s",
			       span);
		local_conclude(result, RECORD_TIMEOUT, reason);
		return 0;
	case PROC_EXITED:
		break;
	}
	if (local->monitors.nr_events &&
	    monitor_end(ended->output.raw_dir, &ended->proc.wait_status)) {
		conclude_perf(result, ended->output.raw_dir);
		return 0;
	}
	if (!WIFEXITED(proc->wait_status) || WEXITSTATUS(proc->wait_status)) {
		conclude_exit(local, cell, ended, result);
		return 0;
	}
	if (proc->nr_left) {
		(void)snprintf(reason, sizeof(reason),
			       "left %u process%s running, ended now", proc->nr_left,
			       proc->nr_left == 1 ? "" : "es");
		local_conclude(result, RECORD_FAILED, reason);
		return 0;
	}
	bad = check_kept(ended, &why);
	if (!bad)
		bad = local_judge_output(&cell->workload, monitors, &ended->output,
					 result, &why);
	if (bad == -ENOMEM)
		return err_nomem(err);
	if (bad)
		local_conclude(result, RECORD_BROKEN, why.text);
	return 0;
}

/* Why the cell can't run here; NULL when it can. */
static const char *unfit_reason(const struct local *local, const struct cell *cell,
				struct err *why)
{
	uint64_t *checked_ns = &local->checked_ns[cell - local->plan->cells];
	uint64_t now = clock_ns();
	struct bench_needs needs = { 0 };

	if (cell->unfit)
		return cell->unfit;
	if (local->settings_unfit)
		return local->settings_unfit;
	if (local->monitor_unfit)
		return local->monitor_unfit;
	if (*checked_ns && now - *checked_ns < LIMITS_STAND_NS)
		return NULL;
	if (cell->workload.ops->needs)
		cell->workload.ops->needs(&cell->workload, &needs);
	monitor_add_needs(&local->monitors, &needs);
	if (limits_provide(&needs, why))
		return why->text;
	*checked_ns = now;
	return NULL;
}

/*
 * A program that can't write its output looks like one that failed, so a disk
 * without room stops the run instead of making records of failures.
 */
static int check_room(struct local *local, struct err *err)
{
	struct statvfs room;
	uint64_t bytes;

	local->room_ns = clock_ns();
	local->max_file_bytes = FILE_MAX;
	if (statvfs(local->dir, &room) || !room.f_blocks)
		return 0;
	bytes = (uint64_t)(geteuid() ? room.f_bavail : room.f_bfree) * room.f_frsize;
	/* A quarter: stdout and stderr together leave as much again. */
	if (bytes / 4 < FILE_MAX)
		local->max_file_bytes = bytes / 4;
	if (bytes >= OUTPUT_MAX)
		return 0;
	return err_set(err, -ENOSPC,
		       "only %ju KiB are free for '%s' (expected %d KiB at least); make "
		       "room and run the same command again to go on",
		       (uintmax_t)(bytes >> 10), local->dir, OUTPUT_MAX >> 10);
}

/* What the machine did meanwhile, into the record; the workload's size before it. */
static void take_report(const struct cell *cell, struct local_result *result)
{
	const struct guard_report *report = &result->report;
	struct record *record = &result->record;
	size_t nr = 0;
	size_t i;

	record->flags |= report->flags;
	record->has_foreign = report->has_foreign;
	record->foreign = report->foreign;
	if (cell->remark.is_undersized)
		record->flags |= RECORD_UNDERSIZED;
	if (*cell->remark.text)
		result->remarks[nr++] = cell->remark.text;
	if (*result->service_remark)
		result->remarks[nr++] = result->service_remark;
	if (*result->quiet_remark)
		result->remarks[nr++] = result->quiet_remark;
	for (i = 0; i < report->nr_remarks; i++)
		result->remarks[nr++] = report->remarks[i];
	for (i = 0; i < result->counted.nr_remarks; i++)
		result->remarks[nr++] = result->counted.remarks[i];
	record->remarks = result->remarks;
	record->nr_remarks = nr;
	/* Its time is the wrong one, whatever the program says: again, later. */
	if (*report->suspended && record->status != RECORD_INTERRUPTED) {
		local_conclude(result, RECORD_BROKEN, report->suspended);
		record->nr_metrics = 0;
	}
}

/* Has the server that the cell needs running; false with the reason in @result. */
static bool has_service(const struct local *local, const struct cell *cell,
			struct local_result *result)
{
	struct err why = { 0 };
	int bad;

	if (!cell->service)
		return true;
	bad = services_provide(local->services, cell, result->service_remark, &why);
	if (bad)
		local_conclude(result, bad == -EINTR ? RECORD_INTERRUPTED : RECORD_BROKEN,
			       why.text);
	return !bad;
}

/* A server that went away is why the program failed, whatever it says itself. */
static void check_service(const struct local *local, const struct cell *cell,
			  struct local_result *result)
{
	bool has_failed = result->record.status == RECORD_FAILED;
	struct err why = { 0 };

	if (!cell->service || !services_check(local->services, has_failed, &why) ||
	    result->record.status == RECORD_INTERRUPTED)
		return;
	local_conclude(result, RECORD_BROKEN, why.text);
	result->record.nr_metrics = 0;
}

/*
 * The program between two looks at the machine. What a server spends is known when
 * it has ended, so others' share can't be told beside one.
 */
static int run_guarded(const struct local *local, const struct cell *cell,
		       const struct proc_spec *spec, struct proc_result *proc,
		       struct guard_report *report, struct err *err)
{
	double max_foreign = cell->service ? 0.0 : local->plan->grid->quiet.max_foreign;
	struct guard_snapshot before, after;
	int bad;

	*report = (struct guard_report){ 0 };
	if (!local->guard)
		return proc_run(local->watch, spec, proc, err);
	guard_look_before(local->guard, &before);
	bad = proc_run(local->watch, spec, proc, err);
	guard_look(local->guard, &after);
	guard_judge(&before, &after, max_foreign, report);
	return bad;
}

/* Under the monitors, when there are any. */
static int wrap(const struct local *local, struct proc_spec *spec,
		struct bench_command *command)
{
	const struct monitor_tools *tools = &local->plan->tools;

	if (!local->monitors.nr_events)
		return 0;
	if (monitor_wrap(&local->monitors, tools->perf.path, tools->witness.path,
			 spec->path, command)) {
		bench_command_release(command);
		return -ENOMEM;
	}
	spec->path = tools->perf.path;
	return 0;
}

static int run_program(struct local *local, const struct local_turn *turn,
		       const char *raw_dir, struct local_result *result, struct err *err)
{
	const struct cell *cell = turn->cell;
	struct local_ended ended = { .output = { raw_dir, -1 } };
	struct bench_command command = { 0 };
	struct proc_spec spec = {
		.path = local->plan->programs[cell->program].path,
		.dir = raw_dir,
		.cpus = &cell->cpus,
		.timeout_ns = local->plan->grid->timeout_ns,
		.max_file_bytes = local->max_file_bytes,
		.ret_out = &ended.output.out,
	};
	struct err why = { 0 };
	char *before = NULL;
	int bad;

	if (plan_command(cell, turn->block ? turn->iteration : 0, &command) ||
	    wrap(local, &spec, &command) ||
	    (cell->service && services_fill(local->services, &command)))
		return err_nomem(err);
	spec.argv = command.argv;
	if (cell->workload.ops->syncs)
		sync();
	placement_trace_begin(local->trace);
	if (local->monitors.has_schedstat)
		before = schedstat_take(NULL);
	bad = run_guarded(local, cell, &spec, &ended.proc, &result->report, &why);
	if (monitor_schedstat_keep(raw_dir, before, before ? schedstat_take(NULL) : NULL,
				   &why))
		bad = why.code;
	if (placement_keep(local->trace, raw_dir, local->plan->topo, &cell->cpus, &why))
		bad = why.code;
	if (!bad) {
		bad = local_judge(local, cell, &ended, result, err);
		check_service(local, cell, result);
		take_report(cell, result);
	} else if (local_must_stop(bad)) {
		err_set(err, bad, "%s", why.text);
	} else {
		local_conclude(result, RECORD_BROKEN, why.text);
		bad = 0;
	}
	if (ended.output.out >= 0)
		(void)close(ended.output.out);
	bench_command_release(&command);
	return bad;
}

/* The record of an attempt that starts nothing. */
static int leave_out(const struct local *local, struct local_turn *turn,
		     enum record_status status, const char *reason,
		     struct local_result *ret, struct err *err)
{
	int bad = pass_over_output(local, turn, err);

	if (!bad)
		bad = local_describe(local, turn, ret, err);
	if (!bad)
		local_conclude(ret, status, reason);
	return bad;
}

/*
 * Waits for others to leave the machine alone, if the grid says so and they weren't
 * seen to do so just now. @remark receives what to say when they didn't.
 */
static int wait_quiet(struct local *local, char *remark, size_t size)
{
	const struct grid_quiet *rule = &local->plan->grid->quiet;
	char span[CLOCK_SPAN_SIZE];
	double busy;
	int bad;

	if (!rule->wait_ns || !local->guard ||
	    (local->quiet_ns && clock_ns() - local->quiet_ns < QUIET_STANDS_NS))
		return 0;
	bad = quiet_wait(rule, local->guard, local->watch, &busy);
	if (!bad)
		local->quiet_ns = clock_ns();
	if (bad != -ETIMEDOUT)
		return bad;
	clock_span(rule->wait_ns, span);
	(void)snprintf(
		remark, size,
		"the machine was not quiet within %s before it: others took %.1f%% "
		"of the CPUs' time",
		span, 100.0 * busy);
	return 0;
}

/* Whether the iteration itself has shown how quiet the machine is. */
static void note_quiet(struct local *local, const struct record *record)
{
	if (record->flags & RECORD_INTERFERED)
		local->quiet_ns = 0;
	else if (record->has_foreign &&
		 record->foreign <= local->plan->grid->quiet.max_foreign)
		local->quiet_ns = clock_ns();
}

/* Runs it in the folder of its own that was made for it. */
static int run_in(struct local *local, const struct local_turn *turn, const char *raw_dir,
		  struct local_result *ret, struct err *err)
{
	int bad = 0;

	if (has_service(local, turn->cell, ret))
		bad = run_program(local, turn, raw_dir, ret, err);
	if (bad)
		return bad;
	note_quiet(local, &ret->record);
	/* An output cut short for want of room looks like a failure of the program. */
	if (ret->record.status == RECORD_FAILED || ret->record.status == RECORD_TIMEOUT)
		bad = check_room(local, err);
	return bad;
}

static int attempt(struct local *local, struct local_turn *turn, struct local_result *ret,
		   struct err *err)
{
	char remark[sizeof(ret->quiet_remark)] = "";
	char *raw_dir;
	int bad = 0;

	if (!local->room_ns || clock_ns() - local->room_ns > ROOM_STANDS_NS)
		bad = check_room(local, err);
	if (bad)
		return bad;
	if (wait_quiet(local, remark, sizeof(remark)))
		return leave_out(local, turn, RECORD_INTERRUPTED,
				 "stopped while it waited for a quiet machine", ret, err);
	raw_dir = local_make_raw_dir(local, turn, err);
	if (!raw_dir)
		return err->code;
	bad = local_describe(local, turn, ret, err);
	memcpy(ret->quiet_remark, remark, sizeof(remark));
	if (!bad)
		bad = run_in(local, turn, raw_dir, ret, err);
	free(raw_dir);
	return bad;
}

int local_run(struct local *local, const struct local_turn *turn,
	      struct local_result *ret, struct err *err)
{
	struct local_turn next = *turn;
	struct err why = { 0 };
	const char *reason = unfit_reason(local, next.cell, &why);
	int bad;

	ret->id = NULL;
	bad = reason ? leave_out(local, &next, RECORD_SKIPPED, reason, ret, err)
		     : attempt(local, &next, ret, err);
	if (bad)
		local_release(ret);
	return bad;
}

void local_release(struct local_result *result)
{
	free(result->id);
	result->id = NULL;
}
