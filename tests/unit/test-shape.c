// SPDX-License-Identifier: GPL-2.0-or-later
/* Remarks on series that were made to deserve them; the dip against the figures of R's
 * package diptest. */
#include "tests/unit/near.h"

#include <stdlib.h>

#include "compare/dip.h"
#include "compare/shape.h"

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;

	return (x > y) - (x < y);
}

static double dip(double *x, size_t n)
{
	double ret = -1.0;

	qsort(x, n, sizeof(*x), by_value);
	assert_int_equal(dip_of(x, n, &ret), 0);
	return ret;
}

static void test_dip(void **state)
{
	double apart[] = { 1, 2, 3, 10, 11, 12 };
	double two[] = { 2.29,	-1.2, -0.69, -0.41, -0.97, -0.95, 0.75,
			 -0.12, 6.15, 8.19,  6.36,  8.72,  8.28,  6.32 };
	double one[] = { 1.9, 0.5,  -0.9, -0.3, 0.0, 1.0, 0.8, 0.7,
			 1.3, -1.4, 1.3,  0.2,	0.8, 0.6, -1.0 };
	double ties[] = { 1, 1, 1, 2, 2, 3, 5, 5, 5, 5, 9 };
	double even[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };
	double skewed[] = { 0.25, 0.61, 1.44, 2.6,  0.52, 1.08, 1.36, 1.07, 4.24,
			    0.13, 0.14, 0.08, 1.11, 0.65, 1.88, 1.28, 0.96, 1.07,
			    0.03, 2.02, 0.37, 1.28, 3.21, 0.26, 0.13 };
	double three[] = { 0.8, 1.0, -0.1, -0.8, -0.5, -1.0, -1.2, 0.8, 0.0, 0.4, 0.9,
			   0.9, 3.0, 3.2,  3.6,	 4.4,  4.8,  4.3,  2.2, 3.8, 3.7, 3.9,
			   9.5, 9.2, 9.0,  9.4,	 8.9,  9.4,  9.3,  9.3, 9.0, 10.0 };
	double single[] = { 4.0 };

	(void)state;
	assert_near(dip(apart, COUNT(apart)), 0.19444444444444445);
	assert_near(dip(two, COUNT(two)), 0.13367090876501164);
	assert_near(dip(one, COUNT(one)), 0.066666666666666666);
	assert_near(dip(ties, COUNT(ties)), 0.15909090909090909);
	assert_near(dip(even, COUNT(even)), 0.05);
	assert_near(dip(skewed, COUNT(skewed)), 0.078474576271186466);
	assert_near(dip(three, COUNT(three)), 0.12319711538461539);
	assert_near(dip(single, 1), 0.5);
}

static void test_dip_limit(void **state)
{
	(void)state;
	/* 0.44105 / sqrt(10), and between the entries of 20 and 25. */
	assert_false(dip_is_large(0.1394, 10));
	assert_true(dip_is_large(0.1396, 10));
	assert_false(dip_is_large(0.1009, 22));
	assert_true(dip_is_large(0.1011, 22));
	assert_true(dip_is_large(0.0164, 1000));
	assert_false(dip_is_large(0.25, 9));
}

static struct shape shape_of(const double *x, size_t n)
{
	struct shape shape;

	assert_int_equal(shape_init(&shape, x, NULL, n), 0);
	return shape;
}

static void test_plain(void **state)
{
	static const double x[] = { 5.1, 4.9, 5.3, 5.0,	 4.8,  5.2,
				    5.0, 5.1, 4.7, 5.05, 5.15, 4.95 };
	static const double same[] = { 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3 };

	(void)state;
	assert_int_equal(shape_of(x, COUNT(x)).flags, 0);
	assert_int_equal(shape_of(same, COUNT(same)).flags, 0);
	assert_int_equal(shape_of(x, 0).flags, 0);
	assert_true(isnan(shape_of(x, 4).n_effective));
}

static void test_outlier(void **state)
{
	static const double x[] = { 5.1, 4.9, 5.3, 9.0, 4.8, 5.2 };
	/* Most of them equal: the different ones alone make the fences. */
	static const double flat[] = { 5, 5, 5, 5, 5, 5.1, 4.9, 5.2, 9 };
	static const double fine[] = { 5, 5, 5, 5, 5, 5, 5, 5, 5.1 };
	struct shape shape = shape_of(x, COUNT(x));

	(void)state;
	assert_int_equal(shape.flags, SHAPE_OUTLIER);
	assert_int_equal(shape.nr_outliers, 1);
	assert_int_equal(shape_of(flat, COUNT(flat)).nr_outliers, 1);
	assert_int_equal(shape_of(fine, COUNT(fine)).nr_outliers, 0);
}

static void test_warmup(void **state)
{
	static const double first[] = { 9.0, 5.1, 4.9, 5.3, 4.8, 5.2 };
	static const double second[] = { 5.1, 4.9, 5.3, 9.0, 4.8, 5.2 };
	static const char boots[2];
	const void *keys[] = { &boots[0], &boots[0], &boots[0],
			       &boots[1], &boots[1], &boots[1] };
	struct shape shape = shape_of(first, 6);

	(void)state;
	assert_int_equal(shape.flags, SHAPE_OUTLIER | SHAPE_WARMUP);
	assert_int_equal(shape_init(&shape, second, keys, 6), 0);
	assert_int_equal(shape.flags, SHAPE_OUTLIER | SHAPE_WARMUP);
}

static void test_bimodal(void **state)
{
	static const double x[] = { 5.0, 6.1, 5.1, 6.0, 6.2, 4.9, 5.05, 6.05, 5.0, 6.1 };
	struct shape shape = shape_of(x, COUNT(x));

	(void)state;
	assert_true(shape.flags & SHAPE_BIMODAL);
	assert_near(shape.modes[0], 5.01);
	assert_near(shape.modes[1], 6.09);
	assert_near(shape.low_share, 0.5);
}

static void test_order(void **state)
{
	static const double x[] = { 5.1, 5.0, 5.3, 5.2, 5.6, 5.5,
				    5.9, 5.8, 6.0, 6.1, 6.3, 6.2 };
	struct shape shape = shape_of(x, COUNT(x));

	(void)state;
	assert_int_equal(shape.flags, SHAPE_AUTOCORRELATED | SHAPE_TREND);
	assert_near(shape.n_effective, 1.80764774044032);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_dip),    cmocka_unit_test(test_dip_limit),
		cmocka_unit_test(test_plain),  cmocka_unit_test(test_outlier),
		cmocka_unit_test(test_warmup), cmocka_unit_test(test_bimodal),
		cmocka_unit_test(test_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
