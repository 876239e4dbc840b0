/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text from elsewhere, made safe or understood: labels, program output and
 * numbers that a person typed. Nothing here follows the locale.
 */
#ifndef LIB_TEXT_H
#define LIB_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

/**
 * text_printable - copy @text with each byte that isn't safe to see as \xNN
 * @text: any bytes up to the NUL
 * @out: receives valid UTF-8, always terminated
 * @size: bytes at @out, at least 1; what doesn't fit is cut between characters
 *
 * Not safe are control characters, bytes that are no UTF-8, and what
 * text_invisible() finds: on a terminal it could reorder or hide what surrounds it.
 *
 * Return: length of @out.
 */
size_t text_printable(const char *text, char *out, size_t size);

/** text_broken - offset of the first byte of @text that is no UTF-8; -1: there is none */
long text_broken(const char *text);

/**
 * text_width - columns a terminal needs for @text
 *
 * Counts characters, not bytes; the text is expected to be printable.
 */
size_t text_width(const char *text);

/**
 * text_invisible - find a character that a reader can't see
 * @text: UTF-8
 * @name: receives its name, such as "no-break space"; lent, static
 *
 * No-break and other odd spaces, zero-width and direction marks, byte order
 * marks and soft hyphens: they come in with text pasted from web pages and
 * make two equal-looking names differ.
 *
 * Return: offset in bytes of the first one, or -1.
 */
long text_invisible(const char *text, const char **name);

/**
 * text_nearest - the candidate most like @text
 * @text: what the user wrote
 * @candidates: array ended by NULL
 *
 * Return: a candidate that is near enough to be what was meant (a third of
 * its letters wrong at most), or NULL; lent.
 */
const char *text_nearest(const char *text, const char *const *candidates);

/**
 * text_uint - a whole number in plain decimal, checked
 * @text: digits only: no sign, leading zero, point, exponent or grouping
 * @min: smallest allowed value
 * @max: largest allowed value
 * @ret: the number; written on success only
 * @err: says what was expected
 *
 * Return: 0, -EINVAL (not such a number) or -ERANGE.
 */
int text_uint(const char *text, uint64_t min, uint64_t max, uint64_t *ret,
	      struct err *err);

/**
 * text_duration - a whole number with a unit: 250ms, 300s, 30min, 2h
 * @text: the duration
 * @ret_ns: nanoseconds, above 0 and at most 1000 hours; written on success only
 * @err: says what was expected
 *
 * Return: 0, -EINVAL or -ERANGE.
 */
int text_duration(const char *text, uint64_t *ret_ns, struct err *err);

/**
 * text_behind - what stands behind a key at the start of a line
 * @text: lines
 * @key: with all that divides it from its value, such as "MemTotal:"
 *
 * Return: the rest of the first such line, and of @text; lent; NULL: there is none.
 */
const char *text_behind(const char *text, const char *key);

/** text_hash - of @len bytes, for tables in memory; nothing that is kept on disk */
uint64_t text_hash(const char *text, size_t len);

/**
 * text_natural_order - compare so that numbers inside sort by value
 *
 * "5.9" comes before "5.10", "a2" before "a10"; like strcmp() otherwise.
 */
int text_natural_order(const char *a, const char *b);

#endif
