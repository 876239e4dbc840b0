// SPDX-License-Identifier: GPL-2.0-or-later
/* Submissions for KCIDB: what a table becomes, and what the schema doesn't allow. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compare/load.h"
#include "compare/publish_kcidb.h"
#include "compare/table.h"
#include "lib/err.h"
#include "lib/json.h"
#include "tests/unit/fake-tree.h"

#define RECORD(COLUMN, ITERATION, STATUS, METRICS)                                    \
	"{\"schema\":\"schedgrid-record-1\",\"id\":\"" COLUMN "/b1/i" ITERATION       \
	"/a1\",\"cell\":\"" COLUMN "\",\"column\":\"" COLUMN                          \
	"\",\"workload\":\"hackbench\",\"variant\":\"hackbench-process pipes\","      \
	"\"point\":{\"groups\":4},\"parameters\":{\"groups\":4},\"machine\":\"m\","   \
	"\"executor\":\"local\",\"boot\":\"b1\",\"block\":1,\"iteration\":" ITERATION \
	",\"attempt\":1,\"seq\":" ITERATION ",\"status\":\"" STATUS                   \
	"\",\"flags\":[],\"start\":\"2026-12-01T02:00:0" ITERATION                    \
	".123Z\",\"metrics\":[" METRICS "]}\n"

#define TIME(SAMPLE) \
	"{\"name\":\"time\",\"unit\":\"s\",\"better\":\"lower\",\"samples\":[" SAMPLE "]}"

static struct jval *submission(const char *records)
{
	const struct kcidb_source source = { "our_lab", "run", "1" };
	struct fake_tree tree;
	const char *dir = tree.dir;
	const struct load_options load = { .dirs = &dir, .nr_dirs = 1 };
	struct table *table = NULL;
	struct jval *json = NULL;
	struct err err = { 0 };

	fake_tree_init(&tree);
	fake_tree_file(&tree, "records.jsonl", records);
	if (load_table(&load, &table, &err) || kcidb_json(table, &source, &json, &err))
		fail_msg("%s", err.text);
	table_free(table);
	fake_tree_release(&tree);
	return json;
}

static void test_cells_become_tests(void **state)
{
	struct jval *json = submission(RECORD("a", "1", "ok", TIME("0.5")) RECORD(
		"a", "2", "ok", TIME("0.75")) RECORD("b", "1", "failed", ""));
	const struct jval *tests = jval_get(json, "tests");
	const struct jval *done = jval_item(tests, 0);
	const struct jval *failed = jval_item(tests, 1);
	double value = 0;

	(void)state;
	assert_int_equal(jval_count(jval_get(json, "checkouts")), 1);
	assert_int_equal(jval_count(jval_get(json, "builds")), 2);
	assert_int_equal(jval_count(tests), 2);
	assert_string_equal(jval_get_text(done, "status"), "DONE");
	assert_string_equal(jval_get_text(done, "path"),
			    "schedgrid.hackbench.hackbench-process_pipes.4.time");
	assert_string_equal(jval_get_text(done, "start_time"),
			    "2026-12-01T02:00:01.123Z");
	assert_true(jval_real(jval_get(jval_get(done, "number"), "value"), &value));
	assert_true(value == 0.625);
	assert_string_equal(jval_get_text(jval_get(done, "number"), "unit"), "s");
	assert_int_equal(jval_count(jval_get(jval_get(done, "misc"), "samples")), 2);
	assert_int_equal(strncmp(jval_get_text(done, "id"), "our_lab:", 8), 0);
	/* Not measured is no number. */
	assert_string_equal(jval_get_text(failed, "status"), "ERROR");
	assert_null(jval_get(failed, "number"));
	jval_free(json);
}

static void test_same_run_has_same_ids(void **state)
{
	struct jval *one = submission(RECORD("a", "1", "ok", TIME("0.5")));
	struct jval *two = submission(RECORD("a", "1", "ok", TIME("0.5")));

	(void)state;
	assert_true(jval_equal(one, two));
	jval_free(one);
	jval_free(two);
}

#define BEFORE                                                                    \
	"{\"version\":{\"major\":5,\"minor\":3},\"checkouts\":[{\"id\":\"o:c\","  \
	"\"origin\":\"o\"}],\"builds\":[{\"id\":\"o:b\",\"checkout_id\":\"o:c\"," \
	"\"origin\":\"o\"}],\"tests\":["
#define TEST "\"id\":\"o:t\",\"origin\":\"o\",\"build_id\":\"o:b\""

static void test_schema_is_kept(void **state)
{
	static const char *const wrong[][2] = {
		{ BEFORE "{\"id\":\"o:t\",\"origin\":\"o\"}]}", "needs 'build_id'" },
		{ BEFORE "{" TEST ",\"status\":\"OK\"}]}", "'status'" },
		{ BEFORE "{" TEST ",\"number\":[1]}]}", "'number'" },
		{ BEFORE "{" TEST ",\"number\":{\"unit\":\"s\"}}]}", "'number'" },
		{ BEFORE "{" TEST ",\"path\":\"a b\"}]}", "'path'" },
		{ BEFORE "{" TEST ",\"path\":\"a..b\"}]}", "'path'" },
		{ BEFORE "{" TEST ",\"misc\":null}]}", "'misc'" },
		{ BEFORE "{" TEST ",\"colour\":\"red\"}]}", "has no 'colour'" },
		{ BEFORE "{\"id\":\"t\",\"origin\":\"o\",\"build_id\":\"o:b\"}]}",
		  "'id'" },
		{ BEFORE "{\"id\":\"o:t\",\"origin\":\"o\",\"build_id\":\"o:x\"}]}",
		  "refers to" },
		{ BEFORE "{" TEST "},{" TEST "}]}", "there twice" },
		{ "{\"version\":{\"major\":4,\"minor\":3}}", "5.3" },
	};
	static const char right[] =
		BEFORE "{" TEST ",\"path\":\"a.b-c_D\",\"number\":{\"value\":1}}]}";
	struct jval *json = NULL;
	struct err err = { 0 };
	size_t i;

	(void)state;
	assert_int_equal(jval_parse(right, sizeof(right) - 1, &json, &err), 0);
	assert_int_equal(kcidb_check(json, &err), 0);
	jval_free(json);
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		memset(&err, 0, sizeof(err));
		assert_int_equal(
			jval_parse(wrong[i][0], strlen(wrong[i][0]), &json, &err), 0);
		assert_int_equal(kcidb_check(json, &err), -EPROTO);
		if (!strstr(err.text, wrong[i][1]))
			fail_msg("'%s' is not in '%s'", wrong[i][1], err.text);
		jval_free(json);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cells_become_tests),
		cmocka_unit_test(test_same_run_has_same_ids),
		cmocka_unit_test(test_schema_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
