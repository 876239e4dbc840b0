// SPDX-License-Identifier: GPL-2.0-or-later
/* compare/mmtests_rule: the distances of mmtests, and where there is none. */
#include "tests/unit/compare-records.h"

#include <stdlib.h>

#include "compare/fmt_mmtests.h"
#include "compare/fmt_mmtests_ratio.h"
#include "compare/mmtests_rule.h"

enum { NR = 5 };

static const double base[NR] = { 9.874, 9.937, 10.0, 10.063, 10.126 };

static struct table *shifted(double by, size_t nr_base)
{
	struct table *table = table_new();
	size_t i;

	for (i = 0; i < NR; i++) {
		unsigned int iteration = (unsigned int)i + 1;

		if (i < nr_base)
			add(table, .iteration = iteration, .value = base[i]);
		add(table, .column = "new", .iteration = iteration,
		    .value = base[i] + by);
	}
	assert_int_equal(table_finish(table, NULL, NULL, NULL), 0);
	return table;
}

static double distance(double by, size_t nr_base)
{
	struct table *table = shifted(by, nr_base);
	double value = mmtests_distance(&table->sections[0].rows[0], 1, VIEW_AMEAN);

	table_free(table);
	return value;
}

static void test_distance(void **state)
{
	/* Both have a standard deviation of 0.0996117462954480. */
	const double both = 2 * 1.959963984540054 * 0.0996117462954480;

	(void)state;
	assert_true(fabs(distance(0.38, NR) - 0.38 / both) < 1e-9);
	assert_true(fabs(distance(-0.40, NR) + 0.40 / both) < 1e-9);
	assert_true(distance(0.38, NR) < 1.0 && distance(0.40, NR) > 1.0);
	/* A single sample has no spread, so nothing can be said; mmtests marks this. */
	assert_true(isnan(distance(0.40, 1)));
}

static void test_sigmas(void **state)
{
	struct table *table = shifted(0.38, NR);
	double sigmas = mmtests_sigmas(&table->sections[0].rows[0], 1, VIEW_AMEAN);

	(void)state;
	/* The divisor n makes it 0.0996117 times the root of 4/5. */
	assert_true(fabs(sigmas - 0.38 / (0.0996117462954480 * sqrt(0.8))) < 1e-9);
	table_free(table);
}

static void test_no_variance(void **state)
{
	struct table *table = table_new();
	unsigned int i;

	(void)state;
	for (i = 1; i <= 3; i++) {
		add(table, .iteration = i, .value = 2.0);
		add(table, .column = "new", .iteration = i, .value = 5.5);
	}
	assert_int_equal(table_finish(table, NULL, NULL, NULL), 0);
	assert_true(mmtests_distance(&table->sections[0].rows[0], 1, VIEW_AMEAN) == 3.5);
	assert_true(mmtests_sigmas(&table->sections[0].rows[0], 1, VIEW_AMEAN) == 3.5);
	table_free(table);
}

static void test_ratio_view(void **state)
{
	const struct mmtests_options options = { .layout = MMTESTS_TODAY, .ratio = true };
	struct table *table = shifted(0.38, NR);
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	(void)state;
	assert_int_equal(fmt_mmtests_ratio(out, table, &options, NULL), 0);
	assert_int_equal(fclose(out), 0);
	assert_non_null(strstr(text, "1.0380 (-3.80%) (+0.97s)\n"));
	free(text);
	table_free(table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_distance),
		cmocka_unit_test(test_sigmas),
		cmocka_unit_test(test_no_variance),
		cmocka_unit_test(test_ratio_view),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
