/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests that compute: linear systems, points, roots, series.
 * All arithmetic is here and none in a library of its own, because a program
 * that maps less is quicker to fork.
 */
#ifndef BENCHMARKS_REAIM_NUMERIC_H
#define BENCHMARKS_REAIM_NUMERIC_H

#include <stdlib.h>

#include "benchmarks/reaim/amounts.h"
#include "benchmarks/reaim/formula.h"
#include "benchmarks/reaim/work.h"

enum {
	NUMERIC_SYSTEM = AMOUNT_SYSTEMS * AMOUNT_SYSTEM_STEP, /* the largest */
	NUMERIC_SIDE = 4,				      /* of a point's matrix */
	NUMERIC_STATE = 128, /* bytes of the C library's generator */
};

static inline double numeric_abs(double x)
{
	return x < 0 ? -x : x;
}

/* sin(x) by its series, |x| up to about 3; @first and @term make it cos(x). */
static inline double numeric_series(double x, double term, int first)
{
	double sum = term;
	int n;

	for (n = first; n < first + 22; n += 2) {
		term = -term * x * x / (n * (n + 1));
		sum += term;
	}
	return sum;
}

static inline double numeric_sin(double x)
{
	return numeric_series(x, x, 2);
}

static inline double numeric_cos(double x)
{
	return numeric_series(x, 1, 1);
}

static inline double numeric_exp(double x)
{
	double term = 1, sum = 1;
	int n;

	for (n = 1; n < 25; n++) {
		term *= x / n;
		sum += term;
	}
	return sum;
}

/* struct numeric_system - @rows that the solution changes, and @kept as they were */
struct numeric_system {
	double rows[NUMERIC_SYSTEM][NUMERIC_SYSTEM + 1];
	double kept[NUMERIC_SYSTEM][NUMERIC_SYSTEM + 1];
};

/* Each unknown in turn leaves all rows but one. The diagonal is strong: no pivoting. */
static inline void numeric_eliminate(struct numeric_system *system, int size)
{
	int i, j, k;

	for (k = 0; k < size; k++) {
		double scale = system->rows[k][k];

		for (j = k; j <= size; j++)
			system->rows[k][j] /= scale;
		for (i = 0; i < size; i++) {
			double factor = i == k ? 0 : system->rows[i][k];

			for (j = 0; j <= size; j++)
				system->rows[i][j] -= factor * system->rows[k][j];
		}
	}
}

static inline int numeric_solve(struct work *work, struct numeric_system *system,
				int size)
{
	double worst = 0;
	int i, j;

	for (i = 0; i < size; i++) {
		for (j = 0; j <= size; j++)
			system->rows[i][j] =
				i == j ? 2 * size : (double)((i * 7 + j * 3) % 11) / 11;
	}
	memcpy(system->kept, system->rows, sizeof(system->kept));
	numeric_eliminate(system, size);
	for (i = 0; i < size; i++) {
		double rest = system->kept[i][size];

		for (j = 0; j < size; j++)
			rest -= system->kept[i][j] * system->rows[j][size];
		worst = numeric_abs(rest) > worst ? numeric_abs(rest) : worst;
	}
	return worst < 1e-9 ? 0 : work_wrong(work, "the system isn't solved");
}

static inline int job_array_rtns(struct work *work)
{
	struct numeric_system *system = calloc(1, sizeof(*system));
	int bad = 0;
	int i;

	if (!system)
		return work_fail(work, "a linear system");
	for (i = 1; !bad && i <= AMOUNT_SYSTEMS; i++)
		bad = numeric_solve(work, system, i * AMOUNT_SYSTEM_STEP);
	free(system);
	return bad;
}

/* Points, each in the last column beside the matrix that turns and moves it. */
static inline int job_matrix_rtns(struct work *work)
{
	double row[NUMERIC_SIDE][NUMERIC_SIDE + 1];
	unsigned int seed = 1;
	int i, j, k;

	for (i = 0; i < AMOUNT_POINTS; i++) {
		double sum = 0;

		for (j = 0; j < NUMERIC_SIDE; j++) {
			for (k = 0; k <= NUMERIC_SIDE; k++) {
				seed = seed * 69069 + 1;
				row[j][k] = seed / 4294967296.0;
			}
		}
		for (j = 0; j < NUMERIC_SIDE; j++) {
			for (k = 0; k < NUMERIC_SIDE; k++)
				sum += row[j][k] * row[k][NUMERIC_SIDE];
		}
		work->sink = sum;
	}
	return 0;
}

/* @x less the nearest multiple of pi/2: what is solved below doesn't see which. */
static inline double numeric_fold(double x)
{
	const double quarter = 1.57079632679489662;

	return x - quarter * (double)(long)(x / quarter + (x < 0 ? -0.5 : 0.5));
}

/* Zeros of 1000 sin(x) cos(x) by Newton's method, from many places. */
static inline int job_new_raph(struct work *work)
{
	int i, n;

	for (i = 0; i < AMOUNT_ZEROS; i++) {
		volatile double start = 0.05 * i;
		double x = start, step = 1;

		for (n = 1; n < AMOUNT_ZERO_TRIES && numeric_abs(step) >= 1e-12; n++) {
			double angle = numeric_fold(x);
			double s = numeric_sin(angle), c = numeric_cos(angle);

			step = 1000 * s * c / (1000 * (c * c - s * s));
			x -= step;
		}
		if (n == AMOUNT_ZERO_TRIES)
			return work_wrong(work, "no zero was found");
		work->sink = x;
	}
	return 0;
}

/* In each round the generator starts anew, which is most of its work. */
static inline int job_num_rtns_1(struct work *work)
{
	char state[NUMERIC_STATE];
	struct random_data random = { 0 };
	double sum = 0;
	int32_t drawn;
	int i;

	if (initstate_r(1, state, sizeof(state), &random))
		return work_fail(work, "no generator");
	for (i = 1; i <= AMOUNT_NUMERIC; i++) {
		volatile double x = i * 0.037;
		double power = numeric_exp(x), root = formula_sqrt(power);

		if (srandom_r((unsigned int)i, &random) || random_r(&random, &drawn))
			return work_fail(work, "no generator");
		if (numeric_abs(root * root - power) > 1e-9 * power)
			return work_wrong(work, "a root is no root");
		sum += power - x * (double)(long)(power / x) + numeric_abs(-x) + drawn;
	}
	work->sink = sum;
	return 0;
}

/* The series of the sine of numbers that halve, until it adds nothing more. */
static inline int job_series_1(struct work *work)
{
	volatile double x = 1;
	int i;

	for (i = 0; i < AMOUNT_SERIES; i++) {
		double last = 2, term = x, sum = 0;
		double square = term * term;
		int n;

		for (n = 2; sum != last; n += 2) {
			last = sum;
			sum += term;
			term = -term * square / (n * (n + 1));
		}
		if (numeric_abs(sum - numeric_sin(x)) > 1e-9)
			return work_wrong(work, "the series came to something else");
		work->sink = sum;
		x = x / 2;
	}
	return 0;
}

static inline int job_trig_rtns(struct work *work)
{
	double sum = 0;
	int i;

	for (i = 0; i < AMOUNT_TRIG; i++) {
		volatile double x = i * (1.5 / AMOUNT_TRIG);
		double s = numeric_sin(x), c = numeric_cos(x);
		double up = numeric_exp(x), down = numeric_exp(-x);

		if (numeric_abs(s * s + c * c - 1) > 1e-12 ||
		    numeric_abs(up * down - 1) > 1e-12 ||
		    numeric_abs(numeric_sin(2 * x) - 2 * s * c) > 1e-9)
			return work_wrong(work, "functions don't match each other");
		sum += s;
	}
	work->sink = sum;
	return 0;
}

#endif
