// SPDX-License-Identifier: GPL-2.0-or-later
/* What the difference of two looks means; see guard.h. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lib/clock.h"
#include "record/record.h"
#include "runner/guard.h"

/* Clocks are read one after the other, so they never agree to the last bit. */
#define CLOCK_SLACK_NS ((int64_t)(CLOCK_SEC / 20))

static void remark(struct guard_report *report, unsigned int flag, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static void remark(struct guard_report *report, unsigned int flag, const char *fmt, ...)
{
	va_list args;

	report->flags |= flag;
	if (report->nr_remarks == GUARD_MAX_REMARKS)
		return;
	va_start(args, fmt);
	(void)vsnprintf(report->remarks[report->nr_remarks++], GUARD_TEXT_SIZE, fmt,
			args);
	va_end(args);
}

bool guard_is_warning(const char *message)
{
	/* At the start of the line: drivers and mitigations use the words inside. */
	static const char *const starts[] = {
		"WARNING: ",
		"BUG: ",
		"Oops",
		"kernel BUG at ",
		"Internal error: ",
		"Unable to handle kernel ",
		"general protection fault",
		"watchdog: BUG: ",
		"INFO: task ",
		"INFO: rcu",
		"rcu: INFO: ",
		"Kernel panic ",
	};
	size_t i;

	for (i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
		if (!strncmp(message, starts[i], strlen(starts[i])))
			return true;
	return false;
}

static void judge_clocks(const struct guard_snapshot *before,
			 const struct guard_snapshot *after, struct guard_report *report)
{
	int64_t boottime = (int64_t)(after->boottime_ns - before->boottime_ns);
	int64_t suspended =
		boottime - (int64_t)(after->monotonic_ns - before->monotonic_ns);
	int64_t stepped = (int64_t)(after->realtime_ns - before->realtime_ns) - boottime;

	if (suspended > CLOCK_SLACK_NS)
		(void)snprintf(report->suspended, sizeof(report->suspended),
			       "the machine was suspended for %.1f s meanwhile",
			       (double)suspended / (double)CLOCK_SEC);
	if (stepped > CLOCK_SLACK_NS || stepped < -CLOCK_SLACK_NS)
		remark(report, 0, "the clock of the day was set %s by %.3f s",
		       stepped > 0 ? "forward" : "back",
		       (double)(stepped > 0 ? stepped : -stepped) / (double)CLOCK_SEC);
}

static void judge_kernel(const struct guard_snapshot *before,
			 const struct guard_snapshot *after, struct guard_report *report)
{
	if (before->has_taint && after->has_taint && before->taint != after->taint)
		remark(report, RECORD_KERNEL_WARNING,
		       "the kernel's taint changed from %" PRIu64 " to %" PRIu64,
		       before->taint, after->taint);
	if (after->nr_warnings)
		remark(report, RECORD_KERNEL_WARNING,
		       "the kernel logged %" PRIu64 " warning%s, the first: %.160s",
		       after->nr_warnings, after->nr_warnings == 1 ? "" : "s",
		       after->warning);
}

static void judge_settings(const struct guard_snapshot *before,
			   const struct guard_snapshot *after,
			   struct guard_report *report)
{
	size_t i;

	if (*before->online && *after->online &&
	    before->online_digest != after->online_digest)
		remark(report, RECORD_SETTING_CHANGED,
		       "the CPUs that are online changed from %.80s to %.80s",
		       before->online, after->online);
	for (i = 0; i < before->nr_policies && i < after->nr_policies; i++) {
		const char *old = before->policy[i].governor;
		const char *new = after->policy[i].governor;

		if (!*old || !*new || !strcmp(old, new))
			continue;
		remark(report, RECORD_SETTING_CHANGED,
		       "the frequency governor changed from %s to %s", old, new);
		break;
	}
}

static void judge_steal(const struct guard_snapshot *before,
			const struct guard_snapshot *after, struct guard_report *report)
{
	const double most_percent = 2.0;
	uint64_t all, steal;
	double percent;

	/* The counters of a CPU that goes away go with it. */
	if (!before->cpu.all_ticks || after->cpu.all_ticks <= before->cpu.all_ticks ||
	    after->cpu.steal_ticks <= before->cpu.steal_ticks)
		return;
	all = after->cpu.all_ticks - before->cpu.all_ticks;
	/* A tick is counted where it ends: one may be the look's before. */
	steal = after->cpu.steal_ticks - before->cpu.steal_ticks - 1;
	percent = 100.0 * (double)steal / (double)all;
	if (percent > most_percent)
		remark(report, RECORD_INTERFERED,
		       "the hypervisor took at least %.1f%% of the CPUs' time", percent);
}

static void judge_frequency(const struct guard_snapshot *before,
			    const struct guard_snapshot *after,
			    struct guard_report *report)
{
	size_t i;

	for (i = 0; i < before->nr_policies && i < after->nr_policies; i++) {
		uint64_t old = before->policy[i].khz;
		uint64_t new = after->policy[i].khz;
		uint64_t step = old > new ? old - new : new - old;

		/* A tenth: less is what a processor does all the time. */
		if (!old || !new || step * 10 <= old)
			continue;
		remark(report, 0,
		       "a CPU's frequency was %" PRIu64 " MHz before and %" PRIu64
		       " MHz after",
		       old / 1000, new / 1000);
		break;
	}
}

/*
 * Flagged only where the ticks leave no doubt, in both directions: when we were
 * charged with more than the CPUs spent, the accounting can't be relied on. What
 * interrupts took may be in our own time or not, so neither side counts it.
 */
static void judge_foreign(const struct guard_snapshot *before,
			  const struct guard_snapshot *after, double max_foreign,
			  struct guard_report *report)
{
	struct cputime_foreign found;
	double most, least;

	if (max_foreign <= 0.0 || !cputime_foreign(&before->cpu, &after->cpu, &found))
		return;
	report->has_foreign = found.error <= max_foreign / 2.0;
	report->foreign = report->has_foreign ? found.share : 0.0;
	least = found.share - found.error;
	most = found.share + found.irq_share + found.error;
	if (least > max_foreign)
		remark(report, RECORD_INTERFERED,
		       "others took at least %.1f%% of the CPUs' time", 100.0 * least);
	else if (most < -max_foreign)
		remark(report, RECORD_INTERFERED,
		       "the program was charged with at least %.1f%% more of the CPUs' "
		       "time than they spent",
		       -100.0 * most);
}

void guard_judge(const struct guard_snapshot *before, const struct guard_snapshot *after,
		 double max_foreign, struct guard_report *ret)
{
	*ret = (struct guard_report){ 0 };
	judge_clocks(before, after, ret);
	judge_kernel(before, after, ret);
	judge_settings(before, after, ret);
	judge_steal(before, after, ret);
	judge_foreign(before, after, max_foreign, ret);
	judge_frequency(before, after, ret);
}
