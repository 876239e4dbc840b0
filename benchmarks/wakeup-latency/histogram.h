/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts of times by their size, and the percentiles of them. Memory and the
 * cost of adding don't depend on how many there are. Here as functions of a
 * header, because a workload's program is made of one file.
 */
#ifndef BENCHMARKS_WAKEUP_LATENCY_HISTOGRAM_H
#define BENCHMARKS_WAKEUP_LATENCY_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

enum {
	HISTOGRAM_BITS = 10,
	HISTOGRAM_EXACT = 1 << HISTOGRAM_BITS,
	HISTOGRAM_HALF = HISTOGRAM_EXACT / 2,
	HISTOGRAM_BUCKETS = HISTOGRAM_EXACT + (64 - HISTOGRAM_BITS) * HISTOGRAM_HALF,
};

/**
 * struct histogram - counts of values; all 0 is an empty one
 * @nr: values in all
 * @bucket: how many of each size: below HISTOGRAM_EXACT a bucket holds one
 *          value, above it those that agree in their first HISTOGRAM_BITS bits,
 *          so that its ends differ by less than 1/HISTOGRAM_HALF
 */
struct histogram {
	uint64_t nr;
	uint64_t bucket[HISTOGRAM_BUCKETS];
};

/** histogram_bucket - index of the bucket that holds @value */
static inline size_t histogram_bucket(uint64_t value)
{
	unsigned int shift;

	if (value < HISTOGRAM_EXACT)
		return (size_t)value;
	shift = 64 - (unsigned int)__builtin_clzll(value) - HISTOGRAM_BITS;
	return HISTOGRAM_EXACT + (size_t)(shift - 1) * HISTOGRAM_HALF +
	       (size_t)(value >> shift) - HISTOGRAM_HALF;
}

/** histogram_greatest - the greatest value that bucket @idx holds */
static inline uint64_t histogram_greatest(size_t idx)
{
	size_t above = idx - HISTOGRAM_EXACT;

	if (idx < HISTOGRAM_EXACT)
		return idx;
	/* The last one wraps around to the greatest number there is. */
	return ((uint64_t)(HISTOGRAM_HALF + above % HISTOGRAM_HALF + 1)
		<< (above / HISTOGRAM_HALF + 1)) -
	       1;
}

/** histogram_add - count @value */
static inline void histogram_add(struct histogram *histogram, uint64_t value)
{
	histogram->bucket[histogram_bucket(value)]++;
	histogram->nr++;
}

/** histogram_merge - count in @into what @from holds */
static inline void histogram_merge(struct histogram *into, const struct histogram *from)
{
	size_t i;

	for (i = 0; i < HISTOGRAM_BUCKETS; i++)
		into->bucket[i] += from->bucket[i];
	into->nr += from->nr;
}

/**
 * histogram_percentile - percentile by nearest rank
 * @histogram: not empty
 * @per_mille: 1 to 1000; 990 is the 99th percentile
 *
 * The smallest value to which at least @per_mille of 1000 are equal or below:
 * in rising order the one at place nr * per_mille / 1000, rounded up. Nothing is
 * interpolated; of its bucket the greatest value stands for it.
 */
static inline uint64_t histogram_percentile(const struct histogram *histogram,
					    unsigned int per_mille)
{
	uint64_t rank = (histogram->nr * per_mille + 999) / 1000;
	uint64_t below = histogram->bucket[0];
	size_t i = 0;

	while (below < rank && i + 1 < HISTOGRAM_BUCKETS)
		below += histogram->bucket[++i];
	return histogram_greatest(i);
}

#endif
