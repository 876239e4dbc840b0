// SPDX-License-Identifier: GPL-2.0-or-later
/* The format lkp: its rules for values, spreads, changes and failures. */
#include "tests/unit/compare-records.h"

#include <stdlib.h>

#include "compare/fmt_lkp.h"

static char *print(struct table *table)
{
	const struct fmt_options options = { .version = "0" };
	struct err err = { 0 };
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	assert_non_null(out);
	if (table_finish(table, NULL, NULL, &err))
		fail_msg("%s", err.text);
	assert_int_equal(fmt_lkp(out, table, &options, NULL), 0);
	assert_int_equal(fclose(out), 0);
	table_free(table);
	return text;
}

/* @text is freed. */
static void assert_has(char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is not in:\n%s", part, text);
	free(text);
}

static void add_values(struct table *table, const char *column, const double *values,
		       size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		const struct spec spec = {
			.column = column,
			.value = values[i],
			.iteration = (unsigned int)i + 1,
			.metric = "score",
			.higher = true,
		};

		assert_int_equal(add_spec(table, &spec), 0);
	}
}

/* The spread of the last column is 2.12% of divisor n, 2.6% of divisor n-1. */
static void test_spread_is_of_a_population_and_cut(void **state)
{
	static const double base[] = { 100000, 101000, 102000, 103000, 104000, 105000 };
	static const double up[] = { 110000, 110100, 110200 };
	static const double wide[] = { 99000, 103000, 104000 };
	struct table *table = table_new();

	(void)state;
	add_values(table, "base", base, 6);
	add_values(table, "up", up, 3);
	add_values(table, "wide", wide, 3);
	assert_has(print(table),
		   "    102500            +7.4%     110100            -0.5%     102000 "
		   "\xc2\xb1  2%  hackbench.score\n");
}

static void test_values_have_three_layouts(void **state)
{
	static const double small[] = { 999.994 };
	static const double middle[] = { 66870.9 };
	static const double large[] = { 1.5e9 };
	struct table *table = table_new();

	(void)state;
	add_values(table, "small", small, 1);
	add_values(table, "middle", middle, 1);
	add_values(table, "large", large, 1);
	assert_has(print(table),
		   "    999.99         +6587.1%      66870        +1.5e+08%    1.5e+09  "
		   "      hackbench.score\n");
}

/* BL-057: LKP prints +1.1e+103% here. */
static void test_bl_057_change_from_zero_is_not_known(void **state)
{
	static const double zeros[] = { 0, 0, 0 };
	static const double some[] = { 10, 11, 12 };
	struct table *table = table_new();

	(void)state;
	add_values(table, "zero", zeros, 3);
	add_values(table, "some", some, 3);
	assert_has(print(table), "      0.00             n/a       11.00 \xc2\xb1  7%  "
				 "hackbench.score\n");
}

static void add_failures(struct table *table, const char *column, unsigned int nr_failed,
			 unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		const struct spec spec = {
			.column = column,
			.value = 1.0,
			.iteration = i + 1,
			.status = i < nr_failed ? RECORD_FAILED : RECORD_OK,
		};

		assert_int_equal(add_spec(table, &spec), 0);
	}
}

/* Of two thirds after none of six, LKP makes 33%. BL-125: counts stay whole. */
static void test_bl_125_failures_are_counts_of_own_runs(void **state)
{
	struct table *table = table_new();

	(void)state;
	add_failures(table, "good", 0, 6);
	add_failures(table, "bad", 2, 3);
	assert_has(print(table),
		   "       fail:runs  %reproduction    fail:runs\n"
		   "           |             |             |\n"
		   "         %stddev     %change         %stddev\n"
		   "             \\          |                \\\n"
		   "           :6           67%           2:3     hackbench.fail\n");
}

static void test_title_is_cut_and_full_above(void **state)
{
	static const double one[] = { 1 };
	struct table *table = table_new();

	(void)state;
	add_values(table, "a-kernel-with-a-long-name", one, 1);
	add_values(table, "b", one, 1);
	assert_has(print(table), "\ncommit:\n"
				 "  a-kernel-with-a-long-name\n"
				 "  b\n"
				 "\n"
				 "a-kernel-with-a- b\n"
				 "---------------- ---------------------------\n");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_spread_is_of_a_population_and_cut),
		cmocka_unit_test(test_values_have_three_layouts),
		cmocka_unit_test(test_bl_057_change_from_zero_is_not_known),
		cmocka_unit_test(test_bl_125_failures_are_counts_of_own_runs),
		cmocka_unit_test(test_title_is_cut_and_full_above),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
