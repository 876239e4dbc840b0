// SPDX-License-Identifier: GPL-2.0-or-later
/* Quicksort by a median of three, and qsort() where that goes wrong; see sort.h. */
#include "compare/sort.h"

#include <stdlib.h>

/* Shorter pieces are left to a pass of insertions over all. */
enum { SHORT = 16 };

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;

	return (x > y) - (x < y);
}

static void swap(double *a, double *b)
{
	double kept = *a;

	*a = *b;
	*b = kept;
}

static void insert(double *x, size_t nr)
{
	size_t i, j;

	for (i = 1; i < nr; i++) {
		double number = x[i];

		for (j = i; j && x[j - 1] > number; j--)
			x[j] = x[j - 1];
		x[j] = number;
	}
}

/*
 * The smaller ones to the front, the larger ones to the end; how many the front has, at
 * least 1 and less than all. The three that are put in order keep both walks inside,
 * as a NAN does, which is neither smaller nor larger.
 */
static size_t divide(double *x, size_t nr)
{
	double *first = x;
	double *middle = x + nr / 2;
	double *last = x + nr - 1;
	double pivot;

	if (*middle < *first)
		swap(middle, first);
	if (*last < *middle)
		swap(last, middle);
	if (*middle < *first)
		swap(middle, first);
	pivot = *middle;
	while (first <= last) {
		while (*first < pivot)
			first++;
		while (*last > pivot)
			last--;
		if (first > last)
			break;
		swap(first++, last--);
	}
	return (size_t)(first - x);
}

/* @depth: how many more divisions are those of luck that isn't bad */
static void sort_roughly(double *x, size_t nr, unsigned int depth)
{
	while (nr > SHORT) {
		size_t nr_front;

		if (!depth--) {
			qsort(x, nr, sizeof(*x), by_value);
			return;
		}
		nr_front = divide(x, nr);
		sort_roughly(x + nr_front, nr - nr_front, depth);
		nr = nr_front;
	}
}

void sort_numbers(double *numbers, size_t nr)
{
	unsigned int depth = 0;
	size_t rest;

	for (rest = nr; rest; rest /= 2)
		depth += 2;
	sort_roughly(numbers, nr, depth);
	insert(numbers, nr);
}
