// SPDX-License-Identifier: GPL-2.0-or-later
/* compare/sort: the order of qsort(), of whatever comes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compare/sort.h"

enum { MOST = 3000 };

/** enum shape - how numbers come */
enum shape {
	RANDOM,
	ASCENDING,
	DESCENDING,
	EQUAL,
	FEW_VALUES,
	ORGAN_PIPE,
	SAW,
	NR_SHAPES,
};

static double number(enum shape shape, size_t i, size_t nr)
{
	switch (shape) {
	case ASCENDING:
		return (double)i;
	case DESCENDING:
		return -(double)i;
	case EQUAL:
		return 2.5;
	case FEW_VALUES:
		return (double)(i * 7 % 3);
	case ORGAN_PIPE:
		return (double)(i < nr / 2 ? i : nr - i);
	case SAW:
		return (double)(i % 16);
	case RANDOM:
	case NR_SHAPES:
		break;
	}
	return ldexp((double)(i * UINT64_C(2654435761) % 1000003), -10) - 300.0;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;

	return (x > y) - (x < y);
}

static void check(enum shape shape, size_t nr)
{
	double *numbers = calloc(nr + 1, sizeof(*numbers));
	double *expected = calloc(nr + 1, sizeof(*expected));
	size_t i;

	assert_true(numbers && expected);
	for (i = 0; i < nr; i++)
		numbers[i] = expected[i] = number(shape, i, nr);
	sort_numbers(numbers, nr);
	qsort(expected, nr, sizeof(*expected), by_value);
	assert_memory_equal(numbers, expected, nr * sizeof(*numbers));
	free(numbers);
	free(expected);
}

static void test_sort_numbers(void **state)
{
	int shape;
	size_t nr;

	(void)state;
	for (shape = 0; shape < NR_SHAPES; shape++) {
		for (nr = 0; nr < 70; nr++)
			check((enum shape)shape, nr);
		check((enum shape)shape, MOST);
	}
}

/* Each division takes one number off: the numbers that make it so are found backwards. */
static void test_bad_luck(void **state)
{
	double *numbers = calloc(MOST, sizeof(*numbers));
	size_t nr, i;

	(void)state;
	assert_non_null(numbers);
	/* The middle and the end of what is left are its largest two. */
	for (nr = 2; nr <= MOST; nr++) {
		numbers[nr - 1] = numbers[nr / 2];
		numbers[nr / 2] = (double)nr;
	}
	sort_numbers(numbers, MOST);
	for (i = 1; i < MOST; i++)
		assert_true(numbers[i - 1] <= numbers[i]);
	free(numbers);
}

/* Wherever they end up, the walks stay inside and all numbers are still there. */
static void test_nan(void **state)
{
	double *numbers = calloc(100, sizeof(*numbers));
	size_t nr_nan = 0;
	double sum = 0.0;
	size_t i;

	(void)state;
	assert_non_null(numbers);
	for (i = 0; i < 100; i++)
		numbers[i] = i % 3 ? (double)(100 - i) : (double)NAN;
	sort_numbers(numbers, 100);
	for (i = 0; i < 100; i++) {
		nr_nan += isnan(numbers[i]) != 0;
		sum += isnan(numbers[i]) ? 0.0 : numbers[i];
	}
	assert_int_equal(nr_nan, 34);
	/* 1 to 100 less 100, 97 and so on down to 1. */
	assert_true(sum == 5050.0 - 34.0 * 101.0 / 2.0);
	free(numbers);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sort_numbers),
		cmocka_unit_test(test_bad_luck),
		cmocka_unit_test(test_nan),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
