// SPDX-License-Identifier: GPL-2.0-or-later
/* policy/pelt: factors, limits, and what a new task starts with. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "policy/pelt.h"

/* "y_inv[1] = 0xfa83b2da, y_inv[31] = 0x82cd8698" */
static void test_pelt_factors(void **state)
{
	unsigned int n;

	(void)state;
	assert_int_equal(pelt_factor(0), 0xffffffff);
	assert_int_equal(pelt_factor(1), 0xfa83b2da);
	assert_int_equal(pelt_factor(16), 0xb504f333);
	assert_int_equal(pelt_factor(31), 0x82cd8698);
	for (n = 1; n < 32; n++)
		assert_true(pelt_factor(n) < pelt_factor(n - 1));
}

/* "LOAD_AVG_MAX = 47742" */
static void test_pelt_limit(void **state)
{
	uint64_t sum = 0;
	int i;

	(void)state;
	for (i = 0; i < 1000; i++)
		sum = pelt_decay(sum, 1) + PELT_PERIOD;
	assert_int_equal(sum, PELT_MAX);
	assert_int_equal(PELT_MAX, 47742);
}

static void test_pelt_decay(void **state)
{
	(void)state;
	assert_int_equal(pelt_decay(1024, 0), 1023);
	assert_int_equal(pelt_decay(1 << 20, 32), (1 << 19) - 1);
	assert_int_equal(pelt_decay(1 << 20, 64), (1 << 18) - 1);
	assert_int_equal(pelt_decay(UINT64_MAX, 63 * 32), 0);
	assert_int_equal(pelt_decay(UINT64_MAX, 63 * 32 + 1), 0);
	assert_int_equal(pelt_decay(47742, UINT64_MAX), 0);
}

/* A signal that is always active rises to 1024, half of it in a half-life. */
static void test_pelt_advance(void **state)
{
	struct pelt signal = { 0 };
	uint64_t half;

	(void)state;
	assert_false(pelt_advance(&signal, 1000, true));
	assert_int_equal(signal.avg, 0);
	assert_int_equal(signal.sum, 1000);
	assert_true(pelt_advance(&signal, 24, true));
	assert_int_equal(signal.contrib, 0);
	assert_true(pelt_advance(&signal, 31 * 1024, true));
	half = signal.avg;
	assert_in_range(half, 505, 520);
	assert_true(pelt_advance(&signal, 2000 * 1024, true));
	assert_in_range(signal.avg, 1020, 1024);
	assert_true(pelt_advance(&signal, 32 * 1024, false));
	assert_in_range(signal.avg, 509, 514);
	assert_true(pelt_advance(&signal, 3000 * 1024, false));
	assert_int_equal(signal.avg, 0);
}

/* One long step and many short ones come to nearly the same. */
static void test_pelt_steps(void **state)
{
	struct pelt one = { 0 };
	struct pelt many = { 0 };
	int i;

	(void)state;
	(void)pelt_advance(&one, 50000, true);
	for (i = 0; i < 500; i++)
		(void)pelt_advance(&many, 100, true);
	assert_int_equal(one.contrib, many.contrib);
	assert_in_range(one.sum, many.sum - 60, many.sum + 60);
}

/* "fork chain utilisation 512, 256, 128" */
static void test_fork_chain_utilisation(void **state)
{
	static const uint64_t expected[] = { 512, 256, 128, 64, 32 };
	uint64_t util = 0;
	uint64_t load = 0;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		uint64_t add = pelt_new_task_util(util, load, 1024 * 1024);

		assert_int_equal(add, expected[i]);
		util += add;
		load += 1024;
	}
	assert_true(util <= 1024);
	/* With the scaled-down weight the share of the load decides: 512 * 1024 / 3073. */
	assert_int_equal(pelt_new_task_util(512, 3072, 1024), 170);
	assert_int_equal(pelt_new_task_util(1024, 1024, 1024), 0);
	assert_int_equal(pelt_new_task_util(2000, 1024, 1024), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pelt_factors),
		cmocka_unit_test(test_pelt_limit),
		cmocka_unit_test(test_pelt_decay),
		cmocka_unit_test(test_pelt_advance),
		cmocka_unit_test(test_pelt_steps),
		cmocka_unit_test(test_fork_chain_utilisation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
