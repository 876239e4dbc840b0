/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON in and out: the only place that knows the JSON library.
 *
 * A struct jval is a JSON value of any kind. What a constructor returns is the
 * caller's and goes to jval_free() unless a jval_put() or jval_push() took it;
 * what a getter returns is lent by its parent. Text that isn't valid UTF-8 is
 * escaped visibly on the way in, so that what we write can always be read.
 */
#ifndef LIB_JSON_H
#define LIB_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct jval;

/**
 * jval_parse - read exactly one JSON value
 * @text: need not be terminated
 * @len: bytes in @text
 * @ret: the value, the caller's; written on success only
 * @err: says what is wrong, with line and column
 *
 * A key given twice is refused.
 *
 * Return: 0, -EPROTO or -ENOMEM.
 */
int jval_parse(const char *text, size_t len, struct jval **ret, struct err *err);

/** jval_free - drop a value and all it holds; NULL is fine */
void jval_free(struct jval *jval);

/** jval_object - a new empty object, NULL when out of memory */
struct jval *jval_object(void);
/** jval_array - a new empty array, NULL when out of memory */
struct jval *jval_array(void);
/** jval_from_string - a new string, NULL when out of memory */
struct jval *jval_from_string(const char *text);
/** jval_from_uint - a new whole number, NULL when out of memory or over INT64_MAX */
struct jval *jval_from_uint(uint64_t value);
/** jval_from_real - a new number; NULL when out of memory or not finite */
struct jval *jval_from_real(double value);
/** jval_from_bool - true or false */
struct jval *jval_from_bool(bool value);
/** jval_copy - a deep copy, the caller's; NULL when out of memory */
struct jval *jval_copy(const struct jval *jval);

/**
 * jval_put - set @key of @object to @value, which is taken in any case
 *
 * Return: 0, or -ENOMEM also when @value is NULL: so constructors nest, and
 * the results of several puts can be or-ed and looked at once.
 */
int jval_put(struct jval *object, const char *key, struct jval *value);
/** jval_push - append @value, taken in any case; see jval_put() */
int jval_push(struct jval *array, struct jval *value);

/** jval_get - the value of @key, NULL when absent or @object is no object; lent */
const struct jval *jval_get(const struct jval *object, const char *key);
/** jval_text - the string, NULL when it isn't one; lent */
const char *jval_text(const struct jval *jval);
/** jval_get_text - jval_text() of jval_get() */
const char *jval_get_text(const struct jval *object, const char *key);
/** jval_uint - read a whole number of 0 or more; false when it isn't one */
bool jval_uint(const struct jval *jval, uint64_t *ret);
/** jval_real - read any number; false when it isn't one */
bool jval_real(const struct jval *jval, double *ret);
/** jval_is_true - whether it is the literal true */
bool jval_is_true(const struct jval *jval);
/** jval_is_null - whether it is the literal null; false for NULL */
bool jval_is_null(const struct jval *jval);
/** jval_is_object - whether it is an object */
bool jval_is_object(const struct jval *jval);
/** jval_is_array - whether it is an array */
bool jval_is_array(const struct jval *jval);
/** jval_count - items of an array or keys of an object, else 0 */
size_t jval_count(const struct jval *jval);
/** jval_item - item @idx of an array; lent */
const struct jval *jval_item(const struct jval *array, size_t idx);
/** jval_equal - whether both are the same value, whatever the order of keys */
bool jval_equal(const struct jval *a, const struct jval *b);

/**
 * jval_each - walk the keys of an object in the order written
 * @object: may be NULL or no object: nothing to walk
 * @pos: NULL before the first call; kept by the walk
 * @key: receives the key; lent
 * @value: receives the value; lent
 *
 * Return: false after the last key.
 */
bool jval_each(const struct jval *object, void **pos, const char **key,
	       const struct jval **value);

/** enum jval_style - how to write a value */
enum jval_style {
	JVAL_LINE,	/* one line, keys in the order put */
	JVAL_CANONICAL, /* one line, keys sorted: for identity */
	JVAL_PRETTY,	/* indented, keys in the order put */
	JVAL_SAFE,	/* JVAL_PRETTY for a terminal: \uNNNN for all but plain ASCII */
};

/** jval_write - as text, the caller's to free(); NULL when out of memory */
char *jval_write(const struct jval *jval, enum jval_style style);

#endif
