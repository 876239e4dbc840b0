/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A child's life: it says that it is ready, sleeps until the common start, and
 * does its jobs in random order, each as often as the workfile has it.
 */
#ifndef BENCHMARKS_REAIM_CHILD_H
#define BENCHMARKS_REAIM_CHILD_H

#include <signal.h>

#include "benchmarks/program.h"
#include "benchmarks/reaim/arith.h"
#include "benchmarks/reaim/calls.h"
#include "benchmarks/reaim/memory.h"
#include "benchmarks/reaim/message.h"
#include "benchmarks/reaim/names.h"
#include "benchmarks/reaim/numeric.h"
#include "benchmarks/reaim/place.h"
#include "benchmarks/reaim/process.h"
#include "benchmarks/reaim/tests.h"
#include "benchmarks/reaim/text.h"
#include "benchmarks/reaim/whole.h"

/**
 * struct child - what a child is to do
 * @work: its number, files and way to sync
 * @nr_jobs: how often each test
 * @nr_all: their sum
 * @limit_sec: it is ended by SIGALRM then
 * @ready: pipe to the parent
 * @counts: shared with the parent, written once, at the end
 */
struct child {
	struct work work;
	uint64_t nr_jobs[REAIM_NR_TESTS];
	uint64_t nr_all;
	unsigned int limit_sec;
	int ready;
	struct work_counts *counts;
};

#define CHILD_JOB(name) job_##name,

/* The next test: each job that is left is as likely as any other. */
static inline int child_pick(struct child *child, uint64_t nr_left)
{
	uint64_t nth = work_random(&child->work, nr_left);
	int test = 0;

	while (nth >= child->nr_jobs[test])
		nth -= child->nr_jobs[test++];
	child->nr_jobs[test]--;
	return test;
}

static inline int child_do_jobs(struct child *child)
{
	static int (*const jobs[])(struct work *) = { REAIM_TESTS(CHILD_JOB) };
	struct work_counts *counts = &child->work.counts;
	char reason[WORK_REASON];
	uint64_t left;

	for (left = child->nr_all; left; left--) {
		int test = child_pick(child, left);

		if (!jobs[test](&child->work)) {
			counts->jobs++;
			continue;
		}
		memcpy(reason, counts->reason, sizeof(reason));
		(void)snprintf(counts->reason, sizeof(counts->reason), "%s: %.150s",
			       reaim_test_names[test], reason);
		return -1;
	}
	return 0;
}

/* SIGUSR1 is blocked until here, so that it can't come too early. */
static inline void child_await_start(const struct child *child)
{
	const char ready = 1;
	sigset_t start;
	int sig;

	(void)sigemptyset(&start);
	(void)sigaddset(&start, SIGUSR1);
	(void)!write(child->ready, &ready, 1);
	close(child->ready);
	(void)sigwait(&start, &sig);
	(void)sigprocmask(SIG_UNBLOCK, &start, NULL);
}

/** child_live - do all of it, and end */
static inline _Noreturn void child_live(struct child *child, const struct place *place)
{
	int bad = 0;

	memset(child->work.block, 'b', WORK_KIB);
	child->work.random = 0x9e3779b97f4a7c15U * (child->work.child + 1);
	child->work.dir = place_enter(place, child->work.child);
	if (child->work.dir < 0)
		bad = work_fail(&child->work, "cannot make its directory");
	if (!bad) {
		child_await_start(child);
		alarm(child->limit_sec);
		bad = child_do_jobs(child);
	}
	memcpy(child->counts, &child->work.counts, sizeof(*child->counts));
	_exit(bad ? 1 : 0);
}

#endif
