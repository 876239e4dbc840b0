/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A copy of a run without what tells who measured where: names of the user and of
 * machines, and absolute paths. What compare needs is copied by a list of allowed keys;
 * raw output, the grid file and kernel configurations, where anything may stand, are not.
 */
#ifndef RUNNER_ANONYMIZE_H
#define RUNNER_ANONYMIZE_H

#include <stddef.h>

struct err;

enum { ANONYMIZE_MAX_NAMES = 1000 };

/**
 * struct anonymize_name - a name and what stands in its place
 * @name: owned
 * @instead: owned, such as "machine-1" or "user"
 */
struct anonymize_name {
	char *name, *instead;
};

/** struct anonymize_names - all of them, none twice */
struct anonymize_names {
	struct anonymize_name *name;
	size_t nr;
};

/**
 * anonymize_names_read - names of this user and this machine, and of a run's machines
 * @dir: directory of the run
 * @ret: to be released by anonymize_names_release(), after a failure too
 * @err: names the file that can't be read
 *
 * Return: 0 or a negative errno.
 */
int anonymize_names_read(const char *dir, struct anonymize_names *ret, struct err *err);

/** anonymize_names_release - free all of it; zeroed ones are fine */
void anonymize_names_release(struct anonymize_names *names);

/**
 * anonymize_text - a text without the names, where they stand as words, and paths
 *
 * Return: the caller's to free(); NULL: no memory.
 */
char *anonymize_text(const struct anonymize_names *names, const char *text);

/**
 * anonymize_run - copy a run without them
 * @dir: directory of the run
 * @names: of anonymize_names_read()
 * @out: directory of the copy; made
 * @err: names the file that can't be read or written
 *
 * Return: 0, -EPROTO for a damaged file, or another negative errno.
 */
int anonymize_run(const char *dir, const struct anonymize_names *names, const char *out,
		  struct err *err);

#endif
