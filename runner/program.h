/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The programs that workloads run: where they are and which build they are.
 * A column measured with one build of a program is no match for a column
 * measured with another.
 */
#ifndef RUNNER_PROGRAM_H
#define RUNNER_PROGRAM_H

struct err;

/**
 * struct program - one of the suite's own programs
 * @name: such as "hackbench"
 * @path: absolute
 * @sha256: of the file
 */
struct program {
	char *name, *path, *sha256;
};

/**
 * program_find - find and identify a program
 * @name: such as "hackbench"
 * @ret: to be released by program_release(); filled on success only
 * @err: names the file that is missing
 *
 * It lies beside the running schedgrid in programs/, as built, or in
 * ../libexec/schedgrid/, as installed.
 *
 * Return: 0 or a negative errno.
 */
int program_find(const char *name, struct program *ret, struct err *err);

/** program_release - free the strings */
void program_release(struct program *program);

#endif
