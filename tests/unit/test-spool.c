// SPDX-License-Identifier: GPL-2.0-or-later
/* runner/spool: entries are whole or not there, once each, and nobody else's business. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "lib/err.h"
#include "lib/file.h"
#include "runner/spool.h"
#include "tests/unit/fake-tree.h"

static char name_a[] = "a.txt", name_b[] = "b.txt", type[] = "text/plain";
static const struct spool_part parts[] = { { name_a, type, "first", 5 },
					   { name_b, type, "sec\0nd", 6 } };

static char *add(const char *spool, const char *target, uint64_t now_s, size_t nr)
{
	const struct spool_content content = { target, parts, nr };
	struct err err = { 0 };
	char *id = NULL;

	if (spool_add(spool, &content, now_s, &id, &err))
		fail_msg("%s", err.text);
	return id;
}

static char *folder(const struct fake_tree *tree)
{
	char *path = file_path("%s/state/spool", tree->dir);

	assert_non_null(path);
	return path;
}

static void test_entry_comes_back(void **state)
{
	struct fake_tree tree;
	struct spool_entry entry;
	struct err err = { 0 };
	struct stat info;
	char *bytes = NULL;
	size_t len = 0;
	char *spool, *id;

	(void)state;
	fake_tree_init(&tree);
	spool = folder(&tree);
	id = add(spool, "archive", 1000, 2);
	assert_int_equal(stat(spool, &info), 0);
	assert_int_equal(info.st_mode & 0777, 0700);
	assert_int_equal(spool_open(spool, id, &entry, &err), 0);
	assert_string_equal(entry.target, "archive");
	assert_int_equal(entry.nr_parts, 2);
	assert_int_equal(entry.created_s, 1000);
	assert_int_equal(entry.nr_sent, 0);
	assert_null(entry.reason);
	assert_string_equal(entry.parts[1].name, "b.txt");
	assert_int_equal(spool_read_part(&entry, 1, &bytes, &len, &err), 0);
	assert_int_equal(len, 6);
	assert_memory_equal(bytes, "sec\0nd", 6);
	free(bytes);
	spool_close(&entry);
	free(id);
	free(spool);
	fake_tree_release(&tree);
}

static void test_same_is_there_once(void **state)
{
	struct fake_tree tree;
	struct err err = { 0 };
	char **ids = NULL;
	char *spool, *first, *again, *other, *fewer;

	(void)state;
	fake_tree_init(&tree);
	spool = folder(&tree);
	assert_int_equal(spool_list(spool, &ids, &err), 0);
	assert_null(ids[0]);
	spool_list_free(ids);
	first = add(spool, "z", 1000, 2);
	again = add(spool, "z", 3000, 2);
	other = add(spool, "a", 2000, 2);
	fewer = add(spool, "z", 500, 1);
	assert_string_equal(first, again);
	assert_string_not_equal(first, fewer);
	assert_int_equal(spool_list(spool, &ids, &err), 0);
	assert_string_equal(ids[0], fewer);
	assert_string_equal(ids[1], first);
	assert_string_equal(ids[2], other);
	assert_null(ids[3]);
	spool_list_free(ids);
	free(first);
	free(again);
	free(other);
	free(fewer);
	free(spool);
	fake_tree_release(&tree);
}

static void test_progress_is_kept(void **state)
{
	struct fake_tree tree;
	struct spool_entry entry, second;
	struct err err = { 0 };
	char *spool, *id;

	(void)state;
	fake_tree_init(&tree);
	spool = folder(&tree);
	id = add(spool, "archive", 1000, 2);
	assert_int_equal(spool_open(spool, id, &entry, &err), 0);
	assert_int_equal(spool_open(spool, id, &second, &err), -EBUSY);
	entry.nr_sent = 1;
	entry.next_s = 77;
	entry.nr_tries = 3;
	entry.is_failed = true;
	entry.reason = strdup("it says no");
	entry.ticket = strdup("no 7");
	assert_int_equal(spool_save(&entry, NULL), 0);
	spool_close(&entry);
	assert_int_equal(spool_open(spool, id, &entry, NULL), 0);
	assert_int_equal(entry.nr_sent, 1);
	assert_int_equal(entry.next_s, 77);
	assert_int_equal(entry.nr_tries, 3);
	assert_true(entry.is_failed);
	assert_string_equal(entry.reason, "it says no");
	assert_string_equal(entry.ticket, "no 7");
	assert_int_equal(spool_remove(&entry, NULL), 0);
	spool_close(&entry);
	assert_int_equal(spool_open(spool, id, &entry, NULL), -ENOENT);
	free(id);
	free(spool);
	fake_tree_release(&tree);
}

static void test_what_a_crash_left_is_swept(void **state)
{
	const uint64_t far_s = UINT64_C(1) << 33;
	struct fake_tree tree;
	struct stat info;
	char *spool, *half;

	(void)state;
	fake_tree_init(&tree);
	spool = folder(&tree);
	free(add(spool, "a", 1000, 1));
	fake_tree_file(&tree, "state/spool/.new-x.abc/0", "half");
	half = file_path("%s/.new-x.abc", spool);
	/* It may be another's, at work. */
	free(add(spool, "b", 1000, 1));
	assert_int_equal(stat(half, &info), 0);
	free(add(spool, "c", far_s, 1));
	assert_int_equal(stat(half, &info), -1);
	free(half);
	free(spool);
	fake_tree_release(&tree);
}

static void test_foreign_and_open_folders_are_refused(void **state)
{
	const struct spool_content content = { "archive", parts, 1 };
	struct fake_tree tree;
	struct spool_entry entry;
	struct err err = { 0 };
	char **ids = NULL;
	char *spool, *id;

	(void)state;
	fake_tree_init(&tree);
	spool = folder(&tree);
	id = add(spool, "archive", 1000, 1);
	fake_tree_file(&tree, "state/spool/odd/entry.json", "{\"schema\": \"else\"}");
	/* It doesn't hide the others. */
	assert_int_equal(spool_list(spool, &ids, &err), 0);
	assert_string_equal(ids[0], "odd");
	assert_string_equal(ids[1], id);
	spool_list_free(ids);
	assert_int_equal(spool_open(spool, "odd", &entry, &err), -EPROTO);
	assert_non_null(strstr(err.text, "schedgrid-spool-1"));
	assert_int_equal(spool_open(spool, "../spool", &entry, NULL), -ENOENT);
	assert_int_equal(chmod(spool, 0755), 0);
	free(id);
	memset(&err, 0, sizeof(err));
	assert_int_equal(spool_add(spool, &content, 1, &id, &err), -EPERM);
	assert_non_null(strstr(err.text, "0700"));
	free(spool);
	fake_tree_release(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_entry_comes_back),
		cmocka_unit_test(test_same_is_there_once),
		cmocka_unit_test(test_progress_is_kept),
		cmocka_unit_test(test_what_a_crash_left_is_swept),
		cmocka_unit_test(test_foreign_and_open_folders_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
