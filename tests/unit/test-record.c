// SPDX-License-Identifier: GPL-2.0-or-later
/* record/record: complete lines there and back, and every refusal by field. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/err.h"
#include "lib/file.h"
#include "lib/json.h"
#include "record/record.h"

#define NR(array) (sizeof(array) / sizeof((array)[0]))

/* A line of tests/fixtures/record/ without its newline; the caller's to free(). */
static char *fixture(const char *name)
{
	const char *source = getenv("SCHEDGRID_SOURCE");
	char *path = file_path("%s/tests/fixtures/record/%s.json", source ? source : ".",
			       name);
	char *line = file_read_line(path);

	if (!line)
		fail_msg("cannot read '%s'", path);
	free(path);
	return line;
}

static void read_fixture(const char *name, struct record *ret)
{
	char *line = fixture(name);
	struct err err = { 0 };

	if (record_parse(line, strlen(line), ret, &err))
		fail_msg("%s: %s", name, err.text);
	free(line);
}

static void check_refused(const char *line, size_t len, const char *expected)
{
	struct record record;
	struct err err = { 0 };

	if (record_parse(line, len, &record, &err) != -EPROTO)
		fail_msg("accepted, not: %s", expected);
	if (strcmp(err.text, expected))
		fail_msg("refused with: %s\nnot: %s", err.text, expected);
	/* Nothing stays to be released. */
	assert_null(record.reader);
	assert_null(record.metrics);
}

/* Refused once @find in the fixture "sample" is @replacement. */
static void refuse(const char *find, const char *replacement, const char *expected)
{
	char *line = fixture("sample");
	char *at = strstr(line, find);
	char *bad;

	assert_non_null(at);
	*at = '\0';
	bad = file_path("%s%s%s", line, replacement, at + strlen(find));
	assert_non_null(bad);
	check_refused(bad, strlen(bad), expected);
	free(bad);
	free(line);
}

static void test_record_parse(void **state)
{
	struct record record;
	uint64_t groups = 0;

	(void)state;
	read_fixture("sample", &record);
	assert_string_equal(record.id, "c1f0c1f0c1f0c1f0/b3/i2/a1");
	assert_string_equal(record.cell, "c1f0c1f0c1f0c1f0");
	assert_string_equal(record.column, "wake");
	assert_string_equal(record.workload, "hackbench");
	assert_string_equal(record.variant, "hackbench-process-pipes");
	assert_int_equal(jval_count(record.point), 1);
	assert_true(jval_uint(jval_get(record.point, "groups"), &groups));
	assert_int_equal(groups, 4);
	assert_int_equal(jval_count(record.parameters), 2);
	assert_string_equal(record.machine, "two-node-8");
	assert_string_equal(record.executor, "guest");
	assert_string_equal(record.boot, "b3");
	assert_int_equal(record.block, 3);
	assert_int_equal(record.iteration, 2);
	assert_int_equal(record.attempt, 1);
	assert_int_equal(record.seq, 17);
	assert_int_equal(record.status, RECORD_OK);
	assert_null(record.reason);
	assert_int_equal(record.flags, RECORD_EMULATED | RECORD_INTERFERED |
					       RECORD_UNDERSIZED | RECORD_KERNEL_WARNING |
					       RECORD_SETTING_CHANGED | RECORD_WARMUP);
	assert_string_equal(record.start, "2026-12-01T02:00:00.123Z");
	assert_int_equal(record.wall_ns, 124700000);
	assert_string_equal(record.program.name, "native");
	assert_string_equal(record.program.version, "0.1");
	assert_string_equal(record.program.sha256, "ba7816bf");
	record_release(&record);
	assert_null(record.reader);
	assert_null(record.id);
}

static void test_record_parse_samples(void **state)
{
	const struct record_metric *metric;
	struct record record;

	(void)state;
	read_fixture("sample", &record);
	assert_int_equal(record.nr_metrics, 2);
	metric = &record.metrics[0];
	assert_string_equal(metric->name, "time");
	assert_string_equal(metric->unit, "s");
	assert_false(metric->better_higher);
	assert_false(metric->secondary);
	assert_false(metric->is_summary);
	assert_true(metric->resolution == 1e-6);
	assert_int_equal(metric->nr_samples, 2);
	assert_true(metric->samples[0] == 0.1244);
	assert_true(metric->samples[1] == 0.1251);
	assert_true(isnan(metric->mean) && isnan(metric->stddev));
	assert_int_equal(metric->digits, -1);
	metric = &record.metrics[1];
	assert_true(metric->better_higher);
	assert_true(metric->secondary);
	assert_true(metric->resolution == 0);
	record_release(&record);
}

static void test_record_parse_summary(void **state)
{
	const struct record_metric *metric;
	struct record record;

	(void)state;
	read_fixture("summary", &record);
	metric = &record.metrics[0];
	assert_true(metric->is_summary);
	assert_null(metric->samples);
	assert_true(metric->mean == 0.0717);
	assert_true(metric->stddev == 0.0012);
	assert_int_equal(metric->n, 10);
	assert_int_equal(metric->digits, 4);
	/* Not known is not 0. */
	metric = &record.metrics[1];
	assert_true(metric->mean == 3.0);
	assert_true(isnan(metric->stddev));
	assert_int_equal(metric->n, 0);
	assert_int_equal(metric->digits, -1);
	assert_null(record.point);
	assert_null(record.machine);
	assert_null(record.program.name);
	assert_int_equal(record.wall_ns, 0);
	record_release(&record);
}

static void test_record_parse_failed(void **state)
{
	struct record record;

	(void)state;
	read_fixture("failed", &record);
	assert_string_equal(record.column, "\xc2\xb5 column");
	assert_int_equal(record.status, RECORD_FAILED);
	assert_string_equal(record.reason, "no 'Time:' line in the output");
	assert_int_equal(record.attempt, 2);
	assert_true(record.has_seed);
	assert_int_equal(record.seed, 4503599627370495);
	assert_true(record.by_output);
	assert_string_equal(record.reparsed.from, "c1f0c1f0c1f0c1f0/b1/i1/a1");
	assert_string_equal(record.reparsed.version, "0.1");
	assert_int_equal(record.nr_metrics, 0);
	record_release(&record);
	read_fixture("sample", &record);
	assert_false(record.by_output);
	assert_false(record.has_seed);
	assert_null(record.reparsed.from);
	record_release(&record);
}

static void test_record_parse_what_is_not_known(void **state)
{
	const struct record_metric *metric;
	struct record record;

	(void)state;
	read_fixture("unknown-keys", &record);
	assert_null(record.point);
	assert_null(record.machine);
	assert_null(record.reason);
	metric = &record.metrics[0];
	assert_string_equal(metric->unit, "");
	assert_int_equal(metric->nr_samples, 4);
	assert_true(metric->samples[0] == 1);
	assert_true(isnan(metric->samples[1]));
	assert_true(isnan(metric->samples[2]));
	assert_true(metric->samples[3] == 2);
	record_release(&record);
}

static void test_record_parse_refuses_schema(void **state)
{
	(void)state;
	refuse("schedgrid-record-1", "schedgrid-record-2",
	       "schema 'schedgrid-record-2' is not known (expected "
	       "'schedgrid-record-1')");
	refuse("\"schema\"", "\"other\"",
	       "schema '' is not known (expected 'schedgrid-record-1')");
	check_refused("[]", 2, "schema '' is not known (expected 'schedgrid-record-1')");
	check_refused("7", 1, "schema '' is not known (expected 'schedgrid-record-1')");
}

static void test_record_parse_refuses_fields(void **state)
{
	static const struct {
		const char *find, *replacement, *expected;
	} cases[] = {
		{ "\"id\"", "\"no\"", "'id' is missing or not a text" },
		{ "\"cell\":\"c1f0c1f0c1f0c1f0\"", "\"cell\":1",
		  "'cell' is missing or not a text" },
		{ "\"wake\"", "\"\"", "'column' is missing or not a text" },
		{ "\"workload\"", "\"no\"", "'workload' is missing or not a text" },
		{ "\"variant\"", "\"no\"", "'variant' is missing or not a text" },
		{ "\"status\":\"ok\"", "\"status\":\"good\"",
		  "status 'good' is not known" },
		{ "\"status\":\"ok\"", "\"status\":1",
		  "'status' is missing or not a text" },
		{ "\"emulated\"", "\"simulated\"", "flag 'simulated' is not known" },
		{ "\"emulated\"", "1", "flag '' is not known" },
		{ "[\"emulated\",", "\"emulated\",\"x\":[", "'flags' is not a list" },
		{ "\"b3\",", "3,", "'boot' is not a text" },
		{ "\"two-node-8\"", "[]", "'machine' is not a text" },
		{ "{\"groups\":4}", "[4]", "'point' is not an object" },
		{ "\"block\":3", "\"block\":-3", "'block' is not a whole number" },
		{ "\"block\":3", "\"block\":3.0", "'block' is not a whole number" },
		{ "124700000", "\"1\"", "'wall_ns' is not a whole number" },
		{ "\"0.1\"", "0.1", "'version' is not a text" },
		{ "{\"name\":\"native\"", "{\"name\":5", "'name' is not a text" },
		{ "\"lower\"", "\"less\"",
		  "'better' is 'less' (expected lower or higher)" },
		{ "\"better\":\"lower\",", "", "'better' is missing or not a text" },
		{ "1e-6", "\"small\"", "'resolution' is not a number" },
		{ "\"samples\":[0.1244,0.1251]", "\"samples\":0.1244",
		  "'samples' of metric 'time' is not a list" },
		{ "\"samples\":[0.1244,0.1251]", "\"values\":[1]",
		  "metric 'time' has neither samples nor a mean" },
		{ "\"samples\":[0.1244,0.1251]", "\"mean\":\"1\"",
		  "'mean' is not a number" },
		{ "\"samples\":[0.1244,0.1251]", "\"mean\":1,\"n\":1.5",
		  "'n' is not a whole number" },
		{ "\"samples\":[0.1244,0.1251]", "\"mean\":1,\"digits\":16",
		  "'digits' is not 0 to 15" },
		{ "\"metrics\":[", "\"metrics\":7,\"x\":[", "'metrics' is not a list" },
		{ "{\"name\":\"rate\"", "{\"title\":\"rate\"",
		  "'name' is missing or not a text" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < NR(cases); i++)
		refuse(cases[i].find, cases[i].replacement, cases[i].expected);
	assert_int_equal(record_parse("{}", 2, &(struct record){ 0 }, NULL), -EPROTO);
}

static void test_bl_115_key_given_twice(void **state)
{
	(void)state;
	refuse("\"samples\":[12345.678]", "\"samples\":[1],\"samples\":[2]",
	       "not valid JSON at 1:733: duplicate object key near '\"samples\"'");
}

static void test_record_status_name(void **state)
{
	static const char *const names[] = { "ok",	"failed",  "broken",
					     "skipped", "timeout", "interrupted" };
	size_t i;

	(void)state;
	for (i = 0; i < NR(names); i++) {
		struct record record = { .id = "i",
					 .cell = "c",
					 .column = "x",
					 .workload = "w",
					 .variant = "v" };
		char *line;

		record.status = (enum record_status)i;
		assert_string_equal(record_status_name(record.status), names[i]);
		line = record_write(&record);
		assert_non_null(line);
		assert_int_equal(record_parse(line, strlen(line), &record, NULL), 0);
		assert_int_equal(record.status, i);
		free(line);
		record_release(&record);
	}
}

/* Read and written again, a line is what it was, to the byte. */
static void test_record_write(void **state)
{
	static const char *const names[] = { "sample", "summary", "failed" };
	size_t i;

	(void)state;
	for (i = 0; i < NR(names); i++) {
		struct jval *first = NULL, *second = NULL;
		char *line = fixture(names[i]);
		struct record record;
		char *again;

		read_fixture(names[i], &record);
		again = record_write(&record);
		assert_non_null(again);
		assert_null(strchr(again, '\n'));
		assert_int_equal(jval_parse(line, strlen(line), &first, NULL), 0);
		assert_int_equal(jval_parse(again, strlen(again), &second, NULL), 0);
		if (!jval_equal(first, second))
			fail_msg("%s:\n%s\nis not\n%s", names[i], again, line);
		if (i < 2)
			assert_int_equal(strncmp(again, line, 30), 0);
		jval_free(first);
		jval_free(second);
		record_release(&record);
		free(again);
		free(line);
	}
}

static void test_record_write_leaves_out_what_is_not_known(void **state)
{
	double samples[] = { 1.5, (double)NAN, (double)INFINITY };
	struct record_metric metrics[] = {
		{ .name = "a", .unit = "s", .samples = samples, .nr_samples = 3 },
		{ .name = "b",
		  .unit = "s",
		  .is_summary = true,
		  .mean = 2,
		  .stddev = (double)INFINITY,
		  .digits = -1 },
		/* Says nothing at all. */
		{ .name = "c",
		  .unit = "s",
		  .is_summary = true,
		  .mean = (double)NAN,
		  .stddev = 1,
		  .n = 3,
		  .digits = 2 },
	};
	struct record record = { .id = "i",
				 .cell = "c",
				 .column = "x",
				 .workload = "w",
				 .variant = "v",
				 .metrics = metrics,
				 .nr_metrics = 3 };
	char *line;

	(void)state;
	record.program.version = "2";
	line = record_write(&record);
	assert_string_equal(
		line,
		"{\"schema\":\"schedgrid-record-1\",\"id\":\"i\",\"cell\":\"c\","
		"\"column\":\"x\",\"workload\":\"w\",\"variant\":\"v\",\"block\":0,"
		"\"iteration\":0,\"attempt\":0,\"seq\":0,\"status\":\"ok\",\"flags\":[],"
		"\"program\":{\"version\":\"2\"},\"metrics\":[{\"name\":\"a\","
		"\"unit\":\"s\",\"better\":\"lower\",\"samples\":[1.5,\"not a number\","
		"\"not a number\"]},{\"name\":\"b\",\"unit\":\"s\",\"better\":\"lower\","
		"\"mean\":2.0}]}");
	assert_int_equal(record_parse(line, strlen(line), &record, NULL), 0);
	assert_int_equal(record.nr_metrics, 2);
	assert_true(isnan(record.metrics[0].samples[1]));
	record_release(&record);
	free(line);
}

static void test_bl_053_bytes_that_are_not_text(void **state)
{
	struct record record = { .id = "i",
				 .cell = "c",
				 .workload = "w",
				 .variant = "v",
				 .column = "caf\xe9",
				 .status = RECORD_FAILED,
				 .reason = "it said: \xff\xfe \xc2\xb5" };
	char *line = record_write(&record);
	struct record again;

	(void)state;
	assert_non_null(line);
	assert_int_equal(record_parse(line, strlen(line), &again, NULL), 0);
	assert_string_equal(again.column, "caf\\xe9");
	assert_string_equal(again.reason, "it said: \\xff\\xfe \xc2\xb5");
	record_release(&again);
	free(line);
}

static void test_record_remarks(void **state)
{
	const char *sentences[] = { "the clock was set", "a \"second\" one" };
	struct record record = { .id = "i",
				 .cell = "c",
				 .column = "x",
				 .workload = "w",
				 .variant = "v",
				 .remarks = sentences,
				 .nr_remarks = 2 };
	char *line = record_write(&record);
	struct record again;
	struct err err = { 0 };

	(void)state;
	assert_non_null(line);
	assert_int_equal(record_parse(line, strlen(line), &again, NULL), 0);
	assert_int_equal(again.nr_remarks, 2);
	assert_string_equal(again.remarks[0], sentences[0]);
	assert_string_equal(again.remarks[1], sentences[1]);
	record_release(&again);
	memset(strstr(line, "\"the clock was set\""), '1', 19);
	assert_int_equal(record_parse(line, strlen(line), &again, &err), -EPROTO);
	assert_string_equal(err.text, "a remark is not a text");
	free(line);
	/* None is no list. */
	record.nr_remarks = 0;
	line = record_write(&record);
	assert_null(strstr(line, "remarks"));
	free(line);
}

static void test_record_monitors(void **state)
{
	struct record record = { .id = "i",
				 .cell = "c",
				 .column = "x",
				 .workload = "w",
				 .variant = "v",
				 .monitors = "perf-stat(cs, task-clock)" };
	char *line = record_write(&record);
	struct record again;
	struct err err = { 0 };

	(void)state;
	assert_non_null(line);
	assert_int_equal(record_parse(line, strlen(line), &again, NULL), 0);
	assert_string_equal(again.monitors, record.monitors);
	record_release(&again);
	memset(strstr(line, "\"perf-stat"), '1', strlen(record.monitors) + 2);
	assert_int_equal(record_parse(line, strlen(line), &again, &err), -EPROTO);
	free(line);
	/* Nothing counted is no text. */
	record.monitors = NULL;
	line = record_write(&record);
	assert_null(strstr(line, "monitors"));
	free(line);
}

/* One line after another into the same memory, plain ones and others. */
static void test_record_read(void **state)
{
	static const char plain[] =
		"{\"schema\":\"schedgrid-record-1\",\"id\":\"i\",\"cell\":\"c\",\"column\":\"b\","
		"\"workload\":\"w\",\"variant\":\"v\",\"point\":{\"groups\":4},\"status\":\"ok\","
		"\"metrics\":[{\"name\":\"time\",\"better\":\"lower\",\"samples\":[1,\"x\",2.5]},"
		"{\"name\":\"rate\",\"better\":\"higher\",\"samples\":[7]}]}";
	static const char other[] =
		"{\"schema\":\"schedgrid-record-1\",\"id\":\"i\",\"cell\":\"c\",\"column\":\"\\u0062\","
		"\"workload\":\"w\",\"variant\":\"v\",\"point\":{\"groups\":5},\"status\":\"ok\"}";
	struct record_reader *reader = record_reader_new();
	const struct jval *point;
	struct record record;
	uint64_t groups = 0;

	(void)state;
	assert_non_null(reader);
	assert_int_equal(record_read(reader, plain, strlen(plain), &record, NULL), 0);
	assert_ptr_equal(record.line, plain);
	assert_int_equal(record.line_len, strlen(plain));
	assert_null(record.reader);
	assert_int_equal(record.nr_metrics, 2);
	assert_int_equal(record.metrics[0].nr_samples, 3);
	assert_true(record.metrics[0].samples[2] == 2.5);
	assert_true(isnan(record.metrics[0].samples[1]));
	assert_true(record.metrics[1].samples[0] == 7.0);
	point = record.point;
	assert_int_equal(record_read(reader, other, strlen(other), &record, NULL), 0);
	assert_string_equal(record.column, "b");
	assert_int_equal(record.nr_metrics, 0);
	assert_true(jval_uint(jval_get(record.point, "groups"), &groups));
	assert_int_equal(groups, 5);
	assert_int_equal(record_read(reader, "{}", 2, &record, NULL), -EPROTO);
	assert_null(record.line);
	assert_int_equal(record_read(reader, plain, strlen(plain), &record, NULL), 0);
	/* What repeats is parsed once. */
	assert_ptr_equal(record.point, point);
	record_reader_free(reader);
	record_reader_free(NULL);
}

static void test_record_release(void **state)
{
	struct record record = { 0 };

	(void)state;
	record_release(&record);
	read_fixture("sample", &record);
	record_release(&record);
	record_release(&record);
	assert_int_equal(record.nr_metrics, 0);
}

/* What isn't judged must not be by a reader that can't tell why. */
static void test_record_refuses_metric_texts_that_are_none(void **state)
{
	static const char *const keys[] = { "unit", "unjudged" };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		struct record record;
		struct err err = { 0 };
		char line[400];

		(void)snprintf(line, sizeof(line),
			       "{\"schema\":\"schedgrid-record-1\",\"id\":\"i\","
			       "\"cell\":\"c\",\"column\":\"b\",\"workload\":\"w\","
			       "\"variant\":\"v\",\"status\":\"ok\",\"metrics\":[{"
			       "\"name\":\"t\",\"better\":\"lower\",\"%s\":5,"
			       "\"samples\":[1]}]}",
			       keys[i]);
		assert_int_equal(record_parse(line, strlen(line), &record, &err),
				 -EPROTO);
		assert_non_null(strstr(err.text, keys[i]));
		assert_non_null(strstr(err.text, "is not a text"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_record_parse),
		cmocka_unit_test(test_record_parse_samples),
		cmocka_unit_test(test_record_parse_summary),
		cmocka_unit_test(test_record_parse_failed),
		cmocka_unit_test(test_record_parse_what_is_not_known),
		cmocka_unit_test(test_record_parse_refuses_schema),
		cmocka_unit_test(test_record_parse_refuses_fields),
		cmocka_unit_test(test_bl_115_key_given_twice),
		cmocka_unit_test(test_record_status_name),
		cmocka_unit_test(test_record_write),
		cmocka_unit_test(test_record_write_leaves_out_what_is_not_known),
		cmocka_unit_test(test_bl_053_bytes_that_are_not_text),
		cmocka_unit_test(test_record_remarks),
		cmocka_unit_test(test_record_monitors),
		cmocka_unit_test(test_record_read),
		cmocka_unit_test(test_record_refuses_metric_texts_that_are_none),
		cmocka_unit_test(test_record_release),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
