/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The programs that workloads run: where they are and which build they are.
 * A column measured with one build of a program is no match for a column
 * measured with another.
 */
#ifndef RUNNER_PROGRAM_H
#define RUNNER_PROGRAM_H

#include <stdbool.h>

struct err;
struct workload;

/** Where programs of others are looked up, whatever the user's PATH. */
#define PROGRAM_PATH "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

/**
 * struct program - a program, and which build of it is here
 * @word: the grid's word for it, such as "native" or "rt-tests"
 * @name: what is looked for, such as "hackbench"
 * @path: absolute; NULL: not installed, and so is the rest
 * @version: as it tells itself, NULL when it doesn't; then those it starts
 * @sha256: of the file at @path; of a program that starts others, of all digests
 * @is_own: it is the suite's
 */
struct program {
	char *word, *name, *path, *version, *sha256;
	bool is_own;
};

/**
 * program_find - find and identify the program that does a workload's work
 * @workload: whose
 * @folder: where a command with a relative path begins
 * @ret: to be released by program_release(); filled on success only
 * @err: names the file that is missing or can't be read
 *
 * The suite's own lie beside the running schedgrid in programs/, as built, or
 * in ../libexec/schedgrid/, as installed. Those of others are looked up in
 * PROGRAM_PATH, and started once to ask for their version. Where the command is a
 * path with a '*', the greatest that is there is taken, by the numbers in it.
 *
 * Return: 0, also when a program of others isn't installed; -ETIME when it doesn't tell
 * its version in time, -ECHILD when it was killed while it should; or another negative
 * errno.
 */
int program_find(const struct workload *workload, const char *folder, struct program *ret,
		 struct err *err);

/**
 * program_missing - say that the program isn't installed
 * @workload: whose
 * @err: receives the sentence, with the package that brings it
 *
 * Return: -ENOENT.
 */
int program_missing(const struct workload *workload, struct err *err);

/**
 * program_check - refuse a build that the workload can't use
 * @workload: whose, see its bench_program's versions
 * @program: installed
 * @err: says what was found and what was expected
 *
 * Return: 0 or -EOPNOTSUPP.
 */
int program_check(const struct workload *workload, const struct program *program,
		  struct err *err);

/**
 * program_beside - the path of a program that belongs to another
 * @program: installed
 * @name: looked up in its folder, then in PROGRAM_PATH
 * @ret: the caller's to free(); NULL on failure
 * @err: says where it isn't; not NULL
 *
 * Return: 0, -ENOENT or -ENOMEM.
 */
int program_beside(const struct program *program, const char *name, char **ret,
		   struct err *err);

/** program_release - free the strings */
void program_release(struct program *program);

#endif
