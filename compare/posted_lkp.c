// SPDX-License-Identifier: GPL-2.0-or-later
/* LKP's tables in mails, whose rows are wrapped. */
#include <errno.h>
#include <string.h>

#include "compare/posted_heading.h"
#include "compare/posted_reader.h"
#include "lib/err.h"

/** enum fit - how far the tokens make an LKP row */
enum fit { FIT_NOT, FIT_SO_FAR, FIT_WHOLE };

/* One more figure of a row that has *@nr values so far; false: it doesn't go there. */
static bool fit_token(struct posted_cell *cells, size_t nr_columns, size_t *nr,
		      const struct posted_token *token)
{
	bool has_change = *nr < nr_columns && posted_has(&cells[*nr].percent);

	switch (token->kind) {
	case POSTED_NUMBER:
		if (*nr == nr_columns || (*nr && !has_change))
			return false;
		cells[(*nr)++].value = *token;
		return true;
	case POSTED_SPREAD:
		if (!*nr || has_change)
			return false;
		cells[*nr - 1].spread = *token;
		return true;
	case POSTED_CHANGE:
		if (!*nr || *nr == nr_columns || has_change)
			return false;
		cells[*nr].percent = *token;
		return true;
	case POSTED_WORD:
	case POSTED_PERCENT:
	default:
		return false;
	}
}

static enum fit fit_lkp(struct reader *reader, size_t nr_columns)
{
	size_t nr = 0;
	size_t i = 0;

	memset(&reader->row, 0, sizeof(reader->row));
	while (i < reader->nr_tokens &&
	       fit_token(reader->row.cells, nr_columns, &nr, &reader->tokens[i]))
		i++;
	if (i == reader->nr_tokens)
		return i ? FIT_SO_FAR : FIT_NOT;
	return nr == nr_columns && i + 1 == reader->nr_tokens &&
			       reader->tokens[i].kind == POSTED_WORD
		       ? FIT_WHOLE
		       : FIT_NOT;
}

static int add_lkp_row(struct reader *reader, struct posted_table *table)
{
	reader->row.name = reader_words(reader, reader->nr_tokens - 1, reader->nr_tokens);
	reader->row.op = reader->row.unit = "";
	if (reader_check_commas(reader))
		return reader->err->code;
	if (!table->nr_rows)
		table->first_line = reader->tokens[0].line;
	return reader_add_row(reader, table);
}

/* Whether the line was (a part of) a row of the last list of commits. */
int reader_take_lkp(struct reader *reader, bool *ret)
{
	struct posted_table *table =
		reader->lkp < 0 ? NULL : &reader->posted->tables[reader->lkp];
	size_t depth = reader_line(reader)->depth;
	enum fit fit = FIT_NOT;
	size_t nr;

	*ret = false;
	if (!table || table->depth != depth)
		return 0;
	if (reader->pending_depth != depth)
		reader->nr_pending = 0;
	nr = reader->nr_pending;
	memmove(reader->tokens + nr, reader->tokens,
		reader->nr_tokens * sizeof(reader->tokens[0]));
	memcpy(reader->tokens, reader->pending, nr * sizeof(reader->tokens[0]));
	reader->nr_tokens += nr;
	if (reader->nr_tokens <= POSTED_TOKENS_MAX)
		fit = fit_lkp(reader, table->nr_columns);
	reader->nr_pending = fit == FIT_SO_FAR ? reader->nr_tokens : 0;
	reader->pending_depth = depth;
	memcpy(reader->pending, reader->tokens,
	       reader->nr_pending * sizeof(reader->tokens[0]));
	*ret = fit != FIT_NOT;
	return fit == FIT_WHOLE ? add_lkp_row(reader, table) : 0;
}

int reader_start_lkp(struct reader *reader)
{
	struct posted_table *table = reader_add_table(reader, POSTED_LKP);

	reader->open = NO_TABLE;
	reader->nr_pending = 0;
	if (!table || posted_lkp_heading(reader->posted, table, reader->at))
		return err_nomem(reader->err);
	reader->lkp = (long)reader->posted->nr_tables - 1;
	if (table->nr_columns < 2) {
		reader->posted->nr_tables--;
		reader->lkp = NO_TABLE;
	}
	return 0;
}
