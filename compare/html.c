// SPDX-License-Identifier: GPL-2.0-or-later
/* Escapes text for HTML; see html.h. */
#include "compare/html.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "compare/view.h"

static const char *entity(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

int html_text(FILE *out, const char *text)
{
	char *printable = view_printable(text);
	const char *at;

	if (!printable)
		return -ENOMEM;
	for (at = printable; *at; at++) {
		const char *escaped = entity(*at);

		if (escaped)
			(void)fputs(escaped, out);
		else
			(void)fputc(*at, out);
	}
	free(printable);
	return 0;
}

int html_put(FILE *out, const char *fmt, ...)
{
	va_list args;
	char *text;
	int ret;

	va_start(args, fmt);
	ret = vasprintf(&text, fmt, args);
	va_end(args);
	if (ret < 0)
		return -ENOMEM;
	ret = html_text(out, text);
	free(text);
	return ret;
}

int html_lines(FILE *out, const char *text)
{
	int bad = 0;

	if (!*text)
		return 0;
	(void)fputs("<pre>", out);
	while (!bad && *text) {
		size_t len = strcspn(text, "\n");
		char *line = strndup(text, len);

		bad = line ? html_text(out, line) : -ENOMEM;
		(void)fputc('\n', out);
		free(line);
		text += len + (text[len] == '\n');
	}
	(void)fputs("</pre>\n", out);
	return bad;
}
