// SPDX-License-Identifier: GPL-2.0-or-later
/* record/ledger: what survives crashes, full disks and a second run. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/err.h"
#include "lib/file.h"
#include "record/ledger.h"
#include "record/record.h"
#include "record/seen.h"
#include "tests/unit/fake-tree.h"

static const struct record sample = { .id = "c/b1/i1/a1",
				      .iteration = 1,
				      .cell = "c",
				      .column = "base",
				      .workload = "w",
				      .variant = "v",
				      .attempt = 1,
				      .seq = 1 };

/* What ledger_read() found. */
struct found {
	size_t nr;
	uint64_t last_seq;
	char reason[64];
};

static int note(const struct record *record, void *data, struct err *err)
{
	struct found *found = data;

	(void)err;
	found->nr++;
	found->last_seq = record->seq;
	if (record->reason)
		assert_true(strlen(record->reason) < sizeof(found->reason));
	memcpy(found->reason, record->reason ? record->reason : "",
	       record->reason ? strlen(record->reason) + 1 : 1);
	return 0;
}

static int stop_at_second(const struct record *record, void *data, struct err *err)
{
	size_t *nr = data;

	(void)record;
	return ++*nr == 2 ? err_set(err, -ENXIO, "enough") : 0;
}

static struct ledger *open_ledger(const struct fake_tree *tree, const char *expected_torn)
{
	struct ledger *ledger = NULL;
	struct err err = { 0 };
	char *torn = NULL;

	if (ledger_open(tree->dir, &ledger, &torn, &err))
		fail_msg("%s", err.text);
	if (expected_torn) {
		char *path = file_path("%s/%s", tree->dir, expected_torn);

		assert_non_null(torn);
		assert_string_equal(torn, path);
		free(path);
	} else {
		assert_null(torn);
	}
	free(torn);
	return ledger;
}

static void append(const struct fake_tree *tree, uint64_t nr)
{
	struct ledger *ledger = open_ledger(tree, NULL);
	struct record record = sample;

	for (record.seq = 1; record.seq <= nr; record.seq++)
		assert_int_equal(ledger_append(ledger, &record, NULL), 0);
	ledger_close(ledger);
}

static void check_read(const struct fake_tree *tree, size_t nr, int64_t torn)
{
	struct found found = { 0 };
	struct err err = { 0 };
	int64_t offset = -7;

	if (ledger_read(tree->dir, note, &found, &offset, &err))
		fail_msg("%s", err.text);
	assert_int_equal(found.nr, nr);
	assert_int_equal(found.last_seq, nr);
	assert_int_equal(offset, torn);
}

/* Puts @len bytes behind the ledger, as a crash may leave them. */
static void add_bytes(const struct fake_tree *tree, const void *data, size_t len)
{
	char *path = file_path("%s/records.jsonl", tree->dir);
	int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(file_write_all(fd, data, len), 0);
	assert_int_equal(close(fd), 0);
	free(path);
}

static size_t ledger_length(const struct fake_tree *tree)
{
	size_t len;

	free(fake_tree_read(tree, "records.jsonl", &len));
	return len;
}

static void test_ledger_append_and_ledger_read(void **state)
{
	struct fake_tree tree;
	char *text;

	(void)state;
	fake_tree_init(&tree);
	append(&tree, 3);
	check_read(&tree, 3, -1);
	text = fake_tree_read(&tree, "records.jsonl", NULL);
	assert_int_equal(strncmp(text, "{\"schema\":\"schedgrid-record-1\"", 30), 0);
	assert_int_equal(text[strlen(text) - 1], '\n');
	free(text);
	assert_int_equal(ledger_read(tree.dir, note, &(struct found){ 0 }, NULL, NULL),
			 0);
	fake_tree_release(&tree);
}

static void test_ledger_read_refuses(void **state)
{
	struct found found = { 0 };
	struct err err = { 0 };
	struct fake_tree tree;
	int64_t torn = -7;

	(void)state;
	fake_tree_init(&tree);
	assert_int_equal(ledger_read(tree.dir, note, &found, &torn, &err), -ENOENT);
	assert_non_null(strstr(err.text, "records.jsonl': No such file"));
	assert_int_equal(torn, -1);
	fake_tree_file(&tree, "records.jsonl/x", "a folder");
	err = (struct err){ 0 };
	assert_int_equal(ledger_read(tree.dir, note, &found, &torn, &err), -EISDIR);
	assert_int_equal(found.nr, 0);
	fake_tree_release(&tree);
}

static void test_ledger_read_ends_where_the_callee_says(void **state)
{
	struct err err = { 0 };
	struct fake_tree tree;
	size_t nr = 0;

	(void)state;
	fake_tree_init(&tree);
	append(&tree, 4);
	assert_int_equal(ledger_read(tree.dir, stop_at_second, &nr, NULL, &err), -ENXIO);
	assert_int_equal(nr, 2);
	assert_non_null(strstr(err.text, "records.jsonl:2: enough"));
	fake_tree_release(&tree);
}

static void test_bl_013_torn_last_line(void **state)
{
	static const char half[] = "{\"schema\":\"schedgrid-record-1\",\"id\":\"c/b";
	struct ledger *ledger;
	struct record record = sample;
	struct fake_tree tree;
	char name[64];
	char *text;
	size_t whole, len;

	(void)state;
	fake_tree_init(&tree);
	append(&tree, 2);
	whole = ledger_length(&tree);
	add_bytes(&tree, half, sizeof(half) - 1);
	check_read(&tree, 2, (int64_t)whole);

	(void)snprintf(name, sizeof(name), "records.jsonl.torn-%zu", whole);
	ledger = open_ledger(&tree, name);
	assert_int_equal(ledger_length(&tree), whole);
	text = fake_tree_read(&tree, name, &len);
	assert_int_equal(len, sizeof(half) - 1);
	assert_string_equal(text, half);
	free(text);
	record.seq = 3;
	assert_int_equal(ledger_append(ledger, &record, NULL), 0);
	ledger_close(ledger);
	check_read(&tree, 3, -1);
	ledger_close(open_ledger(&tree, NULL));
	fake_tree_release(&tree);
}

static void test_bl_013_nothing_but_a_torn_line(void **state)
{
	struct fake_tree tree;

	(void)state;
	fake_tree_init(&tree);
	fake_tree_file(&tree, "records.jsonl", "{\"sch");
	check_read(&tree, 0, 0);
	ledger_close(open_ledger(&tree, "records.jsonl.torn-0"));
	assert_int_equal(ledger_length(&tree), 0);
	fake_tree_release(&tree);
}

static void test_bl_013_nul_tail_of_a_power_cut(void **state)
{
	/* More than is read at once when the last newline is looked for. */
	enum { TAIL = 10000 };
	struct fake_tree tree;
	char *zeros = calloc(TAIL, 1);
	char name[64];
	char *text;
	size_t whole, len;

	(void)state;
	assert_non_null(zeros);
	fake_tree_init(&tree);
	append(&tree, 3);
	whole = ledger_length(&tree);
	add_bytes(&tree, zeros, TAIL);
	check_read(&tree, 3, (int64_t)whole);
	(void)snprintf(name, sizeof(name), "records.jsonl.torn-%zu", whole);
	ledger_close(open_ledger(&tree, name));
	text = fake_tree_read(&tree, name, &len);
	assert_int_equal(len, TAIL);
	assert_memory_equal(text, zeros, TAIL);
	free(text);
	free(zeros);
	check_read(&tree, 3, -1);
	fake_tree_release(&tree);
}

static void test_bl_013_damage_in_the_middle(void **state)
{
	static const char *const damages[] = { "{\"sch\n", "\n", "not a record\n" };
	struct record record = sample;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
		struct found found = { 0 };
		struct err err = { 0 };
		struct ledger *ledger;
		struct fake_tree tree;

		fake_tree_init(&tree);
		append(&tree, 2);
		add_bytes(&tree, damages[i], strlen(damages[i]));
		ledger = open_ledger(&tree, NULL);
		record.seq = 4;
		assert_int_equal(ledger_append(ledger, &record, NULL), 0);
		ledger_close(ledger);
		assert_int_equal(ledger_read(tree.dir, note, &found, NULL, &err),
				 -EPROTO);
		assert_int_equal(found.nr, 2);
		assert_non_null(strstr(err.text, tree.dir));
		assert_non_null(strstr(err.text, "records.jsonl:3: not valid JSON"));
		fake_tree_release(&tree);
	}
}

static void test_bl_013_nul_bytes_in_the_middle(void **state)
{
	static const char zeros[] = "\0\0\0\0\n";
	struct found found = { 0 };
	struct err err = { 0 };
	struct fake_tree tree;

	(void)state;
	fake_tree_init(&tree);
	append(&tree, 1);
	add_bytes(&tree, zeros, sizeof(zeros) - 1);
	assert_int_equal(ledger_read(tree.dir, note, &found, NULL, &err), -EPROTO);
	assert_non_null(strstr(err.text, "records.jsonl:2: "));
	fake_tree_release(&tree);
}

static void test_bl_115_key_given_twice(void **state)
{
	static const char twice[] =
		"{\"schema\":\"schedgrid-record-1\",\"id\":\"i\",\"id\":"
		"\"j\"}\n";
	struct found found = { 0 };
	struct err err = { 0 };
	struct fake_tree tree;

	(void)state;
	fake_tree_init(&tree);
	append(&tree, 1);
	add_bytes(&tree, twice, sizeof(twice) - 1);
	assert_int_equal(ledger_read(tree.dir, note, &found, NULL, &err), -EPROTO);
	assert_non_null(strstr(err.text, "records.jsonl:2: "));
	assert_non_null(strstr(err.text, "duplicate object key"));
	fake_tree_release(&tree);
}

static void test_ledger_open_twice(void **state)
{
	struct ledger *second = NULL;
	struct err err = { 0 };
	struct ledger *ledger;
	struct fake_tree tree;
	char *torn = NULL;

	(void)state;
	fake_tree_init(&tree);
	ledger = open_ledger(&tree, NULL);
	assert_int_equal(ledger_open(tree.dir, &second, &torn, &err), -EWOULDBLOCK);
	assert_null(second);
	assert_null(torn);
	assert_non_null(strstr(err.text, "another run is writing to '"));
	/* Not even a torn tail is touched while another run is writing. */
	add_bytes(&tree, "half", 4);
	assert_int_equal(ledger_open(tree.dir, &second, &torn, NULL), -EWOULDBLOCK);
	assert_int_equal(ledger_length(&tree), 4);
	ledger_close(ledger);
	ledger_close(open_ledger(&tree, "records.jsonl.torn-0"));
	ledger_close(NULL);
	fake_tree_release(&tree);
}

static void test_ledger_open_refuses(void **state)
{
	struct ledger *ledger = NULL;
	struct err err = { 0 };
	struct fake_tree tree;
	char *torn = NULL;

	(void)state;
	fake_tree_init(&tree);
	fake_tree_release(&tree);
	assert_int_equal(ledger_open(tree.dir, &ledger, &torn, &err), -ENOENT);
	assert_null(ledger);
	assert_null(torn);
	assert_non_null(strstr(err.text, "records.jsonl"));
}

static void test_bl_039_file_too_large(void **state)
{
	struct rlimit before, limit;
	struct record record = sample;
	struct err err = { 0 };
	struct ledger *ledger;
	struct fake_tree tree;
	size_t whole;

	(void)state;
	fake_tree_init(&tree);
	append(&tree, 2);
	whole = ledger_length(&tree);
	ledger = open_ledger(&tree, NULL);
	record.seq = 3;

	/* Room for a part of the record only. */
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	(void)signal(SIGXFSZ, SIG_IGN);
	limit = before;
	limit.rlim_cur = whole + 50;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	assert_int_equal(ledger_append(ledger, &record, &err), -EFBIG);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);

	assert_non_null(strstr(err.text, "records.jsonl': File too large"));
	assert_int_equal(ledger_length(&tree), whole);
	check_read(&tree, 2, -1);
	/* With room again it goes on. */
	assert_int_equal(ledger_append(ledger, &record, NULL), 0);
	ledger_close(ledger);
	check_read(&tree, 3, -1);
	fake_tree_release(&tree);
}

/*
 * A file that can't shrink, in place of a disk that fails. Its room ends in the
 * middle of a record.
 */
static void test_bl_039_disk_full(void **state)
{
	int fd = memfd_create("ledger", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	struct record record = sample;
	struct rlimit before, limit;
	struct err err = { 0 };
	struct ledger *ledger;
	struct fake_tree tree;
	char *path, *target;

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK), 0);
	fake_tree_init(&tree);
	path = file_path("%s/records.jsonl", tree.dir);
	target = file_path("/proc/self/fd/%d", fd);
	assert_int_equal(symlink(target, path), 0);
	free(target);
	free(path);
	ledger = open_ledger(&tree, NULL);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	(void)signal(SIGXFSZ, SIG_IGN);
	limit = before;
	limit.rlim_cur = 50;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	assert_int_equal(ledger_append(ledger, &record, &err), -EFBIG);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_non_null(strstr(err.text, "records.jsonl': File too large"));
	/* It can't be cut back either, so nothing may follow what is torn. */
	err = (struct err){ 0 };
	assert_int_equal(ledger_append(ledger, &record, &err), -EIO);
	assert_non_null(strstr(err.text, "records.jsonl' ends in half a record"));
	ledger_close(ledger);
	fake_tree_release(&tree);
	assert_int_equal(close(fd), 0);
}

static void test_ledger_must_be_a_regular_file(void **state)
{
	struct ledger *ledger = NULL;
	struct found found = { 0 };
	struct err err = { 0 };
	struct fake_tree tree;
	char *torn = NULL;
	char *path;

	(void)state;
	fake_tree_init(&tree);
	path = file_path("%s/records.jsonl", tree.dir);
	assert_int_equal(symlink("/dev/null", path), 0);
	assert_int_equal(ledger_open(tree.dir, &ledger, &torn, &err), -EPROTO);
	assert_non_null(strstr(err.text, "records.jsonl' is a device"));
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(ledger_open(tree.dir, &ledger, &torn, NULL), -EPROTO);
	assert_int_equal(ledger_read(tree.dir, note, &found, NULL, NULL), -EPROTO);
	assert_null(ledger);
	free(path);
	fake_tree_release(&tree);
}

enum harm { REMOVED, REPLACED, EMPTIED, CUT, GROWN };

static void do_harm(const struct fake_tree *tree, enum harm harm)
{
	char *path = file_path("%s/records.jsonl", tree->dir);
	char *other = file_path("%s/other", tree->dir);

	switch (harm) {
	case REMOVED:
		assert_int_equal(unlink(path), 0);
		break;
	case REPLACED:
		fake_tree_file(tree, "other", "");
		assert_int_equal(rename(other, path), 0);
		break;
	case EMPTIED:
		assert_int_equal(truncate(path, 0), 0);
		break;
	case CUT:
		assert_int_equal(truncate(path, (off_t)ledger_length(tree) - 1), 0);
		break;
	case GROWN:
		add_bytes(tree, "x\n", 2);
		break;
	}
	free(other);
	free(path);
}

static void test_ledger_check_and_what_was_done_to_it(void **state)
{
	static const char *const says[] = {
		[REMOVED] = "records.jsonl' is gone since the run began",
		[REPLACED] = "records.jsonl' was replaced by another file",
		[EMPTIED] = "was changed by somebody else: it has 0 bytes",
		[CUT] = "was changed by somebody else",
		[GROWN] = "was changed by somebody else",
	};
	struct record record = sample;
	enum harm harm;

	(void)state;
	record.iteration = 7;
	for (harm = REMOVED; harm <= GROWN; harm++) {
		struct err err = { 0 };
		struct ledger *ledger;
		struct fake_tree tree;

		fake_tree_init(&tree);
		append(&tree, 2);
		ledger = open_ledger(&tree, NULL);
		assert_int_equal(ledger_check(ledger, NULL), 0);
		assert_int_equal(ledger_append(ledger, &record, NULL), 0);
		assert_int_equal(ledger_check(ledger, NULL), 0);
		do_harm(&tree, harm);
		assert_int_equal(ledger_check(ledger, &err), -EIO);
		assert_non_null(strstr(err.text, says[harm]));
		err = (struct err){ 0 };
		assert_int_equal(ledger_append(ledger, &record, &err), -EIO);
		assert_non_null(strstr(err.text, says[harm]));
		assert_non_null(strstr(err.text, "iteration 7 of 'v' in column 'base' "
						 "has no record (c/b1/i1/a1)"));
		ledger_close(ledger);
		fake_tree_release(&tree);
	}
}

static void test_ledger_numbers_beyond_any_run(void **state)
{
	static const char *const numbers[] = {
		"\"seq\":9223372036854775807",
		"\"attempt\":1000001",
		"\"iteration\":1000000000001",
		"\"block\":1000000000001",
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		char *line =
			file_path("{\"schema\":\"schedgrid-record-1\",\"id\":\"odd\","
				  "\"cell\":\"c\",\"column\":\"base\","
				  "\"workload\":\"w\",\"variant\":\"v\","
				  "\"status\":\"ok\",\"metrics\":[],%s}\n",
				  numbers[i]);
		struct found found = { 0 };
		struct err err = { 0 };
		struct fake_tree tree;

		fake_tree_init(&tree);
		append(&tree, 1);
		add_bytes(&tree, line, strlen(line));
		assert_int_equal(ledger_read(tree.dir, note, &found, NULL, &err),
				 -EPROTO);
		assert_non_null(strstr(err.text, "records.jsonl:2: record 'odd': "));
		assert_non_null(strstr(err.text, "expected at most"));
		free(line);
		fake_tree_release(&tree);
	}
}

/* What a ledger of one good line says of a second one with these parts. */
static void second_line(const char *id, const char *parts, const char *sentence)
{
	char *line = file_path("{\"schema\":\"schedgrid-record-1\",\"id\":\"%s\","
			       "\"cell\":\"c\",\"column\":\"base\","
			       "\"workload\":\"w\",\"variant\":\"v\","
			       "\"status\":\"ok\",%s}\n",
			       id, parts);
	struct found found = { 0 };
	struct err err = { 0 };
	struct fake_tree tree;
	int bad;

	fake_tree_init(&tree);
	append(&tree, 1);
	add_bytes(&tree, line, strlen(line));
	bad = ledger_read(tree.dir, note, &found, NULL, &err);
	if (!sentence && bad)
		fail_msg("%s", err.text);
	if (sentence) {
		assert_int_equal(bad, -EPROTO);
		assert_non_null(strstr(err.text, "records.jsonl:2: record '"));
		if (!strstr(err.text, sentence))
			fail_msg("'%s' is not in '%s'", sentence, err.text);
	}
	free(line);
	fake_tree_release(&tree);
}

static void test_ledger_records_that_no_run_leaves(void **state)
{
	static const char *const dates[] = {
		"9999-99-99T99:99:99.999Z", "2026-12-01",	    "",
		"2026-13-01T00:00:00Z",	    "2026-12-01 02:00:00Z", "noon",
	};
	static const char negative[] =
		"\"metrics\":[{\"name\":\"t\",\"unit\":\"s\",\"better\":\"lower\","
		"\"samples\":[-1]}]";
	char text[200];
	size_t i;

	(void)state;
	second_line("c/b1/i2/a1", "\"iteration\":99,\"attempt\":1",
		    "is of iteration 99, attempt 1 (expected those of its id)");
	second_line("c/b1/w1/a2", "\"iteration\":1,\"attempt\":1", "attempt 1");
	second_line("c/b1/w1/a2", "\"iteration\":1,\"attempt\":2", NULL);
	second_line("table/a1", "\"iteration\":7", NULL);
	second_line("c/x/ix/a1", "\"iteration\":7", NULL);
	second_line("c", "\"start\":\"2026-12-01T02:00:00.123Z\"", NULL);
	for (i = 0; i < sizeof(dates) / sizeof(dates[0]); i++) {
		(void)snprintf(text, sizeof(text), "\"start\":\"%s\"", dates[i]);
		second_line("c", text, "expected a date such as");
	}
	(void)snprintf(text, sizeof(text), "\"executor\":\"local\",%s", negative);
	second_line("c", text, "a sample of 't' is -1 (expected 0 or more)");
	second_line("c", negative, NULL);
}

/* What could be written and never be read again. */
static void test_ledger_append_refuses_what_is_too_long(void **state)
{
	enum { TOO_LONG = 64 << 20 };
	char *reason = malloc(TOO_LONG + 1);
	struct record record = sample;
	struct found found = { 0 };
	struct err err = { 0 };
	struct ledger *ledger;
	struct fake_tree tree;

	(void)state;
	assert_non_null(reason);
	memset(reason, 'a', TOO_LONG);
	reason[TOO_LONG] = '\0';
	record.reason = reason;
	fake_tree_init(&tree);
	ledger = open_ledger(&tree, NULL);
	assert_int_equal(ledger_append(ledger, &record, &err), -EFBIG);
	assert_non_null(strstr(err.text, "expected at most 64 MiB"));
	assert_non_null(strstr(err.text, "has no record (c/b1/i1/a1)"));
	/* The next one is taken. */
	assert_int_equal(ledger_append(ledger, &sample, NULL), 0);
	ledger_close(ledger);
	assert_int_equal(ledger_read(tree.dir, note, &found, NULL, NULL), 0);
	assert_int_equal(found.nr, 1);
	free(reason);
	fake_tree_release(&tree);
}

/* A file that was made longer without being written: nothing of it is a line. */
static void test_ledger_hole_is_no_line(void **state)
{
	struct found found = { 0 };
	struct err err = { 0 };
	struct ledger *ledger;
	struct fake_tree tree;
	char *torn = NULL;
	char *path;

	(void)state;
	fake_tree_init(&tree);
	append(&tree, 2);
	path = file_path("%s/records.jsonl", tree.dir);
	assert_int_equal(truncate(path, INT64_C(5) << 30), 0);
	assert_int_equal(ledger_read(tree.dir, note, &found, NULL, &err), -EPROTO);
	assert_non_null(strstr(err.text, "records.jsonl:3: the line is longer than 64"));
	assert_int_equal(found.nr, 2);
	err = (struct err){ 0 };
	assert_int_equal(ledger_open(tree.dir, &ledger, &torn, &err), -EPROTO);
	assert_non_null(strstr(err.text, "ends in more than 64 MiB without a newline"));
	free(path);
	fake_tree_release(&tree);
}

/* Each id 1 to @nr, as iterations of their own. */
static void append_iterations(const struct fake_tree *tree, uint64_t nr)
{
	struct ledger *ledger = open_ledger(tree, NULL);
	struct record record = sample;

	for (record.seq = 1; record.seq <= nr; record.seq++) {
		char *id = file_path("c/b1/i%ju/a1", (uintmax_t)record.seq);

		record.iteration = record.seq;

		record.id = id;
		assert_int_equal(ledger_append(ledger, &record, NULL), 0);
		free(id);
	}
	ledger_close(ledger);
}

static void test_ledger_read_once(void **state)
{
	enum { NR = 1000 };
	struct found found = { 0 };
	struct err err = { 0 };
	struct fake_tree tree;
	uint64_t nr_repeated = 9;
	char *text, *end;

	(void)state;
	fake_tree_init(&tree);
	append_iterations(&tree, NR);
	assert_int_equal(ledger_read_once(tree.dir, note, &found, &nr_repeated, NULL), 0);
	assert_int_equal(found.nr, NR);
	assert_int_equal(nr_repeated, 0);

	/* The very same line is no other record. */
	text = fake_tree_read(&tree, "records.jsonl", NULL);
	end = strchr(text, '\n');
	add_bytes(&tree, text, (size_t)(end - text) + 1);
	found.nr = 0;
	assert_int_equal(ledger_read_once(tree.dir, note, &found, &nr_repeated, &err), 0);
	assert_int_equal(found.nr, NR);
	assert_int_equal(nr_repeated, 1);

	/* The same id with something else in it is. */
	*strstr(text, "base") = 'B';
	add_bytes(&tree, text, (size_t)(end - text) + 1);
	free(text);
	assert_int_equal(ledger_read_once(tree.dir, note, &found, &nr_repeated, &err),
			 -EPROTO);
	assert_non_null(strstr(err.text, "records.jsonl:1002: record 'c/b1/i1/a1' was "
					 "there before with another content"));
	fake_tree_release(&tree);
}

static void test_seen_add(void **state)
{
	static const char id[] = "c/b1/i1/a1";
	struct seen *seen = seen_new();
	struct seen_line line = { 0 };
	struct fake_tree tree;
	bool is_repeated = true;
	char *path;
	int fd;

	(void)state;
	fake_tree_init(&tree);
	append(&tree, 2);
	path = file_path("%s/records.jsonl", tree.dir);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	free(path);
	line.text = "{}";
	line.len = ledger_length(&tree) / 2 - 1;
	assert_non_null(seen);
	assert_int_equal(seen_add(seen, fd, id, &line, &is_repeated, NULL), 0);
	assert_false(is_repeated);
	line.len = 2;
	assert_int_equal(seen_add(seen, fd, id, &line, &is_repeated, NULL), -EPROTO);
	/* What can't be read again is no proof of anything. */
	assert_int_equal(seen_add(seen, -1, id, &line, &is_repeated, NULL), -EBADF);
	assert_false(is_repeated);
	assert_int_equal(seen_add(seen, fd, "other", &line, &is_repeated, NULL), 0);
	seen_free(seen);
	seen_free(NULL);
	assert_int_equal(close(fd), 0);
	fake_tree_release(&tree);
}

static void test_bl_053_bytes_that_are_not_text(void **state)
{
	struct record record = sample;
	struct found found = { 0 };
	struct ledger *ledger;
	struct fake_tree tree;
	char *text;

	(void)state;
	record.column = "caf\xe9";
	record.status = RECORD_FAILED;
	record.reason = "it said \xff\nand \xc2\xb5";
	fake_tree_init(&tree);
	ledger = open_ledger(&tree, NULL);
	assert_int_equal(ledger_append(ledger, &record, NULL), 0);
	ledger_close(ledger);
	assert_int_equal(ledger_read(tree.dir, note, &found, NULL, NULL), 0);
	assert_int_equal(found.nr, 1);
	assert_string_equal(found.reason, "it said \\xff\\x0aand \xc2\xb5");
	text = fake_tree_read(&tree, "records.jsonl", NULL);
	assert_non_null(strstr(text, "caf\\\\xe9"));
	assert_null(strchr(text, '\xff'));
	free(text);
	fake_tree_release(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ledger_append_and_ledger_read),
		cmocka_unit_test(test_ledger_read_refuses),
		cmocka_unit_test(test_ledger_read_ends_where_the_callee_says),
		cmocka_unit_test(test_bl_013_torn_last_line),
		cmocka_unit_test(test_bl_013_nothing_but_a_torn_line),
		cmocka_unit_test(test_bl_013_nul_tail_of_a_power_cut),
		cmocka_unit_test(test_bl_013_damage_in_the_middle),
		cmocka_unit_test(test_bl_013_nul_bytes_in_the_middle),
		cmocka_unit_test(test_bl_115_key_given_twice),
		cmocka_unit_test(test_ledger_open_twice),
		cmocka_unit_test(test_ledger_open_refuses),
		cmocka_unit_test(test_bl_039_file_too_large),
		cmocka_unit_test(test_bl_039_disk_full),
		cmocka_unit_test(test_ledger_must_be_a_regular_file),
		cmocka_unit_test(test_ledger_check_and_what_was_done_to_it),
		cmocka_unit_test(test_ledger_numbers_beyond_any_run),
		cmocka_unit_test(test_ledger_records_that_no_run_leaves),
		cmocka_unit_test(test_ledger_append_refuses_what_is_too_long),
		cmocka_unit_test(test_ledger_hole_is_no_line),
		cmocka_unit_test(test_ledger_read_once),
		cmocka_unit_test(test_seen_add),
		cmocka_unit_test(test_bl_053_bytes_that_are_not_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
