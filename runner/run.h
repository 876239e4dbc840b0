/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A run: a plan carried out into its directory, one iteration after the
 * other, each on the disk before the next. Run again on the same directory it
 * goes on with what is missing and touches nothing that is there. What is
 * refused changes nothing.
 */
#ifndef RUNNER_RUN_H
#define RUNNER_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/record.h"
#include "runner/until.h"

struct cell;
struct err;
struct plan;

enum { RUN_NR_STATUSES = RECORD_INTERRUPTED + 1 };

/**
 * struct run_event - something to tell the user
 * @note: a remark; then nothing else is set
 * @cell: about to start, or just ended
 * @record: of the iteration that ended; NULL while it is about to start
 * @is_warmup: the iteration isn't measured
 * @is_known: it is skipped as an earlier call has noted, and has no new record
 * @iteration: which, from 1
 * @nr_iterations: of the cell; with `until` at most
 * @nr_done: iterations that this call has finished
 * @nr_todo: iterations that this call found missing
 * @elapsed_ns: since this call began
 */
struct run_event {
	const char *note;
	const struct cell *cell;
	const struct record *record;
	bool is_warmup, is_known;
	uint64_t iteration, nr_iterations;
	uint64_t nr_done, nr_todo;
	uint64_t elapsed_ns;
};

/** typedef run_event_fn - called for each event, between iterations only */
typedef void run_event_fn(const struct run_event *event, void *data);

/**
 * struct run_part - a part of a run with a ledger of its own, see slurm_run.h
 * @ledger: directory of that ledger; made when absent
 * @row: the only row of the plan
 * @columns: which of the plan's columns
 * @block: that the records get
 * @first: iteration
 * @last: iteration
 */
struct run_part {
	const char *ledger;
	size_t row;
	const bool *columns;
	uint64_t block, first, last;
};

/**
 * struct run_options - how to carry out a plan
 * @dir: the run's directory
 * @more: iterations to add to those planned so far, of the cells that @only means
 * @only: pattern for select_cell(), NULL: all cells
 * @allow_exec: whether the user wants commands that the grid names to be run
 * @on_event: may be NULL
 * @data: for @on_event
 * @part: only this part; NULL: all
 * @measure: how to look at precision; needed where the grid has `until`
 * @measure_data: for @measure
 */
struct run_options {
	const char *dir;
	uint64_t more;
	const char *only;
	bool allow_exec;
	run_event_fn *on_event;
	void *data;
	const struct run_part *part;
	until_measure_fn *measure;
	void *measure_data;
};

/**
 * struct run_summary - what one call did
 * @nr: iterations by status; those of earlier calls that are skipped again, with
 *      no new record, are among the skipped
 * @nr_matched: cells that @only selects
 * @nr_failed_before: iterations of earlier calls whose last attempt failed
 * @signal: that stopped it, 0 when it went to its end
 */
struct run_summary {
	uint64_t nr[RUN_NR_STATUSES];
	uint64_t nr_matched, nr_failed_before;
	int signal;
};

/**
 * run_default_dir - where a plan's run lies unless told otherwise
 *
 * results/<grid name>-<digits of the plan's digest>: so the same grid on the
 * same kernel goes on in the same place, and another kernel has another.
 *
 * Return: the caller's to free(); NULL: out of memory.
 */
char *run_default_dir(const struct plan *plan);

/** What run_preview() says of a cell that @only doesn't select. */
#define RUN_NOT_WANTED UINT64_MAX

/**
 * run_preview - how much run_plan() would do; writes and starts nothing
 * @plan: the plan
 * @options: as for run_plan()
 * @ret_missing: for each cell of the plan the iterations to run, warm-ups
 *               included, or RUN_NOT_WANTED
 * @err: as for run_plan()
 *
 * Return: as run_plan().
 */
int run_preview(const struct plan *plan, const struct run_options *options,
		uint64_t *ret_missing, struct err *err);

/**
 * run_plan - carry out what is missing of @plan
 * @plan: the plan
 * @options: where and how much
 * @ret: what was done; filled as far as it went, also on failure
 * @err: says why it could not go on
 *
 * Return: 0; -ECANCELED when the grid names commands and nobody allowed them, see
 * plan_check_commands(); -EWOULDBLOCK while another run uses the directory; -EEXIST when
 * the directory holds something else; -ENXIO when no cell matches; -EPROTO for
 * damage; -EIO when somebody removed or changed the ledger meanwhile; or the
 * negative errno of reading and writing.
 */
int run_plan(const struct plan *plan, const struct run_options *options,
	     struct run_summary *ret, struct err *err);

#endif
