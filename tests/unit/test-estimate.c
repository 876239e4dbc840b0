// SPDX-License-Identifier: GPL-2.0-or-later
/* runner/estimate: from ledgers of earlier runs to a plan's time and room. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/err.h"
#include "lib/file.h"
#include "runner/estimate.h"
#include "runner/plan.h"
#include "tests/unit/fake-tree.h"

static char id_a[] = "aaaa", id_b[] = "bbbb", id_c[] = "cccc";
static char null_name[] = "null", other[] = "other", why[] = "too small";

static const char lines[] =
	"{\"schema\":\"schedgrid-record-1\",\"id\":\"1\",\"cell\":\"aaaa\",\"column\":\"x\","
	"\"workload\":\"null\",\"variant\":\"null\",\"status\":\"ok\",\"wall_ns\":1000000,"
	"\"boot\":\"b1\",\"iteration\":1,\"attempt\":1}\n"
	"{\"schema\":\"schedgrid-record-1\",\"id\":\"2\",\"cell\":\"aaaa\",\"column\":\"x\","
	"\"workload\":\"null\",\"variant\":\"null\",\"status\":\"ok\",\"wall_ns\":3000000,"
	"\"boot\":\"b1\",\"iteration\":2,\"attempt\":1}\n"
	"{\"schema\":\"schedgrid-record-1\",\"id\":\"3\",\"cell\":\"ffff\",\"column\":\"x\","
	"\"workload\":\"null\",\"variant\":\"null\",\"status\":\"ok\",\"wall_ns\":8000000}\n"
	"{\"schema\":\"schedgrid-record-1\",\"id\":\"4\",\"cell\":\"aaaa\",\"column\":\"x\","
	"\"workload\":\"null\",\"variant\":\"null\",\"status\":\"timeout\",\"wall_ns\":9}\n";

/* An estimate of a plan with warm-up 1 and 4 iterations, @nr of three cells. */
static struct estimate estimate_of(const char *dir, char *unfit, size_t nr)
{
	static char name[] = "no such grid";
	struct cell cells[] = {
		{ .id = id_a, .variant = null_name },
		{ .id = id_b, .variant = null_name },
		{ .id = id_c, .variant = other, .unfit = unfit },
	};
	const struct grid grid = { .name = name, .warmup = 1, .iterations = 4 };
	const struct plan plan = { .grid = &grid, .cells = cells, .nr_cells = nr };
	struct estimate estimate = { 0 };
	struct err err = { 0 };

	if (estimate_plan(&plan, dir, "", &estimate, &err))
		fail_msg("%s", err.text);
	return estimate;
}

static void test_estimate_plan(void **state)
{
	struct estimate estimate;
	struct fake_tree tree;
	char *dir;

	(void)state;
	fake_tree_init(&tree);
	dir = file_path("%s/run", tree.dir);
	estimate = estimate_of(dir, NULL, 3);
	assert_int_equal(estimate.nr_records, 0);
	assert_int_equal(estimate.nr_unknown, 3);
	fake_tree_file(&tree, "run/records.jsonl", lines);
	/* The mean of the cell's own; what failed or was cut off doesn't count. */
	estimate = estimate_of(dir, NULL, 1);
	assert_int_equal(estimate.nr_records, 3);
	assert_int_equal(estimate.nr_unknown, 0);
	assert_int_equal(estimate.nr_iterations, 5);
	assert_int_equal(estimate.wall_ns, 5 * 2000000);
	assert_int_equal(estimate.disk_bytes, 5 * (sizeof(lines) - 1) / 4);
	/* Else the mean of the variant, which is 4 ms; else nothing. */
	estimate = estimate_of(dir, NULL, 3);
	assert_int_equal(estimate.nr_unknown, 1);
	assert_int_equal(estimate.nr_iterations, 10);
	assert_int_equal(estimate.wall_ns, 5 * (2000000 + 4000000));
	/* A cell that is skipped takes nothing, and is no unknown one. */
	assert_int_equal(estimate_of(dir, why, 3).nr_unknown, 0);
	assert_int_equal(estimate_of(dir, why, 3).wall_ns, estimate.wall_ns);
	/* Raw output takes room too. */
	fake_tree_file(&tree, "run/raw/aaaa/b1-i1-a1/stdout", lines);
	assert_true(estimate_of(dir, NULL, 1).disk_bytes >= 5 * (sizeof(lines) - 1) / 4);
	free(dir);
	fake_tree_release(&tree);
}

static void test_estimate_plan_damaged(void **state)
{
	const struct grid grid = { .iterations = 1 };
	const struct plan plan = { .grid = &grid };
	struct estimate estimate = { .nr_unknown = 7 };
	struct fake_tree tree;
	struct err err = { 0 };

	(void)state;
	fake_tree_init(&tree);
	fake_tree_file(&tree, "records.jsonl", "{}\n");
	assert_int_equal(estimate_plan(&plan, tree.dir, "", &estimate, &err), -EPROTO);
	assert_non_null(strstr(err.text, "records.jsonl"));
	assert_int_equal(estimate.nr_unknown, 7);
	fake_tree_release(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_estimate_plan),
		cmocka_unit_test(test_estimate_plan_damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
