// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Starts a program, waits for it, and writes down how it ended: for use under programs
 * that lose that, as perf stat does with a program that is killed, or that ends before
 * perf gets to wait for it.
 *
 *   witness FILE PROGRAM ARG...
 *
 * FILE must not be there yet. It receives "exited CODE" or "killed SIGNAL".
 */
#include "benchmarks/program.h"

#include <fcntl.h>
#include <sys/wait.h>

enum { USAGE = 2, NOT_STARTED = 127, KILLED = 128 };

static const char me[] = "witness";

static int write_end(const char *path, int status)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	int bad;

	if (fd < 0)
		return program_complain(me, path, errno);
	if (WIFSIGNALED(status))
		bad = dprintf(fd, "killed %d\n", WTERMSIG(status)) < 0;
	else
		bad = dprintf(fd, "exited %d\n", WEXITSTATUS(status)) < 0;
	if (close(fd) || bad)
		return program_complain(me, path, errno);
	return 0;
}

int main(int argc, char **argv)
{
	pid_t self = getpid();
	int status;
	pid_t pid;

	if (argc < 3)
		program_leave(me, USAGE, "expected FILE PROGRAM ARG...");
	/* Whoever ends the one above ends all of it. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	pid = fork();
	if (pid < 0)
		return -program_complain(me, "fork", errno);
	if (!pid) {
		program_follow(self);
		execv(argv[2], argv + 2);
		program_complain(me, argv[2], errno);
		_exit(NOT_STARTED);
	}
	while (waitpid(pid, &status, 0) != pid)
		if (errno != EINTR)
			return -program_complain(me, "wait", errno);
	if (write_end(argv[1], status))
		return 1;
	return WIFSIGNALED(status) ? KILLED + WTERMSIG(status) : WEXITSTATUS(status);
}
