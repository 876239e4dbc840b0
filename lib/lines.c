// SPDX-License-Identifier: GPL-2.0-or-later
/* A file line by line; see lines.h. */
#include "lib/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Makes room behind what is still needed; 0, -EFBIG or -ENOMEM. */
static int make_room(struct lines *lines)
{
	enum { FIRST_SIZE = 1 << 17 };
	size_t kept = lines->end - lines->start;
	size_t size = lines->size ? lines->size : FIRST_SIZE;
	char *grown;

	if (lines->start)
		memmove(lines->data, lines->data + lines->start, kept);
	lines->start = 0;
	lines->end = kept;
	if (kept >= lines->max)
		return -EFBIG;
	while (size - kept < size / 2)
		size *= 2;
	if (size == lines->size)
		return 0;
	grown = realloc(lines->data, size);
	if (!grown)
		return -ENOMEM;
	lines->data = grown;
	lines->size = size;
	return 0;
}

ssize_t lines_next(struct lines *lines, const char **ret)
{
	size_t looked_at = 0;

	for (;;) {
		char *at = lines->data + lines->start;
		size_t len = lines->end - lines->start;
		char *newline = len > looked_at
					? memchr(at + looked_at, '\n', len - looked_at)
					: NULL;
		ssize_t got;
		int bad;

		if (newline) {
			*ret = at;
			len = (size_t)(newline - at) + 1;
			lines->start += len;
			return (ssize_t)len;
		}
		looked_at = len;
		bad = make_room(lines);
		if (bad)
			return bad;
		do {
			got = read(lines->fd, lines->data + lines->end,
				   lines->size - lines->end);
		} while (got < 0 && errno == EINTR);
		if (got < 0)
			return -errno;
		if (!got) {
			*ret = lines->data + lines->start;
			lines->start = lines->end;
			return (ssize_t)len;
		}
		lines->end += (size_t)got;
	}
}

void lines_release(struct lines *lines)
{
	free(lines->data);
	*lines = (struct lines){ .fd = -1 };
}
