/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests on arrays of whole numbers: primes and sorting. */
#ifndef BENCHMARKS_REAIM_WHOLE_H
#define BENCHMARKS_REAIM_WHOLE_H

#include <stdlib.h>

#include "benchmarks/reaim/work.h"

enum {
	WHOLE_SIEVE = 1000000,
	WHOLE_PRIMES = 78498, /* below it */
	WHOLE_SORT = 10000,
};

static inline int whole_sieve(char *composite)
{
	int nr = 0;
	int i, k;

	memset(composite, 0, WHOLE_SIEVE);
	for (i = 2; i < WHOLE_SIEVE; i++) {
		if (composite[i])
			continue;
		nr++;
		for (k = 2 * i; k < WHOLE_SIEVE; k += i)
			composite[k] = 1;
	}
	return nr;
}

static inline int job_sieve(struct work *work)
{
	char *composite = malloc(WHOLE_SIEVE);
	int nr = WHOLE_PRIMES;
	int i;

	if (!composite)
		return work_fail(work, "memory of a sieve");
	for (i = 0; i < 5 && nr == WHOLE_PRIMES; i++)
		nr = whole_sieve(composite);
	free(composite);
	return nr == WHOLE_PRIMES ? 0 : work_wrong(work, "the primes are miscounted");
}

static inline int whole_order(const void *a, const void *b)
{
	int left = *(const int *)a, right = *(const int *)b;

	return (left > right) - (left < right);
}

static inline int job_sort_rtns_1(struct work *work)
{
	int *numbers = malloc(WHOLE_SORT * sizeof(*numbers));
	int bad = 0;
	int i, k;

	if (!numbers)
		return work_fail(work, "memory to sort");
	for (i = 0; !bad && i < 10; i++) {
		for (k = 0; k < WHOLE_SORT; k++)
			numbers[k] = (int)work_random(work, 1 << 30);
		qsort(numbers, WHOLE_SORT, sizeof(*numbers), whole_order);
		for (k = 1; k < WHOLE_SORT; k++)
			bad |= numbers[k - 1] > numbers[k];
	}
	free(numbers);
	return bad ? work_wrong(work, "the numbers aren't sorted") : 0;
}

#endif
