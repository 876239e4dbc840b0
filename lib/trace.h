/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tracepoints of the running kernel, recorded in an instance of tracefs that
 * nobody else sees. The only place that knows libtracefs and libtraceevent;
 * how an event is laid out is what the kernel itself says.
 *
 * Calling sequence: trace_open() once, then for each stretch trace_start(),
 * trace_stop(), trace_each(); trace_close() removes the instance.
 */
#ifndef LIB_TRACE_H
#define LIB_TRACE_H

#include <stddef.h>
#include <stdint.h>

struct err;
struct tep_event;
struct tep_record;

/** struct trace - an instance with its events switched on; opaque */
struct trace;

/**
 * struct trace_event - one event, lent while it is handed out
 * @name: such as "sched_switch"
 * @ns: when, by the kernel's monotonic clock
 * @cpu: on which CPU it was recorded
 * @format: what the kernel says of its fields; for trace_field()
 * @record: likewise
 */
struct trace_event {
	const char *name;
	uint64_t ns;
	unsigned int cpu;
	struct tep_event *format;
	const struct tep_record *record;
};

/**
 * trace_open - make an instance for some events, not recording yet
 * @system: of the events, such as "sched"
 * @events: their names, ended by NULL
 * @buffer_bytes: memory for each CPU
 * @ret: to be closed by trace_close(); written on success only
 * @err: says what failed, and what it takes
 *
 * Also removes instances of this suite whose process was killed.
 *
 * Return: 0, -ENOENT for an event that the kernel doesn't have, or the negative
 * errno of tracefs: -EACCES or -EPERM without root, -ENODEV where there is none.
 */
int trace_open(const char *system, const char *const *events, size_t buffer_bytes,
	       struct trace **ret, struct err *err);

/** trace_close - remove the instance; NULL is fine */
void trace_close(struct trace *trace);

/** trace_start - forget what was recorded and begin; 0 or a negative errno */
int trace_start(struct trace *trace, struct err *err);

/** trace_stop - record no longer; 0 or a negative errno */
int trace_stop(struct trace *trace, struct err *err);

/**
 * trace_each - hand out what was recorded, in the order of time
 * @trace: stopped; its buffers are empty afterwards
 * @take: gets each event; whatever it returns but 0 ends the walk
 * @data: for @take
 * @err: says what failed
 *
 * Return: 0, what @take returned, or the negative errno of reading.
 */
int trace_each(struct trace *trace,
	       int (*take)(const struct trace_event *event, void *data), void *data,
	       struct err *err);

/**
 * trace_lost - how many events found no room since trace_start()
 * @ret: receives the number of all CPUs together
 *
 * Return: 0, or a negative errno when it can't be told.
 */
int trace_lost(const struct trace *trace, uint64_t *ret, struct err *err);

/**
 * trace_field - a number in an event
 * @name: of the field, such as "target_cpu"
 * @ret: receives it; written on success only
 *
 * Return: 0, or -ENOENT when the event has no such number.
 */
int trace_field(const struct trace_event *event, const char *name, int64_t *ret);

#endif
