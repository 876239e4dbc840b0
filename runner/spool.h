/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What waits to be published: a folder of mode 0700 with a folder for each entry, which
 * is on the disk before anything is sent and gone only once all of it has arrived. The
 * module knows neither servers nor what the parts are.
 *
 *   SPOOL/<id>/entry.json   where it goes, which parts have arrived, when to try again
 *   SPOOL/<id>/<number>     the parts' bytes
 *
 * An entry's id is made of its target and its contents, so the same is never there twice.
 */
#ifndef RUNNER_SPOOL_H
#define RUNNER_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

enum { SPOOL_MAX_PARTS = 1000, SPOOL_MAX_BYTES = 1 << 30 };

/**
 * struct spool_part - one thing to be sent
 * @name: as the receiver shall know it: no '/', no leading '.'
 * @type: media type
 * @bytes: its contents; NULL in an entry that was opened
 * @len: bytes in @bytes
 */
struct spool_part {
	char *name, *type;
	const char *bytes;
	size_t len;
};

/**
 * struct spool_content - what is to be sent together
 * @target: name of where it goes: letters, digits and any of "._-"
 * @parts: in the order of sending
 * @nr_parts: at least 1
 */
struct spool_content {
	const char *target;
	const struct spool_part *parts;
	size_t nr_parts;
};

/**
 * struct spool_entry - one entry, locked against other publishers
 * @dir: its folder
 * @id: name of the folder
 * @target: name of where it goes
 * @parts: in the order of sending
 * @nr_parts: at least 1
 * @nr_sent: how many have arrived
 * @created_s: seconds since 1970 when it was made
 * @next_s: when to try again, likewise
 * @nr_tries: how often it was tried in vain
 * @is_failed: the receiver doesn't want it: trying again is for somebody to ask for
 * @ticket: what the receiver calls what it took and still works on; NULL: nothing
 * @reason: why it is still here; NULL: it was never tried
 * @lock: descriptor that holds the lock
 */
struct spool_entry {
	char *dir, *id, *target;
	struct spool_part *parts;
	size_t nr_parts, nr_sent;
	uint64_t created_s, next_s, nr_tries;
	bool is_failed;
	char *ticket, *reason;
	int lock;
};

/**
 * spool_add - put parts on the disk, to be sent
 * @spool: the folder; made with mode 0700 where it isn't there
 * @content: lent
 * @now_s: seconds since 1970
 * @ret_id: receives the entry's id, also of one that was there; the caller's
 * @err: says what is wrong
 *
 * Return: 0, -EPERM for a folder that others may look into, or another negative errno;
 * then there is no new entry.
 */
int spool_add(const char *spool, const struct spool_content *content, uint64_t now_s,
	      char **ret_id, struct err *err);

/**
 * spool_list - ids of all entries, the oldest first
 * @ret: array ended by NULL, it and its texts the caller's; empty without a folder
 *
 * Damaged entries are among them; spool_open() says what is wrong.
 *
 * Return: 0 or a negative errno.
 */
int spool_list(const char *spool, char ***ret, struct err *err);

/** spool_list_free - NULL is fine */
void spool_list_free(char **ids);

/**
 * spool_open - lock an entry and read it
 * @ret: to be given back by spool_close(); zeroed on failure
 *
 * Return: 0, -EBUSY while another publisher has it, -ENOENT, -EPROTO for a damaged one,
 * or another negative errno.
 */
int spool_open(const char *spool, const char *id, struct spool_entry *ret,
	       struct err *err);

/** spool_read_part - the bytes of part @idx, the caller's; 0 or a negative errno */
int spool_read_part(const struct spool_entry *entry, size_t idx, char **ret,
		    size_t *ret_len, struct err *err);

/** spool_save - note what an open entry has come to; 0 or a negative errno */
int spool_save(const struct spool_entry *entry, struct err *err);

/** spool_remove - all has arrived: remove an open entry; 0 or a negative errno */
int spool_remove(const struct spool_entry *entry, struct err *err);

/** spool_close - unlock and free */
void spool_close(struct spool_entry *entry);

#endif
