// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The plainest triad there is, to hold our stream against.
 *
 *   triad THREADS SIZE NTIMES
 *
 * a = b + 3c over SIZE doubles, each thread its own part, NTIMES passes of which the
 * first doesn't count. Prints the rate of the shortest pass in MB/s: 24 bytes an
 * element, MB is 10^6 bytes. No copy, scale or add in between.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

enum { THREADS_MOST = 64 };

struct part {
	double *a, *b, *c;
	size_t nr;
};

static atomic_ulong arrived;
static unsigned long nr_threads;
static unsigned long ntimes;
static struct part parts[THREADS_MOST];
static uint64_t best_ns = UINT64_MAX;

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* For all threads to have come @turn times; a CPU for each of them. */
static void meet(unsigned long turn)
{
	atomic_fetch_add(&arrived, 1);
	while (atomic_load(&arrived) < turn * nr_threads)
		;
}

static __attribute__((noinline)) void triad(const struct part *part)
{
	double *restrict a = part->a;
	const double *restrict b = part->b;
	const double *restrict c = part->c;
	size_t i;

	for (i = 0; i < part->nr; i++)
		a[i] = b[i] + 3.0 * c[i];
}

static void *work(void *arg)
{
	const struct part *part = arg;
	unsigned long pass;
	size_t i;

	/* All together and in one loop, as our stream does: it decides where pages lie. */
	for (i = 0; i < part->nr; i++) {
		part->a[i] = 1.0;
		part->b[i] = 2.0;
		part->c[i] = 0.5;
		__asm__ __volatile__("" ::: "memory");
	}
	for (pass = 0; pass < ntimes; pass++) {
		uint64_t start_ns;
		uint64_t time_ns;

		meet(2 * pass + 1);
		start_ns = now_ns();
		triad(part);
		meet(2 * pass + 2);
		time_ns = now_ns() - start_ns;
		if (part == parts && pass && time_ns < best_ns)
			best_ns = time_ns;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	size_t size = argc == 4 ? strtoull(argv[2], NULL, 10) : 0;
	pthread_t ids[THREADS_MOST];
	size_t bytes = 3 * size * sizeof(double);
	double *memory;
	size_t i;

	nr_threads = argc == 4 ? strtoul(argv[1], NULL, 10) : 0;
	ntimes = argc == 4 ? strtoul(argv[3], NULL, 10) : 0;
	if (!nr_threads || nr_threads > THREADS_MOST || size < nr_threads || ntimes < 2) {
		fputs("usage: triad THREADS SIZE NTIMES\n", stderr);
		return 2;
	}
	memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		      -1, 0);
	if (memory == MAP_FAILED) {
		fputs("triad: no memory for the arrays\n", stderr);
		return 1;
	}
	for (i = 0; i < nr_threads; i++) {
		size_t begin = size * i / nr_threads;

		parts[i] = (struct part){
			.a = memory + begin,
			.b = memory + size + begin,
			.c = memory + 2 * size + begin,
			.nr = size * (i + 1) / nr_threads - begin,
		};
	}
	for (i = 1; i < nr_threads; i++)
		if (pthread_create(&ids[i], NULL, work, &parts[i])) {
			fputs("triad: cannot start a thread\n", stderr);
			return 1;
		}
	work(&parts[0]);
	for (i = 1; i < nr_threads; i++)
		pthread_join(ids[i], NULL);
	for (i = 0; i < size; i++)
		if (memory[i] != 3.5) {
			fputs("triad: the array is wrong\n", stderr);
			return 1;
		}
	printf("%.1f\n", (double)size * 24e3 / (double)best_ns);
	munmap(memory, bytes);
	return 0;
}
