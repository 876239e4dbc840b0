// SPDX-License-Identifier: GPL-2.0-or-later
/* What is known of the columns: plans and host facts side by side. */
#include "tests/unit/compare-records.h"

#include <errno.h>
#include <stdlib.h>

#include "compare/load.h"
#include "compare/setup.h"
#include "lib/file.h"
#include "tests/unit/fake-tree.h"

#define RECORD(id, column, boot)                                                         \
	"{\"schema\":\"schedgrid-record-1\",\"id\":\"" id "\",\"cell\":\"" column        \
	"\",\"column\":\"" column "\",\"workload\":\"null\",\"variant\":\"null\","       \
	"\"boot\":\"" boot "\",\"iteration\":1,\"attempt\":1,\"status\":\"ok\","         \
	"\"metrics\":[{\"name\":\"v\",\"unit\":\"s\",\"better\":\"lower\",\"samples\":[" \
	"1]}]}\n"

#define HOST(rest) "{\"schema\":\"schedgrid-host-1\",\"machine\":\"m\"," rest "}"

static void write_run(const struct fake_tree *tree)
{
	fake_tree_file(tree, "run/plan.json",
		       "{\"schema\":\"schedgrid-plan-1\",\"name\":\"pins\",\"seed\":7,"
		       "\"iterations\":1,\"columns\":[{\"name\":\"a\"},{\"name\":\"b\","
		       "\"pin\":\"one\"}]}");
	fake_tree_file(tree, "run/hosts/b1.json",
		       HOST("\"boot_id\":\"1\",\"kernel\":{\"release\":\"6.1\"},"
			    "\"cmdline\":\"quiet isolcpus=2\",\"smt\":\"on\""));
	fake_tree_file(tree, "run/hosts/b2.json",
		       HOST("\"boot_id\":\"2\",\"kernel\":{\"release\":\"6.1\"},"
			    "\"cmdline\":\"quiet  isolcpus=3\",\"smt\":\"on\""));
	fake_tree_file(tree, "run/hosts/b3.json",
		       HOST("\"boot_id\":\"3\",\"kernel\":{\"release\":\"6.1\"},"
			    "\"cmdline\":\"isolcpus=2\",\"smt\":\"off\",\"n\":[1,2]"));
	fake_tree_file(tree, "run/records.jsonl",
		       RECORD("1", "a", "b1") RECORD("2", "b", "b2")
			       RECORD("3", "b", "b3"));
}

static void load(const struct fake_tree *tree, struct table **table, struct setup *setup)
{
	char *dir = file_path("%s/run", tree->dir);
	const char *const dirs[] = { dir };
	const struct load_options options = { .dirs = dirs, .nr_dirs = 1, .force = true };
	struct err err = { 0 };

	if (load_table(&options, table, &err) || setup_load(setup, *table, dirs, 1, &err))
		fail_msg("%s", err.text);
	free(dir);
}

static const struct setup_fact *fact_of(const struct setup *setup, const char *name)
{
	size_t i;

	for (i = 0; i < setup->nr_facts; i++) {
		if (!strcmp(setup->facts[i].name, name))
			return &setup->facts[i];
	}
	return NULL;
}

static void assert_fact(const struct setup *setup, const char *name, const char *a,
			const char *b)
{
	const struct setup_fact *fact = fact_of(setup, name);

	if (!fact) {
		fail_msg("there is no %s", name);
		return;
	}
	assert_string_equal(fact->values[0] ? fact->values[0] : "-", a);
	assert_string_equal(fact->values[1] ? fact->values[1] : "-", b);
	assert_int_equal(fact->differs, strcmp(a, b) != 0);
}

static void test_setup_load(void **state)
{
	struct fake_tree tree;
	struct table *table = NULL;
	struct setup setup;

	(void)state;
	fake_tree_init(&tree);
	write_run(&tree);
	load(&tree, &table, &setup);
	assert_fact(&setup, "kernel.release", "6.1", "6.1");
	assert_fact(&setup, "cmdline quiet", "yes", "yes");
	assert_fact(&setup, "cmdline isolcpus", "2", "3 | 2");
	assert_fact(&setup, "smt", "on", "on | off");
	assert_fact(&setup, "pin", "-", "one");
	assert_fact(&setup, "n", "-", "[1,2]");
	/* Each start has its own, which is no difference. */
	assert_null(fact_of(&setup, "boot_id"));
	assert_null(fact_of(&setup, "name"));
	assert_int_equal(setup.nr_grids, 1);
	assert_string_equal(setup.grids[0].name, "pins");
	assert_string_equal(setup.grids[0].text, "seed 7, 1 iteration, 0 warm-ups");
	setup_release(&setup);
	setup_release(&setup);
	table_free(table);
	fake_tree_release(&tree);
}

static void test_setup_load_of_a_bare_ledger(void **state)
{
	struct fake_tree tree;
	struct table *table = NULL;
	struct setup setup;

	(void)state;
	fake_tree_init(&tree);
	fake_tree_file(&tree, "run/records.jsonl", RECORD("1", "a", "b1"));
	load(&tree, &table, &setup);
	assert_int_equal(setup.nr_facts, 0);
	assert_int_equal(setup.nr_grids, 0);
	setup_release(&setup);
	table_free(table);
	fake_tree_release(&tree);
}

static void test_setup_load_of_a_ledger_that_went_away(void **state)
{
	static const char *const dirs[] = { "/nonexistent" };
	struct table *table = table_new();
	struct err err = { 0 };
	struct setup setup;

	(void)state;
	assert_int_equal(table_finish(table, NULL, NULL, NULL), 0);
	assert_int_equal(setup_load(&setup, table, dirs, 1, &err), -ENOENT);
	assert_non_null(strstr(err.text, "/nonexistent"));
	setup_release(&setup);
	table_free(table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_setup_load),
		cmocka_unit_test(test_setup_load_of_a_bare_ledger),
		cmocka_unit_test(test_setup_load_of_a_ledger_that_went_away),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
