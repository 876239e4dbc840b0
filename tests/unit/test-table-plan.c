// SPDX-License-Identifier: GPL-2.0-or-later
/* What a plan gives a table: its order, and what is not recorded yet. */
#include "tests/unit/compare-records.h"

#include <stdlib.h>

#include "compare/view.h"

#define CELL(id, column, variant, groups, cpus)                                    \
	"{\"id\":\"" id "\",\"column\":\"" column "\",\"workload\":\"hackbench\"," \
	"\"variant\":\"" variant "\",\"point\":{\"groups\":" groups "},"           \
	"\"parameters\":{\"groups\":" groups "},\"cpus\":\"" cpus "\"}"

/* Two variants, two points of the first, two columns, three iterations. */
static const char plan_json[] =
	"{\"iterations\":2,\"more\":1,\"warmup\":5,"
	"\"columns\":[{\"name\":\"base\"},{\"name\":\"wake\"}],\"cells\":[" CELL(
		"b1", "base", "pipes", "1",
		"0-1") "," CELL("w1", "wake", "pipes", "1",
				"0") "," CELL("b4", "base", "pipes", "4",
					      "0-1") "," CELL("w4", "wake", "pipes", "4",
							      "0") "," CELL("bs", "base",
									    "sockets",
									    "1",
									    "0-1") "," CELL("ws",
											    "wake",
											    "sockets",
											    "1",
											    "0") "]}";

#define ran(table, id, col, var, groups, ...)                                            \
	add(table, .cell = (id), .column = (col), .variant = (var),                      \
	    .point = "{\"groups\":" groups "}", .parameters = "{\"groups\":" groups "}", \
	    .value = 1.0, __VA_ARGS__)

static void finish(struct table *table)
{
	struct err err = { 0 };

	if (table_finish(table, NULL, NULL, &err))
		fail_msg("%s", err.text);
}

static void assert_counts(const struct table_cell *cell, const char *expected)
{
	char text[48];

	view_counts(cell, text, sizeof(text));
	assert_string_equal(text, expected);
}

static void test_order(void **state)
{
	struct table *table = table_new();

	(void)state;
	add_plan(table, "run", plan_json);
	/* As a seed may have it: the last of everything first. */
	ran(table, "ws", "wake", "sockets", "1", .boot = "b1");
	ran(table, "w4", "wake", "pipes", "4", .boot = "b1");
	ran(table, "b1", "base", "pipes", "1", .boot = "b1");
	finish(table);
	assert_string_equal(table->columns[0].name, "base");
	assert_string_equal(table->columns[1].name, "wake");
	assert_string_equal(table->sections[0].variant, "pipes");
	assert_string_equal(table->sections[1].variant, "sockets");
	assert_string_equal(table->sections[0].points[0].label, "1");
	table_free(table);
}

static void test_metric_order(void **state)
{
	static const struct {
		const char *name;
		double value;
	} all[] = {
		{ "copy", 1.0 },
		{ "scale", 2.0 },
		{ "add", 3.0 },
	};
	struct record_metric metrics[3] = { 0 };
	struct record record = { .id = "i",
				 .cell = "c",
				 .column = "base",
				 .workload = "stream",
				 .variant = "stream",
				 .boot = "b1",
				 .iteration = 1,
				 .metrics = metrics };
	struct table *table = table_new();
	double samples[3];
	size_t i;

	(void)state;
	for (i = 0; i < 3; i++) {
		samples[i] = all[i].value;
		metrics[i] = (struct record_metric){ .name = all[i].name,
						     .unit = "MB/s",
						     .samples = &samples[i],
						     .nr_samples = 1 };
	}
	/* The first record lacks the metric in the middle. */
	metrics[1] = metrics[2];
	record.nr_metrics = 2;
	assert_int_equal(table_add_record(table, &record, NULL), 0);
	metrics[1].name = "scale";
	metrics[1].samples = &samples[1];
	record.nr_metrics = 3;
	record.iteration = 2;
	assert_int_equal(table_add_record(table, &record, NULL), 0);
	finish(table);
	for (i = 0; i < 3; i++) {
		const struct table_row *row = &table->sections[0].rows[i];

		assert_string_equal(row->metric->name, all[i].name);
		assert_true(row->cells[0].stats.amean == all[i].value);
	}
	table_free(table);
}

static void test_unfinished(void **state)
{
	struct table *table = table_new();
	const struct table_row *row;

	(void)state;
	add_plan(table, "run", plan_json);
	ran(table, "b1", "base", "pipes", "1", .iteration = 1);
	ran(table, "b1", "base", "pipes", "1", .iteration = 2, .status = RECORD_FAILED);
	ran(table, "b1", "base", "pipes", "1", .iteration = 3,
	    .status = RECORD_INTERRUPTED);
	ran(table, "w1", "wake", "pipes", "1", .iteration = 1);
	ran(table, "w1", "wake", "pipes", "1", .iteration = 1, .flags = RECORD_WARMUP);
	finish(table);

	assert_int_equal(table->sections[0].nr_rows, 2);
	row = &table->sections[0].rows[0];
	assert_int_equal(row->cells[0].nr_unrecorded, 1);
	assert_int_equal(row->cells[1].nr_unrecorded, 2);
	assert_counts(&row->cells[0], "1/3");
	assert_counts(&row->cells[1], "1/3");
	/* Nothing ran at the other point, nor of the other variant. */
	row = &table->sections[0].rows[1];
	assert_string_equal(row->point->label, "4");
	assert_string_equal(row->metric->name, "time");
	assert_counts(&row->cells[0], "0/3");
	assert_int_equal(table->sections[1].nr_rows, 1);
	assert_null(table->sections[1].rows[0].metric->name);
	assert_counts(&table->sections[1].rows[0].cells[1], "0/3");
	assert_int_equal(table->nr_runs, 1);
	assert_string_equal(table->runs[0].dir, "run");
	assert_int_equal(table->runs[0].nr_planned, 18);
	assert_int_equal(table->runs[0].nr_recorded, 3);
	table_free(table);
}

static void test_nothing_recorded(void **state)
{
	struct table *table = table_new();

	(void)state;
	add_plan(table, "run", plan_json);
	finish(table);
	assert_int_equal(table->nr_columns, 2);
	assert_int_equal(table->nr_sections, 2);
	assert_int_equal(table->sections[0].nr_rows, 2);
	assert_int_equal(table->runs[0].nr_recorded, 0);
	table_free(table);
}

static void test_finished(void **state)
{
	struct table *table = table_new();
	unsigned int i;

	(void)state;
	add_plan(table, "run",
		 "{\"iterations\":3,\"cells\":[" CELL("b1", "base", "pipes", "1",
						      "0") "," CELL("w1", "wake", "pipes",
								    "1", "0") "]}");
	for (i = 1; i <= 3; i++) {
		ran(table, "b1", "base", "pipes", "1", .iteration = i);
		ran(table, "w1", "wake", "pipes", "1", .iteration = i,
		    .status = RECORD_SKIPPED, .reason = "too few CPUs");
	}
	finish(table);
	assert_counts(&table->sections[0].rows[0].cells[0], "3");
	assert_counts(&table->sections[0].rows[0].cells[1], "skipped");
	assert_int_equal(table->runs[0].nr_recorded, 6);
	assert_int_equal(table->runs[0].nr_planned, 6);
	table_free(table);
}

/* By run --more N --only ...: one cell is to have more than the others. */
static void test_more_of_a_cell(void **state)
{
	struct table *table = table_new();
	unsigned int i;

	(void)state;
	add_plan(table, "run",
		 "{\"iterations\":1,\"more\":1,\"more_of\":{\"w1\":2},\"cells\":[" CELL(
			 "b1", "base", "pipes", "1", "0") "," CELL("w1", "wake", "pipes",
								   "1", "0") "]}");
	for (i = 1; i <= 2; i++)
		ran(table, "b1", "base", "pipes", "1", .iteration = i);
	for (i = 1; i <= 3; i++)
		ran(table, "w1", "wake", "pipes", "1", .iteration = i);
	finish(table);
	assert_counts(&table->sections[0].rows[0].cells[0], "2");
	assert_counts(&table->sections[0].rows[0].cells[1], "3/4");
	assert_int_equal(table->runs[0].nr_recorded, 5);
	assert_int_equal(table->runs[0].nr_planned, 6);
	table_free(table);
}

/* Our own set-up failed: the record counts as failed, and the run isn't over. */
static void test_broken(void **state)
{
	struct table *table = table_new();

	(void)state;
	add_plan(table, "run",
		 "{\"iterations\":1,\"cells\":[" CELL("b1", "base", "pipes", "1",
						      "0") "]}");
	ran(table, "b1", "base", "pipes", "1", .status = RECORD_BROKEN);
	finish(table);
	assert_counts(&table->sections[0].rows[0].cells[0], "0/1");
	assert_int_equal(table->runs[0].nr_recorded, 0);
	table_free(table);
}

static void test_cpus(void **state)
{
	struct table *table = table_new();

	(void)state;
	add_plan(table, "run", plan_json);
	table_next_run(table);
	add_plan(table, "other",
		 "{\"cells\":[" CELL("x", "mixed", "pipes", "1", "0") "," CELL(
			 "y", "mixed", "pipes", "4", "1") "," CELL("z", "mixed", "pipes",
								   "7", "1") "]}");
	finish(table);
	assert_string_equal(table->columns[0].cpus, "0-1");
	assert_string_equal(table->columns[1].cpus, "0");
	assert_null(table->columns[2].cpus);
	table_free(table);
}

/* A plan of which nothing can be used is no error: it may be of a later version. */
static void test_odd_plan(void **state)
{
	struct table *table = table_new();

	(void)state;
	add_plan(table, "run", "{\"columns\":[{}],\"cells\":[{},1,{\"id\":\"x\"}]}");
	add(table, .value = 1.0);
	finish(table);
	assert_int_equal(table->nr_columns, 1);
	assert_int_equal(table->nr_sections, 1);
	assert_int_equal(table->runs[0].nr_planned, 0);
	table_free(table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_metric_order),
		cmocka_unit_test(test_unfinished),
		cmocka_unit_test(test_nothing_recorded),
		cmocka_unit_test(test_finished),
		cmocka_unit_test(test_more_of_a_cell),
		cmocka_unit_test(test_broken),
		cmocka_unit_test(test_cpus),
		cmocka_unit_test(test_odd_plan),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
