/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that may be compressed with gzip, such as /proc/config.gz. */
#ifndef LIB_GZ_H
#define LIB_GZ_H

#include <stddef.h>

struct err;

/**
 * gz_read - all of a file as file_read(), unpacked where it is compressed
 * @path: of a regular file, compressed or not
 * @max: bytes, packed and unpacked, below 4 GiB; a longer text is refused
 * @ret: contents and a NUL, the caller's to free(); written on success only
 * @ret_len: bytes without the NUL
 * @err: names the file
 *
 * Return: 0, -EPROTO for what is damaged, cut short or more than one stream, or what
 * file_read() says.
 */
int gz_read(const char *path, size_t max, char **ret, size_t *ret_len, struct err *err);

#endif
