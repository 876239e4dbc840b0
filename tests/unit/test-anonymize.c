// SPDX-License-Identifier: GPL-2.0-or-later
/* runner/anonymize: names and paths go, numbers and words of ours stay (BL-099). */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/err.h"
#include "lib/file.h"
#include "runner/anonymize.h"
#include "tests/unit/fake-tree.h"

static char bob[] = "bob", bobby[] = "bob-lab", user[] = "user", machine[] = "machine-1";
static struct anonymize_name list[] = { { bob, user }, { bobby, machine } };
static const struct anonymize_names names = { list, 2 };

static void becomes(const char *text, const char *wanted)
{
	char *got = anonymize_text(&names, text);

	assert_non_null(got);
	assert_string_equal(got, wanted);
	free(got);
}

static void test_words_and_paths_go(void **state)
{
	(void)state;
	becomes("", "");
	becomes("bob", "user");
	becomes("by bob.", "by user.");
	becomes("bobsled, kabob, bob_2", "bobsled, kabob, bob_2");
	becomes("bob-lab.example.org is up", "machine-1 is up");
	becomes("wake-bob-x", "wake-user-x");
	becomes("see /srv/alice/a.c, or '/x'", "see PATH, or 'PATH'");
	becomes("--dir=/srv/x --rate=3", "--dir=PATH --rate=3");
	becomes("MB/s 1/2 a / b", "MB/s 1/2 a / b");
}

static void test_bl_099_a_copy_has_allowed_keys_only(void **state)
{
	struct anonymize_names found;
	struct fake_tree tree;
	struct err err = { 0 };
	char *out, *text;
	size_t len;

	(void)state;
	fake_tree_init(&tree);
	fake_tree_file(&tree, "records.jsonl",
		       "{\"id\":\"c/b1\",\"machine\":\"ok\",\"status\":\"ok\","
		       "\"reason\":\"ok has /a/b\",\"secret\":1,"
		       "\"metrics\":[{\"samples\":[0.1]}]}\n{\"torn");
	fake_tree_file(&tree, "hosts/b1.json",
		       "{\"machine\": \"ok\", \"cmdline\": \"root=UUID=7\", "
		       "\"tainted\": \"0\"}");
	fake_tree_file(&tree, "hosts/b1.config", "CONFIG_X=y\n");
	fake_tree_file(&tree, "raw/c/out", "ok\n");
	out = file_path("%s/out", tree.dir);
	assert_int_equal(anonymize_names_read(tree.dir, &found, &err), 0);
	assert_true(found.nr >= 1);
	assert_string_equal(found.name[0].name, "ok");
	if (anonymize_run(tree.dir, &found, out, &err))
		fail_msg("%s", err.text);
	text = fake_tree_read(&tree, "out/records.jsonl", &len);
	/* The machine is called as a status is, which stays. */
	assert_string_equal(text, "{\"id\":\"c/b1\",\"machine\":\"machine-1\","
				  "\"status\":\"ok\","
				  "\"reason\":\"machine-1 has PATH\","
				  "\"metrics\":[{\"samples\":[0.1]}]}\n");
	free(text);
	text = fake_tree_read(&tree, "out/hosts/b1.json", &len);
	assert_null(strstr(text, "cmdline"));
	assert_non_null(strstr(text, "\"tainted\": \"0\""));
	free(text);
	free(out);
	out = file_path("%s/out/raw", tree.dir);
	assert_int_equal(file_sync_dir(out, NULL), -ENOENT);
	free(out);
	out = file_path("%s/out/hosts/b1.config", tree.dir);
	assert_int_equal(file_read(out, 100, &text, NULL, NULL), -ENOENT);
	free(out);
	anonymize_names_release(&found);
	fake_tree_release(&tree);
}

static void test_damage_is_named(void **state)
{
	struct anonymize_names found;
	struct fake_tree tree;
	struct err err = { 0 };

	(void)state;
	fake_tree_init(&tree);
	fake_tree_file(&tree, "records.jsonl", "{\"torn\n{}\n");
	assert_int_equal(anonymize_names_read(tree.dir, &found, &err), -EPROTO);
	assert_non_null(strstr(err.text, "records.jsonl"));
	anonymize_names_release(&found);
	fake_tree_release(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words_and_paths_go),
		cmocka_unit_test(test_bl_099_a_copy_has_allowed_keys_only),
		cmocka_unit_test(test_damage_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
