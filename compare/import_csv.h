/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Comma-separated values as they are imported: one figure a line, see docs/import.md. */
#ifndef COMPARE_IMPORT_CSV_H
#define COMPARE_IMPORT_CSV_H

#include <stddef.h>

struct err;
struct import;

/**
 * import_csv - add all figures of a CSV text
 * @import: receives them; after a failure it is only good for import_free()
 * @text: with a header line; quotes as in RFC 4180
 * @len: bytes in @text
 * @name: of the file, for errors
 * @err: names file and line, and the column where there is one
 *
 * Return: 0, -EPROTO for what isn't such a text, or -ENOMEM.
 */
int import_csv(struct import *import, const char *text, size_t len, const char *name,
	       struct err *err);

#endif
