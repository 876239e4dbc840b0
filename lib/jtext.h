/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON written straight into one buffer, without a tree of values: for what is
 * written between two measurements. The text is what jval_write() makes of the
 * same values as JVAL_LINE.
 *
 * Calling sequence: a zeroed struct jtext, jtext_open() of the outermost object
 * or list, what is in it, jtext_close(), jtext_finish(). A key is NULL in a list
 * and for what is outermost. Running out of memory is told once, at the end.
 */
#ifndef LIB_JTEXT_H
#define LIB_JTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jval;

/**
 * struct jtext - a text that grows
 * @text: owned; not terminated before jtext_finish()
 * @len: bytes in @text
 * @size: bytes allocated
 * @failed: something didn't fit into memory or into JSON
 */
struct jtext {
	char *text;
	size_t len, size;
	bool failed;
};

/** jtext_open - begin an object ('{') or a list ('[') */
void jtext_open(struct jtext *out, const char *key, char bracket);
/** jtext_close - end it with the bracket that belongs to the opening one */
void jtext_close(struct jtext *out, char bracket);

/** jtext_string - a text; bytes that aren't UTF-8 become visible as \xNN */
void jtext_string(struct jtext *out, const char *key, const char *text);
/** jtext_uint - a whole number of at most INT64_MAX, or the text fails */
void jtext_uint(struct jtext *out, const char *key, uint64_t value);
/** jtext_real - a number with 15 digits; one that isn't finite fails */
void jtext_real(struct jtext *out, const char *key, double value);
/** jtext_true - the literal true */
void jtext_true(struct jtext *out, const char *key);
/** jtext_value - a value of any kind; NULL fails */
void jtext_value(struct jtext *out, const char *key, const struct jval *value);

/**
 * jtext_finish - the text, with a NUL behind it
 *
 * Return: the caller's to free(); NULL when anything failed, then nothing stays.
 */
char *jtext_finish(struct jtext *out);

#endif
