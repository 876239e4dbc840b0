/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Workfiles: which tests, with which weights, and how many jobs that makes.
 *
 * A line is a weight and a test ("20 add_short"), a size ("FILESIZE: 10K",
 * "POOLSIZE: 1M"), or nothing; # starts a comment. Both the suite, which
 * refuses a wrong file before anything runs, and the program read it by this.
 */
#ifndef BENCHMARKS_REAIM_WORKFILE_H
#define BENCHMARKS_REAIM_WORKFILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <strings.h>

#include "benchmarks/reaim/limits.h"
#include "benchmarks/reaim/tests.h"

/**
 * struct workfile - what a workfile says
 * @weight: of each test, 0 where it isn't named
 * @total_weight: their sum
 * @file_kib: size of a child's file; 0: not said
 * @pool_kib: shared by the children's files; UINT64_MAX: not said
 */
struct workfile {
	uint64_t weight[REAIM_NR_TESTS];
	uint64_t total_weight;
	uint64_t file_kib, pool_kib;
};

/**
 * struct workfile_fault - what is wrong with a workfile, and where
 * @line: from 1; 0: it is the file as a whole
 * @column: from 1, in bytes
 * @name: a word that is no test, for whoever knows a nearer one; else empty
 * @text: the sentence
 */
struct workfile_fault {
	unsigned int line, column;
	char name[40];
	char text[200];
};

/* struct workfile_at - a line being read */
struct workfile_at {
	const char *start, *at, *end;
	unsigned int line;
	struct workfile_fault *fault;
};

static inline bool workfile_is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static inline void workfile_skip(struct workfile_at *in)
{
	while (in->at < in->end && workfile_is_space(*in->at))
		in->at++;
}

static inline int workfile_refuse(const struct workfile_at *in, const char *where,
				  const char *text)
{
	in->fault->line = in->line;
	in->fault->column = (unsigned int)(where - in->start) + 1;
	(void)snprintf(in->fault->text, sizeof(in->fault->text), "%s", text);
	return -1;
}

/* A word is shown as far as it can be: up to the first byte that isn't printable. */
static inline int workfile_refuse_word(const struct workfile_at *in, const char *word,
				       const char *what)
{
	int len = 0;

	while (word + len < in->end && len < 30 && word[len] > ' ' && word[len] < 127)
		len++;
	in->fault->line = in->line;
	in->fault->column = (unsigned int)(word - in->start) + 1;
	(void)snprintf(in->fault->text, sizeof(in->fault->text), "%s '%.*s'", what, len,
		       word);
	return -1;
}

/* A whole number from @min to @max, without sign or leading zero. */
static inline int workfile_number(struct workfile_at *in, uint64_t min, uint64_t max,
				  uint64_t *ret)
{
	const char *start = in->at;
	char text[100];
	uint64_t value = 0;

	while (in->at < in->end && *in->at >= '0' && *in->at <= '9' && value <= max)
		value = value * 10 + (uint64_t)(*in->at++ - '0');
	if (in->at > start && value >= min && value <= max &&
	    (*start != '0' || in->at == start + 1)) {
		*ret = value;
		return 0;
	}
	(void)snprintf(text, sizeof(text), "expected a whole number from %ju to %ju",
		       (uintmax_t)min, (uintmax_t)max);
	return workfile_refuse(in, start, text);
}

/* The rest of the line must be empty. */
static inline int workfile_end(struct workfile_at *in, const char *behind)
{
	workfile_skip(in);
	return in->at == in->end ? 0 : workfile_refuse_word(in, in->at, behind);
}

static inline int workfile_size(struct workfile_at *in, uint64_t min, uint64_t *ret)
{
	uint64_t number;
	bool is_mib;

	workfile_skip(in);
	if (workfile_number(in, min, REAIM_MAX_KIB, &number))
		return -1;
	if (in->at == in->end || !strchr("kKmM", *in->at))
		return workfile_refuse(in, in->at, "expected K or M behind the size");
	is_mib = *in->at == 'm' || *in->at == 'M';
	if (is_mib && number > REAIM_MAX_KIB / 1024)
		return workfile_refuse(in, in->at, "a size is 1024M at most");
	in->at++;
	*ret = is_mib ? number * 1024 : number;
	return workfile_end(in, "nothing goes behind a size, but there is");
}

static inline int workfile_test(struct workfile_at *in, struct workfile *workfile)
{
	const char *name;
	uint64_t weight;
	size_t len;
	int test;

	if (workfile_number(in, 1, REAIM_MAX_WEIGHT, &weight))
		return -1;
	name = in->at;
	workfile_skip(in);
	if (in->at == name || in->at == in->end)
		return workfile_refuse(in, in->at,
				       "expected a space and a test behind the weight");
	name = in->at;
	while (in->at < in->end && !workfile_is_space(*in->at))
		in->at++;
	len = (size_t)(in->at - name);
	test = reaim_test_find(name, len);
	if (test < 0) {
		if (len < sizeof(in->fault->name))
			memcpy(in->fault->name, name, len);
		return workfile_refuse_word(in, name, "unknown test");
	}
	if (workfile->weight[test])
		return workfile_refuse_word(in, name, "there is a weight already of");
	workfile->weight[test] = weight;
	workfile->total_weight += weight;
	return workfile_end(in, "nothing goes behind a test, but there is");
}

static inline int workfile_line(struct workfile_at *in, struct workfile *workfile)
{
	static const char file[] = "FILESIZE:", pool[] = "POOLSIZE:";
	size_t len = sizeof(file) - 1;

	workfile_skip(in);
	if (in->at == in->end)
		return 0;
	if (*in->at >= '0' && *in->at <= '9')
		return workfile_test(in, workfile);
	if ((size_t)(in->end - in->at) >= len && !strncasecmp(in->at, file, len)) {
		in->at += len;
		return workfile_size(in, 1, &workfile->file_kib);
	}
	if ((size_t)(in->end - in->at) >= len && !strncasecmp(in->at, pool, len)) {
		in->at += len;
		return workfile_size(in, 0, &workfile->pool_kib);
	}
	return workfile_refuse_word(
		in, in->at, "expected a weight and a test, FILESIZE: or POOLSIZE:, not");
}

/**
 * workfile_read - read a workfile
 * @text: all of it
 * @len: bytes in @text
 * @ret: what it says
 * @fault: says what is wrong, and where
 *
 * Return: 0 or -1.
 */
static inline int workfile_read(const char *text, size_t len, struct workfile *ret,
				struct workfile_fault *fault)
{
	struct workfile_at in = { .line = 1, .fault = fault };
	const char *end = text + len;
	const char *newline;

	*ret = (struct workfile){ .pool_kib = UINT64_MAX };
	*fault = (struct workfile_fault){ 0 };
	for (in.at = text; in.at < end; in.line++) {
		newline = memchr(in.at, '\n', (size_t)(end - in.at));
		newline = newline ? newline : end;
		in.start = in.at;
		in.end = memchr(in.start, '#', (size_t)(newline - in.start));
		in.end = in.end ? in.end : newline;
		if (workfile_line(&in, ret))
			return -1;
		in.at = newline < end ? newline + 1 : end;
	}
	if (ret->total_weight)
		return 0;
	(void)snprintf(fault->text, sizeof(fault->text), "there is no test in it");
	return -1;
}

#endif
