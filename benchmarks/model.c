// SPDX-License-Identifier: GPL-2.0-or-later
/* What models share: times and counts out of a run, and how much of the work one does. */
#include "benchmarks/model.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "lib/err.h"

int model_elapsed(const struct program_outcome *outcome, int from, int to, double *ret,
		  struct err *err)
{
	if (!outcome->has_mark[from] || !outcome->has_mark[to] ||
	    outcome->mark_ns[to] <= outcome->mark_ns[from])
		return err_set(err, -EPROTO,
			       "the simulated run has no time from mark %d to mark %d",
			       from, to);
	*ret = (double)(outcome->mark_ns[to] - outcome->mark_ns[from]) / 1e9;
	return 0;
}

int model_notes(const struct program_outcome *outcome, int note, uint64_t nr,
		double *ret_s, struct err *err)
{
	const struct program_note *all = &outcome->notes[note];
	uint64_t sum_ns = 0;
	size_t i;

	for (i = 0; i < all->nr; i++)
		sum_ns += all->ns[i];
	if (all->nr != nr || !sum_ns)
		return err_set(err, -EPROTO,
			       "the simulated tasks noted %zu times (expected %" PRIu64
			       " above 0)",
			       all->nr, nr);
	*ret_s = (double)sum_ns / 1e9;
	return 0;
}

int model_count(const struct program_outcome *outcome, enum program_op op, uint64_t nr,
		struct err *err)
{
	if (outcome->nr_done[op] == nr)
		return 0;
	return err_set(err, -EPROTO,
		       "the simulated tasks did %" PRIu64 " steps of kind %d (expected "
		       "%" PRIu64 ")",
		       outcome->nr_done[op], (int)op, nr);
}

uint64_t model_part(uint64_t asked, uint64_t tasks, uint64_t budget)
{
	uint64_t most = budget < tasks ? 1 : budget / tasks;

	return asked < most ? asked : most;
}

static int by_size(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a;
	uint64_t right = *(const uint64_t *)b;

	return (left > right) - (left < right);
}

void model_sort(uint64_t *ns, size_t nr)
{
	qsort(ns, nr, sizeof(*ns), by_size);
}

uint64_t model_percentile(const uint64_t *ns, size_t nr, unsigned int permille)
{
	size_t rank = (nr * permille + 999) / 1000;

	return ns[rank ? rank - 1 : 0];
}
