// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The two 48-CPU hackbench tables of the mail that started this project, as
 * summary records, must come out as the mail has them. The mail's percentages
 * were computed from unrounded means, ours from the printed ones: each must be
 * possible for means that round to those printed.
 */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compare/fmt_mmtests.h"
#include "compare/table.h"
#include "compare/view.h"
#include "lib/err.h"
#include "record/ledger.h"
#include "record/record.h"

static const char fixture[] = "tests/fixtures/seed-000";
static const char expected_file[] = "tests/fixtures/seed-000/expected.txt";

enum { NR_SECTIONS = 2, NR_ROWS = 12, NR_COLUMNS = 3 };

/* As printed: groups, the means, the percentages of the two candidates. */
struct printed {
	int groups;
	double means[NR_COLUMNS];
	double percents[NR_COLUMNS];
};

static const struct printed mail[NR_SECTIONS][NR_ROWS] = {
	{
		{ 1, { 0.0717, 0.0696, 0.0730 }, { 0, 2.99, -1.79 } },
		{ 4, { 0.1244, 0.1200, 0.1190 }, { 0, 3.56, 4.36 } },
		{ 7, { 0.1891, 0.1937, 0.1831 }, { 0, -2.42, 3.17 } },
		{ 12, { 0.2964, 0.3116, 0.2784 }, { 0, -5.11, 6.07 } },
		{ 21, { 0.4011, 0.4090, 0.3574 }, { 0, -1.96, 10.90 } },
		{ 30, { 0.4944, 0.4654, 0.4171 }, { 0, 5.87, 15.63 } },
		{ 48, { 0.6113, 0.6309, 0.5331 }, { 0, -3.20, 12.78 } },
		{ 79, { 0.8616, 0.8706, 0.7710 }, { 0, -1.04, 10.51 } },
		{ 110, { 1.1304, 1.2211, 1.0163 }, { 0, -8.02, 10.10 } },
		{ 141, { 1.3754, 1.4279, 1.2803 }, { 0, -3.81, 6.92 } },
		{ 172, { 1.6217, 1.7367, 1.5363 }, { 0, -7.09, 5.27 } },
		{ 192, { 1.7809, 2.0199, 1.7129 }, { 0, -13.42, 3.82 } },
	},
	{
		{ 1, { 0.0736, 0.0794, 0.0779 }, { 0, -7.96, -5.83 } },
		{ 4, { 0.1709, 0.1690, 0.1663 }, { 0, 1.09, 2.68 } },
		{ 7, { 0.2836, 0.3080, 0.2640 }, { 0, -8.61, 6.90 } },
		{ 12, { 0.4393, 0.4843, 0.4090 }, { 0, -10.24, 6.89 } },
		{ 21, { 0.5821, 0.6369, 0.5126 }, { 0, -9.40, 11.95 } },
		{ 30, { 0.6557, 0.6459, 0.5711 }, { 0, 1.50, 12.90 } },
		{ 48, { 0.7924, 0.7760, 0.6286 }, { 0, 2.07, 20.68 } },
		{ 79, { 1.0534, 1.0551, 0.8481 }, { 0, -0.16, 19.49 } },
		{ 110, { 1.5286, 1.4504, 1.1121 }, { 0, 5.11, 27.24 } },
		{ 141, { 1.9507, 1.7790, 1.3804 }, { 0, 8.80, 29.23 } },
		{ 172, { 2.2261, 2.3330, 1.6336 }, { 0, -4.80, 26.62 } },
		{ 192, { 2.3753, 2.3307, 1.8246 }, { 0, 1.88, 23.19 } },
	},
};

/*
 * struct load - a table being read, with one value falsified on the way in
 * @column: whose, NULL: none
 * @added: to the mean of the first record of that column
 */
struct load {
	struct table *table;
	const char *column;
	double added;
};

static int take(const struct record *record, void *data, struct err *err)
{
	struct load *load = data;

	if (load->column && !strcmp(record->column, load->column)) {
		record->metrics[0].mean += load->added;
		load->column = NULL;
	}
	return table_add_record(load->table, record, err);
}

static struct table *load_table(const char *column, double added)
{
	struct load load = { .table = table_new(), .column = column, .added = added };
	struct err err = { 0 };

	assert_non_null(load.table);
	if (ledger_read(fixture, take, &load, NULL, &err) ||
	    table_finish(load.table, NULL, NULL, &err))
		fail_msg("%s", err.text);
	return load.table;
}

static char *print(const struct table *table)
{
	const struct mmtests_options options = { .layout = MMTESTS_2016, .version = "0" };
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	assert_non_null(out);
	assert_int_equal(fmt_mmtests(out, table, &options, NULL), 0);
	assert_int_equal(fclose(out), 0);
	return text;
}

static char *read_expected(void)
{
	static char text[16384];
	FILE *in = fopen(expected_file, "re");
	size_t len;

	assert_non_null(in);
	len = fread(text, 1, sizeof(text) - 1, in);
	assert_int_equal(fclose(in), 0);
	text[len] = '\0';
	return text;
}

static void test_text(void **state)
{
	struct table *table = load_table(NULL, 0.0);
	char *text = print(table);

	(void)state;
	assert_string_equal(text, read_expected());
	free(text);
	table_free(table);
}

static void test_any_change_shows(void **state)
{
	static const char *const columns[] = { "4.9.0-rc6-tip-sched",
					       "4.9.0-rc6-fix-fig-for-fork",
					       "4.9.0-rc6-fix-sig" };
	size_t i;

	(void)state;
	for (i = 0; i < NR_COLUMNS; i++) {
		struct table *table = load_table(columns[i], 0.01);
		char *text = print(table);

		assert_string_not_equal(text, read_expected());
		free(text);
		table_free(table);
	}
}

/* Whether means that are printed as these can differ by @percent, printed %.2f. */
static bool is_possible(double baseline, double candidate, double percent)
{
	const double half = 0.00005;
	double least = 100.0 - 100.0 * (candidate + half) / (baseline - half);
	double most = 100.0 - 100.0 * (candidate - half) / (baseline + half);

	return percent >= least - 0.005 && percent <= most + 0.005;
}

static void check_row(const struct table_row *row, const struct printed *printed)
{
	char label[16];
	size_t i;

	(void)snprintf(label, sizeof(label), "%d", printed->groups);
	assert_string_equal(row->point->label, label);
	for (i = 0; i < NR_COLUMNS; i++) {
		double ours = view_percent(row, i, VIEW_AMEAN);
		double theirs = printed->percents[i];

		assert_true(view_value(&row->cells[i], VIEW_AMEAN) == printed->means[i]);
		if (!i) {
			assert_true(ours == 0.0 && theirs == 0.0);
			continue;
		}
		assert_true(is_possible(printed->means[0], printed->means[i], theirs));
		assert_true(is_possible(printed->means[0], printed->means[i], ours));
		/* The check itself must be able to fail. */
		assert_false(
			is_possible(printed->means[0], printed->means[i], theirs + 0.5));
	}
}

static void test_percentages(void **state)
{
	struct table *table = load_table(NULL, 0.0);
	size_t i, j;

	(void)state;
	assert_int_equal(table->nr_sections, NR_SECTIONS);
	assert_int_equal(table->nr_columns, NR_COLUMNS);
	assert_string_equal(table->sections[0].title, "hackbench-process-pipes");
	assert_string_equal(table->sections[1].title, "hackbench-thread-pipes");
	for (i = 0; i < NR_SECTIONS; i++) {
		assert_int_equal(table->sections[i].nr_rows, NR_ROWS);
		for (j = 0; j < NR_ROWS; j++)
			check_row(&table->sections[i].rows[j], &mail[i][j]);
	}
	table_free(table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_any_change_shows),
		cmocka_unit_test(test_percentages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
