/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Descriptive statistics of one series of samples, each under its exact name:
 * three different spreads are called "stddev" in published tables. Nothing
 * here knows what the samples measure; what isn't defined is NAN.
 */
#ifndef COMPARE_STATS_H
#define COMPARE_STATS_H

#include <stddef.h>

struct err;

/** enum stats_share - a part of the samples, the best ones, in percent */
enum stats_share { STATS_50, STATS_75, STATS_90, STATS_95, STATS_99, STATS_NR_SHARES };

/**
 * struct stats - what can be said of @n samples
 * @n: how many
 * @sum: compensated, so that large series lose no digits
 * @amean: arithmetic mean
 * @hmean: harmonic mean; NAN when any sample is 0 or less
 * @variance_n: mean squared deviation from @amean, divisor n
 * @variance_n1: the same with divisor n - 1
 * @stddev_n: root of @variance_n
 * @stddev_n1: root of @variance_n1
 * @hstddev: spread around @hmean as mmtests has it: of the reciprocals, scaled
 *           back by the fourth power of @hmean, divisor n
 * @stderr_mean: @stddev_n1 / sqrt(n)
 * @min: smallest
 * @max: largest
 * @median: middle one, or the mean of the two in the middle
 * @best_amean: arithmetic mean of the lowest stats_best() samples of each share
 * @best_hmean: harmonic mean of the highest
 * @pctile_low: the largest of the lowest stats_best() samples of each share
 * @pctile_high: the smallest of the highest
 *
 * One sample has no spread: all of those are NAN below n = 2. What is too large or too
 * small for a double is NAN, too; none is ever infinite.
 */
struct stats {
	size_t n;
	double sum, amean, hmean;
	double variance_n, variance_n1, stddev_n, stddev_n1, hstddev, stderr_mean;
	double min, max, median;
	double best_amean[STATS_NR_SHARES], best_hmean[STATS_NR_SHARES];
	double pctile_low[STATS_NR_SHARES], pctile_high[STATS_NR_SHARES];
};

/**
 * stats_init - compute @stats
 * @stats: receives the figures, all NAN when @n is 0
 * @samples: finite numbers in any order, left as they are
 * @n: how many
 * @err: may be NULL
 *
 * Return: 0 or -ENOMEM.
 */
int stats_init(struct stats *stats, const double *samples, size_t n, struct err *err);

/**
 * stats_mean - the mean of few numbers, as they are; of a cell's samples see @amean
 * @x: finite
 * @n: at least 1
 */
double stats_mean(const double *x, size_t n);

/** stats_best - how many of @n samples are the share: int(share * n), at least 1 */
size_t stats_best(size_t n, enum stats_share share);

/** stats_coeffvar - @stddev as a percentage of @mean; NAN when @mean is 0, or too large */
double stats_coeffvar(double stddev, double mean);

#endif
