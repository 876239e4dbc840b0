// SPDX-License-Identifier: GPL-2.0-or-later
/* lib/digest: SHA-256 of bytes and files, against the standard's own examples. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/digest.h"
#include "lib/err.h"
#include "lib/file.h"
#include "tests/unit/fake-tree.h"

static const char of_nothing[] =
	"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
static const char of_abc[] =
	"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

static void test_digest_bytes(void **state)
{
	char hex[DIGEST_HEX + 1];

	(void)state;
	digest_bytes("", 0, hex);
	assert_string_equal(hex, of_nothing);
	digest_bytes("abc", 3, hex);
	assert_string_equal(hex, of_abc);
	digest_bytes("abc\0d", 3, hex);
	assert_string_equal(hex, of_abc);
}

static void test_digest_file(void **state)
{
	char hex[DIGEST_HEX + 1];
	struct fake_tree tree;
	struct err err = { 0 };
	char *abc, *empty;

	(void)state;
	fake_tree_init(&tree);
	fake_tree_file(&tree, "abc", "abc");
	fake_tree_file(&tree, "empty", "");
	abc = file_path("%s/abc", tree.dir);
	empty = file_path("%s/empty", tree.dir);
	assert_int_equal(digest_file(abc, hex, NULL), 0);
	assert_string_equal(hex, of_abc);
	assert_int_equal(digest_file(empty, hex, NULL), 0);
	assert_string_equal(hex, of_nothing);
	assert_int_equal(digest_file(tree.dir, hex, &err), -EISDIR);
	assert_non_null(strstr(err.text, tree.dir));
	fake_tree_release(&tree);
	err = (struct err){ 0 };
	assert_int_equal(digest_file(abc, hex, &err), -ENOENT);
	assert_non_null(strstr(err.text, "abc': No such file"));
	free(abc);
	free(empty);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_digest_bytes),
		cmocka_unit_test(test_digest_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
