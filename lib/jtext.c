// SPDX-License-Identifier: GPL-2.0-or-later
/* JSON into one buffer; see jtext.h. What needs thought is left to jval_write(). */
#include "lib/jtext.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/json.h"

static void append(struct jtext *out, const char *bytes, size_t len)
{
	enum { FIRST_SIZE = 2048 };
	char *grown;
	size_t size;

	if (out->failed)
		return;
	if (out->size - out->len < len + 1) {
		size = 2 * (out->size + len) + FIRST_SIZE;
		grown = realloc(out->text, size);
		if (!grown) {
			out->failed = true;
			return;
		}
		out->text = grown;
		out->size = size;
	}
	memcpy(out->text + out->len, bytes, len);
	out->len += len;
}

/* The library escapes as it does everywhere, and refuses what is no JSON. */
static void append_value(struct jtext *out, const struct jval *value)
{
	char *text = value ? jval_write(value, JVAL_LINE) : NULL;

	if (text)
		append(out, text, strlen(text));
	else
		out->failed = true;
	free(text);
}

static void append_string(struct jtext *out, const char *text)
{
	struct jval *value;
	const char *at = text;

	while (*at >= ' ' && *at <= '~' && *at != '"' && *at != '\\')
		at++;
	if (!*at) {
		append(out, "\"", 1);
		append(out, text, (size_t)(at - text));
		append(out, "\"", 1);
		return;
	}
	value = jval_from_string(text);
	append_value(out, value);
	jval_free(value);
}

/* What stands before a value: a comma unless it is the first, and its key. */
static void begin(struct jtext *out, const char *key)
{
	bool is_first = !out->len || strchr("[{", out->text[out->len - 1]);

	if (!is_first)
		append(out, ",", 1);
	if (!key)
		return;
	append_string(out, key);
	append(out, ":", 1);
}

void jtext_open(struct jtext *out, const char *key, char bracket)
{
	begin(out, key);
	append(out, &bracket, 1);
}

void jtext_close(struct jtext *out, char bracket)
{
	append(out, &bracket, 1);
}

void jtext_string(struct jtext *out, const char *key, const char *text)
{
	begin(out, key);
	append_string(out, text);
}

void jtext_uint(struct jtext *out, const char *key, uint64_t value)
{
	char text[24];
	char *at = text + sizeof(text);

	/* What reads it has no larger numbers. */
	out->failed |= value > INT64_MAX;
	do {
		*--at = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	begin(out, key);
	append(out, at, (size_t)(text + sizeof(text) - at));
}

void jtext_real(struct jtext *out, const char *key, double value)
{
	struct jval *number;
	char text[32];
	int len;

	/* Plain ones have one spelling; of others the library knows what it wants. */
	len = snprintf(text, sizeof(text), "%.15g", value);
	if (strspn(text, "-0123456789.") == (size_t)len && strchr(text, '.')) {
		begin(out, key);
		append(out, text, (size_t)len);
		return;
	}
	number = jval_from_real(value);
	jtext_value(out, key, number);
	jval_free(number);
}

void jtext_true(struct jtext *out, const char *key)
{
	begin(out, key);
	append(out, "true", strlen("true"));
}

void jtext_value(struct jtext *out, const char *key, const struct jval *value)
{
	begin(out, key);
	append_value(out, value);
}

char *jtext_finish(struct jtext *out)
{
	char *text;

	append(out, "", 1);
	text = out->text;
	if (out->failed) {
		free(text);
		text = NULL;
	}
	*out = (struct jtext){ 0 };
	return text;
}
