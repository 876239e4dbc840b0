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

struct err;
struct guard;

enum {
	GUARD_MAX_POLICIES = 8, /* CPU frequency policies looked at, evenly spread */
	GUARD_MAX_REMARKS = 8,
	GUARD_TEXT_SIZE = 256,
};

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
 * @steal_ticks: time that the hypervisor took from the CPUs, of all of them
 * @all_ticks: all time of all CPUs; 0 when neither is known
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
	uint64_t steal_ticks, all_ticks;
	struct guard_policy policy[GUARD_MAX_POLICIES];
	size_t nr_policies;
};

/**
 * struct guard_report - what happened between two looks
 * @flags: of enum record_flag
 * @suspended: why the iteration must be done again; empty when it needn't
 * @remarks: one sentence each
 * @nr_remarks: how many
 */
struct guard_report {
	unsigned int flags;
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

/** guard_look - the machine now */
void guard_look(struct guard *guard, struct guard_snapshot *ret);

/**
 * guard_look_before - the machine before an iteration
 *
 * The look after the last iteration stands for it when it is younger than a
 * tenth of a second: what happens in between then counts for the next one.
 */
void guard_look_before(struct guard *guard, struct guard_snapshot *ret);

/** guard_judge - what happened from @before to @after; looks at nothing else */
void guard_judge(const struct guard_snapshot *before, const struct guard_snapshot *after,
		 struct guard_report *ret);

/** guard_is_warning - whether a line of the kernel's log is a warning of its own */
bool guard_is_warning(const char *message);

/** guard_close - NULL is fine */
void guard_close(struct guard *guard);

#endif
