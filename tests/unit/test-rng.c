// SPDX-License-Identifier: GPL-2.0-or-later
/* lib/rng: the same order from the same seed, on every machine and for good. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/rng.h"

/* Figures of an independent implementation: a plan's order must never move. */
static void test_rng_seed_and_rng_next(void **state)
{
	static const struct {
		uint64_t seed, stream, first, second, third;
	} cases[] = {
		{ 42, 1, UINT64_C(0x6b93b090a2f8d9d7), UINT64_C(0xc6ad14631d871ee3),
		  UINT64_C(0x19254d95d3c40a9a) },
		{ 42, 2, UINT64_C(0x0b94a55ebf38d4f5), UINT64_C(0x64e449e11b725c5c),
		  UINT64_C(0xb834de72583d2bc1) },
		{ 0, 0, UINT64_C(0xa706dd2f4d197e6f), UINT64_C(0xb382a305f4414f5e),
		  UINT64_C(0x631a9154fbabf717) },
	};
	struct rng rng;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		rng_seed(&rng, cases[i].seed, cases[i].stream);
		assert_true(rng_next(&rng) == cases[i].first);
		assert_true(rng_next(&rng) == cases[i].second);
		assert_true(rng_next(&rng) == cases[i].third);
	}
}

static void test_rng_below(void **state)
{
	enum { LIMIT = 7, NR = 70000 };
	unsigned int seen[LIMIT] = { 0 };
	unsigned int nr_low = 0;
	struct rng rng;
	size_t i;

	(void)state;
	rng_seed(&rng, 42, 0);
	for (i = 0; i < NR; i++) {
		uint64_t number = rng_below(&rng, LIMIT);

		assert_true(number < LIMIT);
		seen[number]++;
	}
	/* 10000 each, give or take five times the binomial deviation of 93. */
	for (i = 0; i < LIMIT; i++)
		assert_in_range(seen[i], 9500, 10500);
	/* A bare remainder would give half of the numbers to the lowest third. */
	for (i = 0; i < 3000; i++)
		nr_low += rng_below(&rng, UINT64_C(3) << 62) < UINT64_C(1) << 62;
	assert_in_range(nr_low, 870, 1130);
	for (i = 0; i < 100; i++)
		assert_true(rng_below(&rng, 1) == 0);
}

static void test_rng_shuffle(void **state)
{
	static const size_t expected[] = { 1, 2, 0, 5, 6, 4, 3, 7 };
	size_t idx[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
	unsigned int first[4] = { 0 };
	struct rng rng;
	size_t i;

	(void)state;
	rng_seed(&rng, 42, 1);
	rng_shuffle(&rng, idx, 8);
	assert_memory_equal(idx, expected, sizeof(expected));
	rng_shuffle(&rng, idx, 0);
	rng_shuffle(&rng, idx, 1);
	assert_memory_equal(idx, expected, sizeof(expected));
	/* Every entry comes first about equally often. */
	for (i = 0; i < 4000; i++) {
		size_t four[] = { 0, 1, 2, 3 };

		rng_shuffle(&rng, four, 4);
		first[four[0]]++;
	}
	for (i = 0; i < 4; i++)
		assert_in_range(first[i], 850, 1150);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rng_seed_and_rng_next),
		cmocka_unit_test(test_rng_below),
		cmocka_unit_test(test_rng_shuffle),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
