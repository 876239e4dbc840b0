/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From directories of runs to a table: their ledgers, what their plans wanted and in
 * which order, and the kernels and machines that their host facts name.
 */
#ifndef COMPARE_LOAD_H
#define COMPARE_LOAD_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct table;

/** typedef load_note_fn - told what a reader should know, such as a torn line */
typedef void load_note_fn(const char *note, void *data);

/**
 * struct load_options - what to read
 * @dirs: directories of runs
 * @nr_dirs: at least 1
 * @baseline: column to compare with, NULL: the first
 * @merge: columns of one name in several directories are one column
 * @force: compare what isn't comparable; the table's notes say what that is
 * @on_note: may be NULL
 * @data: for @on_note
 */
struct load_options {
	const char *const *dirs;
	size_t nr_dirs;
	const char *baseline;
	bool merge;
	bool force;
	load_note_fn *on_note;
	void *data;
};

/**
 * load_table - read runs into a finished table
 * @options: what to read
 * @ret: to be freed by table_free(); written on success only
 * @err: names the file, or the column that is in two directories
 *
 * A directory with samples of several columns and without a plan is noted: which of
 * them is the baseline depends on what happened to run first.
 *
 * Return: 0; -EEXIST for a column in two directories; -EINVAL for a baseline
 * that isn't there, a file instead of a directory, a directory given twice, more
 * than 1000 columns and for columns that don't compare, see comparable.h; -EPROTO
 * for what is damaged or of an unknown schema; or another negative errno.
 */
int load_table(const struct load_options *options, struct table **ret, struct err *err);

/**
 * load_host - give a table the facts of one boot
 * @table: not finished
 * @dir: directory of the run that is being read
 * @boot: of that run
 * @err: names the file that is damaged
 *
 * Facts that a run doesn't have are not known, and no error.
 *
 * Return: 0 or a negative errno.
 */
int load_host(struct table *table, const char *dir, const char *boot, struct err *err);

#endif
