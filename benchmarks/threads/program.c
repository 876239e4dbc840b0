// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The threads workload: threads that take a lock and give the CPU away while they
 * hold it. A thread begins an event, which is a number of such passes under one
 * lock, as long as the time lasts, and finishes it. Each event that any thread
 * begins has the next lock of a few, as in sysbench.
 *
 * Each lock guards a count of the passes under it. Sum, least and most of them are
 * held against the events at the end: proof that all was done, and under the locks in
 * turn.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "benchmarks/program.h"
#include "benchmarks/threads/limits.h"

enum { THREADS, LOCKS, YIELDS, SECONDS, NR_OPTIONS };

/* struct lock - one of the locks, on a cache line of its own */
struct lock {
	_Alignas(PROGRAM_CACHE_LINE) pthread_mutex_t mutex;
	uint64_t nr_passes;
};

/* struct run - what all threads share; only @nr_begun changes while they run */
struct run {
	uint64_t option[NR_OPTIONS];
	struct lock *locks;
	pthread_barrier_t ready, start;
	uint64_t end_ns;
	_Alignas(PROGRAM_CACHE_LINE) uint64_t nr_begun;
};

/* struct worker - one thread and what it did */
struct worker {
	_Alignas(PROGRAM_CACHE_LINE) pthread_t thread;
	struct run *run;
	uint64_t nr_events, busy_ns;
};

static void do_event(struct run *run)
{
	uint64_t nr = __atomic_fetch_add(&run->nr_begun, 1, __ATOMIC_RELAXED);
	struct lock *lock = &run->locks[nr % run->option[LOCKS]];
	uint64_t i;

	for (i = 0; i < run->option[YIELDS]; i++) {
		pthread_mutex_lock(&lock->mutex);
		sched_yield();
		lock->nr_passes++;
		pthread_mutex_unlock(&lock->mutex);
	}
}

static void *work(void *data)
{
	struct worker *worker = data;
	struct run *run = worker->run;
	uint64_t before_ns, after_ns;

	pthread_barrier_wait(&run->ready);
	pthread_barrier_wait(&run->start);
	before_ns = program_now_ns();
	do {
		do_event(run);
		after_ns = program_now_ns();
		worker->nr_events++;
		worker->busy_ns += after_ns - before_ns;
		before_ns = after_ns;
	} while (after_ns < run->end_ns);
	return NULL;
}

/* Threads that were started wait for those that can't be; the process ends them. */
static int start_workers(struct run *run, struct worker *workers)
{
	pthread_attr_t attr;
	uint64_t i;
	int code = pthread_attr_init(&attr);

	if (!code)
		code = pthread_attr_setstacksize(&attr, PROGRAM_STACK_BYTES);
	for (i = 0; !code && i < run->option[THREADS]; i++) {
		workers[i].run = run;
		code = pthread_create(&workers[i].thread, &attr, work, &workers[i]);
	}
	pthread_attr_destroy(&attr);
	return code ? program_complain("threads", "cannot start a thread", code) : 0;
}

static void join_workers(const struct run *run, struct worker *workers)
{
	uint64_t i;

	for (i = 0; i < run->option[THREADS]; i++)
		pthread_join(workers[i].thread, NULL);
}

static int print_result(const struct run *run, const struct worker *workers, uint64_t ns)
{
	const uint64_t *option = run->option;
	uint64_t events = 0, busy_ns = 0, passes = 0;
	uint64_t least = UINT64_MAX, most = 0;
	uint64_t i;

	for (i = 0; i < option[THREADS]; i++) {
		events += workers[i].nr_events;
		busy_ns += workers[i].busy_ns;
	}
	for (i = 0; i < option[LOCKS]; i++) {
		uint64_t nr = run->locks[i].nr_passes;

		passes += nr;
		least = nr < least ? nr : least;
		most = nr > most ? nr : most;
	}
	printf("{\"program\":\"threads\",\"threads\":%ju,\"locks\":%ju,\"yields\":%ju,"
	       "\"seconds\":%ju,\"events\":%ju,\"passes\":%ju,\"least\":%ju,"
	       "\"most\":%ju,\"elapsed\":%.9f,"
	       "\"metrics\":{\"rate\":%.6f,\"latency\":%.6f}}\n",
	       (uintmax_t)option[THREADS], (uintmax_t)option[LOCKS],
	       (uintmax_t)option[YIELDS], (uintmax_t)option[SECONDS], (uintmax_t)events,
	       (uintmax_t)passes, (uintmax_t)least, (uintmax_t)most, (double)ns / 1e9,
	       (double)events * 1e9 / (double)ns, (double)busy_ns / 1e6 / (double)events);
	return program_flush("threads");
}

static int measure(struct run *run, struct worker *workers)
{
	unsigned int nr = (unsigned int)run->option[THREADS] + 1;
	uint64_t start_ns, i;
	int code = pthread_barrier_init(&run->ready, NULL, nr);

	if (!code)
		code = pthread_barrier_init(&run->start, NULL, nr);
	for (i = 0; !code && i < run->option[LOCKS]; i++)
		code = pthread_mutex_init(&run->locks[i].mutex, NULL);
	if (code)
		return program_complain("threads", "cannot make the locks", code);
	if (start_workers(run, workers))
		return -1;
	pthread_barrier_wait(&run->ready);
	start_ns = program_now_ns();
	run->end_ns = start_ns + run->option[SECONDS] * 1000000000;
	pthread_barrier_wait(&run->start);
	join_workers(run, workers);
	return print_result(run, workers, program_now_ns() - start_ns);
}

static int run_threads(struct run *run)
{
	struct worker *workers = program_lines(run->option[THREADS], sizeof(*workers));
	int bad;

	run->locks = program_lines(run->option[LOCKS], sizeof(*run->locks));
	if (workers && run->locks)
		bad = measure(run, workers);
	else
		bad = program_complain("threads", "cannot allocate the threads and locks",
				       ENOMEM);
	/* Threads that wait for others still use it. */
	if (bad)
		_exit(1);
	free(run->locks);
	free(workers);
	return 0;
}

int main(int argc, char **argv)
{
	struct run run = { 0 };
	uint64_t *option = run.option;

	if (argc != NR_OPTIONS + 1 ||
	    program_number(argv[1], "threads", THREADS_MAX_THREADS, &option[THREADS]) ||
	    program_number(argv[2], "locks", THREADS_MAX_LOCKS, &option[LOCKS]) ||
	    program_number(argv[3], "yields", THREADS_MAX_YIELDS, &option[YIELDS]) ||
	    program_number(argv[4], "seconds", THREADS_MAX_SECONDS, &option[SECONDS])) {
		fprintf(stderr, "threads: expected --threads=N --locks=N --yields=N "
				"--seconds=N, each from 1 to its limit\n");
		return 2;
	}
	return run_threads(&run);
}
