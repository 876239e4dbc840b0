/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The work done by an installed reaim instead: it gets a workfile and a
 * configuration in the directory of the run, which goes with it, and prints its
 * own lines.
 */
#ifndef BENCHMARKS_REAIM_UPSTREAM_H
#define BENCHMARKS_REAIM_UPSTREAM_H

#include <inttypes.h>

#include "benchmarks/reaim/options.h"
#include "benchmarks/reaim/point.h"

#define UPSTREAM_WORKFILE "workfile"
#define UPSTREAM_CONFIG	  "config"

/* The mix and the sizes that the grid has settled, and the directory. */
static inline int upstream_write(const struct options *options, const struct place *place)
{
	static const char config[] = "DISKDIR .\n";
	char text[(REAIM_NR_TESTS + 2) * 40];
	size_t len = 0;
	int test;

	for (test = 0; test < REAIM_NR_TESTS; test++) {
		if (options->workfile.weight[test])
			len += (size_t)snprintf(
				text + len, sizeof(text) - len, "%" PRIu64 " %s\n",
				options->workfile.weight[test], reaim_test_names[test]);
	}
	len += (size_t)snprintf(text + len, sizeof(text) - len,
				"FILESIZE: %" PRIu64 "K\nPOOLSIZE: %" PRIu64 "K\n",
				options->filesize, options->poolsize);
	return place_write(place->fd, UPSTREAM_WORKFILE, text, len) ||
			       place_write(place->fd, UPSTREAM_CONFIG, config,
					   strlen(config))
		       ? -1
		       : 0;
}

static inline _Noreturn void upstream_exec(const struct options *options,
					   const struct place *place, pid_t parent)
{
	char users[24], jobs[24], repeat[24];
	const char *argv[] = { "reaim",
			       "-s",
			       users,
			       "-e",
			       users,
			       "-i",
			       "1",
			       "-t",
			       "-r",
			       repeat,
			       "-j",
			       jobs,
			       "-f",
			       UPSTREAM_WORKFILE,
			       "-c",
			       UPSTREAM_CONFIG,
			       "-l",
			       "log",
			       options->sync == WORK_OFF ? "-y" : NULL,
			       NULL };
	sigset_t none;

	(void)setpgid(0, 0);
	program_follow(parent);
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	(void)snprintf(users, sizeof(users), "%" PRIu64, options->users);
	(void)snprintf(jobs, sizeof(jobs), "%" PRIu64, options->jobs);
	(void)snprintf(repeat, sizeof(repeat), "%" PRIu64, options->repeat);
	if (!fchdir(place->fd))
		(void)execvp(argv[0], (char *const *)(uintptr_t)argv);
	_exit(127);
}

/** upstream_run - run reaim in @place; 0, or -1 with the reason */
static inline int upstream_run(const struct options *options, const struct place *place,
			       char reason[POINT_REASON])
{
	pid_t parent = getpid();
	int status = 0;
	pid_t pid;

	if (upstream_write(options, place)) {
		(void)snprintf(reason, POINT_REASON, "cannot write a workfile: %s",
			       strerror(errno));
		return -1;
	}
	pid = fork();
	if (!pid)
		upstream_exec(options, place, parent);
	if (pid < 0) {
		(void)snprintf(reason, POINT_REASON, "cannot fork: %s", strerror(errno));
		return -1;
	}
	(void)setpgid(pid, pid);
	point_group = pid;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	/* Whatever of it is left; it has a process group of its own. */
	point_kill();
	point_group = 0;
	if (!status)
		return 0;
	if (WIFSIGNALED(status))
		(void)snprintf(reason, POINT_REASON, "reaim was killed by signal %d (%s)",
			       WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		(void)snprintf(reason, POINT_REASON, "reaim ended with exit status %d%s",
			       WEXITSTATUS(status),
			       WEXITSTATUS(status) == 127 ? ": is it installed?" : "");
	return -1;
}

#endif
