// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How often the rule of verdict.h is wrong, and how much it finds, on numbers of which
 * the truth is known:
 *
 *	verdict-sim SEED TABLES
 *
 * prints a line "NAME VALUE" for each figure. A table is 40 rows of five kinds of noise,
 * 4 of them truly 5% slower. Nothing depends on anything but the arguments.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "compare/family.h"
#include "tests/bench/side-runs.h"

enum { NR_ROWS = 40, NR_TRUE = 4 };

static const double true_effect = 1.05;

enum noise { NORMAL_2, NORMAL_5, BIMODAL, OUTLIERS, SKEWED, NR_NOISES };

/* One run around 1. */
static double draw(struct rng *rng, enum noise noise)
{
	switch (noise) {
	case NORMAL_2:
		return 1.0 + 0.02 * normal(rng);
	case NORMAL_5:
		return 1.0 + 0.05 * normal(rng);
	case BIMODAL:
		return (uniform(rng) < 0.7 ? 0.97 : 1.07) + 0.015 * normal(rng);
	case OUTLIERS:
		return (1.0 + 0.02 * normal(rng)) * (uniform(rng) < 0.1 ? 1.2 : 1.0);
	case SKEWED:
		return 0.95 - 0.05 * log(uniform(rng));
	case NR_NOISES:
		break;
	}
	abort();
}

/* Both sides in one boot; with blocks, they are pairs. */
static void fill(struct side_runs *side, struct rng *rng, enum noise noise, size_t nr,
		 double effect, int has_blocks)
{
	size_t i;

	for (i = 0; i < nr; i++)
		side_put(side, i, effect * draw(rng, noise), has_blocks);
	side_finish(side, nr, 1);
}

static void measure(const struct side_runs *base, const struct side_runs *other,
		    struct cut_memo *memo, struct comparison *ret)
{
	if (verdict_measure(&base->runs, &other->runs, &rule_default, memo, ret))
		abort();
}

static int is_change(const struct comparison *c)
{
	return c->verdict == VERDICT_BETTER || c->verdict == VERDICT_WORSE;
}

/* One table: adds how many changes were found, and the share of those that are false. */
static void simulate_table(struct rng *rng, size_t nr, int has_blocks, double *found,
			   double *wrong)
{
	size_t nr_found = 0;
	size_t nr_wrong = 0;
	struct comparison rows[NR_ROWS];
	struct cut_memo memo = { 0 };
	size_t order[NR_ROWS];
	double p[NR_ROWS];
	double q[NR_ROWS];
	size_t i;

	for (i = 0; i < NR_ROWS; i++)
		order[i] = i;
	rng_shuffle(rng, order, NR_ROWS);
	for (i = 0; i < NR_ROWS; i++) {
		enum noise noise = (enum noise)(order[i] % NR_NOISES);
		struct side_runs base, other;

		fill(&base, rng, noise, nr, 1.0, has_blocks);
		fill(&other, rng, noise, nr, i < NR_TRUE ? true_effect : 1.0, has_blocks);
		measure(&base, &other, &memo, &rows[i]);
		p[i] = rows[i].p;
	}
	if (family_adjust(p, NR_ROWS, FAMILY_BH, q))
		abort();
	for (i = 0; i < NR_ROWS; i++) {
		rows[i].q = q[i];
		verdict_decide(&rows[i], &rule_default, false);
		nr_found += i < NR_TRUE && is_change(&rows[i]);
		nr_wrong += i >= NR_TRUE && is_change(&rows[i]);
	}
	*found += (double)nr_found;
	if (nr_wrong)
		*wrong += (double)nr_wrong / (double)(nr_found + nr_wrong);
}

static void simulate_tables(uint64_t seed, size_t nr_tables, size_t nr, int has_blocks)
{
	const char *design = has_blocks ? "paired" : "plain";
	struct rng rng;
	double found = 0.0;
	double wrong = 0.0;
	size_t i;

	rng_seed(&rng, seed, nr * 2 + (size_t)has_blocks);
	for (i = 0; i < nr_tables; i++)
		simulate_table(&rng, nr, has_blocks, &found, &wrong);
	printf("found-%s-%zu %.3f\n", design, nr, found / (double)nr_tables);
	printf("false-%s-%zu %.4f\n", design, nr, wrong / (double)nr_tables);
}

/* Boots of their own, 2% apart, with runs that are 2% apart. */
static void fill_boots(struct side_runs *side, struct rng *rng, double effect,
		       const char *const *names)
{
	enum { BOOTS = 5, RUNS = 2 };
	double boot = 0.0;
	size_t i;

	for (i = 0; i < (size_t)BOOTS * RUNS; i++) {
		if (i % RUNS == 0)
			boot = 0.02 * normal(rng);
		side->values[i] = effect * (1.0 + boot + 0.02 * normal(rng));
		side->origins[i] = (struct table_origin){
			.boot = names[i / RUNS],
			.execution = i,
		};
		side->boots[i] = names[i / RUNS];
	}
	side_finish(side, (size_t)BOOTS * RUNS, BOOTS);
}

static void simulate_boots(uint64_t seed, size_t nr_series, double effect,
			   const char *name)
{
	static const char *const old[] = { "a1", "a2", "a3", "a4", "a5" };
	static const char *const new[] = { "b1", "b2", "b3", "b4", "b5" };
	struct cut_memo memo = { 0 };
	struct rng rng;
	double changed = 0.0;
	size_t i;

	rng_seed(&rng, seed, effect > 1.0 ? 1001 : 1000);
	for (i = 0; i < nr_series; i++) {
		struct side_runs base, other;
		struct comparison c;

		fill_boots(&base, &rng, 1.0, old);
		fill_boots(&other, &rng, effect, new);
		measure(&base, &other, &memo, &c);
		c.q = c.p;
		verdict_decide(&c, &rule_default, false);
		changed += is_change(&c);
	}
	printf("%s %.4f\n", name, changed / (double)nr_series);
}

int main(int argc, char **argv)
{
	uint64_t seed;
	size_t nr_tables;

	if (argc != 3)
		return 2;
	seed = strtoull(argv[1], NULL, 10);
	nr_tables = strtoull(argv[2], NULL, 10);
	simulate_tables(seed, nr_tables, 30, 0);
	simulate_tables(seed, nr_tables, 30, 1);
	simulate_tables(seed, 8 * nr_tables, 10, 0);
	simulate_tables(seed, 8 * nr_tables, 10, 1);
	simulate_boots(seed, nr_tables * 10, 1.0, "size-boots");
	simulate_boots(seed, nr_tables * 10, true_effect, "power-boots");
	return 0;
}
