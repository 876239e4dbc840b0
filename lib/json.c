// SPDX-License-Identifier: GPL-2.0-or-later
/* A thin layer over jansson; see json.h for who owns what. */
#include "lib/json.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "lib/err.h"
#include "lib/text.h"

/* A struct jval is a json_t under our own name. */
static json_t *raw(struct jval *jval)
{
	return (json_t *)jval;
}

/* jansson's getters take const, but its iterators and copies don't. */
static json_t *peek(const struct jval *jval)
{
	return (json_t *)(uintptr_t)jval;
}

static struct jval *wrap(json_t *json)
{
	return (struct jval *)json;
}

int jval_parse(const char *text, size_t len, struct jval **ret, struct err *err)
{
	json_error_t where;
	json_t *json;

	json = json_loadb(text, len, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &where);
	if (!json) {
		bool nomem = json_error_code(&where) == json_error_out_of_memory;

		return err_set(err, nomem ? -ENOMEM : -EPROTO,
			       "not valid JSON at %d:%d: %s", where.line, where.column,
			       where.text);
	}
	*ret = wrap(json);
	return 0;
}

void jval_free(struct jval *jval)
{
	json_decref(raw(jval));
}

struct jval *jval_object(void)
{
	return wrap(json_object());
}

struct jval *jval_array(void)
{
	return wrap(json_array());
}

struct jval *jval_from_string(const char *text)
{
	json_t *json = json_string(text);
	char *safe;
	size_t size;

	if (json)
		return wrap(json);
	size = 4 * strlen(text) + 8;
	safe = malloc(size);
	if (!safe)
		return NULL;
	text_printable(text, safe, size);
	json = json_string(safe);
	free(safe);
	return wrap(json);
}

struct jval *jval_from_uint(uint64_t value)
{
	return value > INT64_MAX ? NULL : wrap(json_integer((json_int_t)value));
}

struct jval *jval_from_real(double value)
{
	return wrap(json_real(value));
}

struct jval *jval_from_bool(bool value)
{
	return wrap(json_boolean(value));
}

struct jval *jval_copy(const struct jval *jval)
{
	return wrap(json_deep_copy(peek(jval)));
}

int jval_put(struct jval *object, const char *key, struct jval *value)
{
	return json_object_set_new(raw(object), key, raw(value)) ? -ENOMEM : 0;
}

int jval_push(struct jval *array, struct jval *value)
{
	return json_array_append_new(raw(array), raw(value)) ? -ENOMEM : 0;
}

const struct jval *jval_get(const struct jval *object, const char *key)
{
	return wrap(json_object_get(peek(object), key));
}

const char *jval_text(const struct jval *jval)
{
	return json_string_value(peek(jval));
}

const char *jval_get_text(const struct jval *object, const char *key)
{
	return jval_text(jval_get(object, key));
}

bool jval_uint(const struct jval *jval, uint64_t *ret)
{
	if (!json_is_integer(peek(jval)) || json_integer_value(peek(jval)) < 0)
		return false;
	*ret = (uint64_t)json_integer_value(peek(jval));
	return true;
}

bool jval_real(const struct jval *jval, double *ret)
{
	if (!json_is_number(peek(jval)))
		return false;
	*ret = json_number_value(peek(jval));
	return true;
}

bool jval_is_true(const struct jval *jval)
{
	return json_is_true(peek(jval));
}

bool jval_is_null(const struct jval *jval)
{
	return json_is_null(peek(jval));
}

bool jval_is_object(const struct jval *jval)
{
	return json_is_object(peek(jval));
}

bool jval_is_array(const struct jval *jval)
{
	return json_is_array(peek(jval));
}

size_t jval_count(const struct jval *jval)
{
	return jval_is_object(jval) ? json_object_size(peek(jval))
				    : json_array_size(peek(jval));
}

const struct jval *jval_item(const struct jval *array, size_t idx)
{
	return wrap(json_array_get(peek(array), idx));
}

bool jval_equal(const struct jval *a, const struct jval *b)
{
	return json_equal(peek(a), peek(b));
}

bool jval_each(const struct jval *object, void **pos, const char **key,
	       const struct jval **value)
{
	*pos = *pos ? json_object_iter_next(peek(object), *pos)
		    : json_object_iter(peek(object));
	if (!*pos)
		return false;
	*key = json_object_iter_key(*pos);
	*value = wrap(json_object_iter_value(*pos));
	return true;
}

/* The library leaves DEL as it is; only strings can have one. Takes @text. */
static char *escape_del(char *text)
{
	enum { DEL = 0x7f, ESCAPED = 6 };
	size_t size = strlen(text) + 1;
	const char *at;
	char *safe;
	char *out;

	for (at = text; *at; at++)
		size += *at == DEL ? ESCAPED - 1 : 0;
	safe = malloc(size);
	for (at = text, out = safe; safe && *at; at++) {
		if (*at != DEL) {
			*out++ = *at;
			continue;
		}
		memcpy(out, "\\u007F", ESCAPED);
		out += ESCAPED;
	}
	if (safe)
		*out = '\0';
	free(text);
	return safe;
}

char *jval_write(const struct jval *jval, enum jval_style style)
{
	/* 15 digits: no measurement has more, and 0.1 stays 0.1. */
	size_t flags = JSON_ENCODE_ANY | JSON_REAL_PRECISION(15);
	char *text;

	if (style == JVAL_PRETTY || style == JVAL_SAFE)
		flags |= JSON_INDENT(2);
	else
		flags |= JSON_COMPACT;
	if (style == JVAL_CANONICAL)
		flags |= JSON_SORT_KEYS;
	if (style == JVAL_SAFE)
		flags |= JSON_ENSURE_ASCII;
	text = json_dumps(peek(jval), flags);
	return text && style == JVAL_SAFE ? escape_del(text) : text;
}
