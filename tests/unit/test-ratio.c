// SPDX-License-Identifier: GPL-2.0-or-later
/* Welch's test, Fieller's interval and paired values against R's figures. */
#include "tests/unit/near.h"

#include "compare/boots.h"
#include "compare/dist.h"
#include "compare/ratio.h"
#include "compare/stats.h"

static double x10[] = { 10.3, 9.8, 10.1, 10.9, 9.5, 10.0, 10.4, 9.9, 10.2, 10.6 };
static double y10[] = { 10.9, 10.7, 11.3, 10.2, 11.0, 10.5, 11.8, 10.6, 11.1, 10.4 };

static struct side side(const double *x, size_t n, double resolution)
{
	struct stats stats;

	assert_int_equal(stats_init(&stats, x, n, NULL), 0);
	return side_of(stats.amean, stats.stddev_n1, n, resolution);
}

static struct effect welch(struct side base, struct side other)
{
	struct effect effect;

	effect_welch(&base, &other, 0.05, &effect);
	return effect;
}

static void test_welch(void **state)
{
	struct effect e = welch(side(x10, 10, 0.0), side(y10, 10, 0.0));

	(void)state;
	assert_near(e.t, 3.44527752879617);
	assert_near(e.df, 17.5768303266007);
	assert_near(e.p, 0.0029688852647979);
	assert_near(e.ratio, 1.06686332350049);
	assert_interval(e.difference_ci95, 0.264620869719461, 1.09537913028054);
	assert_interval(e.ci95, 1.02557527462015, 1.10965602246148);
	assert_interval(e.ci90, 1.03269624260452, 1.10205436068342);
	assert_interval(e.inner, 1.03269624260452, 1.10205436068342);
	assert_near(e.mde, 0.0575833217749909);
}

static void test_welch_unequal(void **state)
{
	static const double x[] = { 120.5, 118.2, 125.9, 119.7, 121.1 };
	static const double y[] = {
		118.0, 131.2, 127.4, 122.3, 140.8, 119.9, 125.5, 133.0
	};
	struct effect e = welch(side(x, 5, 0.0), side(y, 8, 0.0));

	(void)state;
	assert_near(e.t, 2.08161032541299);
	assert_near(e.df, 9.75009518738622);
	assert_near(e.p, 0.064730505053818);
	assert_interval(e.difference_ci95, -0.45826170591476, 12.8232617059148);
	assert_interval(e.ci95, 0.9962544750783, 1.10707909113214);
	assert_interval(e.ci90, 1.00643122540372, 1.096491085443);
	assert_near(e.mde, 0.0764336031688683);
}

/* The interval and the p can't disagree: at p of 5% an end of it is 1. */
static void test_agree(void **state)
{
	struct side base = side_of(100.0, 4.0, 7, 0.0);
	struct side other = side_of(0.0, 9.0, 12, 0.0);
	double t;
	size_t i;

	(void)state;
	/* The df don't depend on the means. */
	t = dist_t_quantile(0.975, welch(base, other).df);
	for (i = 0; i < 2; i++) {
		other.mean = 100.0 + (i ? t : -t) * sqrt(base.variance + other.variance);
		assert_near(welch(base, other).p, 0.05);
		assert_near(welch(base, other).ci95[i ? 0 : 1], 1.0);
	}
}

/* Pipe latency as a mail has it: +2.6%, and nothing but noise. */
static void test_published(void **state)
{
	struct effect e = welch(side_of(108985.0, 20383.0, 10, 0.0),
				side_of(111844.0, 21668.0, 10, 0.0));

	(void)state;
	assert_true(fabs(e.t - 0.304) < 0.0005);
	assert_true(fabs(e.p - 0.765) < 0.0005);
	assert_true(fabs(e.ci95[0] - 0.857) < 0.0005);
	assert_true(fabs(e.ci95[1] - 1.228) < 0.0005);
}

static void test_no_variance(void **state)
{
	struct side three = side_of(3.0, 0.0, 5, 0.0);
	struct side four = side_of(4.0, 0.0, 5, 0.0);
	struct effect e = welch(three, three);

	(void)state;
	assert_true(e.p == 1.0 && e.ratio == 1.0 && isnan(e.t) && isnan(e.df));
	assert_interval(e.ci95, 1.0, 1.0);
	assert_interval(e.ci90, 1.0, 1.0);
	e = welch(three, four);
	assert_true(isnan(e.p) && isnan(e.ci95[0]) && isnan(e.difference_ci95[0]));
	assert_near(e.ratio, 4.0 / 3.0);
	/* Known to be rounded to whole numbers, they aren't without variance. */
	e = welch(side_of(3.0, 0.0, 5, 1.0), side_of(4.0, 0.0, 5, 1.0));
	assert_near(e.t, 1.0 / sqrt(2.0 / 12.0 / 5.0));
	assert_near(e.df, 8.0);
	/* One side alone. */
	e = welch(three, side_of(4.0, 1.0, 5, 0.0));
	assert_near(e.df, 4.0);
	assert_near(e.t, sqrt(5.0));
}

static void test_undefined(void **state)
{
	struct side one = side_of(3.0, (double)NAN, 1, 0.0);
	struct side five = side_of(5.0, 0.5, 5, 0.0);
	struct effect e = welch(one, five);

	(void)state;
	assert_near(e.ratio, 5.0 / 3.0);
	assert_true(isnan(e.p) && isnan(e.ci95[0]) && isnan(e.mde));
	/* The base may as well be 0: there is no ratio to speak of. */
	e = welch(side_of(1.0, 5.0, 4, 0.0), five);
	assert_true(isfinite(e.p) && isnan(e.ci95[0]) && isfinite(e.difference_ci95[0]));
	/* Nor is there of means that are not above 0. */
	e = welch(side_of(-3.0, 0.5, 5, 0.0), five);
	assert_true(isfinite(e.p) && isnan(e.ratio) && isnan(e.ci95[0]));
	e = welch(side_of(0.0, 0.5, 5, 0.0), five);
	assert_true(isfinite(e.p) && isnan(e.ratio) && isfinite(e.difference_ci95[0]));
	/* A mean of 0 has no shares: no change is so many percent of it. */
	assert_true(isnan(e.mde));
	effect_none(&e);
	assert_true(isnan(e.t) && isnan(e.inner[1]) && isnan(e.difference_ci95[1]));
}

static void test_paired(void **state)
{
	const struct pairs pairs = { x10, y10, 10, 0.0 };
	struct effect e;

	(void)state;
	effect_paired(&pairs, 0.05, &e);
	assert_near(e.t, 3.13419791544866);
	assert_near(e.df, 9.0);
	assert_near(e.p, 0.012040005047802);
	assert_interval(e.ci95, 1.01813326159719, 1.11762605476068);
	assert_interval(e.ci90, 1.0271751477387, 1.10778795893235);
	assert_interval(e.difference_ci95, 0.186916616192263, 1.17308338380774);
	assert_near(e.mde, 0.064822996634821);
	assert_near(e.ratio, 1.06686332350049);
}

static void test_paired_signs(void **state)
{
	static double x[] = { -1.5, 0.2, 2.1, -3.3, 0.7 };
	static double y[] = { 0.1, -0.4, 3.9, -2.2, 1.9 };
	const struct pairs pairs = { x, y, 5, 0.0 };
	const struct pairs one = { x, y, 1, 0.0 };
	static double zero[5];
	const struct pairs from_zero = { zero, y, 5, 0.0 };
	const struct pairs same = { y10, y10, 10, 0.0 };
	struct effect e;

	(void)state;
	effect_paired(&pairs, 0.05, &e);
	assert_near(e.t, 2.40149620767486);
	assert_near(e.p, 0.0742357737189777);
	assert_interval(e.difference_ci95, -0.159253999340555, 2.19925399934055);
	assert_true(isnan(e.ci95[0]) && isnan(e.ratio));
	effect_paired(&one, 0.05, &e);
	assert_true(isnan(e.p));
	effect_paired(&from_zero, 0.05, &e);
	assert_true(isfinite(e.p) && isnan(e.ratio) && isnan(e.mde));
	effect_paired(&same, 0.05, &e);
	assert_true(e.p == 1.0 && e.ratio == 1.0);
	assert_interval(e.ci95, 1.0, 1.0);
}

/* A step that is the same in all pairs has no variance, whatever the rounding of logs. */
static void test_paired_constant(void **state)
{
	double y[10];
	const struct pairs pairs = { x10, y, 10, 0.0 };
	struct effect e;
	size_t i;

	(void)state;
	for (i = 0; i < 10; i++)
		y[i] = x10[i] * 1.1;
	effect_paired(&pairs, 0.05, &e);
	assert_true(isnan(e.p));
}

static const void *key(size_t boot)
{
	static const char keys[8];

	return &keys[boot];
}

static void test_boots(void **state)
{
	static const double x[] = {
		10.1, 10.3, 9.8, 9.9, 10.6, 10.4, 10.0, 10.2, 9.7, 9.5
	};
	const void *keys[10];
	struct boots boots;
	size_t i;

	(void)state;
	for (i = 0; i < 10; i++)
		keys[i] = key(i / 2);
	assert_int_equal(boots_init(&boots, x, keys, 10, 0.0), 0);
	assert_int_equal(boots.nr, 5);
	assert_near(boots.means[2], 10.5);
	assert_near(boots.run_variance, 0.017);
	assert_near(boots.boot_variance, 0.109);
	assert_near(boots.side.mean, 10.05);
	assert_near(boots.side.variance, 0.0235);
	assert_near(boots.side.df, 4.0);
	boots_release(&boots);
	assert_int_equal(boots_init(&boots, x, keys, 2, 0.0), 0);
	assert_int_equal(boots.nr, 1);
	assert_true(isnan(boots.side.variance));
	boots_release(&boots);
}

/* Boots that agree by luck are not trusted more than their runs allow. */
static void test_boots_floor(void **state)
{
	static const double x[] = { 1.0, 3.0, 2.0, 2.0, 2.2, 1.9 };
	const void *keys[] = { key(0), key(0), key(0), key(1), key(1), key(2) };
	struct boots boots;

	(void)state;
	assert_int_equal(boots_init(&boots, x, keys, 6, 0.0), 0);
	assert_near(boots.run_variance, 0.673333333333333);
	assert_true(boots.boot_variance == 0.0);
	assert_near(boots.side.mean, 2.0);
	assert_near(boots.side.variance, 0.13716049382716);
	boots_release(&boots);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_welch),
		cmocka_unit_test(test_welch_unequal),
		cmocka_unit_test(test_agree),
		cmocka_unit_test(test_published),
		cmocka_unit_test(test_no_variance),
		cmocka_unit_test(test_undefined),
		cmocka_unit_test(test_paired),
		cmocka_unit_test(test_paired_signs),
		cmocka_unit_test(test_paired_constant),
		cmocka_unit_test(test_boots),
		cmocka_unit_test(test_boots_floor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
