/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the scheduler counted of the whole machine while a program ran: the difference of
 * two readings of /proc/schedstat, as metrics.
 */
#ifndef RUNNER_SCHEDSTAT_H
#define RUNNER_SCHEDSTAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/record.h"

struct err;

/** The files in an iteration's folder that hold the two readings of schedstat_take(). */
#define SCHEDSTAT_BEFORE "schedstat.before"
#define SCHEDSTAT_AFTER	 "schedstat.after"

enum { SCHEDSTAT_MAX_METRICS = 9 };

/**
 * struct schedstat - one reading, summed over CPUs and levels
 * @is_on: kernel.sched_schedstats was 1; else only @run_delay_ns and @timeslices count
 * @has_domains: the reading has lines of domains; a machine of one CPU has none
 * @wakeups: calls of try_to_wake_up()
 * @local_wakeups: of them, to the waking CPU
 * @remote_wakeups: of them, to another CPU of a domain, summed over levels
 * @affine_wakeups: tasks that came to the waker's CPU for affinity
 * @run_delay_ns: what tasks waited for a CPU
 * @timeslices: how often one got it
 * @pulled: tasks that balancing moved
 * @pulled_newidle: of them, by CPUs that were about to idle
 * @pushed: running tasks that active balancing moved
 */
struct schedstat {
	bool is_on, has_domains;
	uint64_t wakeups, local_wakeups, remote_wakeups, affine_wakeups;
	uint64_t run_delay_ns, timeslices;
	uint64_t pulled, pulled_newidle, pushed;
};

/**
 * schedstat_take - a reading as text: the sysctl, then the file
 *
 * Return: the caller's to free(); NULL with @err: there is none, or it can't be read.
 */
char *schedstat_take(struct err *err);

/** schedstat_check - 0 when there is a reading here; else @err says why the monitor can't */
int schedstat_check(struct err *err);

/**
 * schedstat_parse - read a reading
 * @text: of schedstat_take()
 * @ret: written on success only
 * @err: says which version or line isn't known
 *
 * Versions 15 (2.6.30 to 6.8), 16 (6.9: idle and busy change places) and 17 (6.14: names of
 * domains, four kinds of imbalance) are known; others are refused, never guessed.
 *
 * Return: 0, -EPROTONOSUPPORT for another version, or -EPROTO.
 */
int schedstat_parse(const char *text, struct schedstat *ret, struct err *err);

/**
 * schedstat_metrics - what happened between two readings
 * @metrics: receives them, SCHEDSTAT_MAX_METRICS at most; names and units are static
 * @values: receives the samples that @metrics point to, as many
 *
 * All are secondary. What wasn't counted is left out.
 *
 * Return: how many.
 */
size_t schedstat_metrics(const struct schedstat *before, const struct schedstat *after,
			 struct record_metric *metrics, double *values);

#endif
