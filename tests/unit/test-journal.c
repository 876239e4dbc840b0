// SPDX-License-Identifier: GPL-2.0-or-later
/* The journal on a made-up tree: written before, read back, put back in reverse order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/err.h"
#include "runner/journal.h"
#include "tests/unit/fake-tree.h"

#define A "/proc/sys/kernel/a"
#define B "/sys/kernel/b"

static void expect_file(const struct fake_tree *tree, const char *path, const char *text)
{
	char *now = journal_read_file(tree->dir, path);

	assert_non_null(now);
	assert_string_equal(now, text);
	free(now);
}

static struct journal *open_tree(const struct fake_tree *tree, enum journal_use use)
{
	struct journal *journal = NULL;
	struct err err = { 0 };

	assert_int_equal(journal_open(tree->dir, use, &journal, &err), 0);
	return journal;
}

static int write_two(struct journal *journal, const char *b, struct err *err)
{
	struct journal_writes writes = { 0 };

	assert_non_null(journal_add(&writes, JOURNAL_VALUE, A, "1"));
	assert_non_null(journal_add(&writes, JOURNAL_VALUE, B, b));
	return journal_apply(journal, &writes, "run", err);
}

static void make_two(struct fake_tree *tree)
{
	fake_tree_init(tree);
	fake_tree_file(tree, &A[1], "0\n");
	fake_tree_file(tree, &B[1], "always [madvise] never\n");
}

static void test_apply_check_restore(void **state)
{
	struct fake_tree tree;
	struct journal *journal;
	struct err err = { 0 };
	struct stat info;
	char text[256];
	char path[128];

	(void)state;
	make_two(&tree);
	assert_null(open_tree(&tree, JOURNAL_MEASURE));
	journal = open_tree(&tree, JOURNAL_CHANGE);
	assert_string_equal(journal_root(journal), tree.dir);
	assert_int_equal(write_two(journal, "never", &err), 0);
	expect_file(&tree, A, "1");
	expect_file(&tree, B, "never");
	(void)snprintf(path, sizeof(path), "%s/var/lib/schedgrid/journal", tree.dir);
	assert_int_equal(stat(path, &info), 0);
	assert_int_equal(info.st_mode & 0777, 0600);
	assert_true(info.st_size > 0);
	assert_true(journal_check(journal, text, sizeof(text)));
	fake_tree_file(&tree, &A[1], "5\n");
	assert_false(journal_check(journal, text, sizeof(text)));
	assert_non_null(strstr(text, "was set to '1' and says '5'"));
	assert_int_equal(journal_restore(journal, &err), 0);
	expect_file(&tree, A, "0");
	expect_file(&tree, B, "madvise");
	assert_int_equal(stat(path, &info), 0);
	assert_int_equal(info.st_size, 0);
	journal_close(journal);
	journal_close(NULL);
	fake_tree_release(&tree);
}

static void test_whoever_comes_next_puts_back(void **state)
{
	struct journal_report report = { 0 };
	struct journal_writes left = { 0 };
	struct fake_tree tree;
	struct journal *journal;
	struct err err = { 0 };

	(void)state;
	make_two(&tree);
	journal = open_tree(&tree, JOURNAL_CHANGE);
	assert_int_equal(write_two(journal, "never", &err), 0);
	journal_close(journal);
	journal = open_tree(&tree, JOURNAL_MEASURE);
	assert_int_equal(journal_list(journal, &left, &err), 0);
	assert_int_equal(left.nr, 2);
	assert_string_equal(left.write[1].before, "madvise");
	journal_writes_release(&left);
	fake_tree_file(&tree, &A[1], "7\n");
	assert_int_equal(journal_recover(journal, &report, &err), 0);
	assert_int_equal(report.nr_restored, 2);
	assert_string_equal(report.run, "run");
	assert_int_equal(report.nr_notes, 1);
	assert_non_null(strstr(report.notes[0], "had been changed to '7' meanwhile"));
	journal_report_release(&report);
	expect_file(&tree, A, "0");
	assert_int_equal(journal_recover(journal, &report, &err), 0);
	assert_int_equal(report.nr_restored, 0);
	journal_close(journal);
	fake_tree_release(&tree);
}

static void test_what_refuses_is_told_and_what_was_written_is_put_back(void **state)
{
	struct fake_tree tree;
	struct journal *journal;
	struct err err = { 0 };
	char path[128];

	(void)state;
	make_two(&tree);
	(void)snprintf(path, sizeof(path), "%s" B, tree.dir);
	assert_int_equal(chmod(path, 0444), 0);
	journal = open_tree(&tree, JOURNAL_CHANGE);
	assert_int_equal(write_two(journal, "never", &err), -EACCES);
	assert_non_null(strstr(err.text, "this kernel lets nobody write '" B "'"));
	expect_file(&tree, A, "1");
	memset(&err, 0, sizeof(err));
	assert_int_equal(journal_restore(journal, &err), 0);
	expect_file(&tree, A, "0");
	journal_close(journal);
	fake_tree_release(&tree);
}

static void test_what_cannot_be_put_back_stays_until_it_is_forgotten(void **state)
{
	struct journal_writes left = { 0 };
	struct fake_tree tree;
	struct journal *journal;
	struct err err = { 0 };
	char path[128];

	(void)state;
	make_two(&tree);
	journal = open_tree(&tree, JOURNAL_CHANGE);
	assert_int_equal(write_two(journal, "never", &err), 0);
	(void)snprintf(path, sizeof(path), "%s" A, tree.dir);
	assert_int_equal(chmod(path, 0444), 0);
	assert_int_equal(journal_recover(journal, NULL, &err), -EACCES);
	expect_file(&tree, B, "madvise");
	memset(&err, 0, sizeof(err));
	assert_int_equal(journal_list(journal, &left, &err), 0);
	assert_int_equal(left.nr, 1);
	assert_string_equal(left.write[0].path, A);
	assert_string_equal(left.write[0].before, "0");
	journal_writes_release(&left);
	assert_int_equal(journal_forget(journal, &err), 0);
	assert_int_equal(journal_recover(journal, NULL, &err), 0);
	expect_file(&tree, A, "1");
	journal_close(journal);
	fake_tree_release(&tree);
}

static void test_another_level_under_the_same_number_is_left_alone(void **state)
{
	struct journal_write write = { JOURNAL_VALUE, NULL, NULL, NULL, NULL, NULL };
	struct fake_tree tree;
	struct err err = { 0 };
	char *note = NULL;

	(void)state;
	make_two(&tree);
	fake_tree_file(&tree, "sys/kernel/name", "MC\n");
	write.path = strdup(A);
	write.value = strdup("1");
	write.before = strdup("9");
	write.beside = strdup("/sys/kernel/name");
	write.says = strdup("SMT");
	assert_int_equal(journal_undo(tree.dir, &write, &note, &err), 0);
	assert_non_null(strstr(note, "is another's"));
	expect_file(&tree, A, "0");
	free(note);
	fake_tree_file(&tree, "sys/kernel/name", "SMT\n");
	assert_int_equal(journal_undo(tree.dir, &write, &note, &err), 0);
	expect_file(&tree, A, "9");
	free(note);
	free(write.path);
	free(write.value);
	free(write.before);
	free(write.beside);
	free(write.says);
	fake_tree_release(&tree);
}

static void test_words_of_a_list(void **state)
{
	struct journal_writes writes = { 0 };
	struct fake_tree tree;
	struct err err = { 0 };
	char *now;

	(void)state;
	fake_tree_init(&tree);
	fake_tree_file(&tree, &A[1], "WA_IDLE NO_WA_WEIGHT cpu\n");
	assert_non_null(journal_add(&writes, JOURNAL_WORD, A, "WA_WEIGHT"));
	assert_non_null(journal_add(&writes, JOURNAL_WORD, A, "NO_WA_IDLE"));
	assert_non_null(journal_add(&writes, JOURNAL_PART, A, "+cpuset"));
	now = journal_now(tree.dir, &writes.write[0]);
	assert_string_equal(now, "NO_WA_WEIGHT");
	free(now);
	now = journal_now(tree.dir, &writes.write[1]);
	assert_string_equal(now, "WA_IDLE");
	free(now);
	now = journal_now(tree.dir, &writes.write[2]);
	assert_string_equal(now, "-cpuset");
	free(now);
	/* A plain file takes one word for all of its list, so it reads back otherwise. */
	assert_int_equal(journal_do(tree.dir, &writes.write[2], &err), -EOPNOTSUPP);
	assert_non_null(strstr(err.text, "took '+cpuset' and reads back '-cpuset'"));
	journal_writes_release(&writes);
	assert_true(journal_is_same("1\t2  3\n", "1 2 3"));
	assert_false(journal_is_same("1 2", "1 2 3"));
	assert_int_equal(journal_may_write(tree.dir, "/proc/none", NULL), -ENOENT);
	assert_int_equal(journal_poke(tree.dir, A, "3", NULL), 0);
	expect_file(&tree, A, "3");
	fake_tree_release(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_apply_check_restore),
		cmocka_unit_test(test_whoever_comes_next_puts_back),
		cmocka_unit_test(
			test_what_refuses_is_told_and_what_was_written_is_put_back),
		cmocka_unit_test(
			test_what_cannot_be_put_back_stays_until_it_is_forgotten),
		cmocka_unit_test(test_another_level_under_the_same_number_is_left_alone),
		cmocka_unit_test(test_words_of_a_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
