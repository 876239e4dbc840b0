// SPDX-License-Identifier: GPL-2.0-or-later
/* Several p at once, counts of failures, and ranks around a quantile: R's figures. */
#include "tests/unit/near.h"

#include "compare/failures.h"
#include "compare/family.h"
#include "compare/quantile.h"

static const double p10[] = { 0.216, 0.008, 0.039, 0.041, 0.042,
			      0.06,  0.074, 0.205, 0.212, 0.001 };

static void test_bh(void **state)
{
	double q[10];

	(void)state;
	assert_int_equal(family_adjust(p10, 10, FAMILY_BH, q), 0);
	assert_near(q[9], 0.01);
	assert_near(q[1], 0.04);
	assert_near(q[2], 0.084);
	assert_near(q[4], 0.084);
	assert_near(q[5], 0.1);
	assert_near(q[6], 0.105714285714286);
	assert_near(q[0], 0.216);
}

static void test_holm(void **state)
{
	double q[10];

	(void)state;
	assert_int_equal(family_adjust(p10, 10, FAMILY_HOLM, q), 0);
	assert_near(q[9], 0.01);
	assert_near(q[1], 0.072);
	assert_near(q[2], 0.312);
	assert_near(q[6], 0.312);
	assert_near(q[7], 0.615);
	assert_near(q[0], 0.615);
}

static void test_adjust_some(void **state)
{
	const double p[] = { 0.04, (double)NAN, 0.9, 0.01 };
	double q[4];

	(void)state;
	assert_int_equal(family_adjust(p, 4, FAMILY_BH, q), 0);
	assert_near(q[0], 0.06);
	assert_true(isnan(q[1]));
	assert_near(q[2], 0.9);
	assert_near(q[3], 0.03);
	assert_int_equal(family_adjust(p, 4, FAMILY_NONE, q), 0);
	assert_near(q[3], 0.01);
	assert_int_equal(family_adjust(p, 0, FAMILY_HOLM, q), 0);
	assert_string_equal(family_adjust_names[FAMILY_HOLM], "holm");
	assert_string_equal(family_adjust_names[FAMILY_NONE], "none");
}

static void test_combine(void **state)
{
	(void)state;
	assert_near(family_combine(0.01, 0.2), 0.019153934556756);
	assert_near(family_combine(0.5, 0.5), 0.5);
	assert_near(family_combine(0.04, 0.9), 0.124774199526189);
	assert_near(family_combine(1e-5, 0.3), 1.99995434905786e-05);
	/* Where the tangent of the formula has no digits left. */
	assert_near(family_combine(1e-40, 1e-3), 2e-40);
	assert_true(family_combine(0.0, 0.7) == 0.0);
	assert_true(family_combine(1.0, 1.0) == 1.0);
}

static void test_failures(void **state)
{
	const struct failures none = { 0, 0 };
	const struct failures a = { 0, 10 };
	const struct failures b = { 3, 10 };
	const struct failures c = { 1, 12 };
	const struct failures d = { 6, 9 };
	const struct failures e = { 0, 5 };
	const struct failures f = { 5, 5 };

	(void)state;
	assert_near(failures_p(&a, &b), 0.210526315789474);
	assert_near(failures_p(&c, &d), 0.0157894736842105);
	assert_near(failures_p(&e, &f), 0.00793650793650794);
	assert_near(failures_p(&a, &a), 1.0);
	assert_near(failures_p(&none, &b), 1.0);
}

static void check_quantile(size_t n, double p, size_t low, size_t high)
{
	size_t from = 99;
	size_t to = 99;

	quantile_interval(n, p, 0.05, &from, &to);
	assert_int_equal(from, low);
	assert_int_equal(to, high);
}

static void test_quantile(void **state)
{
	(void)state;
	check_quantile(5, 0.5, 0, 0);
	check_quantile(6, 0.5, 1, 6);
	check_quantile(10, 0.5, 2, 9);
	check_quantile(30, 0.5, 10, 21);
	check_quantile(0, 0.5, 0, 0);
	/* The first number of samples that has an upper end for p99. */
	check_quantile(367, 0.99, 359, 0);
	check_quantile(368, 0.99, 360, 368);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bh),	    cmocka_unit_test(test_holm),
		cmocka_unit_test(test_adjust_some), cmocka_unit_test(test_combine),
		cmocka_unit_test(test_failures),    cmocka_unit_test(test_quantile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
