/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the runs of one cell look like, beyond mean and spread: outliers, two modes, runs
 * that depend on the one before, a trend. These are remarks for a reader; nothing is left
 * out because of them.
 */
#ifndef COMPARE_SHAPE_H
#define COMPARE_SHAPE_H

#include <stdbool.h>
#include <stddef.h>

/**
 * enum shape_flag - remarks on a series
 * @SHAPE_OUTLIER: a value is more than 3.5 robust standard deviations from the median
 *                 (Iglewicz and Hoaglin), or three quartile ranges outside the quartiles
 *                 (Tukey)
 * @SHAPE_WARMUP: the first run of a boot is one; more warm-up may help
 * @SHAPE_BIMODAL: by the dip, see dip.h
 * @SHAPE_AUTOCORRELATED: neighbours are more alike, or less, than chance would have it
 * @SHAPE_TREND: values follow the order of execution, rank correlation with p < 1%
 */
enum shape_flag {
	SHAPE_OUTLIER = 1 << 0,
	SHAPE_WARMUP = 1 << 1,
	SHAPE_BIMODAL = 1 << 2,
	SHAPE_AUTOCORRELATED = 1 << 3,
	SHAPE_TREND = 1 << 4,
};

/**
 * struct shape - the remarks
 * @flags: of enum shape_flag
 * @nr_outliers: how many values are
 * @modes: centres of the two modes when bimodal: the mean on either side of the widest
 *         gap; otherwise NAN
 * @low_share: share of the values at the lower one
 * @n_effective: as many independent values would say as much; NAN when not autocorrelated
 */
struct shape {
	unsigned int flags;
	size_t nr_outliers;
	double modes[2], low_share, n_effective;
};

/**
 * shape_init - look at a series
 * @shape: receives the remarks
 * @values: finite, in order of execution
 * @boots: what tells boots apart, one for each value; may be NULL: not known
 * @n: how many
 *
 * Modes, autocorrelation and trend need 10 values, outliers 5.
 *
 * Return: 0 or -ENOMEM.
 */
int shape_init(struct shape *shape, const double *values, const void *const *boots,
	       size_t n);

#endif
