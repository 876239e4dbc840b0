// SPDX-License-Identifier: GPL-2.0-or-later
/* lib/json: what is refused and where, bytes that aren't text, numbers and styles. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/err.h"
#include "lib/json.h"

#define NR(array) (sizeof(array) / sizeof((array)[0]))

static struct jval *accept(const char *text)
{
	struct jval *jval = NULL;
	struct err err = { 0 };

	if (jval_parse(text, strlen(text), &jval, &err))
		fail_msg("'%s' is refused: %s", text, err.text);
	return jval;
}

static void refuse_len(const char *text, size_t len, const char *expected)
{
	struct jval *jval = NULL;
	struct err err = { 0 };
	/* Without a terminator, and where a sanitizer sees a byte too many. */
	char *copy = malloc(len + !len);

	assert_non_null(copy);
	memcpy(copy, text, len);
	assert_int_equal(jval_parse(copy, len, &jval, &err), -EPROTO);
	assert_null(jval);
	if (!strstr(err.text, expected))
		fail_msg("'%s' gives: %s\nnot: %s", text, err.text, expected);
	free(copy);
}

static void refuse(const char *text, const char *expected)
{
	refuse_len(text, strlen(text), expected);
}

static void check_written(struct jval *jval, enum jval_style style, const char *expected)
{
	char *text = jval_write(jval, style);

	assert_non_null(text);
	assert_string_equal(text, expected);
	free(text);
}

static void test_jval_parse(void **state)
{
	struct jval *jval = accept(" {\"a\":[1,2.5,\"x\",true,null]} \n");
	const struct jval *list = jval_get(jval, "a");

	(void)state;
	assert_int_equal(jval_count(list), 5);
	jval_free(jval);
	jval = accept("7");
	jval_free(jval);
	/* The value is left alone when the text is refused. */
	refuse("", "not valid JSON at 1:0");
	refuse("{", "not valid JSON at 1:1");
	refuse("{} {}", "end of file expected");
	refuse("{\"a\":\n  1,\n  b}", "not valid JSON at 3:");
	refuse("{'a':1}", "not valid JSON at 1:2");
	refuse("[1,]", "not valid JSON at 1:4");
	refuse("{\"a\":1}x", "not valid JSON at 1:8");
	assert_int_equal(jval_parse("{", 1, &jval, NULL), -EPROTO);
}

static void test_bl_115_duplicate_keys(void **state)
{
	(void)state;
	refuse("{\"a\":1,\n \"a\":2}", "not valid JSON at 2:4: duplicate object key");
	refuse("{\"m\":{\"samples\":[1],\"samples\":[2]}}", "duplicate object key");
}

static void test_jval_parse_refuses_numbers(void **state)
{
	(void)state;
	refuse("NaN", "not valid JSON");
	refuse("[Infinity]", "not valid JSON");
	refuse("[-inf]", "not valid JSON");
	refuse("[1e999]", "real number overflow");
	refuse("[9223372036854775808]", "too big integer");
	refuse("[99999999999999999999999999]", "too big integer");
	refuse("[01]", "not valid JSON");
	refuse("[+1]", "not valid JSON");
	refuse("[0x10]", "not valid JSON");
	refuse("[1.]", "not valid JSON");
}

static void test_jval_parse_refuses_bytes(void **state)
{
	(void)state;
	refuse("\"\xff\"", "unable to decode byte 0xff");
	refuse("\"\xc0\xaf\"", "unable to decode");
	refuse("\"\xed\xa0\x80\"", "unable to decode");
	refuse("\"\\ud800\"", "not valid JSON");
	refuse("\"\\u0000\"", "not valid JSON");
	refuse("\"a\nb\"", "not valid JSON");
	refuse_len("\"a\0b\"", 5, "not valid JSON");
	refuse_len("{}\0", 3, "not valid JSON");
	refuse_len("\0\0\0\0", 4, "not valid JSON");
}

static void test_jval_parse_survives_depth(void **state)
{
	enum { DEPTH = 200000, FINE = 1000 };
	char *bomb = malloc(2 * DEPTH);
	struct jval *jval = NULL;

	(void)state;
	assert_non_null(bomb);
	memset(bomb, '[', DEPTH);
	memset(bomb + DEPTH, ']', DEPTH);
	refuse_len(bomb, 2 * DEPTH, "maximum parsing depth reached");
	refuse_len(bomb, DEPTH, "maximum parsing depth reached");
	assert_int_equal(jval_parse(bomb + DEPTH - FINE, 2 * FINE, &jval, NULL), 0);
	jval_free(jval);
	free(bomb);
}

static void test_jval_from_string(void **state)
{
	static const struct {
		const char *text, *expected;
	} cases[] = {
		{ "", "" },
		{ "5.10", "5.10" },
		{ "\xc2\xb5s\n", "\xc2\xb5s\n" },
		{ "a\xff"
		  "b",
		  "a\\xffb" },
		{ "\xc0\xaf", "\\xc0\\xaf" },
		{ "\xed\xa0\x80", "\\xed\\xa0\\x80" },
		{ "\xe2\x82", "\\xe2\\x82" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < NR(cases); i++) {
		struct jval *jval = jval_from_string(cases[i].text);
		struct jval *again;
		char *text = jval_write(jval, JVAL_LINE);

		assert_string_equal(jval_text(jval), cases[i].expected);
		assert_non_null(text);
		again = accept(text);
		assert_true(jval_equal(jval, again));
		free(text);
		jval_free(again);
		jval_free(jval);
	}
}

static void test_jval_from_uint(void **state)
{
	static const uint64_t values[] = { 0, 1, UINT64_C(1) << 53, INT64_MAX };
	uint64_t value;
	size_t i;

	(void)state;
	for (i = 0; i < NR(values); i++) {
		struct jval *jval = jval_from_uint(values[i]);

		assert_true(jval_uint(jval, &value));
		assert_true(value == values[i]);
		jval_free(jval);
	}
	assert_null(jval_from_uint((uint64_t)INT64_MAX + 1));
	assert_null(jval_from_uint(UINT64_MAX));
}

static void test_jval_from_real(void **state)
{
	static const struct {
		double value;
		const char *text;
	} cases[] = {
		{ 0.1, "0.1" },
		{ 0.1244, "0.1244" },
		{ 1e-6, "1e-6" },
		{ 100.0, "100.0" },
		{ 123456789.012345, "123456789.012345" },
		{ 0.123456789012345, "0.123456789012345" },
		{ 999999999999999.0, "999999999999999.0" },
		{ -2.5, "-2.5" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < NR(cases); i++) {
		struct jval *jval = jval_from_real(cases[i].value);
		double value = 0;

		check_written(jval, JVAL_LINE, cases[i].text);
		jval_free(jval);
		jval = accept(cases[i].text);
		assert_true(jval_real(jval, &value));
		assert_true(value == cases[i].value);
		jval_free(jval);
	}
	assert_null(jval_from_real((double)NAN));
	assert_null(jval_from_real((double)INFINITY));
	assert_null(jval_from_real(-(double)INFINITY));
}

static void test_jval_uint_and_jval_real(void **state)
{
	struct jval *jval = accept("[-1,1.0,\"1\",7,null,true]");
	uint64_t number = 42;
	double real = 42;

	(void)state;
	assert_false(jval_uint(jval_item(jval, 0), &number));
	assert_false(jval_uint(jval_item(jval, 1), &number));
	assert_false(jval_uint(jval_item(jval, 2), &number));
	assert_false(jval_uint(jval_item(jval, 4), &number));
	assert_false(jval_uint(NULL, &number));
	assert_int_equal(number, 42);
	assert_true(jval_uint(jval_item(jval, 3), &number));
	assert_int_equal(number, 7);
	assert_false(jval_real(jval_item(jval, 2), &real));
	assert_false(jval_real(jval_item(jval, 5), &real));
	assert_false(jval_real(NULL, &real));
	assert_true(real == 42);
	assert_true(jval_real(jval_item(jval, 0), &real));
	assert_true(real == -1);
	assert_true(jval_real(jval_item(jval, 3), &real));
	assert_true(real == 7);
	jval_free(jval);
}

static void test_kinds(void **state)
{
	struct jval *jval = accept("[true,false,null,{},[],\"\"]");
	const struct jval *yes = jval_item(jval, 0);

	(void)state;
	assert_true(jval_is_true(yes));
	assert_false(jval_is_true(jval_item(jval, 1)));
	assert_false(jval_is_true(NULL));
	assert_true(jval_is_null(jval_item(jval, 2)));
	assert_false(jval_is_null(yes));
	assert_false(jval_is_null(NULL));
	assert_true(jval_is_object(jval_item(jval, 3)));
	assert_false(jval_is_object(jval));
	assert_false(jval_is_object(NULL));
	assert_true(jval_is_array(jval));
	assert_false(jval_is_array(jval_item(jval, 3)));
	assert_false(jval_is_array(NULL));
	assert_string_equal(jval_text(jval_item(jval, 5)), "");
	assert_null(jval_text(yes));
	assert_null(jval_text(NULL));
	assert_null(jval_item(jval, 6));
	assert_null(jval_item(NULL, 0));
	jval_free(jval);
	jval_free(NULL);
}

static void test_jval_put_and_jval_push(void **state)
{
	struct jval *object = jval_object();
	struct jval *array = jval_array();

	(void)state;
	assert_int_equal(jval_push(array, jval_from_bool(true)), 0);
	assert_int_equal(jval_push(array, jval_from_bool(false)), 0);
	assert_int_equal(jval_push(array, NULL), -ENOMEM);
	assert_int_equal(jval_count(array), 2);
	assert_int_equal(jval_put(object, "b", array), 0);
	assert_int_equal(jval_put(object, "a", jval_from_uint(1)), 0);
	assert_int_equal(jval_put(object, "a", jval_from_uint(2)), 0);
	assert_int_equal(jval_put(object, "c", NULL), -ENOMEM);
	assert_int_equal(jval_count(object), 2);
	/* Taken, and freed, also where it can't be put. */
	assert_int_equal(jval_put(NULL, "a", jval_from_string("x")), -ENOMEM);
	assert_int_equal(jval_push(NULL, jval_from_string("x")), -ENOMEM);
	assert_int_equal(jval_count(NULL), 0);
	check_written(object, JVAL_LINE, "{\"b\":[true,false],\"a\":2}");
	jval_free(object);
}

static void test_jval_get(void **state)
{
	struct jval *jval = accept("{\"name\":\"x\",\"nr\":1}");

	(void)state;
	assert_string_equal(jval_get_text(jval, "name"), "x");
	assert_null(jval_get_text(jval, "nr"));
	assert_null(jval_get_text(jval, "none"));
	assert_null(jval_get_text(NULL, "name"));
	assert_non_null(jval_get(jval, "nr"));
	assert_null(jval_get(jval_get(jval, "nr"), "nr"));
	jval_free(jval);
}

static void test_jval_copy_and_jval_equal(void **state)
{
	struct jval *a = accept("{\"x\":[1,{\"y\":2}],\"z\":null}");
	struct jval *b = accept("{\"z\":null,\"x\":[1,{\"y\":2}]}");
	struct jval *copy = jval_copy(a);

	(void)state;
	assert_true(jval_equal(a, b));
	assert_true(jval_equal(a, copy));
	assert_int_equal(jval_put(copy, "x", jval_from_uint(1)), 0);
	assert_false(jval_equal(a, copy));
	assert_int_equal(jval_count(jval_get(a, "x")), 2);
	assert_false(jval_equal(a, NULL));
	assert_null(jval_copy(NULL));
	jval_free(a);
	jval_free(b);
	jval_free(copy);
}

static void test_jval_each(void **state)
{
	static const char *const keys[] = { "z", "a", "m" };
	struct jval *jval = accept("{\"z\":0,\"a\":1,\"m\":2}");
	const struct jval *value;
	const char *key;
	void *pos = NULL;
	uint64_t number;
	size_t nr = 0;

	(void)state;
	while (jval_each(jval, &pos, &key, &value)) {
		assert_true(nr < NR(keys));
		assert_string_equal(key, keys[nr]);
		assert_true(jval_uint(value, &number));
		assert_int_equal(number, nr);
		nr++;
	}
	assert_int_equal(nr, 3);
	jval_free(jval);
	pos = NULL;
	assert_false(jval_each(NULL, &pos, &key, &value));
	jval = jval_array();
	assert_false(jval_each(jval, &pos, &key, &value));
	jval_free(jval);
}

static void test_jval_write(void **state)
{
	struct jval *jval = accept("{\"b\":{\"d\":1,\"c\":\"\xc2\xb5\\n\"},\"a\":[]}");

	(void)state;
	check_written(jval, JVAL_LINE,
		      "{\"b\":{\"d\":1,\"c\":\"\xc2\xb5\\n\"},\"a\":[]}");
	check_written(jval, JVAL_CANONICAL,
		      "{\"a\":[],\"b\":{\"c\":\"\xc2\xb5\\n\",\"d\":1}}");
	check_written(jval, JVAL_PRETTY,
		      "{\n  \"b\": {\n    \"d\": 1,\n    \"c\": \"\xc2\xb5\\n\"\n  },\n"
		      "  \"a\": []\n}");
	jval_free(jval);
}

/* Control, direction and invisible characters must not reach a terminal. */
static void test_jval_write_safe(void **state)
{
	struct jval *jval = accept("[\"\x7f\xc2\x9b\\\\\x7f\xe2\x80\xae\"]");

	(void)state;
	check_written(jval, JVAL_SAFE, "[\n  \"\\u007F\\u009B\\\\\\u007F\\u202E\"\n]");
	jval_free(jval);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_jval_parse),
		cmocka_unit_test(test_bl_115_duplicate_keys),
		cmocka_unit_test(test_jval_parse_refuses_numbers),
		cmocka_unit_test(test_jval_parse_refuses_bytes),
		cmocka_unit_test(test_jval_parse_survives_depth),
		cmocka_unit_test(test_jval_from_string),
		cmocka_unit_test(test_jval_from_uint),
		cmocka_unit_test(test_jval_from_real),
		cmocka_unit_test(test_jval_uint_and_jval_real),
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_jval_put_and_jval_push),
		cmocka_unit_test(test_jval_get),
		cmocka_unit_test(test_jval_copy_and_jval_equal),
		cmocka_unit_test(test_jval_each),
		cmocka_unit_test(test_jval_write),
		cmocka_unit_test(test_jval_write_safe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
