// SPDX-License-Identifier: GPL-2.0-or-later
/* Half-widths, and the numbers of runs and boots that an effect needs. */
#include "tests/unit/compare-records.h"

#include "compare/judge.h"
#include "compare/power.h"
#include "tests/unit/near.h"

/* Two sides of equal variation. */
static size_t runs(double effect, double cv)
{
	const struct power_goal goal = { effect, 0.05, false };

	return power_runs(&goal, 2.0 * cv * cv);
}

static void test_runs(void **state)
{
	const struct power_goal paired = { 0.02, 0.05, true };

	(void)state;
	/* R: power.t.test(delta = 2, sd = 2, power = 0.8)$n is 16.7, and so on */
	assert_int_equal(runs(0.02, 0.02), 17);
	assert_int_equal(runs(0.01, 0.02), 64);
	assert_int_equal(runs(0.02, 0.05), 100);
	assert_int_equal(runs(0.05, 0.05), 17);
	assert_int_equal(runs(0.05, 0.10), 64);
	assert_int_equal(runs(0.01, 0.10), 1571);
	/* R: power.t.test(delta = 2, sd = 2, power = 0.8, type = "paired")$n is 9.94 */
	assert_int_equal(power_runs(&paired, 0.02 * 0.02), 10);
	assert_int_equal(runs(0.02, 0.0), 2);
	assert_int_equal(runs(0.02, (double)NAN), 0);
	assert_int_equal(runs(0.0001, 1.0), POWER_MOST);
}

static void test_split(void **state)
{
	const struct power_goal goal = { 0.02, 0.05, false };
	struct power_split split;

	(void)state;
	/* A boot of eight runs' time, runs of four times the variance: six in each. */
	split = power_split(&goal, 8e-4, 2e-4, 8.0);
	assert_int_equal(split.runs, 6);
	assert_int_equal(split.boots, power_runs(&goal, 2e-4 + 8e-4 / 6.0));
	/* Boots that are alike: three of them, as many runs as it takes. */
	split = power_split(&goal, 8e-4, 0.0, 8.0);
	assert_int_equal(split.boots, 3);
	assert_true(split.runs > 1 && split.runs <= 30);
	assert_true(power_runs(&goal, 8e-4 / (double)split.runs) <= 3);
	assert_true(power_runs(&goal, 8e-4 / (double)(split.runs - 1)) > 3);
	/* Runs that are alike: nothing comes of repeating them. */
	split = power_split(&goal, 0.0, 2e-4, 8.0);
	assert_int_equal(split.runs, 1);
	split = power_split(&goal, 8e-4, (double)NAN, 8.0);
	assert_int_equal(split.boots, 0);
}

static struct table *judged(struct table *table)
{
	static const char *const columns[] = { "base", "wake", "late", NULL };
	struct judgement *judgement = NULL;

	assert_int_equal(table_finish(table, columns, NULL, NULL), 0);
	assert_int_equal(judge_table(table, &rule_default, &judgement, NULL), 0);
	table->judgement = judgement;
	return table;
}

static void release(struct table *table)
{
	judgement_free((struct judgement *)(uintptr_t)table->judgement);
	table_free(table);
}

static void add_series(struct table *table, const char *column, const char *point,
		       double noise)
{
	unsigned int i;

	for (i = 0; i < 6; i++)
		add(table, .column = column, .point = point, .iteration = i + 1,
		    .value = 1.0 + noise * (double)(i * i % 5));
}

static bool only_wake(const struct table *table, const struct power_place *place,
		      void *data)
{
	(void)data;
	return !strcmp(table->columns[place->column].name, "wake");
}

static void test_widest(void **state)
{
	struct table *table = table_new();
	struct power_widest widest;

	(void)state;
	add_series(table, "base", "{\"groups\":1}", 0.01);
	add_series(table, "wake", "{\"groups\":1}", 0.01);
	add_series(table, "base", "{\"groups\":4}", 0.01);
	add_series(table, "wake", "{\"groups\":4}", 0.05);
	add_series(table, "late", "{\"groups\":4}", 0.20);
	/* Secondary metrics, and columns without a number, are not waited for. */
	add(table, .column = "wake", .point = "{\"groups\":1}", .metric = "faults",
	    .secondary = true, .value = 5.0);
	table = judged(table);
	widest = power_widest(table, NULL, NULL);
	assert_int_equal(widest.nr, 3);
	assert_string_equal(table->columns[widest.place.column].name, "late");
	assert_true(widest.halfwidth > 0.05);
	widest = power_widest(table, only_wake, NULL);
	assert_int_equal(widest.nr, 2);
	assert_string_equal(widest.place.row->point->label, "4");
	release(table);
}

/* Of a single row with @nr runs of @base and @other. */
static double halfwidth(const double *base, const double *other, size_t nr)
{
	struct table *table = table_new();
	struct power_widest widest;
	size_t i;

	for (i = 0; i < nr; i++) {
		add(table, .column = "base", .value = base[i],
		    .iteration = (unsigned int)i + 1);
		add(table, .column = "wake", .value = other[i],
		    .iteration = (unsigned int)i + 1);
	}
	table = judged(table);
	widest = power_widest(table, NULL, NULL);
	release(table);
	return widest.halfwidth;
}

static void test_halfwidth(void **state)
{
	static const double some[] = { 1.0, 1.1, 0.9 };
	static const double more[] = { 1.1, 1.0, 1.2 };
	static const double one[] = { 1.0, 1.0, 1.0 };
	static const double below[] = { -1.0, -1.1, -0.9 };
	static const double around[] = { 0.1, -0.2, 0.4 };
	double width = halfwidth(some, more, 3);

	(void)state;
	assert_true(width > 0.1 && width < 1.0);
	/* Too few so far, none that will ever be, no variance, may as well be 0. */
	assert_true(isinf(halfwidth(some, more, 1)));
	assert_true(isnan(halfwidth(below, some, 3)));
	assert_true(halfwidth(one, one, 3) == 0.0);
	assert_true(isinf(halfwidth(around, some, 3)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_runs),
		cmocka_unit_test(test_split),
		cmocka_unit_test(test_widest),
		cmocka_unit_test(test_halfwidth),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
