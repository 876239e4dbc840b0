// SPDX-License-Identifier: GPL-2.0-or-later
/* The distributions against R's figures, and in silence where they are not defined. */
#include "tests/unit/near.h"

#include "compare/dist.h"

static void test_values(void **state)
{
	(void)state;
	assert_near(dist_t_two_sided(-2.5, 7.3), 0.0396502346656005);
	assert_near(dist_t_two_sided(40.0, 3.0), 3.43806807891585e-05);
	assert_near(dist_t_two_sided(0.1, 1e5), 0.920344525906726);
	assert_near(dist_t_quantile(0.975, 4.2), 2.72507272259237);
	assert_near(dist_t_quantile(0.8, 17.9), 0.862165378803498);
	assert_near(dist_normal_two_sided(1.96), 0.0499957902964409);
	assert_near(dist_normal_quantile(0.975), 1.95996398454005);
	assert_near(dist_beta_quantile(0.975, 3.0, 38.0), 0.169196863959418);
	assert_near(dist_binomial_cdf(7, 20, 0.4), 0.415892937557535);
	assert_near(dist_hypergeometric(3, 5, 12, 8), 0.32579185520362);
}

static void test_undefined(void **state)
{
	(void)state;
	assert_true(isnan(dist_t_two_sided((double)NAN, 3.0)));
	assert_true(isnan(dist_t_two_sided(1.0, 0.0)));
	assert_true(isnan(dist_t_quantile(1.0, 3.0)));
	assert_true(isnan(dist_t_quantile(0.5, (double)NAN)));
	assert_true(isnan(dist_normal_two_sided((double)NAN)));
	assert_true(isnan(dist_normal_quantile(0.0)));
	assert_true(isnan(dist_beta_quantile(0.5, 0.0, 1.0)));
	assert_true(isnan(dist_binomial_cdf(1, 2, 1.5)));
	assert_true(isnan(dist_hypergeometric(1, 1, 1, 3)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_undefined),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
