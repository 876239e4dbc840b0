// SPDX-License-Identifier: GPL-2.0-or-later
/* Commands under perf stat, and what monitors counted of them; see monitor.h. */
#include "runner/monitor.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/native.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/json.h"
#include "lib/text.h"

enum { FILE_MAX = 1 << 18, TRACE_MAX = 1 << 28 };

/* A list or a group, as perf would read "a,b" or "{a,b}", is for the grid to spell. */
int monitor_add_event(struct monitors *monitors, const char *event, struct err *err)
{
	size_t len = strlen(event);
	size_t i = 0;

	while (isalnum((unsigned char)event[i]) ||
	       (event[i] && strchr("_-:/.=*", event[i])))
		i++;
	if (!len || event[i] || *event == '-' || len > MONITOR_MAX_EVENT)
		return err_set(err, -EINVAL,
			       "'%.100s' is not the name of an event (expected one as "
			       "`perf list` prints them, such as context-switches)",
			       event);
	for (i = 0; i < monitors->nr_events; i++)
		if (!strcmp(monitors->events[i], event))
			return err_set(err, -EINVAL, "event '%s' is there already",
				       event);
	if (monitors->nr_events == MONITOR_MAX_EVENTS)
		return err_set(err, -EINVAL, "'%s' is one event too many (at most %d)",
			       event, MONITOR_MAX_EVENTS);
	monitors->events[monitors->nr_events] = strdup(event);
	if (!monitors->events[monitors->nr_events])
		return err_nomem(err);
	monitors->nr_events++;
	return 0;
}

int monitor_add_defaults(struct monitors *monitors, struct err *err)
{
	static const char *const names[] = { "task-clock", "context-switches",
					     "cpu-migrations", "page-faults" };
	int bad = 0;
	size_t i;

	for (i = 0; !bad && i < sizeof(names) / sizeof(names[0]); i++)
		bad = monitor_add_event(monitors, names[i], err);
	return bad;
}

void monitors_release(struct monitors *monitors)
{
	size_t i;

	for (i = 0; i < monitors->nr_events; i++)
		free(monitors->events[i]);
	*monitors = (struct monitors){ 0 };
}

/* The events with @separator between them, the caller's; NULL: no memory. */
static char *join(const struct monitors *monitors, const char *separator)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	size_t i;

	if (!out)
		return NULL;
	for (i = 0; i < monitors->nr_events; i++)
		(void)fprintf(out, "%s%s", i ? separator : "", monitors->events[i]);
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

bool monitors_any(const struct monitors *monitors)
{
	return monitors->nr_events || monitors->has_placement || monitors->has_schedstat;
}

char *monitor_text(const struct monitors *monitors)
{
	char *events = join(monitors, ", ");
	const char *before = "";
	char *text = NULL;
	FILE *out = NULL;
	size_t len;

	if (events)
		out = open_memstream(&text, &len);
	if (out && monitors->nr_events) {
		(void)fprintf(out, "perf-stat(%s)", events);
		before = ", ";
	}
	if (out && monitors->has_placement) {
		(void)fprintf(out, "%splacement", before);
		before = ", ";
	}
	if (out && monitors->has_schedstat)
		(void)fprintf(out, "%sschedstat", before);
	free(events);
	if (!out || !fclose(out))
		return text;
	free(text);
	return NULL;
}

struct jval *monitors_json(const struct monitors *monitors)
{
	struct jval *json = jval_object();
	struct jval *perf = jval_object();
	struct jval *events = jval_array();
	int bad = 0;
	size_t i;

	for (i = 0; i < monitors->nr_events; i++)
		bad |= jval_push(events, jval_from_string(monitors->events[i]));
	bad |= jval_put(perf, "events", events);
	if (monitors->nr_events)
		bad |= jval_put(json, "perf-stat", perf);
	else
		jval_free(perf);
	if (monitors->has_placement)
		bad |= jval_put(json, "placement", jval_object());
	if (monitors->has_schedstat)
		bad |= jval_put(json, "schedstat", jval_object());
	if (!bad)
		return json;
	jval_free(json);
	return NULL;
}

static struct workload perf_workload(void)
{
	static const char *const version[] = { "--version", NULL };
	static const struct bench_program perf = {
		.name = "perf",
		.command = "perf",
		.package = "linux-perf",
		.version_args = version,
	};
	static const struct bench_ops ops = { .name = "perf-stat", .programs = &perf };

	return (struct workload){ .ops = &ops, .program = &perf };
}

int monitor_find(struct monitor_tools *ret, struct err *err)
{
	static const struct bench_program own = { .name = "native" };
	static const struct bench_ops ops = { .name = "witness", .programs = &own };
	const struct workload witness = { .ops = &ops, .program = &own };
	const struct workload perf = perf_workload();
	int bad = program_find(&witness, ".", &ret->witness, err);

	return bad ? bad : program_find(&perf, ".", &ret->perf, err);
}

void monitor_tools_release(struct monitor_tools *tools)
{
	program_release(&tools->perf);
	program_release(&tools->witness);
}

int monitor_missing(struct err *err)
{
	const struct workload workload = perf_workload();
	struct err why = { 0 };

	(void)program_missing(&workload, &why);
	return err_set(err, -ENOENT, "monitor perf-stat: %s", why.text);
}

int monitor_wrap(const struct monitors *monitors, const char *perf, const char *witness,
		 const char *path, struct bench_command *command)
{
	struct bench_command wrapped = { 0 };
	char *events = join(monitors, ",");
	const char *const front[] = { perf,	    "stat",	 "-j",	 "-o",
				      MONITOR_FILE, "-e",	 events, "--",
				      witness,	    MONITOR_END, path };
	int bad = events ? 0 : -ENOMEM;
	size_t i;

	for (i = 0; !bad && i < sizeof(front) / sizeof(front[0]); i++)
		bad = bench_arg(&wrapped, "%s", front[i]);
	for (i = 1; !bad && i < command->nr_args; i++)
		bad = bench_arg(&wrapped, "%s", command->argv[i]);
	free(events);
	if (bad) {
		bench_command_release(&wrapped);
		return bad;
	}
	bench_command_release(command);
	*command = wrapped;
	return 0;
}

__attribute__((format(printf, 2, 3))) static void remark(struct monitor_report *report,
							 const char *fmt, ...)
{
	char raw[MONITOR_REMARK];
	va_list args;

	if (report->nr_remarks == MONITOR_MAX_REMARKS)
		return;
	va_start(args, fmt);
	(void)vsnprintf(raw, sizeof(raw), fmt, args);
	va_end(args);
	text_printable(raw, report->remarks[report->nr_remarks++], MONITOR_REMARK);
}

/* struct list - names with commas, as many as fit into a remark */
struct list {
	char text[MONITOR_REMARK - 80];
	size_t len;
};

__attribute__((format(printf, 2, 3))) static void list_add(struct list *list,
							   const char *fmt, ...)
{
	va_list args;
	int len;

	if (list->len + 3 >= sizeof(list->text))
		return;
	if (list->len)
		list->len += (size_t)snprintf(list->text + list->len,
					      sizeof(list->text) - list->len, ", ");
	va_start(args, fmt);
	len = vsnprintf(list->text + list->len, sizeof(list->text) - list->len, fmt,
			args);
	va_end(args);
	list->len += len > 0 ? (size_t)len : 0;
	if (list->len >= sizeof(list->text))
		list->len = sizeof(list->text) - 1;
}

static const struct perf_count *find_count(const struct perf_counts *counts,
					   const char *asked)
{
	size_t i;

	for (i = 0; i < counts->nr; i++)
		if (perf_stat_is_of(counts->count[i].event, asked))
			return &counts->count[i];
	return NULL;
}

/* Work for the same result: less of it is better, of whatever event. */
static void add_metric(struct monitor_report *report, struct perf_count *count)
{
	report->metrics[report->nr_metrics++] = (struct record_metric){
		.name = count->event,
		.unit = count->unit,
		.secondary = true,
		.samples = &count->value,
		.nr_samples = 1,
	};
}

void monitor_add_needs(const struct monitors *monitors, struct bench_needs *needs)
{
	enum { PERF_AND_WITNESS = 2 };

	if (monitors->nr_events && needs->tasks)
		needs->tasks += PERF_AND_WITNESS;
}

static int read_counts(const char *raw_dir, struct perf_counts *ret, struct err *err)
{
	char *text = NULL;
	size_t len;
	int bad = file_read_inside(raw_dir, MONITOR_FILE, FILE_MAX, &text, &len, err);

	if (!bad)
		bad = perf_stat_parse(text, len, ret, err);
	free(text);
	return bad;
}

static void collect_counts(const struct monitors *monitors, const char *raw_dir,
			   struct monitor_report *ret)
{
	struct list missing = { 0 };
	struct list partial = { 0 };
	struct err why = { 0 };
	size_t i;

	if (read_counts(raw_dir, &ret->counts, &why)) {
		remark(ret, "perf-stat: nothing counted: %s", why.text);
		return;
	}
	for (i = 0; i < ret->counts.nr; i++) {
		struct perf_count *count = &ret->counts.count[i];

		if (count->missing) {
			list_add(&missing, "%s %s", count->event, count->missing);
			continue;
		}
		add_metric(ret, count);
		if (count->running < 100.0)
			list_add(&partial, "%s %.0f%%", count->event, count->running);
	}
	for (i = 0; i < monitors->nr_events; i++)
		if (!find_count(&ret->counts, monitors->events[i]))
			list_add(&missing, "%s not counted", monitors->events[i]);
	if (missing.len)
		remark(ret, "perf-stat: %s", missing.text);
	if (partial.len)
		remark(ret, "perf-stat: scaled up from a part of the time: %s",
		       partial.text);
}

static int read_placement(const char *raw_dir, struct placement *ret, struct err *err)
{
	char *path = file_path("%s/" PLACEMENT_FILE, raw_dir);
	char *text = NULL;
	int bad = path ? file_read(path, TRACE_MAX, &text, NULL, err) : err_nomem(err);

	if (!bad)
		bad = placement_parse(text, ret, err);
	free(text);
	free(path);
	return bad;
}

static void collect_placement(const char *raw_dir, struct monitor_report *ret)
{
	struct placement placement;
	struct err why = { 0 };

	if (read_placement(raw_dir, &placement, &why))
		remark(ret, "placement: nothing counted: %s", why.text);
	else
		ret->nr_metrics += placement_metrics(
			&placement, &ret->metrics[ret->nr_metrics], ret->places);
}

static int read_schedstat(const char *raw_dir, const char *name, struct schedstat *ret,
			  struct err *err)
{
	char *text = NULL;
	size_t len;
	int bad = file_read_inside(raw_dir, name, TRACE_MAX, &text, &len, err);

	if (!bad)
		bad = schedstat_parse(text, ret, err);
	free(text);
	return bad;
}

static void collect_schedstat(const char *raw_dir, struct monitor_report *ret)
{
	struct schedstat before, after;
	struct err why = { 0 };

	if (read_schedstat(raw_dir, SCHEDSTAT_BEFORE, &before, &why) ||
	    read_schedstat(raw_dir, SCHEDSTAT_AFTER, &after, &why)) {
		remark(ret, "schedstat: nothing counted: %s", why.text);
		return;
	}
	ret->nr_metrics += schedstat_metrics(&before, &after,
					     &ret->metrics[ret->nr_metrics], ret->stats);
	if (!before.is_on || !after.is_on)
		remark(ret, "schedstat: kernel.sched_schedstats isn't 1, so only "
			    "timeslices and what tasks waited for them are counted");
}

void monitor_collect(const struct monitors *monitors, const char *raw_dir,
		     struct monitor_report *ret)
{
	ret->nr_metrics = ret->nr_remarks = ret->counts.nr = 0;
	if (monitors->nr_events)
		collect_counts(monitors, raw_dir, ret);
	if (monitors->has_placement)
		collect_placement(raw_dir, ret);
	if (monitors->has_schedstat)
		collect_schedstat(raw_dir, ret);
}

int monitor_schedstat_keep(const char *raw_dir, char *before, char *after,
			   struct err *err)
{
	char *path[2] = { file_path("%s/" SCHEDSTAT_BEFORE, raw_dir),
			  file_path("%s/" SCHEDSTAT_AFTER, raw_dir) };
	int bad = path[0] && path[1] ? 0 : err_nomem(err);

	if (!bad && before)
		bad = file_replace(path[0], before, strlen(before), err);
	if (!bad && after)
		bad = file_replace(path[1], after, strlen(after), err);
	free(path[0]);
	free(path[1]);
	free(before);
	free(after);
	return bad;
}

/* "exited 3" or "killed 9", as wait() tells the same. */
static int read_end(const char *line, int *ret)
{
	enum { CODE_SHIFT = 8, CODE_MAX = 255, SIGNAL_MAX = 64 };
	static const size_t word = sizeof("exited ") - 1;
	uint64_t number;

	if (!strncmp(line, "exited ", word) &&
	    !text_uint(line + word, 0, CODE_MAX, &number, NULL)) {
		*ret = (int)number << CODE_SHIFT;
		return 0;
	}
	if (!strncmp(line, "killed ", word) &&
	    !text_uint(line + word, 1, SIGNAL_MAX, &number, NULL)) {
		*ret = (int)number;
		return 0;
	}
	return -ENODATA;
}

int monitor_end(const char *raw_dir, int *wait_status)
{
	char *path = file_path("%s/" MONITOR_END, raw_dir);
	char *line = path ? file_read_line(path) : NULL;
	int bad = line ? read_end(line, wait_status) : -ENODATA;

	free(line);
	free(path);
	return bad;
}
