/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A set of CPU numbers, of any size and with holes, in the kernel's list
 * notation: 0-3,8,64-127. Sorted and without duplicates.
 */
#ifndef LIB_CPULIST_H
#define LIB_CPULIST_H

#include <stdbool.h>
#include <stddef.h>

struct err;

/** Largest CPU number understood, far above any kernel's NR_CPUS. */
enum { CPULIST_MAX_CPU = 65535 };

/**
 * struct cpulist - CPU numbers in rising order
 * @cpu: owned array
 * @nr: how many
 *
 * All zero is an empty list.
 */
struct cpulist {
	unsigned int *cpu;
	size_t nr;
};

/**
 * cpulist_parse - read list notation
 * @text: numbers and ranges separated by commas, without spaces
 * @ret: an empty list; filled on success only
 * @err: says what was expected
 *
 * Return: 0, -EINVAL (also for an empty list or a range that runs backwards)
 * or -ENOMEM.
 */
int cpulist_parse(const char *text, struct cpulist *ret, struct err *err);

/** cpulist_write - in list notation, the caller's to free(); NULL: no memory */
char *cpulist_write(const struct cpulist *list);

/** cpulist_add - add @cpu; 0 or -ENOMEM */
int cpulist_add(struct cpulist *list, unsigned int cpu);

/** cpulist_copy - fill the empty list @ret with @list; 0 or -ENOMEM */
int cpulist_copy(const struct cpulist *list, struct cpulist *ret);

/** cpulist_has - whether @cpu is in the list */
bool cpulist_has(const struct cpulist *list, unsigned int cpu);

/** cpulist_equal - whether both hold the same CPUs */
bool cpulist_equal(const struct cpulist *a, const struct cpulist *b);

/**
 * cpulist_outside - the first CPU of @list that isn't in @whole
 *
 * Return: its number, or -1 when @list lies inside @whole.
 */
long cpulist_outside(const struct cpulist *list, const struct cpulist *whole);

/** cpulist_release - free what the list owns; it is empty again */
void cpulist_release(struct cpulist *list);

#endif
