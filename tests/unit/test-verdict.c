// SPDX-License-Identifier: GPL-2.0-or-later
/* The rule, case by case, on tables made of records. */
#include "tests/unit/compare-records.h"

#include <stdlib.h>

#include "compare/judge.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* What R makes of the pairs and of the two series below is in test-ratio.c. */
static const double x10[] = { 10.3, 9.8, 10.1, 10.9, 9.5, 10.0, 10.4, 9.9, 10.2, 10.6 };
static const double y10[] = {
	10.9, 10.7, 11.3, 10.2, 11.0, 10.5, 11.8, 10.6, 11.1, 10.4
};

/*
 * struct course - how the runs of a column are made
 * @spec: what all records have in common
 * @nr: runs
 * @runs_per_boot: 0: all in @spec.boot
 */
struct course {
	struct spec spec;
	const double *values;
	size_t nr, runs_per_boot;
};

static void add_runs(struct table *table, const struct course *course)
{
	struct spec spec = course->spec;
	char boot[32];
	size_t i;

	for (i = 0; i < course->nr; i++) {
		spec.value = course->values[i];
		spec.iteration = (unsigned int)i + 1;
		if (course->runs_per_boot) {
			(void)snprintf(boot, sizeof(boot), "%s%zu", course->spec.boot,
				       i / course->runs_per_boot);
			spec.boot = boot;
		}
		assert_int_equal(add_spec(table, &spec), 0);
	}
}

static struct judgement *judge(struct table *table, const struct rule *rule)
{
	struct judgement *judgement = NULL;

	assert_int_equal(table_finish(table, NULL, NULL, NULL), 0);
	assert_int_equal(judge_table(table, rule, &judgement, NULL), 0);
	table->judgement = judgement;
	return judgement;
}

/* The only comparison of two columns of one row. */
static struct comparison compare(const struct course *base, const struct course *other,
				 const struct rule *rule)
{
	struct table *table = table_new();
	struct judgement *judgement;
	struct comparison c;

	assert_non_null(table);
	add_runs(table, base);
	add_runs(table, other);
	judgement = judge(table, rule);
	c = judgement->sections[0].rows[0].against[1];
	judgement_free(judgement);
	table_free(table);
	return c;
}

static struct course course(const char *column, const char *boot, const double *values,
			    size_t nr)
{
	return (struct course){
		.spec = { .column = column, .boot = boot },
		.values = values,
		.nr = nr,
	};
}

static enum verdict verdict_of(const double *x, size_t nr_x, const double *y, size_t nr_y)
{
	struct course base = course("base", "b1", x, nr_x);
	struct course other = course("other", "b1", y, nr_y);

	return compare(&base, &other, &rule_default).verdict;
}

static void scale(const double *x, size_t nr, double factor, double *ret)
{
	size_t i;

	for (i = 0; i < nr; i++)
		ret[i] = x[i] * factor;
}

static void test_direction(void **state)
{
	struct course base = course("base", "b1", x10, 10);
	struct course other = course("other", "b1", y10, 10);
	struct comparison c = compare(&base, &other, &rule_default);

	(void)state;
	assert_int_equal(c.verdict, VERDICT_WORSE);
	base.spec.higher = other.spec.higher = true;
	c = compare(&base, &other, &rule_default);
	assert_int_equal(c.verdict, VERDICT_BETTER);
	assert_int_equal(c.unit, UNIT_RUNS);
	assert_int_equal(c.nr_base, 10);
	assert_true(c.p == c.q);
}

static void test_pairs(void **state)
{
	struct course base = course("base", "b1", x10, 10);
	struct course other = course("other", "b1", y10, 10);
	struct comparison c;

	(void)state;
	base.spec.has_blocks = other.spec.has_blocks = true;
	c = compare(&base, &other, &rule_default);
	assert_int_equal(c.design, DESIGN_PAIRED);
	assert_true(fabs(c.effect.df - 9.0) < 1e-9);
	assert_true(fabs(c.effect.p - 0.012040005047802) < 1e-9);
	assert_true(fabs(c.p_rank - 0.01953125) < 1e-9);
	assert_true(fabs(c.p - family_combine(c.effect.p, c.p_rank)) < 1e-12);
	assert_true(c.pair_ratio > 1.0);
}

/* Half of the partners are gone: no pairs. */
static void test_few_pairs(void **state)
{
	struct course base = course("base", "b1", x10, 4);
	struct course other = course("other", "b1", y10, 10);

	(void)state;
	base.spec.has_blocks = other.spec.has_blocks = true;
	assert_int_equal(compare(&base, &other, &rule_default).design, DESIGN_UNKNOWN);
}

static void test_same(void **state)
{
	static const double flat[] = { 100.0, 100.2, 99.9, 100.1, 99.8, 100.0 };
	double moved[6];
	struct course base = course("base", "b1", flat, 6);
	struct course other = course("other", "b1", moved, 6);
	struct rule strict = rule_default;

	(void)state;
	scale(flat, 6, 1.01, moved);
	/* Significant, but less than delta. */
	assert_true(compare(&base, &other, &rule_default).q < 0.05);
	assert_int_equal(compare(&base, &other, &rule_default).verdict, VERDICT_SAME);
	strict.delta = 0.0;
	assert_int_equal(compare(&base, &other, &strict).verdict, VERDICT_WORSE);
	strict.delta = 0.005;
	assert_int_equal(compare(&base, &other, &strict).verdict, VERDICT_WORSE);
	assert_int_equal(verdict_of(flat, 6, flat, 6), VERDICT_SAME);
}

static void test_too_few(void **state)
{
	struct course one = course("base", "b1", x10, 1);
	struct course two = course("other", "b1", y10, 1);
	struct comparison c = compare(&one, &two, &rule_default);

	(void)state;
	assert_int_equal(c.verdict, VERDICT_INCONCLUSIVE);
	assert_string_equal(c.reason, "n<2");
	assert_true(isnan(c.p) && isnan(c.effect.ci95[0]) && c.effect.ratio > 1.0);
	assert_int_equal(verdict_of(x10, 10, y10, 1), VERDICT_INCONCLUSIVE);
}

static void test_missing(void **state)
{
	struct course base = course("base", "b1", x10, 5);
	struct course other = course("other", "b1", y10, 1);

	(void)state;
	other.spec.status = RECORD_FAILED;
	assert_int_equal(compare(&base, &other, &rule_default).verdict, VERDICT_MISSING);
}

static void test_zero_variance(void **state)
{
	static const double three[] = { 3, 3, 3, 3, 3 };
	static const double four[] = { 4, 4, 4, 4, 4 };
	struct course base = course("base", "b1", three, 5);
	struct course other = course("other", "b1", four, 5);
	struct comparison c = compare(&base, &other, &rule_default);

	(void)state;
	assert_int_equal(c.verdict, VERDICT_INCONCLUSIVE);
	assert_string_equal(c.reason, "zero variance");
	assert_int_equal(verdict_of(three, 5, three, 5), VERDICT_SAME);
	/* Rounded to whole numbers, they are known to be 1 apart. */
	base.spec.resolution = other.spec.resolution = 1.0;
	assert_int_equal(compare(&base, &other, &rule_default).verdict, VERDICT_WORSE);
	/* One side alone. */
	assert_int_equal(verdict_of(three, 5, y10, 10), VERDICT_WORSE);
}

static void test_negative(void **state)
{
	static const double x[] = { -1.0, -1.1, 0.9, -0.8, 1.2, -1.05 };
	static const double y[] = { 9.0, 9.1, 10.9, 8.8, 11.2, 9.05 };
	struct course base = course("base", "b1", x, 6);
	struct course other = course("other", "b1", y, 6);
	struct comparison c = compare(&base, &other, &rule_default);

	(void)state;
	assert_int_equal(c.verdict, VERDICT_WORSE);
	assert_true(isnan(c.effect.ratio) && isnan(c.effect.ci95[0]));
	assert_true(!c.is_shift_ratio && c.shift.estimate > 9.0);
	assert_true(c.effect.difference_ci95[0] > 8.0);
}

/* A few runs far up pull the mean, while all others got faster. */
static void test_mixed(void **state)
{
	double x[20];
	double y[20];
	struct rule loose = rule_default;
	struct course base = course("base", "b1", x, 20);
	struct course other = course("other", "b1", y, 20);
	size_t i;

	(void)state;
	for (i = 0; i < 20; i++) {
		x[i] = 100.0 + 0.1 * (double)i;
		y[i] = i < 17 ? 95.0 + 0.1 * (double)i : 180.0;
	}
	loose.alpha = 0.2;
	assert_int_equal(compare(&base, &other, &loose).verdict, VERDICT_MIXED);
}

static void test_boots(void **state)
{
	struct course base = course("base", "a", x10, 10);
	struct course other = course("other", "b", y10, 10);
	struct comparison c;

	(void)state;
	base.runs_per_boot = other.runs_per_boot = 2;
	c = compare(&base, &other, &rule_default);
	assert_int_equal(c.unit, UNIT_BOOTS);
	assert_int_equal(c.nr_base, 5);
	assert_false(c.is_confounded);
	assert_true(c.effect.df < 8.0 + 1e-9);
	/* In the same boots, the boots are the pairs. */
	other.spec.boot = "a";
	c = compare(&base, &other, &rule_default);
	assert_int_equal(c.unit, UNIT_BOOTS);
	assert_int_equal(c.design, DESIGN_PAIRED);
	assert_true(fabs(c.effect.df - 4.0) < 1e-9);
}

/* One boot of its own may be what made the difference. */
static void test_one_boot(void **state)
{
	struct course base = course("base", "b1", x10, 10);
	struct course other = course("other", "b2", y10, 10);
	struct comparison c = compare(&base, &other, &rule_default);

	(void)state;
	assert_true(c.q <= 0.05 && c.is_confounded);
	assert_int_equal(c.verdict, VERDICT_WORSE_WEAK);
	assert_string_equal(c.reason, "one boot");
}

static void test_one_boot_counts(void **state)
{
	struct course base = course("base", "b1", x10, 10);
	struct course other = course("other", "b2", y10, 10);
	struct course one = course("one", "b1", y10, 1);
	struct table *table = table_new();
	struct judgement *judgement;

	(void)state;
	assert_non_null(table);
	add_runs(table, &base);
	add_runs(table, &other);
	add_runs(table, &one);
	judgement = judge(table, &rule_default);
	assert_int_equal(judgement->columns[1].nr_confounded, 1);
	assert_int_equal(judgement->columns[2].nr_confounded, 0);
	assert_string_equal(judgement->columns[2].reason, "n<2");
	judgement_free(judgement);
	table_free(table);
}

static void test_order(void **state)
{
	struct course base = course("base", "b1", x10, 3);
	struct course other = course("other", "b1", y10, 3);

	(void)state;
	base.spec.start = "2026-01-01T00:00:00.000Z";
	other.spec.start = "2026-01-01T00:00:01.000Z";
	assert_int_equal(compare(&base, &other, &rule_default).design, DESIGN_SEQUENTIAL);
	other.spec.start = base.spec.start;
	assert_int_equal(compare(&base, &other, &rule_default).design, DESIGN_BLOCKED);
	assert_string_equal(design_name(DESIGN_BLOCKED), "blocked");
	assert_string_equal(design_name(DESIGN_SEQUENTIAL), "sequential");
	assert_string_equal(design_name(DESIGN_PAIRED), "paired");
	assert_null(design_name(DESIGN_UNKNOWN));
}

static struct comparison published(double mean, double stddev, unsigned int n)
{
	const double old = 4833.8;
	struct course base = course("base", NULL, &old, 1);
	struct course other = course("other", NULL, &mean, 1);

	base.spec.is_summary = other.spec.is_summary = true;
	base.spec.n = other.spec.n = n;
	base.spec.stddev = 36.25;
	other.spec.stddev = stddev;
	return compare(&base, &other, &rule_default);
}

static void test_published(void **state)
{
	struct comparison c = published(4837.4, 48.37, 5);

	(void)state;
	assert_int_equal(c.verdict, VERDICT_SAME);
	assert_true(fabs(c.effect.ci90[0] - 0.990) < 0.0005);
	assert_true(fabs(c.effect.ci90[1] - 1.011) < 0.0006);
	assert_true(isnan(c.p_rank) && c.p == c.effect.p);
	assert_string_equal(published(4837.4, 48.37, 0).reason, "n not known");
	/* The mean typed twice is no standard deviation. */
	assert_string_equal(published(4837.4, 4837.4, 5).reason,
			    "standard deviation not known");
	assert_string_equal(published(4837.4, 0.0, 5).reason,
			    "standard deviation not known");
}

static void add_column(struct table *table, const char *column, const char *point,
		       const double *values)
{
	struct course course = {
		.spec = { .column = column, .boot = "b1", .point = point },
		.values = values,
		.nr = 10,
	};

	add_runs(table, &course);
}

static void test_family(void **state)
{
	static const double noise[] = { 10.2, 9.7,  10.6, 10.0, 9.9,
					10.4, 10.1, 9.6,  10.8, 10.3 };
	struct table *table = table_new();
	struct judgement *judgement;
	const struct comparison *changed;

	(void)state;
	assert_non_null(table);
	add_column(table, "base", "{\"groups\":1}", x10);
	add_column(table, "other", "{\"groups\":1}", y10);
	add_column(table, "base", "{\"groups\":2}", x10);
	add_column(table, "other", "{\"groups\":2}", noise);
	judgement = judge(table, &rule_default);
	assert_int_equal(judgement->family[0], 2);
	assert_int_equal(judgement->family[1], 0);
	changed = &judgement->sections[0].rows[0].against[1];
	assert_true(fabs(changed->q - 2.0 * changed->p) < 1e-12);
	assert_int_equal(judgement->columns[1].nr_rows, 2);
	assert_int_equal(judgement->columns[1].nr[VERDICT_WORSE], 1);
	assert_int_equal(judgement->columns[1].nr[VERDICT_INCONCLUSIVE], 1);
	assert_int_equal(judgement->columns[1].verdict, VERDICT_WORSE);
	assert_true(judgement->columns[1].mde[0] > 0.0);
	assert_int_equal(judgement->columns[1].nr_gmean, 2);
	assert_true(judgement->columns[1].gmean < 1.0);
	assert_ptr_equal(
		judgement_row(table, &table->sections[0], &table->sections[0].rows[1]),
		&judgement->sections[0].rows[1]);
	judgement_free(judgement);
	table_free(table);
}

static void test_chain(void **state)
{
	struct rule chain = rule_default;
	struct table *table = table_new();
	struct judgement *judgement;

	(void)state;
	chain.is_chain = true;
	assert_non_null(table);
	add_column(table, "base", NULL, x10);
	add_column(table, "one", NULL, y10);
	add_column(table, "two", NULL, y10);
	judgement = judge(table, &chain);
	assert_int_equal(judgement->sections[0].rows[0].against[2].base_idx, 1);
	assert_int_equal(judgement->columns[1].verdict, VERDICT_WORSE);
	assert_true(judgement->columns[2].verdict != VERDICT_WORSE);
	judgement_free(judgement);
	table_free(table);
}

static void test_failures(void **state)
{
	struct table *table = table_new();
	struct course failed = course("other", "b1", y10, 10);
	struct judgement *judgement;

	(void)state;
	assert_non_null(table);
	add_column(table, "base", NULL, x10);
	failed.spec.cell = "other";
	failed.spec.boot = "b2";
	failed.spec.status = RECORD_FAILED;
	failed.nr = 3;
	add_runs(table, &failed);
	failed.spec.status = RECORD_OK;
	failed.spec.boot = "b1";
	failed.nr = 7;
	add_runs(table, &failed);
	judgement = judge(table, &rule_default);
	assert_int_equal(judgement->columns[1].nr_failing, 1);
	/* 0 of 10 and 3 of 10. */
	assert_true(fabs(judgement->sections[0].rows[0].against[1].failures_p -
			 0.210526315789474) < 1e-9);
	judgement_free(judgement);
	table_free(table);
}

/* An emulated machine's time says nothing; what it counts does. */
static void test_emulated(void **state)
{
	struct course base = course("base", "b1", x10, 10);
	struct course other = course("other", "b1", y10, 10);

	(void)state;
	base.spec.flags = other.spec.flags = RECORD_EMULATED;
	assert_int_equal(compare(&base, &other, &rule_default).verdict, VERDICT_NONE);
	assert_string_equal(compare(&base, &other, &rule_default).reason, "emulated");
	base.spec.unit = other.spec.unit = "us/op";
	assert_int_equal(compare(&base, &other, &rule_default).verdict, VERDICT_NONE);
	base.spec.unit = other.spec.unit = "migrations";
	assert_int_equal(compare(&base, &other, &rule_default).verdict, VERDICT_WORSE);
}

/* A copy of a metric in another unit is shown and counts nowhere. */
static void test_unjudged(void **state)
{
	struct course copy = course("base", "b1", x10, 10);
	struct table *table = table_new();
	struct judgement *judgement;

	(void)state;
	assert_non_null(table);
	add_column(table, "base", NULL, x10);
	add_column(table, "other", NULL, y10);
	copy.spec.metric = "requests";
	copy.spec.unjudged = "it is time, once more";
	add_runs(table, &copy);
	copy.spec.column = "other";
	copy.values = y10;
	add_runs(table, &copy);
	judgement = judge(table, &rule_default);
	assert_int_equal(table->sections[0].nr_rows, 2);
	assert_int_equal(judgement->family[0], 1);
	assert_int_equal(judgement->columns[1].nr_rows, 1);
	assert_int_equal(judgement->columns[1].nr_gmean, 1);
	assert_int_equal(judgement->sections[0].rows[1].against[1].verdict, VERDICT_NONE);
	assert_string_equal(judgement->sections[0].rows[1].against[1].reason,
			    "it is time, once more");
	judgement_free(judgement);
	table_free(table);
}

/* Nothing varies, and nothing differs: also where the steps of the metric are known. */
static void test_equal(void **state)
{
	static const double zeros[] = { 0.0, 0.0, 0.0, 0.0, 0.0, 0.0 };
	static const double ones[] = { 1.0, 1.0, 1.0, 1.0, 1.0, 1.0 };
	struct course base = course("base", "b1", zeros, 6);
	struct course other = course("other", "b1", zeros, 6);

	(void)state;
	base.spec.resolution = other.spec.resolution = 1e-4;
	assert_int_equal(compare(&base, &other, &rule_default).verdict, VERDICT_SAME);
	base.spec.has_blocks = other.spec.has_blocks = true;
	assert_int_equal(compare(&base, &other, &rule_default).verdict, VERDICT_SAME);
	other.values = ones;
	assert_true(compare(&base, &other, &rule_default).verdict != VERDICT_SAME);
}

/* What a machine can't run on either side is no row that lacks its figures. */
static void test_skipped(void **state)
{
	struct table *table = table_new();
	struct judgement *judgement;

	(void)state;
	assert_non_null(table);
	add(table, .column = "base", .status = RECORD_SKIPPED, .reason = "no LLC");
	add(table, .column = "other", .status = RECORD_SKIPPED, .reason = "no LLC");
	add(table, .column = "third", .status = RECORD_FAILED);
	judgement = judge(table, &rule_default);
	assert_int_equal(judgement->columns[1].nr[VERDICT_NONE], 1);
	assert_int_equal(judgement->columns[2].nr[VERDICT_MISSING], 1);
	assert_int_equal(judgement->columns[2].nr_failing, 1);
	judgement_free(judgement);
	table_free(table);
}

static void test_sum(void **state)
{
	size_t nr[NR_VERDICTS] = { 0 };

	(void)state;
	assert_int_equal(verdict_sum(nr), VERDICT_NONE);
	nr[VERDICT_MISSING] = 1;
	assert_int_equal(verdict_sum(nr), VERDICT_MISSING);
	nr[VERDICT_SAME] = 3;
	assert_int_equal(verdict_sum(nr), VERDICT_SAME);
	nr[VERDICT_INCONCLUSIVE] = 1;
	assert_int_equal(verdict_sum(nr), VERDICT_INCONCLUSIVE);
	nr[VERDICT_BETTER_WEAK] = 1;
	assert_int_equal(verdict_sum(nr), VERDICT_BETTER_WEAK);
	nr[VERDICT_WORSE_WEAK] = 1;
	assert_int_equal(verdict_sum(nr), VERDICT_INCONCLUSIVE);
	nr[VERDICT_WORSE] = 1;
	assert_int_equal(verdict_sum(nr), VERDICT_WORSE);
	nr[VERDICT_BETTER] = 1;
	assert_int_equal(verdict_sum(nr), VERDICT_MIXED);
	assert_string_equal(verdict_name(VERDICT_WORSE_WEAK), "worse?");
	assert_null(verdict_name(VERDICT_NONE));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_direction),
		cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_few_pairs),
		cmocka_unit_test(test_same),
		cmocka_unit_test(test_too_few),
		cmocka_unit_test(test_missing),
		cmocka_unit_test(test_zero_variance),
		cmocka_unit_test(test_negative),
		cmocka_unit_test(test_mixed),
		cmocka_unit_test(test_boots),
		cmocka_unit_test(test_one_boot),
		cmocka_unit_test(test_one_boot_counts),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_published),
		cmocka_unit_test(test_family),
		cmocka_unit_test(test_chain),
		cmocka_unit_test(test_failures),
		cmocka_unit_test(test_emulated),
		cmocka_unit_test(test_unjudged),
		cmocka_unit_test(test_equal),
		cmocka_unit_test(test_skipped),
		cmocka_unit_test(test_sum),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
