// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs of cells, and which of them belong together; see runs.h. */
#include "compare/runs.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/stats.h"

/* Samples of one iteration come one after the other. */
static void collect(struct runs *runs, const struct table_cell *cell)
{
	size_t i = 0;
	size_t j;

	while (i < cell->nr_samples) {
		const struct table_origin *origin = &cell->origins[i];
		double sum = 0.0;

		for (j = i; j < cell->nr_samples &&
			    cell->origins[j].execution == origin->execution;
		     j++)
			sum += cell->samples[j];
		runs->values[runs->nr] = sum / (double)(j - i);
		runs->origins[runs->nr] = *origin;
		runs->boots[runs->nr++] = origin->boot;
		i = j;
	}
}

static int set_side(struct runs *runs, bool is_harmonic)
{
	struct stats stats;
	double n = (double)runs->nr;

	if (stats_init(&stats, runs->values, runs->nr, NULL))
		return -ENOMEM;
	if (is_harmonic)
		runs->side = side_of(stats.hmean, stats.hstddev * sqrt(n / (n - 1.0)),
				     runs->nr, runs->resolution);
	else
		runs->side =
			side_of(stats.amean, stats.stddev_n1, runs->nr, runs->resolution);
	return 0;
}

/* A standard deviation that is the mean was typed twice, and isn't one. */
static void set_published(struct runs *runs, const struct table_cell *cell,
			  bool is_harmonic)
{
	double mean = is_harmonic ? cell->stats.hmean : cell->stats.amean;
	double stddev = is_harmonic ? cell->stats.hstddev : cell->stats.stddev_n1;

	runs->nr = (size_t)cell->summary_n;
	if (cell->digits >= 0)
		runs->resolution = pow(10.0, -(double)cell->digits);
	if (stddev == mean)
		stddev = (double)NAN;
	runs->side = side_of(mean, stddev, runs->nr, runs->resolution);
}

int runs_init(struct runs *runs, const struct table_cell *cell, bool is_harmonic)
{
	size_t nr = cell->nr_samples ? cell->nr_samples : 1;

	*runs = (struct runs){
		.nr_boots = cell->nr_boots,
		.resolution = cell->resolution,
		.side = { (double)NAN, (double)NAN, (double)NAN },
	};
	if (cell->is_summary) {
		set_published(runs, cell, is_harmonic);
		return 0;
	}
	runs->values = calloc(nr, sizeof(*runs->values));
	runs->origins = calloc(nr, sizeof(*runs->origins));
	runs->boots = calloc(nr, sizeof(*runs->boots));
	if (!runs->values || !runs->origins || !runs->boots) {
		runs_release(runs);
		return -ENOMEM;
	}
	collect(runs, cell);
	if (runs->nr && set_side(runs, is_harmonic)) {
		runs_release(runs);
		return -ENOMEM;
	}
	return 0;
}

void runs_release(struct runs *runs)
{
	free(runs->values);
	free(runs->origins);
	free(runs->boots);
	*runs = (struct runs){ 0 };
}

const char *design_name(enum design design)
{
	switch (design) {
	case DESIGN_PAIRED:
		return "paired";
	case DESIGN_BLOCKED:
		return "blocked";
	case DESIGN_SEQUENTIAL:
		return "sequential";
	case DESIGN_UNKNOWN:
		break;
	}
	return NULL;
}

static bool is_together(const struct table_origin *a, const struct table_origin *b)
{
	return a->block && a->block == b->block && a->boot && a->boot == b->boot &&
	       a->run == b->run;
}

/* The only run of @runs that was together with @origin; @from is where to look first. */
static size_t partner_of(const struct runs *runs, const struct table_origin *origin,
			 size_t from)
{
	size_t found = runs->nr;
	size_t i;

	/* Blocks follow each other, so that it mostly is the next. */
	if (from < runs->nr && is_together(&runs->origins[from], origin) &&
	    (from + 1 == runs->nr || !is_together(&runs->origins[from + 1], origin)))
		return from;
	for (i = 0; i < runs->nr; i++) {
		if (!is_together(&runs->origins[i], origin))
			continue;
		if (found < runs->nr)
			return runs->nr;
		found = i;
	}
	return found;
}

int design_pairs(const struct runs *base, const struct runs *other, struct pairs *ret)
{
	size_t most = base->nr > other->nr ? base->nr : other->nr;
	size_t next = 0;
	size_t i;

	if (pairs_init(ret, base->nr, fmax(base->resolution, other->resolution)))
		return -ENOMEM;
	for (i = 0; base->values && other->values && i < base->nr; i++) {
		size_t j = partner_of(other, &base->origins[i], next);

		if (j == other->nr || partner_of(base, &other->origins[j], i) != i)
			continue;
		pairs_add(ret, base->values[i], other->values[j]);
		next = j + 1;
	}
	if (ret->nr < 2 || 2 * ret->nr < most)
		ret->nr = 0;
	return 0;
}

/* Times of RFC 3339 in UTC are in the order of their letters. */
static bool set_ends(const struct runs *runs, const char **first, const char **last)
{
	size_t i;

	*first = *last = NULL;
	for (i = 0; runs->values && i < runs->nr; i++) {
		const char *start = runs->origins[i].start;

		if (!start)
			return false;
		if (!*first || strcmp(start, *first) < 0)
			*first = start;
		if (!*last || strcmp(start, *last) > 0)
			*last = start;
	}
	return *first;
}

enum design design_order(const struct runs *base, const struct runs *other)
{
	const char *ends[4];

	if (!set_ends(base, &ends[0], &ends[1]) || !set_ends(other, &ends[2], &ends[3]))
		return DESIGN_UNKNOWN;
	if (strcmp(ends[1], ends[2]) < 0 || strcmp(ends[3], ends[0]) < 0)
		return DESIGN_SEQUENTIAL;
	return DESIGN_BLOCKED;
}

bool design_shares_boot(const struct runs *base, const struct runs *other)
{
	size_t i, j;

	for (i = 0; base->boots && i < base->nr; i++) {
		/* All runs of a boot come together. */
		if (i && base->boots[i] == base->boots[i - 1])
			continue;
		for (j = 0; other->boots && j < other->nr; j++) {
			if (base->boots[i] && base->boots[i] == other->boots[j])
				return true;
		}
	}
	return false;
}
