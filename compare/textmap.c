// SPDX-License-Identifier: GPL-2.0-or-later
/* The map is a hash table whose chains stay short; see textmap.h. */
#include "compare/textmap.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CHAINS = 64 };

/* FNV-1a: short keys, and nobody gains from a collision in his own table. */
static uint64_t hash_of(const char *key)
{
	uint64_t hash = 0xcbf29ce484222325U;

	for (; *key; key++)
		hash = (hash ^ (unsigned char)*key) * 0x100000001b3U;
	return hash;
}

static struct textmap_entry *find(const struct textmap *map, const char *key,
				  uint64_t hash)
{
	struct textmap_entry *entry;

	if (!map->nr_chains)
		return NULL;
	entry = map->chains[hash & (map->nr_chains - 1)];
	while (entry && (entry->hash != hash || strcmp(entry->key, key) != 0))
		entry = entry->next;
	return entry;
}

static void link_in(struct textmap *map, struct textmap_entry *entry)
{
	struct textmap_entry **chain = &map->chains[entry->hash & (map->nr_chains - 1)];

	entry->next = *chain;
	*chain = entry;
}

/* Twice the chains as soon as there is an entry for each. */
static int make_room(struct textmap *map)
{
	struct textmap grown = { .nr_entries = map->nr_entries };
	size_t i;

	if (map->nr_entries < map->nr_chains)
		return 0;
	grown.nr_chains = map->nr_chains ? 2 * map->nr_chains : FIRST_CHAINS;
	grown.chains = calloc(grown.nr_chains, sizeof(struct textmap_entry *));
	if (!grown.chains)
		return -1;
	for (i = 0; i < map->nr_chains; i++) {
		struct textmap_entry *entry = map->chains[i];

		while (entry) {
			struct textmap_entry *next = entry->next;

			link_in(&grown, entry);
			entry = next;
		}
	}
	free(map->chains);
	*map = grown;
	return 0;
}

struct textmap_entry *textmap_add(struct textmap *map, const char *key)
{
	uint64_t hash = hash_of(key);
	struct textmap_entry *entry = find(map, key, hash);
	size_t size;

	if (entry)
		return entry;
	size = strlen(key) + 1;
	entry = make_room(map) ? NULL : malloc(sizeof(*entry) + size);
	if (!entry)
		return NULL;
	entry->value = NULL;
	entry->hash = hash;
	memcpy(entry->key, key, size);
	link_in(map, entry);
	map->nr_entries++;
	return entry;
}

const char *textmap_keep(struct textmap *map, const char *text)
{
	struct textmap_entry *entry = textmap_add(map, text);

	return entry ? entry->key : NULL;
}

struct textmap_entry *textmap_find(const struct textmap *map, const char *key)
{
	return find(map, key, hash_of(key));
}

void textmap_release(struct textmap *map)
{
	size_t i;

	for (i = 0; i < map->nr_chains; i++) {
		struct textmap_entry *entry = map->chains[i];

		while (entry) {
			struct textmap_entry *next = entry->next;

			free(entry);
			entry = next;
		}
	}
	free(map->chains);
	*map = (struct textmap){ 0 };
}

/* Digits of @number at @out, which has room; behind the last one. */
static char *put_number(char *out, size_t number)
{
	char digits[24];
	size_t nr = 0;

	do {
		digits[nr++] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	while (nr)
		*out++ = digits[--nr];
	return out;
}

char *textmap_join(const char *const *parts)
{
	const size_t room_for_length = 24;
	size_t size = 1;
	char *text;
	char *at;
	size_t i;

	for (i = 0; parts[i]; i++)
		size += strlen(parts[i]) + room_for_length;
	text = malloc(size);
	if (!text)
		return NULL;
	at = text;
	for (i = 0; parts[i]; i++) {
		size_t len = strlen(parts[i]);

		at = put_number(at, len);
		*at++ = ':';
		memcpy(at, parts[i], len);
		at += len;
	}
	*at = '\0';
	return text;
}
