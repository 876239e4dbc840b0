// SPDX-License-Identifier: GPL-2.0-or-later
/* Values that become a run; tests/cli/import.bats has the kinds of files. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "compare/import.h"
#include "compare/import_csv.h"
#include "compare/import_dir.h"
#include "lib/err.h"
#include "record/ledger.h"

static struct import_value a_value(double number)
{
	return (struct import_value){
		.column = "base",
		.workload = "null",
		.variant = "null",
		.metric = { .name = "time", .unit = "s", .mean = number, .digits = -1 },
	};
}

static int count_record(const struct record *record, void *data, struct err *err)
{
	size_t *nr = data;

	(void)err;
	assert_string_equal(record->column, "base");
	*nr += record->metrics[0].nr_samples;
	return 0;
}

static void test_values_become_a_ledger_once(void **state)
{
	char dir[] = "/tmp/test-import.XXXXXX";
	struct import *import = import_new();
	const struct import_part part = { import, NULL };
	struct import_value value = a_value(1.5);
	char path[64];
	struct err err = { 0 };
	size_t nr = 0;

	(void)state;
	assert_non_null(mkdtemp(dir));
	(void)snprintf(path, sizeof(path), "%s/run", dir);
	assert_int_equal(import_write(&part, 1, path, NULL), -ENODATA);
	assert_int_equal(import_add(import, &value, NULL), 0);
	assert_int_equal(import_add(import, &value, NULL), 0);
	assert_int_equal(import_count(import), 2);
	assert_int_equal(import_write(&part, 1, dir, NULL), -EEXIST);
	if (import_write(&part, 1, path, &err))
		fail_msg("%s", err.text);
	assert_int_equal(ledger_read(path, count_record, &nr, NULL, NULL), 0);
	assert_int_equal(nr, 2);
	import_free(import);
	(void)snprintf(path, sizeof(path), "%s/run/records.jsonl", dir);
	assert_int_equal(unlink(path), 0);
	(void)snprintf(path, sizeof(path), "%s/run", dir);
	assert_int_equal(rmdir(path), 0);
	assert_int_equal(rmdir(dir), 0);
}

static void assert_refused(struct import_value value, int code, const char *reason)
{
	struct import *import = import_new();
	struct err err = { 0 };

	assert_int_equal(import_add(import, &value, &err), code);
	if (!strstr(err.text, reason))
		fail_msg("'%s' is not in '%s'", reason, err.text);
	assert_int_equal(import_count(import), 0);
	import_free(import);
}

static void test_what_is_no_value_is_refused(void **state)
{
	struct import_value value = a_value((double)NAN);

	(void)state;
	assert_refused(value, -EINVAL, "is no number");
	value = a_value(1);
	value.column = "";
	assert_refused(value, -EINVAL, "the column is empty");
	value.column = "a\033b";
	assert_refused(value, -EINVAL, "control character");
	value.column = "a\xe2\x80\x8b";
	assert_refused(value, -EINVAL, "holds a zero-width character");
	value = a_value(1);
	value.boot = "../b1";
	assert_refused(value, -EPROTO, "is no name of a boot");
	value = a_value(1);
	value.metric.is_summary = true;
	value.metric.stddev = -1;
	assert_refused(value, -EINVAL, "standard deviation of metric 'time' is -1");
}

static void test_directions_are_guessed_by_name(void **state)
{
	(void)state;
	assert_true(import_guess_higher("reaim", "jobs_per_min"));
	assert_false(import_guess_higher("reaim", "parent_time"));
	assert_false(import_guess_higher("hackbench", "value"));
	assert_true(import_guess_higher("hackbench", "throughput"));
	assert_false(import_guess_higher("reaim", "std_dev_percent"));
}

static void test_csv_names_file_and_line(void **state)
{
	static const char text[] = "column,workload,metric,better,point,value\n"
				   "base,null,time,lower,,1\nbase,null,time,up,,1\n";
	struct import *import = import_new();
	struct err err = { 0 };

	(void)state;
	assert_int_equal(import_csv(import, text, strlen(text), "a.csv", &err), -EPROTO);
	assert_string_equal(err.text, "a.csv:3: better is lower or higher, not 'up'");
	import_free(import);
}

static void test_directories_are_listed_by_number(void **state)
{
	char dir[] = "/tmp/test-import.XXXXXX";
	struct import_dir listed;
	char path[64];
	char *name;

	(void)state;
	assert_non_null(mkdtemp(dir));
	(void)snprintf(path, sizeof(path), "%s/10", dir);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_true(import_dir_exists(path));
	name = import_dir_name(path);
	assert_string_equal(name, "10");
	free(name);
	(void)snprintf(path, sizeof(path), "%s/9", dir);
	assert_false(import_dir_exists(path));
	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(import_dir_read(&listed, dir, NULL), 0);
	assert_int_equal(listed.nr_names, 2);
	assert_string_equal(listed.names[0], "9");
	import_dir_release(&listed);
	assert_int_equal(rmdir(path), 0);
	(void)snprintf(path, sizeof(path), "%s/10", dir);
	assert_int_equal(rmdir(path), 0);
	assert_int_equal(import_dir_read(&listed, path, NULL), -ENOENT);
	import_dir_release(&listed);
	assert_int_equal(rmdir(dir), 0);
}

/* A summary stands for the whole cell, so there is one, and nothing beside it. */
static void test_a_summary_stands_alone(void **state)
{
	static const bool orders[][2] = { { true, true },
					  { true, false },
					  { false, true } };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
		struct import *import = import_new();
		struct import_value value = a_value(1);
		struct err err = { 0 };

		value.metric.is_summary = orders[i][0];
		assert_int_equal(import_add(import, &value, NULL), 0);
		value.metric.is_summary = orders[i][1];
		assert_int_equal(import_add(import, &value, &err), -EEXIST);
		assert_non_null(strstr(err.text, "has a summary and other figures"));
		assert_int_equal(import_count(import), 1);
		import_free(import);
	}
}

static void test_names_are_text(void **state)
{
	static const char text[] = "column,workload,metric,better,point,value\n"
				   "base,null,time,lower,g\xff=4,1\n";
	struct import *import = import_new();
	struct import_value value = a_value(1);
	struct err err = { 0 };

	(void)state;
	value.column = "a\xff";
	assert_refused(value, -EINVAL, "holds the byte 0xff, which is no text");
	assert_int_equal(import_csv(import, text, strlen(text), "a.csv", &err), -EPROTO);
	assert_string_equal(err.text, "a.csv:2: a point is text in UTF-8, not "
				      "'g\\xff=4'");
	import_free(import);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values_become_a_ledger_once),
		cmocka_unit_test(test_what_is_no_value_is_refused),
		cmocka_unit_test(test_a_summary_stands_alone),
		cmocka_unit_test(test_names_are_text),
		cmocka_unit_test(test_directions_are_guessed_by_name),
		cmocka_unit_test(test_csv_names_file_and_line),
		cmocka_unit_test(test_directories_are_listed_by_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
