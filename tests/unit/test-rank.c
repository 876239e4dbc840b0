// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests and estimates by rank against R's figures; those of ties against all
 * permutations, which R counted. */
#include "tests/unit/near.h"

#include <stdlib.h>

#include "compare/rank.h"
#include "compare/tally.h"

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Sorts both. */
static struct two_samples both(double *x, size_t nr_x, double *y, size_t nr_y)
{
	qsort(x, nr_x, sizeof(*x), by_value);
	qsort(y, nr_y, sizeof(*y), by_value);
	return (struct two_samples){ x, nr_x, y, nr_y };
}

static double mann_whitney(struct two_samples samples)
{
	double p = -1.0;

	assert_int_equal(rank_mann_whitney(&samples, &p), 0);
	return p;
}

static double *stairs(size_t nr, double step, double start)
{
	double *x = calloc(nr, sizeof(*x));
	size_t i;

	assert_non_null(x);
	for (i = 0; i < nr; i++)
		x[i] = (double)(i + 1) * step + start;
	return x;
}

static void test_exact(void **state)
{
	double x10[] = { 10.3, 9.8, 10.1, 10.9, 9.5, 10.0, 10.4, 9.9, 10.2, 10.6 };
	double y10[] = { 10.9, 10.7, 11.3, 10.2, 11.0, 10.5, 11.8, 10.6, 11.1, 10.4 };
	double x5[] = { 120.5, 118.2, 125.9, 119.7, 121.1 };
	double y8[] = { 118.0, 131.2, 127.4, 122.3, 140.8, 119.9, 125.5, 133.0 };

	(void)state;
	assert_near(mann_whitney(both(x10, 10, y10, 10)), 0.00285782329125982);
	assert_near(mann_whitney(both(x5, 5, y8, 8)), 0.170940170940171);
	assert_near(mann_whitney(both(y8, 8, x5, 5)), 0.170940170940171);
}

static void test_ties(void **state)
{
	double x6[] = { 1, 2, 2, 3, 5, 5 };
	double y7[] = { 2, 5, 5, 6, 7, 7, 7 };
	double x4[] = { 1, 1, 1, 2 };
	double y9[] = { 1, 2, 3, 3, 3, 4, 4, 4, 9 };
	double same[] = { 3, 3, 3, 3 };

	(void)state;
	assert_near(mann_whitney(both(x6, 6, y7, 7)), 0.0268065268065268);
	assert_near(mann_whitney(both(x4, 4, y9, 9)), 0.0265734265734266);
	assert_near(mann_whitney(both(y9, 9, x4, 4)), 0.0265734265734266);
	assert_near(mann_whitney(both(same, 4, same, 4)), 1.0);
	assert_near(mann_whitney(both(same, 1, same, 4)), 1.0);
}

static void test_many(void **state)
{
	double *a = stairs(100, 1.0, -11.5);
	double *b = stairs(100, 1.0, 0.0);
	double *c = stairs(150, 1.0 / 7.0, 0.0);
	double *d = stairs(160, 1.0 / 7.5, 0.0);
	double e[150];
	double f[160];
	size_t i;

	(void)state;
	for (i = 0; i < 150; i++)
		e[i] = (double)(i % 15 + 1);
	for (i = 0; i < 160; i++)
		f[i] = (double)(i % 16 + 2);
	assert_near(mann_whitney(both(a, 100, b, 100)), 0.00791792839131704);
	assert_near(mann_whitney(both(c, 150, d, 160)), 0.939861796930498);
	assert_near(mann_whitney(both(e, 150, f, 160)), 0.00520190923009981);
	free(a);
	free(b);
	free(c);
	free(d);
}

static void test_brunner_munzel(void **state)
{
	double x5[] = { 120.5, 118.2, 125.9, 119.7, 121.1 };
	double y8[] = { 118.0, 131.2, 127.4, 122.3, 140.8, 119.9, 125.5, 133.0 };
	double x6[] = { 1, 2, 2, 3, 5, 5 };
	double y7[] = { 2, 5, 5, 6, 7, 7, 7 };
	struct two_samples samples = both(x5, 5, y8, 8);

	(void)state;
	assert_near(rank_brunner_munzel(&samples), 0.118568071625418);
	samples = both(x6, 6, y7, 7);
	assert_near(rank_brunner_munzel(&samples), 0.00760716962842697);
	/* All of one side below all of the other. */
	samples = both(x5, 5, x6, 6);
	assert_true(isnan(rank_brunner_munzel(&samples)));
	samples = both(x5, 1, y8, 8);
	assert_true(isnan(rank_brunner_munzel(&samples)));
}

static void test_cles(void **state)
{
	double x[] = { 1, 2, 3 };
	double y[] = { 2, 3 };
	struct two_samples samples = both(x, 3, y, 2);

	(void)state;
	/* Two and two halves of six pairs. */
	assert_near(rank_cles(&samples), 4.0 / 6.0);
}

static double signed_p(const double *d, size_t nr)
{
	double p = -1.0;

	assert_int_equal(rank_signed(d, nr, &p), 0);
	return p;
}

static void test_signed(void **state)
{
	static const double pairs[] = {
		0.6, 0.9, 1.2, -0.7, 1.5, 0.5, 1.4, 0.7, 0.9, -0.2
	};
	static const double ties[] = { 1, 1, -2, 3, 0, -3, 4, 4, 5, -1, 6, 7 };
	static const double plain[] = { 1.1, 2.3, -0.4, 3.2,  4.8, -1.7,
					5.5, 6.1, 7.4,	-2.9, 8.8, 9.6 };
	static const double none[] = { 0, 0, 0 };
	double many[250];
	size_t i;

	(void)state;
	for (i = 0; i < 250; i++)
		many[i] = i < 150 ? (double)(i + 1) : -(double)(i - 149) - 0.5;
	assert_near(signed_p(pairs, 10), 0.021484375);
	assert_near(signed_p(ties, 12), 0.0615234375);
	assert_near(signed_p(plain, 12), 0.01611328125);
	assert_near(signed_p(many, 250), 1.05250293653923e-06);
	assert_near(signed_p(none, 3), 1.0);
	assert_near(signed_p(none, 0), 1.0);
}

static size_t cut(size_t nr_x, size_t nr_y)
{
	size_t u = 99999;

	assert_int_equal(rank_cut(nr_x, nr_y, 0.05, &u), 0);
	return u;
}

static void test_cut(void **state)
{
	(void)state;
	assert_int_equal(cut(10, 10), 24);
	assert_int_equal(cut(5, 8), 7);
	assert_int_equal(cut(8, 5), 7);
	assert_int_equal(cut(30, 30), 318);
	assert_int_equal(cut(99, 31), 1176);
	assert_int_equal(cut(3, 3), 0);
	assert_int_equal(cut(1, 1), 0);
	/* ceil(20000 - 1.96 * sqrt(200 * 200 * 401 / 12)) */
	assert_int_equal(cut(200, 200), 17735);
}

static void test_shift(void **state)
{
	double x[] = { 3, 1, 4, 1, 5, 9, 2, 6 };
	double y[] = { 2, 7, 1, 8, 2, 8, 1, 8 };
	struct two_samples samples = both(x, 8, y, 8);
	struct shift shift = rank_shift(&samples, 14);

	(void)state;
	assert_near(shift.estimate, 0.5);
	assert_near(shift.low, -3.0);
	assert_near(shift.high, 5.0);
	shift = rank_shift(&samples, 0);
	assert_near(shift.estimate, 0.5);
	assert_true(isnan(shift.low) && isnan(shift.high));
}

static void test_shift_logs(void **state)
{
	double x[] = { 120.5, 118.2, 125.9, 119.7, 121.1 };
	double y[] = { 118.0, 131.2, 127.4, 122.3, 140.8, 119.9, 125.5, 133.0 };
	struct two_samples samples;
	struct shift shift;
	size_t i;

	(void)state;
	for (i = 0; i < 5; i++)
		x[i] = log(x[i]);
	for (i = 0; i < 8; i++)
		y[i] = log(y[i]);
	samples = both(x, 5, y, 8);
	shift = rank_shift(&samples, cut(5, 8));
	assert_near(exp(shift.estimate), 1.04527085240119);
	assert_near(exp(shift.low), 0.990090834021469);
	assert_near(exp(shift.high), 1.11111111111111);
}

static void test_signed_shift(void **state)
{
	double d[] = { 1.1, 2.3, -0.4, 3.2, 4.8, -1.7, 5.5, 6.1, 7.4, -2.9, 8.8, 9.6 };
	struct shift shift;

	(void)state;
	qsort(d, 12, sizeof(*d), by_value);
	assert_int_equal(rank_signed_shift(d, 12, 0.05, &shift), 0);
	assert_near(shift.estimate, 3.575);
	assert_near(shift.low, 0.95);
	assert_near(shift.high, 6.45);
	/* 2 of 2^5 ways are more than 5%. */
	assert_int_equal(rank_signed_shift(d, 5, 0.05, &shift), 0);
	assert_true(isnan(shift.low) && isfinite(shift.estimate));
}

static void test_tally(void **state)
{
	static const size_t values[] = { 0, 1, 1, 2 };
	static const double pairs[] = { 0, 2, 2, 2 };
	static const double subsets[] = { 2, 4, 4 };
	const struct weights weights = { values, 4 };
	double *counts;

	(void)state;
	assert_int_equal(tally_choices(&weights, 2, 3, &counts), 0);
	assert_memory_equal(counts, pairs, sizeof(pairs));
	free(counts);
	assert_int_equal(tally_subsets(&weights, 2, &counts), 0);
	assert_memory_equal(counts, subsets, sizeof(subsets));
	free(counts);
	assert_near(tally_binomial(60, 30), 118264581564861424.0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exact),	   cmocka_unit_test(test_ties),
		cmocka_unit_test(test_many),	   cmocka_unit_test(test_brunner_munzel),
		cmocka_unit_test(test_cles),	   cmocka_unit_test(test_signed),
		cmocka_unit_test(test_cut),	   cmocka_unit_test(test_shift),
		cmocka_unit_test(test_shift_logs), cmocka_unit_test(test_signed_shift),
		cmocka_unit_test(test_tally),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
