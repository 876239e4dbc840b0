/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SHA-256 as lower-case hexadecimal text, for identity: cells, programs, kernels. */
#ifndef LIB_DIGEST_H
#define LIB_DIGEST_H

#include <stddef.h>

struct err;

enum { DIGEST_HEX = 64 };

/** digest_bytes - of @len bytes at @data, as DIGEST_HEX digits and a NUL */
void digest_bytes(const void *data, size_t len, char hex[DIGEST_HEX + 1]);

/**
 * digest_file - of a file's contents
 *
 * Return: 0 or the negative errno of reading; @err names the file.
 */
int digest_file(const char *path, char hex[DIGEST_HEX + 1], struct err *err);

#endif
