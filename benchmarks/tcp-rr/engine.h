/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Request and response, the work of the programs tcp-rr and udp-rr: pairs of a
 * client and a server process that strictly take turns on a connection. The
 * programs add how the two ends of a connection are made.
 *
 * In the measured loop there is one send and one receive a side and nothing
 * else: no clock is read and no time limit is set on a socket. A timer of the
 * client ends its loop, and notices when nothing comes back any more.
 */
#ifndef BENCHMARKS_TCP_RR_ENGINE_H
#define BENCHMARKS_TCP_RR_ENGINE_H

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "benchmarks/program.h"
#include "benchmarks/tcp-rr/limits.h"

enum {
	RR_UNANSWERED = 254, /* a task's code beside errno: nothing came back any more */
	RR_GRACE_SEC = 20,   /* for everybody to end after the time is over */
};

/**
 * struct rr_kind - what the programs differ in
 * @name: of the program
 * @patience_sec: without a transaction for that long, one is lost
 * @is_stream: the end of a connection is seen by the other side
 * @join: make two ends that are connected; 0, or -1 with errno
 */
struct rr_kind {
	const char *name;
	int patience_sec;
	bool is_stream;
	int (*join)(int ends[2]);
};

/** struct rr_count - what a task has done, in memory that all share */
struct rr_count {
	uint64_t nr, ns;
};

/** struct rr - a run; tasks 2*i and 2*i+1 are server and client of pair i */
struct rr {
	const struct rr_kind *kind;
	uint64_t pairs, seconds, request, response;
	struct rr_count *counts;
	pid_t *pids; /* 0: not started, or reaped */
	pid_t pid;
	int gate[2];
};

/** struct rr_task - one side of a connection, and what its timer knows */
struct rr_task {
	const struct rr *rr;
	int fd;
	volatile uint64_t nr_done, nr_seen;
	volatile uint64_t nr_ticks;
	volatile int nr_idle; /* ticks since the last transaction */
};

/** rr_give_up - end all tasks, say why, and end */
static inline _Noreturn void __attribute__((format(printf, 2, 3)))
rr_give_up(struct rr *rr, const char *fmt, ...)
{
	char text[256];
	uint64_t i;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	for (i = 0; i < 2 * rr->pairs; i++) {
		if (rr->pids[i] > 0)
			kill(rr->pids[i], SIGKILL);
	}
	for (i = 0; i < 2 * rr->pairs; i++) {
		if (rr->pids[i] > 0)
			(void)waitpid(rr->pids[i], NULL, 0);
	}
	program_leave(rr->kind->name, 1, text);
}

static inline int rr_failure(const struct rr_task *task)
{
	if (errno == EINTR)
		return task->nr_idle >= task->rr->kind->patience_sec ? RR_UNANSWERED : 0;
	if (errno == EPIPE || errno == ECONNRESET || errno == ECONNREFUSED)
		return PROGRAM_ENDED_EARLY;
	return errno;
}

/** rr_send - send @size bytes; 0, an errno or a code beside it */
static inline int rr_send(const struct rr_task *task, const char *data, size_t size)
{
	size_t done = 0;

	while (done < size) {
		ssize_t n = send(task->fd, data + done, size - done, MSG_NOSIGNAL);
		int code = n < 0 ? rr_failure(task) : 0;

		if (code)
			return code;
		done += n > 0 ? (size_t)n : 0;
	}
	return 0;
}

/** rr_receive - receive @size bytes; 0, an errno or a code beside it */
static inline int rr_receive(const struct rr_task *task, char *data, size_t size)
{
	size_t done = 0;

	while (done < size) {
		ssize_t n = recv(task->fd, data + done, size - done, 0);
		int code = n < 0 ? rr_failure(task) : 0;

		if (!n)
			return done ? EBADMSG : PROGRAM_ENDED_EARLY;
		if (code)
			return code;
		done += n > 0 ? (size_t)n : 0;
		if (n > 0 && done < size && !task->rr->kind->is_stream)
			return EBADMSG;
	}
	return 0;
}

static inline void rr_tick(int sig, siginfo_t *info, void *context)
{
	struct rr_task *task = info->si_value.sival_ptr;

	(void)sig;
	(void)context;
	task->nr_ticks += 1 + (uint64_t)info->si_overrun;
	task->nr_idle = task->nr_done == task->nr_seen ? task->nr_idle + 1 : 0;
	task->nr_seen = task->nr_done;
}

/* Not SA_RESTART: a tick must get a client out of a wait that has no end. */
static inline int rr_start_timer(struct rr_task *task)
{
	const struct sigaction action = {
		.sa_sigaction = rr_tick,
		.sa_flags = SA_SIGINFO,
	};
	const struct itimerspec second = { { 1, 0 }, { 1, 0 } };
	struct sigevent event = {
		.sigev_notify = SIGEV_SIGNAL,
		.sigev_signo = SIGALRM,
		.sigev_value.sival_ptr = task,
	};
	timer_t timer;

	if (sigaction(SIGALRM, &action, NULL) ||
	    timer_create(CLOCK_MONOTONIC, &event, &timer) ||
	    timer_settime(timer, 0, &second, NULL))
		return errno;
	return 0;
}

static inline int rr_ask(struct rr_task *task, char *data, uint64_t *ret_ns)
{
	const struct rr *rr = task->rr;
	uint64_t start_ns;
	int code;
	char none;

	/* The gate opens when nobody holds its other end any more. */
	if (read(rr->gate[0], &none, 1))
		return errno;
	start_ns = program_now_ns();
	code = rr_start_timer(task);
	while (!code && task->nr_ticks < rr->seconds) {
		code = rr_send(task, data, rr->request);
		if (!code)
			code = rr_receive(task, data, rr->response);
		if (!code)
			task->nr_done = task->nr_done + 1;
	}
	*ret_ns = program_now_ns() - start_ns;
	/* Over datagrams, an empty one stands for the end of the connection. */
	if (!code && !rr->kind->is_stream && send(task->fd, "", 0, MSG_NOSIGNAL))
		code = errno;
	return code;
}

static inline int rr_answer(struct rr_task *task, char *data)
{
	const struct rr *rr = task->rr;
	int code;

	do {
		code = rr_receive(task, data, rr->request);
		if (code)
			break;
		code = rr_send(task, data, rr->response);
		task->nr_done = task->nr_done + !code;
	} while (!code);
	/* The client has the last word; main() tells whether it was done. */
	return code == PROGRAM_ENDED_EARLY ? 0 : code;
}

/** rr_work - life of a task; returns 0, an errno or a code beside it */
static inline int rr_work(struct rr *rr, int fd, uint64_t i)
{
	struct rr_task task = { .rr = rr, .fd = fd };
	char *data = calloc(1, rr->request > rr->response ? rr->request : rr->response);
	uint64_t ns = 0;
	int code;

	if (!data)
		return ENOMEM;
	code = i % 2 ? rr_ask(&task, data, &ns) : rr_answer(&task, data);
	rr->counts[i].nr = task.nr_done;
	rr->counts[i].ns = ns;
	free(data);
	return code;
}

#endif
