/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One cell of a table: the samples of a column at a row, and what is known of them. */
#ifndef COMPARE_CELL_H
#define COMPARE_CELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compare/stats.h"

struct source;

/**
 * struct table_origin - where a sample came from; texts are the table's
 * @boot: differs for each boot, NULL when not known
 * @start: when the iteration first began, NULL when not known; later ones compare greater
 * @run: number of the run
 * @block: pass over the columns of the run in this boot; 0 when not known
 * @iteration: of the cell in this boot; 0 when not known
 * @execution: the same for the samples of one iteration only
 */
struct table_origin {
	const char *boot, *start;
	size_t run;
	uint64_t block, iteration;
	size_t execution;
};

/**
 * struct table_cell - what one column has in one row
 * @samples: finite numbers in the order of the records
 * @origins: where each of them came from
 * @nr_samples: how many
 * @resolution: step of the samples, 0 when not known
 * @nr_failed: iterations that ran and gave none
 * @nr_invalid: samples that are not a number, and iterations that are ok without any
 * @nr_skipped: iterations that did not apply
 * @nr_unrecorded: iterations that were planned and aren't recorded
 * @reason: of one that was skipped, may be NULL
 * @nr_boots: distinct boots that gave samples; 0 when not known
 * @stats: of @samples; of a summary its @summary_n, mean and stddev only, the
 *         stddev as stddev_n1
 * @is_summary: a published table's mean instead of samples; it is the hmean of
 *              @stats, and its spread the hstddev, where the table says so
 * @summary_n: samples behind a summary's mean, 0 when not known
 * @digits: decimals of a summary, -1 when not known
 * @source: what gave the first of them; of the module
 * @other: the first source that is unlike @source in what makes cells
 *         comparable, NULL when there is none; of the module
 * @last: what gave the last of them; of the module
 */
struct table_cell {
	double *samples;
	struct table_origin *origins;
	size_t nr_samples, nr_failed, nr_invalid, nr_skipped, nr_unrecorded;
	double resolution;
	const char *reason;
	size_t nr_boots;
	struct stats stats;
	bool is_summary;
	uint64_t summary_n;
	int digits;
	const struct source *source, *other, *last;
};

#endif
