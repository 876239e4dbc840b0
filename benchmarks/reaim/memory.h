/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests of a process's own memory: allocation, pages, copies, strings, jumps, signals. */
#ifndef BENCHMARKS_REAIM_MEMORY_H
#define BENCHMARKS_REAIM_MEMORY_H

#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

#include "benchmarks/reaim/work.h"

enum {
	MEMORY_BLOCK = 4096,
	MEMORY_TEXT = 1 << 16,
	MEMORY_COPY = 25000, /* bytes of ram_copy */
};

static inline int job_mem_rtns_1(struct work *work)
{
	enum { NR = 1000 };
	void *held[NR] = { NULL };
	int bad = 0;
	int i, pass;

	for (pass = 0; !bad && pass < 15; pass++) {
		for (i = 0; i < NR; i++) {
			held[i] = malloc(16 + (size_t)(i * 37 % 1000));
			bad |= !held[i];
		}
		for (i = NR - 1; i >= 0; i--)
			free(held[i]);
	}
	return bad ? work_fail(work, "memory") : 0;
}

static inline int job_mem_rtns_2(struct work *work)
{
	char *a = malloc(MEMORY_BLOCK), *b = malloc(MEMORY_BLOCK);
	int bad = !a || !b;
	int i;

	for (i = 0; !bad && i < 25; i++) {
		memset(a, i, MEMORY_BLOCK);
		memcpy(b, a, MEMORY_BLOCK);
		memmove(b + 8, b, MEMORY_BLOCK - 8);
		bad = memcmp(a, b, MEMORY_BLOCK);
		work->sink = b[MEMORY_BLOCK - 1];
	}
	free(a);
	free(b);
	return bad ? work_wrong(work, "blocks of memory differ") : 0;
}

static inline int job_ram_copy(struct work *work)
{
	static char from[MEMORY_COPY], to[MEMORY_COPY];

	memcpy(to, from, MEMORY_COPY);
	__asm__ volatile("" : : "r"(to), "r"(from) : "memory");
	work->sink = to[MEMORY_COPY - 1];
	return 0;
}

/* 100 operations: each pass measures, copies, joins and searches. */
static inline int job_string_rtns(struct work *work)
{
	char *text = malloc(MEMORY_TEXT), *copy = malloc(MEMORY_TEXT);
	int bad = !text || !copy;
	int i;

	for (i = 0; !bad && i < 25; i++) {
		size_t half = MEMORY_TEXT / 2 - 1;

		memset(text, 'a' + i, half);
		text[half] = '\0';
		memcpy(copy, text, strlen(text) + 1);
		memcpy(text + half, copy, strlen(copy) + 1);
		bad = strlen(text) != 2 * half || strcmp(text + half, copy) != 0 ||
		      strchr(text, 'A') != NULL;
	}
	free(text);
	free(copy);
	return bad ? work_wrong(work, "strings differ") : 0;
}

/*
 * The heap grows by 1 MiB, then shrinks by 64 KiB and grows by as much in
 * steps of 4 KiB, @passes times, with a byte in 128 of each new step written.
 */
static inline int memory_break(struct work *work, int passes, size_t stride)
{
	const intptr_t heap = 1 << 20, part = 64 << 10, step = 4 << 10;
	int i, k;

	if (sbrk(heap) == (void *)-1)
		return work_fail(work, "the heap can't grow");
	for (i = 0; i < passes; i++) {
		if (sbrk(-part) == (void *)-1)
			return work_fail(work, "the heap can't shrink");
		for (k = 0; k < part / step; k++) {
			char *page = sbrk(step);
			size_t at;

			if (page == (void *)-1)
				return work_fail(work, "the heap can't grow");
			for (at = 0; stride && at < (size_t)step; at += stride)
				((volatile char *)page)[at] = (char)i;
		}
	}
	return sbrk(-heap) == (void *)-1 ? work_fail(work, "the heap can't shrink") : 0;
}

static inline int job_page_test(struct work *work)
{
	return memory_break(work, 100, 128);
}

static inline int job_brk_test(struct work *work)
{
	return memory_break(work, 1000, 0);
}

static inline int memory_lock(struct work *work, int lock)
{
	uint64_t one;

	return read(lock, &one, sizeof(one)) == sizeof(one)
		       ? 0
		       : work_fail(work, "cannot take a semaphore");
}

static inline int memory_unlock(struct work *work, int lock)
{
	const uint64_t one = 1;

	return write(lock, &one, sizeof(one)) == sizeof(one)
		       ? 0
		       : work_fail(work, "cannot give a semaphore");
}

/*
 * Locks and unlocks are calls of the kernel, as with System V's semaphores; but
 * lock and memory have no name and so can't outlive the process.
 */
static inline int job_shared_memory(struct work *work)
{
	int lock = eventfd(1, EFD_CLOEXEC | EFD_SEMAPHORE);
	char *shared = mmap(NULL, WORK_KIB, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int bad = 0;
	int i;

	if (lock < 0 || shared == MAP_FAILED)
		bad = work_fail(work, "no shared memory");
	for (i = 0; !bad && i < 100; i++) {
		bad = memory_lock(work, lock);
		if (!bad)
			memcpy(shared, work->block, WORK_KIB);
		bad = bad || memory_unlock(work, lock) || memory_lock(work, lock);
		if (!bad)
			memcpy(work->block, shared, WORK_KIB);
		bad = bad || memory_unlock(work, lock);
	}
	if (lock >= 0)
		close(lock);
	if (shared != MAP_FAILED)
		(void)munmap(shared, WORK_KIB);
	return bad ? -1 : 0;
}

/* Not a tail call: each step has a frame of its own. */
static __attribute__((noinline)) int memory_dive(jmp_buf back, int depth)
{
	volatile int here = depth;

	if (here < 0)
		return here;
	if (!here)
		longjmp(back, 1);
	return memory_dive(back, depth - 1) + here;
}

static inline int job_jmp_test(struct work *work)
{
	volatile int nr = 0;
	jmp_buf back;

	while (nr < 1000) {
		if (!setjmp(back))
			nr = memory_dive(back, 10);
		nr = nr + 1;
	}
	work->sink = nr;
	return 0;
}

/* Counted in the handler: volatile, or a loop that waits for it would never see it. */
static volatile sig_atomic_t memory_signals;

static inline void memory_take_signal(int sig)
{
	(void)signal(sig, memory_take_signal);
	memory_signals = memory_signals + 1;
}

static inline int job_signal_test(struct work *work)
{
	int i;

	memory_signals = 0;
	(void)signal(SIGUSR2, memory_take_signal);
	for (i = 0; i < 1000; i++) {
		if (kill(getpid(), SIGUSR2))
			return work_fail(work, "cannot signal");
	}
	(void)signal(SIGUSR2, SIG_IGN);
	return memory_signals == 1000 ? 0 : work_wrong(work, "a signal was lost");
}

static inline int job_misc_rtns_1(struct work *work)
{
	char name[256];
	int i;

	for (i = 0; i < 10; i++) {
		mode_t mask = umask(022);

		(void)umask(mask);
		if (gethostname(name, sizeof(name)) || access("/", R_OK))
			return work_fail(work, "a simple call");
		work->sink = (double)getpid() + getuid() + getgid() + (double)time(NULL) +
			     isatty(0) + (getenv("PATH") != NULL);
	}
	return 0;
}

#endif
