/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * YAML in: the only place that knows the YAML library.
 *
 * A text becomes a tree of nodes that remember where they were written and
 * stay text: nothing is turned into a number, a truth value or a date here,
 * so 5.10 is never 5.1. What YAML allows and a person can't see or didn't
 * mean is refused: tags, keys given twice, several documents, aliases that
 * explode, invisible and control characters.
 */
#ifndef LIB_YAML_H
#define LIB_YAML_H

#include <stdbool.h>
#include <stddef.h>

struct err;

enum {
	YAML_MAX_BYTES = 1 << 20,
	YAML_MAX_DEPTH = 32,
	YAML_MAX_ANCHORS = 1000,
	YAML_MAX_ALIASED = 10000, /* nodes that all aliases together stand for */
};

/** struct yaml_pos - place in the text; line and character, from 1 */
struct yaml_pos {
	unsigned int line, column;
};

/** enum yaml_kind - what a node is */
enum yaml_kind { YAML_SCALAR, YAML_SEQUENCE, YAML_MAPPING };

/**
 * struct yaml_item - one entry of a sequence or mapping
 * @key: always a scalar; NULL in a sequence
 * @value: never NULL
 */
struct yaml_item {
	const struct yaml_node *key, *value;
};

/**
 * struct yaml_node - one value as written
 * @kind: what it is
 * @pos: where it begins; for an alias, where the alias is written
 * @text: of a scalar, never NULL; valid UTF-8 on one line
 * @is_quoted: a scalar in quotes: "" is a text, but nothing at all isn't
 * @items: of a sequence or mapping, in the order written
 * @nr_items: how many
 */
struct yaml_node {
	enum yaml_kind kind;
	struct yaml_pos pos;
	char *text;
	bool is_quoted;
	struct yaml_item *items;
	size_t nr_items;
};

/**
 * struct yaml_source - what to read
 * @name: of the file, for messages
 * @what: what is expected in it, such as "grid", for messages
 * @text: the bytes, NUL-terminated at @len
 * @len: bytes in @text
 */
struct yaml_source {
	const char *name;
	const char *what;
	const char *text;
	size_t len;
};

struct yaml_doc;

/**
 * yaml_doc_parse - read exactly one document
 * @source: what to read; lent for the call
 * @ret: the document, to be freed by yaml_doc_free(); written on success only
 * @err: "name:line:column: sentence"
 *
 * Return: 0, -EINVAL for what the text says, or -ENOMEM.
 */
int yaml_doc_parse(const struct yaml_source *source, struct yaml_doc **ret,
		   struct err *err);

/** yaml_doc_free - drop a document and all its nodes; NULL is fine */
void yaml_doc_free(struct yaml_doc *doc);

/** yaml_doc_root - the outermost node, never NULL; lent */
const struct yaml_node *yaml_doc_root(const struct yaml_doc *doc);

/** yaml_find - the value of @key, NULL when absent or @node is no mapping; lent */
const struct yaml_node *yaml_find(const struct yaml_node *node, const char *key);

/** yaml_is_nothing - whether no value was written, as after "key:" */
bool yaml_is_nothing(const struct yaml_node *node);

/**
 * yaml_refuse - say what is wrong at a place of the document
 * @doc: whose file is named
 * @pos: the place
 * @err: receives "name:line:column: " and the sentence
 * @fmt: printf format of the sentence
 *
 * Return: the code that @err holds: -EINVAL, or that of an earlier failure.
 */
int yaml_refuse(const struct yaml_doc *doc, struct yaml_pos pos, struct err *err,
		const char *fmt, ...) __attribute__((format(printf, 4, 5)));

#endif
