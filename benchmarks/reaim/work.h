/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the jobs of one child share: its directory, its counts, and how a job
 * says why it failed. A job is a function job_NAME() that returns 0 or -1.
 */
#ifndef BENCHMARKS_REAIM_WORK_H
#define BENCHMARKS_REAIM_WORK_H

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "benchmarks/reaim/amounts.h"

enum { WORK_KIB = 1024, WORK_REASON = 200 };

/** enum work_sync - what stands where a disk test asks for its data on the disk */
enum work_sync { WORK_EXEC_SYNC, WORK_EXEC_TRUE, WORK_FSYNC, WORK_OFF };

/**
 * struct work_counts - what a child has done, shared with the parent
 * @jobs: of all tests
 * @syncs: points at which a disk test asked for its data on the disk
 * @execs: programs that ran at these points
 * @reason: why the child failed
 */
struct work_counts {
	uint64_t jobs, syncs, execs;
	char reason[WORK_REASON];
};

/**
 * struct work - what the jobs of one child share
 * @sync: how a sync point is done
 * @sync_path: program of WORK_EXEC_SYNC and WORK_EXEC_TRUE
 * @kib: size of the child's files, and of the source that it copies
 * @child: its number, from 0
 * @dir: its directory, where it is
 * @top: the directory of the run, which has what children share
 * @random: state of its generator
 * @sink: takes results, so that they must be computed
 * @block: of a file
 * @message: sent and taken back
 * @nr_messages: so far, which decides the size of the next
 * @counts: of this child
 */
struct work {
	enum work_sync sync;
	const char *sync_path;
	uint64_t kib;
	unsigned int child;
	int dir, top;
	uint64_t random;
	volatile double sink;
	char block[WORK_KIB];
	char message[AMOUNT_MESSAGE_MAX];
	size_t nr_messages;
	struct work_counts counts;
};

/** work_fail - a job failed at @what, by errno; -1 */
static inline int work_fail(struct work *work, const char *what)
{
	(void)snprintf(work->counts.reason, WORK_REASON, "%s: %s", what, strerror(errno));
	return -1;
}

/** work_wrong - a job came to a wrong result; -1 */
static inline int work_wrong(struct work *work, const char *what)
{
	(void)snprintf(work->counts.reason, WORK_REASON, "%s", what);
	return -1;
}

/** work_random - a number below @below, from the child's own sequence (xorshift) */
static inline uint64_t work_random(struct work *work, uint64_t below)
{
	work->random ^= work->random << 13;
	work->random ^= work->random >> 7;
	work->random ^= work->random << 17;
	return (work->random >> 11) % below;
}

/** work_await - wait for a program that a job started; it must end well */
static inline int work_await(struct work *work, pid_t pid, const char *what)
{
	int status;

	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR)
			return work_fail(work, what);
	}
	if (!status)
		return 0;
	(void)snprintf(work->counts.reason, WORK_REASON, "%s: it ended with %s %d", what,
		       WIFSIGNALED(status) ? "signal" : "exit status",
		       WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	return -1;
}

/*
 * By a shell, as the published program does: one fork, and two programs that one
 * after the other are the same process. The environment is small: the suite's own.
 */
static inline int work_exec(struct work *work, const char *path)
{
	char sh[] = "sh", option[] = "-c";
	char *const argv[] = { sh, option, (char *)(uintptr_t)path, NULL };
	pid_t pid;
	int code = posix_spawn(&pid, "/bin/sh", NULL, NULL, argv, environ);

	if (code) {
		errno = code;
		return work_fail(work, "/bin/sh");
	}
	work->counts.execs++;
	return work_await(work, pid, path);
}

/**
 * work_sync - a point at which a disk test asks for its data on the disk
 * @fd: of the file; of the directory after the file has been closed
 */
static inline int work_sync(struct work *work, int fd)
{
	if (work->sync == WORK_OFF)
		return 0;
	work->counts.syncs++;
	if (work->sync != WORK_FSYNC)
		return work_exec(work, work->sync_path);
	return fsync(fd) ? work_fail(work, "cannot fsync") : 0;
}

#endif
