/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a text format shows of a table: which rows, which statistics of them,
 * under which labels, and how the counts and headings read. Formats choose the
 * statistics and the layout, and share the walk.
 */
#ifndef COMPARE_VIEW_H
#define COMPARE_VIEW_H

#include <stdbool.h>
#include <stddef.h>

#include "compare/table.h"

/** enum view_statistic - a number that a cell has; see struct stats */
enum view_statistic {
	VIEW_MIN,
	VIEW_AMEAN,
	VIEW_HMEAN,
	VIEW_STDDEV_N,
	VIEW_STDDEV_N1,
	VIEW_HSTDDEV,
	VIEW_COEFFVAR_N,
	VIEW_COEFFVAR_N1,
	VIEW_HCOEFFVAR,
	VIEW_MAX,
	VIEW_BEST50_AMEAN,
	VIEW_BEST75_AMEAN,
	VIEW_BEST90_AMEAN,
	VIEW_BEST95_AMEAN,
	VIEW_BEST99_AMEAN,
	VIEW_BEST50_HMEAN,
	VIEW_BEST75_HMEAN,
	VIEW_BEST90_HMEAN,
	VIEW_BEST95_HMEAN,
	VIEW_BEST99_HMEAN,
	VIEW_PCTILE50_LOW,
	VIEW_PCTILE75_LOW,
	VIEW_PCTILE90_LOW,
	VIEW_PCTILE95_LOW,
	VIEW_PCTILE99_LOW,
	VIEW_PCTILE50_HIGH,
	VIEW_PCTILE75_HIGH,
	VIEW_PCTILE90_HIGH,
	VIEW_PCTILE95_HIGH,
	VIEW_PCTILE99_HIGH,
};

/** enum view_rows - for which rows a statistic is shown */
enum view_rows {
	VIEW_LOWER = 1 << 0,   /* lower is better */
	VIEW_HIGHER = 1 << 1,  /* higher is better */
	VIEW_SUMMARY = 1 << 2, /* whatever is better, a cell is a summary */
	VIEW_FULL = 1 << 3,    /* only where all are asked for */
};

/**
 * struct view_label - a statistic as a format calls it
 * @text: the label
 * @statistic: which one
 * @rows: of enum view_rows
 * @meaning: for the footer, or NULL where the label says all
 */
struct view_label {
	const char *text;
	enum view_statistic statistic;
	unsigned int rows;
	const char *meaning;
};

/**
 * struct view_row - a row that is shown
 * @row: of the section
 * @op: what it is called; owned, printable
 */
struct view_row {
	const struct table_row *row;
	char *op;
};

/**
 * struct view_line - one statistic of one row
 * @label: of the format
 * @row: of the view
 */
struct view_line {
	const struct view_label *label;
	const struct view_row *row;
};

/**
 * struct view - a section as a format shows it
 * @title: of the section; owned, printable
 * @rows: in the section's order
 * @nr_rows: how many
 * @lines: by statistic, then by row
 * @nr_lines: how many
 * @nr_hidden: rows left out because they are 0 in every column
 * @shows_counts: the numbers of samples need a look: some failed or are
 *                missing, there is only one, or they differ
 */
struct view {
	char *title;
	struct view_row *rows;
	size_t nr_rows;
	struct view_line *lines;
	size_t nr_lines;
	size_t nr_hidden;
	bool shows_counts;
};

/**
 * struct view_options - what a format wants to see
 * @labels: ended by a NULL text; NULL: no lines are wanted
 * @all: also secondary metrics, rows that are 0 everywhere, labels for VIEW_FULL
 * @metric_first: rows are always called by their metric; otherwise only where
 *                there is more than one
 */
struct view_options {
	const struct view_label *labels;
	bool all;
	bool metric_first;
};

/**
 * view_init - choose what to show of @section
 * @view: to be released by view_release(), also after a failure
 * @table: finished
 * @section: of @table
 * @options: lent, must outlive the view
 *
 * Return: 0 or -ENOMEM.
 */
int view_init(struct view *view, const struct table *table,
	      const struct table_section *section, const struct view_options *options);

/** view_release - free what the view owns */
void view_release(struct view *view);

/**
 * view_shows - whether a row is one to show
 * @table: finished
 * @section: of @table
 * @row: of @section
 *
 * Where not all are asked for, secondary metrics aren't, nor rows that are 0 in every
 * column.
 */
bool view_shows(const struct table *table, const struct table_section *section,
		const struct table_row *row);

/** view_value - the number, NAN when the cell has none */
double view_value(const struct table_cell *cell, enum view_statistic statistic);

/** view_percent - gain of column @column of @row over the baseline, or NAN */
double view_percent(const struct table_row *row, size_t column,
		    enum view_statistic statistic);

/**
 * view_mean - which mean stands for a row where only one is shown
 *
 * Return: VIEW_HMEAN where a published table says so, else VIEW_AMEAN.
 */
enum view_statistic view_mean(const struct table_row *row, size_t nr_columns);

/** view_spread - the standard deviation that goes with view_mean() */
enum view_statistic view_spread(enum view_statistic mean);

/** view_digits - decimals that suit the row's unit and its summaries' */
int view_digits(const struct table_row *row, size_t nr_columns);

enum { VIEW_NUMBER_SIZE = 64 };

/**
 * view_number - @value as text
 * @value: one that isn't finite reads "n/a"
 * @digits: decimals
 * @out: receives VIEW_NUMBER_SIZE bytes at most
 */
void view_number(double value, int digits, char *out);

/**
 * view_counts - the cell's number of samples as text
 * @cell: the cell
 * @out: receives "7", "5/7" for 5 that are ok of 7 that ran or were planned,
 *       "skipped", or "n/a" when nothing is known or a summary doesn't say
 * @size: bytes at @out; 48 are enough
 */
void view_counts(const struct table_cell *cell, char *out, size_t size);

/** Characters of a heading at most: mails have column names of 50. */
enum { VIEW_NAME_WIDTH = 50 };

/**
 * view_heading - the two lines above a column
 * @column: the column
 * @ret_above: receives its kernel, empty when there is none to show
 * @ret_name: receives its name, without the kernel where it began with it
 *
 * Both are printable and the caller's to free(). What is longer than VIEW_NAME_WIDTH
 * has "..." in place of its middle; of the 40 digits of a commit, 12 are left.
 *
 * Return: 0 or -ENOMEM; nothing is received then.
 */
int view_heading(const struct table_column *column, char **ret_above, char **ret_name);

/** view_is_shortened - whether view_heading() leaves anything out; 0 or -ENOMEM */
int view_is_shortened(const struct table_column *column, bool *ret);

/** view_cut - bytes of the first @nr characters of @text, or of all where it has less */
size_t view_cut(const char *text, size_t nr);

/** view_printable - a printable copy of @text, the caller's; NULL: no memory */
char *view_printable(const char *text);

#endif
