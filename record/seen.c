// SPDX-License-Identifier: GPL-2.0-or-later
/* A hash table of record ids by their place in the file; see seen.h. */
#include "record/seen.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/err.h"
#include "lib/text.h"
#include "record/record.h"

/**
 * struct slot - one id
 * @hash: of the id
 * @offset: of its line
 * @len: of its line; 0: the slot is empty
 */
struct slot {
	uint64_t hash;
	int64_t offset;
	size_t len;
};

/* @size is a power of 2, and never are more than half of the slots in use. */
struct seen {
	struct slot *slots;
	size_t nr, size;
};

struct seen *seen_new(void)
{
	enum { FIRST_SIZE = 256 };
	struct seen *seen = calloc(1, sizeof(*seen));

	if (!seen)
		return NULL;
	seen->size = FIRST_SIZE;
	seen->slots = calloc(seen->size, sizeof(*seen->slots));
	if (seen->slots)
		return seen;
	free(seen);
	return NULL;
}

void seen_free(struct seen *seen)
{
	if (!seen)
		return;
	free(seen->slots);
	free(seen);
}

static void put(struct seen *seen, const struct slot *slot)
{
	size_t at = slot->hash & (seen->size - 1);

	while (seen->slots[at].len)
		at = (at + 1) & (seen->size - 1);
	seen->slots[at] = *slot;
}

static int make_room(struct seen *seen)
{
	struct seen grown = { .size = 2 * seen->size };
	size_t i;

	if (2 * (seen->nr + 1) <= seen->size)
		return 0;
	grown.slots = calloc(grown.size, sizeof(*grown.slots));
	if (!grown.slots)
		return -ENOMEM;
	for (i = 0; i < seen->size; i++)
		if (seen->slots[i].len)
			put(&grown, &seen->slots[i]);
	free(seen->slots);
	seen->slots = grown.slots;
	seen->size = grown.size;
	return 0;
}

enum likeness { OTHER_ID, OTHER_CONTENT, SAME_LINE };

/* Two ids may have one hash, so the older line itself decides. */
static int compare(int fd, const struct slot *older, const char *id,
		   const struct seen_line *line, enum likeness *ret)
{
	char *text = malloc(older->len);
	struct record record;
	ssize_t got;
	int bad = 0;

	if (!text)
		return -ENOMEM;
	got = pread(fd, text, older->len, older->offset);
	if (got != (ssize_t)older->len) {
		bad = got < 0 ? -errno : -EIO;
	} else if (older->len == line->len && !memcmp(text, line->text, line->len)) {
		*ret = SAME_LINE;
	} else {
		bad = record_parse(text, older->len, &record, NULL);
		if (!bad) {
			*ret = strcmp(record.id, id) ? OTHER_ID : OTHER_CONTENT;
			record_release(&record);
		}
	}
	free(text);
	return bad;
}

int seen_add(struct seen *seen, int fd, const char *id, const struct seen_line *line,
	     bool *ret_repeated, struct err *err)
{
	const struct slot slot = { text_hash(id, strlen(id)), line->offset, line->len };
	enum likeness likeness = OTHER_ID;
	size_t at;
	int bad;

	*ret_repeated = false;
	if (make_room(seen))
		return err_nomem(err);
	for (at = slot.hash & (seen->size - 1); seen->slots[at].len;
	     at = (at + 1) & (seen->size - 1)) {
		if (seen->slots[at].hash != slot.hash)
			continue;
		bad = compare(fd, &seen->slots[at], id, line, &likeness);
		if (bad)
			return err_set(err, bad, "cannot read the earlier record '%s'",
				       id);
		if (likeness == OTHER_CONTENT)
			return err_set(err, -EPROTO,
				       "record '%s' was there before with another "
				       "content (expected each id once)",
				       id);
		*ret_repeated = likeness == SAME_LINE;
		if (*ret_repeated)
			return 0;
	}
	put(seen, &slot);
	seen->nr++;
	return 0;
}
