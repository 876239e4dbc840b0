/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables in the layouts of mmtests, as kernel mails quote them.
 *
 * Percentages come from unrounded values, positive = better, against the first
 * column. What isn't there reads n/a, never 0. Columns widen together when
 * something needs more room than the layout gives.
 */
#ifndef COMPARE_FMT_MMTESTS_H
#define COMPARE_FMT_MMTESTS_H

#include <stdbool.h>
#include <stdio.h>

#include "compare/fmt.h"

struct err;
struct table;

/**
 * enum mmtests_layout - which mmtests
 * @MMTESTS_2016: of the mails until mid-2017; Stddev has divisor n
 * @MMTESTS_TODAY: since the end of 2025; Stddev has divisor n - 1
 */
enum mmtests_layout { MMTESTS_2016, MMTESTS_TODAY };

/**
 * struct mmtests_options - how to print
 * @layout: which mmtests
 * @all: also secondary metrics, rows that are 0 in every column, and today's further
 *       shares of the best samples
 * @ratio: the ratio view, see fmt_mmtests_ratio.h
 * @significance: today's marks by the rule of mmtests, see mmtests_rule.h, not by ours
 * @version: of the suite for the footer, NULL to say nothing
 * @facts: further lines for the footer, ended by NULL; may be NULL
 */
struct mmtests_options {
	enum mmtests_layout layout;
	bool all, ratio, significance;
	const char *version;
	const char *const *facts;
};

/** mmtests_common - those of @options that each format has */
struct fmt_options mmtests_common(const struct mmtests_options *options);

/**
 * fmt_mmtests - print all sections of @table, and the footer
 * @out: the stream; its errors are the caller's to look at
 * @table: finished
 * @options: how
 * @err: may be NULL
 *
 * Return: 0 or -ENOMEM.
 */
int fmt_mmtests(FILE *out, const struct table *table,
		const struct mmtests_options *options, struct err *err);

#endif
