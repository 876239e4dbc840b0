// SPDX-License-Identifier: GPL-2.0-or-later
/* Which events perf can count here, found by trying each; see monitor.h. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "benchmarks/native.h"
#include "lib/clock.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/proc.h"
#include "runner/monitor.h"

enum { PROBE_TIMEOUT_SEC = 20, ANSWER_MAX = 1 << 16 };

static void drop_file(const char *dir, const char *name)
{
	char *path = file_path("%s/%s", dir, name);

	if (path)
		(void)unlink(path);
	free(path);
}

/* The first line of perf's complaint that names a cause, shortened. */
static void first_complaint(const char *dir, char *out, size_t size)
{
	char *path = file_path("%s/stderr", dir);
	char *text = NULL;
	const char *at;

	(void)snprintf(out, size, "perf stat refuses it");
	if (path && !file_read(path, ANSWER_MAX, &text, NULL, NULL)) {
		/* "event syntax error: ..." is followed by an arrow and the cause. */
		at = strstr(text, "\\___ ");
		at = at ? at + strlen("\\___ ") : text;
		if (!strncmp(at, "Error:\n", 7))
			at += 7;
		if (*at)
			(void)snprintf(out, size, "%.*s", (int)strcspn(at, "\r\n"), at);
	}
	free(text);
	free(path);
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

/* One event over perf's own --version; 0, or -EOPNOTSUPP with why in @reason. */
static int try_event(const char *event, const struct monitor_tools *tools,
		     struct proc_watch *watch, const char *dir, struct err *reason)
{
	struct monitors one = { .events = { (char *)(uintptr_t)event }, .nr_events = 1 };
	struct monitor_report report;
	struct proc_result result;
	char said[MONITOR_REMARK];
	const char *missing;
	int bad = start(&one, tools, watch, dir, &result, reason);

	if (bad)
		return bad;
	if (watch->signal)
		return err_set(reason, -EINTR, "stopped by signal %d", watch->signal);
	if (result.end != PROC_EXITED || !WIFEXITED(result.wait_status) ||
	    WEXITSTATUS(result.wait_status)) {
		first_complaint(dir, said, sizeof(said));
		return err_set(reason, -EOPNOTSUPP, "%s", said);
	}
	monitor_collect(&one, dir, &report);
	missing = judge(&report);
	return missing ? err_set(reason, -EOPNOTSUPP, "%s", missing) : 0;
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
		char dir[] = "/tmp/schedgrid-perf-XXXXXX";
		const char *event = wanted->events[i];
		struct err reason = { 0 };

		if (!mkdtemp(dir))
			return err_set(err, -errno, "cannot create '%s': %m", dir);
		bad = try_event(event, tools, watch, dir, &reason);
		drop_file(dir, "stdout");
		drop_file(dir, "stderr");
		drop_file(dir, MONITOR_FILE);
		drop_file(dir, MONITOR_END);
		(void)rmdir(dir);
		if (bad == -EOPNOTSUPP) {
			(void)fprintf(out, "%s'%s': %s", nr_told++ ? "; " : "", event,
				      reason.text);
			bad = 0;
		} else if (bad) {
			err_set(err, bad, "%s", reason.text);
		} else {
			bad = monitor_add_event(ret, event, err);
		}
	}
	return bad;
}

int monitor_probe(const struct monitors *wanted, const struct monitor_tools *tools,
		  struct proc_watch *watch, struct monitors *ret, char **ret_note,
		  struct err *err)
{
	char *told = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&told, &size);
	char *level;
	int bad;

	*ret = (struct monitors){ 0 };
	*ret_note = NULL;
	if (!out)
		return err_nomem(err);
	bad = try_all(wanted, tools, watch, ret, out, err);
	if (fclose(out) && !bad)
		bad = err_nomem(err);
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
	if (!bad && size)
		*ret_note = file_path("monitor perf-stat counts on without %s", told);
	free(told);
	if (bad)
		monitors_release(ret);
	return bad;
}
