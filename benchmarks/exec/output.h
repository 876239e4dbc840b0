/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finding one number in what a command printed: by a regular expression that
 * must match exactly once, or by a path into one JSON value.
 */
#ifndef BENCHMARKS_EXEC_OUTPUT_H
#define BENCHMARKS_EXEC_OUTPUT_H

#include <stddef.h>

struct err;
struct jval;

/**
 * exec_check_regex - 0, or -EINVAL when it is invalid, has no group, or refers back to
 *                    one
 */
int exec_check_regex(const char *regex, struct err *err);
/** exec_check_path - 0, or -EINVAL when a part of it is empty */
int exec_check_path(const char *path, struct err *err);

/**
 * exec_regex_number - the number in the first group of the only match
 * @regex: as exec_check_regex() accepts it; ^ and $ are those of a line
 * @out: NUL-terminated at @len
 * @ret: written on success only
 *
 * The match is made apart (lib/apart.h): no expression can hold up the caller for long.
 *
 * Return: 0; -EPROTO, also when it takes too long; -EINTR when a signal to stop came;
 * or -ENOMEM.
 */
int exec_regex_number(const char *regex, const char *out, size_t len, double *ret,
		      struct err *err);

/** exec_path_number - the number at @path of @json; 0 or -EPROTO */
int exec_path_number(const char *path, const struct jval *json, double *ret,
		     struct err *err);

#endif
