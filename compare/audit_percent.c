// SPDX-License-Identifier: GPL-2.0-or-later
/* Audit of percentages: value, sign, cuts, and what a subject claims. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compare/audit_rules.h"
#include "compare/posted.h"
#include "compare/posted_percent.h"

/**
 * struct cuts - whether all percentages of the mail are cut
 * @nr: percentages that aren't 0
 * @nr_only_cut: that can't have been rounded
 * @is_other: at least one can't have been cut
 * @line: of the first of @nr
 * @digits: of it
 */
struct cuts {
	size_t nr, nr_only_cut, line;
	bool is_other;
	int digits;
};

/* The percentage that the middle of the range rounds to, with the printed decimals. */
static void write_expected(const struct posted_token *percent, struct posted_range range,
			   char *out)
{
	double middle = (range.low + range.high) / 2.0;
	bool has_sign = percent->text[0] == '+';

	(void)snprintf(out, AUDIT_TEXT_SIZE, has_sign ? "%+.*f" : "%.*f", percent->digits,
		       middle);
}

static void count_cut(struct cuts *cuts, const struct posted_token *percent,
		      struct posted_range range, enum posted_match match)
{
	if (percent->value == 0.0)
		return;
	if (!cuts->nr) {
		cuts->line = percent->line;
		cuts->digits = percent->digits;
	}
	cuts->nr++;
	cuts->nr_only_cut += match == MATCH_CUT;
	cuts->is_other |= !posted_can_be_cut(percent, range);
}

static int add_percent(struct audit *audit, const struct posted_row *row,
		       const struct posted_token *percent, struct posted_range range,
		       enum posted_match match)
{
	char printed[AUDIT_TEXT_SIZE], expected[AUDIT_TEXT_SIZE];
	struct audit_finding finding = {
		.line = percent->line,
		.kind = AUDIT_PERCENT,
		.printed = printed,
		.expected = expected,
	};
	const char *between = *row->op ? " " : "";

	audit_copy(percent, printed);
	write_expected(percent, range, expected);
	if (match == MATCH_CUT)
		return audit_add(audit, &finding,
				 "'%s%s%s': %s%% is cut, the printed means round to %s%%",
				 row->name, between, row->op, printed, expected);
	if (posted_match(percent, posted_negated(range)) != MATCH_NOT) {
		finding.kind = AUDIT_SIGN;
		return audit_add(audit, &finding,
				 "'%s%s%s': %s%% has the other sign than the rest of its "
				 "table, which makes it %s%%",
				 row->name, between, row->op, printed, expected);
	}
	return audit_add(audit, &finding,
			 "'%s%s%s': %s%% can't follow from the printed means, which give "
			 "%s%%",
			 row->name, between, row->op, printed, expected);
}

static int check_cell(struct audit *audit, const struct posted_table *table,
		      const struct posted_row *row, size_t column, bool is_gain,
		      struct cuts *cuts)
{
	const struct posted_token *percent = &row->cells[column].percent;
	struct posted_range range = { 0.0, 0.0 };
	enum posted_match match;

	if (!posted_has(percent) || memchr(percent->text, 'e', percent->len))
		return 0;
	if (column)
		range = posted_change_range(table, row, column);
	if (isnan(range.low))
		return 0;
	if (is_gain)
		range = posted_negated(range);
	audit->nr_percents++;
	match = posted_match(percent, range);
	count_cut(cuts, percent, range, match);
	if (match == MATCH_ROUNDED)
		return 0;
	return add_percent(audit, row, percent, range, match);
}

/* One remark for a mail that cuts, beside the percentages that give it away. */
static int add_style(struct audit *audit, const struct cuts *cuts)
{
	char printed[AUDIT_TEXT_SIZE];
	const struct audit_finding finding = {
		.line = cuts->line,
		.kind = AUDIT_STYLE,
		.printed = printed,
	};

	(void)snprintf(printed, sizeof(printed), "%zu of %zu", cuts->nr_only_cut,
		       cuts->nr);
	return audit_add(audit, &finding,
			 "all %zu percentages are cut towards 0 after %d decimals, not "
			 "rounded",
			 cuts->nr, cuts->digits);
}

int audit_percents(struct audit *audit, const struct posted *posted)
{
	struct cuts cuts = { 0 };
	size_t i, j, k;
	int bad = 0;

	for (i = 0; i < posted->nr_tables; i++) {
		const struct posted_table *table = &posted->tables[i];

		for (j = 0; !table->is_copy && j < table->nr_rows; j++) {
			const struct posted_row *row = &table->rows[j];
			bool is_gain = posted_is_gain(table, row);

			for (k = 0; !bad && k < table->nr_columns; k++)
				bad = check_cell(audit, table, row, k, is_gain, &cuts);
		}
	}
	/* One that is cut among some is a mistake, several are a habit. */
	if (!bad && cuts.nr_only_cut > 1 && !cuts.is_other)
		bad = add_style(audit, &cuts);
	return bad;
}

/* Claims. */

static bool same_text(const struct posted_token *a, const struct posted_token *b)
{
	return a->len == b->len && !memcmp(a->text, b->text, a->len);
}

static bool is_outcome(const struct posted_token *word)
{
	static const char regression[] = "regression";
	static const char improvement[] = "improvement";

	return word->kind == POSTED_WORD &&
	       ((word->len == sizeof(regression) - 1 &&
		 !memcmp(word->text, regression, word->len)) ||
		(word->len == sizeof(improvement) - 1 &&
		 !memcmp(word->text, improvement, word->len)));
}

/*
 * The row that a claim is about, NULL for none; @ret_found: some column has it as
 * claimed.
 */
static const struct posted_row *find_claimed(const struct posted *posted,
					     const struct posted_token *claim,
					     bool *ret_found)
{
	const struct posted_row *first = NULL;
	size_t i, j, k;

	*ret_found = false;
	for (i = 0; i < posted->nr_tables; i++) {
		const struct posted_table *table = &posted->tables[i];

		for (j = 0; j < table->nr_rows; j++) {
			const struct posted_row *row = &table->rows[j];

			if (strlen(row->name) != claim[0].len ||
			    memcmp(row->name, claim[0].text, claim[0].len))
				continue;
			first = first ? first : row;
			for (k = 1; k < table->nr_columns; k++)
				*ret_found |=
					same_text(&row->cells[k].percent, &claim[1]);
		}
	}
	return first;
}

static int check_claim(struct audit *audit, const struct posted *posted,
		       const struct posted_token *claim)
{
	char printed[AUDIT_TEXT_SIZE], expected[AUDIT_TEXT_SIZE];
	const struct audit_finding finding = {
		.line = claim[1].line,
		.kind = AUDIT_PERCENT,
		.printed = printed,
		.expected = expected,
	};
	bool is_found;
	const struct posted_row *row = find_claimed(posted, claim, &is_found);

	if (!row || is_found || !posted_has(&row->cells[1].percent))
		return 0;
	audit_copy(&claim[1], printed);
	audit_copy(&row->cells[1].percent, expected);
	return audit_add(audit, &finding,
			 "'%s' is said to change by %s%%, no table of this mail has that "
			 "(the first one: %s%%)",
			 row->name, printed, expected);
}

int audit_claims(struct audit *audit, const struct posted *posted)
{
	struct posted_token tokens[POSTED_TOKENS_MAX];
	size_t i, j, nr;
	int bad = 0;

	for (i = 0; !bad && i < posted->lines.nr_lines; i++) {
		/* What is quoted is somebody else's claim, of another mail. */
		if (posted->lines.lines[i].depth)
			continue;
		nr = posted_tokens(&posted->lines, i, tokens);
		for (j = 0; !bad && j + 2 < nr; j++) {
			if (tokens[j].kind == POSTED_WORD &&
			    tokens[j + 1].kind == POSTED_CHANGE &&
			    is_outcome(&tokens[j + 2]))
				bad = check_claim(audit, posted, &tokens[j]);
		}
	}
	return bad;
}
