// SPDX-License-Identifier: GPL-2.0-or-later
/* Sums are compensated and spreads take two passes, so a large offset in the
 * samples costs no digits. See stats.h for the definitions. */
#include "compare/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/sort.h"
#include "lib/err.h"

/* Neumaier's sum: also right when the next term is larger than the sum so far. */
struct sum {
	double total, lost;
};

static void sum_add(struct sum *sum, double x)
{
	double total = sum->total + x;

	if (fabs(sum->total) >= fabs(x))
		sum->lost += (sum->total - total) + x;
	else
		sum->lost += (x - total) + sum->total;
	sum->total = total;
}

/* After an overflow the part lost is inf - inf and must not spoil the total. */
static double sum_value(const struct sum *sum)
{
	return isfinite(sum->lost) ? sum->total + sum->lost : sum->total;
}

/*
 * The power of 2 by which to divide before sums and squares of samples, so that they
 * neither overflow nor vanish; 0 for all that a clock or a counter gives.
 */
static int scale_of(const double *sorted, size_t n)
{
	const int far_exponent = 300;
	double top = fmax(fabs(sorted[0]), fabs(sorted[n - 1]));
	int exponent = top > 0.0 ? ilogb(top) : 0;

	return abs(exponent) > far_exponent ? exponent : 0;
}

static double scaled(double x, int scale)
{
	return scale ? ldexp(x, -scale) : x;
}

/* What a double can't hold is not known, rather than infinite or 0. */
static double unscaled(double x, int scale)
{
	double result = scale ? ldexp(x, scale) : x;

	return isfinite(result) && (result != 0.0 || x == 0.0) ? result : (double)NAN;
}

static double sum_of(const double *x, size_t n, int scale)
{
	struct sum sum = { 0 };
	size_t i;

	for (i = 0; i < n; i++)
		sum_add(&sum, scaled(x[i], scale));
	return sum_value(&sum);
}

/*
 * The means take sorted samples, so that the order of execution can't change a
 * digit, and stay between the ends, so that equal samples have no spread.
 */
static double amean_of(const double *sorted, size_t n)
{
	int scale = scale_of(sorted, n);
	double mean = sum_of(sorted, n, scale) / (double)n;

	if (scale)
		mean = ldexp(mean, scale);
	return fmin(fmax(mean, sorted[0]), sorted[n - 1]);
}

static double hmean_of(const double *sorted, size_t n)
{
	struct sum sum = { 0 };
	double unit;
	size_t i;

	if (sorted[0] <= 0.0)
		return (double)NAN;
	/* The reciprocal of a tiny sample may be infinite, shares of it never are. */
	unit = scale_of(sorted, 1) || scale_of(sorted, n) ? sorted[0] : 1.0;
	for (i = 0; i < n; i++)
		sum_add(&sum, unit / sorted[i]);
	return fmin(fmax(unit * ((double)n / sum_value(&sum)), sorted[0]), sorted[n - 1]);
}

/* The second sum would be 0 if the mean were exact; it takes out its error. */
static double squared_deviations(const double *x, size_t n, double mean, int scale)
{
	struct sum squares = { 0 };
	struct sum rest = { 0 };
	double off;
	size_t i;

	for (i = 0; i < n; i++) {
		double d = scaled(x[i], scale) - scaled(mean, scale);

		sum_add(&squares, d * d);
		sum_add(&rest, d);
	}
	off = sum_value(&rest);
	return fmax(0.0, sum_value(&squares) - off * off / (double)n);
}

static double hstddev_of(const double *x, size_t n, double hmean)
{
	struct sum sum = { 0 };
	size_t i;

	for (i = 0; i < n; i++) {
		double d = hmean / x[i] - 1.0;

		sum_add(&sum, d * d);
	}
	return unscaled(hmean * sqrt(sum_value(&sum) / (double)n), 0);
}

static void set_spreads(struct stats *stats, const double *x)
{
	double n = (double)stats->n;
	int scale = scale_of(x, stats->n);
	double squares = squared_deviations(x, stats->n, stats->amean, scale);

	stats->variance_n = unscaled(squares / n, 2 * scale);
	stats->variance_n1 = unscaled(squares / (n - 1.0), 2 * scale);
	stats->stddev_n = unscaled(sqrt(squares / n), scale);
	stats->stddev_n1 = unscaled(sqrt(squares / (n - 1.0)), scale);
	stats->stderr_mean = stats->stddev_n1 / sqrt(n);
	if (!isnan(stats->hmean))
		stats->hstddev = hstddev_of(x, stats->n, stats->hmean);
}

double stats_mean(const double *x, size_t n)
{
	double mean = 0.0;
	size_t i;

	for (i = 0; i < n; i++)
		mean += x[i] / (double)n;
	return mean;
}

size_t stats_best(size_t n, enum stats_share share)
{
	static const size_t percent[] = { 50, 75, 90, 95, 99 };
	size_t best = n * percent[share] / 100;

	return best ? best : 1;
}

static void set_shares(struct stats *stats, const double *sorted)
{
	size_t n = stats->n;
	size_t i;

	for (i = 0; i < STATS_NR_SHARES; i++) {
		size_t best = stats_best(n, (enum stats_share)i);

		stats->best_amean[i] = amean_of(sorted, best);
		stats->best_hmean[i] = hmean_of(sorted + (n - best), best);
		stats->pctile_low[i] = sorted[best - 1];
		stats->pctile_high[i] = sorted[n - best];
	}
}

static void set_ordered(struct stats *stats, const double *sorted)
{
	size_t n = stats->n;
	double low = sorted[(n - 1) / 2];
	double high = sorted[n / 2];

	stats->min = sorted[0];
	stats->max = sorted[n - 1];
	/* Half of the smallest number is 0, twice the largest is none. */
	stats->median = fmin(fmax(low / 2.0 + high / 2.0, low), high);
	set_shares(stats, sorted);
}

int stats_init(struct stats *stats, const double *samples, size_t n, struct err *err)
{
	double *sorted;
	size_t i;

	*stats = (struct stats){
		.n = n,
		.sum = (double)NAN,
		.amean = (double)NAN,
		.hmean = (double)NAN,
		.variance_n = (double)NAN,
		.variance_n1 = (double)NAN,
		.stddev_n = (double)NAN,
		.stddev_n1 = (double)NAN,
		.hstddev = (double)NAN,
		.stderr_mean = (double)NAN,
		.min = (double)NAN,
		.max = (double)NAN,
		.median = (double)NAN,
	};
	for (i = 0; i < STATS_NR_SHARES; i++) {
		stats->best_amean[i] = (double)NAN;
		stats->best_hmean[i] = (double)NAN;
		stats->pctile_low[i] = (double)NAN;
		stats->pctile_high[i] = (double)NAN;
	}
	if (!n)
		return 0;
	sorted = malloc(n * sizeof(*sorted));
	if (!sorted)
		return err_nomem(err);
	memcpy(sorted, samples, n * sizeof(*sorted));
	sort_numbers(sorted, n);

	stats->sum =
		unscaled(sum_of(sorted, n, scale_of(sorted, n)), scale_of(sorted, n));
	stats->amean = amean_of(sorted, n);
	stats->hmean = hmean_of(sorted, n);
	if (n > 1)
		set_spreads(stats, sorted);
	set_ordered(stats, sorted);
	free(sorted);
	return 0;
}

double stats_coeffvar(double stddev, double mean)
{
	double percent;

	if (mean == 0.0)
		return (double)NAN;
	percent = 100.0 * stddev / mean;
	if (!isfinite(percent))
		percent = 100.0 * (stddev / mean);
	return isfinite(percent) ? percent : (double)NAN;
}
