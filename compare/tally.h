/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many ways there are to choose some of a set of weights so that they add up to a
 * sum: what the exact rank tests are made of. Counts are doubles, exact up to 2^53 and
 * with the relative error of a few additions beyond.
 */
#ifndef COMPARE_TALLY_H
#define COMPARE_TALLY_H

#include <stddef.h>

/**
 * struct weights - what is chosen from
 * @value: ascending
 * @nr: at most 1000, so that no sum overflows
 */
struct weights {
	const size_t *value;
	size_t nr;
};

/**
 * tally_choices - count the choices of exactly @nr_chosen weights with a small sum
 * @weights: to choose from
 * @nr_chosen: at most their number
 * @limit: largest sum that counts
 * @ret: array of @limit + 1 for the caller to free(); @ret[s] is the number of choices
 *       with sum s
 *
 * Return: 0 or -ENOMEM.
 */
int tally_choices(const struct weights *weights, size_t nr_chosen, size_t limit,
		  double **ret);

/**
 * tally_subsets - count the choices of any number of weights with a small sum
 * @weights: to choose from
 * @limit: largest sum that counts
 * @ret: as for tally_choices()
 *
 * Return: 0 or -ENOMEM.
 */
int tally_subsets(const struct weights *weights, size_t limit, double **ret);

/** tally_binomial - number of ways to choose @k of @n */
double tally_binomial(size_t n, size_t k);

#endif
