/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text cells in aligned columns. A column is as wide as its widest cell; lines
 * have no blanks at their end, so that mails can quote and compare them.
 */
#ifndef COMPARE_SHEET_H
#define COMPARE_SHEET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct table;

/**
 * struct sheet - the cells
 * @cells: owned, row by row; NULL is an empty cell
 * @nr_columns: how many
 * @nr_rows: how many
 * @left: of these columns, the first ones, cells begin at the left
 * @failed: memory ran out; sheet_print() reports it
 */
struct sheet {
	char **cells;
	size_t nr_columns, nr_rows, left;
	bool failed;
};

/** sheet_init - an empty sheet of @nr_columns, the first @left of them left-aligned */
void sheet_init(struct sheet *sheet, size_t nr_columns, size_t left);

/** sheet_release - free all cells; the sheet is empty again */
void sheet_release(struct sheet *sheet);

/** sheet_add_row - start a new row, in which cells can be put */
void sheet_add_row(struct sheet *sheet);

/** sheet_put - set the cell in @column of the last row; an earlier one is replaced */
void sheet_put(struct sheet *sheet, size_t column, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * sheet_pad - give both halves of cells the same width
 * @sheet: whose cells may hold a tab
 * @column: in which each tab becomes blanks, so that what comes before it and
 *          what follows it ends at the same place in each row that has one
 */
void sheet_pad(struct sheet *sheet, size_t column);

/**
 * sheet_add_headings - rows with the kernels and names of all columns of a table
 * @sheet: column 0 stays empty, the table's columns go to 1 and on
 * @table: finished
 *
 * Names are broken between words where they are longer than 14 characters.
 */
void sheet_add_headings(struct sheet *sheet, const struct table *table);

/**
 * sheet_print - write all rows
 * @sheet: complete
 * @out: the stream; its errors are the caller's to look at
 *
 * Return: 0, or -ENOMEM when any of the calls before ran out of memory.
 */
int sheet_print(const struct sheet *sheet, FILE *out);

#endif
