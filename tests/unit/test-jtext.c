// SPDX-License-Identifier: GPL-2.0-or-later
/* lib/jtext: the same text as a tree of values makes, and nothing else. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/json.h"
#include "lib/jtext.h"

static void check(struct jtext *out, const char *expected)
{
	char *text = jtext_finish(out);

	assert_non_null(text);
	assert_string_equal(text, expected);
	assert_null(out->text);
	free(text);
}

static void test_jtext_open_and_jtext_close(void **state)
{
	struct jtext out = { 0 };

	(void)state;
	jtext_open(&out, NULL, '{');
	jtext_open(&out, "none", '[');
	jtext_close(&out, ']');
	jtext_open(&out, "some", '[');
	jtext_uint(&out, NULL, 0);
	jtext_open(&out, NULL, '{');
	jtext_true(&out, "is");
	jtext_close(&out, '}');
	jtext_open(&out, NULL, '{');
	jtext_close(&out, '}');
	jtext_close(&out, ']');
	jtext_uint(&out, "most", INT64_MAX);
	jtext_close(&out, '}');
	check(&out, "{\"none\":[],\"some\":[0,{\"is\":true},{}],"
		    "\"most\":9223372036854775807}");
}

/* What both writers make of one text, as value and as key. */
static void check_text(const char *text)
{
	struct jval *value = jval_from_string(text);
	char *expected = jval_write(value, JVAL_LINE);
	struct jtext out = { 0 };

	assert_non_null(expected);
	jtext_string(&out, NULL, text);
	check(&out, expected);
	free(expected);
	jval_free(value);
}

static void test_jtext_string(void **state)
{
	(void)state;
	check_text("");
	check_text("plain text, [brackets] {and} / all");
	check_text("quote \" and backslash \\");
	check_text("line\nend\ttab\x01\x1f\x7f");
	check_text("umlaut \xc3\xa4 and more \xf0\x9f\x90\xa7");
	check_text("no UTF-8: \xff\xc3");
	check_text("ends in [");
}

static void test_jtext_real(void **state)
{
	static const double values[] = {
		0,	0.1,  -0.5,    1,	-3,	 1e15,
		1e16,	1e-5, 1e300,   -1e-300, 1.0 / 3, 123456789.125,
		5e-324, -0.0, 0.00012, 4096.5,	1e6,	 2.5e10,
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		struct jval *value = jval_from_real(values[i]);
		char *expected = jval_write(value, JVAL_LINE);
		struct jtext out = { 0 };

		assert_non_null(expected);
		jtext_real(&out, NULL, values[i]);
		check(&out, expected);
		free(expected);
		jval_free(value);
	}
}

static void test_jtext_value(void **state)
{
	struct jval *value = NULL;
	struct jtext out = { 0 };

	(void)state;
	assert_int_equal(jval_parse("{\"a\":[1,null]}", 14, &value, NULL), 0);
	jtext_open(&out, NULL, '{');
	jtext_value(&out, "v", value);
	jtext_close(&out, '}');
	check(&out, "{\"v\":{\"a\":[1,null]}}");
	jval_free(value);
}

static void test_jtext_finish_tells_what_failed(void **state)
{
	struct jtext out = { 0 };

	(void)state;
	jtext_real(&out, NULL, (double)NAN);
	assert_null(jtext_finish(&out));
	jtext_uint(&out, NULL, (uint64_t)INT64_MAX + 1);
	assert_null(jtext_finish(&out));
	jtext_value(&out, NULL, NULL);
	assert_null(jtext_finish(&out));
	/* It is as new then. */
	jtext_uint(&out, NULL, 7);
	check(&out, "7");
}

static void test_jtext_grows(void **state)
{
	struct jtext out = { 0 };
	char *text;
	int i;

	(void)state;
	jtext_open(&out, NULL, '[');
	for (i = 0; i < 10000; i++)
		jtext_string(&out, NULL, "abcdefg");
	jtext_close(&out, ']');
	text = jtext_finish(&out);
	assert_non_null(text);
	assert_int_equal(strlen(text), 2 + 10000 * 10 - 1);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_jtext_open_and_jtext_close),
		cmocka_unit_test(test_jtext_string),
		cmocka_unit_test(test_jtext_real),
		cmocka_unit_test(test_jtext_value),
		cmocka_unit_test(test_jtext_finish_tells_what_failed),
		cmocka_unit_test(test_jtext_grows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
