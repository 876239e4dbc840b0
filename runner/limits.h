/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Limits of the host that an iteration would run into: looked at before it
 * starts, raised where that is allowed, and named with the number needed
 * where it isn't. Each sentence says where the limit is.
 */
#ifndef RUNNER_LIMITS_H
#define RUNNER_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

struct bench_needs;
struct err;

/**
 * struct limits_host - whose limits
 * @root: directory in front of /proc and the control groups; "" for this host
 * @is_privileged: the user's own limit of tasks doesn't hold
 */
struct limits_host {
	const char *root;
	bool is_privileged;
};

/**
 * limits_provide - make room for one iteration here, or say what is in the way
 * @needs: what the iteration takes
 * @err: names the limit, its value and the number needed
 *
 * Raises the soft limits of open descriptors and of tasks of this process,
 * which children inherit; nothing else is changed.
 *
 * Return: 0 or -EOPNOTSUPP.
 */
int limits_provide(const struct bench_needs *needs, struct err *err);

/** limits_provide_at - likewise by the files of @host */
int limits_provide_at(const struct limits_host *host, const struct bench_needs *needs,
		      struct err *err);

#endif
