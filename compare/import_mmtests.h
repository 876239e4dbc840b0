/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Logs as mmtests keeps them, of three eras, as they are imported: of hackbench and STREAM.
 */
#ifndef COMPARE_IMPORT_MMTESTS_H
#define COMPARE_IMPORT_MMTESTS_H

struct err;
struct import;

/**
 * import_mmtests - add what runs of mmtests left
 * @import: receives it; after a failure it is only good for import_free()
 * @path: of one run, a directory with iter-0 in it, or of several, such as work/log; each
 *        is a column by the name of its directory
 * @err: names the file, and what is wrong with it
 *
 * A log without any result is an iteration that failed.
 *
 * Return: 0, -EPROTO where there is no result or one can't be read, -ENOTSUP for a
 * compressed log, or another negative errno.
 */
int import_mmtests(struct import *import, const char *path, struct err *err);

/**
 * import_stream - add what STREAM printed, without mmtests around it
 * @import: receives it; after a failure it is only good for import_free()
 * @path: of the output of one run; the directory it is in is the column
 * @err: names the file, and what is wrong with it
 *
 * Return: 0, -EPROTO for output without validation, threads or rates, or another
 * negative errno.
 */
int import_stream(struct import *import, const char *path, struct err *err);

#endif
