/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a run has and what it still misses, turn by turn: its ledger held against its
 * plan, the iterations that were added, and the cells that --only selects.
 */
#ifndef RUNNER_STOCK_H
#define RUNNER_STOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct plan;
struct record;
struct rundir_length;
struct run_part;

/**
 * struct stock - the turns of a run
 * @plan: lent
 * @length: of the run; lent
 * @boot: this start of the kernel, in which a cell warms up; NULL: any; lent
 * @is_wanted: whether a cell is one that --only selects, in the plan's order
 * @nr_wanted: how many are
 * @first: iteration that is looked at, where @last is set
 * @last: likewise; 0: all are
 * @nr_turns: warm-ups and iterations of a cell at most
 * @state: of each turn, see turn.h; warm-ups first, cell by cell
 * @nr_records: in the ledger
 * @nr_repeated: lines of the ledger that are there twice
 * @seq: the highest sequence number in it
 * @spent_ns: that the iterations of earlier calls took
 */
struct stock {
	const struct plan *plan;
	const struct rundir_length *length;
	const char *boot;
	bool *is_wanted;
	size_t nr_wanted;
	uint64_t first, last;
	uint64_t nr_turns;
	uint32_t *state;
	uint64_t nr_records, nr_repeated, seq, spent_ns;
};

/**
 * stock_open - choose the cells
 * @stock: empty; to be released also when this fails
 * @plan: lent
 * @only: pattern for select_cell(); NULL: all cells
 * @err: says that none matches
 *
 * Known before anything is read or written: a pattern that is wrong costs nothing.
 *
 * Return: 0, -ENXIO when no cell matches, or -ENOMEM.
 */
int stock_open(struct stock *stock, const struct plan *plan, const char *only,
	       struct err *err);

/** stock_choose - only the cells and iterations of a part of the run */
void stock_choose(struct stock *stock, const struct run_part *part);

/**
 * stock_take - read the ledger
 * @stock: open; what it had before is forgotten
 * @dir: of the run
 * @length: of the run; lent
 * @err: says what is damaged
 *
 * Return: 0; -ENOENT when there is no ledger; or another negative errno.
 */
int stock_take(struct stock *stock, const char *dir, const struct rundir_length *length,
	       struct err *err);

/** stock_state - of a turn that is within the run's length; the stock's */
uint32_t *stock_state(const struct stock *stock, size_t cell, bool is_warmup,
		      uint64_t iteration);

/** stock_iterations - how many the cell is to have */
uint64_t stock_iterations(const struct stock *stock, size_t cell);

/**
 * stock_is_missing - whether a turn is to be run
 * @stock: taken
 * @cell: index into the plan's; one that isn't wanted misses nothing
 * @is_warmup: a warm-up is missing only where an iteration is
 * @iteration: from 1; what is beyond those of the cell isn't missing
 */
bool stock_is_missing(const struct stock *stock, size_t cell, bool is_warmup,
		      uint64_t iteration);

/** stock_count - how many turns of a cell are to be run, warm-ups included */
uint64_t stock_count(const struct stock *stock, size_t cell);

/** stock_count_failed - turns of all cells whose last attempt failed */
uint64_t stock_count_failed(const struct stock *stock);

/** stock_release - free what it owns; an empty one is fine */
void stock_release(struct stock *stock);

#endif
