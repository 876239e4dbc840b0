/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What all text formats can be told. Each has its own sign, divisor and rounding
 * rule, which docs/formats.md lists and the footer of each table says. */
#ifndef COMPARE_FMT_H
#define COMPARE_FMT_H

#include <stdbool.h>

/**
 * struct fmt_options - how to print
 * @all: also secondary metrics and rows that are 0 in every column
 * @transposed: avg's sections of one row have their columns side by side
 * @version: of the suite for the footer, NULL to say nothing
 * @facts: further lines for the footer, ended by NULL; may be NULL
 */
struct fmt_options {
	bool all, transposed;
	const char *version;
	const char *const *facts;
};

#endif
