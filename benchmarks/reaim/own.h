/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A user's own workfile, as the suite reads it: wrong ones are refused with their place. */
#ifndef BENCHMARKS_REAIM_OWN_H
#define BENCHMARKS_REAIM_OWN_H

#include <stdbool.h>

#include "benchmarks/reaim/workfile.h"

struct err;
struct workload;

/**
 * struct own - a workfile and the number that tells its bytes from another's
 */
struct own {
	struct workfile workfile;
	uint64_t sum;
};

/** own_is_asked - whether the mix is a workfile of the user's */
bool own_is_asked(const struct workload *workload);

/**
 * own_read - read a workfile
 * @path: of a regular file
 * @ret: what it says; @ret->sum is set whenever the file could be read
 * @err: says what is wrong, as PATH:LINE:COLUMN, with the nearest test
 *
 * Return: 0, -EPROTO when it is no workfile, or a negative errno.
 */
int own_read(const char *path, struct own *ret, struct err *err);

#endif
