/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A run of tbench: what was asked for, who takes part, and how all of them end. */
#ifndef BENCHMARKS_TBENCH_RUN_H
#define BENCHMARKS_TBENCH_RUN_H

#include <errno.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "benchmarks/program.h"
#include "benchmarks/tbench/load.h"

enum { RUN_REASON = 200, RUN_GRACE_SEC = 20, RUN_PATIENCE_SEC = 10 };

/** struct run_client - what a client has done, in memory that all share */
struct run_client {
	uint64_t packets; /* since it connected */
	uint64_t payload; /* bytes, after the warm-up, as the rest */
	uint64_t start_ns, end_ns;
	uint64_t max_ns;	    /* longest time from a request to its reply */
	uint64_t passes, passes_ns; /* of the load, from top to bottom */
	uint64_t line;		    /* of its load */
};

/** struct run_served - requests that a server process got, on a cache line of its own */
struct run_served {
	uint64_t nr;
	char fill[PROGRAM_CACHE_LINE - sizeof(uint64_t)];
};

/**
 * struct run - all of it
 * @load: what clients send
 * @seconds: that count
 * @warmup: seconds before them
 * @upstream_server: dbench's server, to be started in place of ours; or NULL
 * @upstream_client: likewise
 * @pid: of this process
 * @server: 0: not started, or reaped
 * @client: likewise, each; with dbench's the first one stands for all
 * @nr_children: of @client
 * @did: by @clients clients
 * @served: for as many connections, and for those nobody expected
 * @reason: why our server has failed
 * @address: where the server listens
 * @gate: opens for the clients when its other end is closed
 */
struct run {
	struct load load;
	uint64_t clients, seconds, warmup;
	const char *upstream_server, *upstream_client;
	pid_t pid, server;
	pid_t *client;
	uint64_t nr_children;
	struct run_client *did;
	struct run_served *served;
	char *reason;
	struct sockaddr_in address;
	int gate[2];
};

/* Kills whoever is our child now: those of a server that is gone become ours. */
static inline void run_kill_children(void)
{
	char path[64];
	char *line = NULL;
	size_t size = 0;
	FILE *list;

	(void)snprintf(path, sizeof(path), "/proc/self/task/%d/children", (int)getpid());
	list = fopen(path, "re");
	if (list && getline(&line, &size, list) > 0) {
		char *at = line;
		long pid;

		while ((pid = strtol(at, &at, 10)) > 0)
			(void)kill((pid_t)pid, SIGKILL);
	}
	free(line);
	if (list)
		(void)fclose(list);
}

/** run_end - end every process of the run, to the last */
static inline void run_end(struct run *run)
{
	uint64_t i;

	if (run->server > 0)
		(void)kill(run->server, SIGKILL);
	for (i = 0; i < run->nr_children; i++) {
		if (run->client[i] > 0)
			(void)kill(run->client[i], SIGKILL);
	}
	do {
		run_kill_children();
	} while (waitpid(-1, NULL, 0) > 0 || errno == EINTR);
}

/** run_leave - end all processes, say why, and end with @status */
static inline _Noreturn void run_leave(struct run *run, int status, const char *text)
{
	run_end(run);
	program_leave("tbench", status, text);
}

/** run_give_up - the work failed: end all processes, say why, and end */
static inline _Noreturn void __attribute__((format(printf, 2, 3)))
run_give_up(struct run *run, const char *fmt, ...)
{
	char text[512];
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	run_leave(run, 1, text);
}

/** run_unready - likewise where it can't begin, and could another time */
static inline _Noreturn void __attribute__((format(printf, 2, 3)))
run_unready(struct run *run, const char *fmt, ...)
{
	char text[512];
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	run_leave(run, PROGRAM_UNREADY, text);
}

/** run_server_name - whose server it is, for sentences */
static inline const char *run_server_name(const struct run *run)
{
	return run->upstream_server ? run->upstream_server : "the server";
}

/** run_server_ended - give up, as the server ended and nobody had told it to */
static inline _Noreturn void run_server_ended(struct run *run, int status)
{
	const char *name = run_server_name(run);

	run->server = 0;
	if (WIFSIGNALED(status))
		run_give_up(run, "%s was killed by signal %d (%s)", name,
			    WTERMSIG(status), strsignal(WTERMSIG(status)));
	if (*run->reason)
		run_give_up(run, "%s failed: %s", name, run->reason);
	run_give_up(run, "%s ended with exit status %d", name, WEXITSTATUS(status));
}

static inline void run_nothing(int sig)
{
	(void)sig;
}

/**
 * run_give_server - give the server some time to have ended
 *
 * It doesn't come back when the server does: whoever lost the connection is
 * not the cause then.
 */
static inline void run_give_server(struct run *run, suseconds_t ms)
{
	/* Again and again, as the first may come before the wait begins. */
	const struct itimerval some = { { 0, 1000 * ms }, { 0, 1000 * ms } };
	const struct itimerval none = { 0 };
	pid_t pid;
	int status;

	if (!run->server)
		return;
	setitimer(ITIMER_REAL, &some, NULL);
	pid = waitpid(run->server, &status, 0);
	setitimer(ITIMER_REAL, &none, NULL);
	if (pid == run->server)
		run_server_ended(run, status);
}

#endif
