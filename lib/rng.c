// SPDX-License-Identifier: GPL-2.0-or-later
/* Seeded random numbers; see rng.h. */
#include "lib/rng.h"

static uint64_t mix(uint64_t z)
{
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

void rng_seed(struct rng *rng, uint64_t seed, uint64_t stream)
{
	rng->state = mix(seed) ^ mix(stream + UINT64_C(0x9e3779b97f4a7c15));
}

uint64_t rng_next(struct rng *rng)
{
	rng->state += UINT64_C(0x9e3779b97f4a7c15);
	return mix(rng->state);
}

uint64_t rng_below(struct rng *rng, uint64_t limit)
{
	/* The first numbers up to 2^64 mod limit would favour small results. */
	/* cppcheck-suppress oppositeExpression */
	uint64_t skip = -limit % limit;
	uint64_t bits;

	do {
		bits = rng_next(rng);
	} while (bits < skip);
	return bits % limit;
}

void rng_shuffle(struct rng *rng, size_t *idx, size_t nr)
{
	size_t i;

	for (i = nr; i > 1; i--) {
		size_t j = (size_t)rng_below(rng, i);
		size_t held = idx[i - 1];

		idx[i - 1] = idx[j];
		idx[j] = held;
	}
}
