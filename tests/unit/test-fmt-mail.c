// SPDX-License-Identifier: GPL-2.0-or-later
/* Mails: headers, narrow tables, lines that programs would take for something else. */
#include "tests/unit/compare-records.h"

#include <stdlib.h>

#include "compare/fmt_mail.h"
#include "compare/gain.h"
#include "compare/judge.h"
#include "compare/setup.h"

static char *mail_of(struct table *table, const struct setup *setup)
{
	const struct fmt_options options = { .version = "0" };
	struct judgement *judgement = NULL;
	struct err err = { 0 };
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	assert_non_null(out);
	if (table_finish(table, NULL, NULL, &err))
		fail_msg("%s", err.text);
	assert_int_equal(judge_table(table, &rule_default, &judgement, NULL), 0);
	table->judgement = judgement;
	assert_int_equal(fmt_mail(out, table, setup, &options, NULL), 0);
	assert_int_equal(fclose(out), 0);
	judgement_free(judgement);
	table_free(table);
	return text;
}

static void assert_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is not in:\n%s", part, text);
}

static void assert_narrow(const char *text)
{
	const char *line;

	for (line = text; *line; line += strcspn(line, "\n") + 1) {
		size_t len = strcspn(line, "\n");

		if (len > 78 || (len && line[len - 1] == ' '))
			fail_msg("%zu bytes: '%.*s'", len, (int)len, line);
	}
}

/* Six iterations of each column, those of the second half as slow. */
static struct table *two_columns(const char *base, const char *other)
{
	struct table *table = table_new();
	unsigned int i;

	for (i = 1; i <= 6; i++) {
		add(table, .column = base, .iteration = i, .has_blocks = true,
		    .point = "{\"groups\":4}", .value = 1.0 + 0.001 * i);
		add(table, .column = other, .iteration = i, .has_blocks = true,
		    .point = "{\"groups\":4}", .value = 1.5 + 0.001 * i);
	}
	return table;
}

static void test_fmt_mail(void **state)
{
	char *values[] = { (char[]){ "1" }, (char[]){ "0" } };
	struct setup_fact fact = { (char[]){ "smt" }, values, true };
	struct setup_grid grid = { (char[]){ "nightly" }, (char[]){ "seed 42" } };
	const struct setup setup = { .facts = &fact,
				     .nr_facts = 1,
				     .nr_columns = 2,
				     .grids = &grid,
				     .nr_grids = 1 };
	char *text = mail_of(two_columns("base", "wake"), &setup);

	(void)state;
	assert_has(text, "Subject: schedgrid: nightly: worse (1 worse of 1 row)\n"
			 "MIME-Version: 1.0\n"
			 "Content-Type: text/plain; charset=UTF-8\n"
			 "Content-Transfer-Encoding: 8bit\n"
			 "\n"
			 "grid nightly: seed 42\n");
	assert_ptr_equal(strstr(text, "Subject"), text);
	assert_has(text, "\ndiffers: smt: base: 1; wake: 0\n");
	assert_has(text, "\nhackbench-process-pipes\n"
			 "                           base                 wake\n"
			 "Amean    4    1.0035 (   0.00%)    1.5035 * -49.83%*\n"
			 "Stddev   4    0.0019 (   0.00%)    0.0019 (   0.00%)\n");
	assert_has(text,
		   "\nworse: hackbench-process-pipes time groups=4, wake against base: "
		   "-49.83%\n  [");
	assert_has(text, "\nschedgrid 0\n");
	assert_narrow(text);
	free(text);
}

static void test_fmt_mail_is_narrow_with_many_columns(void **state)
{
	static const struct setup setup;
	struct table *table = table_new();
	char name[64];
	unsigned int i;
	char *text;

	(void)state;
	for (i = 0; i < 24; i++) {
		(void)snprintf(name, sizeof(name), "column-with-a-long-name-%02u ü",
			       i / 2);
		add(table, .column = name, .iteration = i % 2 + 1, .value = 1e14 + i);
	}
	text = mail_of(table, &setup);
	assert_narrow(text);
	/* Each of them is there, and the baseline in every table. */
	assert_has(text, "100000000000022.5000");
	assert_has(text, "column-with-a-long-name-11");
	assert_null(strstr(text, "n/a"));
	free(text);
}

static void test_fmt_mail_breaks_long_names_between_characters(void **state)
{
	static const struct setup setup;
	char name[601];
	unsigned int i;
	char *text;

	(void)state;
	for (i = 0; i < 600; i += 2)
		memcpy(name + i, "ü", 3);
	text = mail_of(two_columns("base", name), &setup);
	assert_narrow(text);
	for (i = 0; text[i]; i++) {
		if (text[i] == '\n' && ((unsigned char)text[i + 1] & 0xc0) == 0x80)
			fail_msg("a character is in two lines");
	}
	free(text);
}

static void test_fmt_mail_hides_lines_of_other_meaning(void **state)
{
	static const char *const names[] = { "From nobody", "--- a/kernel",
					     "diff --git a b", "-- >8 --" };
	static const struct setup setup;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct table *table = table_new();
		char start[64];
		char *text;

		add(table, .variant = names[i], .value = 1.0);
		text = mail_of(table, &setup);
		(void)snprintf(start, sizeof(start), "\n%s", names[i]);
		assert_null(strstr(text, start));
		(void)snprintf(start, sizeof(start), "\n %s", names[i]);
		assert_has(text, start);
		free(text);
	}
}

static void test_fmt_mail_has_a_subject_of_one_line_in_ascii(void **state)
{
	struct setup_grid grid = { (char[]){ "a\nBcc: all ü" }, (char[]){ "" } };
	const struct setup setup = { .nr_columns = 2, .grids = &grid, .nr_grids = 1 };
	char *text = mail_of(two_columns("base", "wake"), &setup);

	(void)state;
	assert_has(text,
		   "Subject: schedgrid: a?Bcc: all ??: worse (1 worse of 1 row)\nMIME");
	assert_null(strstr(text, "\nBcc"));
	free(text);
}

static void test_gain_of(void **state)
{
	struct comparison comparison = { 0 };
	struct gain gain;

	(void)state;
	comparison.effect.ratio = 0.5;
	comparison.effect.ci95[0] = 0.25;
	comparison.effect.ci95[1] = 0.75;
	gain = gain_of(&comparison, true);
	assert_true(gain.percent == -50.0 && gain.low == -75.0 && gain.high == -25.0);
	gain = gain_of(&comparison, false);
	assert_true(gain.percent == 50.0 && gain.low == 25.0 && gain.high == 75.0);
	comparison.effect.ratio = (double)NAN;
	comparison.effect.ci95[1] = (double)INFINITY;
	gain = gain_of(&comparison, false);
	assert_true(isnan(gain.percent) && isnan(gain.low) && isnan(gain.high));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fmt_mail),
		cmocka_unit_test(test_fmt_mail_is_narrow_with_many_columns),
		cmocka_unit_test(test_fmt_mail_breaks_long_names_between_characters),
		cmocka_unit_test(test_fmt_mail_hides_lines_of_other_meaning),
		cmocka_unit_test(test_fmt_mail_has_a_subject_of_one_line_in_ascii),
		cmocka_unit_test(test_gain_of),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
