// SPDX-License-Identifier: GPL-2.0-or-later
/* What is known of the columns: plans and host facts side by side. */
#include "tests/unit/compare-records.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "compare/load.h"
#include "compare/setup.h"
#include "lib/file.h"
#include "lib/text.h"
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

static void write_configs(const struct fake_tree *tree)
{
	write_run(tree);
	fake_tree_file(tree, "run/hosts/b1.config",
		       "CONFIG_CC=\"gcc-12\"\n# CONFIG_A is not set\nCONFIG_B=y\n"
		       "CONFIG_HZ=250\nCONFIG_SAME=y\n# CONFIG_GONE is not set\n");
	fake_tree_file(tree, "run/hosts/b2.config",
		       "CONFIG_CC=\"gcc-13\"\nCONFIG_A=y\nCONFIG_B=m\nCONFIG_HZ=1000\n"
		       "CONFIG_SAME=y\n");
	fake_tree_file(tree, "run/hosts/b3.config",
		       "CONFIG_CC=\"gcc-13\"\nCONFIG_A=y\nCONFIG_HZ=1000\n"
		       "CONFIG_SAME=y\n");
}

/* In the order of the files, but for what bears on scheduling: that comes first. */
static void test_setup_load_of_configurations(void **state)
{
	static const char *const expected[][3] = {
		{ "CONFIG_HZ", "250", "1000" },
		{ "CONFIG_CC", "\"gcc-12\"", "\"gcc-13\"" },
		{ "CONFIG_B", "y", "m | not set" },
		{ "CONFIG_A", "not set", "y" },
	};
	const size_t nr = sizeof(expected) / sizeof(expected[0]);
	struct fake_tree tree;
	struct table *table = NULL;
	struct setup setup;
	char *line;
	size_t i;

	(void)state;
	fake_tree_init(&tree);
	write_configs(&tree);
	load(&tree, &table, &setup);
	assert_int_equal(setup.nr_options, nr);
	for (i = 0; i < nr; i++) {
		assert_string_equal(setup.options[i].name, expected[i][0]);
		assert_string_equal(setup.options[i].values[0], expected[i][1]);
		assert_string_equal(setup.options[i].values[1], expected[i][2]);
		assert_true(setup.options[i].differs);
	}
	assert_null(fact_of(&setup, "CONFIG_HZ"));
	line = setup_line(table, &setup.options[2]);
	assert_string_equal(line, "differs: CONFIG_B: a: y; b: m | not set");
	free(line);
	setup_release(&setup);
	table_free(table);
	fake_tree_release(&tree);
}

/* A column whose configuration isn't known differs in nothing. */
static void test_setup_load_of_some_configurations(void **state)
{
	struct fake_tree tree;
	struct table *table = NULL;
	struct setup setup;

	(void)state;
	fake_tree_init(&tree);
	write_run(&tree);
	fake_tree_file(&tree, "run/hosts/b1.config", "CONFIG_HZ=250\n");
	load(&tree, &table, &setup);
	assert_int_equal(setup.nr_options, 0);
	setup_release(&setup);
	table_free(table);
	fake_tree_file(&tree, "run/hosts/b2.config", "CONFIG_HZ=250\nCONFIG_A=n\n");
	fake_tree_file(&tree, "run/hosts/b3.config", "CONFIG_HZ=250\n");
	load(&tree, &table, &setup);
	assert_int_equal(setup.nr_options, 0);
	setup_release(&setup);
	table_free(table);
	fake_tree_release(&tree);
}

static size_t count_lines(const struct fake_tree *tree, char **ret_first, char **ret_last)
{
	char *dir = file_path("%s/run", tree->dir);
	const char *const dirs[] = { dir };
	struct table *table = NULL;
	struct setup setup;
	struct err err = { 0 };
	char **lines = NULL;
	size_t nr;

	load(tree, &table, &setup);
	setup_release(&setup);
	if (setup_read_option_lines(table, dirs, 1, &lines, &err))
		fail_msg("%s", err.text);
	*ret_first = lines[0];
	for (nr = 0; lines[nr]; nr++) {
		if (nr > 1)
			free(lines[nr - 1]);
		*ret_last = lines[nr];
	}
	free(lines);
	free(dir);
	table_free(table);
	return nr;
}

static void test_setup_option_lines(void **state)
{
	struct fake_tree tree;
	char *first = NULL;
	char *last = NULL;
	char text[1024];
	size_t len = 0;
	int i;

	(void)state;
	fake_tree_init(&tree);
	write_run(&tree);
	assert_int_equal(count_lines(&tree, &first, &last), 0);
	for (i = 0; i < 47; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "CONFIG_%d=y\n",
					i);
	fake_tree_file(&tree, "run/hosts/b1.config", "CONFIG_B=y\n");
	fake_tree_file(&tree, "run/hosts/b2.config", text);
	assert_int_equal(count_lines(&tree, &first, &last), 11);
	assert_string_equal(first, "differs: CONFIG_B: a: y; b: not set");
	assert_string_equal(last, "differs: and 38 more options of the kernels' "
				  "configurations (--format html has all)");
	free(first);
	free(last);
	fake_tree_release(&tree);
}

/* What is too long ends behind a whole character. */
static void test_setup_line_of_a_long_value(void **state)
{
	char value[601];
	char *values[] = { value };
	char name[] = "note";
	const struct setup_fact fact = { .name = name, .values = values };
	struct table_column column = { .name = "base" };
	struct table table = { .columns = &column, .nr_columns = 1 };
	char *line;
	size_t i;

	(void)state;
	value[0] = 'x';
	for (i = 1; i < sizeof(value) - 2; i += 2)
		memcpy(value + i, "\xc3\xbc", 2);
	value[i] = '\0';
	line = setup_line(&table, &fact);
	assert_non_null(line);
	assert_int_equal(text_broken(line), -1);
	assert_string_equal(line + strlen(line) - 2, "\xc3\xbc");
	free(line);
	memset(value, 'y', sizeof(value) - 1);
	value[sizeof(value) - 1] = '\0';
	line = setup_line(&table, &fact);
	assert_string_equal(line + strlen(line) - 4, "y...");
	assert_int_equal(strlen(line), strlen("differs: note: base: ...") + 300);
	free(line);
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
		cmocka_unit_test(test_setup_load_of_configurations),
		cmocka_unit_test(test_setup_load_of_some_configurations),
		cmocka_unit_test(test_setup_option_lines),
		cmocka_unit_test(test_setup_line_of_a_long_value),
		cmocka_unit_test(test_setup_load_of_a_bare_ledger),
		cmocka_unit_test(test_setup_load_of_a_ledger_that_went_away),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
