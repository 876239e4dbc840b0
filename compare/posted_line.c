// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines and tokens of a mail; see posted_line.h. */
#include "compare/posted_line.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/err.h"

enum { LINE_BYTES_MAX = 4096, TAB_WIDTH = 8, NUMBER_BYTES_MAX = 40 };

static const char no_break[] = "\xc2\xa0";
static const char plus_minus[] = "\xc2\xb1";

static int check_bytes(const char *line, size_t len, size_t nr, const char *name,
		       struct err *err)
{
	size_t i;

	if (len > LINE_BYTES_MAX)
		return err_set(err, -EPROTO,
			       "%s:%zu: the line has %zu bytes (expected a mail, whose "
			       "lines have at most %d)",
			       name, nr, len, LINE_BYTES_MAX);
	for (i = 0; i < len; i++) {
		unsigned char c = (unsigned char)line[i];

		if ((c >= ' ' && c != 0x7f) || c == '\t' || c == '\r' || c == '\f')
			continue;
		return err_set(err, -EPROTO,
			       "%s:%zu:%zu: byte 0x%02x is no text (expected a mail)",
			       name, nr, i + 1, c);
	}
	return 0;
}

/* What follows the quote marks at the start of @line. */
static const char *skip_quotes(const char *line, const char *end, size_t *depth)
{
	const char *at = line;
	const char *after = line;

	*depth = 0;
	while (at < end && (*at == '>' || *at == ' ')) {
		if (*at++ != '>')
			continue;
		++*depth;
		after = at;
	}
	return *depth && after < end && *after == ' ' ? after + 1 : after;
}

/* Tabs and no-break spaces as blanks; @out has room for a tab's width each. */
static void expand(const char *at, const char *end, char *out)
{
	size_t len = 0;

	for (; at < end; at++) {
		if (*at == '\t') {
			do
				out[len++] = ' ';
			while (len % TAB_WIDTH);
		} else if (end - at >= 2 && !memcmp(at, no_break, 2)) {
			out[len++] = ' ';
			at++;
		} else if (*at != '\r' && *at != '\f') {
			out[len++] = *at;
		}
	}
	while (len && out[len - 1] == ' ')
		len--;
	out[len] = '\0';
}

static int add_line(struct posted_lines *lines, const char *at, const char *end)
{
	struct posted_line *grown;
	size_t nr = lines->nr_lines;
	char *text;

	if (!(nr & (nr - 1))) {
		grown = reallocarray(lines->lines, nr ? 2 * nr : 1, sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		lines->lines = grown;
	}
	grown = &lines->lines[nr];
	at = skip_quotes(at, end, &grown->depth);
	text = malloc((size_t)(end - at) * TAB_WIDTH + 1);
	if (!text)
		return -ENOMEM;
	expand(at, end, text);
	grown->text = text;
	lines->nr_lines++;
	return 0;
}

int posted_lines_read(struct posted_lines *lines, const char *text, size_t len,
		      const char *name, struct err *err)
{
	const char *end = text + len;
	const char *at = text;

	*lines = (struct posted_lines){ 0 };
	while (at < end) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		size_t nr = lines->nr_lines + 1;

		stop = stop ? stop : end;
		if (check_bytes(at, (size_t)(stop - at), nr, name, err))
			return -EPROTO;
		if (add_line(lines, at, stop))
			return err_nomem(err);
		at = stop + 1;
	}
	return 0;
}

void posted_lines_release(struct posted_lines *lines)
{
	size_t i;

	for (i = 0; i < lines->nr_lines; i++)
		free(lines->lines[i].text);
	free(lines->lines);
	*lines = (struct posted_lines){ 0 };
}

bool posted_is_blank(const struct posted_line *line)
{
	return line->text[strspn(line->text, " ")] == '\0';
}

/* Tokens. */

static const char *skip_blanks(const char *at)
{
	return at + strspn(at, " ");
}

/*
 * The number at @at, of @token's; NULL when there is none. It has digits on both sides of
 * its point, and an exponent only where a percentage of nothing made one.
 */
static const char *scan_number(const char *at, struct posted_token *token)
{
	char plain[NUMBER_BYTES_MAX + 1];
	const char *end = at + (*at == '+' || *at == '-');
	size_t whole = strspn(end, "0123456789");
	size_t len;

	end += whole;
	token->digits = 0;
	token->has_comma = *end == ',';
	if ((*end == '.' || *end == ',') && isdigit((unsigned char)end[1])) {
		token->digits = (int)strspn(end + 1, "0123456789");
		end += 1 + token->digits;
	}
	if (*end == 'e' && (end[1] == '+' || end[1] == '-') &&
	    isdigit((unsigned char)end[2]))
		end += 2 + strspn(end + 2, "0123456789");
	len = (size_t)(end - at);
	if (!whole || len > NUMBER_BYTES_MAX)
		return NULL;
	memcpy(plain, at, len);
	plain[len] = '\0';
	if (strchr(plain, ','))
		*strchr(plain, ',') = '.';
	token->value = strtod(plain, NULL);
	token->text = at;
	token->len = len;
	return end;
}

/* What follows "+-", "+/-" or the sign for both, or NULL. */
static const char *skip_plus_minus(const char *at)
{
	static const char *const signs[] = { "+-", "+/-", plus_minus };
	size_t i;

	for (i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
		if (!strncmp(at, signs[i], strlen(signs[i])))
			return skip_blanks(at + strlen(signs[i]));
	return NULL;
}

/* What follows a number and its percent sign; NULL when it isn't one. */
static const char *scan_percent(const char *at, struct posted_token *token)
{
	at = scan_number(at, token);
	if (!at)
		return NULL;
	at = skip_blanks(at);
	token->is_pct = !strncmp(at, "pct", 3);
	if (token->is_pct)
		return at + 3;
	return *at == '%' ? at + 1 : NULL;
}

/* A percentage between @open and its closing sign. */
static const char *scan_closed(const char *at, struct posted_token *token)
{
	char close = *at;
	const char *inside = skip_blanks(at + 1);
	const char *spread = skip_plus_minus(inside);

	if (close == '(')
		close = ')';
	token->kind = spread ? POSTED_SPREAD : POSTED_PERCENT;
	at = scan_percent(spread ? spread : inside, token);
	at = at ? skip_blanks(at) : NULL;
	return at && *at == close ? at + 1 : NULL;
}

static bool ends_token(const char *at)
{
	return !*at || *at == ' ';
}

/* Verdicts of ours stand behind a percentage; they are no figures. */
static const char *skip_mark(const char *at)
{
	return at && (*at == '*' || *at == '?') && ends_token(at + 1) ? at + 1 : at;
}

static const char *scan_figure(const char *at, struct posted_token *token)
{
	const char *spread = skip_plus_minus(at);
	const char *end;

	if (*at == '(' || *at == '*' || *at == '?')
		return skip_mark(scan_closed(at, token));
	if (spread) {
		token->kind = POSTED_SPREAD;
		end = scan_percent(spread, token);
		return end && ends_token(end) ? end : NULL;
	}
	token->kind = POSTED_CHANGE;
	end = skip_mark(scan_percent(at, token));
	if (end && !token->is_pct && ends_token(end))
		return end;
	token->kind = POSTED_NUMBER;
	end = scan_number(at, token);
	return end && (ends_token(end) || *end == '(') ? end : NULL;
}

size_t posted_tokens(const struct posted_lines *lines, size_t idx,
		     struct posted_token *tokens)
{
	const char *text = lines->lines[idx].text;
	const char *at = skip_blanks(text);
	size_t nr = 0;

	while (*at) {
		struct posted_token token = { 0 };
		const char *end = scan_figure(at, &token);

		if (nr == POSTED_TOKENS_MAX)
			return 0;
		if (!end) {
			end = at + strcspn(at, " ");
			token = (struct posted_token){
				.kind = POSTED_WORD,
				.text = at,
				.len = (size_t)(end - at),
			};
		}
		token.line = idx + 1;
		token.column = (size_t)(at - text);
		tokens[nr++] = token;
		at = skip_blanks(end);
	}
	return nr;
}
