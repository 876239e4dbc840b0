// SPDX-License-Identifier: GPL-2.0-or-later
/* Each text has one slot by its hash, where the last one stays; see jkept.h. */
#include "lib/jkept.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/json.h"
#include "lib/text.h"

/* More than most grids have points; a power of 2. */
enum { NR_SLOTS = 1024 };

/**
 * struct jkept_slot - the last text of its hash
 * @text: owned copy, NULL: the slot is empty
 * @len: bytes in @text
 * @value: owned
 */
struct jkept_slot {
	char *text;
	size_t len;
	struct jval *value;
};

static size_t slot_of(const char *text, size_t len)
{
	uint64_t hash = text_hash(text, len);

	return (hash ^ hash >> 32) & (NR_SLOTS - 1);
}

static void empty(struct jkept_slot *slot)
{
	free(slot->text);
	jval_free(slot->value);
	*slot = (struct jkept_slot){ 0 };
}

const struct jval *jkept_get(struct jkept *kept, const char *text, size_t len)
{
	struct jkept_slot *slot;

	if (!kept->slots)
		kept->slots = calloc(NR_SLOTS, sizeof(*kept->slots));
	if (!kept->slots)
		return NULL;
	slot = &kept->slots[slot_of(text, len)];
	if (slot->text && slot->len == len && !memcmp(slot->text, text, len))
		return slot->value;
	empty(slot);
	slot->text = malloc(len + 1);
	if (!slot->text || jval_parse(text, len, &slot->value, NULL)) {
		empty(slot);
		return NULL;
	}
	memcpy(slot->text, text, len);
	slot->len = len;
	return slot->value;
}

void jkept_release(struct jkept *kept)
{
	size_t i;

	for (i = 0; kept->slots && i < NR_SLOTS; i++)
		empty(&kept->slots[i]);
	free(kept->slots);
	kept->slots = NULL;
}
