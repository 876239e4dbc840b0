/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests of calls: jumps out of functions, signals, and a tour of what a process can ask. */
#ifndef BENCHMARKS_REAIM_CALLS_H
#define BENCHMARKS_REAIM_CALLS_H

#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <termios.h>
#include <time.h>

#include "benchmarks/reaim/amounts.h"
#include "benchmarks/reaim/work.h"

enum { CALLS_BUFFER = 2048 };

/* Not a tail call: each step has a frame of its own. */
static __attribute__((noinline)) int calls_dive(jmp_buf back, int depth)
{
	volatile int here = depth;

	if (here < 0)
		return here;
	if (!here)
		longjmp(back, 1);
	return calls_dive(back, depth - 1) + here;
}

static inline int job_jmp_test(struct work *work)
{
	volatile int nr = 0;
	jmp_buf back;

	while (nr < AMOUNT_JUMPS) {
		if (!setjmp(back))
			nr = calls_dive(back, AMOUNT_JUMP_DEPTH);
		nr = nr + 1;
	}
	work->sink = nr;
	return 0;
}

/* Counted in the handler: volatile, or a loop that waits for it would never see it. */
static volatile sig_atomic_t calls_signals;

static inline void calls_take_signal(int sig)
{
	(void)signal(sig, calls_take_signal);
	calls_signals = calls_signals + 1;
}

static inline int job_signal_test(struct work *work)
{
	int i;

	calls_signals = 0;
	(void)signal(SIGUSR2, calls_take_signal);
	for (i = 0; i < AMOUNT_SIGNALS; i++) {
		if (kill(getpid(), SIGUSR2))
			return work_fail(work, "cannot signal");
	}
	(void)signal(SIGUSR2, SIG_IGN);
	return calls_signals == AMOUNT_SIGNALS ? 0
					       : work_wrong(work, "a signal was lost");
}

/*
 * Whether /etc/passwd has root, or with @uid that user. Read here and not by the C
 * library's look-ups: those may ask servers, and a static program has none of them.
 */
static inline bool calls_has_user(const uid_t *uid)
{
	FILE *file = fopen("/etc/passwd", "re");
	struct passwd user, *found = NULL;
	char line[CALLS_BUFFER];

	while (file && !fgetpwent_r(file, &user, line, sizeof(line), &found)) {
		if (uid ? user.pw_uid == *uid : !strcmp(user.pw_name, "root"))
			break;
		found = NULL;
	}
	if (file)
		(void)fclose(file);
	return found != NULL;
}

static inline bool calls_has_group(gid_t gid)
{
	FILE *file = fopen("/etc/group", "re");
	struct group group, *found = NULL;
	char line[CALLS_BUFFER];

	while (file && !fgetgrent_r(file, &group, line, sizeof(line), &found)) {
		if (group.gr_gid == gid)
			break;
		found = NULL;
	}
	if (file)
		(void)fclose(file);
	return found != NULL;
}

/* Whether a user or group has an entry is not ours to judge: a guest has no files. */
static inline int job_misc_rtns_1(struct work *work)
{
	static gid_t groups[NGROUPS_MAX];
	char buffer[CALLS_BUFFER];
	struct termios terminal = { 0 };
	struct utsname name;
	struct tms tms;
	uid_t uid;
	int i;

	for (i = 0; i < AMOUNT_MISC; i++) {
		if (!getcwd(buffer, sizeof(buffer)) || uname(&name) ||
		    getgroups(NGROUPS_MAX, groups) < 0)
			return work_fail(work, "a simple call");
		work->sink = (double)clock() + (double)times(&tms) + getpid() +
			     getpgrp() + getppid() + getuid() + geteuid() + getgid() +
			     getegid() + (double)cfgetispeed(&terminal) +
			     (double)cfgetospeed(&terminal) + (environ[0] != NULL);
		uid = getuid();
		work->sink = calls_has_user(NULL) + calls_has_user(&uid) +
			     calls_has_group(getgid());
		work->sink = isatty(STDIN_FILENO) +
			     ttyname_r(STDIN_FILENO, buffer, sizeof(buffer));
	}
	return 0;
}

#endif
