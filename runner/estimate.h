/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long a plan will take and how much room its run will need, by what
 * earlier runs recorded of the same cells, or else of the same variants.
 */
#ifndef RUNNER_ESTIMATE_H
#define RUNNER_ESTIMATE_H

#include <stddef.h>
#include <stdint.h>

struct err;
struct plan;

/**
 * struct estimate - what a plan comes to
 * @wall_ns: of the iterations of the cells that are known
 * @disk_bytes: likewise, records and raw output
 * @nr_iterations: likewise, warm-ups included
 * @nr_records: that this is based on; 0: nothing is known
 * @nr_unknown: cells of which nothing was recorded; skipped ones take no time
 */
struct estimate {
	uint64_t wall_ns, disk_bytes, nr_iterations, nr_records;
	size_t nr_unknown;
};

/**
 * estimate_plan - estimate @plan
 * @plan: as built for this machine
 * @dir: the run's directory, which need not be there; NULL: its default one,
 *       and when that doesn't know all cells, every run in @results
 * @results: folder of runs; those that can't be read are passed over
 * @ret: the estimate; written on success only
 * @err: says what is wrong with the ledger in @dir
 *
 * Return: 0 or a negative errno.
 */
int estimate_plan(const struct plan *plan, const char *dir, const char *results,
		  struct estimate *ret, struct err *err);

#endif
