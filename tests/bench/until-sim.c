// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How runs that a precision ends come out, on numbers of which the truth is known:
 *
 *	until-sim SEED SERIES
 *
 * prints a line "NAME VALUE" for each figure. A series is one row of two columns in pairs
 * with normal noise of 2%, which stops at a half-width of 1%, with 5 to 40 iterations,
 * and is judged by delta 2%. Nothing depends on anything but the arguments.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "compare/power.h"
#include "tests/bench/side-runs.h"

enum { LEAST = 5, MOST = 40 };

static const double target = 0.01;

/*
 * struct figures - of all series
 * @nr_at: series by the iterations they stopped after
 */
struct figures {
	size_t nr, nr_reached, nr_changed, nr_same, nr_inconclusive;
	size_t nr_inconclusive_reached;
	size_t nr_at[MOST + 1];
};

static void count(struct figures *figures, const struct comparison *c, size_t nr)
{
	int is_reached = power_halfwidth(c) <= target;
	int is_open = c->verdict == VERDICT_INCONCLUSIVE;

	figures->nr++;
	figures->nr_at[nr]++;
	figures->nr_reached += is_reached;
	figures->nr_changed +=
		c->verdict == VERDICT_BETTER || c->verdict == VERDICT_WORSE;
	figures->nr_same += c->verdict == VERDICT_SAME;
	figures->nr_inconclusive += is_open;
	figures->nr_inconclusive_reached += is_reached && is_open;
}

static void simulate_series(struct rng *rng, double effect, int has_blocks,
			    struct figures *figures)
{
	struct cut_memo memo = { 0 };
	struct side_runs base, other;
	struct comparison c;
	size_t nr;

	for (nr = 1; nr <= MOST; nr++) {
		side_put(&base, nr - 1, 1.0 + 0.02 * normal(rng), has_blocks);
		side_put(&other, nr - 1, effect * (1.0 + 0.02 * normal(rng)), has_blocks);
		if (nr < LEAST)
			continue;
		side_finish(&base, nr, 1);
		side_finish(&other, nr, 1);
		if (verdict_measure(&base.runs, &other.runs, &rule_default, &memo, &c))
			abort();
		if (nr == MOST || power_halfwidth(&c) <= target)
			break;
	}
	c.q = c.p;
	verdict_decide(&c, &rule_default, false);
	count(figures, &c, nr);
}

static size_t median(const struct figures *figures)
{
	size_t sum = 0;
	size_t i;

	for (i = 0; i < MOST && 2 * sum < figures->nr; i++)
		sum += figures->nr_at[i + 1];
	return i;
}

static void simulate(uint64_t seed, size_t nr_series, double effect, int has_blocks)
{
	struct figures figures = { 0 };
	const char *design = has_blocks ? "paired" : "plain";
	int percent = (int)lround(100.0 * (effect - 1.0));
	struct rng rng;
	double nr;
	size_t i;

	rng_seed(&rng, seed, (uint64_t)percent * 2 + (uint64_t)has_blocks);
	for (i = 0; i < nr_series; i++)
		simulate_series(&rng, effect, has_blocks, &figures);
	nr = (double)figures.nr;
	printf("%s-%d-median %zu\n", design, percent, median(&figures));
	printf("%s-%d-reached %.4f\n", design, percent, (double)figures.nr_reached / nr);
	printf("%s-%d-changed %.4f\n", design, percent, (double)figures.nr_changed / nr);
	printf("%s-%d-same %.4f\n", design, percent, (double)figures.nr_same / nr);
	printf("%s-%d-open %.4f\n", design, percent,
	       (double)figures.nr_inconclusive / nr);
	printf("%s-%d-open-reached %zu\n", design, percent,
	       figures.nr_inconclusive_reached);
}

int main(int argc, char **argv)
{
	uint64_t seed;
	size_t nr_series;

	if (argc != 3)
		return 2;
	seed = strtoull(argv[1], NULL, 10);
	nr_series = strtoull(argv[2], NULL, 10);
	simulate(seed, nr_series, 1.00, 1);
	simulate(seed, nr_series, 1.02, 1);
	simulate(seed, nr_series, 1.05, 1);
	simulate(seed, nr_series, 1.00, 0);
	return 0;
}
