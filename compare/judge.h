/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Verdicts of a whole table: every row and column by the rule of verdict.h, p adjusted
 * for their number, and the counts for each column. Primary and secondary metrics are two
 * families: nobody should lose a result because somebody also counted cache misses.
 */
#ifndef COMPARE_JUDGE_H
#define COMPARE_JUDGE_H

#include <stdbool.h>
#include <stddef.h>

#include "compare/shape.h"
#include "compare/verdict.h"

struct err;
struct table;
struct table_row;
struct table_section;

/**
 * struct judged_row - a row of the table
 * @against: one for each column; the first, the baseline, is empty
 * @shapes: remarks on the runs, one for each column
 * @verdict: of all columns, see verdict_sum()
 */
struct judged_row {
	struct comparison *against;
	struct shape *shapes;
	enum verdict verdict;
};

/**
 * struct judged_section - the rows of a section
 * @rows: as the section has them
 * @nr_rows: how many
 */
struct judged_section {
	struct judged_row *rows;
	size_t nr_rows;
};

/**
 * struct judged_column - the primary rows of one column, but those of metrics on which
 *                        there is no verdict, and those that neither column was to run
 * @nr: how many rows have each verdict
 * @nr_rows: how many there are
 * @verdict: of all of them
 * @reason: why rows are inconclusive, where it is the same for all that are; or NULL
 * @mde: least and largest change that could have been detected in those that are
 *       inconclusive, as shares; NAN when there are none
 * @gmean: geometric mean of the ratios, turned so that more than 1 is better
 * @gmean_ci95: interval of it, taking rows for independent
 * @nr_gmean: rows that have a ratio
 * @nr_failing: rows in which iterations fail that didn't fail in the baseline
 * @nr_confounded: rows that are a weak verdict at most for want of a second boot
 * @nr_weak: those of them that are worse
 * @nr_sequential: rows that ran all before or all after the baseline
 */
struct judged_column {
	size_t nr[NR_VERDICTS];
	size_t nr_rows;
	enum verdict verdict;
	const char *reason;
	double mde[2];
	double gmean, gmean_ci95[2];
	size_t nr_gmean, nr_failing, nr_confounded, nr_weak, nr_sequential;
};

/**
 * struct judgement - all of it
 * @rule: that was applied
 * @family: how many p of primary and of secondary metrics were adjusted together
 * @columns: one for each column; the first is empty
 * @sections: rows of each section
 * @nr_sections: how many
 * @nr_columns: how many
 */
struct judgement {
	struct rule rule;
	size_t family[2];
	struct judged_column *columns;
	struct judged_section *sections;
	size_t nr_sections, nr_columns;
};

/**
 * judge_table - apply @rule to @table
 * @table: finished; not changed
 * @rule: what counts as a change
 * @ret: to be freed by judgement_free(); written on success only
 * @err: may be NULL
 *
 * Not judged are times and rates of emulated machines, metrics that say so, and cells
 * that both columns skipped.
 *
 * Return: 0 or -ENOMEM.
 */
int judge_table(const struct table *table, const struct rule *rule,
		struct judgement **ret, struct err *err);

/** judgement_free - NULL is fine */
void judgement_free(struct judgement *judgement);

/** judgement_row - what is said of a row of @table; NULL where it wasn't judged */
const struct judged_row *judgement_row(const struct table *table,
				       const struct table_section *section,
				       const struct table_row *row);

/**
 * judgement_mark - what a text format puts beside the percentage of a cell
 * @table: judged or not
 * @section: of @table
 * @row: of @section
 * @column: of @table
 *
 * Percentages are of the first column, so verdicts against another one have no mark.
 *
 * Return: '*' for better or worse, '?' for perhaps, or 0.
 */
char judgement_mark(const struct table *table, const struct table_section *section,
		    const struct table_row *row, size_t column);

#endif
