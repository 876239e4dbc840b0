/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random order that anyone can repeat: a small generator started from a seed
 * (splitmix64: Steele, Lea and Flood, OOPSLA 2014).
 */
#ifndef LIB_RNG_H
#define LIB_RNG_H

#include <stddef.h>
#include <stdint.h>

/** struct rng - state of one generator */
struct rng {
	uint64_t state;
};

/** rng_seed - start from @seed; @stream gives independent ones of one seed */
void rng_seed(struct rng *rng, uint64_t seed, uint64_t stream);

/** rng_next - the next 64 random bits */
uint64_t rng_next(struct rng *rng);

/** rng_below - a number below @limit (at least 1), each equally likely */
uint64_t rng_below(struct rng *rng, uint64_t limit);

/** rng_shuffle - put @idx, an array of @nr, into random order */
void rng_shuffle(struct rng *rng, size_t *idx, size_t nr);

#endif
