/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Directories that other suites left, as importers walk them. */
#ifndef COMPARE_IMPORT_DIR_H
#define COMPARE_IMPORT_DIR_H

#include <stdbool.h>
#include <stddef.h>

struct err;

/**
 * struct import_dir - the names in a directory, numbers in them by value
 * @names: owned, without those that begin with a dot
 * @nr_names: how many
 */
struct import_dir {
	char **names;
	size_t nr_names;
};

/**
 * import_dir_read - list a directory
 * @dir: receives the names; to be released by import_dir_release(), also after a failure
 * @path: of the directory
 * @err: names it
 *
 * Return: 0, -ENOTDIR for a file, or another negative errno.
 */
int import_dir_read(struct import_dir *dir, const char *path, struct err *err);

/** import_dir_release - free the names */
void import_dir_release(struct import_dir *dir);

/** import_dir_exists - whether @path is a directory */
bool import_dir_exists(const char *path);

/**
 * import_dir_name - the last part of where @path really is
 * @path: of something that is there
 *
 * Return: the caller's to free(); NULL: not there, or no memory.
 */
char *import_dir_name(const char *path);

/**
 * import_dir_of - the name of the directory that a file is in
 *
 * Return: the caller's to free(); NULL: not there, or no memory.
 */
char *import_dir_of(const char *path);

#endif
