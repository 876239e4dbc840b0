// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the tables of a mail; see posted.h. */
#include "compare/posted.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/posted_reader.h"
#include "lib/err.h"

bool posted_has(const struct posted_token *token)
{
	return token->kind != POSTED_WORD;
}

bool posted_is_statistic(const char *name)
{
	static const char *const names[] = {
		"Amean",     "Hmean",	  "Gmean",     "Min",	    "Max",
		"Mean",	     "Stddev",	  "HStddev",   "CoeffVar",  "HCoeffVar",
		"BAmean-50", "BAmean-95", "BAmean-99", "BHmean-50", "BHmean-95",
		"BHmean-99", "BAmean.95", "BHmean.95",
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

const struct posted_line *reader_line(const struct reader *reader)
{
	return &reader->posted->lines.lines[reader->at];
}

void reader_next(struct reader *reader)
{
	reader->nr_tokens =
		posted_tokens(&reader->posted->lines, reader->at, reader->tokens);
}

/* The text from one token to before another, without a colon at its end. */
const char *reader_words(struct reader *reader, size_t from, size_t to)
{
	const struct posted_token *tokens = reader->tokens;
	char text[512];
	size_t len = 0;
	size_t i;

	for (i = from; i < to && len + tokens[i].len + 2 < sizeof(text); i++) {
		if (len)
			text[len++] = ' ';
		memcpy(text + len, tokens[i].text, tokens[i].len);
		len += tokens[i].len;
	}
	while (len && (text[len - 1] == ':' || text[len - 1] == ' '))
		len--;
	text[len] = '\0';
	return textmap_keep(&reader->posted->texts, text);
}

static int refuse_comma(const struct reader *reader, const struct posted_token *token)
{
	return err_set(reader->err, -EPROTO,
		       "%s:%zu:%zu: '%.*s' has a comma (expected a decimal point)",
		       reader->name, token->line, token->column + 1, (int)token->len,
		       token->text);
}

int reader_check_commas(const struct reader *reader)
{
	size_t i;

	for (i = 0; i < reader->nr_tokens; i++)
		if (reader->tokens[i].has_comma)
			return refuse_comma(reader, &reader->tokens[i]);
	return 0;
}

/* "(per sec)" at the end of a name is its unit. */
static int split_unit(struct reader *reader)
{
	const char *name = reader->row.name;
	const char *open = name ? strrchr(name, '(') : NULL;
	size_t len = name ? strlen(name) : 0;
	char text[512];

	if (!open || open == name || name[len - 1] != ')' || len >= sizeof(text))
		return name ? 0 : err_nomem(reader->err);
	(void)snprintf(text, sizeof(text), "%.*s", (int)(name + len - 2 - open),
		       open + 1);
	reader->row.unit = textmap_keep(&reader->posted->texts, text);
	while (open > name && open[-1] == ' ')
		open--;
	(void)snprintf(text, sizeof(text), "%.*s", (int)(open - name), name);
	reader->row.name = textmap_keep(&reader->posted->texts, text);
	return reader->row.unit && reader->row.name ? 0 : err_nomem(reader->err);
}

/* Tables. */

struct posted_table *reader_add_table(struct reader *reader, enum posted_layout layout)
{
	struct posted *posted = reader->posted;
	struct posted_table *grown = reallocarray(posted->tables, posted->nr_tables + 1,
						  sizeof(*posted->tables));

	if (!grown)
		return NULL;
	posted->tables = grown;
	grown += posted->nr_tables++;
	*grown = (struct posted_table){
		.layout = layout,
		.workload = "table",
		.variant = "table",
		.depth = reader_line(reader)->depth,
		.first_line = reader->at + 1,
		.last_line = reader->at + 1,
	};
	return grown;
}

int reader_add_row(struct reader *reader, struct posted_table *table)
{
	size_t nr = table->nr_rows;
	struct posted_row *grown;

	if (!reader->row.name || !reader->row.op)
		return err_nomem(reader->err);
	if (nr == POSTED_ROWS_MAX)
		return err_set(reader->err, -EPROTO,
			       "%s:%zu: the table has more than %d rows", reader->name,
			       reader->at + 1, POSTED_ROWS_MAX);
	if (!(nr & (nr - 1))) {
		grown = reallocarray(table->rows, nr ? 2 * nr : 1, sizeof(*grown));
		if (!grown)
			return err_nomem(reader->err);
		table->rows = grown;
	}
	if (split_unit(reader))
		return reader->err->code;
	table->rows[table->nr_rows++] = reader->row;
	table->last_line = reader->at + 1;
	return 0;
}

static int take_line(struct reader *reader)
{
	const struct posted_line *line = reader_line(reader);
	bool is_taken;

	if (posted_is_blank(line))
		return 0;
	if (!strcmp(line->text + strspn(line->text, " "), "commit:"))
		return reader_start_lkp(reader);
	reader_next(reader);
	if (reader_take_lkp(reader, &is_taken))
		return reader->err->code;
	if (is_taken)
		return 0;
	reader_next(reader);
	return reader_take_rows(reader);
}

/* What a reply quotes. */

static bool same_token(const struct posted_token *a, const struct posted_token *b)
{
	return a->kind == b->kind && a->len == b->len &&
	       (!a->len || !memcmp(a->text, b->text, a->len));
}

static bool same_row(const struct posted_row *a, const struct posted_row *b, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (!same_token(&a->cells[i].value, &b->cells[i].value) ||
		    !same_token(&a->cells[i].percent, &b->cells[i].percent) ||
		    !same_token(&a->cells[i].stddev, &b->cells[i].stddev))
			return false;
	return !strcmp(a->name, b->name) && !strcmp(a->op, b->op);
}

static bool same_table(const struct posted_table *a, const struct posted_table *b)
{
	size_t i;

	if (a->layout != b->layout || a->nr_columns != b->nr_columns ||
	    a->nr_rows != b->nr_rows)
		return false;
	for (i = 0; i < a->nr_rows; i++)
		if (!same_row(&a->rows[i], &b->rows[i], a->nr_columns))
			return false;
	return true;
}

/* STREAM's rows tell what they are. */
static void name_stream(struct posted_table *table)
{
	size_t i;

	for (i = 0; i < table->nr_rows; i++)
		if (!strcmp(table->rows[i].name, "Triad"))
			table->workload = table->variant = "stream";
}

/* Our own tables say below how many runs there were, if that is so of all columns. */
static void find_runs_below(const struct posted *posted, struct posted_table *table)
{
	static const char before[] = "each column: n ";
	size_t i;

	for (i = table->last_line; !table->runs && i < posted->lines.nr_lines; i++) {
		const struct posted_line *line = &posted->lines.lines[i];
		const char *end = line->text;

		if (line->depth != table->depth || !strncmp(end, "schedgrid ", 10))
			break;
		if (strncmp(line->text, before, strlen(before)) != 0)
			continue;
		end += strlen(before);
		end += strspn(end, "0123456789");
		if (end[-1] != ' ' && (!*end || *end == ','))
			table->runs = strtoull(line->text + strlen(before), NULL, 10);
		break;
	}
}

static void end_tables(struct posted *posted)
{
	size_t nr = 0;
	size_t i, j;

	for (i = 0; i < posted->nr_tables; i++) {
		/* A list of commits without a row that can be read. */
		if (!posted->tables[i].nr_rows)
			continue;
		posted->tables[nr] = posted->tables[i];
		name_stream(&posted->tables[nr]);
		find_runs_below(posted, &posted->tables[nr]);
		for (j = 0; j < nr; j++)
			posted->tables[nr].is_copy |=
				same_table(&posted->tables[j], &posted->tables[nr]);
		nr++;
	}
	posted->nr_tables = nr;
}

int posted_read(struct posted *posted, const char *text, size_t len, const char *name,
		struct err *err)
{
	struct err local = { 0 };
	struct reader *reader = calloc(1, sizeof(*reader));
	int bad;

	err = err ? err : &local;
	*posted = (struct posted){ 0 };
	if (!reader)
		return err_nomem(err);
	reader->posted = posted;
	reader->name = name;
	reader->open = reader->lkp = NO_TABLE;
	reader->err = err;
	bad = posted_lines_read(&posted->lines, text, len, name, err);
	for (; !bad && reader->at < posted->lines.nr_lines; reader->at++)
		bad = take_line(reader);
	if (!bad)
		end_tables(posted);
	free(reader);
	return bad;
}

void posted_release(struct posted *posted)
{
	size_t i;

	for (i = 0; i < posted->nr_tables; i++)
		free(posted->tables[i].rows);
	free(posted->tables);
	posted_lines_release(&posted->lines);
	textmap_release(&posted->texts);
	*posted = (struct posted){ 0 };
}
