/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A load point: all children made, started together and reaped, with what was
 * measured. Children have a process group of their own, so that the start is one
 * signal and nothing of them is left when one fails.
 */
#ifndef BENCHMARKS_REAIM_POINT_H
#define BENCHMARKS_REAIM_POINT_H

#include <stdbool.h>

#include "benchmarks/reaim/child.h"
#include "benchmarks/reaim/measure.h"

enum { POINT_REASON = 300 };

/**
 * struct point - a load point that is being run
 * @users: children
 * @counts: of each, shared with them
 * @pids: of the children
 * @elapsed: of each child in the order of their ends; ticks, then nanoseconds
 * @ticks: of the whole point
 * @clock: the result on ticks, and on the fine clock
 * @reason: why there is none
 */
struct point {
	uint64_t users;
	struct work_counts *counts;
	pid_t *pids;
	double *elapsed[MEASURE_NR_CLOCKS];
	uint64_t ticks;
	struct measure clock[MEASURE_NR_CLOCKS];
	char reason[POINT_REASON];
};

/* What a signal that ends the program has to kill first; see main(). */
static volatile sig_atomic_t point_group;

static inline void point_kill(void)
{
	if (point_group)
		(void)kill(-point_group, SIGKILL);
}

/* Children 0 to @nr - 1 are there; false: one more couldn't be. */
static inline bool point_fork(struct point *point, size_t nr, struct child *child,
			      const struct place *place, pid_t parent)
{
	pid_t pid = fork();

	if (!pid) {
		(void)setpgid(0, point_group);
		program_follow(parent);
		child->work.child = (unsigned int)nr;
		child->counts = &point->counts[nr];
		child_live(child, place);
	}
	if (pid < 0)
		return false;
	/* Here as well: whoever comes first. */
	(void)setpgid(pid, point_group);
	point->pids[nr] = pid;
	if (!nr)
		point_group = pid;
	return true;
}

/* Makes the children; true when all are ready, false once one has ended. */
static inline bool point_ready(struct point *point, struct child *child,
			       const struct place *place)
{
	pid_t parent = getpid();
	uint64_t nr_ready = 0;
	char ready[64];
	ssize_t got;
	int ends[2];
	size_t i;

	if (pipe2(ends, O_CLOEXEC)) {
		(void)snprintf(point->reason, POINT_REASON, "no pipe: %s",
			       strerror(errno));
		return false;
	}
	child->ready = ends[1];
	for (i = 0; i < point->users; i++) {
		if (point_fork(point, i, child, place, parent))
			continue;
		(void)snprintf(point->reason, POINT_REASON,
			       "cannot fork child %zu of %ju: %s", i + 1,
			       (uintmax_t)point->users, strerror(errno));
		break;
	}
	close(ends[1]);
	while (!*point->reason && nr_ready < point->users) {
		got = read(ends[0], ready, sizeof(ready));
		if (got > 0)
			nr_ready += (uint64_t)got;
		else if (!got || errno != EINTR)
			break;
	}
	close(ends[0]);
	return nr_ready == point->users;
}

static inline size_t point_which(const struct point *point, pid_t pid)
{
	size_t i = 0;

	while (i < point->users && point->pids[i] != pid)
		i++;
	return i;
}

/* The first child that ended badly says why, the others were ended with it. */
static inline void point_blame(struct point *point, pid_t pid, int status,
			       unsigned int limit_sec)
{
	size_t which = point_which(point, pid);
	char why[POINT_REASON - 60];
	int sig = WIFSIGNALED(status) ? WTERMSIG(status) : 0;

	if (*point->reason || which == point->users)
		return;
	if (sig == SIGALRM)
		(void)snprintf(why, sizeof(why), "ran longer than its limit of %u s",
			       limit_sec);
	else if (sig)
		(void)snprintf(why, sizeof(why), "was killed by signal %d (%s)", sig,
			       strsignal(sig));
	else
		(void)snprintf(why, sizeof(why), "failed: %s",
			       point->counts[which].reason);
	(void)snprintf(point->reason, POINT_REASON, "child %zu of %ju %s", which + 1,
		       (uintmax_t)point->users, why);
}

/* Reaps all children there are; when one has failed the others are ended. */
static inline size_t point_reap(struct point *point, const struct measure_now *start,
				unsigned int limit_sec)
{
	size_t nr = 0;
	int status;

	for (;;) {
		pid_t pid = waitpid(-1, &status, 0);
		struct tms tms;

		if (pid < 0 && errno == EINTR)
			continue;
		if (pid < 0)
			return nr;
		if (nr < point->users) {
			point->elapsed[0][nr] = (double)(times(&tms) - start->ticks);
			point->elapsed[1][nr] = (double)(program_now_ns() - start->ns);
			nr++;
		}
		if (!status)
			continue;
		point_blame(point, pid, status, limit_sec);
		point_kill();
	}
}

/** point_run - run a load point; 0, or -1 with the reason in it */
static inline int point_run(struct point *point, struct child *child,
			    const struct place *place)
{
	struct measure_now start, end;
	size_t nr;

	bool is_ready;
	int i;

	*point->reason = '\0';
	is_ready = point_ready(point, child, place);
	measure_look(&start);
	/* Otherwise the one that ended before has to be found, the others wait. */
	if (is_ready && kill(-point_group, SIGUSR1))
		(void)snprintf(point->reason, POINT_REASON, "cannot start the children");
	if (*point->reason)
		point_kill();
	nr = point_reap(point, &start, child->limit_sec);
	measure_look(&end);
	point_group = 0;
	if (!*point->reason && nr != point->users)
		(void)snprintf(point->reason, POINT_REASON, "%zu of %ju children ended",
			       nr, (uintmax_t)point->users);
	if (*point->reason)
		return -1;
	point->ticks = (uint64_t)(end.ticks - start.ticks);
	for (i = 0; i < MEASURE_NR_CLOCKS; i++) {
		measure_clock(&start, &end, i, &point->clock[i]);
		measure_spread(point->elapsed[i], (size_t)point->users, i,
			       &point->clock[i]);
	}
	return 0;
}

#endif
