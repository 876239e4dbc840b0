/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Limits of the host that an iteration would run into: looked at before it
 * starts, raised where that is allowed, and named with the number needed
 * where it isn't.
 */
#ifndef RUNNER_LIMITS_H
#define RUNNER_LIMITS_H

struct bench_needs;
struct err;

/**
 * limits_provide - make room for @needs, or say what is in the way
 * @needs: what the iteration takes
 * @err: names the limit, its value and the number needed
 *
 * Raises the soft limit of open descriptors of this process, which children
 * inherit; nothing else is changed.
 *
 * Return: 0 or -EOPNOTSUPP.
 */
int limits_provide(const struct bench_needs *needs, struct err *err);

#endif
