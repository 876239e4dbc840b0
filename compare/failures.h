/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether iterations fail more often than before, which no mean of those that ran can
 * tell. */
#ifndef COMPARE_FAILURES_H
#define COMPARE_FAILURES_H

#include <stddef.h>

/** struct failures - how many of @total iterations failed */
struct failures {
	size_t failed, total;
};

/**
 * failures_p - two-sided p of Fisher's exact test
 *
 * The sum over all tables with the same margins that are no more likely than this one.
 *
 * Return: p, 1 when a side is empty.
 */
double failures_p(const struct failures *base, const struct failures *other);

#endif
