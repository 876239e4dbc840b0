/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The runs of one cell: one number for each iteration, in order of execution, and where
 * it came from. Several samples of one iteration aren't independent: their mean is the
 * iteration's number.
 */
#ifndef COMPARE_RUNS_H
#define COMPARE_RUNS_H

#include <stdbool.h>
#include <stddef.h>

#include "compare/cell.h"
#include "compare/ratio.h"

/**
 * struct runs - the numbers of a cell
 * @values: one for each iteration; NULL for a published mean
 * @origins: of each
 * @boots: of each, for boots_init() and shape_init(); NULL where one isn't known
 * @nr: how many; of a published mean as many as it says, 0 when it doesn't
 * @nr_boots: how many of them; 0 when not known
 * @resolution: of the values, 0 when not known
 * @side: their mean and its variance
 */
struct runs {
	double *values;
	struct table_origin *origins;
	const void **boots;
	size_t nr, nr_boots;
	double resolution;
	struct side side;
};

/**
 * runs_init - the runs of @cell
 * @runs: to be released by runs_release()
 * @cell: of a finished table
 * @is_harmonic: the row is compared by harmonic means
 *
 * Return: 0 or -ENOMEM.
 */
int runs_init(struct runs *runs, const struct table_cell *cell, bool is_harmonic);

/** runs_release - free what @runs owns */
void runs_release(struct runs *runs);

/**
 * enum design - how the runs of two cells lie in time
 * @DESIGN_UNKNOWN: nobody knows
 * @DESIGN_PAIRED: each block, or boot, has both
 * @DESIGN_BLOCKED: not in pairs, but neither is all over before the other begins
 * @DESIGN_SEQUENTIAL: one after the other, so that drift looks like a change
 */
enum design {
	DESIGN_UNKNOWN,
	DESIGN_PAIRED,
	DESIGN_BLOCKED,
	DESIGN_SEQUENTIAL,
};

/** design_name - "paired" and so on; NULL for DESIGN_UNKNOWN */
const char *design_name(enum design design);

/**
 * design_pairs - find what was run together
 * @base: runs of one cell
 * @other: of the other
 * @ret: receives the pairs; to be released by pairs_release()
 *
 * A pair is the only run of either in one block of one boot of one run. Where fewer than
 * half of the runs of either have a partner, there are no pairs.
 *
 * Return: 0, @ret->nr being 0 where there are no pairs, or -ENOMEM.
 */
int design_pairs(const struct runs *base, const struct runs *other, struct pairs *ret);

/** design_order - whether they overlap in time; never DESIGN_PAIRED */
enum design design_order(const struct runs *base, const struct runs *other);

/** design_shares_boot - whether both have runs in one boot, as far as is known */
bool design_shares_boot(const struct runs *base, const struct runs *other);

#endif
