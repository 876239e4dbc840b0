/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading what programs of others print: lines for people, of which each that
 * matters must be there exactly once and say what was asked for. A program that
 * ignored an argument, stopped half-way or ran twice yields a sentence instead
 * of a number.
 */
#ifndef BENCHMARKS_UPSTREAM_H
#define BENCHMARKS_UPSTREAM_H

#include <stddef.h>

struct err;

/**
 * struct upstream - one iteration's output, and how a number is told from text
 * @out: NUL-terminated at @len
 * @len: bytes in @out
 * @err: where a refusal goes
 */
struct upstream {
	const char *out;
	size_t len;
	struct err *err;
};

/**
 * upstream_says - demand one line
 * @prefix: what the line begins with, apart from space around it
 * @suffix: what it ends with; no other line may have both
 * @fmt: printf format of the whole line
 *
 * Return: 0 or -EPROTO, with what was asked for and what the program said.
 */
int upstream_says(const struct upstream *upstream, const char *prefix, const char *suffix,
		  const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/**
 * upstream_number - read the number of one line
 * @prefix: what stands before it on the line, or ""
 * @suffix: what stands behind it on the line, or ""
 * @nr_decimals: digits behind its point, exactly; 0: a whole number
 * @ret: receives it; written on success only
 *
 * The point is a point: nothing follows the locale, and a comma is refused.
 *
 * Return: 0 or -EPROTO.
 */
int upstream_number(const struct upstream *upstream, const char *prefix,
		    const char *suffix, size_t nr_decimals, double *ret);

/**
 * upstream_rest - copy what follows on one line
 * @prefix: what the line begins with; no other line may
 * @rest: receives the text behind it, without the space around it
 * @size: bytes at @rest
 *
 * Return: 0 or -EPROTO, also when the text is too long.
 */
int upstream_rest(const struct upstream *upstream, const char *prefix, char *rest,
		  size_t size);

#endif
