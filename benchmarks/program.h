/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the native programs of the workloads share: how they take options, read
 * the clock, and say that something went wrong.
 *
 * Everything is static and uses libc only, because a program stays one small
 * translation unit: what it maps is copied and torn down with every process that
 * it forks, and so is part of the figure. What a program doesn't call isn't in it.
 */
#ifndef BENCHMARKS_PROGRAM_H
#define BENCHMARKS_PROGRAM_H

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "benchmarks/exit.h"

enum {
	PROGRAM_CACHE_LINE = 64,
	PROGRAM_STACK_BYTES = 256 << 10,
	PROGRAM_ENDED_EARLY = 255, /* a task's code beside errno: its partner is gone */
};

/** program_now_ns - CLOCK_MONOTONIC */
static inline uint64_t program_now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

/** program_whole - read a whole number from 1 to @max; 0, or -1 for anything else */
static inline int program_whole(const char *text, uint64_t max, uint64_t *ret)
{
	uint64_t value = 0;

	if (*text == '0' || !*text)
		return -1;
	for (; *text; text++) {
		if (*text < '0' || *text > '9')
			return -1;
		value = value * 10 + (uint64_t)(*text - '0');
		if (value > max)
			return -1;
	}
	*ret = value;
	return 0;
}

/** program_value - what follows "--@name=" in @arg; NULL when @arg is anything else */
static inline const char *program_value(const char *arg, const char *name)
{
	size_t len = strlen(name);

	if (strncmp(arg, "--", 2) != 0 || strncmp(arg + 2, name, len) != 0 ||
	    arg[2 + len] != '=')
		return NULL;
	return arg + 2 + len + 1;
}

/** program_number - read "--@name=N", N from 1 to @max; 0, or -1 for anything else */
static inline int program_number(const char *arg, const char *name, uint64_t max,
				 uint64_t *ret)
{
	const char *text = program_value(arg, name);

	return text ? program_whole(text, max, ret) : -1;
}

/**
 * program_find - which of the options @arg is
 * @arg: such as "--task=process"
 * @names: of the options, such as "task"
 * @nr: how many there are
 * @ret: receives the option's value
 *
 * Return: the index of its name; @nr when it is none of them.
 */
static inline size_t program_find(const char *arg, const char *const *names, size_t nr,
				  const char **ret)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		*ret = program_value(arg, names[i]);
		if (*ret)
			break;
	}
	return i;
}

/** program_complain - say what failed, and the errno why; -1 */
static inline int program_complain(const char *program, const char *what, int code)
{
	fprintf(stderr, "%s: %s: %s\n", program, what, strerror(code));
	return -1;
}

/** program_flush - have the result written; 0, or -1 with the reason said */
static inline int program_flush(const char *program)
{
	if (!fflush(stdout) && !ferror(stdout))
		return 0;
	return program_complain(program, "cannot write the result", errno);
}

/** program_leave - end: with code 0 @text is the result, else why there is none */
static inline _Noreturn void program_leave(const char *program, int code,
					   const char *text)
{
	if (code) {
		fprintf(stderr, "%s: %s\n", program, text);
		exit(code);
	}
	printf("%s\n", text);
	exit(program_flush(program) ? 1 : 0);
}

/**
 * program_lines - memory on cache lines of its own, all 0
 * @nr: of elements
 * @size: of an element, a multiple of PROGRAM_CACHE_LINE
 *
 * Return: the caller's to free(), or NULL.
 */
static inline void *program_lines(uint64_t nr, size_t size)
{
	void *memory = aligned_alloc(PROGRAM_CACHE_LINE, (size_t)nr * size);

	return memory ? memset(memory, 0, (size_t)nr * size) : NULL;
}

/** program_follow - have this process killed when @parent, which forked it, ends */
static inline void program_follow(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(PROGRAM_ENDED_EARLY);
}

#endif
