// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The fork-latency workload: this process forks a child that tells its CPU and
 * exits, waits for it, and does so again. The mean time of a turn is printed,
 * and how the children were placed.
 *
 * A child tells its CPU through a shared page: an exit status holds 8 bits. The
 * kernel is asked for the number, since what libc keeps of it was copied from
 * the parent. A child lives for some microseconds and waits for nothing, so it
 * needs no supervision should the parent be killed.
 */
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "benchmarks/fork-latency/limits.h"
#include "benchmarks/program.h"

enum { MAX_CPUS = 1 << 16, NOT_TOLD = -1 };

/* struct placement - where the children began */
struct placement {
	uint64_t nr_same; /* on the CPU from which the parent forked */
	uint64_t nr_cpus; /* different ones */
	unsigned char seen[MAX_CPUS / 8];
};

static int ask_cpu(void)
{
	unsigned int cpu;

	return syscall(SYS_getcpu, &cpu, NULL, NULL) ? NOT_TOLD : (int)cpu;
}

static int wait_for(pid_t child, uint64_t turn)
{
	int status;

	if (waitpid(child, &status, 0) != child)
		return program_complain("fork-latency", "cannot wait for a child", errno);
	if (!status)
		return 0;
	if (WIFSIGNALED(status))
		fprintf(stderr, "fork-latency: child %ju was killed by signal %d (%s)\n",
			(uintmax_t)turn, WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		fprintf(stderr, "fork-latency: child %ju ended with status %d\n",
			(uintmax_t)turn, WEXITSTATUS(status));
	return -1;
}

static int count(struct placement *placement, int parent, int child)
{
	unsigned char bit;

	if (parent < 0 || child < 0 || child >= MAX_CPUS) {
		fprintf(stderr,
			"fork-latency: CPU %d of the parent and %d of the child: "
			"expected 0 to %d\n",
			parent, child, MAX_CPUS - 1);
		return -1;
	}
	bit = (unsigned char)(1U << (child % 8));
	placement->nr_cpus += !(placement->seen[child / 8] & bit);
	placement->seen[child / 8] |= bit;
	placement->nr_same += parent == child;
	return 0;
}

static int take_turns(uint64_t forks, volatile int *told, struct placement *placement)
{
	uint64_t turn;

	for (turn = 1; turn <= forks; turn++) {
		int here = ask_cpu();
		pid_t child;

		*told = NOT_TOLD;
		child = fork();
		if (child < 0)
			return program_complain("fork-latency", "cannot fork", errno);
		if (!child) {
			*told = ask_cpu();
			_exit(0);
		}
		if (wait_for(child, turn) || count(placement, here, *told))
			return -1;
	}
	return 0;
}

static int run(uint64_t forks)
{
	struct placement placement = { 0 };
	uint64_t start_ns, ns;
	int *told = mmap(NULL, sizeof(*told), PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (told == MAP_FAILED)
		return program_complain("fork-latency", "cannot map a shared page",
					errno);
	/* Whatever we were started with: children are waited for. */
	signal(SIGCHLD, SIG_DFL);

	start_ns = program_now_ns();
	if (take_turns(forks, told, &placement))
		return -1;
	ns = program_now_ns() - start_ns;

	printf("{\"program\":\"fork-latency\",\"forks\":%ju,\"children\":%ju,"
	       "\"same_cpu\":%ju,\"cpus\":%ju,\"metrics\":{\"latency\":%.6f}}\n",
	       (uintmax_t)forks, (uintmax_t)forks, (uintmax_t)placement.nr_same,
	       (uintmax_t)placement.nr_cpus, (double)ns / 1e3 / (double)forks);
	return program_flush("fork-latency");
}

int main(int argc, char **argv)
{
	uint64_t forks = 0;

	if (argc != 2 ||
	    program_number(argv[1], "forks", FORK_LATENCY_MAX_FORKS, &forks)) {
		fprintf(stderr, "fork-latency: expected --forks=N, N from 1 to %d\n",
			FORK_LATENCY_MAX_FORKS);
		return 2;
	}
	return run(forks) ? 1 : 0;
}
