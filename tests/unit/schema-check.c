// SPDX-License-Identifier: GPL-2.0-or-later
/* A walk along value and schema at once; see schema-check.h. */
#include "tests/unit/schema-check.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/err.h"
#include "lib/file.h"
#include "lib/json.h"

/* struct place - @value at @path, and what is said of it */
struct place {
	const struct jval *root, *schema, *value;
	const char *path;
	struct err *err;
};

struct jval *schema_load(const char *name)
{
	const char *source = getenv("SCHEDGRID_SOURCE");
	char *path = file_path("%s/docs/schema/%s.json", source ? source : ".", name);
	struct jval *schema = NULL;
	struct err err = { 0 };
	char *text = NULL;
	size_t len;

	if (file_read(path, 1 << 20, &text, &len, &err) ||
	    jval_parse(text, len, &schema, &err))
		fail_msg("%s: %s", path, err.text);
	free(text);
	free(path);
	return schema;
}

static int differs(const struct place *at, const char *how, const char *what)
{
	return err_set(at->err, -EPROTO, "%s: %s %s", at->path, how, what);
}

static int check(const struct place *at);

static int check_below(const struct place *at, const struct jval *schema,
		       const struct jval *value, const char *key)
{
	char *path = file_path("%s/%s", at->path, key);
	const struct place below = { at->root, schema, value, path, at->err };
	int bad = check(&below);

	free(path);
	return bad;
}

static bool has_type(const struct jval *value, const char *type)
{
	double number;

	if (!strcmp(type, "object"))
		return jval_is_object(value);
	if (!strcmp(type, "array"))
		return jval_is_array(value);
	if (!strcmp(type, "string"))
		return jval_text(value);
	if (!strcmp(type, "null"))
		return jval_is_null(value);
	if (!strcmp(type, "integer"))
		return jval_real(value, &number) && number == floor(number);
	if (!strcmp(type, "number"))
		return jval_real(value, &number);
	return !strcmp(type, "boolean") && !jval_is_object(value) &&
	       !jval_is_array(value) && !jval_text(value) && !jval_is_null(value) &&
	       !jval_real(value, &number);
}

static int check_type(const struct place *at, const struct jval *types)
{
	size_t i;

	if (jval_text(types))
		return has_type(at->value, jval_text(types))
			       ? 0
			       : differs(at, "is no", jval_text(types));
	for (i = 0; i < jval_count(types); i++) {
		if (has_type(at->value, jval_text(jval_item(types, i))))
			return 0;
	}
	return differs(at, "has no allowed", "type");
}

static int check_enum(const struct place *at, const struct jval *words)
{
	size_t i;

	for (i = 0; i < jval_count(words); i++) {
		if (jval_equal(jval_item(words, i), at->value))
			return 0;
	}
	return differs(at, "is not one of", "enum");
}

static int check_properties(const struct place *at)
{
	const struct jval *properties = jval_get(at->schema, "properties");
	const struct jval *others = jval_get(at->schema, "additionalProperties");
	const struct jval *value;
	const char *key;
	void *pos = NULL;
	int bad = 0;

	while (!bad && jval_each(at->value, &pos, &key, &value)) {
		const struct jval *schema = jval_get(properties, key);

		if (!schema && !jval_is_object(others))
			return differs(at, "has an unknown key", key);
		bad = check_below(at, schema ? schema : others, value, key);
	}
	return bad;
}

static int check_required(const struct place *at, const struct jval *keys)
{
	size_t i;

	for (i = 0; i < jval_count(keys); i++) {
		const char *key = jval_text(jval_item(keys, i));

		if (jval_is_object(at->value) && !jval_get(at->value, key))
			return differs(at, "lacks", key);
	}
	return 0;
}

static int check_items(const struct place *at, const struct jval *schema)
{
	char number[32];
	int bad = 0;
	size_t i;

	for (i = 0; !bad && jval_is_array(at->value) && i < jval_count(at->value); i++) {
		(void)snprintf(number, sizeof(number), "%zu", i);
		bad = check_below(at, schema, jval_item(at->value, i), number);
	}
	return bad;
}

static int check_any(const struct place *at, const struct jval *schemas)
{
	struct err why = { 0 };
	size_t i;

	for (i = 0; i < jval_count(schemas); i++) {
		const struct place any = { at->root, jval_item(schemas, i), at->value,
					   at->path, &why };

		if (!check(&any))
			return 0;
	}
	return err_set(at->err, -EPROTO, "%s", why.text);
}

/* "#/$defs/..." is all that there is. */
static int check_ref(const struct place *at, const char *ref)
{
	static const char defs[] = "#/$defs/";
	struct place other = *at;

	if (strncmp(ref, defs, strlen(defs)))
		return differs(at, "has a reference to", ref);
	other.schema = jval_get(jval_get(at->root, "$defs"), ref + strlen(defs));
	return other.schema ? check(&other) : differs(at, "refers to nothing:", ref);
}

static int check_limit(const struct place *at, const char *keyword, double limit)
{
	const char *text = jval_text(at->value);
	double value = text ? (double)strlen(text) : (double)jval_count(at->value);
	bool fits;

	(void)jval_real(at->value, &value);
	if (!strcmp(keyword, "exclusiveMinimum"))
		fits = value > limit;
	else if (!strncmp(keyword, "min", 3))
		fits = value >= limit;
	else
		fits = value <= limit;
	return fits ? 0 : differs(at, "is beyond its", keyword);
}

/* What is for readers, or looked at together with another keyword. */
static bool is_plain(const char *keyword)
{
	static const char *const plain[] = { "$schema", "$id",	       "$defs",
					     "title",	"description", "properties",
					     NULL };
	size_t i;

	for (i = 0; plain[i]; i++) {
		if (!strcmp(plain[i], keyword))
			return true;
	}
	return false;
}

static int check_keyword(const struct place *at, const char *keyword,
			 const struct jval *says)
{
	double limit;

	if (!strcmp(keyword, "type"))
		return check_type(at, says);
	if (!strcmp(keyword, "enum"))
		return check_enum(at, says);
	if (!strcmp(keyword, "const"))
		return jval_equal(says, at->value) ? 0
						   : differs(at, "is not the", "const");
	if (!strcmp(keyword, "required"))
		return check_required(at, says);
	if (!strcmp(keyword, "additionalProperties"))
		return check_properties(at);
	if (!strcmp(keyword, "items"))
		return check_items(at, says);
	if (!strcmp(keyword, "anyOf"))
		return check_any(at, says);
	if (!strcmp(keyword, "$ref"))
		return check_ref(at, jval_text(says));
	if ((strstr(keyword, "min") == keyword || strstr(keyword, "max") == keyword ||
	     !strcmp(keyword, "exclusiveMinimum")) &&
	    jval_real(says, &limit))
		return check_limit(at, keyword, limit);
	return is_plain(keyword) ? 0
				 : differs(at, "has a keyword nobody checks:", keyword);
}

static int check(const struct place *at)
{
	const struct jval *says;
	const char *keyword;
	void *pos = NULL;
	int bad = 0;

	while (!bad && jval_each(at->schema, &pos, &keyword, &says))
		bad = check_keyword(at, keyword, says);
	return bad;
}

int schema_check(const struct jval *schema, const struct jval *value, struct err *err)
{
	const struct place top = { schema, schema, value, "", err };

	return check(&top);
}
