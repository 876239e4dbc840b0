/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Several p at once: two tests of one question combined, and many questions adjusted for
 * being many. A table of 40 rows without any change has two with p < 5%.
 */
#ifndef COMPARE_FAMILY_H
#define COMPARE_FAMILY_H

#include <stddef.h>

/**
 * enum family_adjust - how p are adjusted
 * @FAMILY_BH: Benjamini and Hochberg: of the changes reported, a share of alpha at most
 *             is false on average
 * @FAMILY_HOLM: Holm: none is false, but for a chance of alpha
 * @FAMILY_NONE: not at all
 */
enum family_adjust {
	FAMILY_BH,
	FAMILY_HOLM,
	FAMILY_NONE,
};

/** family_adjust_names - "bh" and so on, in the order of the enum, ended by NULL */
extern const char *const family_adjust_names[];

/**
 * family_adjust - adjust p for their number
 * @p: from 0 to 1; those that are NAN don't count, and stay
 * @n: how many
 * @how: the rule
 * @q: receives the adjusted ones, 1 at most
 *
 * Return: 0 or -ENOMEM.
 */
int family_adjust(const double *p, size_t n, enum family_adjust how, double *q);

/**
 * family_combine - one p of two tests of one question
 *
 * The Cauchy combination (Liu and Xie, JASA 115 (2020), 393): close to the smaller one
 * doubled, and right however much the two depend on each other.
 */
double family_combine(double p1, double p2);

#endif
