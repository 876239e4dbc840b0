// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads results of mmtests; see import_mmtests.h. A test has its logs in logs/, until
 * 2019 in noprofile/. One file has all iterations of hackbench, or, until 2025, one.
 */
#include "compare/import_mmtests.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/import.h"
#include "compare/import_dir.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/json.h"
#include "lib/text.h"

enum { LOG_BYTES_MAX = 64 << 20 };

/**
 * struct test - a test whose logs are being read
 * @column: name of the run
 * @name: such as "hackbench-process-pipes"
 * @format: how to read its logs
 * @path: of the current log
 * @point: of the current log
 */
struct test {
	struct import *import;
	const char *column, *name;
	const struct format *format;
	const char *path;
	struct jval *point;
	struct err *err;
};

/**
 * struct format - a benchmark whose logs can be read
 * @workload: its name
 * @prefix: of the names of its logs; a number follows
 * @parameter: what the number is
 * @marks: text before each figure, ended by NULL
 * @metrics: what the figures are; one for each mark
 * @unit: of the figures
 * @better_higher: their direction
 */
struct format {
	const char *workload, *prefix, *parameter;
	const char *marks[5];
	const char *metrics[4];
	const char *unit;
	bool better_higher;
};

enum { HACKBENCH, STREAM, NR_FORMATS };

static const struct format formats[NR_FORMATS] = {
	[HACKBENCH] = {
		.workload = "hackbench",
		.prefix = "hackbench-",
		.parameter = "groups",
		.marks = { "Total time:", "Time:" },
		.metrics = { "time", "time" },
		.unit = "s",
	},
	[STREAM] = {
		.workload = "stream",
		.prefix = "benchlog-",
		.parameter = "threads",
		.marks = { "Copy:", "Scale:", "Add:", "Triad:" },
		.metrics = { "Copy", "Scale", "Add", "Triad" },
		.unit = "MB/s",
		.better_higher = true,
	},
};

static int add_value(struct test *test, const char *metric, double value,
		     enum record_status status)
{
	const struct import_value import_value = {
		.column = test->column,
		.workload = test->format->workload,
		.variant = test->name,
		.point = test->point,
		.status = status,
		.metric = {
			.name = metric,
			.unit = test->format->unit,
			.better_higher = test->format->better_higher,
			.mean = value,
			.digits = -1,
		},
	};
	struct err why = { 0 };
	int bad = import_add(test->import, &import_value, &why);

	if (!bad)
		return 0;
	return err_set(test->err, bad == -ENOMEM ? bad : -EPROTO, "%s: %s", test->path,
		       why.text);
}

/* The figure behind a mark at the start of the line; 0, -ENOENT for another line. */
static int read_line(struct test *test, const char *line, size_t nr)
{
	const struct format *format = test->format;
	size_t i;

	line += strspn(line, " \t");
	for (i = 0; format->marks[i]; i++) {
		size_t len = strlen(format->marks[i]);
		const char *number = line + len;
		char *end;
		double value;

		if (strncmp(line, format->marks[i], len))
			continue;
		number += strspn(number, " \t");
		value = strtod(number, &end);
		if (end == number || (*end && !strchr(" \t\r", *end)) || !(value > 0.0) ||
		    !isfinite(value))
			return err_set(test->err, -EPROTO,
				       "%s:%zu: '%.40s' is no figure (expected a number "
				       "above 0 with a decimal point)",
				       test->path, nr, number);
		return add_value(test, format->metrics[i], value, RECORD_OK);
	}
	return -ENOENT;
}

static int read_log(struct test *test)
{
	char *text = NULL;
	size_t nr_figures = 0;
	size_t nr = 0;
	char *line, *rest;
	size_t len = 0;
	int bad = file_read(test->path, LOG_BYTES_MAX, &text, &len, test->err);

	if (bad)
		return bad;
	if (strlen(text) != len)
		bad = err_set(test->err, -EPROTO, "%s is no text", test->path);
	for (rest = text; !bad && (line = strsep(&rest, "\n"));) {
		bad = read_line(test, line, ++nr);
		nr_figures += !bad;
		bad = bad == -ENOENT ? 0 : bad;
	}
	if (!bad && !nr_figures)
		bad = add_value(test, NULL, 0.0, RECORD_FAILED);
	free(text);
	return bad;
}

static bool has_suffix(const char *name, const char *suffix)
{
	size_t len = strlen(name);

	return len > strlen(suffix) && !strcmp(name + len - strlen(suffix), suffix);
}

/* hackbench-4, hackbench-4-1 and benchlog-8-_-1 are of 4, 4 and 8. */
static bool read_number(const struct test *test, const char *name, uint64_t *ret)
{
	size_t len = strlen(test->format->prefix);
	char digits[24];
	size_t nr;

	if (strncmp(name, test->format->prefix, len))
		return false;
	nr = strspn(name + len, "0123456789");
	if (nr >= sizeof(digits) || (name[len + nr] && !strchr("-.", name[len + nr])))
		return false;
	memcpy(digits, name + len, nr);
	digits[nr] = '\0';
	return !text_uint(digits, 1, INT64_MAX, ret, NULL);
}

static int read_file(struct test *test, const char *logs, const char *name)
{
	uint64_t number;
	char *path;
	int bad;

	if (!read_number(test, name, &number))
		return 0;
	path = file_path("%s/%s", logs, name);
	test->point = jval_object();
	test->path = path;
	bad = !path ||
	      jval_put(test->point, test->format->parameter, jval_from_uint(number));
	if (bad)
		bad = err_nomem(test->err);
	else if (has_suffix(name, ".gz") || has_suffix(name, ".xz"))
		bad = err_set(
			test->err, -ENOTSUP,
			"%s is compressed (expected it unpacked, by gunzip or unxz)",
			path);
	else
		bad = read_log(test);
	jval_free(test->point);
	free(path);
	return bad;
}

static int read_logs(struct test *test, const char *logs)
{
	struct import_dir dir;
	size_t i;
	int bad = import_dir_read(&dir, logs, test->err);

	for (i = 0; !bad && i < dir.nr_names; i++)
		bad = read_file(test, logs, dir.names[i]);
	import_dir_release(&dir);
	return bad;
}

static const struct format *find_format(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (!strncmp(name, formats[i].workload, strlen(formats[i].workload)))
			return &formats[i];
	return NULL;
}

/* A directory of a test, called by it; until 2019 the name of the run followed. */
static int read_test(struct test *test, const char *parent, const char *name)
{
	static const char *const places[] = { "logs", "noprofile" };
	size_t run = strlen(test->column);
	size_t len = strlen(name);
	char *own = strdup(name);
	size_t i;
	int bad = own ? 0 : err_nomem(test->err);

	if (own && len > run + 1 && name[len - run - 1] == '-' &&
	    !strcmp(name + len - run, test->column))
		own[len - run - 1] = '\0';
	test->name = own;
	for (i = 0; !bad && i < sizeof(places) / sizeof(places[0]); i++) {
		char *logs = file_path("%s/%s/%s", parent, name, places[i]);

		if (!logs)
			bad = err_nomem(test->err);
		else if (import_dir_exists(logs))
			bad = read_logs(test, logs);
		free(logs);
	}
	free(own);
	return bad;
}

/* All tests of one iter-N. */
static int read_tests(struct test *test, const char *path)
{
	struct import_dir dir;
	size_t i;
	int bad = import_dir_read(&dir, path, test->err);

	for (i = 0; !bad && i < dir.nr_names; i++) {
		test->format = find_format(dir.names[i]);
		if (test->format)
			bad = read_test(test, path, dir.names[i]);
	}
	import_dir_release(&dir);
	return bad;
}

/* One run: its iter-N, or, until 2019, its tests. */
static int read_run(struct test *test, const char *path)
{
	struct import_dir dir;
	char *column = import_dir_name(path);
	size_t i;
	int bad = column ? import_dir_read(&dir, path, test->err) : err_nomem(test->err);

	if (!column)
		return bad;
	test->column = column;
	for (i = 0; !bad && i < dir.nr_names; i++) {
		char *sub = file_path("%s/%s", path, dir.names[i]);

		if (!sub)
			bad = err_nomem(test->err);
		else if (!strncmp(dir.names[i], "iter-", strlen("iter-")))
			bad = read_tests(test, sub);
		free(sub);
	}
	import_dir_release(&dir);
	if (!bad)
		bad = read_tests(test, path);
	free(column);
	return bad;
}

static bool is_run(const char *path)
{
	char *first = file_path("%s/iter-0", path);
	bool ret = first && import_dir_exists(first);

	free(first);
	return ret;
}

static int read_runs(struct test *test, const char *path)
{
	struct import_dir dir;
	size_t i;
	int bad = import_dir_read(&dir, path, test->err);

	for (i = 0; !bad && i < dir.nr_names; i++) {
		char *sub = file_path("%s/%s", path, dir.names[i]);

		if (!sub)
			bad = err_nomem(test->err);
		else if (is_run(sub))
			bad = read_run(test, sub);
		free(sub);
	}
	import_dir_release(&dir);
	return bad;
}

int import_mmtests(struct import *import, const char *path, struct err *err)
{
	struct err local = { 0 };
	struct test test = { .import = import, .err = err ? err : &local };
	int bad = is_run(path) ? read_run(&test, path) : read_runs(&test, path);

	if (!bad && !import_count(import))
		bad = read_run(&test, path);
	if (!bad && !import_count(import))
		bad = err_set(
			test.err, -EPROTO,
			"'%s' has no results of hackbench or stream (expected a run "
			"of mmtests, such as work/log/NAME)",
			path);
	return bad;
}

/* The run says how many threads it had, and that they computed what they should. */
static int check_stream(const struct test *test, uint64_t *ret_threads)
{
	static const char validates[] = "Solution Validates";
	static const char threads[] = "Number of Threads counted = ";
	char *text = NULL;
	const char *at;
	int bad = file_read(test->path, LOG_BYTES_MAX, &text, NULL, test->err);

	if (bad)
		return bad;
	at = strstr(text, threads);
	*ret_threads = at ? strtoull(at + strlen(threads), NULL, 10) : 0;
	if (!strstr(text, validates))
		bad = err_set(test->err, -EPROTO,
			      "%s: the solution wasn't validated (expected '%s')",
			      test->path, validates);
	else if (!*ret_threads)
		bad = err_set(test->err, -EPROTO,
			      "%s: the number of threads isn't told (expected '%s8')",
			      test->path, threads);
	free(text);
	return bad;
}

int import_stream(struct import *import, const char *path, struct err *err)
{
	struct err local = { 0 };
	struct test test = {
		.import = import,
		.name = "stream",
		.format = &formats[STREAM],
		.path = path,
		.err = err ? err : &local,
	};
	char *column = import_dir_of(path);
	size_t before = import_count(import);
	uint64_t nr = 0;
	int bad = check_stream(&test, &nr);

	test.column = column;
	test.point = jval_object();
	if (!bad && (!column || jval_put(test.point, "threads", jval_from_uint(nr))))
		bad = err_nomem(test.err);
	if (!bad)
		bad = read_log(&test);
	if (!bad && import_count(import) != before + 4)
		bad = err_set(test.err, -EPROTO,
			      "%s has %zu rates (expected one of each operation)", path,
			      import_count(import) - before);
	jval_free(test.point);
	free(column);
	return bad;
}
