/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests that compute: linear systems, points, roots, series.
 * All arithmetic is here and none in a library of its own, because a program
 * that maps less is quicker to fork.
 */
#ifndef BENCHMARKS_REAIM_NUMERIC_H
#define BENCHMARKS_REAIM_NUMERIC_H

#include <stdlib.h>

#include "benchmarks/reaim/formula.h"
#include "benchmarks/reaim/work.h"

enum {
	NUMERIC_SYSTEM = 75, /* unknowns of a linear system */
};

static inline double numeric_abs(double x)
{
	return x < 0 ? -x : x;
}

/* sin(x) by its series, |x| small; @first and @term make it cos(x). */
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

/* Gauss' elimination of a system with a strong diagonal; its residue must be small. */
static inline int numeric_solve(struct work *work, double a[][NUMERIC_SYSTEM + 1])
{
	enum { N = NUMERIC_SYSTEM };
	double x[N], sum;
	int i, j, k;

	for (i = 0; i < N; i++) {
		for (j = 0; j <= N; j++)
			a[i][j] = i == j ? 2 * N : (double)((i * 7 + j * 3) % 11) / 11;
	}
	sum = a[0][N];
	for (k = 0; k < N; k++) {
		for (i = k + 1; i < N; i++) {
			double factor = a[i][k] / a[k][k];

			for (j = k; j <= N; j++)
				a[i][j] -= factor * a[k][j];
		}
	}
	for (i = N - 1; i >= 0; i--) {
		x[i] = a[i][N];
		for (j = i + 1; j < N; j++)
			x[i] -= a[i][j] * x[j];
		x[i] /= a[i][i];
	}
	/* The first equation has stayed as it was. */
	for (j = 0; j < N; j++)
		sum -= a[0][j] * x[j];
	work->sink = x[0];
	return numeric_abs(sum) < 1e-9 ? 0 : work_wrong(work, "the system isn't solved");
}

static inline int job_array_rtns(struct work *work)
{
	double(*a)[NUMERIC_SYSTEM + 1] = malloc(NUMERIC_SYSTEM * sizeof(*a));
	int bad = 0;
	int i;

	if (!a)
		return work_fail(work, "a linear system");
	for (i = 0; !bad && i < 20; i++)
		bad = numeric_solve(work, a);
	free(a);
	return bad;
}

/* 100 points turned, moved and scaled by a matrix. */
static inline int job_matrix_rtns(struct work *work)
{
	volatile double angle = 0.7;
	double c = numeric_cos(angle), s = numeric_sin(angle);
	const double m[4][4] = {
		{ c, -s, 0, 1 }, { s, c, 0, -1 }, { 0, 0, 2, 3 }, { 0, 0, 0, 1 }
	};
	double sum = 0;
	int i, row;

	for (i = 0; i < 100; i++) {
		const double p[4] = { i, 1 - i, i * 0.5, 1 };

		for (row = 0; row < 4; row++)
			sum += m[row][0] * p[0] + m[row][1] * p[1] + m[row][2] * p[2] +
			       m[row][3] * p[3];
	}
	work->sink = sum;
	return 0;
}

/* 200 zeros of x^3 - a. */
static inline int job_new_raph(struct work *work)
{
	int i, n;

	for (i = 1; i <= 200; i++) {
		volatile double a = i;
		double x = a;

		for (n = 0; n < 40; n++)
			x -= (x * x * x - a) / (3 * x * x);
		if (numeric_abs(x * x * x - a) > 1e-9 * a)
			return work_wrong(work, "no zero was found");
		work->sink = x;
	}
	return 0;
}

static inline int job_num_rtns_1(struct work *work)
{
	double sum = 0;
	int i;

	for (i = 1; i <= 20; i++) {
		volatile double x = i * 0.37;

		sum += formula_sqrt(x) + numeric_exp(x) + numeric_abs(-x) +
		       (double)(long)(x * 100) + x * x * x;
	}
	work->sink = sum;
	return 0;
}

static inline int job_series_1(struct work *work)
{
	int i;

	for (i = 0; i < 100; i++) {
		volatile double x = i * 0.01;

		work->sink = numeric_exp(x);
	}
	return 0;
}

static inline int job_trig_rtns(struct work *work)
{
	double sum = 0;
	int i;

	for (i = 0; i < 5000; i++) {
		volatile double x = i * 0.0003;
		double s = numeric_sin(x), c = numeric_cos(x);

		if (numeric_abs(s * s + c * c - 1) > 1e-12)
			return work_wrong(work, "sine and cosine don't match");
		sum += s;
	}
	work->sink = sum;
	return 0;
}

#endif
