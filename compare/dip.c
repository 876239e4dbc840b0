// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The distribution with one peak that is closest to a staircase is convex up to an
 * interval and concave behind it. The interval is narrowed from both ends: the best
 * convex curve below the staircase and the best concave one above it touch its corners,
 * and where the two are furthest apart is where the peak has to be. See dip.h.
 */
#include "compare/dip.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/*
 * struct stairs - the staircase; heights in samples
 * @x: where the steps are, ascending, all different
 * @low: height below the step
 * @high: height on it
 * @nr: how many
 * @below: indexes of the corners that the convex curve touches
 * @above: of those that the concave one does
 * @nr_below: how many
 * @nr_above: how many
 */
struct stairs {
	double *x, *low, *high;
	size_t nr;
	size_t *below, *above;
	size_t nr_below, nr_above;
};

static void stairs_release(struct stairs *stairs)
{
	free(stairs->x);
	free(stairs->below);
}

static int stairs_init(struct stairs *stairs, const double *sorted, size_t n)
{
	size_t i;

	*stairs = (struct stairs){ 0 };
	stairs->x = calloc(3 * n, sizeof(double));
	stairs->below = calloc(2 * n, sizeof(size_t));
	if (!stairs->x || !stairs->below) {
		stairs_release(stairs);
		return -ENOMEM;
	}
	stairs->low = stairs->x + n;
	stairs->high = stairs->low + n;
	stairs->above = stairs->below + n;
	for (i = 0; i < n; i++) {
		if (!i || sorted[i] != sorted[i - 1]) {
			stairs->x[stairs->nr] = sorted[i];
			stairs->low[stairs->nr++] = (double)i;
		}
		stairs->high[stairs->nr - 1] = (double)i + 1.0;
	}
	return 0;
}

/* Whether the line from @a to @c passes the corner @b on its side, @sign saying which. */
static bool is_passed(const struct stairs *s, const double *y, double sign,
		      const size_t *abc)
{
	double first = (y[abc[1]] - y[abc[0]]) * (s->x[abc[2]] - s->x[abc[0]]);
	double second = (y[abc[2]] - y[abc[0]]) * (s->x[abc[1]] - s->x[abc[0]]);

	return sign * (first - second) >= 0.0;
}

/* The corners from @first to @last that a rope pulled tight along them touches. */
static size_t hull(const struct stairs *s, const double *y, double sign, size_t *ret,
		   const size_t *ends)
{
	size_t nr = 0;
	size_t i;

	for (i = ends[0]; i <= ends[1]; i++) {
		while (nr >= 2) {
			const size_t abc[] = { ret[nr - 2], ret[nr - 1], i };

			if (!is_passed(s, y, sign, abc))
				break;
			nr--;
		}
		ret[nr++] = i;
	}
	return nr;
}

/* Height of the curve through corners @a and @b at corner @i between them. */
static double height(const struct stairs *s, const double *y, size_t a, size_t b,
		     size_t i)
{
	if (a == b)
		return y[a];
	return y[a] + (y[b] - y[a]) * (s->x[i] - s->x[a]) / (s->x[b] - s->x[a]);
}

/* The corners of @touched around @i: @ret[0] <= i <= @ret[1]. */
static void around(const size_t *touched, size_t nr, size_t i, size_t *ret)
{
	size_t at = 0;

	while (at + 1 < nr && touched[at + 1] <= i)
		at++;
	ret[0] = touched[at];
	ret[1] = touched[at] == i || at + 1 == nr ? touched[at] : touched[at + 1];
}

/* How far the concave curve is above the convex one at corner @i. */
static double gap(const struct stairs *s, size_t i)
{
	size_t a[2];
	size_t b[2];

	around(s->above, s->nr_above, i, a);
	around(s->below, s->nr_below, i, b);
	return height(s, s->high, a[0], a[1], i) - height(s, s->low, b[0], b[1], i);
}

/*
 * The widest gap at any corner that a curve touches, and the ends of the interval that
 * the peak must be in for it.
 */
static double widest(const struct stairs *s, size_t *ret)
{
	double most = -1.0;
	size_t corners[2];
	size_t i;

	for (i = 0; i < s->nr_below; i++) {
		if (gap(s, s->below[i]) <= most)
			continue;
		most = gap(s, s->below[i]);
		around(s->above, s->nr_above, s->below[i], corners);
		ret[0] = s->below[i];
		ret[1] = corners[1];
	}
	for (i = 0; i < s->nr_above; i++) {
		if (gap(s, s->above[i]) <= most)
			continue;
		most = gap(s, s->above[i]);
		around(s->below, s->nr_below, s->above[i], corners);
		ret[0] = corners[0];
		ret[1] = s->above[i];
	}
	return most;
}

/*
 * How far the staircase is from the convex curve up to @last, but for the step there:
 * at its peak a distribution may have one.
 */
static double off_below(const struct stairs *s, size_t last)
{
	double most = 0.0;
	size_t i, j;

	for (i = 0; i + 1 < s->nr_below && s->below[i + 1] <= last; i++) {
		for (j = s->below[i]; j < s->below[i + 1]; j++)
			most = fmax(most, s->high[j] - height(s, s->low, s->below[i],
							      s->below[i + 1], j));
	}
	return most;
}

/* And from the concave one, from @first on. */
static double off_above(const struct stairs *s, size_t first)
{
	double most = 0.0;
	size_t i, j;

	for (i = s->nr_above - 1; i && s->above[i - 1] >= first; i--) {
		for (j = s->above[i - 1] + 1; j <= s->above[i]; j++)
			most = fmax(most,
				    height(s, s->high, s->above[i - 1], s->above[i], j) -
					    s->low[j]);
	}
	return most;
}

int dip_of(const double *sorted, size_t n, double *ret)
{
	struct stairs stairs;
	size_t ends[2] = { 0, 0 };
	double dip = 1.0;

	if (stairs_init(&stairs, sorted, n))
		return -ENOMEM;
	ends[1] = stairs.nr - 1;
	while (ends[0] < ends[1]) {
		size_t inner[2] = { ends[0], ends[1] };

		stairs.nr_below = hull(&stairs, stairs.low, 1.0, stairs.below, ends);
		stairs.nr_above = hull(&stairs, stairs.high, -1.0, stairs.above, ends);
		if (widest(&stairs, inner) <= dip)
			break;
		dip = fmax(dip, fmax(off_below(&stairs, inner[0]),
				     off_above(&stairs, inner[1])));
		if (inner[0] == ends[0] && inner[1] == ends[1])
			break;
		ends[0] = inner[0];
		ends[1] = inner[1];
	}
	*ret = dip / (2.0 * (double)n);
	stairs_release(&stairs);
	return 0;
}

/*
 * Of 60,000 uniform series of each length, the dip that 5% exceed, times the square root
 * of the length.
 */
static const struct {
	size_t n;
	double scaled;
} critical[] = {
	{ 10, 0.44105 },  { 12, 0.45064 }, { 14, 0.45760 }, { 16, 0.46175 },
	{ 18, 0.46628 },  { 20, 0.46922 }, { 25, 0.48037 }, { 30, 0.48095 },
	{ 40, 0.49265 },  { 50, 0.49846 }, { 75, 0.50534 }, { 100, 0.51104 },
	{ 150, 0.51662 },
};

bool dip_is_large(double dip, size_t n)
{
	const size_t nr = sizeof(critical) / sizeof(*critical);
	double scaled = dip * sqrt((double)n);
	size_t i = 0;
	double share;

	if (n < critical[0].n)
		return false;
	while (i + 1 < nr && critical[i + 1].n <= n)
		i++;
	if (i + 1 == nr)
		return scaled > critical[i].scaled;
	share = (double)(n - critical[i].n) / (double)(critical[i + 1].n - critical[i].n);
	return scaled >
	       critical[i].scaled + share * (critical[i + 1].scaled - critical[i].scaled);
}
