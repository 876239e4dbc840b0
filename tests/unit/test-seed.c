// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The tables of the mails that started this project, as summary records, must come
 * out as the mails have them: each mail.txt has the lines of one table, with blanks
 * collapsed as archives do. Percentages of mmtests tables were computed from
 * unrounded means, ours from the printed ones: each must be possible for means that
 * round to those printed.
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

#include "compare/fmt_avg.h"
#include "compare/fmt_mmtests.h"
#include "compare/fmt_pct.h"
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

static struct table *load_from(const char *dir, const char *column, double added)
{
	struct load load = { .table = table_new(), .column = column, .added = added };
	struct err err = { 0 };

	assert_non_null(load.table);
	if (ledger_read(dir, take, &load, NULL, &err) ||
	    table_finish(load.table, NULL, NULL, &err))
		fail_msg("%s", err.text);
	return load.table;
}

static struct table *load_table(const char *column, double added)
{
	return load_from(fixture, column, added);
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

static char *read_file(const char *path)
{
	static char text[16384];
	FILE *in = fopen(path, "re");
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
	assert_string_equal(text, read_file(expected_file));
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

		assert_string_not_equal(text, read_file(expected_file));
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

enum layout { PCT, AVG, AVG_TRANSPOSED };

static char *print_as(const char *dir, enum layout layout)
{
	const struct fmt_options options = { .version = "0",
					     .transposed = layout == AVG_TRANSPOSED };
	struct table *table = load_from(dir, NULL, 0.0);
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	assert_non_null(out);
	assert_int_equal(layout != PCT ? fmt_avg(out, table, &options, NULL)
				       : fmt_pct(out, table, &options, NULL),
			 0);
	assert_int_equal(fclose(out), 0);
	table_free(table);
	return text;
}

/* The next line of *@at that isn't blank, collapsed; *@at moves on. */
static bool next_line(const char **at, char *line, size_t size)
{
	size_t nr = 0;

	while (**at && !nr) {
		for (; **at && **at != '\n'; (*at)++) {
			bool is_blank = **at == ' ' || **at == '\t';

			/* "( 0.00%)" and "(0.00%)" are the same to an archive. */
			if (is_blank &&
			    (!nr || line[nr - 1] == ' ' || line[nr - 1] == '('))
				continue;
			assert_true(nr + 1 < size);
			line[nr++] = **at;
			if (is_blank)
				line[nr - 1] = ' ';
		}
		*at += **at == '\n';
		while (nr && line[nr - 1] == ' ')
			nr--;
	}
	line[nr] = '\0';
	return nr > 0;
}

typedef bool same_fn(const char *posted, const char *ours);

static bool is_same(const char *posted, const char *ours)
{
	return !strcmp(posted, ours);
}

/* Each line of the mail is the next of ours. */
static void compare_lines(const char *posted, const char *ours, same_fn *same)
{
	char theirs[256];
	char line[256];
	size_t nr = 0;

	while (next_line(&posted, theirs, sizeof(theirs))) {
		assert_true(next_line(&ours, line, sizeof(line)));
		if (!same(theirs, line))
			fail_msg("'%s' of the mail is '%s'", theirs, line);
		nr++;
	}
	assert_true(nr > 3);
}

static void test_pct(void **state)
{
	static const char *const tables[] = { "zen3-pinned", "zen3", "skylake-pinned" };
	char path[128];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		char *text;

		(void)snprintf(path, sizeof(path), "tests/fixtures/seed-003/%s",
			       tables[i]);
		text = print_as(path, PCT);
		(void)snprintf(path, sizeof(path), "tests/fixtures/seed-003/%s/mail.txt",
			       tables[i]);
		compare_lines(read_file(path), text, is_same);
		free(text);
	}
}

struct amean {
	int groups;
	double means[NR_COLUMNS], percents[NR_COLUMNS];
};

static bool read_amean(const char *line, struct amean *row)
{
	char *end;
	size_t i;

	if (strncmp(line, "Amean ", 6) != 0)
		return false;
	row->groups = (int)strtol(line + 6, &end, 10);
	for (i = 0; i < NR_COLUMNS; i++) {
		row->means[i] = strtod(end, &end);
		assert_memory_equal(end, " (", 2);
		row->percents[i] = strtod(end + 2, &end);
		assert_memory_equal(end, "%)", 2);
		end += 2;
	}
	return !*end;
}

static bool is_same_amean(const char *posted, const char *ours)
{
	struct amean theirs;
	struct amean mine;
	size_t i;

	if (!read_amean(posted, &theirs) || !read_amean(ours, &mine))
		return is_same(posted, ours);
	for (i = 0; i < NR_COLUMNS; i++) {
		if (mine.groups != theirs.groups || mine.means[i] != theirs.means[i])
			return false;
		if (!i && (mine.percents[i] != 0.0 || theirs.percents[i] != 0.0))
			return false;
		if (i && (!is_possible(mine.means[0], mine.means[i], mine.percents[i]) ||
			  !is_possible(mine.means[0], mine.means[i], theirs.percents[i])))
			return false;
	}
	return true;
}

static void test_mmtests(void **state)
{
	static const char *const dirs[] = { "tests/fixtures/seed-000/uma",
					    "tests/fixtures/seed-004" };
	char path[128];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++) {
		struct table *table = load_from(dirs[i], NULL, 0.0);
		char *text = print(table);

		(void)snprintf(path, sizeof(path), "%s/mail.txt", dirs[i]);
		compare_lines(read_file(path), text, is_same_amean);
		free(text);
		table_free(table);
	}
}

/* Word by word; numbers by value, and as near as the mail's digits say. */
static bool is_same_words(const char *posted, const char *ours)
{
	while (*posted) {
		size_t theirs_len = strcspn(posted, " ");
		size_t ours_len = strcspn(ours, " ");
		char *theirs_end;
		char *ours_end;
		double theirs = strtod(posted, &theirs_end);
		double mine = strtod(ours, &ours_end);
		const char *point =
			memchr(posted, '.', theirs_end > posted ? theirs_len : 0);
		int digits = point ? (int)(theirs_end - point) - 1 : 0;
		bool is_number = theirs_end > posted && ours_end > ours;

		if (is_number ? fabs(theirs - mine) > 0.500001 * pow(10.0, -digits)
			      : theirs_len != ours_len ||
					strncmp(posted, ours, ours_len) != 0)
			return false;
		posted += theirs_len + (posted[theirs_len] == ' ');
		ours += ours_len + (ours[ours_len] == ' ');
	}
	return true;
}

static void test_avg(void **state)
{
	char *text = print_as("tests/fixtures/seed-002/volanomark", AVG);

	(void)state;
	compare_lines(read_file("tests/fixtures/seed-002/volanomark/mail.txt"), text,
		      is_same_words);
	assert_non_null(
		strstr(text, "SD_BALANCE_WAKE enabled equals\n  its mean, 379070.5"));
	assert_null(strstr(text, "SD_BALANCE_WAKE disabled equals"));
	free(text);
	text = print_as("tests/fixtures/seed-002/sysbench", AVG);
	compare_lines(read_file("tests/fixtures/seed-002/sysbench/mail.txt"), text,
		      is_same_words);
	assert_null(strstr(text, "equals its mean"));
	free(text);
	assert_false(is_same_words("a 1.25", "a 1.26"));
	assert_false(is_same_words("a 1.25 b", "a 1.25"));
}

static void test_avg_transposed(void **state)
{
	char *text = print_as("tests/fixtures/seed-002/pipe", AVG_TRANSPOSED);

	(void)state;
	compare_lines(read_file("tests/fixtures/seed-002/pipe/mail.txt"), text, is_same);
	free(text);
	/* Sections of several rows have their columns side by side anyway. */
	text = print_as("tests/fixtures/seed-002/sysbench", AVG_TRANSPOSED);
	compare_lines(read_file("tests/fixtures/seed-002/sysbench/mail.txt"), text,
		      is_same_words);
	free(text);
	text = print_as("tests/fixtures/seed-002/tbench-q6600", AVG_TRANSPOSED);
	assert_non_null(strstr(text, "\nAvg. throughput (MB/s)                299.049"
				     "          300.018  (+0.3%)\n"));
	assert_null(strstr(text, "\nstd dev"));
	free(text);
}

/* Prose in the mails, a sentence for each of our lines: table, our line. */
static void test_avg_lines(void **state)
{
	static const struct {
		const char *dir, *line;
	} lines[] = {
		{ "tbench-ht", "SD_SHARE_PKG_RESOURCES + !SD_BALANCE_WAKE 168.166" },
		{ "tbench-ht",
		  "SD_SHARE_PKG_RESOURCES + SD_BALANCE_WAKE at mc/smt 169.564 (+0.8%)" },
		{ "tbench-ht",
		  "!SD_SHARE_PKG_RESOURCES + !SD_BALANCE_WAKE 173.151 (+3.0%)" },
		{ "tbench-noht", "SD_SHARE_PKG_RESOURCES + !SD_BALANCE_WAKE 167.977" },
		{ "tbench-noht",
		  "SD_SHARE_PKG_RESOURCES + SD_BALANCE_WAKE at mc 167.891 (-0.1%)" },
		{ "tbench-noht",
		  "!SD_SHARE_PKG_RESOURCES + !SD_BALANCE_WAKE 173.801 (+3.5%)" },
		{ "tbench-e5620", "SD_SHARE_PKG_RESOURCES 248.994" },
		{ "tbench-e5620", "!SD_SHARE_PKG_RESOURCES 379.488 (+52.4%)" },
		{ "tbench-q6600", "SD_SHARE_PKG_RESOURCES 299.049" },
		{ "tbench-q6600", "!SD_SHARE_PKG_RESOURCES 300.018 (+0.3%)" },
	};
	char line[256];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		char path[128];
		char *text;
		const char *at;
		bool found = false;

		(void)snprintf(path, sizeof(path), "tests/fixtures/seed-002/%s",
			       lines[i].dir);
		text = print_as(path, AVG);
		for (at = text; !found && next_line(&at, line, sizeof(line));)
			found = !strcmp(line, lines[i].line);
		if (!found)
			fail_msg("'%s' is not in:\n%s", lines[i].line, text);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_any_change_shows),
		cmocka_unit_test(test_percentages),
		cmocka_unit_test(test_pct),
		cmocka_unit_test(test_mmtests),
		cmocka_unit_test(test_avg),
		cmocka_unit_test(test_avg_transposed),
		cmocka_unit_test(test_avg_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
