// SPDX-License-Identifier: GPL-2.0-or-later
/* Which events perf knows and can count here, found by trying; see monitor.h. */
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "benchmarks/native.h"
#include "lib/clock.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/proc.h"
#include "lib/scratch.h"
#include "runner/monitor.h"

enum { PROBE_TIMEOUT_SEC = 20, ANSWER_MAX = 1 << 16, FILE_MAX = 1 << 20 };

/* The first line of perf's complaint that names a cause, shortened. */
static void first_complaint(const char *text, char *out, size_t size)
{
	/* "event syntax error: ..." is followed by an arrow and the cause. */
	const char *at = text ? strstr(text, "\\___ ") : NULL;

	at = at ? at + strlen("\\___ ") : text;
	if (at && !strncmp(at, "Error:\n", 7))
		at += 7;
	(void)snprintf(out, size, "%.*s",
		       at && *at ? (int)strcspn(at, "\r\n") : (int)size,
		       at && *at ? at : "perf stat refuses it");
}

/*
 * Whether the name is wrong, and not something missing that another machine or
 * another user has: a PMU, the right to look at tracepoints.
 */
static bool is_unknown(const char *text, const char *complaint)
{
	static const char *const unknown[] = { "parser error", "unknown ", "Bad event" };
	size_t i;

	for (i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
		if (!strncmp(complaint, unknown[i], strlen(unknown[i])))
			return text && strstr(text, "event syntax error: ") == text;
	return false;
}

/* What perf said when it ended badly: -EINVAL when it doesn't know an event. */
static int read_complaint(const char *dir, struct err *reason)
{
	char *path = file_path("%s/stderr", dir);
	char said[MONITOR_REMARK];
	char *text = NULL;
	int bad;

	if (path && file_read(path, ANSWER_MAX, &text, NULL, NULL))
		text = NULL;
	first_complaint(text, said, sizeof(said));
	bad = is_unknown(text, said) ? -EINVAL : -EOPNOTSUPP;
	free(text);
	free(path);
	return err_set(reason, bad, "%s", said);
}

/* Why the one event of the report has no value; NULL when it can be counted. */
static const char *judge(const struct monitor_report *report)
{
	const char *missing = report->counts.nr ? report->counts.count[0].missing : NULL;

	/* A count that this command just didn't come to is one all the same. */
	if (report->nr_metrics || (missing && strstr(missing, "never ran")))
		return NULL;
	return missing ? missing : "not counted";
}

static int start(const struct monitors *one, const struct monitor_tools *tools,
		 struct proc_watch *watch, const char *dir, struct proc_result *ret,
		 struct err *err)
{
	const char *perf = tools->perf.path;
	struct bench_command command = { 0 };
	struct proc_spec spec = {
		.path = perf,
		.dir = dir,
		.timeout_ns = PROBE_TIMEOUT_SEC * CLOCK_SEC,
		.max_file_bytes = FILE_MAX,
	};
	int bad = bench_arg(&command, "%s", perf);

	if (!bad)
		bad = bench_arg(&command, "--version");
	if (!bad)
		bad = monitor_wrap(one, perf, tools->witness.path, perf, &command);
	if (bad) {
		bench_command_release(&command);
		return err_nomem(err);
	}
	spec.argv = command.argv;
	bad = proc_run(watch, &spec, ret, err);
	bench_command_release(&command);
	return bad;
}

/*
 * The events over perf's own --version, in @dir; 0, -EINVAL when perf doesn't know one
 * of them, -EOPNOTSUPP when it can't count one, -ETIME when it doesn't answer, or another
 * negative errno, with why in @reason.
 */
static int count(const struct monitors *some, const struct monitor_tools *tools,
		 struct proc_watch *watch, const char *dir, struct err *reason)
{
	struct proc_result result;
	int bad = start(some, tools, watch, dir, &result, reason);

	if (bad)
		return bad;
	if (watch->signal)
		return err_set(reason, -EINTR, "stopped by signal %d", watch->signal);
	if (result.end == PROC_TIMEOUT)
		return err_set(reason, -ETIME, "'%s' did not answer within %d s",
			       tools->perf.path, PROBE_TIMEOUT_SEC);
	if (WIFSIGNALED(result.wait_status))
		return err_set(reason, -ECHILD, "'%s' was killed by signal %d (%s)",
			       tools->perf.path, WTERMSIG(result.wait_status),
			       strsignal(WTERMSIG(result.wait_status)));
	if (!WIFEXITED(result.wait_status) || WEXITSTATUS(result.wait_status))
		return read_complaint(dir, reason);
	return 0;
}

/* Likewise, one event which has to come to a count. */
static int count_one(const struct monitors *one, const struct monitor_tools *tools,
		     struct proc_watch *watch, const char *dir, struct err *reason)
{
	struct monitor_report report;
	const char *missing;
	int bad = count(one, tools, watch, dir, reason);

	if (bad)
		return bad;
	monitor_collect(one, dir, &report);
	missing = judge(&report);
	return missing ? err_set(reason, -EOPNOTSUPP, "%s", missing) : 0;
}

typedef int count_fn(const struct monitors *some, const struct monitor_tools *tools,
		     struct proc_watch *watch, const char *dir, struct err *reason);

static int in_folder(count_fn *fn, const struct monitors *some,
		     const struct monitor_tools *tools, struct proc_watch *watch,
		     struct err *reason)
{
	struct scratch scratch;
	int bad = scratch_open(&scratch, reason);

	if (bad)
		return bad;
	bad = fn(some, tools, watch, scratch.dir, reason);
	scratch_close(&scratch);
	return bad;
}

static struct monitors only(const struct monitors *monitors, size_t idx)
{
	return (struct monitors){
		.events = { monitors->events[idx] },
		.nr_events = 1,
	};
}

/* The first event that perf doesn't know, if one is. */
static int check_watched(const struct monitors *wanted, const struct monitor_tools *tools,
			 struct proc_watch *watch, size_t *ret_idx, struct err *err)
{
	struct err all = { 0 };
	int bad = in_folder(count, wanted, tools, watch, &all);
	size_t i;

	/* One limit of time is enough, and each event would take it. */
	if (bad == -ETIME)
		return err_set(err, bad, "%s", all.text);
	/* Most grids are right, and one start of perf says so. */
	for (i = 0; bad && i < wanted->nr_events; i++) {
		const struct monitors one = only(wanted, i);
		struct err reason = { 0 };

		if (in_folder(count, &one, tools, watch, &reason) != -EINVAL)
			continue;
		*ret_idx = i;
		return err_set(err, -EINVAL, "%s", reason.text);
	}
	return 0;
}

int monitor_check(const struct monitors *wanted, const struct monitor_tools *tools,
		  size_t *ret_idx, struct err *err)
{
	struct proc_watch watch;
	int bad = proc_watch_open(&watch, err);

	if (bad)
		return bad;
	bad = check_watched(wanted, tools, &watch, ret_idx, err);
	proc_watch_close(&watch);
	/* It was meant for us, and nobody else has seen it. */
	if (watch.signal)
		(void)raise(watch.signal);
	return bad;
}

/* Each unusable event with its reason into @out; stops at what isn't the event's. */
static int try_all(const struct monitors *wanted, const struct monitor_tools *tools,
		   struct proc_watch *watch, struct monitors *ret, FILE *out,
		   struct err *err)
{
	size_t nr_told = 0;
	int bad = 0;
	size_t i;

	for (i = 0; !bad && i < wanted->nr_events; i++) {
		const struct monitors one = only(wanted, i);
		struct err reason = { 0 };

		bad = in_folder(count_one, &one, tools, watch, &reason);
		if (bad == -EOPNOTSUPP || bad == -EINVAL) {
			(void)fprintf(out, "%s'%s': %s", nr_told++ ? "; " : "",
				      one.events[0], reason.text);
			bad = 0;
		} else if (bad) {
			err_set(err, bad, "%s", reason.text);
		} else {
			bad = monitor_add_event(ret, one.events[0], err);
		}
	}
	return bad;
}

/* No event of perf's is to blame: it can't do anything. */
static int refuse_perf(const struct err *why, struct err *err)
{
	return err_set(err, -EOPNOTSUPP, "monitor perf-stat can't be used: %s",
		       why->text);
}

int monitor_probe(const struct monitors *wanted, const struct monitor_tools *tools,
		  struct proc_watch *watch, struct monitors *ret, char **ret_note,
		  struct err *err)
{
	struct err why = { 0 };
	char *told = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&told, &size);
	char *level;
	int bad;

	*ret = (struct monitors){ 0 };
	*ret_note = NULL;
	if (!out)
		return err_nomem(err);
	bad = try_all(wanted, tools, watch, ret, out, &why);
	if (fclose(out) && !bad)
		bad = err_nomem(&why);
	if (!bad && !ret->nr_events) {
		level = file_read_line("/proc/sys/kernel/perf_event_paranoid");
		bad = err_set(
			err, -EOPNOTSUPP,
			"monitor perf-stat can count nothing here "
			"(perf_event_paranoid is %s; lower it, run as root, or leave "
			"the monitor out of the grid): %s",
			level ? level : "absent", told);
		free(level);
	}
	if (bad == -ENOEXEC || bad == -EACCES || bad == -ETIME || bad == -ECHILD)
		bad = refuse_perf(&why, err);
	else if (bad)
		bad = err_set(err, bad, "%s", why.text);
	if (!bad && size)
		*ret_note = file_path("monitor perf-stat counts on without %s", told);
	free(told);
	if (bad)
		monitors_release(ret);
	return bad;
}
