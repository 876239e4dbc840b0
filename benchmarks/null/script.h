/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The words of a null script: one place for the workload's check and for its
 * program, which links nothing of the suite.
 */
#ifndef BENCHMARKS_NULL_SCRIPT_H
#define BENCHMARKS_NULL_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/** enum null_word - what an iteration does; the names are in null_words[] */
enum null_word {
	NULL_FAIL,
	NULL_PARTIAL,
	NULL_SILENT,
	NULL_ZERO,
	NULL_NAN,
	NULL_TWICE,
	NULL_HANG,
	NULL_DEAF,
	NULL_CRASH,
	NULL_KILLED,
	NULL_ORPHAN,
	NULL_DAEMON,
	NULL_FLOOD,
	NULL_BYTES,
	NULL_UNREADY,
	NULL_NR_NAMED,
	NULL_NUMBER = NULL_NR_NAMED,
	NULL_SLEEP,
	NULL_UNKNOWN,
};

enum { NULL_MAX_WORD = 31, NULL_MAX_SLEEP_DIGITS = 7 };

#define NULL_SLEEP_PREFIX "sleep:"

static const char *const null_words[] = {
	"fail",	 "partial", "silent",  "zero",	 "nan",	   "twice",
	"hang",	 "deaf",    "crash",   "killed", "orphan", "daemon",
	"flood", "bytes",   "unready", "sleep",	 NULL,
};

/** null_is_number - digits with at most one point inside, above 0, valid in JSON */
static inline bool null_is_number(const char *word)
{
	size_t whole = strspn(word, "0123456789");
	size_t fraction;

	if (!whole || (word[0] == '0' && whole > 1) || !strpbrk(word, "123456789"))
		return false;
	if (!word[whole])
		return true;
	if (word[whole] != '.')
		return false;
	fraction = strspn(word + whole + 1, "0123456789");
	return fraction && !word[whole + 1 + fraction];
}

/** null_word_find - what @word is */
static inline enum null_word null_word_find(const char *word)
{
	const size_t prefix = sizeof(NULL_SLEEP_PREFIX) - 1;
	int i;

	for (i = 0; i < NULL_NR_NAMED; i++) {
		if (!strcmp(word, null_words[i]))
			return (enum null_word)i;
	}
	if (null_is_number(word))
		return NULL_NUMBER;
	if (!strncmp(word, NULL_SLEEP_PREFIX, prefix) && null_is_number(word + prefix) &&
	    !strchr(word, '.') && strlen(word + prefix) <= NULL_MAX_SLEEP_DIGITS)
		return NULL_SLEEP;
	return NULL_UNKNOWN;
}

/**
 * null_word_next - copy the next word of a script
 * @script: the rest; moved on behind the word
 * @word: NULL_MAX_WORD + 1 bytes; a longer word is cut, and so unknown
 *
 * Return: false when there are no more words.
 */
static inline bool null_word_next(const char **script, char *word)
{
	size_t len;
	size_t kept;

	*script += strspn(*script, " ");
	len = strcspn(*script, " ");
	kept = len < NULL_MAX_WORD ? len : NULL_MAX_WORD;
	memcpy(word, *script, kept);
	word[kept] = '\0';
	*script += len;
	return len > 0;
}

#endif
