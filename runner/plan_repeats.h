/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a grid asks for twice on this machine only; private to runner/plan*.c. */
#ifndef RUNNER_PLAN_REPEATS_H
#define RUNNER_PLAN_REPEATS_H

struct err;
struct plan;

/**
 * plan_check_repeats - refuse two cells of one column that are the same
 * @plan: with all of its cells
 * @err: names the later one with its place in the grid
 *
 * Return: 0, -EINVAL or -ENOMEM.
 */
int plan_check_repeats(const struct plan *plan, struct err *err);

#endif
