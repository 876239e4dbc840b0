// SPDX-License-Identifier: GPL-2.0-or-later
/* The map is libc's balanced search tree over the keys; see textmap.h. */
#include "compare/textmap.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The tree holds pointers to keys; a key is embedded in its entry. */
static int by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

static struct textmap_entry *entry_of(char *key)
{
	return (struct textmap_entry *)(void *)(key -
						offsetof(struct textmap_entry, key));
}

struct textmap_entry *textmap_add(struct textmap *map, const char *key)
{
	struct textmap_entry *entry = textmap_find(map, key);
	size_t len;

	if (entry)
		return entry;
	len = strlen(key);
	entry = malloc(sizeof(*entry) + len + 1);
	if (!entry)
		return NULL;
	entry->value = NULL;
	memcpy(entry->key, key, len + 1);
	if (!tsearch(entry->key, &map->root, by_text)) {
		free(entry);
		return NULL;
	}
	return entry;
}

const char *textmap_keep(struct textmap *map, const char *text)
{
	struct textmap_entry *entry = textmap_add(map, text);

	return entry ? entry->key : NULL;
}

struct textmap_entry *textmap_find(const struct textmap *map, const char *key)
{
	char **node = tfind(key, &map->root, by_text);

	return node ? entry_of(*node) : NULL;
}

static void entry_free(void *key)
{
	free(entry_of(key));
}

void textmap_release(struct textmap *map)
{
	tdestroy(map->root, entry_free);
	map->root = NULL;
}

char *textmap_join(const char *const *parts)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);
	size_t i;

	if (!out)
		return NULL;
	for (i = 0; parts[i]; i++)
		(void)fprintf(out, "%zu:%s", strlen(parts[i]), parts[i]);
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}
