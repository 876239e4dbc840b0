/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Result directories of LKP as they are imported: the benchmark's own figures. */
#ifndef COMPARE_IMPORT_LKP_H
#define COMPARE_IMPORT_LKP_H

struct err;
struct import;

/**
 * import_lkp - add what the runs of a commit left
 * @import: receives it; after a failure it is only good for import_free()
 * @path: of a commit's directory, which becomes the column; it has a directory for each
 *        run with stats.json in it, or matrix.json
 * @err: names the file, and what is wrong with it
 *
 * A matrix has 0 where a run has no figure, so its zeros are left out.
 *
 * Return: 0, -EPROTO where there is no result or one can't be read, or another negative
 * errno.
 */
int import_lkp(struct import *import, const char *path, struct err *err);

#endif
