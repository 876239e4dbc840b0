/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that start processes: forks, programs, and a shell with a script. */
#ifndef BENCHMARKS_REAIM_PROCESS_H
#define BENCHMARKS_REAIM_PROCESS_H

#include <stdlib.h>

#include "benchmarks/reaim/amounts.h"
#include "benchmarks/reaim/work.h"

/* In the directory of the run: it lists a directory, or sleeps when told how long. */
#define PROCESS_SCRIPT "script"
#define PROCESS_SCRIPT_TEXT \
	"[ $# -gt 0 ] && exec sleep \"$1\"\nls -l / > /dev/null\nexit 0\n"

static inline int job_fork_test(struct work *work)
{
	int i;

	for (i = 0; i < AMOUNT_FORKS; i++) {
		pid_t pid = fork();

		if (!pid)
			_exit(0);
		if (pid < 0)
			return work_fail(work, "cannot fork");
		if (work_await(work, pid, "a forked child"))
			return -1;
	}
	return 0;
}

static inline int job_exec_test(struct work *work)
{
	int i;

	for (i = 0; i < AMOUNT_EXECS; i++) {
		pid_t pid = fork();

		if (!pid) {
			(void)execl("/bin/sh", "sh", "../" PROCESS_SCRIPT, (char *)NULL);
			_exit(127);
		}
		if (pid < 0)
			return work_fail(work, "cannot fork");
		if (work_await(work, pid, "a script"))
			return -1;
	}
	return 0;
}

/* A forked child starts a shell with @command, which starts the script. */
static inline int process_shell(struct work *work, const char *command)
{
	char sh[] = "sh", option[] = "-c";
	char *const argv[] = { sh, option, (char *)(uintptr_t)command, NULL };
	pid_t shell, pid = fork();

	if (!pid)
		_exit(posix_spawn(&shell, "/bin/sh", NULL, NULL, argv, environ) ||
		      work_await(work, shell, "a shell"));
	if (pid < 0)
		return work_fail(work, "cannot fork");
	return work_await(work, pid, "a shell script");
}

static inline int job_shell_rtns_1(struct work *work)
{
	return process_shell(work, "sh ../" PROCESS_SCRIPT);
}

static inline int job_shell_rtns_2(struct work *work)
{
	return process_shell(work, "sh ../" PROCESS_SCRIPT " 5");
}

static inline int job_shell_rtns_3(struct work *work)
{
	return process_shell(work, "sh ../" PROCESS_SCRIPT);
}

#endif
