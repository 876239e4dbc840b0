// SPDX-License-Identifier: GPL-2.0-or-later
/* runner/quiet: waiting beside counters that are made up. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/clock.h"
#include "lib/file.h"
#include "lib/proc.h"
#include "runner/grid.h"
#include "runner/guard.h"
#include "runner/quiet.h"
#include "tests/unit/fake-tree.h"

struct stage {
	struct fake_tree tree;
	struct guard *guard;
	struct proc_watch watch;
};

static void stage_init(struct stage *stage, const char *stat)
{
	fake_tree_init(&stage->tree);
	if (stat)
		fake_tree_file(&stage->tree, "proc/stat", stat);
	assert_int_equal(guard_open(stage->tree.dir, &stage->guard, NULL), 0);
	assert_int_equal(proc_watch_open(&stage->watch, NULL), 0);
}

static void stage_release(struct stage *stage)
{
	proc_watch_close(&stage->watch);
	guard_close(stage->guard);
	fake_tree_release(&stage->tree);
}

/* Lets the counters be those of @stat from the second look on. */
static void after_first_look(struct stage *stage, const char *stat)
{
	struct guard_snapshot first;
	char *path = file_path("%s/proc/stat", stage->tree.dir);
	FILE *out;

	/* It stands for the wait's own first look, being younger than a tenth. */
	guard_look(stage->guard, &first);
	out = fopen(path, "we");
	assert_non_null(out);
	assert_true(fputs(stat, out) >= 0);
	assert_int_equal(fclose(out), 0);
	free(path);
}

static void test_quiet_wait(void **state)
{
	const struct grid_quiet rule = { .max_foreign = 0.06, .wait_ns = CLOCK_SEC / 10 };
	struct stage stage;
	double busy = -1.0;

	(void)state;
	/* 4 of 100 ticks. */
	stage_init(&stage, "cpu  100 0 0 1000 0 0 0 0 0 0\n");
	after_first_look(&stage, "cpu  104 0 0 1096 0 0 0 0 0 0\n");
	assert_int_equal(quiet_wait(&rule, stage.guard, &stage.watch, &busy), 0);
	assert_float_equal(busy, -1.0, 0.0);
	stage_release(&stage);
	/* 30 of 100, and the wait is over after one window. */
	stage_init(&stage, "cpu  100 0 0 1000 0 0 0 0 0 0\n");
	after_first_look(&stage, "cpu  120 5 5 1070 0 0 0 0 0 0\n");
	assert_int_equal(quiet_wait(&rule, stage.guard, &stage.watch, &busy), -ETIMEDOUT);
	assert_float_equal(busy, 0.3, 0.02);
	stage_release(&stage);
}

static void test_quiet_wait_not_known(void **state)
{
	const struct grid_quiet rule = { .max_foreign = 0.06, .wait_ns = CLOCK_SEC };
	struct stage stage;
	double busy = 0;

	(void)state;
	stage_init(&stage, NULL);
	assert_int_equal(quiet_wait(&rule, stage.guard, &stage.watch, &busy), 0);
	stage_release(&stage);
}

static void test_quiet_wait_signal(void **state)
{
	const struct grid_quiet rule = { .max_foreign = 0.06, .wait_ns = CLOCK_SEC };
	struct stage stage;
	double busy = 0;

	(void)state;
	stage_init(&stage, "cpu  100 0 0 1000 0 0 0 0 0 0\n");
	(void)raise(SIGHUP);
	assert_int_equal(quiet_wait(&rule, stage.guard, &stage.watch, &busy), -EINTR);
	stage_release(&stage);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quiet_wait),
		cmocka_unit_test(test_quiet_wait_not_known),
		cmocka_unit_test(test_quiet_wait_signal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
