// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading and subtracting the CPUs' time; see cputime.h. */
#include "runner/cputime.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "lib/clock.h"

/* Fields of the line "cpu  user nice system idle iowait irq softirq steal ...". */
enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, NR_FIELDS };

static uint64_t timeval_ns(const struct timeval *time)
{
	return (uint64_t)time->tv_sec * CLOCK_SEC + (uint64_t)time->tv_usec * 1000;
}

static uint64_t usage_ns(__rusage_who_t who)
{
	struct rusage usage;

	if (getrusage(who, &usage))
		return 0;
	return timeval_ns(&usage.ru_utime) + timeval_ns(&usage.ru_stime);
}

/* False when a field is missing: before steal was counted there were fewer. */
static bool parse_fields(const char *text, uint64_t field[NR_FIELDS])
{
	char *end;
	int i;

	if (strncmp(text, "cpu ", 4) != 0)
		return false;
	text += 4;
	for (i = 0; i < NR_FIELDS; i++) {
		field[i] = strtoull(text, &end, 10);
		if (end == text)
			return false;
		text = end;
	}
	return true;
}

void cputime_read(int stat_fd, struct cputime *ret)
{
	uint64_t field[NR_FIELDS];
	char text[256];
	ssize_t got = stat_fd < 0 ? -1 : pread(stat_fd, text, sizeof(text) - 1, 0);
	int i;

	*ret = (struct cputime){ .at_ns = clock_ns() };
	text[got > 0 ? got : 0] = '\0';
	if (!parse_fields(text, field))
		return;
	ret->task_ticks = field[USER] + field[NICE] + field[SYSTEM];
	ret->irq_ticks = field[IRQ] + field[SOFTIRQ];
	ret->steal_ticks = field[STEAL];
	for (i = 0; i < NR_FIELDS; i++)
		ret->all_ticks += field[i];
	ret->own_ns = usage_ns(RUSAGE_SELF) + usage_ns(RUSAGE_CHILDREN);
}

bool cputime_foreign(const struct cputime *before, const struct cputime *after,
		     struct cputime_foreign *ret)
{
	enum { NR_COUNTERS = 3 };
	const double tick_ns = (double)CLOCK_SEC / (double)sysconf(_SC_CLK_TCK);
	double all_ns, wall_ns, task_ns;

	/* The counters of a CPU that goes away go with it. */
	if (!before->all_ticks || after->all_ticks <= before->all_ticks ||
	    after->at_ns <= before->at_ns || after->task_ticks < before->task_ticks ||
	    after->irq_ticks < before->irq_ticks)
		return false;
	wall_ns = (double)(after->at_ns - before->at_ns);
	all_ns = tick_ns * (double)(after->all_ticks - before->all_ticks);
	task_ns = tick_ns * (double)(after->task_ticks - before->task_ticks);
	ret->share = (task_ns - (double)(after->own_ns - before->own_ns)) / all_ns;
	ret->irq_share =
		tick_ns * (double)(after->irq_ticks - before->irq_ticks) / all_ns;
	ret->error = tick_ns * (all_ns / wall_ns + NR_COUNTERS) / all_ns;
	return true;
}
