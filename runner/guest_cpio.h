/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the archive that a guest's kernel unpacks as its root: cpio's "newc" format. */
#ifndef RUNNER_GUEST_CPIO_H
#define RUNNER_GUEST_CPIO_H

#include <stddef.h>
#include <stdio.h>

struct err;

/**
 * struct guest_cpio - an archive being written
 * @out: where it goes; the caller's
 * @nr: entries so far
 */
struct guest_cpio {
	FILE *out;
	unsigned int nr;
};

/** guest_cpio_dir - add a directory; @path without a slash in front */
void guest_cpio_dir(struct guest_cpio *cpio, const char *path);

/** guest_cpio_device - add a character device of those numbers */
void guest_cpio_device(struct guest_cpio *cpio, const char *path, unsigned int major,
		       unsigned int minor);

/** guest_cpio_data - add a file with @len bytes; @mode is its permissions */
void guest_cpio_data(struct guest_cpio *cpio, const char *path, unsigned int mode,
		     const void *data, size_t len);

/**
 * guest_cpio_file - add the program at @from as @path
 *
 * Return: 0 or the negative errno of reading; @err names the file.
 */
int guest_cpio_file(struct guest_cpio *cpio, const char *path, const char *from,
		    struct err *err);

/**
 * guest_cpio_end - add what ends an archive
 *
 * Return: 0, or -EIO when any of it could not be written.
 */
int guest_cpio_end(struct guest_cpio *cpio);

#endif
