/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A folder as one packed file: the only place that knows libarchive. */
#ifndef LIB_TAR_H
#define LIB_TAR_H

struct err;

/**
 * tar_write - pack the files of a folder into a tar file, compressed by gzip
 * @dir: the folder; its links and special files are left out
 * @name: what the folder is called in the file
 * @path: of the file, which is replaced; not inside @dir
 * @err: names the file that can't be read or written
 *
 * Equal names and contents give equal bytes: the files are sorted, and nobody's time,
 * owner or mode is kept. After a failure @path is as before.
 *
 * Return: 0 or a negative errno.
 */
int tar_write(const char *dir, const char *name, const char *path, struct err *err);

#endif
