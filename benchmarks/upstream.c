// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines of programs of others, found and held against what was asked; see upstream.h. */
#include "benchmarks/upstream.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/err.h"

enum { LINE_MAX_SHOWN = 120, ASKED_MAX = 256, MAX_DIGITS = 15 };

/* struct line - part of the output, without the space around it */
struct line {
	const char *text;
	size_t len;
};

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static bool next_line(const struct upstream *upstream, const char **at, struct line *line)
{
	const char *end = upstream->out + upstream->len;
	const char *newline;

	if (*at >= end)
		return false;
	line->text = *at;
	newline = memchr(*at, '\n', (size_t)(end - *at));
	if (newline)
		end = newline;
	*at = end + 1;
	while (line->text < end && is_space(*line->text))
		line->text++;
	while (end > line->text && is_space(end[-1]))
		end--;
	line->len = (size_t)(end - line->text);
	return true;
}

static bool has_ends(const struct line *line, const char *prefix, const char *suffix)
{
	size_t before = strlen(prefix);
	size_t behind = strlen(suffix);

	return line->len >= before + behind && !memcmp(line->text, prefix, before) &&
	       !memcmp(line->text + line->len - behind, suffix, behind);
}

/* The one line with these ends. */
static int find_line(const struct upstream *upstream, const char *prefix,
		     const char *suffix, struct line *ret)
{
	const char *between = *prefix && *suffix ? "..." : "";
	const char *at = upstream->out;
	struct line line;
	size_t nr = 0;

	if (!upstream->len)
		return err_set(upstream->err, -EPROTO, "the program printed nothing");
	if (memchr(upstream->out, '\0', upstream->len))
		return err_set(upstream->err, -EPROTO, "there is a NUL in the output");
	while (next_line(upstream, &at, &line)) {
		if (!has_ends(&line, prefix, suffix))
			continue;
		*ret = line;
		nr++;
	}
	if (nr == 1)
		return 0;
	if (!nr)
		return err_set(upstream->err, -EPROTO, "no line '%s%s%s' in the output",
			       prefix, between, suffix);
	return err_set(upstream->err, -EPROTO,
		       "%zu lines '%s%s%s' in the output, expected exactly one", nr,
		       prefix, between, suffix);
}

static int shown(const struct line *line)
{
	return (int)(line->len < LINE_MAX_SHOWN ? line->len : LINE_MAX_SHOWN);
}

int upstream_says(const struct upstream *upstream, const char *prefix, const char *suffix,
		  const char *fmt, ...)
{
	char asked[ASKED_MAX];
	struct line line;
	va_list args;
	int bad = find_line(upstream, prefix, suffix, &line);

	if (bad)
		return bad;
	va_start(args, fmt);
	(void)vsnprintf(asked, sizeof(asked), fmt, args);
	va_end(args);
	if (line.len == strlen(asked) && !memcmp(line.text, asked, line.len))
		return 0;
	return err_set(upstream->err, -EPROTO, "asked for '%s', the program said '%.*s'",
		       asked, shown(&line), line.text);
}

static bool is_plain_decimal(const char *text, size_t nr_decimals)
{
	size_t whole = strspn(text, "0123456789");

	if (!whole || whole > MAX_DIGITS || (*text == '0' && whole > 1))
		return false;
	if (!nr_decimals)
		return !text[whole];
	return text[whole] == '.' &&
	       strspn(text + whole + 1, "0123456789") == nr_decimals &&
	       !text[whole + 1 + nr_decimals];
}

int upstream_number(const struct upstream *upstream, const char *prefix,
		    const char *suffix, size_t nr_decimals, double *ret)
{
	char text[2 * MAX_DIGITS + 2] = "";
	struct line line;
	int bad = find_line(upstream, prefix, suffix, &line);
	size_t len;

	if (bad)
		return bad;
	len = line.len - strlen(prefix) - strlen(suffix);
	if (len < sizeof(text))
		memcpy(text, line.text + strlen(prefix), len);
	if (!is_plain_decimal(text, nr_decimals))
		return err_set(
			upstream->err, -EPROTO,
			"'%.*s' has no plain number with %zu decimals in its place",
			shown(&line), line.text, nr_decimals);
	/* Of digits and a point only; the locale is C, as nobody calls setlocale(). */
	*ret = strtod(text, NULL);
	return 0;
}

int upstream_rest(const struct upstream *upstream, const char *prefix, char *rest,
		  size_t size)
{
	struct line line;
	int bad = find_line(upstream, prefix, "", &line);

	if (bad)
		return bad;
	line.text += strlen(prefix);
	line.len -= strlen(prefix);
	while (line.len && is_space(*line.text)) {
		line.text++;
		line.len--;
	}
	if (line.len >= size)
		return err_set(upstream->err, -EPROTO,
			       "the line '%s' is too long: '%.*s'", prefix, shown(&line),
			       line.text);
	memcpy(rest, line.text, line.len);
	rest[line.len] = '\0';
	return 0;
}
