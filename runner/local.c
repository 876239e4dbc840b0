// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs one iteration on this machine; see local.h. */
#include "runner/local.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/err.h"
#include "lib/file.h"
#include "lib/proc.h"
#include "lib/text.h"
#include "record/host.h"
#include "runner/guard.h"
#include "runner/limits.h"
#include "runner/plan.h"

/* More than any workload prints; what is longer proves nothing. */
enum { OUTPUT_MAX = 1 << 20 };

/* What others leave of memory and tasks changes slowly, and a look isn't free. */
#define LIMITS_STAND_NS (10 * CLOCK_SEC)

static void conclude(struct local_result *result, enum record_status status,
		     const char *reason)
{
	result->record.status = status;
	result->record.by_output = false;
	text_printable(reason, result->reason, sizeof(result->reason));
	result->record.reason = *result->reason ? result->reason : NULL;
}

static int describe(const struct local *local, const struct local_turn *turn,
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
	record->machine = plan->host->machine;
	record->executor = "local";
	record->boot = local->boot;
	record->block = turn->block;
	record->iteration = turn->iteration;
	record->attempt = turn->attempt;
	record->seq = turn->seq;
	record->flags = is_warmup ? RECORD_WARMUP : 0;
	record->start = result->start;
	record->program.name = plan->programs[cell->program].word;
	record->program.version = plan->programs[cell->program].version;
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
 * The first attempt from @turn's on that has no output yet: a crash may have kept
 * one from its record, or the ledger was lost. Output is never deleted, nor
 * shared by two attempts.
 */
static int next_attempt(const struct local *local, struct local_turn *turn,
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

static char *make_raw_dir(const struct local *local, const struct local_turn *turn,
			  struct err *err)
{
	char *dir = raw_dir_of(local, turn);

	if (!dir) {
		err_nomem(err);
		return NULL;
	}
	if (!mkdir(dir, 0755))
		return dir;
	/* The cell's first iteration. */
	if (errno == ENOENT && !file_make_dirs(dir, err))
		return dir;
	err_set(err, -errno, "cannot create '%s': %m", dir);
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

static void conclude_exit(struct local_result *result, const struct proc_result *proc,
			  const char *raw_dir)
{
	int status = proc->wait_status;
	char said[512];
	char reason[1024];

	first_complaint(raw_dir, said, sizeof(said));
	if (WIFSIGNALED(status))
		(void)snprintf(reason, sizeof(reason), "killed by signal %d (%s)%s",
			       WTERMSIG(status), strsignal(WTERMSIG(status)), said);
	else
		(void)snprintf(reason, sizeof(reason), "exit status %d%s",
			       WEXITSTATUS(status), said);
	conclude(result, RECORD_FAILED, reason);
}

static void take_samples(const struct workload *workload,
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
			.resolution = workload_resolution(workload, metric),
			.samples = &result->values[i],
			.nr_samples = 1,
		};
	}
	result->record.metrics = result->metrics;
	result->record.nr_metrics = samples->nr;
}

int local_judge_output(const struct workload *workload, const char *raw_dir,
		       struct local_result *result, struct err *err)
{
	struct bench_samples samples = { 0 };
	struct err why = { 0 };
	char *path = file_path("%s/stdout", raw_dir);
	char *out = NULL;
	size_t len;
	int bad;

	if (!path)
		return err_nomem(err);
	bad = file_read(path, OUTPUT_MAX, &out, &len, &why);
	free(path);
	/* Too much of it is the program's doing, all else is the host's. */
	if (bad && bad != -EFBIG)
		return err_set(err, bad, "%s", why.text);
	if (!bad)
		bad = workload_parse(workload, out, len, &samples, &why);
	free(out);
	if (bad == -ENOMEM)
		return err_nomem(err);
	if (!bad)
		take_samples(workload, &samples, result);
	conclude(result, bad ? RECORD_FAILED : RECORD_OK, why.text);
	result->record.by_output = true;
	return 0;
}

static int judge(const struct local *local, const struct cell *cell,
		 const struct proc_result *proc, const char *raw_dir,
		 struct local_result *result, struct err *err)
{
	char span[CLOCK_SPAN_SIZE];
	struct err why = { 0 };
	char reason[128];
	int bad;

	result->record.wall_ns = proc->wall_ns;
	switch (proc->end) {
	case PROC_SIGNALED:
		(void)snprintf(reason, sizeof(reason), "stopped by signal %d (%s)",
			       local->watch->signal, strsignal(local->watch->signal));
		conclude(result, RECORD_INTERRUPTED, reason);
		return 0;
	case PROC_TIMEOUT:
		clock_span(local->plan->grid->timeout_ns, span);
		(void)snprintf(reason, sizeof(reason), "cut off at the time limit of %s",
			       span);
		conclude(result, RECORD_TIMEOUT, reason);
		return 0;
	case PROC_EXITED:
		break;
	}
	if (!WIFEXITED(proc->wait_status) || WEXITSTATUS(proc->wait_status)) {
		conclude_exit(result, proc, raw_dir);
		return 0;
	}
	if (proc->nr_left) {
		(void)snprintf(reason, sizeof(reason),
			       "left %u process%s running, ended now", proc->nr_left,
			       proc->nr_left == 1 ? "" : "es");
		conclude(result, RECORD_FAILED, reason);
		return 0;
	}
	bad = local_judge_output(&cell->workload, raw_dir, result, &why);
	if (bad == -ENOMEM)
		return err_nomem(err);
	if (bad)
		conclude(result, RECORD_BROKEN, why.text);
	return 0;
}

/* Why the cell can't run here, in @result; false when it can. */
static bool is_unfit(const struct local *local, const struct cell *cell,
		     struct local_result *result)
{
	uint64_t *checked_ns = &local->checked_ns[cell - local->plan->cells];
	uint64_t now = clock_ns();
	struct bench_needs needs = { 0 };
	struct err why = { 0 };

	if (cell->unfit) {
		conclude(result, RECORD_SKIPPED, cell->unfit);
		return true;
	}
	if (*checked_ns && now - *checked_ns < LIMITS_STAND_NS)
		return false;
	if (cell->workload.ops->needs)
		cell->workload.ops->needs(&cell->workload, &needs);
	if (!limits_provide(&needs, &why)) {
		*checked_ns = now;
		return false;
	}
	conclude(result, RECORD_SKIPPED, why.text);
	return true;
}

/*
 * A program that can't write its output looks like one that failed, so a disk
 * without room stops the run instead of making records of failures.
 */
static int check_room(const struct local *local, struct err *err)
{
	struct statvfs room;
	uint64_t bytes;

	if (statvfs(local->dir, &room) || !room.f_blocks)
		return 0;
	bytes = (uint64_t)(geteuid() ? room.f_bavail : room.f_bfree) * room.f_frsize;
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
	if (cell->remark.is_undersized)
		record->flags |= RECORD_UNDERSIZED;
	if (*cell->remark.text)
		result->remarks[nr++] = cell->remark.text;
	for (i = 0; i < report->nr_remarks; i++)
		result->remarks[nr++] = report->remarks[i];
	record->remarks = result->remarks;
	record->nr_remarks = nr;
	/* Its time is the wrong one, whatever the program says: again, later. */
	if (*report->suspended && record->status != RECORD_INTERRUPTED) {
		conclude(result, RECORD_BROKEN, report->suspended);
		record->nr_metrics = 0;
	}
}

/* The program between two looks at the machine. */
static int run_guarded(const struct local *local, const struct proc_spec *spec,
		       struct proc_result *proc, struct guard_report *report,
		       struct err *err)
{
	struct guard_snapshot before, after;
	int bad;

	*report = (struct guard_report){ 0 };
	if (!local->guard)
		return proc_run(local->watch, spec, proc, err);
	guard_look_before(local->guard, &before);
	bad = proc_run(local->watch, spec, proc, err);
	guard_look(local->guard, &after);
	guard_judge(&before, &after, report);
	return bad;
}

static int run_program(const struct local *local, const struct local_turn *turn,
		       struct local_result *result, struct err *err)
{
	const struct cell *cell = turn->cell;
	struct bench_command command = { 0 };
	struct proc_spec spec = {
		.path = local->plan->programs[cell->program].path,
		.cpus = &cell->cpus,
		.timeout_ns = local->plan->grid->timeout_ns,
	};
	struct proc_result proc;
	struct err why = { 0 };
	char *raw_dir;
	int bad;

	if (plan_command(cell, turn->block ? turn->iteration : 0, &command))
		return err_nomem(err);
	raw_dir = make_raw_dir(local, turn, err);
	if (!raw_dir) {
		bench_command_release(&command);
		return err->code;
	}
	spec.argv = command.argv;
	spec.dir = raw_dir;
	bad = run_guarded(local, &spec, &proc, &result->report, &why);
	if (!bad) {
		bad = judge(local, cell, &proc, raw_dir, result, err);
		take_report(cell, result);
	} else if (bad == -ENOMEM || bad == -EBUSY || bad == -ENOSPC || bad == -EDQUOT ||
		   bad == -EROFS) {
		err_set(err, bad, "%s", why.text);
	} else {
		conclude(result, RECORD_BROKEN, why.text);
		bad = 0;
	}
	bench_command_release(&command);
	free(raw_dir);
	return bad;
}

int local_run(const struct local *local, const struct local_turn *turn,
	      struct local_result *ret, struct err *err)
{
	struct local_turn next = *turn;
	int bad = next_attempt(local, &next, err);

	if (bad)
		return bad;
	bad = describe(local, &next, ret, err);
	if (!bad && !is_unfit(local, next.cell, ret)) {
		bad = check_room(local, err);
		if (!bad)
			bad = run_program(local, &next, ret, err);
		if (!bad && (ret->record.status == RECORD_FAILED ||
			     ret->record.status == RECORD_TIMEOUT))
			bad = check_room(local, err);
	}
	if (bad)
		local_release(ret);
	return bad;
}

void local_release(struct local_result *result)
{
	free(result->id);
	result->id = NULL;
}
