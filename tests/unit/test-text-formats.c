// SPDX-License-Identifier: GPL-2.0-or-later
/* The formats pct, avg, markdown and csv, down to the blanks. */
#include "tests/unit/compare-records.h"

#include <stdlib.h>

#include "compare/comparable.h"
#include "compare/fmt_avg.h"
#include "compare/fmt_csv.h"
#include "compare/fmt_json.h"
#include "compare/fmt_markdown.h"
#include "compare/fmt_pct.h"
#include "compare/judge.h"
#include "compare/percent.h"
#include "compare/sheet.h"

typedef int format_fn(FILE *out, const struct table *table,
		      const struct fmt_options *options, struct err *err);

static char *print(struct table *table, format_fn *format)
{
	const struct fmt_options options = { .version = "0" };
	struct err err = { 0 };
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	assert_non_null(out);
	if (!table->sections[0].rows && table_finish(table, NULL, NULL, &err))
		fail_msg("%s", err.text);
	assert_int_equal(format(out, table, &options, NULL), 0);
	assert_int_equal(fclose(out), 0);
	return text;
}

static int csv(FILE *out, const struct table *table, const struct fmt_options *options,
	       struct err *err)
{
	(void)options;
	return fmt_csv(out, table, err);
}

static int json(FILE *out, const struct table *table, const struct fmt_options *options,
		struct err *err)
{
	return fmt_json(out, table, options->version, err);
}

static void assert_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is not in:\n%s", part, text);
}

/* @table is freed; @expected is what comes first. */
static void assert_begins(struct table *table, format_fn *format, const char *expected)
{
	char *text = print(table, format);

	if (strlen(text) > strlen(expected))
		text[strlen(expected)] = '\0';
	assert_string_equal(text, expected);
	free(text);
	table_free(table);
}

static struct table *two_metrics(void)
{
	struct table *table = table_new();
	unsigned int i;

	for (i = 1; i <= 2; i++) {
		add(table, .iteration = i, .point = "{\"threads\":8}", .value = 9.0 + i);
		add(table, .iteration = i, .point = "{\"threads\":8}", .column = "wake",
		    .value = 19.0 + i);
		add(table, .iteration = i, .point = "{\"threads\":8}", .metric = "copy",
		    .unit = "MB/s", .higher = true, .value = 100.0 * i);
		add(table, .iteration = i, .point = "{\"threads\":8}", .column = "wake",
		    .metric = "copy", .unit = "MB/s", .higher = true, .value = 50.0 * i);
	}
	return table;
}

static void test_pct(void **state)
{
	(void)state;
	assert_begins(two_metrics(), fmt_pct,
		      "hackbench-process-pipes\n"
		      "                       base                  wake\n"
		      "\n"
		      "time-8:  10.5000 (0.00 pct)  20.5000  (95.23 pct)\n"
		      "copy-8:   150.00 (0.00 pct)    75.00 (-50.00 pct)\n"
		      "higher is better: copy\n"
		      "lower is better: time\n"
		      "\n"
		      "arithmetic mean; (pct): change against the first column, cut");
}

static void test_pct_gaps(void **state)
{
	struct table *table = table_new();

	(void)state;
	add(table, .iteration = 1, .value = 2.0);
	add(table, .iteration = 2, .value = 4.0);
	add(table, .column = "none", .status = RECORD_FAILED);
	assert_begins(table, fmt_pct,
		      "hackbench-process-pipes\n"
		      "                            base           none\n"
		      "\n"
		      "        time:  3.0000 (0.00 pct)  n/a (n/a pct)\n"
		      "Samples time:       2             0/1\n"
		      "lower is better: time\n");
}

static void test_avg_of_several_rows(void **state)
{
	(void)state;
	assert_begins(two_metrics(), fmt_avg,
		      "hackbench-process-pipes\n"
		      "                              base                 wake\n"
		      "\n"
		      "time-8 (s)     10.5000  (+- 6.73%)  20.5000  (+- 3.45%)\n"
		      "copy-8 (MB/s)   150.00 (+- 47.14%)    75.00 (+- 47.14%)\n"
		      "higher is better: copy\n");
}

static void test_avg_of_one_row(void **state)
{
	struct table *table = table_new();

	(void)state;
	add(table, .point = "{\"groups\":4}", .iteration = 1, .value = 1.0);
	add(table, .point = "{\"groups\":4}", .iteration = 2, .value = 3.0);
	add(table, .point = "{\"groups\":4}", .column = "wake", .value = 1.0);
	add(table, .point = "{\"groups\":4}", .column = "none", .status = RECORD_FAILED);
	assert_begins(table, fmt_avg,
		      "hackbench-process-pipes groups=4\n"
		      "      Average time (s)  std. dev  samples    change\n"
		      "\n"
		      "base            2.0000    1.4142        2\n"
		      "wake            1.0000       n/a        1  (-50.0%)\n"
		      "none               n/a       n/a      0/1     (n/a)\n"
		      "lower is better: time\n");
}

static void test_markdown(void **state)
{
	(void)state;
	assert_begins(two_metrics(), fmt_markdown,
		      "### hackbench-process-pipes\n"
		      "\n"
		      "| | base | wake |\n"
		      "|:--|--:|--:|\n"
		      "| time-8 (s) | 10.5000 ± 0.7071, n 2 "
		      "| 20.5000 ± 0.7071, n 2 (-95.24%) |\n"
		      "| copy-8 (MB/s) | 150.00 ± 70.71, n 2 "
		      "| 75.00 ± 35.36, n 2 (-50.00%) |\n"
		      "\n"
		      "``````\n"
		      "higher is better: copy\n");
}

static void test_markdown_names_are_text(void **state)
{
	struct table *table = table_new();
	char *text;

	(void)state;
	add(table, .column = "a|b", .value = 1.0);
	add(table, .column = "<b>_x_*\n", .value = 1.0);
	text = print(table, fmt_markdown);
	assert_has(text, "| | a\\|b | \\<b\\>\\_x\\_\\*\\\\x0a |\n");
	free(text);
	table_free(table);
}

static const char csv_header[] =
	"workload,variant,metric,unit,better,point,column,n,failed,mean,stddev,min,median,"
	"max,ratio,percent,statistic,hmean,hstddev,primary,verdict\n";

static void test_csv(void **state)
{
	struct table *table = table_new();
	char expected[1024];

	(void)state;
	add(table, .point = "{\"a\":1,\"b\":\"x\"}", .iteration = 1, .value = 1.0);
	add(table, .point = "{\"a\":1,\"b\":\"x\"}", .iteration = 2, .value = 3.0);
	add(table, .point = "{\"a\":1,\"b\":\"x\"}", .column = "w,\"\n", .value = 0.5);
	add(table, .point = "{\"a\":1,\"b\":\"x\"}", .column = "none",
	    .status = RECORD_TIMEOUT);
	(void)snprintf(
		expected, sizeof(expected), "%s%s%s%s", csv_header,
		"hackbench,hackbench-process-pipes,time,s,lower,a=1;b=x,base,2,0,2,"
		"1.4142135623731,1,2,3,1,0,Amean,1.5,0.75,yes,\n",
		"hackbench,hackbench-process-pipes,time,s,lower,a=1;b=x,\"w,\"\"\\x0a\",1,"
		"0,0.5,,0.5,0.5,0.5,0.25,75,Amean,0.5,,yes,\n",
		"hackbench,hackbench-process-pipes,time,s,lower,a=1;b=x,none,0,1,,,,,,,,"
		"Amean,,,yes,\n");
	assert_begins(table, csv, expected);
}

static void test_csv_summary(void **state)
{
	struct table *table = table_new();
	char *text;

	(void)state;
	add(table, .is_summary = true, .value = 2.0, .n = 5, .stddev = 0.5);
	add(table, .column = "b", .is_summary = true, .value = 1.0);
	text = print(table, csv);
	assert_has(text, ",base,5,0,2,0.5,,,,1,0,Amean,,,yes,\n");
	assert_has(text, ",b,,0,1,,,,,0.5,50,Amean,,,yes,\n");
	free(text);
	table_free(table);
}

/* What is loaded beside a measured column changes what it is compared by, and no figure. */
static void test_csv_beside_harmonic(void **state)
{
	struct table *table = table_new();
	char *text;

	(void)state;
	add(table, .metric = "copy", .higher = true, .iteration = 1, .value = 1.0);
	add(table, .metric = "copy", .higher = true, .iteration = 2, .value = 3.0);
	add(table, .column = "b", .metric = "copy", .higher = true, .is_summary = true,
	    .is_hmean = true, .value = 3.0, .stddev = 0.5);
	add(table, .metric = "copies", .higher = true, .value = 1.0,
	    .unjudged = "it is copy");
	add(table, .metric = "time", .secondary = true, .value = 1.0);
	text = print(table, csv);
	assert_has(text, ",base,2,0,2,1.4142135623731,1,2,3,1,0,Hmean,1.5,0.75,yes,\n");
	assert_has(text, ",b,,0,,,,,,2,100,Hmean,3,0.5,yes,\n");
	assert_has(text, "copies,s,higher,,base,1,0,1,,1,1,1,1,0,Amean,1,,no,\n");
	assert_has(text, "time,s,lower,,base,1,0,1,,1,1,1,1,0,Amean,1,,no,\n");
	free(text);
	text = print(table, json);
	assert_has(text, "\"statistic\": \"Hmean\"");
	assert_has(text, "\"unjudged\": \"it is copy\"");
	free(text);
	text = print(table, fmt_avg);
	assert_has(text, "average: arithmetic mean, or where listed harmonic; std. dev:");
	free(text);
	text = print(table, fmt_markdown);
	assert_has(text,
		   "arithmetic mean, or where listed harmonic ± standard deviation");
	free(text);
	table_free(table);
}

/* A metric that is another one in another unit is shown, and said to be that. */
static void test_unjudged(void **state)
{
	struct judgement *judgement = NULL;
	struct table *table = table_new();
	char *text;

	(void)state;
	add(table, .iteration = 1, .value = 1.0);
	add(table, .column = "b", .value = 1.0);
	add(table, .metric = "copies", .value = 1.0, .unjudged = "it is time, twice");
	add(table, .column = "b", .metric = "copies", .value = 1.0);
	assert_int_equal(table_finish(table, NULL, NULL, NULL), 0);
	assert_int_equal(judge_table(table, &rule_default, &judgement, NULL), 0);
	table->judgement = judgement;
	text = print(table, fmt_pct);
	assert_has(text, "copies:  1.0000");
	assert_has(text, "\nlower is better: time\n");
	assert_has(text, "b against base: inconclusive; 1 row: 1 inconclusive");
	assert_has(text,
		   "\nnot judged: copies of hackbench-process-pipes (it is time, twice)");
	free(text);
	judgement_free(judgement);
	table_free(table);
}

/* The name says already that it is an average. */
static void test_avg_heading(void **state)
{
	struct table *table = table_new();

	(void)state;
	add(table, .metric = "Avg. score", .value = 2.0);
	assert_begins(
		table, fmt_avg,
		"hackbench-process-pipes\n"
		"      Avg. score (s)    samples\n"
		"\n"
		"base          2.0000          1\n"
		"lower is better: Avg. score\n"
		"\n"
		"average: arithmetic mean; std. dev: divisor n-1; (+- %): std. dev in");
}

/* A published harmonic mean is never called anything else. */
static void test_harmonic_summary(void **state)
{
	struct table *table = table_new();
	char *text;

	(void)state;
	add(table, .metric = "copy", .higher = true, .is_summary = true, .is_hmean = true,
	    .value = 100.0, .stddev = 2.0);
	add(table, .column = "b", .metric = "copy", .higher = true, .is_summary = true,
	    .is_hmean = true, .value = 110.0);
	add(table, .column = "c", .metric = "copy", .higher = true, .is_summary = true,
	    .value = 120.0);
	text = print(table, fmt_pct);
	assert_has(text, "110.0000 (10.00 pct)  n/a (n/a pct)\n");
	assert_has(text, "\nharmonic means: copy\n");
	assert_has(text, "\nharmonic mean; (pct): change");
	free(text);
	text = print(table, fmt_avg);
	assert_has(text,
		   "average: harmonic mean; std. dev: as printed; (+- %): std. dev");
	free(text);
	text = print(table, json);
	assert_has(text, "\"hmean\": 110");
	assert_has(text, "\"hstddev\": 2");
	assert_has(text, "\"mean\": 120");
	free(text);
	table_free(table);
}

static void assert_note(struct table *table, format_fn *format, const char *part)
{
	char *text = print(table, format);
	char *at;

	/* Lines may break between any two words. */
	for (at = strstr(text, "\n  "); at; at = strstr(at, "\n  "))
		memmove(at, at + 2, strlen(at + 2) + 1);
	assert_has(text, part);
	free(text);
}

static void test_mean_copied_twice(void **state)
{
	static const char part[] =
		"note: the standard deviation of time in column b equals its mean, 3.5:";
	struct table *table = table_new();

	(void)state;
	add(table, .column = "a", .is_summary = true, .value = 3.0, .stddev = 0.5);
	add(table, .column = "b", .is_summary = true, .value = 3.5, .stddev = 3.5);
	assert_note(table, fmt_pct, part);
	assert_note(table, fmt_avg, part);
	assert_note(table, fmt_markdown, part);
	table_free(table);
}

static void test_notes(void **state)
{
	struct table *table = table_new();

	(void)state;
	add(table, .column = "a", .machine = "m1", .value = 1.0);
	add(table, .column = "b", .machine = "m2", .value = 1.0);
	assert_int_equal(table_finish(table, NULL, NULL, NULL), 0);
	assert_int_equal(comparable_check(table, true, NULL), 0);
	assert_note(table, fmt_pct,
		    "note: not comparable: hackbench-process-pipes ran on");
	assert_note(table, fmt_avg,
		    "note: not comparable: hackbench-process-pipes ran on");
	assert_note(table, fmt_markdown, "note: not comparable: ");
	assert_note(table, json, "\"notes\": [");
	table_free(table);
}

static void test_cut(void **state)
{
	(void)state;
	assert_true(percent_cut(percent_change(100.0, 101.1)) == 1.10);
	assert_true(percent_cut(60.266) == 60.26);
	assert_true(percent_cut(-1.807) == -1.80);
	assert_true(percent_cut(39.0) == 39.0);
	assert_false(signbit(percent_cut(-0.004)));
	assert_true(isnan(percent_cut((double)NAN)));
	assert_true(percent_change(2.0, 1.0) == -50.0);
	assert_true(percent_change(2.0, 0.0) == -100.0);
	assert_true(percent_change(0.0, 0.0) == 0.0);
	assert_true(isnan(percent_change(0.0, 5.0)));
}

static void test_sheet(void **state)
{
	struct sheet sheet;
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	(void)state;
	sheet_init(&sheet, 3, 1);
	sheet_add_row(&sheet);
	sheet_put(&sheet, 0, "ä");
	sheet_put(&sheet, 1, "replaced");
	sheet_put(&sheet, 1, "1\t(x)");
	sheet_add_row(&sheet);
	sheet_put(&sheet, 0, "abc");
	sheet_put(&sheet, 1, "%d\t(%s)", 10, "long");
	sheet_add_row(&sheet);
	sheet_put(&sheet, 2, "z");
	sheet_pad(&sheet, 1);
	assert_int_equal(sheet_print(&sheet, out), 0);
	assert_int_equal(fclose(out), 0);
	assert_string_equal(text, "ä     1    (x)\n"
				  "abc  10 (long)\n"
				  "                z\n");
	free(text);
	sheet_release(&sheet);
	assert_int_equal(sheet.nr_rows, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pct),
		cmocka_unit_test(test_pct_gaps),
		cmocka_unit_test(test_avg_of_several_rows),
		cmocka_unit_test(test_avg_of_one_row),
		cmocka_unit_test(test_markdown),
		cmocka_unit_test(test_markdown_names_are_text),
		cmocka_unit_test(test_csv),
		cmocka_unit_test(test_csv_summary),
		cmocka_unit_test(test_csv_beside_harmonic),
		cmocka_unit_test(test_unjudged),
		cmocka_unit_test(test_avg_heading),
		cmocka_unit_test(test_harmonic_summary),
		cmocka_unit_test(test_mean_copied_twice),
		cmocka_unit_test(test_notes),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_sheet),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
