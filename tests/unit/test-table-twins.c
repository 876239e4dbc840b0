// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs that were copied, and runs in one boot. */
#include "tests/unit/compare-records.h"

#include <stdlib.h>

static const char first_boot[] = "{\"boot_id\":\"1a\"}";
static const char other_boot[] = "{\"boot_id\":\"2b\"}";
static const char morning[] = "2026-12-01T08:00:00.000Z";
static const char noon[] = "2026-12-01T12:00:00.000Z";
static const char night[] = "2026-12-01T23:00:00.000Z";

static const struct table_cell *finish(struct table *table)
{
	struct err err = { 0 };

	if (table_finish(table, NULL, NULL, &err))
		fail_msg("%s", err.text);
	return &table->sections[0].rows[0].cells[0];
}

static void add_original(struct table *table)
{
	add(table, .iteration = 1, .value = 1.0, .start = morning);
	add(table, .iteration = 2, .value = 2.0, .start = noon);
	add_host(table, "b1", first_boot);
}

static void test_copy(void **state)
{
	struct table *table = table_new();
	const struct table_cell *cell;

	(void)state;
	add_original(table);
	table_next_run(table);
	add_original(table);
	/* The copy went on. */
	add(table, .boot = "b2", .iteration = 3, .value = 6.0, .start = night);
	add_host(table, "b2", other_boot);
	cell = finish(table);
	assert_int_equal(cell->nr_samples, 3);
	assert_true(cell->stats.amean == 3.0);
	assert_int_equal(cell->nr_boots, 2);
	assert_int_equal(table->columns[0].nr_boots, 2);
	table_free(table);
}

/* Where no facts say the boot, its name and the machine must do. */
static void test_copy_without_facts(void **state)
{
	struct table *table = table_new();

	(void)state;
	add(table, .value = 1.0, .start = morning, .machine = "m");
	table_next_run(table);
	add(table, .value = 1.0, .start = morning, .machine = "m");
	assert_int_equal(finish(table)->nr_samples, 1);
	table_free(table);
}

static void test_two_runs_in_one_boot(void **state)
{
	struct table *table = table_new();
	const struct table_cell *cell;

	(void)state;
	add(table, .value = 1.0, .start = morning);
	add_host(table, "b1", first_boot);
	table_next_run(table);
	add(table, .value = 3.0, .start = noon);
	add_host(table, "b1", first_boot);
	cell = finish(table);
	assert_int_equal(cell->nr_samples, 2);
	assert_int_equal(cell->nr_boots, 1);
	assert_int_equal(table->columns[0].nr_boots, 1);
	table_free(table);
}

/* Two machines that begin at the same moment are two. */
static void test_same_start_elsewhere(void **state)
{
	struct table *table = table_new();
	const struct table_cell *cell;

	(void)state;
	add(table, .value = 1.0, .start = morning);
	add_host(table, "b1", first_boot);
	table_next_run(table);
	add(table, .value = 3.0, .start = morning);
	add_host(table, "b1", other_boot);
	cell = finish(table);
	assert_int_equal(cell->nr_samples, 2);
	assert_int_equal(cell->nr_boots, 2);
	table_free(table);
}

/* An iteration that one of two copies tried again counts once, by its last attempt. */
static void test_tried_again(void **state)
{
	unsigned int which;

	(void)state;
	for (which = 0; which < 2; which++) {
		struct table *table = table_new();
		const struct table_cell *cell;
		unsigned int run;

		for (run = 0; run < 2; run++) {
			if (run)
				table_next_run(table);
			add(table, .status = RECORD_BROKEN, .start = morning);
			if (run == which)
				add(table, .attempt = 2, .value = 5.0, .start = noon);
			add_host(table, "b1", first_boot);
		}
		cell = finish(table);
		assert_int_equal(cell->nr_samples, 1);
		assert_int_equal(cell->nr_failed, 0);
		table_free(table);
	}
}

static void test_plan_of_a_copy(void **state)
{
	static const char plan[] =
		"{\"iterations\":4,\"cells\":[{\"id\":\"c\",\"column\":\"base\","
		"\"workload\":\"hackbench\",\"variant\":\"hackbench-process-pipes\","
		"\"parameters\":{}}]}";
	struct table *table = table_new();
	unsigned int run;

	(void)state;
	for (run = 0; run < 3; run++) {
		if (run)
			table_next_run(table);
		add_plan(table, "run", plan);
		/* The second is a copy of the first, the third a run of its own. */
		add(table, .cell = "c", .parameters = "{}", .value = 1.0,
		    .start = run < 2 ? morning : noon);
		add_host(table, "b1", first_boot);
	}
	table_finish(table, NULL, NULL, NULL);
	assert_int_equal(table->sections[0].rows[0].cells[0].nr_samples, 2);
	/* 8 are planned in all, and 2 are recorded. */
	assert_int_equal(table->sections[0].rows[0].cells[0].nr_unrecorded, 6);
	assert_int_equal(table->runs[1].nr_recorded, 1);
	table_free(table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_copy),
		cmocka_unit_test(test_copy_without_facts),
		cmocka_unit_test(test_two_runs_in_one_boot),
		cmocka_unit_test(test_same_start_elsewhere),
		cmocka_unit_test(test_tried_again),
		cmocka_unit_test(test_plan_of_a_copy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
