// SPDX-License-Identifier: GPL-2.0-or-later
/* Builds a tree of nodes from the YAML library's events; see lib/yaml.h. */
#include "lib/yaml.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "lib/err.h"
#include "lib/text.h"

/*
 * A node with what only building needs. All nodes of a document hang in one
 * list, so an alias may share the text and items of its anchor's node.
 */
struct made {
	struct yaml_node node;
	struct made *next;
	size_t cap_items;
	size_t weight;	     /* nodes it stands for, aliases expanded */
	unsigned int height; /* levels of lists and mappings */
	bool is_alias;
	bool is_complete;
};

struct anchor {
	char *name;
	struct made *made;
};

struct yaml_doc {
	char *name;
	struct made *made;
	const struct yaml_node *root;
};

struct loader {
	const struct yaml_source *source;
	const char *text;
	size_t len;
	yaml_parser_t parser;
	struct yaml_doc *doc;
	struct anchor anchors[YAML_MAX_ANCHORS];
	size_t nr_anchors;
	size_t aliased;
	struct err *err;
};

int yaml_refuse(const struct yaml_doc *doc, struct yaml_pos pos, struct err *err,
		const char *fmt, ...)
{
	char sentence[sizeof(err->text)];
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(sentence, sizeof(sentence), fmt, args);
	va_end(args);
	return err_set(err, -EINVAL, "%s:%u:%u: %s", doc->name, pos.line, pos.column,
		       sentence);
}

static struct yaml_pos pos_of(yaml_mark_t mark)
{
	return (struct yaml_pos){ (unsigned int)mark.line + 1,
				  (unsigned int)mark.column + 1 };
}

static bool is_continuation(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

static struct yaml_pos pos_at(const struct loader *loader, size_t offset)
{
	struct yaml_pos pos = { 1, 1 };
	size_t i;

	for (i = 0; i < offset && i < loader->len; i++) {
		const char *at = loader->text + i;

		if (at[0] == '\n' || (at[0] == '\r' && at[1] != '\n')) {
			pos.line++;
			pos.column = 1;
		} else if (!is_continuation(at[0])) {
			pos.column++;
		}
	}
	return pos;
}

/* The library counts characters. Slow, but only a refusal asks. */
static size_t offset_of(const struct loader *loader, size_t index)
{
	size_t offset = 0;

	for (; index && offset < loader->len; index--) {
		offset++;
		while (is_continuation(loader->text[offset]))
			offset++;
	}
	return offset;
}

static int refuse_tag(const struct loader *loader, yaml_mark_t mark)
{
	const char *tag = loader->text + offset_of(loader, mark.index);

	/* The place may be that of an anchor before the tag. */
	if (*tag == '&') {
		tag += strcspn(tag, " \t\r\n");
		tag += strspn(tag, " \t\r\n");
	}
	return yaml_refuse(
		loader->doc, pos_at(loader, (size_t)(tag - loader->text)), loader->err,
		"'%.*s' is a YAML tag, which is not supported; put text that "
		"begins with '!' in quotes, and to turn a flag off, name it in "
		"a 'clear:' list",
		(int)strcspn(tag, " \t\r\n,[]{}"), tag);
}

static int refuse_syntax(const struct loader *loader)
{
	const yaml_parser_t *parser = &loader->parser;
	const char *context = parser->context ? parser->context : "";
	struct yaml_pos pos = pos_of(parser->problem_mark);
	struct yaml_pos begin = pos_of(parser->context_mark);
	const char *tab = "";
	char from[32] = "";

	if (strstr(context, "a tag") || strstr(parser->problem, "tag handle"))
		return refuse_tag(loader, parser->context_mark);
	if (loader->text[offset_of(loader, parser->problem_mark.index)] == '\t')
		tab = "; this is a tab, and YAML is indented with spaces";
	if (*context && begin.line != pos.line)
		(void)snprintf(from, sizeof(from), " from line %u", begin.line);
	return yaml_refuse(loader->doc, pos, loader->err, "not valid YAML: %s%s%s%s%s",
			   parser->problem, *context ? " " : "", context, from, tab);
}

/* On success @event is filled and has to be deleted. */
static int next_event(struct loader *loader, yaml_event_t *event)
{
	yaml_parser_t *parser = &loader->parser;

	if (yaml_parser_parse(parser, event))
		return 0;
	if (parser->error == YAML_MEMORY_ERROR)
		return err_nomem(loader->err);
	if (parser->error == YAML_READER_ERROR)
		return yaml_refuse(loader->doc, pos_at(loader, parser->problem_offset),
				   loader->err, "not a text in UTF-8: %s",
				   parser->problem);
	return refuse_syntax(loader);
}

static struct made *made_new(struct loader *loader, enum yaml_kind kind,
			     struct yaml_pos pos)
{
	struct made *made = calloc(1, sizeof(*made));

	if (!made)
		return NULL;
	made->node.kind = kind;
	made->node.pos = pos;
	made->weight = 1;
	made->height = kind == YAML_SCALAR ? 0 : 1;
	made->next = loader->doc->made;
	loader->doc->made = made;
	return made;
}

static int add_item(struct loader *loader, struct made *parent, const struct made *key,
		    const struct made *value)
{
	struct yaml_node *node = &parent->node;

	assert(value);
	if (node->nr_items == parent->cap_items) {
		size_t cap = parent->cap_items ? 2 * parent->cap_items : 8;
		struct yaml_item *items = realloc(node->items, cap * sizeof(*items));

		if (!items)
			return err_nomem(loader->err);
		node->items = items;
		parent->cap_items = cap;
	}
	node->items[node->nr_items].key = key ? &key->node : NULL;
	node->items[node->nr_items].value = &value->node;
	node->nr_items++;
	parent->weight += value->weight + (key ? key->weight : 0);
	if (parent->height <= value->height)
		parent->height = value->height + 1;
	return 0;
}

static int add_anchor(struct loader *loader, const yaml_char_t *name, struct made *made)
{
	const char *text = (const char *)name;
	size_t i;

	if (!name)
		return 0;
	for (i = 0; i < loader->nr_anchors; i++) {
		if (!strcmp(loader->anchors[i].name, text))
			return yaml_refuse(loader->doc, made->node.pos, loader->err,
					   "anchor '&%s' is there already, at line %u",
					   text, loader->anchors[i].made->node.pos.line);
	}
	if (loader->nr_anchors == YAML_MAX_ANCHORS)
		return yaml_refuse(loader->doc, made->node.pos, loader->err,
				   "more than %d anchors", YAML_MAX_ANCHORS);
	loader->anchors[i].name = strdup(text);
	if (!loader->anchors[i].name)
		return err_nomem(loader->err);
	loader->anchors[i].made = made;
	loader->nr_anchors++;
	return 0;
}

static const char *find_control(const char *text)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c < 0x20 || c == 0x7f)
			return text;
		if (c == 0xc2 && ((unsigned char)text[1] & 0xe0) == 0x80)
			return text;
	}
	return NULL;
}

/* Where an invisible character stands in the text, if not written as an escape. */
static struct yaml_pos invisible_pos(const struct loader *loader,
				     const yaml_event_t *event)
{
	size_t start = offset_of(loader, event->start_mark.index);
	size_t end = offset_of(loader, event->end_mark.index);
	const char *ignored;
	long at = text_invisible(loader->text + start, &ignored);

	if (at < 0 || start + (size_t)at >= end)
		return pos_of(event->start_mark);
	return pos_at(loader, start + (size_t)at);
}

static int check_scalar(const struct loader *loader, const yaml_event_t *event)
{
	const char *text = (const char *)event->data.scalar.value;
	struct yaml_pos pos = pos_of(event->start_mark);
	const char *control = find_control(text);
	const char *name;

	if (strlen(text) != event->data.scalar.length)
		return yaml_refuse(loader->doc, pos, loader->err,
				   "a NUL character in a text");
	if (text_invisible(text, &name) >= 0)
		return yaml_refuse(loader->doc, invisible_pos(loader, event), loader->err,
				   "an invisible character (%s); replace it by a plain "
				   "space or remove it",
				   name);
	if (control && *control == '\n')
		return yaml_refuse(loader->doc, pos, loader->err,
				   "a line break in a text; every text is one line");
	if (control)
		return yaml_refuse(loader->doc, pos, loader->err,
				   "a control character (0x%02x) in a text",
				   (unsigned char)control[*control == '\xc2']);
	return 0;
}

static int make_scalar(struct loader *loader, const yaml_event_t *event,
		       struct made **ret)
{
	struct made *made;

	if (event->data.scalar.tag)
		return refuse_tag(loader, event->start_mark);
	if (check_scalar(loader, event))
		return loader->err->code;
	made = made_new(loader, YAML_SCALAR, pos_of(event->start_mark));
	if (!made)
		return err_nomem(loader->err);
	made->node.text = strdup((const char *)event->data.scalar.value);
	if (!made->node.text)
		return err_nomem(loader->err);
	made->node.is_quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
	made->is_complete = true;
	*ret = made;
	return add_anchor(loader, event->data.scalar.anchor, made);
}

static int refuse_depth(const struct loader *loader, struct yaml_pos pos)
{
	return yaml_refuse(loader->doc, pos, loader->err, "nested deeper than %d levels",
			   YAML_MAX_DEPTH);
}

/* A node of its own, so that it has the alias's place, with the anchor's contents. */
static int make_alias(struct loader *loader, const yaml_event_t *event,
		      unsigned int depth, struct made **ret)
{
	const char *name = (const char *)event->data.alias.anchor;
	struct yaml_pos pos = pos_of(event->start_mark);
	const struct made *target = NULL;
	struct made *made;
	size_t i;

	for (i = 0; i < loader->nr_anchors && !target; i++) {
		if (!strcmp(loader->anchors[i].name, name))
			target = loader->anchors[i].made;
	}
	if (!target)
		return yaml_refuse(loader->doc, pos, loader->err,
				   "alias '*%s' has no anchor '&%s' before it; put text "
				   "that begins with '*' in quotes",
				   name, name);
	if (!target->is_complete)
		return yaml_refuse(loader->doc, pos, loader->err,
				   "alias '*%s' is inside the value that it stands for",
				   name);
	loader->aliased += target->weight;
	if (loader->aliased > YAML_MAX_ALIASED)
		return yaml_refuse(loader->doc, pos, loader->err,
				   "the aliases up to here stand for more than %d values",
				   YAML_MAX_ALIASED);
	if (depth + target->height > YAML_MAX_DEPTH + 1)
		return refuse_depth(loader, pos);
	made = made_new(loader, target->node.kind, pos);
	if (!made)
		return err_nomem(loader->err);
	made->node = target->node;
	made->node.pos = pos;
	made->weight = target->weight;
	made->height = target->height;
	made->is_alias = true;
	*ret = made;
	return 0;
}

static int by_key(const void *a, const void *b)
{
	const struct yaml_node *key_a = *(const struct yaml_node *const *)a;
	const struct yaml_node *key_b = *(const struct yaml_node *const *)b;
	int order = strcmp(key_a->text, key_b->text);

	if (order)
		return order;
	if (key_a->pos.line != key_b->pos.line)
		return key_a->pos.line < key_b->pos.line ? -1 : 1;
	return key_a->pos.column < key_b->pos.column ? -1 : 1;
}

/* Sorted, because a file may hold so many keys that comparing all pairs hangs. */
static int check_keys(const struct loader *loader, const struct yaml_node *node)
{
	const struct yaml_node **keys;
	int ret = 0;
	size_t i;

	if (node->nr_items < 2)
		return 0;
	keys = calloc(node->nr_items, sizeof(const struct yaml_node *));
	if (!keys)
		return err_nomem(loader->err);
	for (i = 0; i < node->nr_items; i++)
		keys[i] = node->items[i].key;
	qsort(keys, node->nr_items, sizeof(const struct yaml_node *), by_key);
	for (i = 1; i < node->nr_items && !ret; i++) {
		if (!strcmp(keys[i - 1]->text, keys[i]->text))
			ret = yaml_refuse(loader->doc, keys[i]->pos, loader->err,
					  "key '%.100s' is given twice, first at line %u "
					  "and again at line %u",
					  keys[i]->text, keys[i - 1]->pos.line,
					  keys[i]->pos.line);
	}
	free(keys);
	return ret;
}

static int make_node(struct loader *loader, const yaml_event_t *event, unsigned int depth,
		     struct made **ret);

static int make_key(struct loader *loader, const yaml_event_t *event, struct made **ret)
{
	if (event->type == YAML_SCALAR_EVENT || event->type == YAML_ALIAS_EVENT) {
		if (make_node(loader, event, 1, ret))
			return loader->err->code;
		assert(*ret);
		if ((*ret)->node.kind == YAML_SCALAR)
			return 0;
	}
	return yaml_refuse(loader->doc, pos_of(event->start_mark), loader->err,
			   "a list or mapping as a key; every key is one word");
}

static int make_items(struct loader *loader, struct made *parent, unsigned int depth)
{
	bool is_mapping = parent->node.kind == YAML_MAPPING;
	yaml_event_type_t end =
		is_mapping ? YAML_MAPPING_END_EVENT : YAML_SEQUENCE_END_EVENT;
	struct made *key = NULL;
	int ret = 0;

	while (!ret) {
		struct made *made = NULL;
		yaml_event_t event;
		bool is_end;

		ret = next_event(loader, &event);
		if (ret)
			break;
		is_end = event.type == end;
		if (!is_end && is_mapping && !key) {
			ret = make_key(loader, &event, &key);
		} else if (!is_end) {
			ret = make_node(loader, &event, depth + 1, &made);
			if (!ret)
				ret = add_item(loader, parent, key, made);
			key = NULL;
		}
		yaml_event_delete(&event);
		if (is_end)
			break;
	}
	return ret;
}

static int make_collection(struct loader *loader, const yaml_event_t *event,
			   unsigned int depth, struct made **ret)
{
	bool is_mapping = event->type == YAML_MAPPING_START_EVENT;
	const yaml_char_t *anchor = is_mapping ? event->data.mapping_start.anchor
					       : event->data.sequence_start.anchor;
	const yaml_char_t *tag = is_mapping ? event->data.mapping_start.tag
					    : event->data.sequence_start.tag;
	struct made *made;

	if (tag)
		return refuse_tag(loader, event->start_mark);
	if (depth > YAML_MAX_DEPTH)
		return refuse_depth(loader, pos_of(event->start_mark));
	made = made_new(loader, is_mapping ? YAML_MAPPING : YAML_SEQUENCE,
			pos_of(event->start_mark));
	if (!made)
		return err_nomem(loader->err);
	if (add_anchor(loader, anchor, made) || make_items(loader, made, depth) ||
	    (is_mapping && check_keys(loader, &made->node)))
		return loader->err->code;
	made->is_complete = true;
	*ret = made;
	return 0;
}

static int make_node(struct loader *loader, const yaml_event_t *event, unsigned int depth,
		     struct made **ret)
{
	if (event->type == YAML_ALIAS_EVENT)
		return make_alias(loader, event, depth, ret);
	if (event->type == YAML_SCALAR_EVENT)
		return make_scalar(loader, event, ret);
	return make_collection(loader, event, depth, ret);
}

static int take_event(struct loader *loader, const yaml_event_t *event)
{
	struct made *made = NULL;

	if (event->type == YAML_DOCUMENT_START_EVENT && loader->doc->root)
		return yaml_refuse(loader->doc, pos_of(event->start_mark), loader->err,
				   "a second document begins here; expected one %s",
				   loader->source->what);
	if (event->type != YAML_SCALAR_EVENT && event->type != YAML_ALIAS_EVENT &&
	    event->type != YAML_SEQUENCE_START_EVENT &&
	    event->type != YAML_MAPPING_START_EVENT)
		return 0;
	if (make_node(loader, event, 1, &made))
		return loader->err->code;
	loader->doc->root = &made->node;
	return 0;
}

static int load(struct loader *loader)
{
	bool is_end = false;
	int ret = 0;

	while (!ret && !is_end) {
		yaml_event_t event;

		ret = next_event(loader, &event);
		if (ret)
			return ret;
		is_end = event.type == YAML_STREAM_END_EVENT;
		ret = take_event(loader, &event);
		yaml_event_delete(&event);
	}
	if (!ret && (!loader->doc->root || yaml_is_nothing(loader->doc->root)))
		return yaml_refuse(loader->doc, (struct yaml_pos){ 1, 1 }, loader->err,
				   "no %s in it: the file is empty or all comments",
				   loader->source->what);
	return ret;
}

/* What the library would take for the end of a line, unlike a person or an editor. */
static int check_breaks(const struct loader *loader)
{
	static const char *const breaks[] = { "\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9",
					      "\xef\xbb\xbf" };
	size_t i;

	for (i = 0; i < sizeof(breaks) / sizeof(breaks[0]); i++) {
		const char *at = strstr(loader->text, breaks[i]);
		const char *name = "";

		if (!at)
			continue;
		(void)text_invisible(at, &name);
		return yaml_refuse(
			loader->doc, pos_at(loader, (size_t)(at - loader->text)),
			loader->err, "an invisible character (%s); remove it", name);
	}
	return 0;
}

static int check_bytes(const struct loader *loader)
{
	const struct yaml_pos start = { 1, 1 };
	size_t len = strlen(loader->text);

	if (loader->source->len > YAML_MAX_BYTES)
		return yaml_refuse(loader->doc, start, loader->err,
				   "more than %d bytes; this can't be a %s",
				   YAML_MAX_BYTES, loader->source->what);
	if (!strncmp(loader->text, "\xff\xfe", 2) ||
	    !strncmp(loader->text, "\xfe\xff", 2))
		return yaml_refuse(loader->doc, start, loader->err,
				   "a text in UTF-16; save it as UTF-8");
	if (len != loader->len)
		return yaml_refuse(loader->doc, pos_at(loader, len), loader->err,
				   "a NUL byte; expected a text in UTF-8");
	return check_breaks(loader);
}

static struct yaml_doc *doc_new(const char *name)
{
	struct yaml_doc *doc = calloc(1, sizeof(*doc));

	if (!doc)
		return NULL;
	doc->name = strdup(name);
	if (doc->name)
		return doc;
	free(doc);
	return NULL;
}

static void loader_free(struct loader *loader)
{
	size_t i;

	for (i = 0; i < loader->nr_anchors; i++)
		free(loader->anchors[i].name);
	yaml_doc_free(loader->doc);
	free(loader);
}

static struct loader *loader_new(const struct yaml_source *source, struct err *err)
{
	struct loader *loader = calloc(1, sizeof(*loader));
	size_t skip = strncmp(source->text, "\xef\xbb\xbf", 3) ? 0 : 3;

	if (!loader)
		return NULL;
	loader->source = source;
	loader->text = source->text + skip;
	loader->len = source->len - skip;
	loader->err = err;
	loader->doc = doc_new(source->name);
	if (loader->doc)
		return loader;
	loader_free(loader);
	return NULL;
}

int yaml_doc_parse(const struct yaml_source *source, struct yaml_doc **ret,
		   struct err *err)
{
	struct err failure = { 0 };
	struct loader *loader = loader_new(source, &failure);
	int code;

	if (!loader)
		return err_nomem(err);
	code = check_bytes(loader);
	if (!code && !yaml_parser_initialize(&loader->parser))
		code = err_nomem(&failure);
	if (!code) {
		yaml_parser_set_encoding(&loader->parser, YAML_UTF8_ENCODING);
		yaml_parser_set_input_string(&loader->parser,
					     (const unsigned char *)loader->text,
					     loader->len);
		code = load(loader);
		yaml_parser_delete(&loader->parser);
	}
	if (code) {
		err_set(err, code, "%s", failure.text);
	} else {
		*ret = loader->doc;
		loader->doc = NULL;
	}
	loader_free(loader);
	return code;
}

void yaml_doc_free(struct yaml_doc *doc)
{
	struct made *made;
	struct made *next;

	if (!doc)
		return;
	for (made = doc->made; made; made = next) {
		next = made->next;
		if (!made->is_alias) {
			free(made->node.text);
			free(made->node.items);
		}
		free(made);
	}
	free(doc->name);
	free(doc);
}

const struct yaml_node *yaml_doc_root(const struct yaml_doc *doc)
{
	return doc->root;
}

const struct yaml_node *yaml_find(const struct yaml_node *node, const char *key)
{
	size_t i;

	for (i = 0; node->kind == YAML_MAPPING && i < node->nr_items; i++) {
		if (!strcmp(node->items[i].key->text, key))
			return node->items[i].value;
	}
	return NULL;
}

bool yaml_is_nothing(const struct yaml_node *node)
{
	return node->kind == YAML_SCALAR && !node->is_quoted && !*node->text;
}
