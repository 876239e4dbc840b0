/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The plain lines that say how to read a table: remarks below a section, and
 * samples, boots, kernels and machines of the columns below the last one.
 * No line has more than 78 columns, whatever the names: tables go into mails.
 */
#ifndef COMPARE_FOOTER_H
#define COMPARE_FOOTER_H

#include <stdio.h>

#include "compare/fmt.h"
#include "compare/table.h"
#include "compare/view.h"

/**
 * footer_line - write @text, broken between words where it is too long
 * @out: the stream
 * @text: any bytes; what isn't printable is escaped
 *
 * Return: 0 or -ENOMEM; look at the stream for write errors.
 */
int footer_line(FILE *out, const char *text);

/** footer_put - footer_line() of formatted text; 0 or -ENOMEM */
int footer_put(FILE *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/** footer_flag - the name of a record's flag, NULL for others and "warmup"; static */
const char *footer_flag(unsigned int flag);

/**
 * footer_notes - what a reader of one section must know
 * @out: the stream
 * @table: finished
 * @section: of @table
 * @view: of @section
 *
 * Rows left out, why something was skipped, how many iterations carry a flag, samples
 * that are all the same at different points, which a clock that is too coarse would
 * give, and a standard deviation that is the mean typed twice.
 *
 * Return: 0 or -ENOMEM.
 */
int footer_notes(FILE *out, const struct table *table,
		 const struct table_section *section, const struct view *view);

/**
 * footer_columns - samples, boots, kernel, machine and executor of the columns
 * @out: the stream
 * @table: finished
 * @all: also count samples of secondary metrics
 *
 * One line for what all columns have in common, and one for the rest of each.
 *
 * Return: 0 or -ENOMEM.
 */
int footer_columns(FILE *out, const struct table *table, bool all);

/**
 * footer_sections - units, fixed parameters and rows of the sections
 * @out: the stream
 * @table: finished
 * @all: also of secondary metrics
 *
 * One line for sections that follow each other and have all of it in common.
 *
 * Return: 0 or -ENOMEM.
 */
int footer_sections(FILE *out, const struct table *table, bool all);

/** footer_terms - what the workloads' terms ask results to say; 0 or -ENOMEM */
int footer_terms(FILE *out, const struct table *table);

/** footer_stopped - what ended runs that a precision ends; 0 or -ENOMEM */
int footer_stopped(FILE *out, const struct table *table);

/** footer_unfinished - runs that have fewer records than planned; 0 or -ENOMEM */
int footer_unfinished(FILE *out, const struct table *table);

/**
 * footer_directions - which direction is better, and which means are harmonic
 * @out: the stream
 * @table: finished
 * @view: of one of its sections
 *
 * For formats whose percentages are raw and whose means have no label.
 *
 * Return: 0 or -ENOMEM.
 */
int footer_directions(FILE *out, const struct table *table, const struct view *view);

/** footer_harmonic - of footer_directions() the means alone; 0 or -ENOMEM */
int footer_harmonic(FILE *out, const struct table *table, const struct view *view);

/**
 * struct footer_statistics - what the numbers of a format are that shows one mean a cell
 * @mean: which mean
 * @spread: how the standard deviation beside it is computed
 * @has_samples: not all figures are means that were printed elsewhere
 */
struct footer_statistics {
	const char *mean, *spread;
	bool has_samples;
};

/**
 * footer_statistics - which of them the rows of @table have
 * @table: finished
 * @all: also those of secondary metrics
 *
 * Return: static words; where rows differ, they refer to what footer_directions() lists.
 */
struct footer_statistics footer_statistics(const struct table *table, bool all);

/**
 * footer_marks - what the marks of judgement_mark() mean
 * @table: finished
 * @all: also of secondary metrics
 *
 * Return: "; *: ..." to end a sentence with, static; empty where there is no mark.
 */
const char *footer_marks(const struct table *table, bool all);

/**
 * footer_verdicts - the rule, the counts of each column, and what the runs look like
 * @out: the stream
 * @table: finished; nothing is written where it has no verdicts
 *
 * Return: 0 or -ENOMEM.
 */
int footer_verdicts(FILE *out, const struct table *table);

/**
 * footer_rules - why not to compare, what words and signs mean, verdicts
 * @out: the stream
 * @table: finished
 * @meanings: what the format's words and signs mean
 *
 * Return: 0 or -ENOMEM.
 */
int footer_rules(FILE *out, const struct table *table, const char *meanings);

/**
 * footer_origin - sections, columns, machines, unfinished runs and terms
 * @out: the stream
 * @table: finished
 * @all: also of secondary metrics
 *
 * Return: 0 or -ENOMEM.
 */
int footer_origin(FILE *out, const struct table *table, bool all);

/** footer_version - facts and version of @options; 0 or -ENOMEM */
int footer_version(FILE *out, const struct fmt_options *options);

/**
 * footer_end - what follows the last section
 * @out: the stream
 * @table: finished
 * @meanings: what the format's words and signs mean
 * @options: version and facts
 *
 * All of footer_rules(), footer_origin() and footer_version().
 *
 * Return: 0 or -ENOMEM.
 */
int footer_end(FILE *out, const struct table *table, const char *meanings,
	       const struct fmt_options *options);

/** footer_put_end - footer_end() with formatted meanings; 0 or -ENOMEM */
int footer_put_end(FILE *out, const struct table *table,
		   const struct fmt_options *options, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

#endif
