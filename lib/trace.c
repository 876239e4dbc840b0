// SPDX-License-Identifier: GPL-2.0-or-later
/* Tracepoints by libtracefs and libtraceevent; see trace.h. */
#include "lib/trace.h"

#include <dirent.h>
#include <errno.h>
#include <event-parse.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>
#include <unistd.h>

#include "lib/err.h"
#include "lib/file.h"
#include "lib/text.h"

/* Of an instance's name; behind it stands the number of its process. */
static const char prefix[] = "schedgrid-";

/**
 * struct trace - an instance
 * @instance: of tracefs, ours to remove; NULL: not made
 * @tep: the formats of the system's events
 */
struct trace {
	struct tracefs_instance *instance;
	struct tep_handle *tep;
};

/* The library leaves errno as the kernel set it, but not always. */
static int last_errno(void)
{
	return errno ? -errno : -EIO;
}

static bool is_orphan(const char *name)
{
	uint64_t pid;

	return !strncmp(name, prefix, strlen(prefix)) &&
	       !text_uint(name + strlen(prefix), 1, INT32_MAX, &pid, NULL) &&
	       kill((pid_t)pid, 0) && errno == ESRCH;
}

/* What was killed couldn't remove its own. */
static void remove_orphans(void)
{
	char **names = tracefs_instances(NULL);
	size_t i;

	for (i = 0; names && names[i]; i++) {
		struct tracefs_instance *instance;

		if (!is_orphan(names[i]))
			continue;
		instance = tracefs_instance_alloc(NULL, names[i]);
		if (instance)
			(void)tracefs_instance_destroy(instance);
		tracefs_instance_free(instance);
	}
	tracefs_list_free(names);
}

static int make_instance(struct trace *trace, struct err *err)
{
	char name[sizeof(prefix) + 12];

	if (!tracefs_tracing_dir())
		return err_set(err, -ENODEV,
			       "there is no tracefs (expected one at "
			       "/sys/kernel/tracing)");
	remove_orphans();
	(void)snprintf(name, sizeof(name), "%s%d", prefix, (int)getpid());
	errno = 0;
	trace->instance = tracefs_instance_create(name);
	if (!trace->instance)
		return err_set(err, last_errno(),
			       "cannot make an instance in '%s': %m (expected to be "
			       "root, and a tracefs that can be written)",
			       tracefs_tracing_dir());
	return 0;
}

static int enable_events(struct trace *trace, const char *system,
			 const char *const *events, struct err *err)
{
	size_t i;

	for (i = 0; events[i]; i++) {
		if (!tep_find_event_by_name(trace->tep, system, events[i]))
			return err_set(err, -ENOENT, "the kernel has no event '%s:%s'",
				       system, events[i]);
		errno = 0;
		if (tracefs_event_enable(trace->instance, system, events[i]))
			return err_set(err, last_errno(),
				       "cannot switch event '%s:%s' on: %m", system,
				       events[i]);
	}
	return 0;
}

static int set_up(struct trace *trace, const char *system, const char *const *events,
		  size_t buffer_bytes, struct err *err)
{
	const char *const systems[] = { system, NULL };
	int bad = make_instance(trace, err);

	if (bad)
		return bad;
	errno = 0;
	trace->tep = tracefs_local_events_system(NULL, systems);
	if (!trace->tep)
		return err_set(err, last_errno(), "cannot read the formats of '%s': %m",
			       system);
	errno = 0;
	if (tracefs_trace_off(trace->instance))
		return err_set(err, last_errno(), "cannot stop a trace: %m");
	/* One clock for all CPUs, so that their events have an order. */
	if (tracefs_instance_file_write(trace->instance, "trace_clock", "mono") < 0)
		return err_set(err, last_errno(), "cannot set the trace's clock: %m");
	if (tracefs_instance_set_buffer_size(trace->instance, buffer_bytes / 1024, -1))
		return err_set(err, last_errno(),
			       "cannot have %zu KiB for each CPU's events: %m",
			       buffer_bytes / 1024);
	return enable_events(trace, system, events, err);
}

int trace_open(const char *system, const char *const *events, size_t buffer_bytes,
	       struct trace **ret, struct err *err)
{
	struct trace *trace = calloc(1, sizeof(*trace));
	int bad;

	if (!trace)
		return err_nomem(err);
	/* What they would print is told by the caller. */
	tracefs_set_loglevel(TEP_LOG_NONE);
	bad = set_up(trace, system, events, buffer_bytes, err);
	if (bad)
		trace_close(trace);
	else
		*ret = trace;
	return bad;
}

void trace_close(struct trace *trace)
{
	if (!trace)
		return;
	if (trace->instance) {
		(void)tracefs_trace_off(trace->instance);
		(void)tracefs_instance_destroy(trace->instance);
	}
	tracefs_instance_free(trace->instance);
	tep_free(trace->tep);
	free(trace);
}

int trace_start(struct trace *trace, struct err *err)
{
	errno = 0;
	if (tracefs_instance_file_clear(trace->instance, "trace") < 0 ||
	    tracefs_trace_on(trace->instance))
		return err_set(err, last_errno(), "cannot begin a trace: %m");
	return 0;
}

int trace_stop(struct trace *trace, struct err *err)
{
	errno = 0;
	if (tracefs_trace_off(trace->instance))
		return err_set(err, last_errno(), "cannot stop a trace: %m");
	return 0;
}

/* struct walk - one trace_each() */
struct walk {
	int (*take)(const struct trace_event *event, void *data);
	void *data;
	int result;
};

static int take_event(struct tep_event *format, struct tep_record *record, int cpu,
		      void *data)
{
	struct walk *walk = data;
	const struct trace_event event = {
		.name = format->name,
		.ns = record->ts,
		.cpu = (unsigned int)cpu,
		.format = format,
		.record = record,
	};

	walk->result = walk->take(&event, walk->data);
	return walk->result;
}

int trace_each(struct trace *trace,
	       int (*take)(const struct trace_event *event, void *data), void *data,
	       struct err *err)
{
	struct walk walk = { .take = take, .data = data };
	int bad;

	errno = 0;
	bad = tracefs_iterate_raw_events(trace->tep, trace->instance, NULL, 0, take_event,
					 &walk);
	if (walk.result)
		return walk.result;
	return bad ? err_set(err, last_errno(), "cannot read a trace: %m") : 0;
}

/* The number that is all of the rest of a line. */
static bool read_number(const char *text, uint64_t *ret)
{
	char digits[24];

	(void)snprintf(digits, sizeof(digits), "%.*s", (int)strcspn(text, "\n"), text);
	return !text_uint(digits, 0, UINT64_MAX, ret, NULL);
}

static int lost_on(const struct trace *trace, const char *cpu, uint64_t *sum,
		   struct err *err)
{
	static const char *const keys[] = { "overrun: ", "commit overrun: ",
					    "dropped events: " };
	char *path = file_path("per_cpu/%s/stats", cpu);
	const char *number;
	char *text;
	uint64_t nr;
	size_t i;
	int bad = 0;

	if (!path)
		return err_nomem(err);
	text = tracefs_instance_file_read(trace->instance, path, NULL);
	for (i = 0; !bad && i < sizeof(keys) / sizeof(keys[0]); i++) {
		number = text ? text_behind(text, keys[i]) : NULL;
		if (!number || !read_number(number, &nr))
			bad = err_set(err, -EPROTO,
				      "'%s' of a trace has no '%s' with a number", path,
				      keys[i]);
		else
			*sum += nr;
	}
	free(text);
	free(path);
	return bad;
}

static int is_visible(const struct dirent *entry)
{
	return *entry->d_name != '.';
}

/* The numbers of a machine's CPUs may have gaps, so what is there is gone through. */
int trace_lost(const struct trace *trace, uint64_t *ret, struct err *err)
{
	char *folder = tracefs_instance_get_file(trace->instance, "per_cpu");
	struct dirent **cpus = NULL;
	uint64_t sum = 0;
	int bad = 0;
	int nr, i;

	errno = 0;
	nr = folder ? scandir(folder, &cpus, is_visible, NULL) : -1;
	if (nr <= 0)
		bad = err_set(err, last_errno(), "cannot read 'per_cpu' of a trace: %m");
	for (i = 0; i < nr; i++) {
		if (!bad)
			bad = lost_on(trace, cpus[i]->d_name, &sum, err);
		free(cpus[i]);
	}
	free(cpus);
	tracefs_put_tracing_file(folder);
	if (!bad)
		*ret = sum;
	return bad;
}

int trace_field(const struct trace_event *event, const char *name, int64_t *ret)
{
	struct tep_format_field *field = tep_find_field(event->format, name);
	unsigned long long value;

	if (!field || tep_read_number_field(field, event->record->data, &value))
		return -ENOENT;
	/* The library reads four bytes of a negative number as a large one. */
	if (field->flags & TEP_FIELD_IS_SIGNED && field->size == sizeof(int32_t))
		*ret = (int32_t)value;
	else
		*ret = (int64_t)value;
	return 0;
}
