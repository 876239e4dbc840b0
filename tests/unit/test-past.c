// SPDX-License-Identifier: GPL-2.0-or-later
/* Earlier runs of given cells: what is taken out of ledgers, and what isn't. */
#include <errno.h>
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

#include "compare/past.h"
#include "compare/table.h"
#include "lib/err.h"

static const struct past_cell cells[] = { { "c1", "base" }, { "c2", "wake" } };

/* struct run_dir - the directory of a run with a ledger */
struct run_dir {
	char dir[32], file[64];
};

static void make_run(struct run_dir *run, const char *ledger)
{
	FILE *out;

	(void)snprintf(run->dir, sizeof(run->dir), "/tmp/test-past-XXXXXX");
	assert_non_null(mkdtemp(run->dir));
	(void)snprintf(run->file, sizeof(run->file), "%s/records.jsonl", run->dir);
	out = fopen(run->file, "w");
	assert_non_null(out);
	assert_true(fputs(ledger, out) >= 0);
	assert_int_equal(fclose(out), 0);
}

static void remove_run(const struct run_dir *run)
{
	assert_int_equal(unlink(run->file), 0);
	assert_int_equal(rmdir(run->dir), 0);
}

#define RECORD(cell, column, i, value)                                                 \
	"{\"schema\":\"schedgrid-record-1\",\"id\":\"" cell "/b1/i" i                  \
	"/a1\",\"cell\":\"" cell "\",\"column\":\"" column                             \
	"\",\"workload\":\"w\",\"variant\":\"w\","                                     \
	"\"boot\":\"b1\",\"block\":" i ",\"iteration\":" i ",\"attempt\":1,\"seq\":" i \
	",\"status\":\"ok\",\"wall_ns\":1000,\"metrics\":[{\"name\":\"time\","         \
	"\"unit\":\"s\",\"better\":\"lower\",\"samples\":[" value "]}]}\n"

static int load(const char *const *dirs, size_t nr_dirs, struct past *ret,
		struct err *err)
{
	const struct past_wish wish = { dirs, nr_dirs, cells, 2 };

	return past_load(&wish, ret, err);
}

static void test_cells_by_id(void **state)
{
	struct run_dir one, two;
	const char *dirs[] = { one.dir, two.dir };
	struct past past;
	const struct table_row *row;

	(void)state;
	/* A label says nothing: c1 is the baseline whatever it was called. */
	make_run(&one, RECORD("c1", "old", "1", "1.0") RECORD("c1", "old", "2", "3.0")
			       RECORD("c3", "base", "1", "99.0"));
	make_run(&two, RECORD("c2", "wake", "1", "5.0") RECORD("c1", "old", "1", "2.0"));
	assert_int_equal(load(dirs, 2, &past, NULL), 0);
	assert_int_equal(past.table->nr_columns, 2);
	assert_string_equal(past.table->columns[0].name, "base");
	assert_string_equal(past.table->columns[1].name, "wake");
	row = &past.table->sections[0].rows[0];
	assert_int_equal(row->cells[0].nr_samples, 3);
	assert_true(row->cells[0].stats.amean == 2.0);
	assert_int_equal(row->cells[0].nr_boots, 2);
	assert_int_equal(row->cells[1].nr_samples, 1);
	assert_int_equal(past.nr_records, 4);
	assert_int_equal(past.wall_ns, 4000);
	table_free(past.table);
	remove_run(&one);
	remove_run(&two);
}

static void test_nothing_found(void **state)
{
	struct run_dir one;
	const char *dirs[] = { one.dir };
	struct past past;

	(void)state;
	make_run(&one, RECORD("c3", "base", "1", "99.0"));
	assert_int_equal(load(dirs, 1, &past, NULL), 0);
	assert_int_equal(past.table->nr_sections, 0);
	assert_int_equal(past.nr_records, 0);
	table_free(past.table);
	remove_run(&one);
}

static void test_failures(void **state)
{
	const char *missing[] = { "/nonexistent" };
	struct run_dir one;
	const char *dirs[] = { one.dir };
	struct err err = { 0 };
	struct past past;

	(void)state;
	assert_int_equal(load(missing, 1, &past, NULL), -ENOENT);
	make_run(&one, "{}\n");
	assert_int_equal(load(dirs, 1, &past, &err), -EPROTO);
	assert_non_null(strstr(err.text, "records.jsonl"));
	remove_run(&one);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cells_by_id),
		cmocka_unit_test(test_nothing_found),
		cmocka_unit_test(test_failures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
