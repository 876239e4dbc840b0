// SPDX-License-Identifier: GPL-2.0-or-later
/* Looking at windows of time; see quiet.h. */
#include "runner/quiet.h"

#include <errno.h>
#include <stdint.h>

#include "lib/clock.h"
#include "lib/proc.h"
#include "runner/grid.h"
#include "runner/guard.h"

/* 50 ticks on each CPU: one of them more or less is 2% of its time. */
#define WINDOW_NS (CLOCK_SEC / 2)

int quiet_wait(const struct grid_quiet *rule, struct guard *guard,
	       struct proc_watch *watch, double *ret_busy)
{
	const uint64_t start_ns = clock_ns();
	struct guard_snapshot before, after;
	struct cputime_foreign found;

	guard_look(guard, &before);
	do {
		uint64_t end_ns = clock_ns() + WINDOW_NS;

		while (!watch->signal && proc_wait(watch, end_ns))
			;
		if (watch->signal)
			return -EINTR;
		guard_look(guard, &after);
		if (!cputime_foreign(&before.cpu, &after.cpu, &found) ||
		    found.share <= rule->max_foreign)
			return 0;
		before = after;
	} while (clock_ns() - start_ns < rule->wait_ns);
	*ret_busy = found.share;
	return -ETIMEDOUT;
}
