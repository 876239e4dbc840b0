/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What benchmarks printed, read by the parsers of our own workloads and imported. */
#ifndef CLI_IMPORT_OUTPUT_H
#define CLI_IMPORT_OUTPUT_H

struct err;
struct import;

/**
 * import_hackbench - add one output of rt-tests' hackbench
 * @import: receives it; after a failure it is only good for import_free()
 * @path: of what one run printed; the directory it is in is the column
 * @err: names the file, and what the output doesn't prove
 *
 * Return: 0, -EPROTO for another output, or another negative errno.
 */
int import_hackbench(struct import *import, const char *path, struct err *err);

/** import_perf_bench - likewise of perf bench sched messaging or pipe */
int import_perf_bench(struct import *import, const char *path, struct err *err);

/** import_tbench - likewise of tbench, the client of dbench 4 */
int import_tbench(struct import *import, const char *path, struct err *err);

/** import_reaim - likewise of reaim; each load point is a row, by its users */
int import_reaim(struct import *import, const char *path, struct err *err);

#endif
