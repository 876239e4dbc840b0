// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The fork-latency workload: this process forks a child that tells its CPU and
 * exits, waits for it, and does so again. The mean time of a turn is printed,
 * and how the children were placed.
 *
 * A child tells its CPU through a shared page: an exit status holds 8 bits. The
 * kernel is asked for the number, since what libc keeps of it was copied from
 * the parent. Which CPUs share a last-level cache is read before the clock starts,
 * and left out of the result where the kernel doesn't tell. A child lives for some microseconds and waits for nothing, so it
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

enum { MAX_CPUS = 1 << 16, MAX_CACHES = 10, NOT_TOLD = -1 };

/* struct place - where a task runs */
struct place {
	int cpu, node;
};

/* struct placement - where the children began, seen from where the parent forked */
struct placement {
	uint64_t nr_same_cpu;	/* on the same CPU */
	uint64_t nr_same_llc;	/* another CPU of the same last-level cache */
	uint64_t nr_same_node;	/* another cache of the same NUMA node */
	uint64_t nr_other_node; /* anywhere else */
	uint64_t nr_cpus;	/* different ones */
	int is_llc_unknown;
	unsigned char seen[MAX_CPUS / 8];
	int llc[MAX_CPUS]; /* of each CPU, from 1; 0: not known */
};

static void ask_place(volatile struct place *ret)
{
	unsigned int cpu, node;

	if (syscall(SYS_getcpu, &cpu, &node, NULL))
		return;
	ret->node = (int)node;
	ret->cpu = (int)cpu;
}

/* The first number in a file that tells of a cache of @cpu; NOT_TOLD: none there. */
static int read_cache(int cpu, int idx, const char *name)
{
	char path[100], text[16], *end;
	long number = NOT_TOLD;
	FILE *file;

	(void)snprintf(path, sizeof(path),
		       "/sys/devices/system/cpu/cpu%d/cache/index%d/%s", cpu, idx, name);
	file = fopen(path, "re");
	if (!file)
		return NOT_TOLD;
	if (fgets(text, sizeof(text), file)) {
		number = strtol(text, &end, 10);
		if (end == text || number < 0 || number >= MAX_CPUS)
			number = NOT_TOLD;
	}
	(void)fclose(file);
	return (int)number;
}

/* Of the outermost cache, which holds data wherever there are several at its level. */
static int find_llc(int cpu)
{
	int outermost = 0;
	int llc = NOT_TOLD;
	int i;

	for (i = 0; i < MAX_CACHES; i++) {
		int level = read_cache(cpu, i, "level");

		if (level == NOT_TOLD)
			break;
		if (level <= outermost)
			continue;
		outermost = level;
		llc = read_cache(cpu, i, "shared_cpu_list");
	}
	return llc + 1;
}

/* Only of the CPUs there are: memory that is touched is copied with each child. */
static void find_llcs(struct placement *placement)
{
	long nr = sysconf(_SC_NPROCESSORS_CONF);
	int cpu;

	for (cpu = 0; cpu < MAX_CPUS && cpu < nr; cpu++)
		placement->llc[cpu] = find_llc(cpu);
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

static int is_cpu(int cpu)
{
	return cpu >= 0 && cpu < MAX_CPUS;
}

static int count(struct placement *placement, struct place parent, struct place child)
{
	unsigned char bit;

	if (!is_cpu(parent.cpu) || !is_cpu(child.cpu)) {
		fprintf(stderr,
			"fork-latency: CPU %d of the parent and %d of the child: "
			"expected 0 to %d\n",
			parent.cpu, child.cpu, MAX_CPUS - 1);
		return -1;
	}
	bit = (unsigned char)(1U << (child.cpu % 8));
	placement->nr_cpus += !(placement->seen[child.cpu / 8] & bit);
	placement->seen[child.cpu / 8] |= bit;
	if (!placement->llc[parent.cpu] || !placement->llc[child.cpu])
		placement->is_llc_unknown = 1;
	if (parent.cpu == child.cpu)
		placement->nr_same_cpu++;
	else if (parent.node != child.node)
		placement->nr_other_node++;
	else if (placement->llc[parent.cpu] != placement->llc[child.cpu])
		placement->nr_same_node++;
	else
		placement->nr_same_llc++;
	return 0;
}

static int take_turns(uint64_t forks, volatile struct place *told,
		      struct placement *placement)
{
	uint64_t turn;

	for (turn = 1; turn <= forks; turn++) {
		struct place here = { NOT_TOLD, NOT_TOLD };
		pid_t child;

		ask_place(&here);
		told->cpu = NOT_TOLD;
		child = fork();
		if (child < 0)
			return program_complain("fork-latency", "cannot fork", errno);
		if (!child) {
			ask_place(told);
			_exit(0);
		}
		if (wait_for(child, turn) ||
		    count(placement, here, (struct place){ told->cpu, told->node }))
			return -1;
	}
	return 0;
}

static int run(uint64_t forks)
{
	static struct placement placement;
	uint64_t start_ns, ns;
	struct place *told = mmap(NULL, sizeof(*told), PROT_READ | PROT_WRITE,
				  MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (told == MAP_FAILED)
		return program_complain("fork-latency", "cannot map a shared page",
					errno);
	/* Whatever we were started with: children are waited for. */
	signal(SIGCHLD, SIG_DFL);
	find_llcs(&placement);

	start_ns = program_now_ns();
	if (take_turns(forks, told, &placement))
		return -1;
	ns = program_now_ns() - start_ns;

	printf("{\"program\":\"fork-latency\",\"forks\":%ju,\"children\":%ju,"
	       "\"same_cpu\":%ju,\"other_node\":%ju,\"cpus\":%ju,",
	       (uintmax_t)forks, (uintmax_t)forks, (uintmax_t)placement.nr_same_cpu,
	       (uintmax_t)placement.nr_other_node, (uintmax_t)placement.nr_cpus);
	if (!placement.is_llc_unknown)
		printf("\"same_llc\":%ju,\"same_node\":%ju,",
		       (uintmax_t)placement.nr_same_llc,
		       (uintmax_t)placement.nr_same_node);
	printf("\"metrics\":{\"latency\":%.6f}}\n", (double)ns / 1e3 / (double)forks);
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
