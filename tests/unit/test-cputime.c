// SPDX-License-Identifier: GPL-2.0-or-later
/* runner/cputime: made-up counters, and what others took between two of them. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/clock.h"
#include "lib/file.h"
#include "runner/cputime.h"
#include "tests/unit/fake-tree.h"

static struct cputime read_text(const char *text)
{
	struct cputime found;
	struct fake_tree tree;
	char *path;
	int fd;

	fake_tree_init(&tree);
	fake_tree_file(&tree, "stat", text);
	path = file_path("%s/stat", tree.dir);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	cputime_read(fd, &found);
	(void)close(fd);
	free(path);
	fake_tree_release(&tree);
	return found;
}

static void test_cputime_read(void **state)
{
	struct cputime found =
		read_text("cpu  10 20 30 400 50 6 7 8 9 1\ncpu0 1 2 3\nintr 5\n");

	(void)state;
	assert_int_equal(found.task_ticks, 60);
	assert_int_equal(found.irq_ticks, 13);
	assert_int_equal(found.steal_ticks, 8);
	/* A guest's time is in user time already. */
	assert_int_equal(found.all_ticks, 531);
	assert_true(found.at_ns > 0);
	assert_true(found.own_ns > 0);
}

static void test_cputime_read_nothing(void **state)
{
	struct cputime found;

	(void)state;
	cputime_read(-1, &found);
	assert_int_equal(found.all_ticks, 0);
	assert_true(found.at_ns > 0);
	/* Kernels before 2.6.11 count no steal time. */
	assert_int_equal(read_text("cpu  10 20 30 400 50 6 7\ncpu0 1\n").all_ticks, 0);
	assert_int_equal(read_text("cpux 1 2 3 4 5 6 7 8\n").all_ticks, 0);
	assert_int_equal(read_text("").all_ticks, 0);
}

/* 10 s of 4 CPUs at 100 ticks a second, half of it spent in tasks. */
static const struct cputime before = { .at_ns = 5 * CLOCK_SEC,
				       .task_ticks = 1000,
				       .irq_ticks = 10,
				       .all_ticks = 50000,
				       .own_ns = CLOCK_SEC };
static const struct cputime after = { .at_ns = 15 * CLOCK_SEC,
				      .task_ticks = 3000,
				      .irq_ticks = 50,
				      .all_ticks = 54000,
				      .own_ns = 15 * CLOCK_SEC };

static void test_cputime_foreign(void **state)
{
	struct cputime end = after;
	struct cputime_foreign found;

	(void)state;
	assert_int_equal(sysconf(_SC_CLK_TCK), 100);
	/* 20 s in tasks, 14 s of them ours. */
	assert_true(cputime_foreign(&before, &end, &found));
	assert_float_equal(found.share, 0.15, 1e-9);
	assert_float_equal(found.irq_share, 0.01, 1e-9);
	assert_float_equal(found.error, 0.00175, 1e-9);
	/* Charged with more than was spent. */
	end.own_ns = 25 * CLOCK_SEC;
	assert_true(cputime_foreign(&before, &end, &found));
	assert_float_equal(found.share, -0.1, 1e-9);
}

static void test_cputime_foreign_not_known(void **state)
{
	struct cputime_foreign found;
	struct cputime end = after;

	(void)state;
	assert_false(cputime_foreign(&before, &before, &found));
	assert_false(cputime_foreign(&(struct cputime){ 0 }, &after, &found));
	end.all_ticks = 0;
	assert_false(cputime_foreign(&before, &end, &found));
	/* A CPU went away, and its time with it. */
	end = after;
	end.task_ticks = before.task_ticks - 1;
	assert_false(cputime_foreign(&before, &end, &found));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cputime_read),
		cmocka_unit_test(test_cputime_read_nothing),
		cmocka_unit_test(test_cputime_foreign),
		cmocka_unit_test(test_cputime_foreign_not_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
