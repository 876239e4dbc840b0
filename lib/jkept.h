/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON values by their text, for texts that come again and again: parsed once, then
 * found. Only so many are kept, whatever is asked for.
 */
#ifndef LIB_JKEPT_H
#define LIB_JKEPT_H

#include <stddef.h>

struct jval;

/** struct jkept - zeroed before the first jkept_get(); @slots are owned */
struct jkept {
	struct jkept_slot *slots;
};

/**
 * jkept_get - the value of a text
 * @kept: where it is looked for and kept
 * @text: valid JSON; need not be terminated
 * @len: bytes in @text
 *
 * Return: lent until the next call; NULL: out of memory, or @text isn't valid.
 */
const struct jval *jkept_get(struct jkept *kept, const char *text, size_t len);

/** jkept_release - free all; @kept is as zeroed then */
void jkept_release(struct jkept *kept);

#endif
