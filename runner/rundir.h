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
 * rundir_check - refuse a directory that isn't there for this
 * @dir: may be absent or empty, or a run's
 *
 * Return: 0, -EEXIST for a directory with anything else in it, or another
 * negative errno.
 */
int rundir_check(const char *dir, struct err *err);

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
 * @more: iterations to add for good
 * @ret_iterations: receives the iterations of each cell, all that was added
 *                  included; written on success only
 * @err: says what differs
 *
 * Return: 0, -EEXIST when another plan was run here, -EPROTO when what is there is
 * damaged, or another negative errno.
 */
int rundir_adopt(const char *dir, const struct plan *plan, uint64_t more,
		 uint64_t *ret_iterations, struct err *err);

/**
 * rundir_look - hold the plan against a directory without writing anything
 *
 * As rundir_adopt(), for a directory that needs neither exist nor be locked.
 */
int rundir_look(const char *dir, const struct plan *plan, uint64_t more,
		uint64_t *ret_iterations, struct err *err);

#endif
