// SPDX-License-Identifier: GPL-2.0-or-later
/* Values of a grid file by kind, and how they are refused; see grid_read.h. */
#include "runner/grid_read.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lib/err.h"
#include "lib/text.h"

int grid_refuse(const struct grid_in *in, const struct yaml_node *node, const char *fmt,
		...)
{
	char sentence[sizeof(in->err->text)];
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(sentence, sizeof(sentence), fmt, args);
	va_end(args);
	return yaml_refuse(in->doc, node->pos, in->err, "%s", sentence);
}

int grid_refuse_kind(const struct grid_in *in, const struct yaml_node *node,
		     const char *expected)
{
	static const char *const kinds[] = {
		[YAML_SCALAR] = "a text",
		[YAML_SEQUENCE] = "a list",
		[YAML_MAPPING] = "a mapping",
	};
	const char *kind = kinds[node->kind];

	if (yaml_is_nothing(node))
		kind = "nothing";
	if (node->kind != YAML_SCALAR && !node->nr_items)
		kind = "an empty one";
	return grid_refuse(in, node, "expected %s, not %s", expected, kind);
}

/* The names with commas, as many as fit. */
static void join(const char *const *names, char *out, size_t size)
{
	size_t at = 0;

	*out = '\0';
	for (; *names && at < size; names++) {
		int len = snprintf(out + at, size - at, "%s%s", at ? ", " : "", *names);

		at += len > 0 ? (size_t)len : 0;
	}
}

int grid_refuse_name(const struct grid_in *in, const struct yaml_node *node,
		     const char *what, const char *where, const char *const *names)
{
	const char *nearest = text_nearest(node->text, names);
	char list[512];

	join(names, list, sizeof(list));
	return grid_refuse(in, node, "unknown %s '%.100s'%s; expected %s%s%s%s%s", what,
			   node->text, where, names[0] && names[1] ? "one of " : "", list,
			   nearest ? "; did you mean '" : "", nearest ? nearest : "",
			   nearest ? "'?" : "");
}

/* Only what works is offered: a key that is known but not supported helps nobody. */
static int refuse_key(const struct grid_in *in, const struct yaml_node *node,
		      const struct grid_mapping *mapping)
{
	const char *names[GRID_MAX_CHOSEN] = { NULL };
	const struct grid_key *key;
	char where[100];
	size_t nr = 0;

	for (key = mapping->keys; key->name && nr + 1 < GRID_MAX_CHOSEN; key++) {
		if (key->read)
			names[nr++] = key->name;
	}
	(void)snprintf(where, sizeof(where), " in %s", mapping->where);
	return grid_refuse_name(in, node, "key", where, names);
}

static int check_key(const struct grid_in *in, const struct yaml_node *node,
		     const struct grid_mapping *mapping)
{
	const struct grid_key *key;

	for (key = mapping->keys; key->name; key++) {
		if (strcmp(key->name, node->text))
			continue;
		if (key->read)
			return 0;
		return grid_refuse(in, node, "'%s' is not supported yet", key->name);
	}
	return refuse_key(in, node, mapping);
}

int grid_read_mapping(const struct grid_in *in, const struct yaml_node *node,
		      const struct grid_mapping *mapping, void *target)
{
	const struct grid_key *key;
	char expected[200];
	size_t i;

	if (node->kind != YAML_MAPPING) {
		(void)snprintf(expected, sizeof(expected), "a mapping such as %s",
			       mapping->example);
		return grid_refuse_kind(in, node, expected);
	}
	for (i = 0; i < node->nr_items; i++) {
		int ret = check_key(in, node->items[i].key, mapping);

		if (ret)
			return ret;
	}
	for (key = mapping->keys; key->name; key++) {
		const struct yaml_node *value = yaml_find(node, key->name);
		int ret = 0;

		if (value)
			ret = key->read(in, value, target);
		else if (key->is_required)
			ret = grid_refuse(in, node, "'%s' is missing in %s", key->name,
					  mapping->where);
		if (ret)
			return ret;
	}
	return 0;
}

int grid_read_text(const struct grid_in *in, const struct yaml_node *node,
		   const char *what, size_t max, char **ret)
{
	size_t len;

	if (node->kind != YAML_SCALAR || yaml_is_nothing(node))
		return grid_refuse_kind(in, node, what);
	len = strlen(node->text);
	if (!len || len > max)
		return grid_refuse(in, node, "expected %s of 1 to %zu bytes, not of %zu",
				   what, max, len);
	if (node->text[0] == ' ' || node->text[len - 1] == ' ')
		return grid_refuse(in, node, "'%.100s' begins or ends with a space",
				   node->text);
	*ret = strdup(node->text);
	return *ret ? 0 : err_nomem(in->err);
}

int grid_read_uint(const struct grid_in *in, const struct yaml_node *node,
		   const char *what, uint64_t min, uint64_t max, uint64_t *ret)
{
	struct err number = { 0 };
	char expected[200];

	if (node->kind != YAML_SCALAR || yaml_is_nothing(node)) {
		(void)snprintf(expected, sizeof(expected),
			       "%s, a whole number of %ju to %ju", what, (uintmax_t)min,
			       (uintmax_t)max);
		return grid_refuse_kind(in, node, expected);
	}
	if (text_uint(node->text, min, max, ret, &number))
		return grid_refuse(in, node, "%s: %s", what, number.text);
	return 0;
}

static int join_cpus(const struct grid_in *in, const struct yaml_node *node, char **ret)
{
	enum { GREATEST_CPU = 65535 };
	char text[GRID_MAX_NAME + 1] = "";
	size_t at = 0;
	size_t i;

	for (i = 0; i < node->nr_items; i++) {
		uint64_t cpu = 0;
		int len;

		if (grid_read_uint(in, node->items[i].value, "a CPU", 0, GREATEST_CPU,
				   &cpu))
			return in->err->code;
		len = snprintf(text + at, sizeof(text) - at, "%s%ju", i ? "," : "",
			       (uintmax_t)cpu);
		if (len < 0 || (size_t)len >= sizeof(text) - at)
			return grid_refuse(
				in, node,
				"too many CPUs to list singly; "
				"write ranges as a text such as '0-63,128-191'");
		at += (size_t)len;
	}
	*ret = strdup(text);
	return *ret ? 0 : err_nomem(in->err);
}

int grid_read_pin(const struct grid_in *in, const struct yaml_node *node, char **ret)
{
	if (node->kind == YAML_SEQUENCE && node->nr_items)
		return join_cpus(in, node, ret);
	if (node->kind != YAML_SCALAR)
		return grid_refuse_kind(in, node,
					"a CPU list such as 0-3,8 or a pin word");
	return grid_read_text(in, node, "a CPU list or pin word", GRID_MAX_NAME, ret);
}

struct grid_pos grid_pos_of(const struct yaml_node *node)
{
	return (struct grid_pos){ node->pos.line, node->pos.column };
}
