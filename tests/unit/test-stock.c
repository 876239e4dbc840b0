// SPDX-License-Identifier: GPL-2.0-or-later
/* What a run misses, from ledgers of a few lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/err.h"
#include "lib/file.h"
#include "runner/plan.h"
#include "runner/run.h"
#include "runner/rundir.h"
#include "runner/stock.h"
#include "tests/unit/fake-tree.h"

/* struct scene - two cells of one warm-up and two iterations; the second has one more */
struct scene {
	struct fake_tree tree;
	struct grid grid;
	struct cell cells[2];
	struct plan plan;
	uint64_t extra[2];
	struct rundir_length length;
	struct stock stock;
	char ledger[4096];
};

static void scene_init(struct scene *scene)
{
	static char first[] = "first", second[] = "second";
	struct err err = { 0 };

	memset(scene, 0, sizeof(*scene));
	fake_tree_init(&scene->tree);
	scene->grid.warmup = 1;
	scene->cells[0].id = first;
	scene->cells[1].id = second;
	scene->plan = (struct plan){
		.grid = &scene->grid,
		.cells = scene->cells,
		.nr_cells = 2,
	};
	scene->extra[1] = 1;
	scene->length = (struct rundir_length){
		.iterations = 2,
		.most = 3,
		.extra = scene->extra,
	};
	if (stock_open(&scene->stock, &scene->plan, NULL, &err))
		fail_msg("%s", err.text);
}

static void scene_release(struct scene *scene)
{
	stock_release(&scene->stock);
	fake_tree_release(&scene->tree);
}

/* A record of @cell in @boot: "w1" a warm-up, "i2" an iteration. */
static void ran(struct scene *scene, const char *cell, const char *boot,
		const char *which, const char *status)
{
	size_t len = strlen(scene->ledger);

	(void)snprintf(scene->ledger + len, sizeof(scene->ledger) - len,
		       "{\"schema\":\"schedgrid-record-1\",\"id\":\"%s/%s/%s/a1\","
		       "\"cell\":\"%s\",\"column\":\"c\",\"workload\":\"w\","
		       "\"variant\":\"w\",\"point\":{},\"parameters\":{},\"boot\":\"%s\","
		       "\"block\":%d,\"iteration\":%s,\"attempt\":1,\"seq\":1,"
		       "\"status\":\"%s\",\"flags\":[%s],\"metrics\":[]}\n",
		       cell, boot, which, cell, boot, *which == 'i', which + 1, status,
		       *which == 'w' ? "\"warmup\"" : "");
}

static int take(struct scene *scene, const char *boot, struct err *err)
{
	fake_tree_file(&scene->tree, "records.jsonl", scene->ledger);
	scene->stock.boot = boot;
	return stock_take(&scene->stock, scene->tree.dir, &scene->length, err);
}

static void take_well(struct scene *scene, const char *boot)
{
	struct err err = { 0 };

	if (take(scene, boot, &err))
		fail_msg("%s", err.text);
}

static void test_each_cell_has_its_own_length(void **state)
{
	struct scene scene;

	(void)state;
	scene_init(&scene);
	assert_int_equal(scene.stock.nr_wanted, 2);
	ran(&scene, "first", "b1", "w1", "ok");
	ran(&scene, "first", "b1", "i1", "failed");
	ran(&scene, "second", "b1", "i3", "ok");
	take_well(&scene, "b1");
	assert_int_equal(scene.stock.nr_records, 3);
	assert_int_equal(stock_iterations(&scene.stock, 0), 2);
	assert_int_equal(stock_iterations(&scene.stock, 1), 3);
	assert_int_equal(stock_count(&scene.stock, 0), 1);
	assert_int_equal(stock_count(&scene.stock, 1), 3);
	assert_int_equal(stock_count_failed(&scene.stock), 1);
	assert_false(stock_is_missing(&scene.stock, 0, false, 1));
	assert_true(stock_is_missing(&scene.stock, 0, false, 2));
	assert_false(stock_is_missing(&scene.stock, 0, false, 3));
	assert_int_not_equal(*stock_state(&scene.stock, 1, false, 3), 0);
	scene.stock.is_wanted[1] = false;
	assert_int_equal(stock_count(&scene.stock, 1), 0);
	scene_release(&scene);
}

static void test_a_start_of_the_kernel_warms_up_for_what_is_missing(void **state)
{
	struct scene scene;

	(void)state;
	scene_init(&scene);
	ran(&scene, "first", "b1", "w1", "ok");
	ran(&scene, "first", "b1", "i1", "ok");
	ran(&scene, "first", "b1", "i2", "ok");
	ran(&scene, "second", "b1", "w1", "ok");
	ran(&scene, "second", "b1", "i1", "ok");
	take_well(&scene, "b1");
	assert_false(stock_is_missing(&scene.stock, 1, true, 1));
	take_well(&scene, "b2");
	/* The first has all that it is to have. */
	assert_false(stock_is_missing(&scene.stock, 0, true, 1));
	assert_true(stock_is_missing(&scene.stock, 1, true, 1));
	assert_int_equal(stock_count(&scene.stock, 1), 3);
	ran(&scene, "second", "b2", "w1", "ok");
	take_well(&scene, "b2");
	assert_false(stock_is_missing(&scene.stock, 1, true, 1));
	scene_release(&scene);
}

static void test_records_beyond_the_plan_are_refused(void **state)
{
	struct scene scene;
	struct err err = { 0 };

	(void)state;
	scene_init(&scene);
	ran(&scene, "first", "b1", "i3", "ok");
	assert_int_equal(take(&scene, "b1", &err), -EPROTO);
	assert_non_null(strstr(err.text, "is not of this run's plan"));
	scene_release(&scene);

	scene_init(&scene);
	ran(&scene, "third", "b1", "i1", "ok");
	assert_int_equal(take(&scene, "b1", NULL), -EPROTO);
	scene_release(&scene);
}

static void test_a_part_has_its_own_cells_and_iterations(void **state)
{
	static const bool columns[] = { true };
	static const struct run_part part = {
		.row = 1, .columns = columns, .first = 2, .last = 3
	};
	struct scene scene;

	(void)state;
	scene_init(&scene);
	scene.cells[1].row = 1;
	stock_choose(&scene.stock, &part);
	assert_int_equal(scene.stock.nr_wanted, 1);
	take_well(&scene, "b1");
	assert_int_equal(stock_count(&scene.stock, 0), 0);
	/* Its two iterations, and the warm-up. */
	assert_int_equal(stock_count(&scene.stock, 1), 3);
	assert_false(stock_is_missing(&scene.stock, 1, false, 1));
	ran(&scene, "second", "b1", "i2", "ok");
	ran(&scene, "second", "b1", "i3", "ok");
	take_well(&scene, "b1");
	/* The first iteration is another part's: nothing warms up for it. */
	assert_int_equal(stock_count(&scene.stock, 1), 0);
	scene_release(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_cell_has_its_own_length),
		cmocka_unit_test(test_a_start_of_the_kernel_warms_up_for_what_is_missing),
		cmocka_unit_test(test_records_beyond_the_plan_are_refused),
		cmocka_unit_test(test_a_part_has_its_own_cells_and_iterations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
