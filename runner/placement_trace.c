// SPDX-License-Identifier: GPL-2.0-or-later
/* Records where tasks are placed; see placement_trace.h. */
#include "runner/placement_trace.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/err.h"
#include "lib/trace.h"

enum { BUFFER_MIN = 1 << 16, BUFFER_MAX = 1 << 24, PIDS_MAX = 1 << 22, CPUS_MAX = 4096 };

/* The low bits of a task's state; one that was preempted has none of them. */
enum { SLEEPS = 0xff };

/**
 * struct placement_trace - what records
 * @trace: of the scheduler's events
 * @why: what failed since it was begun
 */
struct placement_trace {
	struct trace *trace;
	struct err why;
};

/**
 * struct collector - the tasks found so far, and the text
 * @parent: who starts the program
 * @is_ours: for each number of a task whether it is the program's
 * @first_ns: of the first event; 0 before
 * @queue: for each task of others the CPU in whose queue it is, and one more; 0: none
 * @nr_others: for each CPU how many it has
 * @nr_lines: written
 */
struct collector {
	pid_t parent;
	bool *is_ours;
	uint16_t *queue;
	int nr_others[CPUS_MAX];
	uint64_t first_ns;
	uintmax_t nr_lines;
	FILE *out;
	struct err *err;
};

/* struct kind - how one kind of event is taken */
struct kind {
	const char *name;
	int (*take)(struct collector *all, const struct trace_event *event);
};

static int number(const struct collector *all, const struct trace_event *event,
		  const char *field, int64_t *ret)
{
	if (!trace_field(event, field, ret))
		return 0;
	return err_set(all->err, -EPROTO, "event '%s' has no number '%s'", event->name,
		       field);
}

static bool is_ours(const struct collector *all, int64_t pid)
{
	return pid > 0 && pid < PIDS_MAX && all->is_ours[pid];
}

static void begin_at(struct collector *all, const struct trace_event *event,
		     const char *word, unsigned int cpu)
{
	if (!all->first_ns)
		all->first_ns = event->ns;
	all->nr_lines++;
	(void)fprintf(all->out, "%s %" PRIu64 " %u", word, event->ns - all->first_ns,
		      cpu);
}

static void begin(struct collector *all, const struct trace_event *event,
		  const char *word)
{
	begin_at(all, event, word, event->cpu);
}

static int take_fork(struct collector *all, const struct trace_event *event)
{
	int64_t parent, child;

	if (number(all, event, "parent_pid", &parent) ||
	    number(all, event, "child_pid", &child))
		return -EPROTO;
	if (child <= 0 || child >= PIDS_MAX)
		return err_set(all->err, -EPROTO, "a task has the number %" PRId64,
			       child);
	/* The number may be that of a task that has ended. */
	all->is_ours[child] = parent == all->parent || is_ours(all, parent);
	if (!all->is_ours[child])
		return 0;
	begin(all, event, parent == all->parent ? "main" : "fork");
	if (parent != all->parent)
		(void)fprintf(all->out, " %" PRId64, parent);
	(void)fprintf(all->out, " %" PRId64 "\n", child);
	return 0;
}

/* Others' task @pid is in the queue of @cpu, or of none (-1), from now on. */
static void put_other(struct collector *all, const struct trace_event *event, int64_t pid,
		      int64_t cpu)
{
	int64_t both[2] = { -1, cpu };
	size_t i;

	/* The idle task of each CPU has number 0. */
	if (pid <= 0 || pid >= PIDS_MAX || cpu >= CPUS_MAX)
		return;
	both[0] = all->queue[pid] - 1;
	if (both[0] == cpu)
		return;
	all->queue[pid] = (uint16_t)(cpu + 1);
	for (i = 0; i < 2; i++) {
		if (both[i] < 0)
			continue;
		all->nr_others[both[i]] += i ? 1 : -1;
		begin_at(all, event, "other", (unsigned int)both[i]);
		(void)fprintf(all->out, " %d\n", all->nr_others[both[i]]);
	}
}

static int take_wakeup(struct collector *all, const struct trace_event *event)
{
	bool is_new = strcmp(event->name, "sched_wakeup") != 0;
	int64_t pid, target;

	if (number(all, event, "pid", &pid) || number(all, event, "target_cpu", &target))
		return -EPROTO;
	if (!is_ours(all, pid)) {
		put_other(all, event, pid, target);
		return 0;
	}
	begin(all, event, is_new ? "new" : "wake");
	(void)fprintf(all->out, " %" PRId64 " %" PRId64 "\n", pid, target);
	return 0;
}

static int take_switch(struct collector *all, const struct trace_event *event)
{
	int64_t before, state, after;

	if (number(all, event, "prev_pid", &before) ||
	    number(all, event, "prev_state", &state) ||
	    number(all, event, "next_pid", &after))
		return -EPROTO;
	if (is_ours(all, before)) {
		begin(all, event, "stop");
		(void)fprintf(all->out, " %" PRId64 " %" PRId64 "\n", before, state);
	} else if ((state & SLEEPS) != 0)
		put_other(all, event, before, -1);
	if (is_ours(all, after)) {
		begin(all, event, "run");
		(void)fprintf(all->out, " %" PRId64 "\n", after);
	} else if (after) {
		put_other(all, event, after, event->cpu);
	} else {
		begin(all, event, "idle");
		(void)fputc('\n', all->out);
	}
	return 0;
}

static int take_migration(struct collector *all, const struct trace_event *event)
{
	int64_t pid, from, to;

	if (number(all, event, "pid", &pid) || number(all, event, "orig_cpu", &from) ||
	    number(all, event, "dest_cpu", &to))
		return -EPROTO;
	if (!is_ours(all, pid)) {
		if (pid > 0 && pid < PIDS_MAX && all->queue[pid])
			put_other(all, event, pid, to);
		return 0;
	}
	begin(all, event, "move");
	(void)fprintf(all->out, " %" PRId64 " %" PRId64 " %" PRId64 "\n", pid, from, to);
	return 0;
}

/*
 * Until the CPU that it is queued for has heard of it a woken task is in no queue, and yet
 * that CPU isn't idle for those who look for one.
 */
static int take_waking(struct collector *all, const struct trace_event *event)
{
	int64_t pid, target;

	if (number(all, event, "pid", &pid) || number(all, event, "target_cpu", &target))
		return -EPROTO;
	if (!is_ours(all, pid))
		put_other(all, event, pid, target);
	return 0;
}

static const struct kind kinds[] = {
	{ "sched_waking", take_waking },     { "sched_process_fork", take_fork },
	{ "sched_wakeup_new", take_wakeup }, { "sched_wakeup", take_wakeup },
	{ "sched_switch", take_switch },     { "sched_migrate_task", take_migration },
};

enum { NR_KINDS = sizeof(kinds) / sizeof(kinds[0]) };

static int take(const struct trace_event *event, void *data)
{
	size_t i;

	for (i = 0; i < NR_KINDS; i++)
		if (!strcmp(kinds[i].name, event->name))
			return kinds[i].take(data, event);
	return 0;
}

static size_t buffer_bytes(void)
{
	long pages = sysconf(_SC_AVPHYS_PAGES);
	long page = sysconf(_SC_PAGESIZE);
	long nr_cpus = sysconf(_SC_NPROCESSORS_CONF);
	size_t bytes;

	if (pages <= 0 || page <= 0 || nr_cpus <= 0)
		return BUFFER_MIN;
	bytes = (size_t)pages * (size_t)page / 8 / (size_t)nr_cpus;
	if (bytes < BUFFER_MIN)
		return BUFFER_MIN;
	return bytes > BUFFER_MAX ? BUFFER_MAX : bytes;
}

int placement_trace_open(struct placement_trace **ret, struct err *err)
{
	struct placement_trace *trace = calloc(1, sizeof(*trace));
	const char *events[NR_KINDS + 1] = { NULL };
	size_t i;
	int bad;

	if (!trace)
		return err_nomem(err);
	for (i = 0; i < NR_KINDS; i++)
		events[i] = kinds[i].name;
	bad = trace_open("sched", events, buffer_bytes(), &trace->trace, err);
	if (bad)
		free(trace);
	else
		*ret = trace;
	return bad;
}

void placement_trace_close(struct placement_trace *trace)
{
	if (trace)
		trace_close(trace->trace);
	free(trace);
}

void placement_trace_begin(struct placement_trace *trace)
{
	if (!trace)
		return;
	trace->why = (struct err){ 0 };
	(void)trace_start(trace->trace, &trace->why);
}

static int collect(struct trace *trace, struct collector *all, struct err *err)
{
	uint64_t nr_lost;
	int bad = trace_lost(trace, &nr_lost, err);

	if (!bad)
		bad = trace_each(trace, take, all, err);
	if (bad)
		return bad;
	if (nr_lost) {
		all->nr_lines++;
		(void)fprintf(all->out, "lost %" PRIu64 "\n", nr_lost);
	}
	(void)fprintf(all->out, "end %ju\n", all->nr_lines);
	return 0;
}

static int write_text(struct trace *trace, pid_t parent, char **ret, struct err *err)
{
	struct collector all = { .parent = parent, .err = err };
	size_t size;
	int bad;

	all.is_ours = calloc(PIDS_MAX, sizeof(*all.is_ours));
	all.queue = calloc(PIDS_MAX, sizeof(*all.queue));
	all.out = all.is_ours && all.queue ? open_memstream(ret, &size) : NULL;
	if (!all.out) {
		free(all.is_ours);
		free(all.queue);
		return err_nomem(err);
	}
	bad = collect(trace, &all, err);
	if (fclose(all.out) && !bad)
		bad = err_nomem(err);
	free(all.is_ours);
	free(all.queue);
	return bad;
}

char *placement_trace_end(struct placement_trace *trace, pid_t parent)
{
	struct err *why = &trace->why;
	char *text = NULL;
	char *failed = NULL;

	/* Stopped in any case; the first failure is the one that is told. */
	if (!trace_stop(trace->trace, why) && !why->code)
		(void)write_text(trace->trace, parent, &text, why);
	if (!why->code)
		return text;
	free(text);
	if (asprintf(&failed, "failed %s\n", why->text) < 0)
		return NULL;
	return failed;
}
