/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading of a mail in progress; inside the module of posted.h only. */
#ifndef COMPARE_POSTED_READER_H
#define COMPARE_POSTED_READER_H

#include <stdbool.h>
#include <stddef.h>

#include "compare/posted.h"

struct err;

enum { NO_TABLE = -1 };

/**
 * struct reader - reading in progress
 * @at: index of the current line
 * @tokens: of the current line
 * @pending: of the lines before, which begin a row of LKP
 * @pending_depth: of those lines
 * @row: matched last
 * @nr_cells: of @row
 * @open: index of the table that the next row may continue, or NO_TABLE
 * @lkp: index of the last table with a list of commits, or NO_TABLE
 */
struct reader {
	struct posted *posted;
	const char *name;
	size_t at;
	struct posted_token tokens[2 * POSTED_TOKENS_MAX], pending[POSTED_TOKENS_MAX];
	size_t nr_tokens, nr_pending, pending_depth;
	struct posted_row row;
	size_t nr_cells;
	long open, lkp;
	struct err *err;
};

/** reader_line - the current line */
const struct posted_line *reader_line(const struct reader *reader);

/** reader_next - cut the current line into the reader's tokens */
void reader_next(struct reader *reader);

/**
 * reader_words - the text of tokens, without a colon at its end
 * @reader: that has them
 * @from: the first
 * @to: after the last
 *
 * Return: lent by the mail; NULL: no memory.
 */
const char *reader_words(struct reader *reader, size_t from, size_t to);

/** reader_check_commas - refuse decimal commas among the tokens; 0 or -EPROTO */
int reader_check_commas(const struct reader *reader);

/** reader_add_table - a table without rows that begins here; lent, NULL: no memory */
struct posted_table *reader_add_table(struct reader *reader, enum posted_layout layout);

/** reader_add_row - add the matched row to @table; 0, -ENOMEM, or -EPROTO: too many */
int reader_add_row(struct reader *reader, struct posted_table *table);

/**
 * reader_take_rows - take the line as a part of a table that isn't LKP's
 * @reader: moves on to the last line that belongs to it
 *
 * Return: 0, also for a line of no table; -EPROTO or -ENOMEM.
 */
int reader_take_rows(struct reader *reader);

/** reader_start_lkp - begin a table at the line "commit:"; 0 or -ENOMEM */
int reader_start_lkp(struct reader *reader);

/**
 * reader_take_lkp - take the line as (a part of) a row of LKP
 * @reader: its tokens are spoilt by it
 * @ret: receives whether it was one
 *
 * Return: 0, -EPROTO or -ENOMEM.
 */
int reader_take_lkp(struct reader *reader, bool *ret);

#endif
