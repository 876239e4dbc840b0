// SPDX-License-Identifier: GPL-2.0-or-later
/* Checks gnuplot's SVG and fits it into a page; see plot_clean() in plot.h. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "compare/html.h"
#include "compare/plot.h"

/* What has no place in a picture of ours, whoever wrote it. */
static bool is_harmless(const char *svg)
{
	static const char *const banned[] = {
		"<script",  "<foreignObject", "<image",	   "<style", "<iframe",
		"<animate", "<set",	      "<a ",	   "<!",     "url(",
		"onload",   "onclick",	      "javascript"
	};
	const char *at = svg;
	size_t i;

	for (i = 0; i < sizeof(banned) / sizeof(*banned); i++) {
		if (strcasestr(svg, banned[i]))
			return false;
	}
	while ((at = strstr(at, "href="))) {
		at += strlen("href=");
		if (strncmp(at, "'#", 2) != 0 && strncmp(at, "\"#", 2) != 0)
			return false;
	}
	return true;
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* What stands for @from in the page; NULL: nothing does. */
struct change {
	const char *from, *to;
};

static const struct change changes[] = {
	{ "\"black\"", "\"currentColor\"" },
	{ "'black'", "'currentColor'" },
	{ "\"white\"", "\"none\"" },
	{ "'white'", "'none'" },
};

static const char *const references[] = { "id='", "id=\"", "href='#", "href=\"#" };

/* Bytes of an element that says nothing to a reader, 0 where none begins. */
static size_t dropped(const char *at)
{
	static const char *const ends[][2] = { { "<desc>", "</desc>\n" },
					       { "<title>$", "</title>" },
					       { "<title>p", "</title>\n" },
					       { "<title>gnuplot_plot", "</title>" } };
	size_t i;

	for (i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		const char *end = begins(at, ends[i][0]) ? strstr(at, ends[i][1]) : NULL;

		if (end)
			return (size_t)(end - at) + strlen(ends[i][1]);
	}
	return 0;
}

/* Writes what @at begins with in the page's form; returns its bytes, 0 for no change. */
static size_t put_changed(FILE *out, const char *at, size_t idx)
{
	size_t i;

	for (i = 0; i < sizeof(references) / sizeof(*references); i++) {
		if (!begins(at, references[i]))
			continue;
		(void)fprintf(out, "%sp%zu-", references[i], idx);
		return strlen(references[i]);
	}
	for (i = 0; i < sizeof(changes) / sizeof(*changes); i++) {
		if (!begins(at, changes[i].from))
			continue;
		(void)fputs(changes[i].to, out);
		return strlen(changes[i].from);
	}
	return 0;
}

/* The label that the mark "@NNN..." stands for; bytes of the mark, 0: it is none. */
static size_t put_label(FILE *out, const char *at, const struct plot *plot, int *bad)
{
	size_t number = 0;
	size_t i;

	for (i = 1; i <= 3; i++) {
		if (at[i] < '0' || at[i] > '9')
			return 0;
		number = 10 * number + (size_t)(at[i] - '0');
	}
	if (number > plot->nr_series)
		return 0;
	*bad |= html_text(out, number ? plot->series[number - 1].label : plot->axis);
	return i + strspn(at + i, ".");
}

static int put_element(FILE *out, const char *svg, const struct plot *plot, size_t idx)
{
	static const char start[] = "<svg";
	int bad;

	(void)fprintf(out, "%s role=\"img\" aria-label=\"", start);
	bad = html_text(out, plot->description);
	(void)fputc('"', out);
	for (svg += strlen(start); *svg;) {
		size_t used = dropped(svg);

		if (!used)
			used = put_changed(out, svg, idx);
		if (!used && *svg == '@')
			used = put_label(out, svg, plot, &bad);
		if (!used)
			(void)fputc(*svg, out);
		svg += used ? used : 1;
	}
	return bad;
}

char *plot_clean(const char *svg, const struct plot *plot, size_t idx)
{
	static const char end[] = "</svg>";
	const char *start = strstr(svg, "<svg");
	const char *last = start ? strstr(start, end) : NULL;
	char *text = NULL;
	size_t len = 0;
	FILE *out;
	int bad;

	if (!last || last[strlen(end) + strspn(last + strlen(end), " \n")] ||
	    !is_harmless(start))
		return NULL;
	out = open_memstream(&text, &len);
	if (!out)
		return NULL;
	bad = put_element(out, start, plot, idx);
	if (fclose(out) || bad) {
		free(text);
		return NULL;
	}
	return text;
}
