// SPDX-License-Identifier: GPL-2.0-or-later
/* lib/jline and lib/jkept: the same values and refusals as jval_parse(), whichever way. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/err.h"
#include "lib/jkept.h"
#include "lib/jline.h"
#include "lib/json.h"

#define NR(array) (sizeof(array) / sizeof((array)[0]))

static const char record[] =
	"{\"schema\":\"s-1\",\"id\":\"c/b1/i1/a1\",\"point\":{\"threads\":3, \"r\":[]},"
	"\"wall_ns\":124700000,\"flags\":[],\"empty\":{},\"ok\":true,\"no\":false,\"x\":null,"
	"\"metrics\":[{\"name\":\"copy\",\"resolution\":1e-06,\"samples\":[0.1244,-7,12e3]},\n"
	"{\"name\":\"\",\"samples\":[]}]}";

static void check_same(struct jnode *node, const struct jval *value);

static void check_children(struct jnode *node, const struct jval *value)
{
	struct jnode *child = jnode_first(node);
	const struct jval *expected;
	const char *key = NULL;
	void *pos = NULL;
	size_t i;

	assert_int_equal(node->nr, jval_count(value));
	for (i = 0; i < node->nr; i++, child = jnode_next(child)) {
		if (node->kind == JNODE_LIST) {
			assert_null(child->key);
			check_same(child, jval_item(value, i));
			continue;
		}
		assert_true(jval_each(value, &pos, &key, &expected));
		assert_string_equal(child->key, key);
		assert_ptr_equal(jnode_get(node, key), child);
		check_same(child, expected);
	}
	assert_ptr_equal(child, node + node->skip);
}

static void check_same(struct jnode *node, const struct jval *value)
{
	uint64_t whole = 1, expected_whole = 1;
	double real = 1.0, expected_real = 1.0;
	bool is_parent = node->kind == JNODE_LIST || node->kind == JNODE_OBJECT;

	assert_int_equal(node->kind == JNODE_OBJECT, jval_is_object(value));
	assert_int_equal(node->kind == JNODE_LIST, jval_is_array(value));
	assert_int_equal(node->kind == JNODE_TRUE, jval_is_true(value));
	assert_int_equal(node->kind == JNODE_NULL, jval_is_null(value));
	assert_int_equal(jnode_uint(node, &whole), jval_uint(value, &expected_whole));
	assert_int_equal(whole, expected_whole);
	assert_int_equal(jnode_real(node, &real), jval_real(value, &expected_real));
	/* Bit for bit, so that -0 is not 0. */
	assert_memory_equal(&real, &expected_real, sizeof(real));
	assert_int_equal(jnode_text(node) != NULL, jval_text(value) != NULL);
	if (jnode_text(node))
		assert_string_equal(jnode_text(node), jval_text(value));
	if (is_parent)
		check_children(node, value);
}

/* Both ways, from a copy without terminator, where a sanitizer sees a byte too many. */
static bool check_text(struct jline *jline, const char *text, size_t len)
{
	char *copy = malloc(len + !len);
	struct jval *value = NULL;
	struct err err = { 0 };
	struct err expected = { 0 };
	int bad, code;

	assert_non_null(copy);
	memcpy(copy, text, len);
	bad = jline_read(jline, copy, len, &err);
	code = jval_parse(copy, len, &value, &expected);
	if (bad != code)
		fail_msg("'%.*s': %d (%s), not %d (%s)", (int)len, text, bad, err.text,
			 code, expected.text);
	assert_string_equal(err.text, expected.text);
	if (bad)
		assert_int_equal(jline->nr, 0);
	else
		check_same(jline->nodes, value);
	jval_free(value);
	free(copy);
	return !bad && !jline->tree;
}

static void test_plain_texts(void **state)
{
	static const char *const texts[] = {
		record,
		"7",
		"-0",
		"-0.0",
		"0.1",
		"-12",
		"1e22",
		"1E-22",
		"2.5e+3",
		"[]",
		" {} \r\n",
		"\"\"",
		"\"~!\"",
		"true",
		"[null]",
		"[ 1 , 2 ]",
		"{\"\":1}",
		"999999999999999999",
		"0.30000000000000",
		"123456789012345e-5",
		"-999999999999999999",
		"1e-6",
	};
	struct jline jline = { 0 };
	size_t i;

	(void)state;
	for (i = 0; i < NR(texts); i++)
		if (!check_text(&jline, texts[i], strlen(texts[i])))
			fail_msg("'%s' is not plain", texts[i]);
	jline_release(&jline);
	assert_null(jline.nodes);
	jline_release(&jline);
}

/* What jval_parse() takes and the plain way leaves to it. */
static void test_other_texts(void **state)
{
	static const char *const texts[] = {
		"\"a\\nb\"",
		"\"\\u00b5\"",
		"[\"\xc2\xb5s\", {\"caf\xc3\xa9\":[1,true,false,null,-2,2.5]}]",
		"\"\x7f\"",
		"9223372036854775807",
		"-9223372036854775808",
		"0.1234567890123456789",
		"1e300",
		"1e-300",
		"1.7976931348623157e308",
		"1e-400",
		"[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]",
	};
	struct jline jline = { 0 };
	size_t i;

	(void)state;
	for (i = 0; i < NR(texts); i++)
		if (check_text(&jline, texts[i], strlen(texts[i])))
			fail_msg("'%s' is refused or plain", texts[i]);
	jline_release(&jline);
}

static void test_refused_texts(void **state)
{
	static const char *const texts[] = {
		"",
		" ",
		"{",
		"[",
		"\"",
		"[1,]",
		"[,1]",
		"{\"a\"}",
		"{\"a\":}",
		"{\"a\":1,}",
		"{a:1}",
		"{\"a\" 1}",
		"[1 2]",
		"{} {}",
		"[1}",
		"{\"a\":1]",
		"tru",
		"truex",
		"nullnull",
		"+1",
		"01",
		"-01",
		"1.",
		".5",
		"-",
		"1e",
		"1e+",
		"0x10",
		"NaN",
		"Infinity",
		"1e999",
		"1e9999",
		"-1e999",
		"\"\xff\"",
		"\"a\nb\"",
		"\"\t\"",
		"'a'",
		"[1]x",
		"1,2",
		"\"a\"b",
		"\"\\x\"",
		"\"\\u0000\"",
		"-a",
		"[-]",
		"00",
		"\xef\xbb\xbf{}",
		"9223372036854775808",
		"18446744073709551617",
		"{\"a\":1,\"a\":2}",
		"{\"ab\":1,\"b\":2,\"ab\":3}",
		"{\"o\":{\"a\":1,\"a\":2}}",
		"99999999999999999999999999999999999999",
	};
	struct jline jline = { 0 };
	size_t i;

	(void)state;
	for (i = 0; i < NR(texts); i++)
		if (check_text(&jline, texts[i], strlen(texts[i])) || jline.nr)
			fail_msg("'%s' is accepted", texts[i]);
	assert_false(check_text(&jline, "\"a\0b\"", 5));
	assert_false(check_text(&jline, "{}\0", 3));
	assert_int_equal(jline_read(&jline, "{", 1, NULL), -EPROTO);
	jline_release(&jline);
}

/* Every byte left out, and every byte changed into each that means something. */
static void test_damaged_texts(void **state)
{
	static const char bytes[] = "\"\\{}[]:,.-+eE01 9atn\n\x01\x7f\xc3";
	struct jline jline = { 0 };
	char text[sizeof(record)];
	size_t len = sizeof(record) - 1;
	size_t i, j;

	(void)state;
	for (i = 0; i < len; i++) {
		memcpy(text, record, i);
		memcpy(text + i, record + i + 1, len - i - 1);
		(void)check_text(&jline, text, len - 1);
		(void)check_text(&jline, record, i);
		memcpy(text, record, len);
		for (j = 0; j < sizeof(bytes); j++) {
			text[i] = bytes[j];
			(void)check_text(&jline, text, len);
		}
	}
	jline_release(&jline);
}

/* More members than the plain way looks through, the last one a key again. */
static void test_many_members(void **state)
{
	struct jline jline = { 0 };
	char text[4096];
	size_t len = 0;
	int i;

	(void)state;
	for (i = 0; i < 64; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%c\"key%d\":%d",
					i ? ',' : '{', i, i);
	assert_int_equal(snprintf(text + len, sizeof(text) - len, "}"), 1);
	assert_true(check_text(&jline, text, len + 1));
	for (i = 0; i < 64; i += 7) {
		(void)snprintf(text + len, sizeof(text) - len, ",\"key%d\":1}", i);
		(void)check_text(&jline, text, strlen(text));
		assert_int_equal(jline.nr, 0);
	}
	(void)snprintf(text + len, sizeof(text) - len, ",\"more\":1}");
	assert_false(check_text(&jline, text, strlen(text)));
	assert_int_equal(jline.nodes[0].nr, 65);
	jline_release(&jline);
}

/* Where an object is in the text, and what isn't there. */
static void test_jnode_get(void **state)
{
	struct jline jline = { 0 };
	struct jnode *point;
	uint64_t whole = 5;
	double real = 5.0;

	(void)state;
	assert_int_equal(jline_read(&jline, record, sizeof(record) - 1, NULL), 0);
	point = jnode_get(jline.nodes, "point");
	assert_non_null(point);
	assert_int_equal(point->len, strlen("{\"threads\":3, \"r\":[]}"));
	assert_memory_equal(record + point->at, "{\"threads\":3, \"r\":[]}", point->len);
	assert_true(jnode_uint(jnode_get(point, "threads"), &whole));
	assert_int_equal(whole, 3);
	assert_null(jnode_get(point, "thread"));
	assert_null(jnode_get(point, "threadss"));
	assert_null(jnode_get(jnode_get(jline.nodes, "empty"), "threads"));
	assert_null(jnode_get(jnode_get(jline.nodes, "flags"), "threads"));
	assert_null(jnode_get(NULL, "threads"));
	/* Whatever the order. */
	assert_string_equal(jnode_text(jnode_get(jline.nodes, "schema")), "s-1");
	assert_string_equal(jnode_text(jnode_get(jline.nodes, "id")), "c/b1/i1/a1");
	assert_string_equal(jnode_text(jnode_get(jline.nodes, "schema")), "s-1");
	assert_null(jnode_text(point));
	assert_null(jnode_text(NULL));
	assert_false(jnode_uint(NULL, &whole));
	assert_false(jnode_real(NULL, &real));
	assert_false(jnode_real(jnode_get(jline.nodes, "id"), &real));
	assert_true(whole == 3 && real == 5.0);
	jline_release(&jline);
}

static void test_jkept_get(void **state)
{
	struct jkept kept = { 0 };
	const struct jval *value = jkept_get(&kept, "{\"a\":1}xx", 7);
	char text[32];
	uint64_t nr = 0;
	int i;

	(void)state;
	assert_non_null(value);
	assert_ptr_equal(jkept_get(&kept, "{\"a\":1}", 7), value);
	assert_null(jkept_get(&kept, "{\"a\":1", 6));
	/* More than there are slots: each is right at its time. */
	for (i = 0; i < 3000; i++) {
		(void)snprintf(text, sizeof(text), "{\"a\":%d}", i);
		value = jkept_get(&kept, text, strlen(text));
		assert_true(jval_uint(jval_get(value, "a"), &nr));
		assert_int_equal(nr, i);
	}
	jkept_release(&kept);
	assert_null(kept.slots);
	jkept_release(&kept);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain_texts),
		cmocka_unit_test(test_other_texts),
		cmocka_unit_test(test_refused_texts),
		cmocka_unit_test(test_damaged_texts),
		cmocka_unit_test(test_many_members),
		cmocka_unit_test(test_jnode_get),
		cmocka_unit_test(test_jkept_get),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
