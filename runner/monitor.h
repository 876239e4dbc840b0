/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Monitors: what is counted beside a workload while it runs. perf-stat starts the
 * program under `perf stat` and adds a metric for each event; placement records what the
 * scheduler does with its tasks, see runner/placement.h; schedstat what it counts of the
 * machine, see runner/schedstat.h. A monitor costs time, so it is
 * part of what a cell is.
 */
#ifndef RUNNER_MONITOR_H
#define RUNNER_MONITOR_H

#include <stdbool.h>
#include <stddef.h>

#include "record/record.h"
#include "runner/perf_stat.h"
#include "runner/placement.h"
#include "runner/program.h"
#include "runner/schedstat.h"

struct bench_command;
struct bench_needs;
struct err;
struct jval;
struct proc_watch;

enum {
	MONITOR_MAX_EVENTS = 16,
	MONITOR_MAX_EVENT = 64, /* bytes of its name */
	MONITOR_MAX_REMARKS = 4,
	MONITOR_REMARK = 500,
	MONITOR_MAX_METRICS =
		PERF_STAT_MAX_COUNTS + PLACEMENT_MAX_METRICS + SCHEDSTAT_MAX_METRICS,
};

/** The file in an iteration's folder that perf stat writes. */
#define MONITOR_FILE "perf-stat.json"
/** The file beside it that says how the program ended. */
#define MONITOR_END "ended"

/**
 * struct monitors - what a grid wants counted
 * @events: of perf-stat, as given to its -e; owned
 * @nr_events: 0: perf-stat isn't asked for
 * @has_placement: placement is
 * @has_schedstat: schedstat is
 */
struct monitors {
	char *events[MONITOR_MAX_EVENTS];
	size_t nr_events;
	bool has_placement, has_schedstat;
};

/**
 * struct monitor_report - what was counted in one iteration
 * @counts: as perf wrote them
 * @places: samples of placement
 * @stats: of schedstat
 * @metrics: of those that have a value; they point into @counts and @places
 * @nr_metrics: how many
 * @remarks: what is missing or only a part, one sentence each
 * @nr_remarks: how many
 */
struct monitor_report {
	struct perf_counts counts;
	double places[PLACEMENT_MAX_METRICS];
	double stats[SCHEDSTAT_MAX_METRICS];
	struct record_metric metrics[MONITOR_MAX_METRICS];
	size_t nr_metrics;
	char remarks[MONITOR_MAX_REMARKS][MONITOR_REMARK];
	size_t nr_remarks;
};

/** monitor_add_event - one more event for perf-stat; 0, -EINVAL or -ENOMEM */
int monitor_add_event(struct monitors *monitors, const char *event, struct err *err);
/** monitor_add_defaults - the events of a perf-stat that names none; 0 or -ENOMEM */
int monitor_add_defaults(struct monitors *monitors, struct err *err);
/** monitors_release - free the events */
void monitors_release(struct monitors *monitors);

/** monitors_any - whether anything is asked for */
bool monitors_any(const struct monitors *monitors);

/** monitor_text - "perf-stat(task-clock, ...), placement", the caller's; NULL: no memory */
char *monitor_text(const struct monitors *monitors);

/**
 * struct monitor_tools - programs between the runner and the workload's
 * @perf: its path is NULL where it isn't installed
 * @witness: our own, which notes how the program ended
 */
struct monitor_tools {
	struct program perf, witness;
};

/**
 * monitor_find - find perf and what we put below it
 * @ret: as program_find() fills it, to be released by monitor_tools_release()
 * @err: says what failed
 *
 * Return: 0 or a negative errno.
 */
int monitor_find(struct monitor_tools *ret, struct err *err);
/** monitor_tools_release - free the strings */
void monitor_tools_release(struct monitor_tools *tools);
/** monitor_missing - say that perf isn't installed; -ENOENT */
int monitor_missing(struct err *err);

/**
 * monitor_wrap - put perf stat in front of a command
 * @monitors: with events
 * @perf: its path
 * @witness: likewise
 * @path: of the program that the command starts, which takes the place of its argv[0]
 * @command: a whole command; unchanged on failure
 *
 * Return: 0 or -ENOMEM.
 */
int monitor_wrap(const struct monitors *monitors, const char *perf, const char *witness,
		 const char *path, struct bench_command *command);

/** monitor_add_needs - what the monitors themselves take, added to what is known */
void monitor_add_needs(const struct monitors *monitors, struct bench_needs *needs);

/**
 * monitor_check - refuse an event whose name is wrong
 * @wanted: by the grid
 * @tools: installed
 * @ret_idx: receives which
 * @err: what perf said of it
 *
 * What this machine or this user only can't count is for monitor_probe() to tell.
 *
 * Return: 0, -EINVAL when perf doesn't know an event, -ETIME when it doesn't answer, or
 * another negative errno.
 */
int monitor_check(const struct monitors *wanted, const struct monitor_tools *tools,
		  size_t *ret_idx, struct err *err);

/** monitor_nearest - the event that may have been meant, the caller's; NULL: none */
char *monitor_nearest(const char *event, const struct monitor_tools *tools);

/**
 * monitor_probe - ask perf which of the events it can count here
 * @wanted: by the grid
 * @tools: installed
 * @watch: open
 * @ret: receives those that it can, to be released by monitors_release()
 * @ret_note: receives one line on the others, the caller's; NULL when there are none
 * @err: when none is left: what perf said, and what to change
 *
 * Each event is tried alone, since one that perf doesn't know stops it.
 *
 * Return: 0, -EOPNOTSUPP when none is left or perf itself can't be used, or another
 * negative errno.
 */
int monitor_probe(const struct monitors *wanted, const struct monitor_tools *tools,
		  struct proc_watch *watch, struct monitors *ret, char **ret_note,
		  struct err *err);

/**
 * monitor_end - how the program itself ended
 * @raw_dir: folder of the iteration, with MONITOR_END
 * @wait_status: receives it, as from wait()
 *
 * What perf returns says little: 0 when the program was killed or was faster than perf
 * could wait for it, 129 and 255 when perf itself failed.
 *
 * Return: 0, or -ENODATA: it was never started or perf was ended before it.
 */
int monitor_end(const char *raw_dir, int *wait_status);

/**
 * monitor_collect - read what was counted
 * @monitors: what the grid wants
 * @raw_dir: folder with MONITOR_FILE, PLACEMENT_FILE, SCHEDSTAT_BEFORE and _AFTER
 * @ret: receives metrics and remarks; no metric at all of a file that is no good
 *
 * What is missing is told in a remark, never as a number: it doesn't spoil what the
 * workload measured.
 */
void monitor_collect(const struct monitors *monitors, const char *raw_dir,
		     struct monitor_report *ret);

/**
 * monitor_schedstat_keep - write the two readings
 * @raw_dir: of the iteration
 * @before: of schedstat_take(), NULL: nothing was read, and nothing to do; taken over
 * @after: likewise
 *
 * Return: 0 or a negative errno.
 */
int monitor_schedstat_keep(const char *raw_dir, char *before, char *after,
			   struct err *err);

/** monitors_json - for a plan and a cell's identity; NULL: no memory */
struct jval *monitors_json(const struct monitors *monitors);

#endif
