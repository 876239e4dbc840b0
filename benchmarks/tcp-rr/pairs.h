/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rest of the programs tcp-rr and udp-rr: arguments, the processes of all
 * pairs, and the result. No process is left behind when anything goes wrong.
 */
#ifndef BENCHMARKS_TCP_RR_PAIRS_H
#define BENCHMARKS_TCP_RR_PAIRS_H

#include "benchmarks/tcp-rr/engine.h"

static inline const char *rr_role(uint64_t i)
{
	return i % 2 ? "client" : "server";
}

static inline void rr_start_task(struct rr *rr, const int ends[2], uint64_t i)
{
	pid_t pid = fork();

	if (pid < 0)
		rr_give_up(rr, "cannot fork after %ju of %ju processes: %m", (uintmax_t)i,
			   (uintmax_t)(2 * rr->pairs));
	if (!pid) {
		program_follow(rr->pid);
		close(rr->gate[1]);
		close(ends[!(i % 2)]);
		_exit(rr_work(rr, ends[i % 2], i));
	}
	rr->pids[i] = pid;
}

static inline void rr_start_pair(struct rr *rr, uint64_t pair)
{
	int ends[2];

	if (rr->kind->join(ends))
		rr_give_up(rr, "cannot connect pair %ju of %ju: %m",
			   (uintmax_t)(pair + 1), (uintmax_t)rr->pairs);
	rr_start_task(rr, ends, 2 * pair);
	rr_start_task(rr, ends, 2 * pair + 1);
	close(ends[0]);
	close(ends[1]);
}

static inline pid_t rr_wait(struct rr *rr, pid_t pid, int *ret_status)
{
	pid = waitpid(pid, ret_status, 0);
	if (pid < 0 && errno == EINTR)
		rr_give_up(rr, "the run did not end %d s after its time", RR_GRACE_SEC);
	if (pid < 0)
		rr_give_up(rr, "cannot wait for a process: %m");
	return pid;
}

static inline _Noreturn void rr_report(struct rr *rr, uint64_t i, int status)
{
	int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;

	if (WIFSIGNALED(status))
		rr_give_up(rr, "a %s was killed by signal %d (%s)", rr_role(i),
			   WTERMSIG(status), strsignal(WTERMSIG(status)));
	if (code == RR_UNANSWERED)
		rr_give_up(rr,
			   "a client got no response for %d s after %ju transactions%s",
			   rr->kind->patience_sec, (uintmax_t)rr->counts[i].nr,
			   rr->kind->is_stream ? "" : ": a datagram was lost");
	if (code == PROGRAM_ENDED_EARLY)
		rr_give_up(rr, "a %s failed: its partner ended early", rr_role(i));
	rr_give_up(rr, "a %s failed: %s", rr_role(i), strerror(code));
}

/* Who lost its partner is not the cause: the partner is, if it failed. */
static inline void rr_reaped(struct rr *rr, uint64_t i, int status)
{
	bool lost_partner =
		WIFEXITED(status) && WEXITSTATUS(status) == PROGRAM_ENDED_EARLY;
	int other = 0;

	rr->pids[i] = 0;
	if (!status)
		return;
	if (lost_partner && rr->pids[i ^ 1]) {
		(void)rr_wait(rr, rr->pids[i ^ 1], &other);
		rr->pids[i ^ 1] = 0;
	}
	if (other)
		rr_report(rr, i ^ 1, other);
	rr_report(rr, i, status);
}

static inline void rr_nothing(int sig)
{
	(void)sig;
}

static inline void rr_run(struct rr *rr)
{
	const struct sigaction late = { .sa_handler = rr_nothing };
	uint64_t left;
	uint64_t i;

	/* Whatever we were started with: children are waited for and end when told. */
	signal(SIGCHLD, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	rr->pid = getpid();
	if (pipe(rr->gate))
		rr_give_up(rr, "cannot make a pipe: %m");
	for (i = 0; i < rr->pairs; i++)
		rr_start_pair(rr, i);
	sigaction(SIGALRM, &late, NULL);
	alarm((unsigned int)rr->seconds + RR_GRACE_SEC);
	close(rr->gate[1]);
	for (left = 2 * rr->pairs; left; left--) {
		int status;
		pid_t pid = rr_wait(rr, -1, &status);

		for (i = 0; i < 2 * rr->pairs && rr->pids[i] != pid; i++)
			;
		if (i < 2 * rr->pairs)
			rr_reaped(rr, i, status);
		else
			left++; /* a child of whoever was here before us */
	}
}

static inline _Noreturn void rr_finish(struct rr *rr)
{
	uint64_t asked = 0, answered = 0, ns = 0;
	char text[512];
	double rate = 0;
	uint64_t i;

	for (i = 0; i < 2 * rr->pairs; i += 2) {
		const struct rr_count *client = &rr->counts[i + 1];

		answered += rr->counts[i].nr;
		asked += client->nr;
		ns += client->ns;
		rate += (double)client->nr * 1e9 / (double)client->ns;
	}
	if (!asked || asked != answered)
		rr_give_up(rr, "clients counted %ju transactions, servers %ju",
			   (uintmax_t)asked, (uintmax_t)answered);
	snprintf(text, sizeof(text),
		 "{\"program\":\"%s\",\"pairs\":%ju,\"seconds\":%ju,\"request\":%ju,"
		 "\"response\":%ju,\"transactions\":%ju,\"answered\":%ju,"
		 "\"metrics\":{\"rate\":%.3f,\"latency\":%.6f}}",
		 rr->kind->name, (uintmax_t)rr->pairs, (uintmax_t)rr->seconds,
		 (uintmax_t)rr->request, (uintmax_t)rr->response, (uintmax_t)asked,
		 (uintmax_t)answered, rate, (double)ns / 1e3 / (double)asked);
	(void)munmap(rr->counts, 2 * rr->pairs * sizeof(*rr->counts));
	free(rr->pids);
	program_leave(rr->kind->name, 0, text);
}

/** rr_main - main() of a program of this kind */
static inline _Noreturn void rr_main(const struct rr_kind *kind, int argc, char **argv)
{
	struct rr rr = { .kind = kind };
	void *shared;

	if (argc != 5 || program_number(argv[1], "pairs", RR_MAX_PAIRS, &rr.pairs) ||
	    program_number(argv[2], "seconds", RR_MAX_SECONDS, &rr.seconds) ||
	    program_number(argv[3], "request", RR_MAX_SIZE, &rr.request) ||
	    program_number(argv[4], "response", RR_MAX_SIZE, &rr.response))
		program_leave(kind->name, 2,
			      "expected --pairs=N --seconds=N --request=BYTES "
			      "--response=BYTES, in this order");
	shared = mmap(NULL, 2 * rr.pairs * sizeof(*rr.counts), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	rr.pids = calloc(2 * rr.pairs, sizeof(*rr.pids));
	if (shared == MAP_FAILED || !rr.pids)
		program_leave(kind->name, 1, "out of memory");
	rr.counts = shared;
	rr_run(&rr);
	rr_finish(&rr);
}

#endif
