/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How far apart two means are: Welch's t, the interval of their ratio and of their
 * difference. All of it from mean, variance and degrees of freedom, so that samples, means
 * of boots and published tables are judged alike.
 *
 * The interval of the ratio is Fieller's with Welch's degrees of freedom: it leaves out 1
 * exactly when Welch's p is below its level. What is not defined is NAN.
 */
#ifndef COMPARE_RATIO_H
#define COMPARE_RATIO_H

#include <stddef.h>

/**
 * struct side - a mean and how well it is known
 * @mean: of @df + 1 values
 * @variance: of the mean: that of the values by their number
 * @df: degrees of freedom of @variance
 */
struct side {
	double mean, variance, df;
};

/**
 * struct effect - what a change did to a mean
 * @t: statistic of the test, positive when the new mean is larger
 * @df: its degrees of freedom
 * @p: chance of a |t| this large when nothing changed; 1 when there is no variance and
 *     the means are equal, NAN when there is none and they differ
 * @ratio: new mean by old one, of means above 0 only
 * @ci95: 95% interval of the ratio
 * @ci90: 90% interval of it
 * @inner: interval of it at 1 - 2 alpha; @ci90 when alpha is 5%
 * @difference_ci95: 95% interval of new - old
 * @mde: change, as a share of the old mean, that is detected at level alpha 80 times of
 *       100; NAN also when that mean is 0
 */
struct effect {
	double t, df, p;
	double ratio, ci95[2], ci90[2], inner[2];
	double difference_ci95[2];
	double mde;
};

/**
 * side_of - the side that @n values make
 * @mean: of them
 * @stddev: of them, divisor n - 1
 * @n: at least 2, or the variance is NAN
 * @resolution: step of the values, 0 when not known; the variance is no smaller than the
 *              one that rounding to such steps leaves, step^2 / 12
 */
struct side side_of(double mean, double stddev, size_t n, double resolution);

/** effect_none - every figure NAN */
void effect_none(struct effect *effect);

/**
 * effect_welch - compare two independent sides
 * @base: the old one
 * @other: the new one
 * @alpha: level, for @inner and @mde
 * @ret: receives the figures
 */
void effect_welch(const struct side *base, const struct side *other, double alpha,
		  struct effect *ret);

/**
 * struct pairs - values that were measured together
 * @base: the old ones
 * @other: the new ones, in the same order
 * @nr: how many of each
 * @resolution: as for side_of()
 */
struct pairs {
	double *base, *other;
	size_t nr;
	double resolution;
};

/**
 * pairs_init - no pairs, and room for some
 * @pairs: to be released by pairs_release()
 * @most: pairs that there is room for
 * @resolution: as for side_of()
 *
 * Return: 0 or -ENOMEM.
 */
int pairs_init(struct pairs *pairs, size_t most, double resolution);

/** pairs_add - one more pair; there must be room for it */
void pairs_add(struct pairs *pairs, double base, double other);

/** pairs_release - free what pairs_init() gave @pairs */
void pairs_release(struct pairs *pairs);

/**
 * effect_paired - compare values that were measured in pairs
 * @pairs: the values
 * @alpha: level, for @inner and @mde
 * @ret: receives the figures: of logarithms where all values are above 0, the intervals
 *       then being those of the geometric mean of the pairs' ratios; of differences
 *       otherwise, without intervals of a ratio
 *
 * Drift that both of a pair share cancels out.
 */
void effect_paired(const struct pairs *pairs, double alpha, struct effect *ret);

#endif
