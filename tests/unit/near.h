/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Comparison of statistics with reference values, which R made. */
#ifndef TESTS_UNIT_NEAR_H
#define TESTS_UNIT_NEAR_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static inline void assert_near(double value, double expected)
{
	if (!(fabs(value - expected) <= 1e-9 * fabs(expected)))
		fail_msg("%.15g is not %.15g", value, expected);
}

static inline void assert_interval(const double *interval, double low, double high)
{
	assert_near(interval[0], low);
	assert_near(interval[1], high);
}

#endif
