// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows of posted tables with their names in front, or a line for each column. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "compare/posted_heading.h"
#include "compare/posted_reader.h"
#include "lib/err.h"

static bool token_begins(const struct posted_token *token, const char *word)
{
	return token->kind == POSTED_WORD && token->len >= strlen(word) &&
	       !strncasecmp(token->text, word, strlen(word));
}

/* Tokens from @from to the end as cells; false when they are something else. */
static bool take_cells(struct reader *reader, size_t from)
{
	struct posted_cell *cell = NULL;
	size_t i;

	reader->nr_cells = 0;
	memset(reader->row.cells, 0, sizeof(reader->row.cells));
	for (i = from; i < reader->nr_tokens; i++) {
		const struct posted_token *token = &reader->tokens[i];

		if (token->kind == POSTED_NUMBER) {
			if (reader->nr_cells == POSTED_COLUMNS_MAX)
				return false;
			cell = &reader->row.cells[reader->nr_cells++];
			cell->value = *token;
		} else if (!cell || token->kind == POSTED_WORD) {
			return false;
		} else if (token->kind == POSTED_SPREAD) {
			cell->spread = *token;
		} else {
			cell->percent = *token;
		}
	}
	return reader->nr_cells >= 2;
}

static size_t count_percents(const struct reader *reader)
{
	size_t nr = 0;
	size_t i;

	for (i = 0; i < reader->nr_cells; i++)
		nr += posted_has(&reader->row.cells[i].percent);
	return nr;
}

static size_t count_spreads(const struct reader *reader)
{
	size_t nr = 0;
	size_t i;

	for (i = 0; i < reader->nr_cells; i++)
		nr += posted_has(&reader->row.cells[i].spread);
	return nr;
}

/* Where the figures at the end of the line begin. */
static size_t figures_at(const struct reader *reader)
{
	size_t i = reader->nr_tokens;

	while (i && reader->tokens[i - 1].kind != POSTED_WORD)
		i--;
	return i;
}

static bool next_is_stddev(const struct reader *reader)
{
	const struct posted_lines *lines = &reader->posted->lines;
	size_t i = reader->at + 1;
	struct posted_token tokens[POSTED_TOKENS_MAX];

	while (i < lines->nr_lines && posted_is_blank(&lines->lines[i]))
		i++;
	return i < lines->nr_lines && posted_tokens(lines, i, tokens) &&
	       token_begins(&tokens[0], "std");
}

static bool is_mean_name(const struct posted_token *token)
{
	return token_begins(token, "avg") || token_begins(token, "average") ||
	       token_begins(token, "mean");
}

/* What stands beside the values tells the layout; false: they are numbers in prose. */
static bool find_layout(const struct reader *reader, bool is_statistic, bool is_numbered,
			enum posted_layout *ret)
{
	*ret = is_statistic ? POSTED_MMTESTS : POSTED_PCT;
	if (count_percents(reader) == reader->nr_cells)
		return true;
	*ret = POSTED_AVG;
	if (count_spreads(reader) == reader->nr_cells)
		return true;
	return !is_numbered && is_mean_name(&reader->tokens[0]) &&
	       (count_percents(reader) || next_is_stddev(reader));
}

static bool has_two_numbers(const struct reader *reader, size_t at)
{
	return at + 1 < reader->nr_tokens && reader->tokens[at].kind == POSTED_NUMBER &&
	       reader->tokens[at + 1].kind == POSTED_NUMBER;
}

/* A row with its name, or the number that it is about, in front. */
static bool match_row(struct reader *reader, enum posted_layout *ret)
{
	size_t figures = figures_at(reader);
	bool is_numbered = !figures;
	bool is_statistic = false;
	size_t first = figures;

	if (figures == reader->nr_tokens)
		return false;
	reader->row.name = reader_words(reader, 0, 1);
	if (!is_numbered && reader->row.name)
		is_statistic = posted_is_statistic(reader->row.name);
	if ((is_statistic || is_numbered) && has_two_numbers(reader, figures))
		first++;
	if (!first || !take_cells(reader, first))
		return false;
	reader->row.unit = "";
	reader->row.op = is_statistic ? reader_words(reader, 1, first) : "";
	if (!is_statistic)
		reader->row.name = reader_words(reader, 0, first);
	return find_layout(reader, is_statistic, is_numbered, ret);
}

static int start_table(struct reader *reader, enum posted_layout layout)
{
	struct posted_table *table = reader_add_table(reader, layout);

	if (!table)
		return err_nomem(reader->err);
	table->nr_columns = reader->nr_cells;
	reader->open = (long)reader->posted->nr_tables - 1;
	return posted_heading(reader->posted, table) ? err_nomem(reader->err) : 0;
}

static int take_row(struct reader *reader, enum posted_layout layout)
{
	struct posted_table *table =
		reader->open < 0 ? NULL : &reader->posted->tables[reader->open];

	if (reader_check_commas(reader))
		return reader->err->code;
	if (!table || table->layout != layout || table->nr_columns != reader->nr_cells ||
	    table->depth != reader_line(reader)->depth) {
		if (start_table(reader, layout))
			return reader->err->code;
		table = &reader->posted->tables[reader->open];
	}
	return reader_add_row(reader, table);
}

/* Standard deviations on a line of their own belong to the row above. */
static bool take_stddevs(struct reader *reader)
{
	struct posted_table *table =
		reader->open < 0 ? NULL : &reader->posted->tables[reader->open];
	struct posted_row *row;
	size_t i;

	if (!table || table->layout != POSTED_AVG || !reader->nr_tokens ||
	    !token_begins(&reader->tokens[0], "std") ||
	    !take_cells(reader, figures_at(reader)) ||
	    reader->nr_cells != table->nr_columns || count_percents(reader))
		return false;
	row = &table->rows[table->nr_rows - 1];
	for (i = 0; i < reader->nr_cells; i++)
		row->cells[i].stddev = reader->row.cells[i].value;
	table->last_line = reader->at + 1;
	return true;
}

/* Tables with a line for each column. */

static bool is_average_header(const struct reader *reader)
{
	bool has_mean = false;
	bool has_stddev = false;
	size_t i;

	for (i = 0; i < reader->nr_tokens; i++) {
		if (reader->tokens[i].kind != POSTED_WORD)
			return false;
		has_mean |= is_mean_name(&reader->tokens[i]);
		has_stddev |= has_mean && token_begins(&reader->tokens[i], "std");
	}
	/* More words are a sentence. */
	return has_stddev && reader->nr_tokens <= 6;
}

/* "NAME 369459.750 4825.046": a column's mean and standard deviation. */
static bool is_average_line(const struct reader *reader)
{
	size_t first = figures_at(reader);

	return first && reader->nr_tokens == first + 2 &&
	       reader->tokens[first].kind == POSTED_NUMBER &&
	       reader->tokens[first + 1].kind == POSTED_NUMBER;
}

/* "Thr'put : 168.166 MB/s (NAME)" or "Throughput 248.994 MB/sec 1 procs NAME". */
static size_t throughput_at(const struct reader *reader)
{
	size_t at = 1;

	if (reader->nr_tokens < 4 || !token_begins(&reader->tokens[0], "thr"))
		return 0;
	at += token_begins(&reader->tokens[1], ":");
	if (reader->tokens[at].kind != POSTED_NUMBER ||
	    !memmem(reader->tokens[at + 1].text, reader->tokens[at + 1].len, "/s", 2) ||
	    at + 2 >= reader->nr_tokens)
		return 0;
	return at;
}

static int add_column(struct reader *reader, struct posted_table *table, size_t from,
		      size_t to)
{
	struct posted_cell cell = { .value = reader->tokens[reader->nr_cells] };

	if (reader_check_commas(reader))
		return reader->err->code;
	if (table->nr_columns == POSTED_COLUMNS_MAX)
		return err_set(reader->err, -EPROTO,
			       "%s:%zu: the table has more than %d columns", reader->name,
			       reader->at + 1, POSTED_COLUMNS_MAX);
	if (is_average_line(reader))
		cell.stddev = reader->tokens[reader->nr_tokens - 1];
	reader->row.cells[table->nr_columns] = cell;
	table->columns[table->nr_columns] = reader_words(reader, from, to);
	table->last_line = reader->at + 1;
	return table->columns[table->nr_columns++] ? 0 : err_nomem(reader->err);
}

/* The label behind a throughput, without what says how many clients there were. */
static int add_throughput(struct reader *reader, struct posted_table *table, size_t at)
{
	size_t from = at + 2;
	size_t to = reader->nr_tokens;
	const char *label;

	if (to > from + 2 && reader->tokens[from].kind == POSTED_NUMBER &&
	    token_begins(&reader->tokens[from + 1], "proc"))
		from += 2;
	reader->nr_cells = at;
	reader->row.unit = reader_words(reader, at + 1, at + 2);
	if (add_column(reader, table, from, to))
		return reader->err->code;
	if (!reader->row.unit)
		return err_nomem(reader->err);
	label = table->columns[table->nr_columns - 1];
	if (*label == '(' && label[strlen(label) - 1] == ')') {
		char text[512];

		(void)snprintf(text, sizeof(text), "%.*s", (int)strlen(label) - 2,
			       label + 1);
		label = textmap_keep(&reader->posted->texts, text);
		table->columns[table->nr_columns - 1] = label;
	}
	return label ? 0 : err_nomem(reader->err);
}

static int end_column_table(struct reader *reader, const char *name)
{
	struct posted *posted = reader->posted;
	struct posted_table *table = &posted->tables[posted->nr_tables - 1];

	reader->open = NO_TABLE;
	reader->at--;
	if (table->nr_columns < 2) {
		posted->nr_tables--;
		return 0;
	}
	reader->row.name = name;
	reader->row.op = "";
	if (reader_add_row(reader, table))
		return reader->err->code;
	return posted_heading(posted, table) ? err_nomem(reader->err) : 0;
}

/* Lines below the header "Average score  std. dev", also with blank ones between. */
static int take_averages(struct reader *reader)
{
	size_t depth = reader_line(reader)->depth;
	size_t header = reader->at;
	struct posted_table *table = reader_add_table(reader, POSTED_AVG);

	if (!table)
		return err_nomem(reader->err);
	memset(&reader->row, 0, sizeof(reader->row));
	reader->row.unit = "";
	for (reader->at++; reader->at < reader->posted->lines.nr_lines; reader->at++) {
		if (posted_is_blank(reader_line(reader)))
			continue;
		reader_next(reader);
		if (!is_average_line(reader) || reader_line(reader)->depth != depth)
			break;
		if (!table->nr_columns)
			table->first_line = reader->at + 1;
		reader->nr_cells = figures_at(reader);
		if (add_column(reader, table, 0, reader->nr_cells))
			return reader->err->code;
	}
	if (table->nr_columns < 2)
		reader->at = header + 1;
	return end_column_table(reader, "score");
}

static int take_throughputs(struct reader *reader)
{
	size_t depth = reader_line(reader)->depth;
	size_t start = reader->at;
	struct posted_table *table = reader_add_table(reader, POSTED_AVG);
	size_t at;

	if (!table)
		return err_nomem(reader->err);
	memset(&reader->row, 0, sizeof(reader->row));
	for (; reader->at < reader->posted->lines.nr_lines; reader->at++) {
		reader_next(reader);
		at = throughput_at(reader);
		if (!at || reader_line(reader)->depth != depth)
			break;
		if (add_throughput(reader, table, at))
			return reader->err->code;
	}
	if (table->nr_columns < 2)
		reader->at = start + 1;
	return end_column_table(reader, "throughput");
}

int reader_take_rows(struct reader *reader)
{
	enum posted_layout layout;

	if (is_average_header(reader))
		return take_averages(reader);
	if (throughput_at(reader))
		return take_throughputs(reader);
	if (take_stddevs(reader))
		return 0;
	if (match_row(reader, &layout))
		return take_row(reader, layout);
	reader->open = NO_TABLE;
	return 0;
}
