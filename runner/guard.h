/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The guard: looks at the machine right before and right after an iteration
 * and says what happened in between that a reader of its samples must know.
 * A look reads a few files that stay open, so that it costs microseconds.
 */
#ifndef RUNNER_GUARD_H
#define RUNNER_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runner/cputime.h"

struct err;
struct guard;

enum {
	GUARD_MAX_POLICIES = 8, /* CPU frequency policies looked at, evenly spread */
	GUARD_MAX_REMARKS = 8,
	GUARD_TEXT_SIZE = 256,
};

/** What others may take of the CPUs' time unless the grid says otherwise. */
#define GUARD_MAX_FOREIGN 0.06

/**
 * struct guard_policy - one CPU frequency policy
 * @governor: its governor; empty when not known
 * @khz: frequency now; 0 when not known
 */
struct guard_policy {
	char governor[24];
	uint64_t khz;
};

/**
 * struct guard_snapshot - the machine at one moment
 * @monotonic_ns: CLOCK_MONOTONIC
 * @boottime_ns: CLOCK_BOOTTIME, which goes on while the machine is suspended
 * @realtime_ns: CLOCK_REALTIME
 * @taint: the kernel's taint word
 * @has_taint: @taint is known
 * @warning: first warning that the kernel logged since the look before; empty:
 *           none, or its log can't be read
 * @nr_warnings: how many
 * @online: list of the CPUs that are online, cut if long; empty: not known
 * @online_digest: of the whole list
 * @cpu: where the CPUs' time went, up to a tenth of a second before
 * @policy: frequency policies
 * @nr_policies: how many
 */
struct guard_snapshot {
	uint64_t monotonic_ns, boottime_ns, realtime_ns;
	uint64_t taint;
	bool has_taint;
	char warning[GUARD_TEXT_SIZE];
	uint64_t nr_warnings;
	char online[GUARD_TEXT_SIZE];
	uint64_t online_digest;
	struct cputime cpu;
	struct guard_policy policy[GUARD_MAX_POLICIES];
	size_t nr_policies;
};

/**
 * struct guard_report - what happened between two looks
 * @flags: of enum record_flag
 * @suspended: why the iteration must be done again; empty when it needn't
 * @foreign: others' share of the CPUs' time, see cputime_foreign(); absent where
 *           the time was too short for the ticks, as @has_foreign says
 * @remarks: one sentence each
 * @nr_remarks: how many
 */
struct guard_report {
	unsigned int flags;
	bool has_foreign;
	double foreign;
	char suspended[GUARD_TEXT_SIZE];
	char remarks[GUARD_MAX_REMARKS][GUARD_TEXT_SIZE];
	size_t nr_remarks;
};

/**
 * guard_open - get ready to look
 * @root: directory in front of /proc, /sys and /dev, "" for this host
 * @ret: the guard, to be closed by guard_close(); written on success only
 * @err: says what failed
 *
 * What isn't there, or not for this user, stays unknown in every look.
 *
 * Return: 0 or -ENOMEM.
 */
int guard_open(const char *root, struct guard **ret, struct err *err);

/**
 * guard_look - the machine now
 *
 * The CPUs' time, which CPUs are online and the frequency policies are those of the
 * look before when that is younger than a tenth of a second.
 */
void guard_look(struct guard *guard, struct guard_snapshot *ret);

/**
 * guard_look_before - the machine before an iteration
 *
 * The look after the last iteration stands for it when it is younger than a
 * tenth of a second: what happens in between then counts for the next one.
 */
void guard_look_before(struct guard *guard, struct guard_snapshot *ret);

/**
 * guard_forget - the machine is another now
 *
 * What the look after the last iteration saw is not what the next one begins with.
 */
void guard_forget(struct guard *guard);

/**
 * guard_judge - what happened from @before to @after; looks at nothing else
 * @max_foreign: others' share of the CPUs' time that is still no interference; 0
 *               when it can't be told or needn't
 */
void guard_judge(const struct guard_snapshot *before, const struct guard_snapshot *after,
		 double max_foreign, struct guard_report *ret);

/** guard_is_warning - whether a line of the kernel's log is a warning of its own */
bool guard_is_warning(const char *message);

/** guard_close - NULL is fine */
void guard_close(struct guard *guard);

#endif
