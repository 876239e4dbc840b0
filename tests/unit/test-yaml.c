// SPDX-License-Identifier: GPL-2.0-or-later
/* lib/yaml: what a tree looks like, and each refusal with its place. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/err.h"
#include "lib/yaml.h"

static int parse(const char *text, size_t len, struct yaml_doc **ret, struct err *err)
{
	const struct yaml_source source = { "f.yaml", "grid", text, len };

	memset(err, 0, sizeof(*err));
	return yaml_doc_parse(&source, ret, err);
}

static struct yaml_doc *accept(const char *text)
{
	struct yaml_doc *doc = NULL;
	struct err err;

	if (parse(text, strlen(text), &doc, &err))
		fail_msg("'%s' is refused: %s", text, err.text);
	assert_int_equal(err.code, 0);
	return doc;
}

static void refuse_len(const char *text, size_t len, const char *expected)
{
	struct yaml_doc *doc = NULL;
	struct err err;

	if (!parse(text, len, &doc, &err))
		fail_msg("'%s' is accepted, not: %s", text, expected);
	assert_null(doc);
	assert_int_equal(err.code, -EINVAL);
	if (strncmp(err.text, expected, strlen(expected)) != 0)
		fail_msg("'%s' gives: %s\nnot: %s", text, err.text, expected);
}

static void refuse(const char *text, const char *expected)
{
	refuse_len(text, strlen(text), expected);
}

static void test_tree(void **state)
{
	struct yaml_doc *doc = accept("a: 5.10\nb: [x, 'y']\nc:\n  - {d: \"\"}\ne:\n");
	const struct yaml_node *root = yaml_doc_root(doc);
	const struct yaml_node *list;

	(void)state;
	assert_int_equal(root->kind, YAML_MAPPING);
	assert_int_equal(root->nr_items, 4);
	assert_string_equal(root->items[0].key->text, "a");
	assert_string_equal(yaml_find(root, "a")->text, "5.10");
	assert_false(yaml_find(root, "a")->is_quoted);
	list = yaml_find(root, "b");
	assert_int_equal(list->kind, YAML_SEQUENCE);
	assert_int_equal(list->nr_items, 2);
	assert_null(list->items[0].key);
	assert_string_equal(list->items[1].value->text, "y");
	assert_true(list->items[1].value->is_quoted);
	assert_int_equal(list->items[1].value->pos.line, 2);
	assert_int_equal(list->items[1].value->pos.column, 8);
	list = yaml_find(root, "c")->items[0].value;
	assert_false(yaml_is_nothing(yaml_find(list, "d")));
	assert_true(yaml_is_nothing(yaml_find(root, "e")));
	assert_null(yaml_find(root, "z"));
	assert_null(yaml_find(yaml_find(root, "b"), "x"));
	yaml_doc_free(doc);
	yaml_doc_free(NULL);
}

static void test_column_counts_characters(void **state)
{
	struct yaml_doc *doc = accept("[\xc3\xa4\xc3\xb6, b]");

	(void)state;
	assert_int_equal(yaml_doc_root(doc)->items[1].value->pos.column, 6);
	yaml_doc_free(doc);
}

static void test_accepts_bom_crlf_and_comments(void **state)
{
	struct yaml_doc *doc =
		accept("\xef\xbb\xbf# no\xc2\xa0problem\r\na: 1\r\nb: 2\r\n");
	const struct yaml_node *b = yaml_find(yaml_doc_root(doc), "b");

	(void)state;
	assert_string_equal(b->text, "2");
	assert_int_equal(b->pos.line, 3);
	assert_int_equal(b->pos.column, 4);
	yaml_doc_free(doc);
	yaml_doc_free(accept("---\na: 1\n...\n"));
	yaml_doc_free(accept("%YAML 1.1\n---\na: 1\n"));
	yaml_doc_free(accept("a: '!b'\nc: \"*d\"\n"));
}

static void test_alias_has_its_own_place(void **state)
{
	struct yaml_doc *doc = accept("a: &x {k: [1, 2]}\nb: *x\nc: *x\n");
	const struct yaml_node *b = yaml_find(yaml_doc_root(doc), "b");

	(void)state;
	assert_int_equal(b->pos.line, 2);
	assert_int_equal(b->pos.column, 4);
	assert_string_equal(yaml_find(b, "k")->items[1].value->text, "2");
	yaml_doc_free(doc);
}

static const struct {
	const char *text, *expected;
} refusals[] = {
	/* tags */
	{ "a: !B\n", "f.yaml:1:4: '!B' is a YAML tag, which is not supported; put text "
		     "that begins with '!' in quotes, and to turn a flag off, name it in "
		     "a 'clear:' list" },
	{ "a: [A, !B]\n", "f.yaml:1:8: '!B' is a YAML tag" },
	{ "a: [A, !B, C]\n", "f.yaml:1:8: '!B' is a YAML tag" },
	{ "a: ! B\n", "f.yaml:1:4: '!' is a YAML tag" },
	{ "a: &x ! 'B'\n", "f.yaml:1:7: '!' is a YAML tag" },
	{ "a: &x\n  !B c\n", "f.yaml:2:3: '!B' is a YAML tag" },
	{ "a: !!str 5\n", "f.yaml:1:4: '!!str' is a YAML tag" },
	{ "a: !e!f 5\n", "f.yaml:1:4: '!e!f' is a YAML tag" },
	{ "a: !<x 5\n", "f.yaml:1:4: '!<x' is a YAML tag" },
	{ "a: !l [1]\n", "f.yaml:1:4: '!l' is a YAML tag" },
	{ "!m\na: 1\n", "f.yaml:1:1: '!m' is a YAML tag" },
	{ "!k a: 1\n", "f.yaml:1:1: '!k' is a YAML tag" },
	/* documents */
	{ "a: 1\n---\nb: 2\n", "f.yaml:2:1: a second document begins here; expected one "
			       "grid" },
	{ "a: 1\n...\n---\n", "f.yaml:3:1: a second document" },
	{ "", "f.yaml:1:1: no grid in it" },
	{ "# todo\n\n", "f.yaml:1:1: no grid in it" },
	{ "\xef\xbb\xbf", "f.yaml:1:1: no grid in it" },
	{ "---\n", "f.yaml:1:1: no grid in it" },
	/* aliases */
	{ "a: *x\n", "f.yaml:1:4: alias '*x' has no anchor '&x' before it" },
	{ "a: &x [1, *x]\n", "f.yaml:1:11: alias '*x' is inside the value" },
	{ "a: &x {b: {c: *x}}\n", "f.yaml:1:15: alias '*x' is inside the value" },
	{ "a: &x 1\nb: &x 2\n", "f.yaml:2:4: anchor '&x' is there already, at line 1" },
	/* keys */
	{ "a: 1\nb: 2\na: 3\n", "f.yaml:3:1: key 'a' is given twice, first at line 1 and "
				"again at line 3" },
	{ "a: 1\n\"a\": 3\n", "f.yaml:2:1: key 'a' is given twice" },
	{ "l: [{a: 1, b: 1, a: 1}]\n", "f.yaml:1:18: key 'a' is given twice" },
	{ "{a: 3, a: 2, a: 1}", "f.yaml:1:8: key 'a' is given twice" },
	{ "[a]: 1\n", "f.yaml:1:1: a list or mapping as a key" },
	{ "? {a: b}\n: 1\n", "f.yaml:1:3: a list or mapping as a key" },
	{ "a: &x [1]\n*x : 1\n", "f.yaml:2:1: a list or mapping as a key" },
	/* characters */
	{ "a: b\xc2\xa0\x63\n", "f.yaml:1:5: an invisible character (no-break space)" },
	{ "a:\n  - 'x\xe2\x80\x8b'\n", "f.yaml:2:7: an invisible character (zero-width" },
	{ "\xc3\xa4: \"b\xc2\xa0\"\n", "f.yaml:1:6: an invisible character (no-break" },
	{ "a: \"\\u00a0\"\n", "f.yaml:1:4: an invisible character (no-break space)" },
	{ "a: \"\\_\" # \xc2\xa0\n", "f.yaml:1:4: an invisible character" },
	{ "a: 1 # x\xe2\x80\xa8 b: 2\n", "f.yaml:1:9: an invisible character (line sep" },
	{ "a: 1\xc2\x85 b: 2\n", "f.yaml:1:5: an invisible character (next-line" },
	{ "a: 1\n\xef\xbb\xbf\x62: 2\n",
	  "f.yaml:2:1: an invisible character (byte order" },
	{ "a: \"x\\0y\"\n", "f.yaml:1:4: a NUL character in a text" },
	{ "a: \"\\0\"\n", "f.yaml:1:4: a NUL character in a text" },
	{ "a: \"x\\ny\"\n", "f.yaml:1:4: a line break in a text" },
	{ "a: |\n  x\n", "f.yaml:1:4: a line break in a text" },
	{ "a: \"\\e[1m\"\n", "f.yaml:1:4: a control character (0x1b) in a text" },
	{ "a: \"\\x9b\"\n", "f.yaml:1:4: a control character (0x9b) in a text" },
	{ "\"a\\t\": 1\n", "f.yaml:1:1: a control character (0x09) in a text" },
	{ "a: \"\\x7f\"\n", "f.yaml:1:4: a control character (0x7f) in a text" },
	{ "a: \x01\n", "f.yaml:1:4: not a text in UTF-8: control characters" },
	{ "a: 1\r\nb: \xff\n", "f.yaml:2:4: not a text in UTF-8: invalid leading" },
	{ "a: \xed\xa0\x80\n", "f.yaml:1:4: not a text in UTF-8" },
	{ "a: \xc3", "f.yaml:1:4: not a text in UTF-8: incomplete" },
	{ "\xff\xfe\x61", "f.yaml:1:1: a text in UTF-16; save it as UTF-8" },
	{ "\xfe\xff\x61", "f.yaml:1:1: a text in UTF-16; save it as UTF-8" },
	/* what the library finds */
	{ "a: [1,\nb: 2\n",
	  "f.yaml:3:1: not valid YAML: did not find expected ',' or ']' "
	  "while parsing a flow sequence from line 1" },
	{ "a: b: c\n", "f.yaml:1:5: not valid YAML: mapping values are not allowed in "
		       "this context" },
	{ "a:\n\tb: 1\n", "f.yaml:2:1: not valid YAML: found character that cannot start "
			  "any token while scanning for the next token; this is a tab" },
	{ "a: \"x\n", "f.yaml:2:1: not valid YAML: found unexpected end of stream" },
	{ "a: \"\\q\"\n", "f.yaml:1:5: not valid YAML: found unknown escape character" },
	{ "a: @x\n", "f.yaml:1:4: not valid YAML: found character that cannot start" },
	{ "- a\nb: 1\n", "f.yaml:2:1: not valid YAML" },
};

static void test_refusals(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++)
		refuse(refusals[i].text, refusals[i].expected);
}

static void test_refuses_nul_bytes(void **state)
{
	static const char inside[] = "a: 1\nb: \0\n";
	static const char wide[] = "a\0:\0 \0\x31\0";

	(void)state;
	refuse_len(inside, sizeof(inside) - 1, "f.yaml:2:4: a NUL byte");
	refuse_len(wide, sizeof(wide) - 1, "f.yaml:1:2: a NUL byte");
}

static void test_size_limit(void **state)
{
	char *text = malloc(YAML_MAX_BYTES + 2);

	(void)state;
	assert_non_null(text);
	memset(text, 'x', YAML_MAX_BYTES + 1);
	memcpy(text, "a: ", 3);
	text[YAML_MAX_BYTES + 1] = '\0';
	refuse(text, "f.yaml:1:1: more than 1048576 bytes; this can't be a grid");
	text[YAML_MAX_BYTES] = '\0';
	yaml_doc_free(accept(text));
	free(text);
}

/* @depth lists around a 1, and @before in front of them. */
static char *nested(const char *before, int depth)
{
	char *text = malloc(strlen(before) + 2 * (size_t)depth + 2);
	char *end;

	assert_non_null(text);
	end = stpcpy(text, before);
	memset(end, '[', (size_t)depth);
	end[depth] = '1';
	memset(end + depth + 1, ']', (size_t)depth);
	end[2 * depth + 1] = '\0';
	return text;
}

static void test_depth_limit(void **state)
{
	char *text = nested("", 32);

	(void)state;
	yaml_doc_free(accept(text));
	free(text);
	text = nested("", 33);
	refuse(text, "f.yaml:1:33: nested deeper than 32 levels");
	free(text);
	text = nested("", 500000);
	refuse(text, "f.yaml:1:33: nested deeper than 32 levels");
	free(text);
}

static void test_depth_limit_through_aliases(void **state)
{
	char *list = nested("", 20);
	char *text = NULL;

	(void)state;
	assert_true(asprintf(&text, "a: &x %s\nb: [[[[[[[[[[[*x]]]]]]]]]]]\n", list) > 0);
	yaml_doc_free(accept(text));
	free(text);
	assert_true(asprintf(&text, "a: &x %s\nb: [[[[[[[[[[[[*x]]]]]]]]]]]]\n", list) >
		    0);
	refuse(text, "f.yaml:2:16: nested deeper than 32 levels");
	free(text);
	assert_true(asprintf(&text, "a: &x %s\nb: &y [*x]\nc: [[[[[[[[[[[*y]]]]]]]]]]]\n",
			     list) > 0);
	refuse(text, "f.yaml:3:15: nested deeper than 32 levels");
	free(text);
	free(list);
}

static void test_alias_limit(void **state)
{
	static const char bomb[] = "a: &a [1,1,1,1,1,1,1,1,1,1]\n"
				   "b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\n"
				   "c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n"
				   "d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\n"
				   "e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\n";
	char *text = malloc(50000);
	char *end;
	int i;

	(void)state;
	refuse(bomb, "f.yaml:4:29: the aliases up to here stand for more than 10000");
	/* Each alias stands for two values. */
	assert_non_null(text);
	end = stpcpy(text, "- &x [1]\n");
	for (i = 0; i < 5000; i++)
		end = stpcpy(end, "- *x\n");
	yaml_doc_free(accept(text));
	stpcpy(end, "- *x\n");
	refuse(text, "f.yaml:5002:3: the aliases up to here stand for more than 10000");
	free(text);
}

static void test_anchor_limit(void **state)
{
	char *text = malloc(30000);
	char *end = text;
	int i;

	(void)state;
	assert_non_null(text);
	for (i = 0; i < YAML_MAX_ANCHORS; i++)
		end += snprintf(end, 16, "- &a%d x\n", i);
	yaml_doc_free(accept(text));
	stpcpy(end, "- &b x\n");
	refuse(text, "f.yaml:1001:3: more than 1000 anchors");
	free(text);
}

/* Fails by never coming back when duplicates are looked for pair by pair. */
static void test_many_keys(void **state)
{
	enum { NR = 80000 };
	char *text = malloc(NR * 12);
	char *end = text;
	int i;

	(void)state;
	assert_non_null(text);
	for (i = 0; i < NR; i++)
		end += snprintf(end, 16, "k%d: 1\n", i);
	yaml_doc_free(accept(text));
	stpcpy(end, "k7: 1\n");
	refuse(text,
	       "f.yaml:80001:1: key 'k7' is given twice, first at line 8 and again");
	free(text);
}

/* Every prefix of a text with all constructs: no crash, no leak under a sanitizer. */
static void test_prefixes(void **state)
{
	static const char text[] = "a: &x {b: ['1', \"2\\x41\"], c: |-\n  d\n}\n"
				   "e: [*x, {f: &y g, *y : h}]\n? i\n: - j\n  - !k l\n";
	char prefix[sizeof(text)];
	size_t len;

	(void)state;
	for (len = 0; len < sizeof(text); len++) {
		struct yaml_doc *doc = NULL;
		struct err err;

		memcpy(prefix, text, len);
		prefix[len] = '\0';
		if (parse(prefix, len, &doc, &err))
			assert_int_equal(strncmp(err.text, "f.yaml:", 7), 0);
		else
			assert_non_null(yaml_doc_root(doc));
		yaml_doc_free(doc);
	}
}

static void test_first_failure_wins(void **state)
{
	const struct yaml_source source = { "f.yaml", "grid", "", 0 };
	struct yaml_doc *doc = NULL;
	struct err err = { 0 };

	(void)state;
	err_set(&err, -EIO, "earlier");
	assert_int_equal(yaml_doc_parse(&source, &doc, &err), -EINVAL);
	assert_string_equal(err.text, "earlier");
	assert_int_equal(yaml_doc_parse(&source, &doc, NULL), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tree),
		cmocka_unit_test(test_column_counts_characters),
		cmocka_unit_test(test_accepts_bom_crlf_and_comments),
		cmocka_unit_test(test_alias_has_its_own_place),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_refuses_nul_bytes),
		cmocka_unit_test(test_size_limit),
		cmocka_unit_test(test_depth_limit),
		cmocka_unit_test(test_depth_limit_through_aliases),
		cmocka_unit_test(test_alias_limit),
		cmocka_unit_test(test_anchor_limit),
		cmocka_unit_test(test_many_keys),
		cmocka_unit_test(test_prefixes),
		cmocka_unit_test(test_first_failure_wins),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
