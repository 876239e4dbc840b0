/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The profile of a machine: what a run of two columns that are the same says of it. How
 * often chance looks like a change here, and how much each workload varies. Kept as JSON,
 * schema "schedgrid-profile-1", and cited below tables of the same machine.
 */
#ifndef COMPARE_PROFILE_H
#define COMPARE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct jval;
struct table;

enum { PROFILE_KEY_SIZE = 17 };

/**
 * profile_machine - what tells one machine from another
 * @facts: of a host, as hosts/ files have them
 *
 * Name, processor and topology: a kernel that changes leaves it the same machine, fewer
 * CPUs make another one.
 *
 * Return: new object; NULL: out of memory.
 */
struct jval *profile_machine(const struct jval *facts);

/**
 * profile_machine_of - the one machine that runs were made on
 * @dirs: directories of runs
 * @nr_dirs: how many
 * @ret: receives it, the caller's; NULL where it isn't known, or there are several
 * @err: names the file that is damaged
 *
 * Return: 0 or a negative errno.
 */
int profile_machine_of(const char *const *dirs, size_t nr_dirs, struct jval **ret,
		       struct err *err);

/** profile_key - digits that stand for a machine in a file's name; 0 or -ENOMEM */
int profile_key(const struct jval *machine, char key[PROFILE_KEY_SIZE]);

/**
 * struct profile_origin - where a profile comes from
 * @machine: see profile_machine()
 * @grid: name of the grid
 * @kernel: release
 * @date: RFC 3339
 * @version: of the suite
 */
struct profile_origin {
	const struct jval *machine;
	const char *grid, *kernel, *date, *version;
};

/**
 * profile_new - the profile that a run of two equal columns gives
 * @table: judged
 * @origin: lent
 * @ret: new object, the caller's; written on success only
 * @err: says what is missing
 *
 * A false alarm is a primary row whose p, not adjusted, is at most alpha. "allowed" is
 * the largest number of them that has a chance above 2.5% (binomial), "rate_ci95" the
 * exact interval of their rate (Clopper and Pearson).
 *
 * Return: 0, -EINVAL where no row has a p, or -ENOMEM.
 */
int profile_new(const struct table *table, const struct profile_origin *origin,
		struct jval **ret, struct err *err);

/**
 * profile_load - read a profile
 * @path: the file
 * @ret: the object, the caller's; written on success only
 * @err: names the file
 *
 * Return: 0, -ENOENT, -EPROTO for what is damaged or of an unknown schema, or another
 * negative errno.
 */
int profile_load(const char *path, struct jval **ret, struct err *err);

/** profile_is_of - whether @profile was made on @machine */
bool profile_is_of(const struct jval *profile, const struct jval *machine);

/**
 * profile_line - "machine profile of 2026-11-30: 1 false alarm in 24 rows, CV 0.8..6.2%"
 *
 * Return: the caller's to free(); NULL: out of memory.
 */
char *profile_line(const struct jval *profile);

#endif
