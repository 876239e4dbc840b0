/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When a run may stop before it has all iterations: a grid with `until` asks for a
 * precision. It is looked at between blocks, each of which is one pass over all columns,
 * so that every column has as many iterations as the others. Only the width of intervals
 * counts and never a p: stopping at the first p that pleases would find changes that
 * aren't there. Nothing is measured here; whoever judges the ledger says the widths.
 */
#ifndef RUNNER_UNTIL_H
#define RUNNER_UNTIL_H

#include <stddef.h>
#include <stdint.h>

struct err;
struct grid;
struct jval;

enum { UNTIL_ROW_SIZE = 256 };

/**
 * struct until_width - how well the ratios are known
 * @halfwidth: half of the widest 95% interval, as a share; INFINITY where a ratio has no
 *             interval yet
 * @nr: ratios that are waited for
 * @row: names the widest one; empty where there is none
 */
struct until_width {
	double halfwidth;
	size_t nr;
	char row[UNTIL_ROW_SIZE];
};

/**
 * typedef until_measure_fn - look at what the ledger holds by now
 * @dir: directory of the run
 * @data: of the caller
 * @ret: receives the answer
 * @err: says what failed
 *
 * Return: 0 or a negative errno.
 */
typedef int until_measure_fn(const char *dir, void *data, struct until_width *ret,
			     struct err *err);

/**
 * struct until_state - where a run stands between two blocks
 * @nr_blocks: complete ones
 * @spent_ns: that the iterations took so far
 */
struct until_state {
	uint64_t nr_blocks, spent_ns;
};

/** enum until_stop - why a run stops, or that it doesn't */
enum until_stop { UNTIL_GO_ON, UNTIL_REACHED, UNTIL_MOST, UNTIL_BUDGET };

/** until_decide - what to do at @state, by the rule of @grid and @width */
enum until_stop until_decide(const struct grid *grid, const struct until_state *state,
			     const struct until_width *width);

/**
 * until_sentence - "half-width 1% reached after 17 of at most 40 iterations" and so on
 *
 * Return: the caller's to free(); NULL: out of memory.
 */
char *until_sentence(const struct grid *grid, const struct until_state *state,
		     const struct until_width *width, enum until_stop stop);

/**
 * until_forecast - say that the precision won't be reached, and what will
 * @grid: with `until`
 * @state: now
 * @width: now
 * @ret: receives the sentence, the caller's to free(); NULL where it may be reached, or
 *       where it is too early to tell
 *
 * A half-width shrinks by the root of the number of iterations. Of fewer than ten it
 * isn't known well: then twice as much must be missing.
 *
 * Return: 0 or -ENOMEM.
 */
int until_forecast(const struct grid *grid, const struct until_state *state,
		   const struct until_width *width, char **ret);

/** until_json - the rule of @grid for its plan; NULL: out of memory */
struct jval *until_json(const struct grid *grid);

#endif
