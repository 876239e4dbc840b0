// SPDX-License-Identifier: GPL-2.0-or-later
/* Columns of text; see sheet.h. */
#include "compare/sheet.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "compare/table.h"
#include "compare/view.h"
#include "lib/text.h"

enum { GAP = 2, NAME_WIDTH = 14 };

void sheet_init(struct sheet *sheet, size_t nr_columns, size_t left)
{
	*sheet = (struct sheet){ .nr_columns = nr_columns, .left = left };
}

void sheet_release(struct sheet *sheet)
{
	size_t i;

	for (i = 0; i < sheet->nr_rows * sheet->nr_columns; i++)
		free(sheet->cells[i]);
	free(sheet->cells);
	*sheet = (struct sheet){ 0 };
}

static char **row_at(const struct sheet *sheet, size_t row)
{
	return &sheet->cells[row * sheet->nr_columns];
}

void sheet_add_row(struct sheet *sheet)
{
	char **cells;

	if (sheet->failed)
		return;
	cells = reallocarray(sheet->cells, (sheet->nr_rows + 1) * sheet->nr_columns,
			     sizeof(char *));
	if (!cells) {
		sheet->failed = true;
		return;
	}
	sheet->cells = cells;
	memset(row_at(sheet, sheet->nr_rows++), 0, sheet->nr_columns * sizeof(char *));
}

void sheet_put(struct sheet *sheet, size_t column, const char *fmt, ...)
{
	va_list args;
	char **cell;

	if (sheet->failed)
		return;
	cell = &row_at(sheet, sheet->nr_rows - 1)[column];
	free(*cell);
	va_start(args, fmt);
	if (vasprintf(cell, fmt, args) < 0) {
		*cell = NULL;
		sheet->failed = true;
	}
	va_end(args);
}

static size_t max_size(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* What hangs over the right edge: a mark behind a parenthesis. */
static size_t mark_len(const char *text)
{
	size_t len = strlen(text);

	return len && strchr("*?", text[len - 1]) ? 1 : 0;
}

void sheet_pad(struct sheet *sheet, size_t column)
{
	size_t before = 0;
	size_t behind = 0;
	size_t over = 0;
	size_t i;

	for (i = 0; i < sheet->nr_rows; i++) {
		const char *cell = row_at(sheet, i)[column];
		const char *tab = cell ? strchr(cell, '\t') : NULL;

		if (!tab)
			continue;
		before = max_size(before, (size_t)(tab - cell));
		behind = max_size(behind, strlen(tab + 1) - mark_len(tab + 1));
		over = max_size(over, mark_len(tab + 1));
	}
	for (i = 0; i < sheet->nr_rows && !sheet->failed; i++) {
		char **cell = &row_at(sheet, i)[column];
		char *tab = *cell ? strchr(*cell, '\t') : NULL;
		char *padded = NULL;

		if (!tab)
			continue;
		*tab = '\0';
		if (asprintf(&padded, "%*s %*s%*s", (int)before, *cell,
			     (int)(behind + mark_len(tab + 1)), tab + 1,
			     (int)(over - mark_len(tab + 1)), "") < 0) {
			padded = NULL;
			sheet->failed = true;
		}
		free(*cell);
		*cell = padded;
	}
}

/*
 * How much of @text goes on one line. A sign that stands alone, as in "+ patch",
 * belongs to the word behind it.
 */
static size_t line_len(const char *text)
{
	size_t len = 0;
	size_t end = 0;

	for (;;) {
		size_t start = len;
		size_t word = strcspn(text + len, " ");

		len += word;
		if (word == 1 && text[len] && strchr("+-&", text[start]))
			len += 1 + strcspn(text + len + 1, " ");
		if (end && len > NAME_WIDTH)
			return end;
		end = len;
		if (!text[len])
			return end;
		len++;
	}
}

static void put_part(struct sheet *sheet, size_t row, size_t column, const char *text,
		     size_t len)
{
	char **cell;

	if (row == sheet->nr_rows)
		sheet_add_row(sheet);
	if (sheet->failed)
		return;
	cell = &row_at(sheet, row)[column];
	*cell = strndup(text, len);
	sheet->failed = !*cell;
}

static void put_name(struct sheet *sheet, size_t row, size_t column, const char *name)
{
	while (*name) {
		size_t len = line_len(name);

		put_part(sheet, row++, column, name, len);
		name += len;
		name += *name == ' ';
	}
}

void sheet_add_headings(struct sheet *sheet, const struct table *table)
{
	size_t first_row = sheet->nr_rows;
	bool has_above = false;
	size_t i;

	sheet_add_row(sheet);
	for (i = 0; i < table->nr_columns && !sheet->failed; i++) {
		char *above;
		char *name;

		if (view_heading(&table->columns[i], &above, &name)) {
			sheet->failed = true;
			return;
		}
		has_above |= *above != '\0';
		put_part(sheet, first_row, i + 1, above, strlen(above));
		put_name(sheet, first_row + 1, i + 1, name);
		free(above);
		free(name);
	}
	if (has_above || sheet->failed)
		return;
	/* Nothing above any name: the names take that row. */
	for (i = 0; i < sheet->nr_columns; i++)
		free(row_at(sheet, first_row)[i]);
	sheet->nr_rows--;
	memmove(row_at(sheet, first_row), row_at(sheet, first_row + 1),
		(sheet->nr_rows - first_row) * sheet->nr_columns * sizeof(char *));
}

static void print_row(const struct sheet *sheet, size_t row, const size_t *widths,
		      FILE *out)
{
	char **cells = row_at(sheet, row);
	size_t nr = sheet->nr_columns;
	size_t pending = 0;
	size_t i;

	while (nr && (!cells[nr - 1] || !*cells[nr - 1]))
		nr--;
	for (i = 0; i < nr; i++) {
		const char *text = cells[i] ? cells[i] : "";
		size_t blanks = widths[i] - text_width(text);
		size_t len = strlen(text);

		if (i)
			pending += GAP;
		if (i >= sheet->left)
			pending += blanks;
		/* A cell that was padded may end in blanks. */
		while (i + 1 == nr && len && text[len - 1] == ' ')
			len--;
		(void)fprintf(out, "%*s%.*s", (int)pending, "", (int)len, text);
		pending = i < sheet->left ? blanks : 0;
	}
	(void)fputc('\n', out);
}

int sheet_print(const struct sheet *sheet, FILE *out)
{
	size_t *widths;
	size_t i, j;

	if (sheet->failed)
		return -ENOMEM;
	widths = calloc(sheet->nr_columns + 1, sizeof(*widths));
	if (!widths)
		return -ENOMEM;
	for (i = 0; i < sheet->nr_rows; i++) {
		for (j = 0; j < sheet->nr_columns; j++) {
			const char *cell = row_at(sheet, i)[j];

			widths[j] = max_size(widths[j], cell ? text_width(cell) : 0);
		}
	}
	for (i = 0; i < sheet->nr_rows; i++)
		print_row(sheet, i, widths, out);
	free(widths);
	return 0;
}
