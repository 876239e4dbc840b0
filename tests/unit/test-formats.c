// SPDX-License-Identifier: GPL-2.0-or-later
/* The text of the mmtests layouts and of JSON, down to the blanks. */
#include "tests/unit/compare-records.h"

#include <stdlib.h>

#include "compare/fmt_json.h"
#include "compare/fmt_mmtests.h"
#include "compare/footer.h"
#include "compare/view.h"
#include "lib/text.h"

static char *print(struct table *table, enum mmtests_layout layout, bool all)
{
	const struct mmtests_options options = { .layout = layout, .all = all };
	struct err err = { 0 };
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	assert_non_null(out);
	if (!table->sections[0].rows && table_finish(table, NULL, NULL, &err))
		fail_msg("%s", err.text);
	assert_int_equal(fmt_mmtests(out, table, &options, NULL), 0);
	assert_int_equal(fclose(out), 0);
	return text;
}

/* What comes before the footer's first line, which begins with a statistic. */
static void cut_footer(char *text)
{
	char *at = strstr(text, "\n\n");

	if (at)
		at[1] = '\0';
}

static void assert_text(struct table *table, enum mmtests_layout layout,
			const char *expected)
{
	char *text = print(table, layout, false);

	cut_footer(text);
	assert_string_equal(text, expected);
	free(text);
	table_free(table);
}

static void assert_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is not in:\n%s", part, text);
}

static void assert_has_not(const char *text, const char *part)
{
	if (strstr(text, part))
		fail_msg("'%s' is in:\n%s", part, text);
}

static void add_series(struct table *table, struct spec spec, const double *x, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		spec.iteration = (unsigned int)i + 1;
		spec.value = x[i];
		assert_int_equal(add_spec(table, &spec), 0);
	}
}

#define series(table, x, ...) \
	add_series((table), (struct spec){ __VA_ARGS__ }, (x), sizeof(x) / sizeof(*(x)))

static const double one[] = { 2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0 };
static const double two[] = { 1.0, 3.0, 3.0, 3.0, 4.0, 4.0, 6.0, 8.0 };

static struct table *times(void)
{
	struct table *table = table_new();

	series(table, one, .column = "base", .point = "{\"groups\":1}");
	series(table, two, .column = "wake", .point = "{\"groups\":1}");
	series(table, two, .column = "base", .point = "{\"groups\":12}");
	series(table, one, .column = "wake", .point = "{\"groups\":12}");
	return table;
}

static void test_2016_times(void **state)
{
	/* -100.00 is wider than the layout's six characters. */
	static const char expected[] =
		"hackbench-process-pipes\n"
		"                              base                   wake\n"
		"Min      1       2.0000 (   0.00%)      1.0000 (  50.00%)\n"
		"Min      12      1.0000 (   0.00%)      2.0000 (-100.00%)\n"
		"Amean    1       5.0000 (   0.00%)      4.0000 (  20.00%)\n"
		"Amean    12      4.0000 (   0.00%)      5.0000 ( -25.00%)\n"
		"Stddev   1       2.0000 (   0.00%)      2.0000 (   0.00%)\n"
		"Stddev   12      2.0000 (   0.00%)      2.0000 (   0.00%)\n"
		"CoeffVar 1      40.0000 (   0.00%)     50.0000 ( -25.00%)\n"
		"CoeffVar 12     50.0000 (   0.00%)     40.0000 (  20.00%)\n"
		"Max      1       9.0000 (   0.00%)      8.0000 (  11.11%)\n"
		"Max      12      8.0000 (   0.00%)      9.0000 ( -12.50%)\n";

	(void)state;
	assert_text(times(), MMTESTS_2016, expected);
}

static void test_today_times(void **state)
{
	static const char expected[] =
		"hackbench-process-pipes\n"
		"                                          base                         wake\n"
		"Min       time-1             2.0000 (   0.00%)            1.0000 (  50.00%)\n"
		"Min       time-12            1.0000 (   0.00%)            2.0000 (-100.00%)\n"
		"Amean     time-1             5.0000 (   0.00%)            4.0000 (  20.00%)\n"
		"Amean     time-12            4.0000 (   0.00%)            5.0000 ( -25.00%)\n"
		"Stddev    time-1             2.1381 (   0.00%)            2.1381 (   0.00%)\n"
		"Stddev    time-12            2.1381 (   0.00%)            2.1381 (   0.00%)\n"
		"CoeffVar  time-1            42.7618 (   0.00%)           53.4522 ( -25.00%)\n"
		"CoeffVar  time-12           53.4522 (   0.00%)           42.7618 (  20.00%)\n"
		"Max       time-1             9.0000 (   0.00%)            8.0000 (  11.11%)\n"
		"Max       time-12            8.0000 (   0.00%)            9.0000 ( -12.50%)\n"
		"BAmean.95 time-1             4.4286 (   0.00%)            3.4286 (  22.58%)\n"
		"BAmean.95 time-12            3.4286 (   0.00%)            4.4286 ( -29.17%)\n";

	(void)state;
	assert_text(times(), MMTESTS_TODAY, expected);
}

static struct table *rates(void)
{
	static const double slow[] = { 1000.0, 2000.0, 4000.0 };
	static const double fast[] = { 1500.0, 3000.0, 6000.0 };
	static const double zero[] = { 0.0, 0.0, 0.0 };
	static const char *const columns[] = { "v5.10-rc10-base", "v5.10-rc10-ä" };
	struct table *table = table_new();
	size_t i;

	for (i = 0; i < 2; i++) {
		struct spec spec = { .column = columns[i],
				     .variant = "stream",
				     .point = "{\"threads\":8}",
				     .metric = "copy",
				     .unit = "MB/s",
				     .higher = true };

		add_series(table, spec, i ? fast : slow, 3);
		spec.metric = "add";
		add_series(table, spec, i ? fast : slow, 3);
		spec.higher = false;
		spec.unit = "count";
		spec.metric = "faults";
		add_series(table, spec, zero, 3);
		spec.metric = "retries";
		spec.secondary = true;
		add_series(table, spec, slow, 3);
	}
	return table;
}

static void test_2016_rates(void **state)
{
	static const char expected[] =
		"stream\n"
		"                           v5.10-rc10            v5.10-rc10\n"
		"                                 base                     ä\n"
		"Min      copy-8     1000.00 (  0.00%)     1500.00 ( 50.00%)\n"
		"Min      add-8      1000.00 (  0.00%)     1500.00 ( 50.00%)\n"
		"Hmean    copy-8     1714.29 (  0.00%)     2571.43 ( 50.00%)\n"
		"Hmean    add-8      1714.29 (  0.00%)     2571.43 ( 50.00%)\n"
		"Stddev   copy-8     1247.22 (  0.00%)     1870.83 (-50.00%)\n"
		"Stddev   add-8      1247.22 (  0.00%)     1870.83 (-50.00%)\n"
		"CoeffVar copy-8       53.45 (  0.00%)       53.45 (  0.00%)\n"
		"CoeffVar add-8        53.45 (  0.00%)       53.45 (  0.00%)\n"
		"Max      copy-8     4000.00 (  0.00%)     6000.00 ( 50.00%)\n"
		"Max      add-8      4000.00 (  0.00%)     6000.00 ( 50.00%)\n"
		"note: 1 row is 0 in every column and left out (--all shows them)\n";

	(void)state;
	assert_text(rates(), MMTESTS_2016, expected);
}

static void test_today_rates(void **state)
{
	static const char expected[] =
		"stream\n"
		"                                   v5.10-rc10                   v5.10-rc10\n"
		"                                         base                            ä\n"
		"Min       copy-8           1000.00 (   0.00%)           1500.00 (  50.00%)\n"
		"Min       add-8            1000.00 (   0.00%)           1500.00 (  50.00%)\n"
		"Hmean     copy-8           1714.29 (   0.00%)           2571.43 (  50.00%)\n"
		"Hmean     add-8            1714.29 (   0.00%)           2571.43 (  50.00%)\n"
		"HStddev   copy-8            916.32 (   0.00%)           1374.49 ( -50.00%)\n"
		"HStddev   add-8             916.32 (   0.00%)           1374.49 ( -50.00%)\n"
		"HCoeffVar copy-8             53.45 (   0.00%)             53.45 (   0.00%)\n"
		"HCoeffVar add-8              53.45 (   0.00%)             53.45 (   0.00%)\n"
		"Max       copy-8           4000.00 (   0.00%)           6000.00 (  50.00%)\n"
		"Max       add-8            4000.00 (   0.00%)           6000.00 (  50.00%)\n"
		"BHmean.95 copy-8           2666.67 (   0.00%)           4000.00 (  50.00%)\n"
		"BHmean.95 add-8            2666.67 (   0.00%)           4000.00 (  50.00%)\n"
		"note: 1 row is 0 in every column and left out (--all shows them)\n";

	(void)state;
	assert_text(rates(), MMTESTS_TODAY, expected);
}

static void test_all(void **state)
{
	struct table *table = rates();
	char *text = print(table, MMTESTS_2016, true);

	(void)state;
	assert_has(text, "Amean    faults-8 ");
	assert_has(text, "Amean    retries-8 ");
	assert_has(text, "   0.00 (  0.00%)");
	assert_has_not(text, "left out");
	free(text);
	table_free(table);
}

/* Below both views, what isn't a primary metric counts as well where it is shown. */
static void test_all_in_footer(void **state)
{
	static const bool views[] = { false, true };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(views) / sizeof(*views); i++) {
		const struct mmtests_options options = { .layout = MMTESTS_TODAY,
							 .all = true,
							 .ratio = views[i] };
		struct table *table = table_new();
		char *text = NULL;
		size_t len = 0;
		FILE *out = open_memstream(&text, &len);

		add(table, .iteration = 1, .value = 1.0);
		add(table, .iteration = 1, .metric = "latency", .unit = "us",
		    .secondary = true, .value = 2.0);
		add(table, .iteration = 2, .metric = "latency", .unit = "us",
		    .secondary = true, .value = 3.0);
		assert_int_equal(table_finish(table, NULL, NULL, NULL), 0);
		assert_int_equal(fmt_mmtests(out, table, &options, NULL), 0);
		assert_int_equal(fclose(out), 0);
		assert_has(text, "time in s, latency in us");
		assert_has(text, "each column: n 1..2");
		free(text);
		table_free(table);
	}
}

static struct table *gaps(void)
{
	static const double five[] = { 0.1, 0.2, 0.3, 0.4, 0.5 };
	struct table *table = table_new();
	unsigned int i;

	series(table, five, .point = "{\"groups\":4}");
	for (i = 1; i <= 7; i++) {
		add(table, .column = "wake", .point = "{\"groups\":4}", .iteration = i,
		    .status = RECORD_FAILED);
		if (i > 5)
			add(table, .point = "{\"groups\":4}", .iteration = i,
			    .status = RECORD_FAILED);
	}
	add(table, .column = "one", .point = "{\"groups\":4}", .value = 0.3);
	add(table, .column = "skip", .point = "{\"groups\":4}", .status = RECORD_SKIPPED,
	    .reason = "no second node");
	add(table, .point = "{\"groups\":1}", .value = 0.3);
	return table;
}

static void test_gaps(void **state)
{
	static const char expected[] =
		"hackbench-process-pipes\n"
		"                             base                   wake                    one                   skip\n"
		"Min      1      0.3000 (   0.00%)         n/a (    n/a )         n/a (    n/a )         n/a (    n/a )\n"
		"Min      4      0.1000 (   0.00%)         n/a (    n/a )      0.3000 (-200.00%)         n/a (    n/a )\n"
		"Amean    1      0.3000 (   0.00%)         n/a (    n/a )         n/a (    n/a )         n/a (    n/a )\n"
		"Amean    4      0.3000 (   0.00%)         n/a (    n/a )      0.3000 (   0.00%)         n/a (    n/a )\n"
		"Stddev   1         n/a (    n/a )         n/a (    n/a )         n/a (    n/a )         n/a (    n/a )\n"
		"Stddev   4      0.1414 (   0.00%)         n/a (    n/a )         n/a (    n/a )         n/a (    n/a )\n"
		"CoeffVar 1         n/a (    n/a )         n/a (    n/a )         n/a (    n/a )         n/a (    n/a )\n"
		"CoeffVar 4     47.1405 (   0.00%)         n/a (    n/a )         n/a (    n/a )         n/a (    n/a )\n"
		"Max      1      0.3000 (   0.00%)         n/a (    n/a )         n/a (    n/a )         n/a (    n/a )\n"
		"Max      4      0.5000 (   0.00%)         n/a (    n/a )      0.3000 (  40.00%)         n/a (    n/a )\n"
		"Samples  1           1                    n/a                    n/a                    n/a\n"
		"Samples  4         5/7                    0/7                      1                skipped\n"
		"note: column skip was skipped at 4: no second node\n";

	(void)state;
	assert_text(gaps(), MMTESTS_2016, expected);
}

static struct table *wide(void)
{
	static const double small[] = { 0.01, 0.01 };
	static const double large[] = { 25.0, 27.0 };
	static const double huge[] = { 1.298e9, 1.298e9 };
	struct table *table = table_new();

	series(table, small, .column = "aaaaaaaaaaaaaaaaaaaaaaaa");
	series(table, large, .column = "bbbbbbbbbbbbbbbbbbbbbbbb");
	series(table, huge, .column = "c\x1b[31m");
	return table;
}

/* Every column ends at the same place in every line, one blank between at least. */
static void assert_aligned(const char *text, size_t nr_columns)
{
	size_t ends[8] = { 0 };
	const char *line = strchr(text, '\n') + 1;
	const char *at;
	size_t nr;

	for (; *line && *line != '\n'; line = strchr(line, '\n') + 1) {
		if (strncmp(line, "note:", 5) == 0 || *line == ' ')
			continue;
		nr = 0;
		for (at = line; *at != '\n'; at++) {
			size_t place = (size_t)(at - line);

			if (*at != ')')
				continue;
			assert_true(nr < nr_columns);
			assert_true(!ends[nr] || ends[nr] == place);
			assert_true(at[1] == ' ' || at[1] == '\n');
			ends[nr++] = place;
		}
		assert_true(nr == 0 || nr == nr_columns);
	}
	assert_true(ends[nr_columns - 1] > 0);
}

static void test_BL_111_wide(void **state)
{
	struct table *table = wide();
	char *text = print(table, MMTESTS_2016, false);

	(void)state;
	assert_aligned(text, 3);
	assert_has(text, " bbbbbbbbbbbbbbbbbbbbbbbb ");
	assert_has(text, " c\\x1b[31m\n");
	assert_has(text, "-259900.00%");
	assert_has_not(text, "\x1b");
	free(text);
	text = print(table, MMTESTS_TODAY, false);
	assert_aligned(text, 3);
	free(text);
	table_free(table);
}

static void assert_short_lines(const char *text)
{
	char *line;
	char *copy = strdup(text);
	char *at = copy;

	while ((line = strsep(&at, "\n"))) {
		if (text_width(line) > 78)
			fail_msg("too long: %s", line);
	}
	free(copy);
}

static void test_long_names(void **state)
{
	struct table *table = table_new();
	char name[301];
	char *text;
	char *footer;

	(void)state;
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	add(table, .column = name, .value = 1.0, .iteration = 1);
	add(table, .column = name, .value = 1.0, .iteration = 2);
	add(table, .column = "short", .value = 1.0);
	text = print(table, MMTESTS_TODAY, false);
	assert_aligned(text, 2);
	assert_has(text, " xxxxxxxxxxxxxxxxxxxxxxxx...xxxxxxxxxxxxxxxxxxxxxxx ");
	footer = strstr(text, "\n\n");
	assert_non_null(footer);
	assert_short_lines(footer);
	assert_has(footer, "short: n 1");
	free(text);
	table_free(table);
}

static void test_shortened_heading(void **state)
{
	/* 50 characters, in 51 bytes, and one more. */
	static const char fits[] = "\xc3\xa4"
				   "234567890123456789012345678901234567890123456789z";
	static const char longer[] = "12345678901234567890123\xc3\xa4"
				     "56789012345678901234567890 and all that is more";
	struct table_column column = { .name = fits };
	bool is_short = true;
	char *above;
	char *name;

	(void)state;
	assert_int_equal(view_heading(&column, &above, &name), 0);
	assert_string_equal(name, fits);
	assert_int_equal(view_is_shortened(&column, &is_short), 0);
	assert_false(is_short);
	free(above);
	free(name);
	column.name = longer;
	assert_int_equal(view_heading(&column, &above, &name), 0);
	assert_int_equal(text_width(name), VIEW_NAME_WIDTH);
	assert_int_equal(strncmp(name, "12345678901234567890123\xc3\xa4...", 28), 0);
	assert_int_equal(view_is_shortened(&column, &is_short), 0);
	assert_true(is_short);
	free(above);
	free(name);
}

static void assert_heading(const char *name, const char *kernel, const char *above,
			   const char *below)
{
	char *copy = kernel ? strdup(kernel) : NULL;
	struct table_column column = { .name = name, .kernel = copy };
	char *first;
	char *second;

	assert_int_equal(view_heading(&column, &first, &second), 0);
	assert_string_equal(first, above);
	assert_string_equal(second, below);
	free(first);
	free(second);
	free(copy);
}

static void test_headings(void **state)
{
	(void)state;
	assert_heading("4.9.0-rc6-tip-sched", NULL, "4.9.0-rc6", "tip-sched");
	assert_heading("v6.1-rc10-foo", NULL, "v6.1-rc10", "foo");
	assert_heading("6.1-rc-foo", NULL, "6.1", "rc-foo");
	assert_heading("6.1.0-18-amd64", NULL, "6.1.0", "18-amd64");
	assert_heading("4.9.0-rc6", NULL, "", "4.9.0-rc6");
	assert_heading("5.10", NULL, "", "5.10");
	assert_heading("5.10-", NULL, "", "5.10-");
	assert_heading("base", NULL, "", "base");
	assert_heading("tip-sched", NULL, "", "tip-sched");
	assert_heading("2-way", NULL, "", "2-way");
	assert_heading("v-6.1-x", NULL, "", "v-6.1-x");
	assert_heading("wake", "6.1.192", "6.1.192", "wake");
	assert_heading("6.1.192-wake", "6.1.192", "6.1.192", "wake");
	assert_heading("6.1.192", "6.1.192", "", "6.1.192");
	assert_heading("4.9.0-rc60", "4.9.0-rc6", "4.9.0-rc6", "4.9.0-rc60");
	assert_heading("a\nb", "6\t1", "6\\x091", "a\\x0ab");
}

static void test_partial_heading(void **state)
{
	struct table *table = table_new();
	char *text;

	(void)state;
	add(table, .column = "base", .value = 1.0);
	add(table, .column = "6.1-wake", .value = 1.0);
	add(table, .column = "last", .value = 1.0);
	text = print(table, MMTESTS_2016, false);
	assert_has(text, "pipes\n"
			 "                                                      6.1\n"
			 "                               base                  wake"
			 "                  last\n");
	free(text);
	table_free(table);
}

static void test_counts_that_differ(void **state)
{
	struct table *table = times();
	char *text;

	(void)state;
	add(table, .column = "wake", .point = "{\"groups\":12}", .iteration = 9,
	    .value = (double)NAN);
	text = print(table, MMTESTS_2016, false);
	assert_has(text, "Samples  12           8                    8/9\n");
	assert_has(text, "Samples  1            8                      8\n");
	assert_has(text, "Amean    12      4.0000 (   0.00%)      5.0000 ( -25.00%)\n");
	assert_has_not(text, "nan");
	free(text);
	table_free(table);
}

static void test_BL_085_all_the_same(void **state)
{
	struct table *table = table_new();
	char *text;
	unsigned int i;

	(void)state;
	for (i = 1; i <= 3; i++) {
		add(table, .iteration = i, .point = "{\"groups\":1}", .value = 1.0);
		add(table, .iteration = i, .point = "{\"groups\":4}", .value = 1.0);
		add(table, .column = "wake", .iteration = i, .point = "{\"groups\":1}",
		    .value = 1.0);
		add(table, .column = "wake", .iteration = i, .point = "{\"groups\":4}",
		    .value = 1.0 + i);
	}
	text = print(table, MMTESTS_2016, false);
	assert_has(text, "note: every sample of time in column base is 1 s, at 2 ");
	assert_has_not(text, "in column wake");
	free(text);
	table_free(table);
}

/* A zero row is left out also where an iteration failed, which others show. */
static void test_BL_125_zero_rows(void **state)
{
	struct table *table = table_new();
	char *text;

	(void)state;
	add(table, .metric = "faults", .unit = "count", .value = 0.0);
	add(table, .column = "wake", .metric = "faults", .unit = "count", .value = 0.0);
	add(table, .iteration = 2, .value = 1.0);
	add(table, .column = "wake", .iteration = 2, .value = 1.0);
	add(table, .column = "wake", .boot = "b2", .status = RECORD_FAILED);
	text = print(table, MMTESTS_2016, false);
	assert_has_not(text, "faults");
	assert_has(text, "1/2");
	assert_has(text, "note: 1 row is 0 in every column");
	free(text);
	table_free(table);
}

static void test_zero_row_alone_shows_failures(void **state)
{
	struct table *table = table_new();
	char *text;

	(void)state;
	add(table, .metric = "faults", .unit = "count", .value = 0.0);
	add(table, .boot = "b2", .status = RECORD_FAILED);
	text = print(table, MMTESTS_2016, false);
	assert_has(text, "1/2");
	free(text);
	table_free(table);
}

static void test_BL_057_zero_baseline(void **state)
{
	struct table *table = table_new();
	char *text;

	(void)state;
	add(table, .column = "a", .value = 0.0);
	add(table, .column = "b", .value = 5.0);
	text = print(table, MMTESTS_2016, false);
	assert_has(text, " 0.0000 (  0.00%)      5.0000 (   n/a )\n");
	free(text);
	table_free(table);
}

static void test_summary(void **state)
{
	struct table *table = table_new();
	char *text;

	(void)state;
	add(table, .variant = "stream", .metric = "copy", .unit = "MB/s", .higher = true,
	    .is_summary = true, .value = 97699.284, .digits = 3, .n = 10,
	    .stddev = 100.0);
	add(table, .variant = "stream", .column = "patch", .metric = "copy",
	    .unit = "MB/s", .higher = true, .is_summary = true, .value = 156578.91,
	    .digits = 2, .n = 10);
	text = print(table, MMTESTS_2016, false);
	assert_has(text, "Amean    copy   97699.284 (  0.00%)  156578.910 ( 60.27%)\n");
	assert_has(text, "Stddev   copy     100.000 (  0.00%)         n/a (   n/a )\n");
	assert_has_not(text, "Hmean");
	assert_has_not(text, "Min");
	assert_has_not(text, "Samples");
	assert_has(text, "published tables");
	assert_has(text, "each column: n 10\n");
	free(text);
	table_free(table);
}

static void test_footer(void **state)
{
	static const char *const facts[] = { "order interleaved, seed 42", NULL };
	const struct mmtests_options options = { .layout = MMTESTS_TODAY,
						 .version = "0.1.0",
						 .facts = facts };
	struct table *table = table_new();
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	(void)state;
	add(table, .boot = "b1", .value = 1.0, .machine = "m1");
	add(table, .boot = "b2", .value = 1.5, .machine = "m1");
	add(table, .column = "wake", .boot = "b3", .value = 1.0,
	    .flags = RECORD_EMULATED);
	add_host(table, "b1", "{\"kernel\":{\"release\":\"6.1.192\"}}");
	assert_int_equal(table_finish(table, NULL, NULL, NULL), 0);
	assert_int_equal(fmt_mmtests(out, table, &options, NULL), 0);
	assert_int_equal(fclose(out), 0);
	assert_has(text, "divisor n-1");
	assert_has(text, "positive");
	assert_has(text, "\nbase: n 2, boots 2, kernel 6.1.192, machine m1\n");
	assert_has(text, "\nwake: n 1, boots 1, machine not known, flags emulated\n");
	assert_has(text, "\norder interleaved, seed 42\nschedgrid 0.1.0\n");
	assert_short_lines(strstr(text, "\n\n"));
	free(text);
	table_free(table);
}

static void test_footer_line(void **state)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);
	char word[99 + 1];

	(void)state;
	memset(word, 'w', sizeof(word) - 1);
	word[sizeof(word) - 1] = '\0';
	assert_int_equal(footer_line(out, "a b"), 0);
	assert_int_equal(footer_line(out, ""), 0);
	assert_int_equal(footer_line(out, word), 0);
	assert_int_equal(fflush(out), 0);
	assert_memory_equal(text, "a b\n\nwww", 8);
	assert_short_lines(text);
	assert_int_equal(fclose(out), 0);
	free(text);
}

static struct jval *print_json(struct table *table)
{
	struct jval *top = NULL;
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	assert_int_equal(table_finish(table, NULL, NULL, NULL), 0);
	assert_int_equal(fmt_json(out, table, "0.1.0", NULL), 0);
	assert_int_equal(fclose(out), 0);
	assert_has(text, "{\n  \"schema\": \"schedgrid-compare-1\",\n");
	assert_int_equal(jval_parse(text, len, &top, NULL), 0);
	free(text);
	table_free(table);
	return top;
}

static double number(const struct jval *object, const char *key)
{
	double value;

	if (!jval_real(jval_get(object, key), &value))
		fail_msg("no number '%s'", key);
	return value;
}

static void test_json(void **state)
{
	struct jval *top = print_json(times());
	const struct jval *rows = jval_get(top, "rows");
	const struct jval *row = jval_item(rows, 1);
	const struct jval *column = jval_item(jval_get(row, "columns"), 1);
	const struct jval *against = jval_item(jval_get(row, "against"), 0);

	(void)state;
	assert_int_equal(jval_count(rows), 2);
	assert_string_equal(jval_get_text(row, "workload"), "hackbench");
	assert_string_equal(jval_get_text(row, "variant"), "hackbench-process-pipes");
	assert_string_equal(jval_get_text(row, "metric"), "time");
	assert_string_equal(jval_get_text(row, "unit"), "s");
	assert_string_equal(jval_get_text(row, "better"), "lower");
	assert_true(number(jval_get(row, "point"), "groups") == 12.0);
	assert_null(jval_get(row, "secondary"));
	assert_null(jval_get(row, "parameters"));
	assert_string_equal(jval_get_text(column, "column"), "wake");
	assert_true(number(column, "n") == 8.0 && number(column, "failed") == 0.0);
	assert_true(number(column, "boots") == 1.0 && number(column, "mean") == 5.0);
	assert_true(fabs(number(column, "stddev") - sqrt(32.0 / 7.0)) < 1e-12);
	assert_true(fabs(number(column, "stderr") - sqrt(4.0 / 7.0)) < 1e-12);
	assert_true(number(column, "median") == 4.5);
	assert_true(number(column, "min") == 2.0 && number(column, "max") == 9.0);
	assert_null(jval_get(column, "hmean"));
	assert_null(jval_get(column, "skipped"));
	assert_int_equal(jval_count(jval_get(row, "against")), 1);
	assert_string_equal(jval_get_text(against, "column"), "wake");
	assert_true(number(against, "ratio") == 1.25);
	assert_true(number(against, "percent") == -25.0);
	jval_free(top);
}

static void test_json_gaps(void **state)
{
	struct jval *top = print_json(gaps());
	const struct jval *row = jval_item(jval_get(top, "rows"), 1);
	const struct jval *columns = jval_get(row, "columns");
	const struct jval *wake = jval_item(columns, 1);
	const struct jval *skip = jval_item(columns, 3);
	const struct jval *against = jval_item(jval_get(row, "against"), 0);

	(void)state;
	assert_true(number(jval_item(columns, 0), "n") == 5.0);
	assert_true(number(jval_item(columns, 0), "failed") == 2.0);
	assert_true(number(wake, "n") == 0.0 && number(wake, "failed") == 7.0);
	assert_null(jval_get(wake, "mean"));
	assert_null(jval_get(wake, "min"));
	assert_null(jval_get(wake, "boots"));
	assert_null(jval_get(against, "ratio"));
	assert_null(jval_get(against, "percent"));
	assert_null(jval_get(jval_item(columns, 2), "stddev"));
	assert_true(number(skip, "skipped") == 1.0);
	assert_string_equal(jval_get_text(skip, "reason"), "no second node");
	jval_free(top);
}

static void test_json_rates(void **state)
{
	struct jval *top = print_json(rates());
	const struct jval *rows = jval_get(top, "rows");
	const struct jval *column = jval_item(jval_get(jval_item(rows, 0), "columns"), 0);

	(void)state;
	assert_int_equal(jval_count(rows), 4);
	assert_true(fabs(number(column, "hmean") - 12000.0 / 7.0) < 1e-9);
	assert_true(fabs(number(column, "mean") - 7000.0 / 3.0) < 1e-9);
	assert_true(jval_is_true(jval_get(jval_item(rows, 3), "secondary")));
	jval_free(top);
}

static void test_json_summary(void **state)
{
	struct table *table = table_new();
	struct jval *top;
	const struct jval *column;

	(void)state;
	add(table, .is_summary = true, .value = 0.5);
	top = print_json(table);
	column = jval_item(jval_get(jval_item(jval_get(top, "rows"), 0), "columns"), 0);
	assert_true(number(column, "mean") == 0.5);
	assert_null(jval_get(column, "n"));
	assert_null(jval_get(column, "stddev"));
	assert_null(jval_get(column, "median"));
	jval_free(top);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_2016_times),
		cmocka_unit_test(test_today_times),
		cmocka_unit_test(test_2016_rates),
		cmocka_unit_test(test_today_rates),
		cmocka_unit_test(test_all),
		cmocka_unit_test(test_all_in_footer),
		cmocka_unit_test(test_gaps),
		cmocka_unit_test(test_BL_111_wide),
		cmocka_unit_test(test_long_names),
		cmocka_unit_test(test_shortened_heading),
		cmocka_unit_test(test_headings),
		cmocka_unit_test(test_partial_heading),
		cmocka_unit_test(test_counts_that_differ),
		cmocka_unit_test(test_BL_085_all_the_same),
		cmocka_unit_test(test_BL_125_zero_rows),
		cmocka_unit_test(test_zero_row_alone_shows_failures),
		cmocka_unit_test(test_BL_057_zero_baseline),
		cmocka_unit_test(test_summary),
		cmocka_unit_test(test_footer),
		cmocka_unit_test(test_footer_line),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_json_gaps),
		cmocka_unit_test(test_json_rates),
		cmocka_unit_test(test_json_summary),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
