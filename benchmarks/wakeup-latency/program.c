// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The wakeup-latency workload: workers put themselves on the list of their
 * messager and sleep; the messager takes the list, reads the clock once and
 * wakes all that are on it; each worker reads the clock when it runs again, and
 * then serves a request: a short sleep and a fixed computation.
 *
 * What is counted: wakeups that began before the time was over, whenever they
 * ended, or the longest would be left out; requests that ended before it.
 * Nobody needs to be told to stop: workers look at the clock after each
 * request, and a messager goes when all of its workers have gone.
 */
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "benchmarks/program.h"
#include "benchmarks/wakeup-latency/histogram.h"
#include "benchmarks/wakeup-latency/limits.h"

enum {
	REQUEST_SLEEP_NS = 100000,
	REQUEST_STEPS = 20000,
};

enum { MESSAGERS, WORKERS, SECONDS, NR_OPTIONS };

/* struct run - what all threads share; nothing in it changes while they run */
struct run {
	uint64_t option[NR_OPTIONS];
	uint64_t nr_workers; /* of all messagers */
	struct messager *messagers;
	struct worker *workers;
	struct histogram *latencies_ns; /* of each worker */
	pthread_barrier_t ready, start;
	uint64_t end_ns;
};

/* struct messager - a thread that wakes workers; the futex is nr_events */
struct messager {
	_Alignas(PROGRAM_CACHE_LINE) pthread_t thread;
	struct run *run;
	_Alignas(PROGRAM_CACHE_LINE) _Atomic(struct worker *) list;
	atomic_uint nr_events; /* a worker came to the list, or has gone */
	atomic_uint nr_workers;
};

/* struct worker - a thread that is woken; the futex is is_woken */
struct worker {
	_Alignas(PROGRAM_CACHE_LINE) pthread_t thread;
	struct run *run;
	struct messager *messager;
	struct histogram *latency_ns;
	uint64_t nr_requests;
	uint64_t number; /* of the computation */
	_Alignas(PROGRAM_CACHE_LINE) atomic_uint is_woken;
	uint64_t wake_ns;
	struct worker *next; /* on the list */
};

static void futex_wait(atomic_uint *word, unsigned int value)
{
	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static void futex_wake(atomic_uint *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void notify(struct messager *messager)
{
	atomic_fetch_add(&messager->nr_events, 1);
	futex_wake(&messager->nr_events);
}

static void wake_all(struct worker *worker)
{
	uint64_t start_ns = program_now_ns();

	while (worker) {
		/* Once woken it may be on the list again, before another. */
		struct worker *next = worker->next;

		worker->wake_ns = start_ns;
		atomic_store(&worker->is_woken, 1);
		futex_wake(&worker->is_woken);
		worker = next;
	}
}

static void *send_messages(void *data)
{
	struct messager *messager = data;

	pthread_barrier_wait(&messager->run->ready);
	pthread_barrier_wait(&messager->run->start);
	for (;;) {
		unsigned int nr_seen = atomic_load(&messager->nr_events);
		struct worker *list = atomic_exchange(&messager->list, NULL);

		if (list)
			wake_all(list);
		else if (!atomic_load(&messager->nr_workers))
			return NULL;
		else
			futex_wait(&messager->nr_events, nr_seen);
	}
}

static void wait_for_message(struct worker *worker)
{
	struct messager *messager = worker->messager;
	struct worker *first = atomic_load(&messager->list);

	atomic_store(&worker->is_woken, 0);
	do
		worker->next = first;
	while (!atomic_compare_exchange_weak(&messager->list, &first, worker));
	notify(messager);
	while (!atomic_load(&worker->is_woken))
		futex_wait(&worker->is_woken, 0);
}

static void serve_request(struct worker *worker)
{
	struct timespec left = { .tv_nsec = REQUEST_SLEEP_NS };
	uint64_t number = worker->number;
	unsigned int i;

	while (nanosleep(&left, &left) && errno == EINTR)
		;
	for (i = 0; i < REQUEST_STEPS; i++) {
		number ^= number << 13;
		number ^= number >> 7;
		number ^= number << 17;
		/* The compiler must not find out that nobody needs the number. */
		__asm__ __volatile__("" : "+r"(number));
	}
	worker->number = number;
}

static void *work(void *data)
{
	struct worker *worker = data;
	uint64_t ns;

	pthread_barrier_wait(&worker->run->ready);
	pthread_barrier_wait(&worker->run->start);
	do {
		wait_for_message(worker);
		ns = program_now_ns();
		if (worker->wake_ns < worker->run->end_ns)
			histogram_add(worker->latency_ns, ns - worker->wake_ns);
		serve_request(worker);
		ns = program_now_ns();
		worker->nr_requests += ns < worker->run->end_ns;
	} while (ns < worker->run->end_ns);
	atomic_fetch_sub(&worker->messager->nr_workers, 1);
	notify(worker->messager);
	return NULL;
}

static int prepare(struct run *run)
{
	unsigned int nr_threads =
		(unsigned int)(run->option[MESSAGERS] + run->nr_workers);
	uint64_t i;
	int code;

	run->messagers = program_lines(run->option[MESSAGERS], sizeof(*run->messagers));
	run->workers = program_lines(run->nr_workers, sizeof(*run->workers));
	/* One mapping: as one for each they would count towards the most there may be. */
	run->latencies_ns = calloc(run->nr_workers, sizeof(*run->latencies_ns));
	if (!run->messagers || !run->workers || !run->latencies_ns)
		return program_complain("wakeup-latency", "cannot allocate the threads",
					ENOMEM);
	for (i = 0; i < run->option[MESSAGERS]; i++) {
		run->messagers[i].run = run;
		atomic_init(&run->messagers[i].nr_workers,
			    (unsigned int)run->option[WORKERS]);
	}
	for (i = 0; i < run->nr_workers; i++) {
		struct worker *worker = &run->workers[i];

		worker->run = run;
		worker->messager = &run->messagers[i / run->option[WORKERS]];
		worker->number = i + 1;
		worker->latency_ns = &run->latencies_ns[i];
	}
	code = pthread_barrier_init(&run->ready, NULL, nr_threads + 1);
	if (!code)
		code = pthread_barrier_init(&run->start, NULL, nr_threads + 1);
	return code ? program_complain("wakeup-latency", "cannot make the start", code)
		    : 0;
}

static int start_threads(struct run *run)
{
	pthread_attr_t attr;
	uint64_t i;
	int code = pthread_attr_init(&attr);

	if (!code)
		code = pthread_attr_setstacksize(&attr, PROGRAM_STACK_BYTES);
	for (i = 0; !code && i < run->option[MESSAGERS]; i++)
		code = pthread_create(&run->messagers[i].thread, &attr, send_messages,
				      &run->messagers[i]);
	for (i = 0; !code && i < run->nr_workers; i++)
		code = pthread_create(&run->workers[i].thread, &attr, work,
				      &run->workers[i]);
	pthread_attr_destroy(&attr);
	return code ? program_complain("wakeup-latency", "cannot start a thread", code)
		    : 0;
}

static void join_threads(const struct run *run)
{
	uint64_t i;

	for (i = 0; i < run->nr_workers; i++)
		pthread_join(run->workers[i].thread, NULL);
	for (i = 0; i < run->option[MESSAGERS]; i++)
		pthread_join(run->messagers[i].thread, NULL);
}

/* All latencies go into those of the first worker. */
static int print_result(const struct run *run)
{
	struct histogram *all = run->workers[0].latency_ns;
	uint64_t requests = run->workers[0].nr_requests;
	double us[4];
	uint64_t i;

	for (i = 1; i < run->nr_workers; i++) {
		histogram_merge(all, run->workers[i].latency_ns);
		requests += run->workers[i].nr_requests;
	}
	if (!all->nr || !requests) {
		fprintf(stderr, "wakeup-latency: no request was served in time\n");
		return -1;
	}
	us[0] = (double)histogram_percentile(all, 990) / 1e3;
	us[1] = (double)histogram_percentile(all, 500) / 1e3;
	us[2] = (double)histogram_percentile(all, 900) / 1e3;
	us[3] = (double)histogram_percentile(all, 999) / 1e3;
	printf("{\"program\":\"wakeup-latency\",\"messagers\":%ju,\"workers\":%ju,"
	       "\"seconds\":%ju,\"wakeups\":%ju,\"requests\":%ju,\"metrics\":{"
	       "\"p99\":%.3f,\"p50\":%.3f,\"p90\":%.3f,\"p99.9\":%.3f,\"rate\":%.6f}}\n",
	       (uintmax_t)run->option[MESSAGERS], (uintmax_t)run->option[WORKERS],
	       (uintmax_t)run->option[SECONDS], (uintmax_t)all->nr, (uintmax_t)requests,
	       us[0], us[1], us[2], us[3],
	       (double)requests / (double)run->option[SECONDS]);
	return program_flush("wakeup-latency");
}

static int measure(struct run *run)
{
	run->nr_workers = run->option[MESSAGERS] * run->option[WORKERS];
	if (prepare(run) || start_threads(run))
		return -1;
	pthread_barrier_wait(&run->ready);
	run->end_ns = program_now_ns() + run->option[SECONDS] * 1000000000;
	pthread_barrier_wait(&run->start);
	join_threads(run);
	return print_result(run);
}

static void release(struct run *run)
{
	free(run->latencies_ns);
	free(run->workers);
	free(run->messagers);
}

int main(int argc, char **argv)
{
	struct run run = { 0 };
	uint64_t *option = run.option;

	if (argc != NR_OPTIONS + 1 ||
	    program_number(argv[1], "messagers", WAKEUP_LATENCY_MAX_MESSAGERS,
			   &option[MESSAGERS]) ||
	    program_number(argv[2], "workers", WAKEUP_LATENCY_MAX_WORKERS,
			   &option[WORKERS]) ||
	    program_number(argv[3], "seconds", WAKEUP_LATENCY_MAX_SECONDS,
			   &option[SECONDS])) {
		fprintf(stderr, "wakeup-latency: expected --messagers=N --workers=N "
				"--seconds=N, each from 1 to its limit\n");
		return 2;
	}
	/* Threads that were started wait for the others and still use all of it. */
	if (measure(&run))
		_exit(1);
	release(&run);
	return 0;
}
