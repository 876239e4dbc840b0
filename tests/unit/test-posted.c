// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines, tokens and tables of mails. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compare/posted.h"
#include "compare/posted_line.h"
#include "compare/posted_percent.h"
#include "compare/posted_spread.h"
#include "lib/err.h"

static void read_mail(struct posted *posted, const char *text)
{
	struct err err = { 0 };

	if (posted_read(posted, text, strlen(text), "mail", &err))
		fail_msg("%s", err.text);
}

static void test_quote_marks_tabs_and_odd_blanks_go(void **state)
{
	static const char text[] = "plain\n> > \tx\r\n>>y\xc2\xa0z\n   \n";
	struct posted_lines lines;

	(void)state;
	assert_int_equal(posted_lines_read(&lines, text, strlen(text), "mail", NULL), 0);
	assert_int_equal(lines.nr_lines, 4);
	assert_int_equal(lines.lines[0].depth, 0);
	assert_int_equal(lines.lines[1].depth, 2);
	assert_string_equal(lines.lines[1].text, "        x");
	assert_string_equal(lines.lines[2].text, "y z");
	assert_true(posted_is_blank(&lines.lines[3]));
	assert_false(posted_is_blank(&lines.lines[2]));
	posted_lines_release(&lines);
}

static void test_tokens_are_words_numbers_and_percentages(void **state)
{
	static const char text[] =
		"Amean 4 0.1200 ( 3.56%) 1.5 (60.26 pct) 2 \xc2\xb1  3% "
		"-10.3% (+- 0.75%) *-4.00%* 1,327 +1.1e+103%";
	static const enum posted_kind kinds[] = {
		POSTED_WORD,   POSTED_NUMBER,  POSTED_NUMBER,  POSTED_PERCENT,
		POSTED_NUMBER, POSTED_PERCENT, POSTED_NUMBER,  POSTED_SPREAD,
		POSTED_CHANGE, POSTED_SPREAD,  POSTED_PERCENT, POSTED_NUMBER,
		POSTED_CHANGE,
	};
	struct posted_token tokens[POSTED_TOKENS_MAX];
	struct posted_lines lines;
	size_t i;

	(void)state;
	assert_int_equal(posted_lines_read(&lines, text, strlen(text), "mail", NULL), 0);
	assert_int_equal(posted_tokens(&lines, 0, tokens),
			 sizeof(kinds) / sizeof(kinds[0]));
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		assert_int_equal(tokens[i].kind, kinds[i]);
	assert_int_equal(tokens[2].digits, 4);
	assert_int_equal(tokens[2].line, 1);
	assert_int_equal(tokens[2].column, 8);
	assert_true(tokens[5].is_pct);
	assert_true(tokens[10].value < -3.99 && tokens[10].value > -4.01);
	assert_true(tokens[11].has_comma);
	posted_lines_release(&lines);
}

static void test_mmtests_table_has_title_columns_and_ops(void **state)
{
	struct posted posted;
	const struct posted_table *table;

	(void)state;
	read_mail(&posted, "hackbench-thread-pipes\n"
			   "                 6.1-rc1      6.1-rc1\n"
			   "                    base         wake\n"
			   "Amean    time-4   1.0000 (   0.00%)   0.9000 *  10.00%*\n"
			   "Stddev   time-4   0.0100 (   0.00%)   0.0200 (-100.00%)\n");
	assert_int_equal(posted.nr_tables, 1);
	table = &posted.tables[0];
	assert_int_equal(table->layout, POSTED_MMTESTS);
	assert_string_equal(table->workload, "hackbench");
	assert_string_equal(table->variant, "hackbench-thread-pipes");
	assert_string_equal(table->columns[1], "6.1-rc1-wake");
	assert_int_equal(table->nr_rows, 2);
	assert_string_equal(table->rows[0].op, "time-4");
	assert_true(posted_has(&table->rows[0].cells[1].percent));
	assert_false(posted_has(&table->rows[0].cells[1].stddev));
	assert_true(fabs(posted_stddev(table, &table->rows[0], 1) - 0.02) < 1e-12);
	assert_true(posted_is_gain(table, &table->rows[0]));
	posted_release(&posted);
}

static void test_copy_of_a_reply_is_marked(void **state)
{
	struct posted posted;

	(void)state;
	read_mail(&posted, "t\na b\nAmean 1 1.00 ( 0.00%) 2.00 (-100.00%)\n\nOn Monday:\n"
			   "> t\n> a b\n> Amean 1 1.00 ( 0.00%) 2.00 (-100.00%)\n");
	assert_int_equal(posted.nr_tables, 2);
	assert_false(posted.tables[0].is_copy);
	assert_true(posted.tables[1].is_copy);
	posted_release(&posted);
}

static void test_equal_names_stay_two_columns(void **state)
{
	struct posted posted;

	(void)state;
	read_mail(&posted, "t\nnew new\nAmean 1 1.00 ( 0.00%) 2.00 (-100.00%)\n\ntext\n\n"
			   "Amean 2 1.00 ( 0.00%) 3.00 (-200.00%)\n");
	assert_string_equal(posted.tables[0].columns[0], "new");
	assert_string_equal(posted.tables[0].columns[1], "new (2)");
	assert_string_equal(posted.tables[1].columns[1], "column 2");
	posted_release(&posted);
}

static void test_bl_117_decimal_comma_is_refused(void **state)
{
	static const char text[] = "a b\n\n 4 1,327 (+/- 2 %) 1,247 (+/- 3 %)\n";
	struct err err = { 0 };
	struct posted posted;

	(void)state;
	assert_int_equal(posted_read(&posted, text, strlen(text), "mail", &err), -EPROTO);
	assert_string_equal(err.text, "mail:3:4: '1,327' has a comma (expected a decimal "
				      "point)");
	posted_release(&posted);
}

/* 97699.28 to 156578.91 is 60.266%. */
static void test_percentage_is_rounded_cut_or_neither(void **state)
{
	struct posted posted;
	const struct posted_table *table;
	struct posted_range range;
	struct posted_token percent = { .kind = POSTED_PERCENT, .digits = 2 };

	(void)state;
	read_mail(&posted, "a b\nCopy: 97699.28 (0.00 pct) 156578.91 (60.26 pct)\n");
	table = &posted.tables[0];
	range = posted_change_range(table, &table->rows[0], 1);
	assert_true(range.low < 60.2663 && range.high > 60.2661);
	assert_true(posted_negated(range).low < -60.266);
	assert_int_equal(posted_match(&table->rows[0].cells[1].percent, range),
			 MATCH_CUT);
	percent.value = 60.27;
	assert_int_equal(posted_match(&percent, range), MATCH_ROUNDED);
	percent.value = 60.28;
	assert_int_equal(posted_match(&percent, range), MATCH_NOT);
	assert_false(posted_is_gain(table, &table->rows[0]));
	range = posted_value_range(table, &table->rows[0].cells[0].value);
	assert_true(range.low < 97699.28 && range.high > 97699.28);
	posted_release(&posted);
}

static void test_statistics_of_mmtests_are_known(void **state)
{
	(void)state;
	assert_true(posted_is_statistic("Amean"));
	assert_true(posted_is_statistic("BAmean.95"));
	assert_false(posted_is_statistic("Copy"));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quote_marks_tabs_and_odd_blanks_go),
		cmocka_unit_test(test_tokens_are_words_numbers_and_percentages),
		cmocka_unit_test(test_mmtests_table_has_title_columns_and_ops),
		cmocka_unit_test(test_copy_of_a_reply_is_marked),
		cmocka_unit_test(test_equal_names_stay_two_columns),
		cmocka_unit_test(test_bl_117_decimal_comma_is_refused),
		cmocka_unit_test(test_percentage_is_rounded_cut_or_neither),
		cmocka_unit_test(test_statistics_of_mmtests_are_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
