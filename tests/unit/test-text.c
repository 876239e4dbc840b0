// SPDX-License-Identifier: GPL-2.0-or-later
/* lib/text and lib/err: hostile bytes, typed numbers, near names, natural order. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/err.h"
#include "lib/text.h"

#define NR(array) (sizeof(array) / sizeof((array)[0]))

static void test_text_printable(void **state)
{
	static const struct {
		const char *text, *expected;
	} cases[] = {
		{ "", "" },
		{ "plain", "plain" },
		{ "\xc2\xb5s", "\xc2\xb5s" },
		{ "\xe2\x82\xac", "\xe2\x82\xac" },
		{ "\xf0\x9f\x90\xa7", "\xf0\x9f\x90\xa7" },
		{ "\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf" },
		{ "a\nb\tc\x7f", "a\\x0ab\\x09c\\x7f" },
		{ "\x1b[31m", "\\x1b[31m" },
		/* U+009B starts a sequence on some terminals. */
		{ "\xc2\x9b", "\\xc2\\x9b" },
		/* Right to left, isolated, without width, a space that is none. */
		{ "a\xe2\x80\xae"
		  "b",
		  "a\\xe2\\x80\\xaeb" },
		{ "\xe2\x81\xa6", "\\xe2\\x81\\xa6" },
		{ "\xe2\x80\x8b", "\\xe2\\x80\\x8b" },
		{ "\xc2\xa0", "\\xc2\\xa0" },
		{ "\xe3\x85\xa4", "\\xe3\\x85\\xa4" },
		/* alone, cut short, too long for what they say */
		{ "\xff", "\\xff" },
		{ "\x80", "\\x80" },
		{ "\xc2", "\\xc2" },
		{ "\xe2\x82", "\\xe2\\x82" },
		{ "\xf0\x9f\x90", "\\xf0\\x9f\\x90" },
		{ "\xe2\x82z", "\\xe2\\x82z" },
		{ "\xc0\xaf", "\\xc0\\xaf" },
		{ "\xc1\xbf", "\\xc1\\xbf" },
		{ "\xe0\x80\xaf", "\\xe0\\x80\\xaf" },
		{ "\xe0\x9f\xbf", "\\xe0\\x9f\\xbf" },
		{ "\xf0\x80\x80\xaf", "\\xf0\\x80\\x80\\xaf" },
		{ "\xf0\x8f\xbf\xbf", "\\xf0\\x8f\\xbf\\xbf" },
		/* surrogates, and beyond the last character */
		{ "\xed\xa0\x80", "\\xed\\xa0\\x80" },
		{ "\xed\xbf\xbf", "\\xed\\xbf\\xbf" },
		{ "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80" },
		{ "\xf5\x80\x80\x80", "\\xf5\\x80\\x80\\x80" },
		{ "\xf8\x88\x80\x80\x80", "\\xf8\\x88\\x80\\x80\\x80" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < NR(cases); i++) {
		char out[64];
		size_t len = text_printable(cases[i].text, out, sizeof(out));

		assert_string_equal(out, cases[i].expected);
		assert_int_equal(len, strlen(cases[i].expected));
	}
}

static void test_text_printable_cuts_between_characters(void **state)
{
	static const struct {
		const char *text;
		size_t size;
		const char *expected;
	} cases[] = {
		{ "abc", 1, "" },
		{ "abc", 3, "ab" },
		{ "abc", 4, "abc" },
		{ "a\xc2\xb5", 3, "a" },
		{ "a\xc2\xb5", 4, "a\xc2\xb5" },
		{ "\xe2\x82\xac", 3, "" },
		{ "a\n", 5, "a" },
		{ "a\n", 6, "a\\x0a" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < NR(cases); i++) {
		/* Exactly as large as said, so that a sanitizer sees one byte more. */
		char *out = malloc(cases[i].size);

		assert_non_null(out);
		text_printable(cases[i].text, out, cases[i].size);
		assert_string_equal(out, cases[i].expected);
		free(out);
	}
}

static void test_text_width(void **state)
{
	(void)state;
	assert_int_equal(text_width(""), 0);
	assert_int_equal(text_width("5.10"), 4);
	assert_int_equal(text_width("\xc2\xb5s"), 2);
	assert_int_equal(text_width("\xe2\x82\xac\xf0\x9f\x90\xa7"), 2);
}

static void test_text_invisible(void **state)
{
	static const struct {
		const char *text;
		long at;
		const char *name;
	} cases[] = {
		{ "a\xc2\xa0"
		  "b",
		  1, "no-break space" },
		{ "\xef\xbb\xbfname", 0, "byte order mark" },
		{ "ab\xe2\x80\x8b", 2, "zero-width character" },
		{ "\xe2\x80\xae", 0, "direction mark" },
		{ "\xd8\x9c", 0, "direction mark" },
		{ "a\xc2\xad", 1, "soft hyphen" },
		{ "\xff\xe3\x80\x80", 1, "ideographic space" },
		{ "\xf3\xa0\x81\xbf", 0, "tag character" },
		{ "\xe2\x80\xaf", 0, "narrow no-break space" },
		{ "\xe3\x85\xa4", 0, "filler character" },
		{ "\xef\xbf\xbb", 0, "annotation mark" },
	};
	const char *name = NULL;
	size_t i;

	(void)state;
	for (i = 0; i < NR(cases); i++) {
		assert_int_equal(text_invisible(cases[i].text, &name), cases[i].at);
		assert_string_equal(name, cases[i].name);
	}
	assert_int_equal(text_invisible("", &name), -1);
	assert_int_equal(text_invisible("plain \xc2\xb5 \xff\xe2", &name), -1);
}

static void test_text_nearest(void **state)
{
	static const char *const names[] = { "iterations", "hackbench", "stream", "null",
					     "pin",	   "fd",	NULL };
	static const char *const none[] = { NULL };
	char longer[80];

	(void)state;
	assert_string_equal(text_nearest("iteration", names), "iterations");
	assert_string_equal(text_nearest("hackbnech", names), "hackbench");
	assert_string_equal(text_nearest("steam", names), "stream");
	assert_string_equal(text_nearest("pi", names), "pin");
	assert_string_equal(text_nearest("stream", names), "stream");
	assert_null(text_nearest("unrelated", names));
	assert_null(text_nearest("", names));
	/* One letter in two is another name. */
	assert_null(text_nearest("ed", names));
	assert_null(text_nearest("stream", none));
	memset(longer, 'x', sizeof(longer));
	longer[sizeof(longer) - 1] = '\0';
	assert_null(text_nearest(longer, names));
}

static void test_text_uint(void **state)
{
	static const struct {
		const char *text;
		uint64_t value;
	} good[] = {
		{ "0", 0 },
		{ "7", 7 },
		{ "10", 10 },
		{ "18446744073709551615", UINT64_MAX },
	};
	static const char *const bad[] = {
		"",   "010",  "00",  "1e3", "1_000",	    "1,000", "+1",  "-1",  " 1",
		"1 ", "0x10", "1.0", "one", "\xef\xbc\x91", "-0",    "1\n", "1\t", "inf",
	};
	static const char *const far[] = {
		"18446744073709551616",
		"99999999999999999999",
		"100000000000000000000000000000000",
	};
	uint64_t value = 0;
	struct err err;
	size_t i;

	(void)state;
	for (i = 0; i < NR(good); i++) {
		assert_int_equal(text_uint(good[i].text, 0, UINT64_MAX, &value, NULL), 0);
		assert_true(value == good[i].value);
	}
	value = 42;
	for (i = 0; i < NR(bad); i++) {
		err = (struct err){ 0 };
		assert_int_equal(text_uint(bad[i], 0, 9, &value, &err), -EINVAL);
		assert_non_null(strstr(err.text, "(expected 0 to 9)"));
	}
	for (i = 0; i < NR(far); i++)
		assert_int_equal(text_uint(far[i], 0, UINT64_MAX, &value, NULL), -ERANGE);
	assert_int_equal(text_uint("1", 2, 4, &value, NULL), -ERANGE);
	err = (struct err){ 0 };
	assert_int_equal(text_uint("5", 2, 4, &value, &err), -ERANGE);
	assert_string_equal(err.text, "'5' is out of range (expected 2 to 4)");
	assert_int_equal(value, 42);
	assert_int_equal(text_uint("2", 2, 4, &value, NULL), 0);
	assert_int_equal(text_uint("4", 2, 4, &value, NULL), 0);
}

static void test_text_duration(void **state)
{
	static const struct {
		const char *text;
		uint64_t ns;
	} good[] = {
		{ "1ms", 1000000 },
		{ "250ms", 250000000 },
		{ "300s", UINT64_C(300000000000) },
		{ "30min", UINT64_C(1800000000000) },
		{ "2h", UINT64_C(7200000000000) },
		{ "1000h", UINT64_C(3600000000000000) },
		{ "3600000000ms", UINT64_C(3600000000000000) },
	};
	static const char *const bad[] = {
		"",	   "5",	  "s",
		"5 s",	   "5S",  "5sec",
		"-5s",	   "+5s", "1.5s",
		"05s",	   "5s ", " 5s",
		"1h30min", "5m",  "5\xc2\xb5s",
		"1e3s",	   "5us", "000000000000000000000000000000000001s",
	};
	static const char *const far[] = { "0s", "1001h", "60001min", "3600000001ms",
					   "99999999999999999999s" };
	uint64_t ns = 0;
	struct err err;
	size_t i;

	(void)state;
	for (i = 0; i < NR(good); i++) {
		assert_int_equal(text_duration(good[i].text, &ns, NULL), 0);
		assert_true(ns == good[i].ns);
	}
	ns = 42;
	for (i = 0; i < NR(bad); i++) {
		err = (struct err){ 0 };
		assert_int_equal(text_duration(bad[i], &ns, &err), -EINVAL);
		assert_non_null(strstr(err.text, "is not a duration"));
	}
	for (i = 0; i < NR(far); i++) {
		err = (struct err){ 0 };
		assert_int_equal(text_duration(far[i], &ns, &err), -ERANGE);
		assert_non_null(strstr(err.text, "at most 1000h"));
	}
	assert_int_equal(ns, 42);
}

static void test_text_natural_order(void **state)
{
	/* Each before all that follow it. */
	static const char *const rising[] = {
		"",
		"01",
		"1",
		"2",
		"5.9",
		"5.10",
		"10",
		"a01",
		"a1",
		"a2",
		"a10",
		"a10b",
		"v5.9",
		"v5.10",
		"v5.10-rc1",
		"v5.10-rc2",
		"v5.10-rc10",
		"v5.10.1",
		"v18446744073709551616",
		"v18446744073709551617",
		"\xc2\xb5",
	};
	size_t i, j;

	(void)state;
	for (i = 0; i < NR(rising); i++)
		for (j = 0; j < NR(rising); j++) {
			int order = text_natural_order(rising[i], rising[j]);

			assert_int_equal((order > 0) - (order < 0), (i > j) - (i < j));
		}
}

static void test_err_set(void **state)
{
	struct err err = { 0 };
	char longer[3000];

	(void)state;
	errno = ENOENT;
	assert_int_equal(err_set(&err, -ENOENT, "cannot open '%s': %m", "a\nb\xff"),
			 -ENOENT);
	assert_string_equal(err.text,
			    "cannot open 'a\\x0ab\\xff': No such file or directory");
	/* the first failure wins */
	assert_int_equal(err_set(&err, -EIO, "later"), -ENOENT);
	assert_non_null(strstr(err.text, "cannot open"));
	assert_int_equal(err.code, -ENOENT);
	assert_int_equal(err_set(NULL, -EIO, "nobody reads this"), -EIO);

	err = (struct err){ 0 };
	memset(longer, '\n', sizeof(longer));
	longer[sizeof(longer) - 1] = '\0';
	assert_int_equal(err_set(&err, -EINVAL, "%s", longer), -EINVAL);
	assert_true(strlen(err.text) < sizeof(err.text));
	assert_true(strlen(err.text) > sizeof(err.text) - 8);
}

static void test_err_nomem(void **state)
{
	struct err err = { 0 };

	(void)state;
	assert_int_equal(err_nomem(&err), -ENOMEM);
	assert_string_equal(err.text, "out of memory");
	assert_int_equal(err_nomem(NULL), -ENOMEM);
}

static void broken_text_is_found_where_it_is(void **state)
{
	(void)state;
	assert_int_equal(text_broken(""), -1);
	assert_int_equal(text_broken("5 \xc2\xb5s \xe2\x82\xac"), -1);
	assert_int_equal(text_broken("a\xff"), 1);
	assert_int_equal(text_broken("ab\xc2"), 2);
	assert_int_equal(text_broken("\xb5s"), 0);
}

static void test_text_behind(void **state)
{
	static const char text[] = "run: 1\noverrun: 2\ncommit overrun: 3";

	(void)state;
	assert_string_equal(text_behind(text, "run: "), text + strlen("run: "));
	assert_memory_equal(text_behind(text, "overrun: "), "2\n", 2);
	assert_string_equal(text_behind(text, "commit overrun: "), "3");
	assert_string_equal(text_behind("key=", "key="), "");
	assert_null(text_behind(text, "rerun: "));
	assert_null(text_behind("key=1\n", "ey="));
	assert_null(text_behind("", "key="));
}

static void test_text_hash(void **state)
{
	(void)state;
	assert_true(text_hash("", 0) == 0xcbf29ce484222325);
	assert_true(text_hash("foobar!", 6) == 0x85944171f73967e8);
	assert_true(text_hash("\xff", 1) != text_hash("\x7f", 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(broken_text_is_found_where_it_is),
		cmocka_unit_test(test_text_printable),
		cmocka_unit_test(test_text_printable_cuts_between_characters),
		cmocka_unit_test(test_text_width),
		cmocka_unit_test(test_text_invisible),
		cmocka_unit_test(test_text_nearest),
		cmocka_unit_test(test_text_uint),
		cmocka_unit_test(test_text_duration),
		cmocka_unit_test(test_text_natural_order),
		cmocka_unit_test(test_text_behind),
		cmocka_unit_test(test_text_hash),
		cmocka_unit_test(test_err_set),
		cmocka_unit_test(test_err_nomem),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
