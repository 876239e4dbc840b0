// SPDX-License-Identifier: GPL-2.0-or-later
/* The report as HTML: order, escapes, and what is there without gnuplot. */
#include "tests/unit/compare-records.h"

#include <stdlib.h>

#include "compare/fmt_html.h"
#include "compare/html.h"
#include "compare/judge.h"
#include "compare/setup.h"

static char *page_of(struct table *table, const struct setup *setup)
{
	const struct fmt_options options = { .version = "0" };
	struct judgement *judgement = NULL;
	struct err err = { 0 };
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);
	int signal = -1;

	assert_non_null(out);
	/* Plots are the business of other tests. */
	assert_int_equal(setenv("PATH", "/nonexistent", 1), 0);
	if (table_finish(table, NULL, NULL, &err))
		fail_msg("%s", err.text);
	assert_int_equal(judge_table(table, &rule_default, &judgement, NULL), 0);
	table->judgement = judgement;
	assert_int_equal(fmt_html(out, table, setup, &options, &signal, NULL), 0);
	assert_int_equal(signal, 0);
	assert_int_equal(fclose(out), 0);
	judgement_free(judgement);
	table_free(table);
	return text;
}

static const char *assert_has(const char *text, const char *part)
{
	const char *at = strstr(text, part);

	if (!at)
		fail_msg("'%s' is not in:\n%s", part, text);
	return at;
}

static size_t count(const char *text, const char *part)
{
	size_t nr = 0;

	while ((text = strstr(text, part))) {
		text += strlen(part);
		nr++;
	}
	return nr;
}

static struct table *two_columns(const char *base, const char *other, const char *variant)
{
	struct table *table = table_new();
	unsigned int i;

	for (i = 1; i <= 6; i++) {
		add(table, .column = base, .variant = variant, .iteration = i,
		    .has_blocks = true, .point = "{\"groups\":4}",
		    .value = 1.0 + 0.001 * i);
		add(table, .column = other, .variant = variant, .iteration = i,
		    .has_blocks = true, .point = "{\"groups\":4}",
		    .value = 1.5 + 0.001 * i);
	}
	return table;
}

static void assert_balanced(const char *text)
{
	static const char *const names[] = { "section", "table", "thead", "tbody",
					     "details", "ul",	 "main",  "div" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		char open[16];
		char close[16];

		(void)snprintf(open, sizeof(open), "<%s", names[i]);
		(void)snprintf(close, sizeof(close), "</%s>", names[i]);
		assert_int_equal(count(text, open), count(text, close));
	}
}

static void test_fmt_html(void **state)
{
	char *values[] = { (char[]){ "on" }, (char[]){ "off" } };
	char *equal[] = { (char[]){ "6.1" }, (char[]){ "6.1" } };
	struct setup_fact facts[] = { { (char[]){ "smt" }, values, true },
				      { (char[]){ "kernel.release" }, equal, false } };
	struct setup_grid grid = { (char[]){ "nightly" }, (char[]){ "seed 42" } };
	struct setup_fact hz = { (char[]){ "CONFIG_HZ" }, values, true };
	const struct setup setup = {
		.facts = facts,
		.nr_facts = 2,
		.nr_columns = 2,
		.grids = &grid,
		.nr_grids = 1,
		.options = &hz,
		.nr_options = 1,
	};
	char *text = page_of(two_columns("base", "wake", NULL), &setup);
	const char *verdicts = assert_has(text, "<h2 id=\"verdicts-h\">");
	const char *tables = assert_has(text, "<h2 id=\"tables\">");
	const char *differs = assert_has(text, "What differs between the columns</h2>");

	(void)state;
	assert_ptr_equal(strstr(text, "<!DOCTYPE html>\n<html lang=\"en\">"), text);
	assert_has(text, "default-src 'none'; style-src 'unsafe-inline'; img-src data:");
	assert_has(text, "<title>schedgrid: nightly</title>");
	assert_true(verdicts < tables && tables < differs);
	assert_has(verdicts, "worse</span>");
	assert_has(verdicts,
		   "<th scope=\"row\">hackbench-process-pipes time groups=4</th>");
	assert_has(tables,
		   "<span class=\"line\">1.5035 ± 0.0019 <span class=\"n\">n 6</span>");
	assert_has(tables, "<span>-49.83%</span> <span class=\"dim\">[");
	assert_has(tables, "<caption>hackbench-process-pipes</caption>");
	assert_has(differs, "<th scope=\"row\">smt</th><td>on</td><td>off</td>");
	assert_has(differs, "<th scope=\"row\">smt <mark>differs</mark></th>");
	assert_has(differs, "<th scope=\"row\">kernel.release</th>");
	assert_has(differs, "<th scope=\"row\">CONFIG_HZ</th><td>on</td><td>off</td>");
	assert_has(differs, "All 2 facts");
	assert_has(text,
		   "There are no plots: no gnuplot on PATH (expected that of Debian");
	assert_has(text, "</body></html>\n");
	assert_null(strstr(text, "<svg"));
	assert_balanced(text);
	free(text);
}

static void test_fmt_html_escapes_names(void **state)
{
	static const struct setup setup;
	char *text = page_of(two_columns("<script>alert(1)</script>",
					 "\"onload='x' & \xff\x1b[2J", "</caption><b>"),
			     &setup);

	(void)state;
	assert_int_equal(count(text, "<script"), 0);
	assert_int_equal(count(text, "<b>"), count(text, "</b>"));
	assert_has(text, "&lt;script&gt;alert(1)&lt;/script&gt;");
	assert_has(text, "&quot;onload=&#39;x&#39; &amp; \\xff\\x1b[2J");
	assert_has(text, "<h3 id=\"s0-h\">&lt;/caption&gt;&lt;b&gt;</h3>");
	assert_has(text, "<p>Nothing is recorded of plan and hosts.</p>");
	assert_null(strchr(text, '\x1b'));
	assert_balanced(text);
	free(text);
}

static void test_fmt_html_of_what_is_missing(void **state)
{
	static const struct setup setup;
	struct table *table = table_new();
	char *text;

	(void)state;
	add(table, .column = "base", .iteration = 1, .value = 2.0);
	add(table, .column = "none", .status = RECORD_FAILED);
	text = page_of(table, &setup);
	assert_has(text,
		   "<span class=\"line\">n/a <span class=\"n\">n 0/1</span></span>");
	assert_has(text, "missing</span>");
	assert_has(text, "No row changed as far as these samples can tell.");
	assert_null(strstr(text, "nan"));
	free(text);
}

static void test_fmt_html_of_one_column(void **state)
{
	static const struct setup setup;
	struct table *table = table_new();
	char *text;

	(void)state;
	add(table, .column = "base", .iteration = 1, .value = 2.0);
	text = page_of(table, &setup);
	assert_has(text, "There is one column only");
	assert_has(text, "<p>In each cell: arithmetic mean ± standard deviation (divisor "
			 "n-1), n samples;");
	assert_balanced(text);
	free(text);
}

static void test_fmt_html_of_harmonic_means(void **state)
{
	static const struct setup setup;
	struct table *table = table_new();
	char *text;

	(void)state;
	add(table, .column = "base", .metric = "rate", .unit = "MB/s", .higher = true,
	    .is_summary = true, .is_hmean = true, .value = 2.0);
	text = page_of(table, &setup);
	assert_has(text, "<th scope=\"row\">rate (MB/s)<span class=\"line n\">higher is "
			 "better; harmonic means</span></th>");
	assert_has(text,
		   "<p>In each cell: harmonic mean ± standard deviation (as printed)");
	assert_has(text, "<pre>harmonic mean ± standard deviation (as printed), n:");
	free(text);
}

static void test_html_text_and_html_put_and_html_lines(void **state)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	(void)state;
	assert_non_null(out);
	assert_int_equal(html_text(out, "a<b>&\"'\xc3\xbc\xc3"), 0);
	assert_int_equal(html_put(out, "|%d%s|", 1, "<"), 0);
	assert_int_equal(html_lines(out, ""), 0);
	assert_int_equal(html_lines(out, "x\n <y\n"), 0);
	assert_int_equal(fclose(out), 0);
	assert_string_equal(text, "a&lt;b&gt;&amp;&quot;&#39;\xc3\xbc\\xc3|1&lt;|"
				  "<pre>x\n &lt;y\n</pre>\n");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fmt_html),
		cmocka_unit_test(test_fmt_html_escapes_names),
		cmocka_unit_test(test_fmt_html_of_what_is_missing),
		cmocka_unit_test(test_fmt_html_of_one_column),
		cmocka_unit_test(test_fmt_html_of_harmonic_means),
		cmocka_unit_test(test_html_text_and_html_put_and_html_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
