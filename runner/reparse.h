/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading the kept raw output of a run again, after a parser was mended. What
 * comes out differently is added to the ledger as one more attempt of the same
 * iteration, with the facts of the attempt that ran and a remark on where it
 * comes from; no record is changed or removed.
 */
#ifndef RUNNER_REPARSE_H
#define RUNNER_REPARSE_H

#include <stddef.h>

struct err;
struct record;

/**
 * typedef reparse_fn - told of each record that came out differently
 * @before: the last attempt so far
 * @after: the one that was added
 * @data: of the options
 */
typedef void reparse_fn(const struct record *before, const struct record *after,
			void *data);

/**
 * struct reparse_options - what to read again
 * @dir: directory of a run
 * @only: pattern as for `schedgrid run --only`, NULL: all
 * @on_change: may be NULL
 * @data: for @on_change
 */
struct reparse_options {
	const char *dir;
	const char *only;
	reparse_fn *on_change;
	void *data;
};

/**
 * struct reparse_summary - iterations by what became of them
 * @nr_changed: got a new record
 * @nr_unchanged: their output says today what it said then
 * @nr_other: did not come to their output: failed by exit status, signal, what
 *            they left running, the time limit ..., which output can't mend
 * @nr_gone: their raw output was deleted
 * @nr_unknown: of a workload, variant or parameter that the run's grid hasn't
 * @torn: path that a torn last line was moved to, the caller's; or NULL
 */
struct reparse_summary {
	size_t nr_changed, nr_unchanged, nr_other, nr_gone, nr_unknown;
	char *torn;
};

/**
 * reparse_run - read the raw output of a run again
 * @options: what
 * @ret: filled as far as it went, also on failure
 * @err: says what failed
 *
 * Return: 0; -ENOENT when @dir has no ledger; -ENXIO when nothing matches;
 * -EWOULDBLOCK while another run uses the directory; or another negative errno.
 */
int reparse_run(const struct reparse_options *options, struct reparse_summary *ret,
		struct err *err);

#endif
