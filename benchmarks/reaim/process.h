/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that start processes: forks, programs, and a shell with a script. */
#ifndef BENCHMARKS_REAIM_PROCESS_H
#define BENCHMARKS_REAIM_PROCESS_H

#include <stdlib.h>

#include "benchmarks/reaim/work.h"

/*
 * In the directory of the run. By its argument the script does nothing, lists
 * the directory, or does so after a sleep of 5 s.
 */
#define PROCESS_SCRIPT "script"
#define PROCESS_SCRIPT_TEXT                                 \
	"[ \"$1\" -gt 0 ] || exit 0\n[ \"$1\" -ge 10 ] || " \
	"sleep 5\nls -l / > /dev/null\n"

static inline int job_fork_test(struct work *work)
{
	int i;

	for (i = 0; i < 100; i++) {
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

static inline int process_script(struct work *work, const char *argument)
{
	pid_t pid = fork();

	if (!pid) {
		(void)execl("/bin/sh", "sh", "../" PROCESS_SCRIPT, argument,
			    (char *)NULL);
		_exit(127);
	}
	if (pid < 0)
		return work_fail(work, "cannot fork");
	return work_await(work, pid, "a shell script");
}

static inline int job_exec_test(struct work *work)
{
	int bad = 0;
	int i;

	for (i = 0; !bad && i < 5; i++)
		bad = process_script(work, "0");
	return bad;
}

static inline int job_shell_rtns_1(struct work *work)
{
	return process_script(work, "10");
}

static inline int job_shell_rtns_2(struct work *work)
{
	return process_script(work, "9");
}

static inline int job_shell_rtns_3(struct work *work)
{
	return process_script(work, "11");
}

#endif
