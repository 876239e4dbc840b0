// SPDX-License-Identifier: GPL-2.0-or-later
/* The format perf-stat down to the blanks, and monitors in tables. */
#include "tests/unit/compare-records.h"

#include <errno.h>
#include <stdlib.h>

#include "compare/comparable.h"
#include "compare/fmt_perfstat.h"

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
	assert_int_equal(fmt_perfstat(out, table, &options, NULL), 0);
	assert_int_equal(fclose(out), 0);
	table_free(table);
	return text;
}

static void assert_has(char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is not in:\n%s", part, text);
	free(text);
}

static void add_times(struct table *table, const char *metric, const char *unit,
		      const double *values, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		add(table, .iteration = i + 1, .metric = metric, .unit = unit,
		    .value = values[i]);
}

/* Mean 5, stddev sqrt(5/2), stderr of the mean sqrt(1/2) = 0.7071, 14.14%. */
static const double five[] = { 3.0, 4.0, 5.0, 6.0, 7.0 };

static void test_standard_error_of_the_mean(void **state)
{
	struct table *table = table_new();

	(void)state;
	add_times(table, "elapsed", "s", five, 5);
	assert_has(print(table),
		   " hackbench-process-pipes, base (5 iterations):\n"
		   "\n"
		   "            5.0000 +- 0.7071 seconds time elapsed  ( +- 14.14% )\n"
		   "\n"
		   "arithmetic mean; +-: standard error of the mean, stddev / sqrt(n)");
}

/* A row with a published harmonic mean has harmonic means only, and says so. */
static void test_harmonic_means(void **state)
{
	struct table *table = table_new();
	char *text;

	(void)state;
	add(table, .metric = "rate", .unit = "MB/s", .higher = true, .is_summary = true,
	    .is_hmean = true, .value = 2.0);
	add(table, .column = "wake", .iteration = 1, .metric = "rate", .unit = "MB/s",
	    .higher = true, .value = 1.0);
	add(table, .column = "wake", .iteration = 2, .metric = "rate", .unit = "MB/s",
	    .higher = true, .value = 3.0);
	text = print(table);
	assert_non_null(strstr(text, "              2.00 MB/s   rate\n"));
	assert_non_null(strstr(text, "              1.50 MB/s   rate\n"));
	assert_non_null(strstr(text, "\nharmonic means: rate\n"));
	assert_has(text, "\nharmonic mean; +-:");
}

static void test_counters_and_columns(void **state)
{
	struct table *table = table_new();
	unsigned int i;

	(void)state;
	for (i = 1; i <= 2; i++) {
		add(table, .iteration = i, .point = "{\"groups\":4}", .value = i);
		add(table, .iteration = i, .point = "{\"groups\":4}",
		    .metric = "task-clock", .unit = "msec", .secondary = true,
		    .value = 80.0 + i);
		add(table, .iteration = i, .point = "{\"groups\":4}",
		    .metric = "context-switches", .unit = "", .secondary = true,
		    .value = 100.0 * i);
		add(table, .iteration = i, .point = "{\"groups\":4}",
		    .metric = "cpu-migrations", .unit = "", .secondary = true,
		    .value = 0.0);
	}
	add(table, .iteration = 1, .point = "{\"groups\":4}", .column = "wake",
	    .value = 2.0);
	assert_has(print(table),
		   " hackbench-process-pipes groups=4, base (2 iterations):\n"
		   "\n"
		   "             81.50 msec   task-clock                ( +-  0.61% )\n"
		   "               150        context-switches          ( +- 33.33% )\n"
		   "                 0        cpu-migrations\n"
		   "\n"
		   "            1.5000 +- 0.5000 seconds time  ( +- 33.33% )\n"
		   "\n"
		   " hackbench-process-pipes groups=4, wake (1 iterations):\n"
		   "\n"
		   "               n/a msec   task-clock\n"
		   "               n/a        context-switches\n"
		   "               n/a        cpu-migrations\n"
		   "\n"
		   "            2.0000 seconds time\n"
		   "\n");
}

static void test_nanoseconds_of_perf(void **state)
{
	static const double values[] = { 5486491487.0, 5486491487.0 };
	struct table *table = table_new();

	(void)state;
	add_times(table, "duration_time", "ns", values, 2);
	assert_has(print(table),
		   "            5.4865 +- 0.0000 seconds time elapsed  ( +-  0.00% )\n");
}

static void test_digits_follow_a_small_error(void **state)
{
	static const double values[] = { 0.0100000, 0.0100040 };
	struct table *table = table_new();

	(void)state;
	add_times(table, "elapsed", "s", values, 2);
	assert_has(
		print(table),
		"         0.0100020 +- 0.0000020 seconds time elapsed  ( +-  0.02% )\n");
}

/* Its stddev has no known divisor, so nothing is called a standard error. */
static void test_published_table(void **state)
{
	struct table *table = table_new();

	(void)state;
	add(table, .is_summary = true, .value = 2.5, .stddev = 0.1, .n = 4);
	assert_has(print(table), "            2.5000 seconds time\n");
}

static void test_footer_names_monitors(void **state)
{
	struct table *table = table_new();

	(void)state;
	add(table, .iteration = 1, .value = 1.0, .monitors = "perf-stat(cs)");
	assert_has(print(table), "monitors perf-stat(cs)");
}

static int check(const char *first, const char *second, struct err *err)
{
	struct table *table = table_new();
	int bad;

	memset(err, 0, sizeof(*err));
	add(table, .iteration = 1, .value = 1.0, .monitors = first, .executor = "local");
	add(table, .iteration = 1, .column = "wake", .value = 1.0, .monitors = second,
	    .executor = "local");
	assert_int_equal(table_finish(table, NULL, NULL, err), 0);
	bad = comparable_check(table, false, err);
	table_free(table);
	return bad;
}

static void test_unlike_monitors_are_refused(void **state)
{
	struct err err;

	(void)state;
	assert_int_equal(check("perf-stat(cs)", NULL, &err), -EINVAL);
	assert_non_null(strstr(err.text, "unlike monitors in columns 'base' and 'wake'"));
	assert_non_null(strstr(err.text, "perf-stat(cs) and none"));
	assert_int_equal(check("perf-stat(cs)", "perf-stat(cs, cycles)", &err), -EINVAL);
	assert_int_equal(check("perf-stat(cs)", "perf-stat(cs)", &err), 0);
	assert_int_equal(check(NULL, NULL, &err), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_standard_error_of_the_mean),
		cmocka_unit_test(test_harmonic_means),
		cmocka_unit_test(test_counters_and_columns),
		cmocka_unit_test(test_nanoseconds_of_perf),
		cmocka_unit_test(test_digits_follow_a_small_error),
		cmocka_unit_test(test_published_table),
		cmocka_unit_test(test_footer_names_monitors),
		cmocka_unit_test(test_unlike_monitors_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
