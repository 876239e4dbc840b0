/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which record ids a ledger had so far, and on which line: to tell a line that
 * was written twice from two records that claim to be the same one. It keeps
 * offsets and no lines, so that a ledger of millions fits.
 */
#ifndef RECORD_SEEN_H
#define RECORD_SEEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

/** struct seen - the ids */
struct seen;

/**
 * struct seen_line - one line of the ledger
 * @text: without its newline
 * @len: bytes in @text
 * @offset: of the line in the file
 */
struct seen_line {
	const char *text;
	size_t len;
	int64_t offset;
};

/** seen_new - no ids yet; NULL: out of memory */
struct seen *seen_new(void);

/**
 * seen_add - note an id
 * @seen: the ids before it
 * @fd: of the ledger, to read an older line again
 * @id: of the record
 * @line: which has that record
 * @ret_repeated: receives whether the very same line was there before
 * @err: names the id
 *
 * Return: 0, -EPROTO when the id was there with another content, -ENOMEM, or the
 * negative errno of reading.
 */
int seen_add(struct seen *seen, int fd, const char *id, const struct seen_line *line,
	     bool *ret_repeated, struct err *err);

/** seen_free - NULL is fine */
void seen_free(struct seen *seen);

#endif
