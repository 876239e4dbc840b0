// SPDX-License-Identifier: GPL-2.0-or-later
/* Publishing without servers: targets, waiting, mails, series. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "compare/publish_influx.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/transfer.h"
#include "runner/publish.h"
#include "runner/publish_mail.h"
#include "runner/publish_target.h"
#include "runner/spool.h"
#include "tests/unit/fake-tree.h"

static int read_targets(const struct fake_tree *tree, mode_t mode, const char *text,
			struct publish_targets *ret, struct err *err)
{
	char *path = file_path("%s/targets.yaml", tree->dir);
	int bad;

	assert_non_null(path);
	fake_tree_file(tree, "targets.yaml", text);
	assert_int_equal(chmod(path, mode), 0);
	memset(err, 0, sizeof(*err));
	bad = publish_targets_read(path, ret, err);
	free(path);
	return bad;
}

#define HEAD "schema: schedgrid-targets-1\ntargets:\n"

static void test_targets_are_read(void **state)
{
	struct publish_targets targets;
	struct fake_tree tree;
	struct err err;

	(void)state;
	fake_tree_init(&tree);
	assert_int_equal(read_targets(&tree, 0600,
				      HEAD
				      "  - {name: a, type: put, url: 'http://h/x//'}\n"
				      "  - {name: b, type: influx, url: 'https://h', "
				      "database: d, timeout: 1500ms}\n",
				      &targets, &err),
			 0);
	assert_int_equal(targets.nr, 2);
	assert_string_equal(targets.target[0].url, "http://h/x");
	assert_false(targets.target[0].follows);
	assert_int_equal(targets.target[0].timeout_s, 120);
	assert_int_equal(targets.target[1].timeout_s, 2);
	assert_ptr_equal(publish_target_find(&targets, "b", &err), &targets.target[1]);
	assert_null(publish_target_find(&targets, "c", &err));
	assert_int_equal(err.code, -ENOENT);
	publish_targets_release(&targets);
	fake_tree_release(&tree);
}

static void test_targets_are_refused(void **state)
{
	static const char *const wrong[][2] = {
		{ HEAD "  - {name: a, type: put}\n", "needs 'url'" },
		{ HEAD "  - {name: a, type: pt, url: 'http://h'}\n", "'put'" },
		{ HEAD "  - {name: a, type: put, url: 'ftp://h'}\n", "https://" },
		{ HEAD "  - {name: a, type: put, url: 'http://u:hidden@h'}\n", "'@'" },
		{ HEAD "  - {name: a, type: kcidb, url: 'http://h', origin: A}\n",
		  "lower-case" },
		{ HEAD "  - {name: a/b, type: put, url: 'http://h'}\n", "a/b" },
		{ HEAD "  - {name: a, type: put, url: 'http://h'}\n"
		       "  - {name: a, type: put, url: 'http://h'}\n",
		  "there already" },
		{ HEAD "  - {name: a, type: put, url: 'http://h', passwort: hidden}\n",
		  "password" },
		{ "schema: schedgrid-targets-9\ntargets: []\n", "schedgrid-targets-1" },
	};
	struct publish_targets targets;
	struct fake_tree tree;
	struct err err;
	size_t i;

	(void)state;
	fake_tree_init(&tree);
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(read_targets(&tree, 0600, wrong[i][0], &targets, &err),
				 -EINVAL);
		if (!strstr(err.text, wrong[i][1]))
			fail_msg("'%s' is not in '%s'", wrong[i][1], err.text);
		assert_null(strstr(err.text, "hidden"));
	}
	assert_int_equal(read_targets(&tree, 0640,
				      HEAD "  - {name: a, type: put, url: 'http://h'}\n",
				      &targets, &err),
			 -EPERM);
	assert_non_null(strstr(err.text, "chmod 600"));
	fake_tree_release(&tree);
}

static void test_waits_grow_and_end(void **state)
{
	uint64_t i;

	(void)state;
	for (i = 1; i < 70; i++) {
		uint64_t wait_s = publish_wait_s(i, "an-entry");

		assert_true(wait_s >= PUBLISH_FIRST_WAIT_SEC);
		assert_true(wait_s <= PUBLISH_MOST_WAIT_SEC * 5 / 4);
		assert_true(i == 1 || publish_wait_s(i - 1, "x") / 2 < wait_s);
	}
	assert_true(publish_wait_s(1, "x") < 75);
	assert_true(publish_wait_s(69, "x") >= PUBLISH_MOST_WAIT_SEC);
}

static void test_nobody_there_puts_off(void **state)
{
	static char name[] = "a.txt", type[] = "text/plain";
	static char target_name[] = "t", url[] = "http://127.0.0.1:1";
	const struct publish_target target = {
		.name = target_name, .type = PUBLISH_PUT, .url = url, .timeout_s = 5
	};
	const struct spool_part part = { name, type, "bytes", 5 };
	const struct spool_content content = { "t", &part, 1 };
	enum publish_outcome outcome = PUBLISH_SENT;
	struct spool_entry entry;
	struct fake_tree tree;
	struct err err = { 0 };
	char *spool, *id = NULL;

	(void)state;
	fake_tree_init(&tree);
	spool = file_path("%s/spool", tree.dir);
	assert_int_equal(spool_add(spool, &content, 1000, &id, &err), 0);
	assert_int_equal(spool_open(spool, id, &entry, &err), 0);
	assert_int_equal(publish_send(&entry, &target, 2000, &outcome, &err), 0);
	assert_int_equal(outcome, PUBLISH_LATER);
	spool_close(&entry);
	assert_int_equal(spool_open(spool, id, &entry, &err), 0);
	assert_int_equal(entry.nr_tries, 1);
	assert_true(entry.next_s >= 2060 && entry.next_s < 2075);
	assert_non_null(strstr(entry.reason, "cannot reach"));
	spool_close(&entry);
	free(id);
	free(spool);
	fake_tree_release(&tree);
}

static void test_transfer_says_who_is_not_there(void **state)
{
	const struct transfer_server server = { .timeout_s = 5 };
	const struct transfer_request request = { .method = TRANSFER_GET,
						  .url = "http://127.0.0.1:1/" };
	const struct transfer_request other = { .method = TRANSFER_GET,
						.url = "file:///etc/passwd" };
	struct transfer_answer answer;
	struct err err = { 0 };

	(void)state;
	assert_int_equal(transfer_run(&server, &request, &answer, &err), -ECONNREFUSED);
	assert_non_null(strstr(err.text, "127.0.0.1:1"));
	assert_int_equal(transfer_run(&server, &other, &answer, NULL), -EIO);
}

static void test_mail_is_the_same_each_time(void **state)
{
	static char id[] = "list-0123", from[] = "a@b", to[] = "c@d";
	const struct publish_target target = { .from = from, .to = to };
	const struct spool_entry entry = { .id = id, .created_s = 86400 };
	char *mail = publish_mail(&entry, &target, "Subject: x\n\nbody\nlast", "\r\n");

	(void)state;
	assert_string_equal(mail, "Date: Fri, 2 Jan 1970 00:00:00 +0000\r\n"
				  "From: a@b\r\nTo: c@d\r\n"
				  "Message-ID: <list-0123@schedgrid.invalid>\r\n"
				  "Subject: x\r\n\r\nbody\r\nlast\r\n");
	free(mail);
}

#define RECORD(ITERATION, STATUS, FLAGS, START, SAMPLES)                                 \
	"{\"schema\":\"schedgrid-record-1\",\"id\":\"c/b1/i" ITERATION                   \
	"/a1\",\"cell\":\"c\",\"column\":\"a, b\",\"workload\":\"w\",\"variant\":\"w\"," \
	"\"point\":{\"groups\":4},\"machine\":\"m\",\"executor\":\"local\","             \
	"\"boot\":\"b1\",\"block\":1,\"iteration\":" ITERATION                           \
	",\"attempt\":1,\"seq\":" ITERATION ",\"status\":\"" STATUS                      \
	"\",\"flags\":[" FLAGS "],\"start\":\"" START                                    \
	"\",\"metrics\":[{\"name\":\"time\",\"unit\":\"s\",\"better\":\"lower\","        \
	"\"samples\":[" SAMPLES "]}]}\n"

static int series(const char *records, char **ret, struct err *err)
{
	struct fake_tree tree;
	size_t len = 0;
	int bad;

	fake_tree_init(&tree);
	fake_tree_file(&tree, "records.jsonl", records);
	bad = influx_write(tree.dir, "a \"run\"", ret, &len, err);
	assert_true(bad || len == strlen(*ret));
	fake_tree_release(&tree);
	return bad;
}

static void test_series_have_each_sample_once(void **state)
{
	static const char start[] =
		"schedgrid,machine=m,executor=local,column=a\\,\\ b,"
		"workload=w,variant=w,metric=time,unit=s,better=lower,"
		"point_groups=4 value=0.10000000000000001,"
		"run=\"a \\\"run\\\"\",cell=\"c\",iteration=1i,"
		"attempt=1i,flags=0i 1764547201123000000\n";
	struct err err = { 0 };
	char *text = NULL;

	(void)state;
	assert_int_equal(
		series(RECORD("1", "ok", "", "2025-12-01T00:00:01.123Z", "0.1,0.2")
			       RECORD("2", "ok", "\"warmup\"", "2025-12-01T00:00:02.000Z",
				      "7") RECORD("3", "failed", "",
						  "2025-12-01T00:00:03.000Z", "8"),
		       &text, &err),
		0);
	assert_int_equal(strncmp(text, start, sizeof(start) - 1), 0);
	assert_non_null(strstr(text, "value=0.20000000000000001,"));
	assert_non_null(strstr(text, " 1764547201123000001\n"));
	assert_null(strstr(text, "value=7"));
	assert_null(strstr(text, "value=8"));
	free(text);
	assert_int_equal(
		series(RECORD("1", "failed", "", "2025-12-01T00:00:03.000Z", "8"), &text,
		       &err),
		-ENODATA);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_targets_are_read),
		cmocka_unit_test(test_targets_are_refused),
		cmocka_unit_test(test_waits_grow_and_end),
		cmocka_unit_test(test_nobody_there_puts_off),
		cmocka_unit_test(test_transfer_says_who_is_not_there),
		cmocka_unit_test(test_mail_is_the_same_each_time),
		cmocka_unit_test(test_series_have_each_sample_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
