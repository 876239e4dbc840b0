/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What clang-tidy can't see from one file: err_set() and err_nomem() return a negative
 * number. Without it, every out-parameter looks unset after a failure. Included by
 * "make lint" ahead of each file but lib/err.c, never by a build.
 */
#ifndef TOOLS_TIDY_H
#define TOOLS_TIDY_H

#include "lib/err.h"

static inline int tidy_negative(int code)
{
	return code < 0 ? code : -1;
}

#define err_set(...) tidy_negative(err_set(__VA_ARGS__))
#define err_nomem(err) tidy_negative(err_nomem(err))

#endif
