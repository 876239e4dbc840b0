/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The plain lines that say how to read a table: remarks below a section, and
 * samples, boots, kernels and machines of the columns below the last one.
 * Every line stays under 100 columns, whatever the names.
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

/**
 * footer_notes - what a reader of one section must know
 * @out: the stream
 * @table: finished
 * @section: of @table
 * @view: of @section
 *
 * Rows left out, why something was skipped, samples that are all the same at
 * different points, which a clock that is too coarse would give, and a standard
 * deviation that is the mean typed twice.
 *
 * Return: 0 or -ENOMEM.
 */
int footer_notes(FILE *out, const struct table *table,
		 const struct table_section *section, const struct view *view);

/**
 * footer_columns - samples, boots, kernel, machine and executor of the columns
 * @out: the stream
 * @table: finished
 *
 * One line for all columns when they agree, otherwise one for each.
 *
 * Return: 0 or -ENOMEM.
 */
int footer_columns(FILE *out, const struct table *table);

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

/**
 * footer_end - what follows the last section
 * @out: the stream
 * @table: finished
 * @meanings: what the format's words and signs mean
 * @options: version and facts
 *
 * The table's notes, meanings, columns, facts and version.
 *
 * Return: 0 or -ENOMEM.
 */
int footer_end(FILE *out, const struct table *table, const char *meanings,
	       const struct fmt_options *options);

#endif
