/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file line by line, where a line has a longest length: a hole is no line. */
#ifndef LIB_LINES_H
#define LIB_LINES_H

#include <stddef.h>
#include <sys/types.h>

/**
 * struct lines - a file that is being read
 * @fd: lent, read from where it is
 * @max: most bytes of a line, its newline included
 * @data: owned, what was read of the file
 * @size: bytes at @data
 * @start: of the next line in it
 * @end: of what was read
 */
struct lines {
	int fd;
	size_t max;
	char *data;
	size_t size, start, end;
};

/**
 * lines_next - the next line
 * @ret: receives it, lent until the next call; not NUL-terminated
 *
 * Return: its bytes, with its newline where it has one: the last may not; 0 at the end;
 * -EFBIG when it is longer than allowed; or another negative errno.
 */
ssize_t lines_next(struct lines *lines, const char **ret);

/** lines_release - free what it read */
void lines_release(struct lines *lines);

#endif
