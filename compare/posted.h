/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables as people paste them into mails: of mmtests, LKP, STREAM with "(60.26 pct)",
 * and averages with standard deviations. Quote marks, wrapped lines and collapsed blanks
 * are understood; prose and patches around them are passed over. Numbers keep their
 * printed digits, for who judges them.
 */
#ifndef COMPARE_POSTED_H
#define COMPARE_POSTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compare/posted_line.h"
#include "compare/textmap.h"

struct err;

enum { POSTED_COLUMNS_MAX = 24, POSTED_ROWS_MAX = 1000 };

/** enum posted_layout - who prints tables like this */
enum posted_layout {
	POSTED_MMTESTS,
	POSTED_PCT, /* any name, values with percentages */
	POSTED_AVG, /* averages, with or without standard deviations */
	POSTED_LKP,
};

/**
 * struct posted_cell - one value
 * @value: its kind is POSTED_WORD where there is none
 * @percent: printed beside it, likewise
 * @spread: standard deviation in percent of the value, likewise
 * @stddev: standard deviation in the unit of the value, likewise
 */
struct posted_cell {
	struct posted_token value, percent, spread, stddev;
};

/**
 * struct posted_row - one line of a table
 * @name: such as "Amean", "Copy" or "reaim.jti"
 * @op: what mmtests prints between the statistic and the values, else empty
 * @unit: as printed, else empty
 * @cells: one for each column
 */
struct posted_row {
	const char *name, *op, *unit;
	struct posted_cell cells[POSTED_COLUMNS_MAX];
};

/**
 * struct posted_table - a table
 * @layout: its kind
 * @workload: such as "hackbench", "table" where nothing says it
 * @variant: such as "hackbench-process-pipes"
 * @machine: NULL where nothing says it
 * @axes: LKP's parameters, their names joined by slashes; NULL without
 * @axis_values: their values, likewise
 * @columns: names; no two are equal
 * @nr_columns: at least 2
 * @rows: owned
 * @nr_rows: at least 1
 * @runs: behind each mean, as the text above says; 0: it doesn't
 * @depth: quote marks before it
 * @first_line: of its first row, from 1
 * @last_line: of its last row so far
 * @is_copy: the same table was there before, by a reply that quotes it
 */
struct posted_table {
	enum posted_layout layout;
	const char *workload, *variant, *machine, *axes, *axis_values;
	const char *columns[POSTED_COLUMNS_MAX];
	size_t nr_columns;
	struct posted_row *rows;
	size_t nr_rows;
	uint64_t runs;
	size_t depth, first_line, last_line;
	bool is_copy;
};

/**
 * struct posted - all tables of a mail
 * @lines: that the tokens are lent by
 * @texts: that the names are lent by
 */
struct posted {
	struct posted_table *tables;
	size_t nr_tables;
	struct posted_lines lines;
	struct textmap texts;
};

/**
 * posted_read - find the tables of a mail
 * @posted: to be released by posted_release(), also after a failure
 * @text: of the mail
 * @len: bytes in @text
 * @name: of the file, for errors
 * @err: names file, line and column
 *
 * Return: 0, also without any table; -EPROTO for what posted_lines_read() refuses, for a
 * decimal comma in a table, and for more than POSTED_COLUMNS_MAX columns or
 * POSTED_ROWS_MAX rows of one; or -ENOMEM.
 */
int posted_read(struct posted *posted, const char *text, size_t len, const char *name,
		struct err *err);

/** posted_release - free all of it */
void posted_release(struct posted *posted);

/** posted_has - whether this token of a cell is there */
bool posted_has(const struct posted_token *token);

/**
 * posted_is_statistic - whether mmtests calls a row so
 * @name: of the row
 *
 * Return: whether it is one of the statistics that its tables have, such as "Amean".
 */
bool posted_is_statistic(const char *name);

#endif
