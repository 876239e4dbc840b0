/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON read by the million: one text after another into the same flat array of nodes,
 * without an allocation for each value. For ledgers; everything else is jval's.
 *
 * Only plain texts are read here: ASCII without escapes, few levels, numbers that are
 * exact without thinking. Whatever else it may be, also when it is no JSON at all, is
 * given to jval_parse(), which has the last word and the sentence for an error.
 *
 * A value's node is followed by those of what it holds, so that @skip leads from one
 * member or item to the next. Nodes are lent until the next jline_read().
 */
#ifndef LIB_JLINE_H
#define LIB_JLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct jval;

/** enum jnode_kind - what a value is */
enum jnode_kind {
	JNODE_NULL,
	JNODE_FALSE,
	JNODE_TRUE,
	JNODE_WHOLE, /* of 0 or more */
	JNODE_REAL,  /* any other number */
	JNODE_TEXT,
	JNODE_LIST,
	JNODE_OBJECT,
};

/**
 * struct jnode - one value
 * @key: its name in an object, otherwise NULL
 * @kind: which of the union holds
 * @skip: nodes to the next member or item of the same parent
 * @nr: how many members or items
 * @hint: of an object, where jnode_get() looks first
 * @text: of a JNODE_TEXT, terminated
 * @whole: of a JNODE_WHOLE
 * @real: of a JNODE_REAL
 * @at: of a list or an object, where in the text it begins ...
 * @len: ... and how many bytes it takes; 0: not known
 */
struct jnode {
	const char *key;
	enum jnode_kind kind;
	uint32_t skip, nr, hint;
	union {
		const char *text;
		uint64_t whole;
		double real;
		struct {
			uint32_t at, len;
		};
	};
};

/**
 * struct jline - the text being read; zeroed before the first one
 * @nodes: owned; the first one is the whole
 * @nr: how many
 * @room: for how many
 * @text: owned copy, its strings terminated
 * @size: bytes at @text
 * @tree: what jval_parse() made of a text that isn't plain, owned; else NULL
 */
struct jline {
	struct jnode *nodes;
	size_t nr, room;
	char *text;
	size_t size;
	struct jval *tree;
};

/**
 * jline_read - read exactly one JSON value; what was read before is gone
 * @jline: zeroed, or read before
 * @text: need not be terminated
 * @len: bytes in @text
 * @err: says what is wrong, with line and column
 *
 * Return: as jval_parse(): 0, -EPROTO or -ENOMEM. After a failure there are no nodes.
 */
int jline_read(struct jline *jline, const char *text, size_t len, struct err *err);

/** jline_release - free all; @jline is as zeroed then */
void jline_release(struct jline *jline);

/** jnode_get - the member @key of an object; NULL: none, or no object */
struct jnode *jnode_get(struct jnode *object, const char *key);
/** jnode_first - first member or item; jnode_next() leads to the other @nr - 1 */
static inline struct jnode *jnode_first(struct jnode *parent)
{
	return parent + 1;
}
/** jnode_next - the member or item behind @node */
static inline struct jnode *jnode_next(struct jnode *node)
{
	return node + node->skip;
}
/** jnode_text - the text, NULL: it isn't one; @node may be NULL, also below */
const char *jnode_text(const struct jnode *node);
/** jnode_uint - read a whole number of 0 or more; false when it isn't one */
bool jnode_uint(const struct jnode *node, uint64_t *ret);
/** jnode_real - read any number; false when it isn't one */
bool jnode_real(const struct jnode *node, double *ret);

#endif
