// SPDX-License-Identifier: GPL-2.0-or-later
/* What the footer says of sections, columns, machines and unfinished runs. */
#include "tests/unit/compare-records.h"

#include <stdlib.h>

#include "compare/fmt_mmtests.h"
#include "compare/footer.h"
#include "compare/view.h"

typedef int print_fn(FILE *out, const struct table *table);

static void finish(struct table *table)
{
	struct err err = { 0 };

	if (table_finish(table, NULL, NULL, &err))
		fail_msg("%s", err.text);
}

/* @table is freed. */
static void assert_prints(struct table *table, print_fn *print, const char *expected)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	assert_non_null(out);
	finish(table);
	assert_int_equal(print(out, table), 0);
	assert_int_equal(fclose(out), 0);
	assert_string_equal(text, expected);
	free(text);
	table_free(table);
}

static int sections(FILE *out, const struct table *table)
{
	return footer_sections(out, table, false);
}

static int all_sections(FILE *out, const struct table *table)
{
	return footer_sections(out, table, true);
}

static int end(FILE *out, const struct table *table)
{
	const struct fmt_options options = { 0 };

	return footer_end(out, table, "meanings", &options);
}

static int notes(FILE *out, const struct table *table)
{
	static const struct view_label labels[] = { { NULL, VIEW_MIN, 0, NULL } };
	const struct view_options options = { .labels = labels };
	struct view view;
	int ret = view_init(&view, table, &table->sections[0], &options);

	if (!ret)
		ret = footer_notes(out, table, &table->sections[0], &view);
	view_release(&view);
	return ret;
}

static struct table *several_sections(void)
{
	static const char parameters[] = "{\"groups\":4,\"loops\":100,\"size\":10}";
	struct table *table = table_new();

	add(table, .variant = "pipes", .point = "{\"groups\":4}",
	    .parameters = parameters, .value = 1.0);
	add(table, .variant = "sockets", .point = "{\"groups\":4}",
	    .parameters = parameters, .value = 1.0);
	add(table, .variant = "stream", .metric = "copy", .unit = "MB/s", .value = 1.0);
	add(table, .variant = "stream", .metric = "add", .unit = "MB/s", .value = 1.0);
	add(table, .variant = "stream", .metric = "zero", .unit = "count", .value = 0.0);
	add(table, .variant = "stream", .metric = "setup", .secondary = true,
	    .value = 1.0);
	add(table, .variant = "bare", .unit = "", .value = 1.0);
	return table;
}

static void test_sections(void **state)
{
	(void)state;
	assert_prints(several_sections(), sections,
		      "pipes, sockets: time in s; loops=100 size=10; rows by groups\n"
		      "stream: copy, add in MB/s\n");
	assert_prints(several_sections(), all_sections,
		      "pipes, sockets: time in s; loops=100 size=10; rows by groups\n"
		      "stream: copy, add in MB/s, zero in count, setup in s\n");
}

static int columns(FILE *out, const struct table *table)
{
	return footer_columns(out, table, false);
}

/* Figures that nobody sees, and rows of other columns, have no say in n. */
static void test_counts_of_what_is_shown(void **state)
{
	struct table *table = table_new();

	(void)state;
	add(table, .iteration = 1, .value = 1.0);
	add(table, .iteration = 2, .value = 1.0);
	add(table, .iteration = 3, .metric = "extra", .secondary = true, .value = 1.0);
	add(table, .column = "wake", .point = "{\"groups\":4}", .value = 1.0);
	assert_prints(table, columns, "each column: boots 1\nbase: n 2\nwake: n 1\n");
}

/* What one column doesn't tell isn't taken from the others. */
static void test_what_is_not_known(void **state)
{
	struct table *table = table_new();

	(void)state;
	add(table, .machine = "vm", .parameters = "{\"loops\":100}", .value = 1.0);
	add(table, .column = "posted", .boot = "import", .is_summary = true,
	    .value = 1.0);
	assert_prints(
		table, sections,
		"hackbench-process-pipes: time in s; loops=100, not known of posted\n");
	table = table_new();
	add(table, .machine = "vm", .parameters = "{\"loops\":100}", .value = 1.0);
	add(table, .column = "posted", .boot = "import", .is_summary = true,
	    .value = 1.0);
	assert_prints(table, columns,
		      "base: n 1, boots 1, machine vm\n"
		      "posted: n not known, machine not known\n");
}

static void test_columns(void **state)
{
	struct table *table = table_new();

	(void)state;
	add(table, .iteration = 1, .value = 1.0, .machine = "vm");
	add(table, .iteration = 2, .value = 1.0, .machine = "vm");
	add(table, .column = "wake", .iteration = 1, .value = 1.0, .machine = "vm");
	add(table, .column = "wake", .iteration = 2, .status = RECORD_FAILED);
	assert_prints(table, columns,
		      "each column: boots 1, machine vm\n"
		      "base: n 2\n"
		      "wake: n 1, 1 failed\n");
}

#define CELL(column, cpus)                                                             \
	"{\"id\":\"" column "\",\"column\":\"" column "\",\"workload\":\"hackbench\"," \
	"\"variant\":\"v\",\"cpus\":\"" cpus "\"}"

static void test_cpus(void **state)
{
	struct table *table = table_new();

	(void)state;
	add_plan(table, "x",
		 "{\"iterations\":1,\"cells\":[" CELL("base", "0-1") "," CELL("wake",
									      "0") "]}");
	assert_prints(table, columns, "each column: n 0\nbase: CPUs 0-1\nwake: CPUs 0\n");
	table = table_new();
	add_plan(table, "x",
		 "{\"iterations\":1,\"cells\":[" CELL("base", "0-1") "," CELL(
			 "wake", "0-1") "]}");
	assert_prints(table, columns, "each column: n 0\n");
}

static void test_machine(void **state)
{
	struct table *table = table_new();
	struct table *large = table_new();

	(void)state;
	add(table, .machine = "vm", .value = 1.0);
	add(table, .column = "wake", .machine = "vm", .boot = "b2", .value = 1.0);
	add_host(
		table, "b1",
		"{\"cpu_model\":\"EPYC\",\"topology\":{\"cpus\":2,\"cores\":2,\"nodes\":1,"
		"\"llcs\":1,\"llc_bytes\":33554432}}");
	add_host(
		table, "b2",
		"{\"cpu_model\":\"EPYC\",\"topology\":{\"cpus\":2,\"cores\":2,\"nodes\":1,"
		"\"llcs\":1,\"llc_bytes\":33554432}}");
	finish(table);
	assert_int_equal(table->nr_machines, 1);
	assert_string_equal(table->machines[0], "vm: EPYC, 2 CPUs, 1 LLC of 32 MiB");
	table_free(table);
	add(large, .value = 1.0);
	add_host(large, "b1",
		 "{\"topology\":{\"cpus\":8,\"cores\":4,\"nodes\":2,\"llcs\":2,"
		 "\"llc_bytes\":6144}}");
	assert_prints(large, end,
		      "meanings\n"
		      "hackbench-process-pipes: time in s\n"
		      "each column: n 1, boots 1\n"
		      "machine 8 CPUs, 4 cores, 2 nodes, 2 LLCs of 6 KiB\n");
}

static void test_unfinished(void **state)
{
	static const char plan[] = "{\"iterations\":2,\"cells\":[" CELL(
		"base", "0") "," CELL("wake", "0") "]}";
	struct table *table = table_new();

	(void)state;
	add_plan(table, "x", plan);
	add(table, .cell = "base", .value = 1.0);
	assert_prints(table, footer_unfinished,
		      "unfinished: 1 of 4 iterations are recorded\n");
	table = table_new();
	add_plan(table, "x", plan);
	table_next_run(table);
	add_plan(table, "y", plan);
	add(table, .cell = "base", .value = 1.0);
	assert_prints(table, footer_unfinished,
		      "unfinished x: 0 of 4 iterations are recorded\n"
		      "unfinished y: 1 of 4 iterations are recorded\n");
}

/* Flags of an iteration that failed count, too; warm-ups are not there. */
static void test_remarks(void **state)
{
	struct table *table = table_new();
	unsigned int i;

	(void)state;
	for (i = 1; i <= 8; i++)
		add(table, .iteration = i, .value = i,
		    .flags = i > 6 ? RECORD_INTERFERED | RECORD_EMULATED : 0);
	add(table, .iteration = 9, .status = RECORD_FAILED,
	    .flags = RECORD_KERNEL_WARNING);
	add(table, .iteration = 10, .value = 1.0,
	    .flags = RECORD_WARMUP | RECORD_UNDERSIZED);
	assert_prints(table, notes,
		      "note: 2 of 9 iterations in base: interfered\n"
		      "note: 1 of 9 iterations in base: kernel-warning\n");
}

static void test_flag_names(void **state)
{
	(void)state;
	assert_string_equal(footer_flag(RECORD_UNDERSIZED), "undersized");
	assert_string_equal(footer_flag(RECORD_SETTING_CHANGED), "setting-changed");
	assert_null(footer_flag(RECORD_WARMUP));
	assert_null(footer_flag(0));
}

static void assert_today_has(struct table *table, const char *part)
{
	const struct mmtests_options options = { .layout = MMTESTS_TODAY };
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	finish(table);
	assert_int_equal(fmt_mmtests(out, table, &options, NULL), 0);
	assert_int_equal(fclose(out), 0);
	if (!strstr(text, part))
		fail_msg("'%s' is not in:\n%s", part, text);
	free(text);
	table_free(table);
}

static void test_best(void **state)
{
	struct table *table = table_new();
	struct table *unlike = table_new();
	unsigned int i;

	(void)state;
	for (i = 1; i <= 10; i++) {
		add(table, .iteration = i, .value = i);
		add(unlike, .iteration = i, .value = i);
	}
	add(unlike, .column = "wake", .value = 1.0);
	assert_int_equal(stats_best(1, STATS_95), 1);
	assert_int_equal(stats_best(19, STATS_95), 18);
	assert_int_equal(stats_best(20, STATS_95), 19);
	assert_today_has(table, "BAmean.95: Amean of the best 9 of 10;");
	assert_today_has(unlike, "BAmean.95: Amean of the best 95%, at least one;");
}

static void test_nothing_ran(void **state)
{
	struct table *table = table_new();

	(void)state;
	add_plan(table, "x",
		 "{\"iterations\":2,\"columns\":[{\"name\":\"base\"}],\"cells\":[" CELL(
			 "base", "0") "]}");
	assert_today_has(table, "Min                      n/a (    n/a )\n"
				"Max                      n/a (    n/a )\n"
				"Samples                  0/2\n");
}

/* Each once, whatever the number of runs; old plans have none. */
static void test_terms(void **state)
{
	struct table *table = table_new();

	(void)state;
	add_plan(table, "x", "{\"terms\":[\"a: variant of A\",\"b: by B\"]}");
	table_next_run(table);
	add_plan(table, "y", "{\"terms\":[\"b: by B\",\"c: like C\",\"\",7]}");
	table_next_run(table);
	add_plan(table, "z", "{}");
	assert_prints(table, footer_terms, "a: variant of A\nb: by B\nc: like C\n");
}

static void test_end_has_the_terms(void **state)
{
	struct table *table = table_new();

	(void)state;
	add_plan(table, "x", "{\"terms\":[\"a: variant of A\"]}");
	add(table, .value = 1.0);
	assert_today_has(table, "\na: variant of A\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sections),
		cmocka_unit_test(test_columns),
		cmocka_unit_test(test_counts_of_what_is_shown),
		cmocka_unit_test(test_what_is_not_known),
		cmocka_unit_test(test_cpus),
		cmocka_unit_test(test_machine),
		cmocka_unit_test(test_unfinished),
		cmocka_unit_test(test_remarks),
		cmocka_unit_test(test_flag_names),
		cmocka_unit_test(test_best),
		cmocka_unit_test(test_nothing_ran),
		cmocka_unit_test(test_terms),
		cmocka_unit_test(test_end_has_the_terms),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
