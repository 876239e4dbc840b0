/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A set of CPUs of fixed size, as the placement rules want it: walked in rising order,
 * or around the ring from some CPU on. CPU numbers are int, -1 is "none".
 */
#ifndef POLICY_CPUMASK_H
#define POLICY_CPUMASK_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/** CPUMASK_CPUS - the largest machine that the model knows */
enum { CPUMASK_CPUS = 4096, CPUMASK_WORDS = CPUMASK_CPUS / 64 };

/**
 * struct cpumask - a set of CPU numbers below CPUMASK_CPUS; all zero is empty
 * @word: CPU n is bit n % 64 of word n / 64
 */
struct cpumask {
	uint64_t word[CPUMASK_WORDS];
};

/** cpumask_add - put @cpu in */
static inline void cpumask_add(struct cpumask *mask, int cpu)
{
	mask->word[cpu / 64] |= UINT64_C(1) << (cpu % 64);
}

/** cpumask_remove - take @cpu out */
static inline void cpumask_remove(struct cpumask *mask, int cpu)
{
	mask->word[cpu / 64] &= ~(UINT64_C(1) << (cpu % 64));
}

/** cpumask_has - whether @cpu is in; false for -1 */
static inline bool cpumask_has(const struct cpumask *mask, int cpu)
{
	return cpu >= 0 && (mask->word[cpu / 64] >> (cpu % 64) & 1);
}

/** cpumask_from - the lowest CPU that isn't below @cpu, or -1 */
static inline int cpumask_from(const struct cpumask *mask, int cpu)
{
	int at = cpu / 64;
	uint64_t left;

	if (cpu >= CPUMASK_CPUS)
		return -1;
	left = mask->word[at] & UINT64_MAX << (cpu % 64);
	while (!left) {
		if (++at == CPUMASK_WORDS)
			return -1;
		left = mask->word[at];
	}
	return at * 64 + __builtin_ctzll(left);
}

/** cpumask_ring_first - where a walk from @start on begins, or -1 for an empty mask */
static inline int cpumask_ring_first(const struct cpumask *mask, int start)
{
	int cpu = cpumask_from(mask, start);

	return cpu >= 0 ? cpu : cpumask_from(mask, 0);
}

/** cpumask_ring_next - the CPU behind @cpu of a walk from @start on, or -1 at its end */
static inline int cpumask_ring_next(const struct cpumask *mask, int start, int cpu)
{
	int next = cpumask_from(mask, cpu + 1);

	if (cpu >= start) {
		if (next >= 0)
			return next;
		next = cpumask_from(mask, 0);
	}
	return next < start ? next : -1;
}

/** cpumask_count - how many CPUs are in */
static inline int cpumask_count(const struct cpumask *mask)
{
	int count = 0;
	int i;

	for (i = 0; i < CPUMASK_WORDS; i++)
		count += __builtin_popcountll(mask->word[i]);
	return count;
}

/** cpumask_and - @ret becomes what @a and @b have in common; it may be one of them */
static inline void cpumask_and(struct cpumask *ret, const struct cpumask *a,
			       const struct cpumask *b)
{
	int i;

	for (i = 0; i < CPUMASK_WORDS; i++)
		ret->word[i] = a->word[i] & b->word[i];
}

/** cpumask_or - @ret gets the CPUs of @more too */
static inline void cpumask_or(struct cpumask *ret, const struct cpumask *more)
{
	int i;

	for (i = 0; i < CPUMASK_WORDS; i++)
		ret->word[i] |= more->word[i];
}

/** cpumask_meet - whether a CPU is in both */
static inline bool cpumask_meet(const struct cpumask *a, const struct cpumask *b)
{
	int i;

	for (i = 0; i < CPUMASK_WORDS; i++)
		if (a->word[i] & b->word[i])
			return true;
	return false;
}

/** cpumask_equal - whether both hold the same CPUs */
static inline bool cpumask_equal(const struct cpumask *a, const struct cpumask *b)
{
	return !memcmp(a, b, sizeof(*a));
}

#endif
