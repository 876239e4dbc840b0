/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A map from text to a pointer, and composite keys for it. It owns the texts,
 * so it also serves to keep one copy of each label that records repeat.
 */
#ifndef COMPARE_TEXTMAP_H
#define COMPARE_TEXTMAP_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct textmap_entry - one key
 * @value: whatever the user keeps there, NULL at first
 * @next: of the map
 * @hash: of the map
 * @key: the text
 */
struct textmap_entry {
	void *value;
	struct textmap_entry *next;
	uint64_t hash;
	char key[];
};

/**
 * struct textmap - the map; all zero is empty
 * @chains: of the map
 * @nr_chains: 0 or a power of two
 * @nr_entries: how many keys
 */
struct textmap {
	struct textmap_entry **chains;
	size_t nr_chains, nr_entries;
};

/**
 * textmap_add - find @key, adding it when it isn't there
 *
 * Return: the entry, which stays where it is; NULL when out of memory.
 */
struct textmap_entry *textmap_add(struct textmap *map, const char *key);

/** textmap_keep - the map's own copy of @text; NULL when out of memory */
const char *textmap_keep(struct textmap *map, const char *text);

/** textmap_find - the entry of @key, or NULL */
struct textmap_entry *textmap_find(const struct textmap *map, const char *key);

/** textmap_release - free the entries, not their values; the map is empty again */
void textmap_release(struct textmap *map);

/**
 * textmap_join - one text that stands for all of @parts
 * @parts: ended by NULL
 *
 * Lengths are part of it, so no two lists give the same text.
 *
 * Return: the caller's to free(); NULL when out of memory.
 */
char *textmap_join(const char *const *parts);

#endif
