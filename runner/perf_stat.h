/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What `perf stat -j` wrote: one JSON object a line, one line an event. A count
 * that perf could not take is told as missing with its reason, and never as 0; the
 * forms for people and for spreadsheets are refused.
 */
#ifndef RUNNER_PERF_STAT_H
#define RUNNER_PERF_STAT_H

#include <stdbool.h>
#include <stddef.h>

struct err;

enum { PERF_STAT_MAX_COUNTS = 48, PERF_STAT_EVENT = 96, PERF_STAT_UNIT = 16 };

/**
 * struct perf_count - one event
 * @event: as perf calls it, such as "task-clock", "task-clock:u" or
 *         "cpu_core/cycles/"
 * @unit: such as "msec"; empty for a plain count
 * @value: in @unit; NAN when missing
 * @running: percent of the time during which it was counted; below 100 perf has
 *           scaled @value up. NAN when perf doesn't say
 * @missing: why there is no value; NULL when there is one; static
 */
struct perf_count {
	char event[PERF_STAT_EVENT];
	char unit[PERF_STAT_UNIT];
	double value, running;
	const char *missing;
};

/** struct perf_counts - all events of one call of perf stat, in its order */
struct perf_counts {
	struct perf_count count[PERF_STAT_MAX_COUNTS];
	size_t nr;
};

/**
 * perf_stat_parse - read the output of one `perf stat -j` without -I, -A or -r
 * @text: the whole file
 * @len: bytes in @text
 * @ret: receives the counts; written on success only
 * @err: says which line isn't such output, and what it is
 *
 * Counts of the user's part only (":u", which perf adds by itself when it may not
 * see the kernel) are missing where the kernel is what counts, as context switches
 * are: they would read 0.
 *
 * Return: 0, -EPROTO or -ENOMEM. Output without any event is -EPROTO.
 */
int perf_stat_parse(const char *text, size_t len, struct perf_counts *ret,
		    struct err *err);

/**
 * perf_stat_is_of - whether perf calls the event @asked by the name @event
 * @event: from struct perf_count
 * @asked: as given to -e
 *
 * A modifier may have been added, and the PMU of one kind of core ("cpu_core/@asked/").
 */
bool perf_stat_is_of(const char *event, const char *asked);

#endif
