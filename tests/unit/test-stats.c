// SPDX-License-Identifier: GPL-2.0-or-later
/* Statistics against figures worked out by hand, and where they are undefined. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "compare/percent.h"
#include "compare/stats.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static struct stats stats_of(const double *samples, size_t n)
{
	struct stats stats;

	assert_int_equal(stats_init(&stats, samples, n, NULL), 0);
	return stats;
}

static void assert_near(double value, double expected)
{
	double scale = fmax(fabs(expected), 1e-300);

	if (!(fabs(value - expected) <= 1e-12 * scale))
		fail_msg("%.17g is not %.17g", value, expected);
}

static void test_none(void **state)
{
	struct stats stats = stats_of(NULL, 0);

	(void)state;
	assert_int_equal(stats.n, 0);
	assert_true(isnan(stats.sum) && isnan(stats.amean) && isnan(stats.hmean));
	assert_true(isnan(stats.stddev_n) && isnan(stats.stddev_n1));
	assert_true(isnan(stats.min) && isnan(stats.max) && isnan(stats.median));
	assert_true(isnan(stats.best_amean[STATS_95]) &&
		    isnan(stats.best_hmean[STATS_95]));
}

static void test_one(void **state)
{
	static const double x[] = { 0.25 };
	struct stats stats = stats_of(x, 1);

	(void)state;
	assert_near(stats.amean, 0.25);
	assert_near(stats.hmean, 0.25);
	assert_near(stats.median, 0.25);
	assert_near(stats.best_amean[STATS_95], 0.25);
	assert_near(stats.best_hmean[STATS_95], 0.25);
	assert_true(isnan(stats.variance_n) && isnan(stats.variance_n1));
	assert_true(isnan(stats.stddev_n) && isnan(stats.stddev_n1));
	assert_true(isnan(stats.hstddev) && isnan(stats.stderr_mean));
}

static void test_known(void **state)
{
	/* Sum 40, squared deviations 32. */
	static const double x[] = { 9, 2, 4, 7, 4, 5, 5, 4 };
	struct stats stats = stats_of(x, COUNT(x));

	(void)state;
	assert_near(stats.sum, 40.0);
	assert_near(stats.amean, 5.0);
	assert_near(stats.variance_n, 4.0);
	assert_near(stats.stddev_n, 2.0);
	assert_near(stats.variance_n1, 32.0 / 7.0);
	assert_near(stats.stddev_n1, sqrt(32.0 / 7.0));
	assert_near(stats.stderr_mean, sqrt(32.0 / 7.0 / 8.0));
	assert_near(stats.min, 2.0);
	assert_near(stats.max, 9.0);
	assert_near(stats.median, 4.5);
	/* int(8 * 0.95) = 7: without the 9, and without the 2. */
	assert_near(stats.best_amean[STATS_95], 31.0 / 7.0);
	assert_near(stats.best_hmean[STATS_95],
		    7.0 / (1.0 / 9 + 1.0 / 7 + 2.0 / 5 + 3.0 / 4));
	assert_near(stats_coeffvar(stats.stddev_n, stats.amean), 40.0);
}

static void test_harmonic(void **state)
{
	static const double x[] = { 1.0, 2.0, 4.0 };
	static const double with_zero[] = { 1.0, 0.0, 4.0 };
	static const double negative[] = { 1.0, -2.0 };
	struct stats stats = stats_of(x, COUNT(x));
	double h = 12.0 / 7.0;
	double spread = pow(1 - 1 / h, 2) + pow(0.5 - 1 / h, 2) + pow(0.25 - 1 / h, 2);

	(void)state;
	assert_near(stats.hmean, h);
	assert_near(stats.hstddev, sqrt(pow(h, 4) * spread / 3.0));
	assert_near(stats.median, 2.0);
	assert_near(stats.best_hmean[STATS_95], 8.0 / 3.0);

	stats = stats_of(with_zero, COUNT(with_zero));
	assert_true(isnan(stats.hmean) && isnan(stats.hstddev));
	assert_near(stats.amean, 5.0 / 3.0);
	assert_near(stats.best_hmean[STATS_95], 1.6);
	stats = stats_of(negative, COUNT(negative));
	assert_true(isnan(stats.hmean));
	assert_near(stats.amean, -0.5);
}

static void test_shares(void **state)
{
	static const double x[] = { 7, 1, 10, 3, 5, 9, 2, 8, 4, 6 };
	struct stats stats = stats_of(x, COUNT(x));

	(void)state;
	/* int(10 * 0.75) = 7, int(10 * 0.99) = 9. */
	assert_near(stats.best_amean[STATS_50], 3.0);
	assert_near(stats.best_amean[STATS_75], 4.0);
	assert_near(stats.best_amean[STATS_99], 5.0);
	assert_near(stats.best_hmean[STATS_50],
		    5.0 / (1.0 / 10 + 1.0 / 9 + 1.0 / 8 + 1.0 / 7 + 1.0 / 6));
	assert_near(stats.pctile_low[STATS_50], 5.0);
	assert_near(stats.pctile_low[STATS_75], 7.0);
	assert_near(stats.pctile_high[STATS_50], 6.0);
	assert_near(stats.pctile_high[STATS_90], 2.0);
	assert_int_equal(stats_best(1, STATS_50), 1);
}

/* The worked example that today's mmtests was run on. */
static void test_mmtests_example(void **state)
{
	static const double x[] = { 9.874, 9.937, 10, 10.063, 10.126 };
	static const double three[] = { 1.0, 1.1, 1.2 };
	struct stats stats = stats_of(x, COUNT(x));

	(void)state;
	assert_true(fabs(stats.amean - 10.0) < 5e-5);
	assert_true(fabs(stats.stddev_n1 - 0.0996) < 5e-5);
	assert_true(fabs(stats_coeffvar(stats.stddev_n1, stats.amean) - 0.9961) < 5e-5);
	assert_true(fabs(stats.best_amean[STATS_95] - 9.9685) < 5e-5);
	stats = stats_of(three, COUNT(three));
	assert_near(stats.best_amean[STATS_95], 1.05);
	assert_true(fabs(stats_coeffvar(stats.stddev_n1, stats.amean) - 9.0909) < 5e-5);
}

static void test_large_offset(void **state)
{
	static const double x[] = { 1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16 };
	struct stats stats = stats_of(x, COUNT(x));

	(void)state;
	assert_near(stats.amean, 1e9 + 10);
	assert_near(stats.variance_n1, 30.0);
	assert_near(stats.variance_n, 22.5);
}

static void test_compensated(void **state)
{
	static const double x[] = { 1.0, 1e100, 1.0, -1e100 };
	enum { N = 100000 };
	double *many = malloc(N * sizeof(*many));
	size_t i;

	(void)state;
	assert_near(stats_of(x, COUNT(x)).sum, 2.0);
	assert_non_null(many);
	for (i = 0; i < N; i++)
		many[i] = 0.1;
	assert_true(fabs(stats_of(many, N).sum - 10000.0) < 1e-11);
	free(many);
}

static void test_equal_samples(void **state)
{
	static const double x[] = { 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1 };
	struct stats stats = stats_of(x, COUNT(x));

	(void)state;
	assert_true(stats.amean == 0.1 && stats.hmean == 0.1);
	assert_true(stats.stddev_n == 0.0 && stats.stddev_n1 == 0.0);
	assert_true(stats.hstddev == 0.0);
}

static void test_order_is_no_matter(void **state)
{
	static const double a[] = { 0.3, 0.1, 0.7, 0.2, 1e6 };
	static const double b[] = { 1e6, 0.2, 0.7, 0.3, 0.1 };
	struct stats x = stats_of(a, COUNT(a));
	struct stats y = stats_of(b, COUNT(b));

	(void)state;
	assert_true(x.amean == y.amean && x.stddev_n1 == y.stddev_n1);
	assert_true(x.hmean == y.hmean && x.hstddev == y.hstddev);
	/* The caller's samples stay in their order. */
	assert_true(a[0] == 0.3 && b[0] == 1e6);
}

static void test_coeffvar(void **state)
{
	(void)state;
	assert_true(isnan(stats_coeffvar(0.0, 0.0)));
	assert_true(isnan(stats_coeffvar((double)NAN, 1.0)));
	assert_near(stats_coeffvar(0.5, 2.0), 25.0);
}

/* Sums and squares of these are beyond a double, the figures aren't. */
static void test_huge(void **state)
{
	static const double x[] = { 1e308, 1e308, 1.7e308 };
	static const double y[] = { 1e160, 2e160, 4e160 };
	struct stats stats = stats_of(x, COUNT(x));

	(void)state;
	assert_near(stats.amean, 3.7 / 3.0 * 1e308);
	assert_near(stats.stddev_n1, sqrt(0.49 / 3.0) * 1e308);
	assert_near(stats.best_amean[STATS_95], 1e308);
	assert_near(stats.median, 1e308);
	assert_true(isnan(stats.sum) && isnan(stats.variance_n1));
	assert_near(stats_coeffvar(stats.stddev_n1, stats.amean),
		    100.0 * sqrt(0.49 / 3.0) / (3.7 / 3.0));
	stats = stats_of(y, COUNT(y));
	assert_near(stats.amean, 7e160 / 3.0);
	assert_near(stats.stddev_n1, sqrt(7.0 / 3.0) * 1e160);
	assert_near(stats.hmean, 12e160 / 7.0);
	assert_near(stats.sum, 7e160);
	assert_true(isnan(stats.variance_n));
	assert_near(percent_gain(1e308, 1.7e308, true), 70.0);
	assert_near(percent_gain(1e308, 1.7e308, false), -70.0);
}

static void test_tiny(void **state)
{
	static const double x[] = { 1e-308, 2e-308, 4e-308 };
	static const double far[] = { 1e-300, 3e-300, 1e300 };
	static const double least[] = { 5e-324, 5e-324 };
	struct stats stats = stats_of(x, COUNT(x));

	(void)state;
	assert_true(fabs(stats.amean / (7e-308 / 3.0) - 1.0) < 1e-12);
	assert_true(fabs(stats.stddev_n1 / (sqrt(7.0 / 3.0) * 1e-308) - 1.0) < 1e-12);
	assert_true(isnan(stats.variance_n1));
	stats = stats_of(far, COUNT(far));
	assert_true(fabs(stats.best_amean[STATS_95] / 2e-300 - 1.0) < 1e-12);
	assert_true(fabs(stats.hmean / 2.25e-300 - 1.0) < 1e-12);
	stats = stats_of(least, COUNT(least));
	assert_true(stats.hmean == 5e-324 && stats.amean == 5e-324);
	assert_true(stats.median == 5e-324);
	assert_true(stats.stddev_n1 == 0.0 && stats.hstddev == 0.0);
}

static void test_percent_cut_of_huge(void **state)
{
	(void)state;
	assert_near(percent_cut(1.5e308), 1.5e308);
	assert_near(percent_cut(-12.345), -12.34);
}

static void test_percent(void **state)
{
	(void)state;
	assert_near(percent_gain(2.0, 1.0, false), 50.0);
	assert_near(percent_gain(2.0, 1.0, true), -50.0);
	assert_near(percent_gain(2.0, 3.0, false), -50.0);
	assert_near(percent_gain(2.0, 3.0, true), 50.0);
	assert_true(percent_gain(3.3, 3.3, true) == 0.0);
	assert_near(percent_gain(5.0, 0.0, false), 100.0);
	assert_near(percent_gain(5.0, 0.0, true), -100.0);
	assert_true(percent_gain(0.0, 0.0, true) == 0.0);
}

static void test_no_percent(void **state)
{
	double nan = (double)NAN;

	(void)state;
	assert_true(isnan(percent_gain(0.0, 5.0, false)));
	assert_true(isnan(percent_gain(0.0, 5.0, true)));
	assert_true(isnan(percent_gain(nan, 5.0, true)));
	assert_true(isnan(percent_gain(5.0, nan, false)));
	assert_true(isnan(percent_gain(nan, nan, false)));
	assert_true(isnan(percent_gain(-2.0, -1.0, false)));
	assert_true(isnan(percent_gain(1.0, -1.0, true)));
	assert_true(isnan(percent_gain(1e-300, 1e300, true)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_one),
		cmocka_unit_test(test_known),
		cmocka_unit_test(test_harmonic),
		cmocka_unit_test(test_shares),
		cmocka_unit_test(test_mmtests_example),
		cmocka_unit_test(test_large_offset),
		cmocka_unit_test(test_compensated),
		cmocka_unit_test(test_equal_samples),
		cmocka_unit_test(test_order_is_no_matter),
		cmocka_unit_test(test_coeffvar),
		cmocka_unit_test(test_huge),
		cmocka_unit_test(test_tiny),
		cmocka_unit_test(test_percent_cut_of_huge),
		cmocka_unit_test(test_percent),
		cmocka_unit_test(test_no_percent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
