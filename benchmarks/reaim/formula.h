/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From times to figures. The same on both clocks: that of times(), which steps by
 * 10 ms and is comparable with other programs of this kind, and a fine one.
 */
#ifndef BENCHMARKS_REAIM_FORMULA_H
#define BENCHMARKS_REAIM_FORMULA_H

#include <stddef.h>
#include <stdint.h>

/** struct formula_spread - how far apart the children ended, see formula_spread() */
struct formula_spread {
	double std_dev, percent, jti;
};

/** formula_rate - jobs of all @users in a minute, each with @jobs in @seconds */
static inline double formula_rate(uint64_t jobs, uint64_t users, double seconds)
{
	return (double)jobs * 60 * (double)users / seconds;
}

/* By Newton's method: a library for it would make the program bigger to fork. */
static inline double formula_sqrt(double x)
{
	double root = x > 1 ? x : 1;
	double last;

	if (!(x > 0))
		return 0;
	do {
		last = root;
		root = (root + x / root) / 2;
	} while (root < last);
	return last;
}

/**
 * formula_jti - job timing index of a standard deviation of @percent, in percent
 *
 * 100 means that all children took equally long. On ticks it is cut to a whole
 * number, and 0 from 200 percent on, as its users know it.
 */
static inline double formula_jti(double percent, int on_ticks)
{
	if (!on_ticks)
		return 100 - percent;
	return percent >= 200 ? 0 : (double)(long)(100 - percent);
}

/**
 * formula_spread - spread of the times of @nr children
 * @elapsed: of each, from the common start until it was reaped; seconds or ticks
 * @on_ticks: in ticks
 *
 * The standard deviation is that of a population: divided by @nr.
 */
static inline struct formula_spread formula_spread(const double *elapsed, size_t nr,
						   int on_ticks)
{
	struct formula_spread spread = { 0 };
	double sum = 0, squares = 0, mean;
	size_t i;

	for (i = 0; i < nr; i++)
		sum += elapsed[i];
	mean = sum / (double)nr;
	for (i = 0; i < nr; i++)
		squares += (elapsed[i] - mean) * (elapsed[i] - mean);
	spread.std_dev = formula_sqrt(squares / (double)nr);
	spread.percent = mean > 0 ? 100 * spread.std_dev / mean : 0;
	spread.jti = formula_jti(spread.percent, on_ticks);
	return spread;
}

#endif
