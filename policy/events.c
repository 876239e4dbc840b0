// SPDX-License-Identifier: GPL-2.0-or-later
/* A binary heap; see events.h. */
#include "policy/events.h"

#include <errno.h>
#include <stdlib.h>

static bool is_before(const struct event *a, const struct event *b)
{
	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns;
	return a->order < b->order;
}

int events_put(struct events *events, struct event event)
{
	size_t at = events->nr;

	if (at == events->room) {
		size_t room = events->room ? 2 * events->room : 64;
		struct event *heap = reallocarray(events->heap, room, sizeof(*heap));

		if (!heap)
			return -ENOMEM;
		events->heap = heap;
		events->room = room;
	}
	event.order = events->nr_put++;
	events->nr++;
	while (at && is_before(&event, &events->heap[(at - 1) / 2])) {
		events->heap[at] = events->heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	events->heap[at] = event;
	return 0;
}

bool events_take(struct events *events, struct event *ret)
{
	size_t at = 0;
	struct event last;

	if (!events->nr)
		return false;
	*ret = events->heap[0];
	last = events->heap[--events->nr];
	for (;;) {
		size_t child = 2 * at + 1;

		if (child + 1 < events->nr &&
		    is_before(&events->heap[child + 1], &events->heap[child]))
			child++;
		if (child >= events->nr || !is_before(&events->heap[child], &last))
			break;
		events->heap[at] = events->heap[child];
		at = child;
	}
	events->heap[at] = last;
	return true;
}

void events_release(struct events *events)
{
	free(events->heap);
	*events = (struct events){ .heap = NULL };
}
