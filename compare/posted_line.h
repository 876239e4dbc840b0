/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A mail as lines without their quote marks, and a line as words, numbers and
 * percentages. Knows nothing of tables.
 */
#ifndef COMPARE_POSTED_LINE_H
#define COMPARE_POSTED_LINE_H

#include <stdbool.h>
#include <stddef.h>

struct err;

/**
 * struct posted_line - one line
 * @text: without quote marks, tabs expanded, odd blanks made plain; owned
 * @depth: how many quote marks it had
 */
struct posted_line {
	char *text;
	size_t depth;
};

/** struct posted_lines - a mail; line 1 is @lines[0] */
struct posted_lines {
	struct posted_line *lines;
	size_t nr_lines;
};

/**
 * posted_lines_read - cut a text into lines
 * @lines: to be released by posted_lines_release(), also after a failure
 * @text: of a mail
 * @len: bytes in @text
 * @name: of the file, for errors
 * @err: names file, line and column
 *
 * Return: 0; -EPROTO for a control character and for a line of more than 4096 bytes; or
 * -ENOMEM.
 */
int posted_lines_read(struct posted_lines *lines, const char *text, size_t len,
		      const char *name, struct err *err);

/** posted_lines_release - free the lines */
void posted_lines_release(struct posted_lines *lines);

/** posted_is_blank - whether nothing is printed on the line */
bool posted_is_blank(const struct posted_line *line);

/** enum posted_kind - what a token is */
enum posted_kind {
	POSTED_WORD,
	POSTED_NUMBER,	/* 0.1244 */
	POSTED_PERCENT, /* ( 2.99%) or (60.26 pct) or *-4.00%* */
	POSTED_SPREAD,	/* (+- 0.75%) or ± 2%, in percent of the number before it */
	POSTED_CHANGE,	/* -10.3%, without parentheses */
};

/**
 * struct posted_token - a part of a line
 * @kind: what it is
 * @text: as printed, without parentheses and percent sign where it is a number; lent
 * @len: bytes in @text
 * @line: that it is on, from 1
 * @column: bytes before it, for errors
 * @value: of the number
 * @digits: decimals of the number
 * @has_comma: it has a decimal comma, @value is as if it were a point
 * @is_pct: a percentage that is written "pct"
 */
struct posted_token {
	enum posted_kind kind;
	const char *text;
	size_t len, line, column;
	double value;
	int digits;
	bool has_comma, is_pct;
};

enum { POSTED_TOKENS_MAX = 160 };

/**
 * posted_tokens - cut a line into tokens
 * @lines: of a mail
 * @idx: of the line, from 0
 * @tokens: receives them; has room for POSTED_TOKENS_MAX
 *
 * Return: how many; 0 also for a line that has more.
 */
size_t posted_tokens(const struct posted_lines *lines, size_t idx,
		     struct posted_token *tokens);

#endif
