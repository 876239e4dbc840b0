// SPDX-License-Identifier: GPL-2.0-or-later
/* From directories to tables: host facts, merging, and what is refused. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compare/load.h"
#include "compare/table.h"
#include "lib/err.h"
#include "record/record.h"
#include "tests/unit/fake-tree.h"

static void write_host(const struct fake_tree *tree, const char *path,
		       const char *version)
{
	char text[256];

	(void)snprintf(
		text, sizeof(text),
		"{\"schema\":\"schedgrid-host-1\",\"kernel\":{\"release\":\"6.1.0\","
		"\"version\":\"%s\"}}",
		version);
	fake_tree_file(tree, path, text);
}

static void write_record(const struct fake_tree *tree, const char *path, const char *cell,
			 const char *boots)
{
	char text[2048] = "";
	size_t len = 0;

	for (; *boots; boots++)
		len += (size_t)snprintf(
			text + len, sizeof(text) - len,
			"{\"schema\":\"schedgrid-record-1\",\"id\":\"%s/%c\",\"cell\":\"%s\","
			"\"column\":\"base\",\"workload\":\"null\",\"variant\":\"null\","
			"\"boot\":\"%c\",\"iteration\":1,\"status\":\"ok\",\"metrics\":[{"
			"\"name\":\"time\",\"better\":\"lower\",\"samples\":[1.5]}]}\n",
			cell, *boots, cell, *boots);
	fake_tree_file(tree, path, text);
}

static int load(const struct fake_tree *tree, const char *dirs, bool merge, bool force,
		struct table **ret, struct err *err)
{
	char paths[2][128];
	const char *list[2] = { paths[0], paths[1] };
	const struct load_options options = {
		.dirs = list, .nr_dirs = strlen(dirs), .merge = merge, .force = force
	};
	size_t i;

	memset(err, 0, sizeof(*err));
	for (i = 0; dirs[i]; i++)
		(void)snprintf(paths[i], sizeof(paths[i]), "%s/%c", tree->dir, dirs[i]);
	return load_table(&options, ret, err);
}

static void test_kernel(void **state)
{
	struct table *table = NULL;
	struct fake_tree tree;
	struct err err;

	(void)state;
	fake_tree_init(&tree);
	write_record(&tree, "x/records.jsonl", "c1", "12");
	write_host(&tree, "x/hosts/1.json", "#1");
	assert_int_equal(load(&tree, "x", false, false, &table, &err), 0);
	assert_string_equal(table->columns[0].kernel, "6.1.0");
	assert_int_equal(table->columns[0].nr_boots, 2);
	table_free(table);
	fake_tree_file(&tree, "x/hosts/2.json", "{}");
	assert_int_equal(load(&tree, "x", false, false, &table, &err), -EPROTO);
	assert_non_null(strstr(err.text, "hosts/2.json"));
	fake_tree_release(&tree);
}

static void test_BL_003_same_release_other_build(void **state)
{
	struct table *table = NULL;
	struct fake_tree tree;
	struct err err;

	(void)state;
	fake_tree_init(&tree);
	write_record(&tree, "x/records.jsonl", "c1", "12");
	write_host(&tree, "x/hosts/1.json", "#1");
	write_host(&tree, "x/hosts/2.json", "#2");
	assert_int_equal(load(&tree, "x", false, false, &table, &err), -EINVAL);
	assert_non_null(strstr(err.text, "two kernels in column 'base'"));
	assert_non_null(strstr(err.text, "'6.1.0 #1' and '6.1.0 #2'"));
	assert_int_equal(load(&tree, "x", false, true, &table, &err), 0);
	assert_int_equal(table->nr_notes, 1);
	assert_int_equal(table->sections[0].rows[0].cells[0].nr_samples, 2);
	table_free(table);
	fake_tree_release(&tree);
}

static void test_merge(void **state)
{
	struct table *table = NULL;
	struct fake_tree tree;
	struct err err;

	(void)state;
	fake_tree_init(&tree);
	write_record(&tree, "x/records.jsonl", "c1", "1");
	write_record(&tree, "y/records.jsonl", "c1", "1");
	assert_int_equal(load(&tree, "xy", false, false, &table, &err), -EEXIST);
	assert_int_equal(load(&tree, "xy", true, false, &table, &err), 0);
	assert_int_equal(table->columns[0].nr_boots, 2);
	table_free(table);
	/* Equal names of boots in two runs are two boots, with facts of their own. */
	write_host(&tree, "x/hosts/1.json", "#1");
	write_host(&tree, "y/hosts/1.json", "#2");
	assert_int_equal(load(&tree, "xy", true, false, &table, &err), -EINVAL);
	assert_non_null(strstr(err.text, "two kernels"));
	fake_tree_release(&tree);
}

static void test_merge_of_unlike_cells(void **state)
{
	struct table *table = NULL;
	struct fake_tree tree;
	struct err err;

	(void)state;
	fake_tree_init(&tree);
	write_record(&tree, "x/records.jsonl", "c1", "1");
	write_record(&tree, "y/records.jsonl", "c2", "1");
	assert_int_equal(load(&tree, "xy", true, false, &table, &err), -EINVAL);
	assert_non_null(strstr(err.text, "column 'base' holds two cells"));
	assert_non_null(strstr(err.text, "c1 and c2"));
	fake_tree_release(&tree);
}

/* What a mean is called is kept when it is written and read again. */
static void test_statistic(void **state)
{
	static const char line[] =
		"{\"schema\":\"schedgrid-record-1\",\"id\":\"i\",\"cell\":\"c\",\"column\":\"b\","
		"\"workload\":\"w\",\"variant\":\"v\",\"status\":\"ok\",\"metrics\":[{\"name\":"
		"\"copy\",\"better\":\"higher\",\"mean\":2.5,\"statistic\":\"%s\"}]}";
	static const char *const names[] = { "Hmean", "Amean", "Gmean" };
	size_t i;

	(void)state;
	for (i = 0; i < 3; i++) {
		struct record record;
		struct err err = { 0 };
		char text[512];
		char *again;

		(void)snprintf(text, sizeof(text), line, names[i]);
		if (i == 2) {
			assert_int_equal(record_parse(text, strlen(text), &record, &err),
					 -EPROTO);
			assert_non_null(strstr(err.text, "'Gmean'"));
			break;
		}
		assert_int_equal(record_parse(text, strlen(text), &record, &err), 0);
		again = record_write(&record);
		record_release(&record);
		assert_non_null(again);
		assert_int_equal(record_parse(again, strlen(again), &record, &err), 0);
		assert_int_equal(record.metrics[0].is_hmean, !i);
		record_release(&record);
		free(again);
	}
}

/*
 * struct noted - what a load had to say
 * @text: the last note
 * @nr: how many
 */
struct noted {
	char text[2048];
	size_t nr;
};

static void take_note(const char *note, void *data)
{
	struct noted *noted = data;

	(void)snprintf(noted->text, sizeof(noted->text), "%s", note);
	noted->nr++;
}

/* What loading x, or the file in it, has to say; its text when it is refused. */
static int load_noting(const struct fake_tree *tree, const char *name,
		       const char *baseline, struct noted *noted)
{
	char path[128];
	const char *dirs[] = { path };
	const struct load_options options = { .dirs = dirs,
					      .nr_dirs = 1,
					      .baseline = baseline,
					      .on_note = take_note,
					      .data = noted };
	struct table *table = NULL;
	struct err err = { 0 };
	int bad;

	*noted = (struct noted){ 0 };
	(void)snprintf(path, sizeof(path), "%s/%s", tree->dir, name);
	bad = load_table(&options, &table, &err);
	if (bad)
		take_note(err.text, noted);
	table_free(table);
	return bad;
}

static const char two_columns[] =
	"{\"schema\":\"schedgrid-record-1\",\"id\":\"1\",\"cell\":\"1\",\"column\":\"wake\","
	"\"workload\":\"null\",\"variant\":\"null\",\"boot\":\"b1\",\"iteration\":1,"
	"\"status\":\"ok\",\"metrics\":[{\"name\":\"time\",\"better\":\"lower\","
	"\"samples\":[1]}]}\n"
	"{\"schema\":\"schedgrid-record-1\",\"id\":\"2\",\"cell\":\"2\",\"column\":\"base\","
	"\"workload\":\"null\",\"variant\":\"null\",\"boot\":\"b1\",\"iteration\":1,"
	"\"status\":\"ok\",\"metrics\":[{\"name\":\"time\",\"better\":\"lower\","
	"\"samples\":[1]}]}\n";

static void test_without_plan(void **state)
{
	struct fake_tree tree;
	struct noted noted;

	(void)state;
	fake_tree_init(&tree);
	fake_tree_file(&tree, "x/records.jsonl", two_columns);
	assert_int_equal(load_noting(&tree, "x", NULL, &noted), 0);
	assert_int_equal(noted.nr, 1);
	assert_non_null(strstr(noted.text, "/x has no plan.json, so the columns come in "
					   "the order of their first records: 'wake' is "
					   "the baseline"));
	assert_int_equal(load_noting(&tree, "x", "base", &noted), 0);
	assert_non_null(strstr(noted.text, "has no plan.json"));
	assert_null(strstr(noted.text, "is the baseline"));
	fake_tree_file(
		&tree, "x/plan.json",
		"{\"schema\":\"schedgrid-plan-1\",\"columns\":[{\"name\":\"base\"},"
		"{\"name\":\"wake\"}]}");
	assert_int_equal(load_noting(&tree, "x", NULL, &noted), 0);
	assert_int_equal(noted.nr, 0);
	/* One column has no order. */
	write_record(&tree, "y/records.jsonl", "c", "1");
	assert_int_equal(load_noting(&tree, "y", NULL, &noted), 0);
	assert_int_equal(noted.nr, 0);
	fake_tree_release(&tree);
}

static void test_plan_orders_columns(void **state)
{
	struct table *table = NULL;
	struct fake_tree tree;
	struct err err;

	(void)state;
	fake_tree_init(&tree);
	fake_tree_file(&tree, "x/records.jsonl", two_columns);
	fake_tree_file(
		&tree, "x/plan.json",
		"{\"schema\":\"schedgrid-plan-1\",\"columns\":[{\"name\":\"base\"},"
		"{\"name\":\"none\"},"
		"{\"name\":\"wake\"}]}");
	assert_int_equal(load(&tree, "x", false, false, &table, &err), 0);
	assert_int_equal(table->nr_columns, 3);
	assert_string_equal(table->columns[0].name, "base");
	assert_string_equal(table->columns[1].name, "none");
	assert_string_equal(table->columns[2].name, "wake");
	table_free(table);
	fake_tree_file(&tree, "x/plan.json", "{");
	assert_int_equal(load(&tree, "x", false, false, &table, &err), -EPROTO);
	assert_non_null(strstr(err.text, "x/plan.json"));
	fake_tree_file(&tree, "x/plan.json", "{\"schema\":\"schedgrid-plan-9\"}");
	assert_int_equal(load(&tree, "x", false, false, &table, &err), -EPROTO);
	assert_non_null(
		strstr(err.text, "x/plan.json: schema 'schedgrid-plan-9' is not known"));
	fake_tree_release(&tree);
}

static void test_file_instead_of_directory(void **state)
{
	struct fake_tree tree;
	struct noted noted;

	(void)state;
	fake_tree_init(&tree);
	fake_tree_file(&tree, "x/records.jsonl", two_columns);
	assert_int_equal(load_noting(&tree, "x/records.jsonl", NULL, &noted), -EINVAL);
	assert_non_null(strstr(noted.text, "/x/records.jsonl' is a file, expected the "
					   "directory of a run, such as '/"));
	fake_tree_release(&tree);
}

static void test_no_such_baseline(void **state)
{
	struct fake_tree tree;
	struct noted noted;

	(void)state;
	fake_tree_init(&tree);
	fake_tree_file(&tree, "x/records.jsonl", two_columns);
	assert_int_equal(load_noting(&tree, "x", "wakr", &noted), -EINVAL);
	assert_string_equal(noted.text,
			    "no column is called 'wakr' (expected one of 'wake', "
			    "'base'); did you mean 'wake'?");
	fake_tree_release(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_without_plan),
		cmocka_unit_test(test_plan_orders_columns),
		cmocka_unit_test(test_file_instead_of_directory),
		cmocka_unit_test(test_no_such_baseline),
		cmocka_unit_test(test_kernel),
		cmocka_unit_test(test_BL_003_same_release_other_build),
		cmocka_unit_test(test_merge),
		cmocka_unit_test(test_merge_of_unlike_cells),
		cmocka_unit_test(test_statistic),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
