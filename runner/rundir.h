/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The directory of a run: made on the first start, and on every later one
 * held against the plan, so that nothing is ever added under a false label.
 */
#ifndef RUNNER_RUNDIR_H
#define RUNNER_RUNDIR_H

#include <stdbool.h>
#include <stdint.h>

struct err;
struct plan;

/**
 * struct rundir_more - iterations to add for good
 * @nr: to each cell
 * @cells: which cells of the plan get them; NULL: all
 */
struct rundir_more {
	uint64_t nr;
	const bool *cells;
};

/**
 * struct rundir_length - how many iterations of each cell the run is to have
 * @iterations: all that was added to all cells included; where it is open, at most
 * @extra: what single cells have beside these, in the plan's order; owned
 * @most: of any cell
 * @is_open: a precision ends it, which isn't reached yet
 * @stopped: why it stopped, where a precision or its limits ended it; else NULL;
 *           owned
 */
struct rundir_length {
	uint64_t iterations, most;
	uint64_t *extra;
	bool is_open;
	char *stopped;
};

/**
 * rundir_check - refuse a directory that isn't there for this
 * @dir: may be absent or empty, or a run's
 *
 * Return: 0, -EEXIST for a directory with anything else in it, or another
 * negative errno.
 */
int rundir_check(const char *dir, struct err *err);

/** rundir_check_plan - 0 or, for a plan.json that can't be read, a negative errno */
int rundir_check_plan(const char *dir, struct err *err);

/**
 * rundir_has_output - whether the run kept output of any program
 * @dir: may be absent
 * @ret: receives the answer
 * @err: names the directory
 *
 * Return: 0 or a negative errno.
 */
int rundir_has_output(const char *dir, bool *ret, struct err *err);

/**
 * rundir_adopt - write the grid and the plan, or hold the plan against them
 * @dir: exists and is locked by the caller
 * @plan: what the caller is about to run
 * @more: what to add
 * @ret: receives the run's length, to be released; written on success only
 * @err: says what differs
 *
 * A run that a precision ends has none added before that.
 *
 * Return: 0, -EEXIST when another plan was run here, -EINVAL for @more that can't be
 * added, -EPROTO when what is there is damaged, or another negative errno.
 */
int rundir_adopt(const char *dir, const struct plan *plan, const struct rundir_more *more,
		 struct rundir_length *ret, struct err *err);

/**
 * rundir_look - hold the plan against a directory without writing anything
 *
 * As rundir_adopt(), for a directory that needs neither exist nor be locked.
 */
int rundir_look(const char *dir, const struct plan *plan, const struct rundir_more *more,
		struct rundir_length *ret, struct err *err);

/** rundir_length_release - free what it owns; an empty one is fine */
void rundir_length_release(struct rundir_length *length);

/**
 * rundir_stop - note that a precision, or one of its limits, ended the run
 * @dir: locked by the caller
 * @plan: of the run
 * @after: iterations that each cell has
 * @why: a sentence
 * @err: names the file
 *
 * Return: 0 or a negative errno.
 */
int rundir_stop(const char *dir, const struct plan *plan, uint64_t after, const char *why,
		struct err *err);

#endif
