/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests of a process's own memory: allocation, pages, copies. */
#ifndef BENCHMARKS_REAIM_MEMORY_H
#define BENCHMARKS_REAIM_MEMORY_H

#include <stdlib.h>

#include "benchmarks/reaim/amounts.h"
#include "benchmarks/reaim/work.h"

enum {
	MEMORY_SHIFTS = sizeof(double), /* blocks begin at any of these offsets */
	MEMORY_EACH = 3,		/* allocations a turn: a text and two blocks */
};

/* A text, a block, and a zeroed one; 0, or -1 where there is no memory. */
static inline int memory_allocate(char *held[MEMORY_EACH], size_t turn)
{
	static const char text[] = "some forty-four bytes are what a text takes.";
	int i;

	held[0] = malloc(sizeof(text));
	held[1] = malloc(amount_block(turn));
	held[2] = calloc(1, amount_block(turn + 1));
	if (held[0])
		memcpy(held[0], text, strlen(text) + 1);
	for (i = 0; i < MEMORY_EACH; i++) {
		if (!held[i])
			return -1;
		((volatile char *)held[i])[0] = 'm';
	}
	return 0;
}

static inline int job_mem_rtns_1(struct work *work)
{
	char *held[AMOUNT_ALLOCATED][MEMORY_EACH];
	int bad = 0;
	int i, pass;

	for (pass = 0; !bad && pass < AMOUNT_ALLOCATIONS; pass++) {
		for (i = 0; i < AMOUNT_ALLOCATED; i++)
			bad |= memory_allocate(held[i], (size_t)i);
		for (i = AMOUNT_ALLOCATED - 1; i >= 0; i--) {
			free(held[i][0]);
			free(held[i][2]);
			free(held[i][1]);
		}
	}
	return bad ? work_fail(work, "memory") : 0;
}

/* Two blocks are filled, one byte of the first changed and found, and both copied. */
static inline int memory_blocks(char *a, char *b, size_t nr)
{
	size_t size = amount_block(nr);
	size_t at = nr % size;
	const char *found;

	memset(a, 'A', size);
	memset(b, 'A', size);
	a[at] = 'Z';
	found = memchr(a, 'Z', size);
	if (found != a + at || memcmp(a, b, size) <= 0)
		return -1;
	memcpy(a, b, size);
	memmove(b, a, size);
	return memcmp(a, b, size) ? -1 : 0;
}

static inline int job_mem_rtns_2(struct work *work)
{
	static char a[AMOUNT_BLOCK_MAX + MEMORY_SHIFTS] = "";
	static char b[AMOUNT_BLOCK_MAX + MEMORY_SHIFTS] = "";
	int bad = 0;
	size_t i;

	for (i = 0; !bad && i < AMOUNT_BLOCKS; i++)
		bad = memory_blocks(a + i % MEMORY_SHIFTS,
				    b + i / MEMORY_SHIFTS % MEMORY_SHIFTS, i);
	return bad ? work_wrong(work, "blocks of memory differ") : 0;
}

static inline int job_ram_copy(struct work *work)
{
	static char from[AMOUNT_SHARED_BYTES + MEMORY_SHIFTS];
	static char to[AMOUNT_SHARED_BYTES + MEMORY_SHIFTS];
	const struct amount_run *size;
	size_t nr = 0;
	int i;

	for (size = amount_copies; size->times; size++) {
		for (i = 0; i < size->times; i++, nr++) {
			memcpy(to + nr % MEMORY_SHIFTS,
			       from + nr / MEMORY_SHIFTS % MEMORY_SHIFTS, size->bytes);
			__asm__ volatile("" : : "r"(to), "r"(from) : "memory");
		}
	}
	work->sink = to[nr];
	return 0;
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
	return memory_break(work, AMOUNT_PAGE_PASSES, 128);
}

static inline int job_brk_test(struct work *work)
{
	return memory_break(work, AMOUNT_BREAK_PASSES, 0);
}

#endif
