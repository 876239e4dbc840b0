/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests and estimates by rank, which an outlier can't move far. Up to 200 values the
 * tests are exact, with ties or without: all ways to deal the ranks out are counted.
 * Beyond that they are the normal approximation, with corrections for ties and
 * continuity. The estimates are Hodges and Lehmann's.
 */
#ifndef COMPARE_RANK_H
#define COMPARE_RANK_H

#include <stddef.h>

/** Above this many values all is the normal approximation's. */
enum { RANK_EXACT_MAX = 200 };

/**
 * struct two_samples - two independent series of finite numbers
 * @x: the old one, ascending
 * @nr_x: at least 1
 * @y: the new one, ascending
 * @nr_y: at least 1
 */
struct two_samples {
	const double *x;
	size_t nr_x;
	const double *y;
	size_t nr_y;
};

/**
 * struct shift - how far a typical value moved
 * @estimate: NAN when not defined
 * @low: lower end of the interval, NAN when there are too few values for one
 * @high: upper end of it
 */
struct shift {
	double estimate, low, high;
};

/**
 * rank_mann_whitney - two-sided p of Mann and Whitney's test
 * @samples: the values
 * @ret: receives it; 1 when all values are equal
 *
 * Return: 0 or -ENOMEM.
 */
int rank_mann_whitney(const struct two_samples *samples, double *ret);

/**
 * rank_brunner_munzel - two-sided p of Brunner and Munzel's test
 *
 * It holds its level also where the spreads differ. Biometrical Journal 42 (2000), 17.
 *
 * Return: p, NAN where a side is of fewer than two or the ranks have no variance, as
 * when no value of one side is between those of the other.
 */
double rank_brunner_munzel(const struct two_samples *samples);

/** rank_cles - share of pairs in which the new value is larger, ties counting half */
double rank_cles(const struct two_samples *samples);

/**
 * rank_signed - two-sided p of Wilcoxon's signed rank test
 * @differences: of pairs; those that are 0 don't count
 * @nr: how many
 * @ret: receives it; 1 when all are 0
 *
 * Return: 0 or -ENOMEM.
 */
int rank_signed(const double *differences, size_t nr, double *ret);

/**
 * rank_cut - which differences bound the interval of rank_shift()
 * @nr_x: values of one side
 * @nr_y: of the other
 * @alpha: 1 - level
 * @ret: receives the smallest u of which P(U <= u) >= @alpha / 2, U being Mann and
 *       Whitney's statistic without ties
 *
 * Return: 0 or -ENOMEM.
 */
int rank_cut(size_t nr_x, size_t nr_y, double alpha, size_t *ret);

/**
 * rank_shift - median of all differences y - x, and its interval
 * @samples: the values
 * @cut: of rank_cut(); the interval goes from the difference of that rank to the one of
 *       that rank from above, and is NAN where it is 0: not even all of them would do
 */
struct shift rank_shift(const struct two_samples *samples, size_t cut);

/**
 * rank_signed_shift - the same for pairs: median of the means of each two differences
 * @differences: of pairs, ascending
 * @nr: at least 1
 * @alpha: 1 - level of the interval
 * @ret: receives it
 *
 * Return: 0 or -ENOMEM.
 */
int rank_signed_shift(const double *differences, size_t nr, double alpha,
		      struct shift *ret);

#endif
