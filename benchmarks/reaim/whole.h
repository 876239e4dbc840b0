/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests on arrays of whole numbers: primes and sorting. */
#ifndef BENCHMARKS_REAIM_WHOLE_H
#define BENCHMARKS_REAIM_WHOLE_H

#include <stdlib.h>

#include "benchmarks/reaim/amounts.h"
#include "benchmarks/reaim/work.h"

enum { WHOLE_PRIMES = 78498 /* below AMOUNT_SIEVE */ };

static inline int whole_sieve(char *composite)
{
	int nr = 0;
	int i, k;

	memset(composite, 0, AMOUNT_SIEVE);
	for (i = 2; i < AMOUNT_SIEVE; i++) {
		if (composite[i])
			continue;
		nr++;
		for (k = 2 * i; k < AMOUNT_SIEVE; k += i)
			composite[k] = 1;
	}
	return nr;
}

static inline int job_sieve(struct work *work)
{
	char *composite = malloc(AMOUNT_SIEVE);
	int nr = WHOLE_PRIMES;
	int i;

	if (!composite)
		return work_fail(work, "memory of a sieve");
	for (i = 0; i < AMOUNT_SIEVE_PASSES && nr == WHOLE_PRIMES; i++)
		nr = whole_sieve(composite);
	free(composite);
	return nr == WHOLE_PRIMES ? 0 : work_wrong(work, "the primes are miscounted");
}

static inline int whole_up(const void *a, const void *b)
{
	int left = *(const int *)a, right = *(const int *)b;

	return (left > right) - (left < right);
}

static inline int whole_down(const void *a, const void *b)
{
	return whole_up(b, a);
}

/* Numbers in order are sorted up, down and up again; how many are found, then. */
static inline int whole_sort(int *numbers)
{
	int nr = 0;
	int i;

	qsort(numbers, AMOUNT_SORT, sizeof(*numbers), whole_up);
	qsort(numbers, AMOUNT_SORT, sizeof(*numbers), whole_down);
	qsort(numbers, AMOUNT_SORT, sizeof(*numbers), whole_up);
	for (i = 0; i < AMOUNT_SORT_LOOKUPS; i++) {
		int wanted = i * 2 * (AMOUNT_SORT / AMOUNT_SORT_LOOKUPS);

		nr += bsearch(&wanted, numbers, AMOUNT_SORT, sizeof(wanted), whole_up) !=
		      NULL;
	}
	return nr;
}

static inline int job_sort_rtns_1(struct work *work)
{
	int *numbers = malloc(AMOUNT_SORT * sizeof(*numbers));
	int bad = 0;
	int i;

	if (!numbers)
		return work_fail(work, "memory to sort");
	for (i = 0; i < AMOUNT_SORT; i++)
		numbers[i] = i;
	for (i = 0; !bad && i < AMOUNT_SORT_ROUNDS; i++)
		bad = whole_sort(numbers) != AMOUNT_SORT_LOOKUPS / 2;
	free(numbers);
	return bad ? work_wrong(work, "the numbers aren't sorted") : 0;
}

#endif
