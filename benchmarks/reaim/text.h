/* SPDX-License-Identifier: GPL-2.0-or-later */
/* string_rtns: numbers to text and back, classes of characters, joining and searching. */
#ifndef BENCHMARKS_REAIM_TEXT_H
#define BENCHMARKS_REAIM_TEXT_H

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "benchmarks/reaim/amounts.h"
#include "benchmarks/reaim/work.h"

/* Text of each kind; the buffer behind it is empty, and looked at all the same. */
#define TEXT_OF_ALL_KINDS                                            \
	"\t\r\n 0123456789 abcdefghij klmnopqrst uvwxyz ABCDEFGHIJ " \
	"KLMNOPQRST UVWXYZ .,:;!?#$%&()[]{}<>*+-=/_|~"
#define TEXT_PIECE "18 bytes of a text"

enum { TEXT_PIECE_BYTES = sizeof(TEXT_PIECE) - 1, TEXT_PART_BYTES = 10 };

/* A number to text and back, as floating-point and as whole; false: it is another. */
static inline bool text_numbers(char *text, int nr)
{
	double value = nr / 1000.0;
	bool is_same = true;
	int i;

	(void)snprintf(text, AMOUNT_STRING, "%g", value);
	for (i = 0; i < 2; i++)
		is_same = is_same && (long)(strtod(text, NULL) * 1000 + 0.5) == nr;
	(void)snprintf(text, AMOUNT_STRING, "%ld", (long)nr);
	for (i = 0; i < 3; i++)
		is_same = is_same && strtol(text, NULL, 10) == nr;
	return is_same;
}

/* How many of the classes of characters @c is in; letters are turned over and back. */
static inline int text_classes(char *c)
{
	int in = (unsigned char)*c;
	int nr = !!isalnum(in) + !!isalpha(in) + !!iscntrl(in) + !!isdigit(in) +
		 !!isgraph(in) + !!isprint(in) + !!ispunct(in) + !!isspace(in) +
		 !!isxdigit(in);

	if (islower(in)) {
		*c = (char)toupper(in);
		*c = (char)tolower((unsigned char)*c);
		nr++;
	}
	if (isupper(in)) {
		*c = (char)tolower(in);
		*c = (char)toupper((unsigned char)*c);
		nr++;
	}
	return nr;
}

/* Puts @len bytes of the piece behind the text until no more fit; its end is looked for. */
static inline void text_fill(char *text, size_t len)
{
	static const char piece[] = TEXT_PIECE;

	memcpy(text, piece, sizeof(piece));
	while (AMOUNT_STRING - strlen(text) > strlen(piece)) {
		char *end = strchr(text, '\0');

		memcpy(end, piece, len);
		end[len] = '\0';
		__asm__ volatile("" : : "r"(text) : "memory");
		if (!strcmp(text, piece))
			return;
	}
}

/* A date, searched in ways that mostly go through all of it; false: it is odd. */
static inline bool text_search(char *text, time_t when)
{
	char date[32];

	if (!ctime_r(&when, date))
		return false;
	memcpy(text, date, strlen(date));
	return strcoll(text, TEXT_PIECE) != 0 && strcspn(text, "!?") > 4 &&
	       strpbrk(text, " ;\n") && strrchr(text, '\n') &&
	       !strspn(text, "0123456789") && strstr(text, text) == text;
}

static inline int job_string_rtns(struct work *work)
{
	char text[AMOUNT_STRING] = "";
	time_t now = time(NULL);
	int nr_classes = 0;
	int i, k;

	for (i = 0; i < AMOUNT_STRINGS; i++) {
		if (!text_numbers(text, nr_classes % 10000))
			return work_wrong(work, "a number is another as text");
		(void)snprintf(text, sizeof(text), "%s", TEXT_OF_ALL_KINDS);
		for (k = 0; k < AMOUNT_STRING - 1; k++)
			nr_classes += text_classes(&text[k]);
		text_fill(text, TEXT_PIECE_BYTES);
		text_fill(text, TEXT_PART_BYTES);
		if (!text_search(text, now + i))
			return work_wrong(work, "strings differ");
	}
	work->sink = nr_classes;
	return 0;
}

#endif
