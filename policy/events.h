/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A queue of events by time. Of events at one time the first that was put in comes out
 * first, so that a run doesn't depend on how the queue is built.
 */
#ifndef POLICY_EVENTS_H
#define POLICY_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct event - something that happens
 * @time_ns: when
 * @kind: what; the user's
 * @who: to whom; the user's
 * @stamp: the user's, such as to tell whether it is still wanted
 */
struct event {
	uint64_t time_ns;
	int kind, who;
	uint64_t stamp;
	/* Counts all that were put in. */
	uint64_t order;
};

/** struct events - the queue; all zero is empty */
struct events {
	struct event *heap;
	size_t nr, room;
	uint64_t nr_put;
};

/**
 * events_put - let @event happen; its order is set
 *
 * Return: 0 or -ENOMEM.
 */
int events_put(struct events *events, struct event event);

/** events_take - the next event goes to @ret; false: there is none */
bool events_take(struct events *events, struct event *ret);

/** events_release - drop all and free the memory; @events is empty again */
void events_release(struct events *events);

#endif
