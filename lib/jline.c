// SPDX-License-Identifier: GPL-2.0-or-later
/* Plain JSON into a flat array, all else by way of jval_parse(); see jline.h. */
#include "lib/jline.h"

#include <errno.h>
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "lib/err.h"
#include "lib/json.h"

/*
 * Up to 15 digits and powers of ten up to 22 are exact as doubles, and so one division
 * or multiplication rounds as strtod() does; 18 digits fit into what the library takes.
 */
enum {
	LEVELS_MAX = 16,
	MEMBERS_MAX = 64,
	WHOLE_DIGITS = 18,
	EXACT_DIGITS = 15,
	EXACT_POWER = 22,
};

/** enum outcome - of reading a piece */
enum outcome {
	PLAIN,
	NOT_PLAIN,
	NO_MEMORY,
};

/**
 * struct scan - reading in progress
 * @at: next byte; the text ends with a NUL
 * @level: lists and objects around it
 */
struct scan {
	struct jline *jline;
	char *at;
	unsigned int level;
};

static enum outcome scan_value(struct scan *scan, const char *key);

/* Index of a new node, or SIZE_MAX: out of memory. */
static size_t add_node(struct jline *jline, const char *key)
{
	enum { FIRST_ROOM = 128 };

	if (jline->nr == jline->room) {
		size_t room = jline->room ? 2 * jline->room : FIRST_ROOM;
		struct jnode *grown =
			room > UINT32_MAX
				? NULL
				: reallocarray(jline->nodes, room, sizeof(*jline->nodes));

		if (!grown)
			return SIZE_MAX;
		jline->nodes = grown;
		jline->room = room;
	}
	jline->nodes[jline->nr] = (struct jnode){ .key = key, .skip = 1 };
	return jline->nr++;
}

static void skip_space(struct scan *scan)
{
	while (*scan->at == ' ' || *scan->at == '\t' || *scan->at == '\r' ||
	       *scan->at == '\n')
		scan->at++;
}

/* Behind its quote; what comes back is terminated. NULL: not plain. */
static const char *scan_text(struct scan *scan)
{
	char *begin = scan->at;
	char *at = begin;

	/* A byte above ASCII is below ' ' as a signed one. */
	while ((signed char)*at >= ' ' && *at != '"' && *at != '\\' && *at != 0x7f)
		at++;
	if (*at != '"')
		return NULL;
	*at = '\0';
	scan->at = at + 1;
	return begin;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/**
 * struct number - one being read
 * @digits: without leading zeros, as a number; holds when @nr is at most 18
 * @nr: how many
 * @power: of ten to multiply with
 */
struct number {
	uint64_t digits;
	unsigned int nr;
	int power;
};

/* At least one digit. */
static bool scan_digits(struct scan *scan, struct number *number)
{
	char *begin = scan->at;

	for (; is_digit(*scan->at); scan->at++) {
		number->digits = 10 * number->digits + (uint64_t)(*scan->at - '0');
		number->nr += number->digits != 0;
	}
	return scan->at > begin;
}

/* What is behind an 'e'. */
static bool scan_power(struct scan *scan, int *ret)
{
	struct number power = { 0 };
	bool is_negative = *scan->at == '-';

	scan->at += *scan->at == '-' || *scan->at == '+';
	if (!scan_digits(scan, &power) || power.nr > 3)
		return false;
	*ret += is_negative ? -(int)power.digits : (int)power.digits;
	return true;
}

static bool make_real(const struct number *number, bool is_negative, double *ret)
{
	static const double tens[EXACT_POWER + 1] = { 1e0,  1e1,  1e2,	1e3,  1e4,  1e5,
						      1e6,  1e7,  1e8,	1e9,  1e10, 1e11,
						      1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
						      1e18, 1e19, 1e20, 1e21, 1e22 };
	double real = (double)number->digits;

	/* Where doubles are computed with more digits, it would be rounded twice. */
	if (FLT_EVAL_METHOD != 0 || number->nr > EXACT_DIGITS ||
	    number->power > EXACT_POWER || number->power < -EXACT_POWER)
		return false;
	real = number->power < 0 ? real / tens[-number->power]
				 : real * tens[number->power];
	*ret = is_negative ? -real : real;
	return true;
}

/* What may follow the whole part; *@ret_real: and whether it does. */
static bool scan_fraction(struct scan *scan, struct number *number, bool *ret_real)
{
	char *begin;

	*ret_real = *scan->at == '.' || *scan->at == 'e' || *scan->at == 'E';
	if (*scan->at == '.') {
		begin = ++scan->at;
		if (!scan_digits(scan, number) || scan->at - begin > EXACT_POWER)
			return false;
		number->power = -(int)(scan->at - begin);
	}
	if (*scan->at != 'e' && *scan->at != 'E')
		return true;
	scan->at++;
	return scan_power(scan, &number->power);
}

static enum outcome scan_number(struct scan *scan, size_t idx)
{
	struct jnode *node = &scan->jline->nodes[idx];
	struct number number = { 0 };
	bool is_negative = *scan->at == '-';
	bool is_real;
	char *begin;

	scan->at += is_negative;
	begin = scan->at;
	if (!scan_digits(scan, &number) || (*begin == '0' && scan->at > begin + 1) ||
	    !scan_fraction(scan, &number, &is_real))
		return NOT_PLAIN;
	node->kind = JNODE_REAL;
	if (is_real)
		return make_real(&number, is_negative, &node->real) ? PLAIN : NOT_PLAIN;
	if (number.nr > WHOLE_DIGITS)
		return NOT_PLAIN;
	if (is_negative && number.digits) {
		node->real = -(double)number.digits;
		return PLAIN;
	}
	node->kind = JNODE_WHOLE;
	node->whole = number.digits;
	return PLAIN;
}

static enum outcome scan_word(struct scan *scan, size_t idx, const char *word)
{
	size_t len = strlen(word);

	if (strncmp(scan->at, word, len) != 0)
		return NOT_PLAIN;
	scan->at += len;
	scan->jline->nodes[idx].kind = *word == 't'   ? JNODE_TRUE
				       : *word == 'f' ? JNODE_FALSE
						      : JNODE_NULL;
	return PLAIN;
}

static bool has_member(struct jnode *object, uint32_t nr, const char *key)
{
	struct jnode *member = jnode_first(object);

	for (; nr; nr--, member = jnode_next(member))
		if (!strcmp(member->key, key))
			return true;
	return false;
}

/* One of 64 bits: a key whose bit no other has is new. */
static uint64_t key_bit(const char *key, size_t len)
{
	size_t last = len ? (unsigned char)key[len - 1] : 0;

	return UINT64_C(1) << ((7 * (size_t)(unsigned char)*key + 5 * last + len) & 63);
}

/* One member; @bits are those of the members before it. */
static enum outcome scan_member(struct scan *scan, size_t idx, uint64_t *bits)
{
	struct jnode *object = &scan->jline->nodes[idx];
	const char *key;
	uint64_t bit;

	if (*scan->at++ != '"')
		return NOT_PLAIN;
	key = scan_text(scan);
	if (!key)
		return NOT_PLAIN;
	bit = key_bit(key, (size_t)(scan->at - key) - 1);
	if (object->nr == MEMBERS_MAX ||
	    ((*bits & bit) && has_member(object, object->nr, key)))
		return NOT_PLAIN;
	*bits |= bit;
	skip_space(scan);
	if (*scan->at++ != ':')
		return NOT_PLAIN;
	skip_space(scan);
	return scan_value(scan, key);
}

/* What is between two brackets, from the first one on. */
static enum outcome scan_inside(struct scan *scan, size_t idx)
{
	bool is_object = scan->jline->nodes[idx].kind == JNODE_OBJECT;
	char end = is_object ? '}' : ']';
	uint64_t bits = 0;
	enum outcome outcome;

	scan->at++;
	skip_space(scan);
	if (*scan->at == end)
		return PLAIN;
	while (true) {
		outcome = is_object ? scan_member(scan, idx, &bits)
				    : scan_value(scan, NULL);
		if (outcome != PLAIN)
			return outcome;
		scan->jline->nodes[idx].nr++;
		skip_space(scan);
		if (*scan->at == end)
			return PLAIN;
		if (*scan->at++ != ',')
			return NOT_PLAIN;
		skip_space(scan);
	}
}

static enum outcome scan_brackets(struct scan *scan, size_t idx)
{
	struct jline *jline = scan->jline;
	char *begin = scan->at;
	struct jnode *node;
	enum outcome outcome;

	if (++scan->level > LEVELS_MAX)
		return NOT_PLAIN;
	outcome = scan_inside(scan, idx);
	if (outcome != PLAIN)
		return outcome;
	scan->level--;
	scan->at++;
	node = &jline->nodes[idx];
	node->skip = (uint32_t)(jline->nr - idx);
	node->at = (uint32_t)(begin - jline->text);
	node->len = (uint32_t)(scan->at - begin);
	return PLAIN;
}

static enum outcome scan_value(struct scan *scan, const char *key)
{
	size_t idx = add_node(scan->jline, key);
	struct jnode *node;

	if (idx == SIZE_MAX)
		return NO_MEMORY;
	node = &scan->jline->nodes[idx];
	switch (*scan->at) {
	case '"':
		scan->at++;
		node->kind = JNODE_TEXT;
		node->text = scan_text(scan);
		return node->text ? PLAIN : NOT_PLAIN;
	case '{':
	case '[':
		node->kind = *scan->at == '{' ? JNODE_OBJECT : JNODE_LIST;
		return scan_brackets(scan, idx);
	case 't':
		return scan_word(scan, idx, "true");
	case 'f':
		return scan_word(scan, idx, "false");
	case 'n':
		return scan_word(scan, idx, "null");
	default:
		return scan_number(scan, idx);
	}
}

static int copy_text(struct jline *jline, const char *text, size_t len)
{
	size_t size = 2 * (len + 1);
	char *grown;

	if (jline->size <= len) {
		grown = realloc(jline->text, size);
		if (!grown)
			return -ENOMEM;
		jline->text = grown;
		jline->size = size;
	}
	memcpy(jline->text, text, len);
	jline->text[len] = '\0';
	return 0;
}

static enum outcome scan_text_of(struct jline *jline, const char *text, size_t len)
{
	struct scan scan = { .jline = jline };
	enum outcome outcome;

	if (len >= UINT32_MAX)
		return NOT_PLAIN;
	if (copy_text(jline, text, len))
		return NO_MEMORY;
	scan.at = jline->text;
	skip_space(&scan);
	outcome = scan_value(&scan, NULL);
	if (outcome != PLAIN)
		return outcome;
	skip_space(&scan);
	return scan.at == jline->text + len ? PLAIN : NOT_PLAIN;
}

static int flatten(struct jline *jline, const char *key, const struct jval *value);

static int flatten_members(struct jline *jline, size_t idx, const struct jval *parent)
{
	bool is_object = jval_is_object(parent);
	const struct jval *value;
	const char *key = NULL;
	void *pos = NULL;
	size_t i;
	int bad = 0;

	for (i = 0; !bad && i < jval_count(parent); i++) {
		if (is_object)
			(void)jval_each(parent, &pos, &key, &value);
		else
			value = jval_item(parent, i);
		bad = flatten(jline, key, value);
	}
	jline->nodes[idx].nr = (uint32_t)i;
	jline->nodes[idx].skip = (uint32_t)(jline->nr - idx);
	return bad;
}

/* The nodes of a tree, whose texts they share. */
static int flatten(struct jline *jline, const char *key, const struct jval *value)
{
	size_t idx = add_node(jline, key);
	struct jnode *node;

	if (idx == SIZE_MAX)
		return -ENOMEM;
	node = &jline->nodes[idx];
	if (jval_is_object(value) || jval_is_array(value)) {
		node->kind = jval_is_object(value) ? JNODE_OBJECT : JNODE_LIST;
		return flatten_members(jline, idx, value);
	}
	node->text = jval_text(value);
	if (node->text)
		node->kind = JNODE_TEXT;
	else if (jval_uint(value, &node->whole))
		node->kind = JNODE_WHOLE;
	else if (jval_real(value, &node->real))
		node->kind = JNODE_REAL;
	else if (!jval_is_null(value))
		node->kind = jval_is_true(value) ? JNODE_TRUE : JNODE_FALSE;
	return 0;
}

static void forget(struct jline *jline)
{
	jval_free(jline->tree);
	jline->tree = NULL;
	jline->nr = 0;
}

int jline_read(struct jline *jline, const char *text, size_t len, struct err *err)
{
	enum outcome outcome;
	int bad;

	forget(jline);
	outcome = scan_text_of(jline, text, len);
	if (outcome == PLAIN)
		return 0;
	jline->nr = 0;
	if (outcome == NO_MEMORY)
		return err_nomem(err);
	bad = jval_parse(text, len, &jline->tree, err);
	if (!bad && flatten(jline, NULL, jline->tree))
		bad = err_nomem(err);
	if (bad)
		forget(jline);
	return bad;
}

void jline_release(struct jline *jline)
{
	forget(jline);
	free(jline->nodes);
	free(jline->text);
	*jline = (struct jline){ 0 };
}

struct jnode *jnode_get(struct jnode *object, const char *key)
{
	struct jnode *first, *member, *next;
	uint32_t i;

	if (!object || object->kind != JNODE_OBJECT || !object->nr)
		return NULL;
	/* Keys are mostly asked for in the order in which they were written. */
	first = jnode_first(object);
	member = first + object->hint;
	for (i = 0; i < object->nr; i++, member = next) {
		next = jnode_next(member);
		if (next == object + object->skip)
			next = first;
		if (*member->key != *key || strcmp(member->key, key) != 0)
			continue;
		object->hint = (uint32_t)(next - first);
		return member;
	}
	return NULL;
}

const char *jnode_text(const struct jnode *node)
{
	return node && node->kind == JNODE_TEXT ? node->text : NULL;
}

bool jnode_uint(const struct jnode *node, uint64_t *ret)
{
	if (!node || node->kind != JNODE_WHOLE)
		return false;
	*ret = node->whole;
	return true;
}

bool jnode_real(const struct jnode *node, double *ret)
{
	if (!node || (node->kind != JNODE_WHOLE && node->kind != JNODE_REAL))
		return false;
	*ret = node->kind == JNODE_REAL ? node->real : (double)node->whole;
	return true;
}
