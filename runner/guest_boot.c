// SPDX-License-Identifier: GPL-2.0-or-later
/* Boots a guest and makes its records; see guest_boot.h. */
#include "runner/guest_boot.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/clock.h"
#include "lib/cpulist.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/json.h"
#include "lib/proc.h"
#include "lib/topo.h"
#include "record/host.h"
#include "runner/guest.h"
#include "runner/guest_job.h"
#include "runner/guest_report.h"
#include "runner/guest_spec.h"
#include "runner/local.h"
#include "runner/placement.h"
#include "runner/plan.h"

/* Of the console, and of what a program prints in a guest, as guest/init.c limits it. */
enum { CONSOLE_MAX = 1 << 26, OUTPUT_MAX = 1 << 20 };

/* Counted instructions of all CPUs one after the other take the host this much longer. */
enum { SLOWNESS = 8 };

/**
 * struct attempt - a boot that is being done
 * @boot: which
 * @name: of the boot: of its folder, its facts and in its records
 * @dir: the emulator's folder
 * @report: what the guest said
 * @seen_bytes: of it when last looked at
 * @status: of turns that the guest says nothing of and that had begun
 * @lost: why there is nothing of them
 * @warning: what its kernel warned of, as a remark; empty: of nothing
 * @unproven: why nothing that the guest says counts; empty when it does
 */
struct attempt {
	const struct guest_boot *boot;
	char *name, *dir;
	struct guest_report report;
	off_t seen_bytes;
	enum record_status status;
	char lost[1000];
	char warning[400];
	char unproven[1000];
};

/*
 * The guest's root can be made again from the job, and is larger than all else together. Of
 * a killed run it is still there when the boot is done again.
 */
static void drop_archive(const char *dir)
{
	char *path = file_path("%s/initrd.cpio", dir);

	if (path)
		(void)unlink(path);
	free(path);
}

/* A name that no other attempt of this boot has, and its folder. */
static int make_folder(struct attempt *attempt, struct err *err)
{
	const struct guest_boot *boot = attempt->boot;
	char *all = file_path("%s/raw/guest", boot->local->dir);
	unsigned int nr = 1;
	int bad = all ? file_make_dirs(all, err) : err_nomem(err);

	while (!bad) {
		attempt->name = nr == 1 ? file_path("b%juc%zu", (uintmax_t)boot->block,
						    boot->column + 1)
					: file_path("b%juc%zua%u", (uintmax_t)boot->block,
						    boot->column + 1, nr);
		attempt->dir =
			attempt->name ? file_path("%s/%s", all, attempt->name) : NULL;
		if (!attempt->dir)
			bad = err_nomem(err);
		else if (!mkdir(attempt->dir, 0755))
			break;
		else if (errno != EEXIST)
			bad = err_set(err, -errno, "cannot create '%s': %m",
				      attempt->dir);
		else
			drop_archive(attempt->dir);
		free(attempt->name);
		free(attempt->dir);
		attempt->name = attempt->dir = NULL;
		nr++;
	}
	free(all);
	return bad;
}

static uint64_t silence_ns(const struct attempt *attempt)
{
	const struct grid *grid = attempt->boot->local->plan->grid;
	uint64_t turn = attempt->seen_bytes ? grid->timeout_ns : 0;

	if (grid->guest->mode == GUEST_DETERMINISTIC)
		turn *= SLOWNESS;
	return grid->guest->timeout_ns + turn;
}

/* As long again when the guest has said something since the last look, else none. */
static uint64_t more_time(void *data)
{
	struct attempt *attempt = data;
	char *path = file_path("%s/guest.jsonl", attempt->dir);
	struct stat info;
	uint64_t more = 0;

	if (path && !stat(path, &info) && info.st_size > attempt->seen_bytes) {
		attempt->seen_bytes = info.st_size;
		more = silence_ns(attempt);
	}
	free(path);
	return more;
}

static void first_line_of(const struct attempt *attempt, const char *name, char *text,
			  size_t size)
{
	char *path = file_path("%s/%s", attempt->dir, name);
	char *line = path ? file_read_line(path) : NULL;

	(void)snprintf(text, size, "%s%s", line ? ": " : "", line ? line : "");
	free(line);
	free(path);
}

/* Whether the guest came so far as to say anything. */
static bool is_heard(struct attempt *attempt)
{
	(void)more_time(attempt);
	return attempt->seen_bytes > 0;
}

/* Its last words into @words, and what it warned of; when of which turn isn't known. */
static void note_console(struct attempt *attempt, const char *console, char *words,
			 size_t size)
{
	char warning[300];

	guest_last_words(console, words, size);
	guest_first_warning(console, warning, sizeof(warning));
	if (*warning)
		(void)snprintf(attempt->warning, sizeof(attempt->warning),
			       "the guest's kernel warned in this boot: %s", warning);
}

/* Why the guest was there no longer, in attempt->lost. */
static void explain_end(struct attempt *attempt, const struct proc_result *result)
{
	char *console = file_path("%s/console.log", attempt->dir);
	char words[500] = "";
	char said[300];
	char span[CLOCK_SPAN_SIZE];
	const char *hint = "";
	char why[400];

	if (console)
		note_console(attempt, console, words, sizeof(words));
	free(console);
	attempt->status = RECORD_FAILED;
	if (result->end == PROC_SIGNALED) {
		attempt->status = RECORD_INTERRUPTED;
		(void)snprintf(why, sizeof(why), "stopped by signal %d (%s)",
			       attempt->boot->local->watch->signal,
			       strsignal(attempt->boot->local->watch->signal));
	} else if (result->end == PROC_TIMEOUT) {
		attempt->status = RECORD_TIMEOUT;
		clock_span(silence_ns(attempt), span);
		(void)snprintf(why, sizeof(why), "the guest said nothing for %s", span);
	} else if (WIFSIGNALED(result->wait_status)) {
		(void)snprintf(why, sizeof(why), "QEMU was killed by signal %d (%s)",
			       WTERMSIG(result->wait_status),
			       strsignal(WTERMSIG(result->wait_status)));
	} else if (WEXITSTATUS(result->wait_status)) {
		first_line_of(attempt, "stderr", said, sizeof(said));
		(void)snprintf(why, sizeof(why), "QEMU failed with exit status %d%s",
			       WEXITSTATUS(result->wait_status), said);
	} else {
		(void)snprintf(why, sizeof(why),
			       "the guest ended before its work was done");
	}
	if (result->end != PROC_SIGNALED && !is_heard(attempt) &&
	    !attempt->boot->local->plan->guest->is_emulated)
		hint = " under KVM (accel: tcg needs none)";
	(void)snprintf(attempt->lost, sizeof(attempt->lost), "%s%s%s%s%s", why, hint,
		       *words ? "; its console ends with '" : "", words,
		       *words ? "'" : "");
}

/*
 * Where instructions are counted nothing runs in parallel but QEMU's main loop: on one CPU
 * it can't look at a virtual CPU between its last instruction and the count of them.
 */
static int keep_on_one_cpu(struct cpulist *ret)
{
	int cpu = sched_getcpu();

	return cpu < 0 ? 0 : cpulist_add(ret, (unsigned int)cpu);
}

static int run_emulator(struct attempt *attempt, struct err *err)
{
	const struct guest_boot *boot = attempt->boot;
	const struct guest *guest = boot->local->plan->guest;
	struct bench_command command = { 0 };
	struct proc_spec spec = {
		.path = guest->qemu.path,
		.dir = attempt->dir,
		.timeout_ns = silence_ns(attempt),
		.max_file_bytes = CONSOLE_MAX,
		.more_ns = more_time,
		.data = attempt,
	};
	struct cpulist one_cpu = { 0 };
	struct proc_result result;
	struct err why = { 0 };
	int bad;

	if (boot->local->plan->grid->guest->mode == GUEST_DETERMINISTIC) {
		if (keep_on_one_cpu(&one_cpu))
			return err_nomem(err);
		spec.cpus = one_cpu.nr ? &one_cpu : NULL;
	}
	if (guest_command(guest, boot->column, boot->block, &command)) {
		cpulist_release(&one_cpu);
		return err_nomem(err);
	}
	spec.argv = command.argv;
	bad = proc_run(boot->local->watch, &spec, &result, &why);
	bench_command_release(&command);
	cpulist_release(&one_cpu);
	if (local_must_stop(bad))
		return err_set(err, bad, "%s", why.text);
	if (!bad) {
		explain_end(attempt, &result);
		return 0;
	}
	attempt->status = RECORD_BROKEN;
	(void)snprintf(attempt->lost, sizeof(attempt->lost), "%.800s", why.text);
	return 0;
}

/* The kernel says itself which one it is; under another name nothing counts. */
static int check_kernel(struct attempt *attempt)
{
	const struct guest_boot *boot = attempt->boot;
	const struct guest_image *image =
		&boot->local->plan->guest->kernels[boot->column];
	const struct guest_report *report = &attempt->report;

	if (report->release && report->version &&
	    !strcmp(report->release, image->release) &&
	    !strcmp(report->version, image->version))
		return 0;
	if (!report->release || !report->version)
		(void)snprintf(attempt->unproven, sizeof(attempt->unproven), "%s",
			       attempt->lost);
	else
		(void)snprintf(attempt->unproven, sizeof(attempt->unproven),
			       "the guest runs kernel %.100s %.100s (expected %.100s "
			       "%.100s of '%.200s')",
			       report->release, report->version, image->release,
			       image->version, image->path);
	return -EPROTO;
}

/* How the guest was made, beside what it sees itself. */
static int put_guest_facts(const struct attempt *attempt, struct host *host)
{
	const struct guest_boot *boot = attempt->boot;
	const struct guest *guest = boot->local->plan->guest;
	struct jval *json = guest_settings(guest, boot->column);
	int bad = json ? 0 : -ENOMEM;

	bad |= jval_put(json, "image",
			jval_from_string(guest->kernels[boot->column].path));
	bad |= jval_put(json, "image_sha256",
			jval_from_string(guest->kernels[boot->column].sha256));
	if (guest->grid->guest->mode == GUEST_DETERMINISTIC) {
		bad |= jval_put(json, "seed",
				jval_from_uint(guest_seed(guest, boot->block)));
		bad |= jval_put(json, "offset_ns",
				jval_from_uint(guest_offset_ns(guest, boot->block)));
	}
	return bad | jval_put(host->facts, "guest", json);
}

/* The facts of the guest into hosts/, once it is the one that was asked for. */
static int keep_facts(struct attempt *attempt, struct err *err)
{
	const struct guest_boot *boot = attempt->boot;
	char *tree = file_path("%s/machine", attempt->dir);
	struct host *host = NULL;
	struct topo *topo = NULL;
	struct err why = { 0 };
	int bad = tree ? 0 : err_nomem(err);

	if (!bad && !attempt->report.files)
		err_set(&why, -EPROTO, "%s", attempt->lost);
	else if (!bad && !guest_machine(attempt->report.files,
					&boot->local->plan->guest->kernels[boot->column],
					tree, &topo, &host, &why))
		(void)guest_check_topo(&boot->local->plan->grid->guest->topology, topo,
				       &why);
	if (why.code)
		(void)snprintf(attempt->unproven, sizeof(attempt->unproven), "%.800s",
			       why.text);
	if (!bad && host)
		bad = put_guest_facts(attempt, host)
			      ? err_nomem(err)
			      : host_save_as(host, boot->local->dir, attempt->name, err);
	host_free(host);
	topo_free(topo);
	free(tree);
	return bad;
}

static int write_output(const char *dir, const char *name, const struct jval *end,
			struct err *err)
{
	const char *text = jval_get_text(end, name);
	char *path = file_path("%s/%s", dir, name);
	int bad =
		path ? file_replace(path, text ? text : "", text ? strlen(text) : 0, err)
		     : err_nomem(err);

	free(path);
	return bad;
}

/* What its tasks did, with the machine that the guest was asked to be. */
static int keep_trace(const struct local *local, const struct cell *cell, const char *dir,
		      const struct jval *end, struct err *err)
{
	const char *text = jval_get_text(end, "trace");

	if (!local->monitors.has_placement)
		return 0;
	return placement_write(dir, local->plan->topo, &cell->cpus,
			       text ? text : "failed the guest sent no trace\n", err);
}

/* What the guest says of a turn as if the program had run here; false: it can't be read. */
static bool read_end(const struct jval *end, struct proc_result *ret)
{
	const char *how = jval_get_text(end, "end");
	uint64_t status, left;

	*ret = (struct proc_result){ 0 };
	if (!how || !jval_uint(jval_get(end, "wait_status"), &status) ||
	    !jval_uint(jval_get(end, "left"), &left) ||
	    !jval_uint(jval_get(end, "wall_ns"), &ret->wall_ns) ||
	    !jval_get_text(end, "stdout"))
		return false;
	ret->end = strcmp(how, "exited") ? PROC_TIMEOUT : PROC_EXITED;
	ret->wait_status = (int)status;
	ret->nr_left = (unsigned int)left;
	return true;
}

static char *copy_text(const struct jval *end, const char *name)
{
	const char *text = jval_get_text(end, name);

	return text ? strdup(text) : NULL;
}

/* The record of a turn whose program ended in the guest. */
static int judge_turn(const struct attempt *attempt, size_t idx,
		      const struct proc_result *proc, struct local_result *result,
		      struct err *err)
{
	struct local *local = attempt->boot->local;
	struct local_turn *turn = &attempt->boot->turns[idx];
	const struct jval *end = attempt->report.ends[idx];
	struct local_ended ended = { .proc = *proc, .output = { .out = -1 } };
	char *dir = local_make_raw_dir(local, turn, err);
	char *path = dir ? file_path("%s/stdout", dir) : NULL;
	int bad = path ? 0 : dir ? err_nomem(err) : err->code;

	if (!bad)
		bad = write_output(dir, "stdout", end, err);
	if (!bad)
		bad = write_output(dir, "stderr", end, err);
	if (!bad)
		bad = keep_trace(local, turn->cell, dir, end, err);
	if (!bad && local->monitors.has_schedstat)
		bad = monitor_schedstat_keep(dir, copy_text(end, "schedstat_before"),
					     copy_text(end, "schedstat_after"), err);
	if (!bad) {
		ended.output.raw_dir = dir;
		ended.output.out = file_open_regular(path, 0, err);
		bad = ended.output.out < 0 ? ended.output.out : 0;
	}
	if (!bad)
		bad = local_describe(local, turn, result, err);
	if (!bad)
		bad = local_judge(local, turn->cell, &ended, result, err);
	if (ended.output.out >= 0)
		(void)close(ended.output.out);
	free(path);
	free(dir);
	return bad;
}

/* The record of one turn, whatever became of it. */
static int take_turn(struct attempt *attempt, size_t idx, struct local_result *result,
		     struct err *err)
{
	struct local *local = attempt->boot->local;
	const struct jval *end = attempt->report.ends[idx];
	const char *broken = jval_get_text(end, "broken");
	struct proc_result proc;
	int bad;

	if (!*attempt->unproven && end && !broken && read_end(end, &proc))
		return judge_turn(attempt, idx, &proc, result, err);
	bad = local_describe(local, &attempt->boot->turns[idx], result, err);
	if (bad)
		return bad;
	if (attempt->status == RECORD_INTERRUPTED && !end)
		local_conclude(result, RECORD_INTERRUPTED, attempt->lost);
	else if (*attempt->unproven)
		local_conclude(result, RECORD_BROKEN, attempt->unproven);
	else if (end)
		local_conclude(result, RECORD_BROKEN,
			       broken ? broken
				      : "the guest's report of it can't be read");
	else
		local_conclude(result,
			       attempt->report.has_started[idx] ? attempt->status
								: RECORD_BROKEN,
			       attempt->lost);
	return 0;
}

static void add_remarks(const struct attempt *attempt, struct local_result *result)
{
	struct record *record = &result->record;
	size_t nr = 0;
	size_t i;

	if (*attempt->warning) {
		record->flags |= RECORD_KERNEL_WARNING;
		result->remarks[nr++] = attempt->warning;
	}
	for (i = 0; i < result->counted.nr_remarks; i++)
		result->remarks[nr++] = result->counted.remarks[i];
	record->remarks = result->remarks;
	record->nr_remarks = nr;
}

static int take_turns(struct attempt *attempt, struct err *err)
{
	const struct guest_boot *boot = attempt->boot;
	int bad = 0;
	size_t i;

	for (i = 0; !bad && i < boot->nr_turns; i++) {
		struct local_result result;

		bad = take_turn(attempt, i, &result, err);
		if (bad)
			break;
		add_remarks(attempt, &result);
		bad = boot->on_turn(&boot->turns[i], &result, boot->data, err);
		local_release(&result);
	}
	return bad;
}

static int read_report(struct attempt *attempt, struct err *err)
{
	char *path = file_path("%s/guest.jsonl", attempt->dir);
	int bad = path ? guest_report_read(path, attempt->boot->nr_turns,
					   &attempt->report, err)
		       : err_nomem(err);

	free(path);
	if (!bad && !check_kernel(attempt))
		bad = keep_facts(attempt, err);
	return bad;
}

int guest_boot(const struct guest_boot *boot, struct err *err)
{
	struct attempt attempt = { .boot = boot };
	const char *usual = boot->local->boot;
	int bad = make_folder(&attempt, err);

	if (!bad)
		bad = guest_job_write(boot, attempt.dir, err);
	if (!bad)
		bad = run_emulator(&attempt, err);
	if (attempt.dir)
		drop_archive(attempt.dir);
	if (!bad)
		bad = read_report(&attempt, err);
	if (!bad) {
		boot->local->boot = attempt.name;
		boot->local->max_file_bytes = OUTPUT_MAX;
		bad = take_turns(&attempt, err);
		boot->local->boot = usual;
	}
	guest_report_release(&attempt.report);
	free(attempt.name);
	free(attempt.dir);
	return bad;
}
