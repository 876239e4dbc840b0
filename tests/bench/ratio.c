// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The ratio of two things that were measured side by side, with its 90% interval.
 *
 *   ratio [--least=X] [--most=Y] < PAIRS
 *
 * A line of PAIRS is "reference candidate", two numbers of one round. Printed is
 *
 *   RATIO LOW HIGH PAIRS met|missed|inconclusive settled|wide
 *
 * RATIO is the Hodges-Lehmann estimate of candidate / reference and LOW..HIGH the
 * interval that belongs to it, by Wilcoxon's signed ranks of the logarithms: a round
 * that something else disturbed shifts neither. It is met when the whole interval is
 * inside X..Y, missed when it is wholly outside, and settled when it is within 2% of
 * the ratio. Small differences of large times may come out at 0 or below: such a
 * candidate ranks below all ratios, such a reference above all, and a round in which
 * both are so says nothing and isn't counted.
 */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Fewer have no 90% interval. The most keeps the pairwise means at 16 MB. */
enum { PAIRS_LEAST = 5, PAIRS_MOST = 2000 };

/* Log of a ratio beyond all others. */
static const double beyond = 50.0;
static const double settled_share = 0.02;

struct band {
	double least, most;
};

struct estimate {
	double ratio, low, high;
	size_t nr;
};

static int complain(const char *what)
{
	fprintf(stderr, "ratio: %s\n", what);
	return -1;
}

static int read_number(const char *text, char **end, double *ret)
{
	*ret = strtod(text, end);
	return *end == text || !isfinite(*ret) ? -1 : 0;
}

static double log_ratio(double reference, double candidate)
{
	if (reference <= 0.0)
		return beyond;
	return candidate <= 0.0 ? -beyond : log(candidate / reference);
}

/* The number of log ratios read, or -1 with the reason printed. */
static int read_pairs(FILE *in, double *logs)
{
	char line[256];
	int nr = 0;

	while (fgets(line, sizeof(line), in)) {
		double reference;
		double candidate;
		char *end;

		if (read_number(line, &end, &reference) ||
		    read_number(end, &end, &candidate) || strcmp(end, "\n") != 0)
			return complain("expected lines of two numbers");
		if (reference <= 0.0 && candidate <= 0.0)
			continue;
		if (nr == PAIRS_MOST)
			return complain("more pairs than it has room for");
		logs[nr++] = log_ratio(reference, candidate);
	}
	return ferror(in) ? complain("cannot read the pairs") : nr;
}

static int by_value(const void *a, const void *b)
{
	double first = *(const double *)a;
	double second = *(const double *)b;

	return (first > second) - (first < second);
}

static double middle(const double *sorted, size_t nr)
{
	return (sorted[(nr - 1) / 2] + sorted[nr / 2]) / 2.0;
}

static int estimate(const double *logs, size_t nr, struct estimate *ret)
{
	const double z90 = 1.6448536269514722;
	double n = (double)nr;
	size_t nr_means = nr * (nr + 1) / 2;
	double *means = calloc(nr_means, sizeof(*means));
	size_t at = 0;
	size_t cut;
	size_t i;
	size_t j;

	if (!means)
		return complain("out of memory");
	for (i = 0; i < nr; i++) {
		for (j = i; j < nr; j++)
			means[at++] = (logs[i] + logs[j]) / 2.0;
	}
	qsort(means, nr_means, sizeof(*means), by_value);
	cut = (size_t)(n * (n + 1) / 4 - z90 * sqrt(n * (n + 1) * (2 * n + 1) / 24));
	cut = cut ? cut - 1 : 0;
	ret->ratio = exp(middle(means, nr_means));
	ret->low = exp(means[cut]);
	ret->high = exp(means[nr_means - 1 - cut]);
	ret->nr = nr;
	free(means);
	return 0;
}

static const char *judge(const struct estimate *estimate, const struct band *band)
{
	if (estimate->high < band->least || estimate->low > band->most)
		return "missed";
	if (estimate->low >= band->least && estimate->high <= band->most)
		return "met";
	return "inconclusive";
}

static bool is_settled(const struct estimate *estimate)
{
	return estimate->low >= estimate->ratio * (1 - settled_share) &&
	       estimate->high <= estimate->ratio * (1 + settled_share);
}

static int parse_args(int argc, char **argv, struct band *band)
{
	static const char least[] = "--least=";
	static const char most[] = "--most=";
	char *end;
	int i;

	for (i = 1; i < argc; i++) {
		double *limit = &band->least;
		const char *text = argv[i];

		if (!strncmp(text, least, strlen(least))) {
			text += strlen(least);
		} else if (!strncmp(text, most, strlen(most))) {
			text += strlen(most);
			limit = &band->most;
		} else {
			return complain("expected --least=X and --most=Y only");
		}
		if (read_number(text, &end, limit) || *end)
			return complain("a limit is not a number");
	}
	return 0;
}

int main(int argc, char **argv)
{
	static double logs[PAIRS_MOST];
	struct band band = { .least = 0.0, .most = HUGE_VAL };
	struct estimate result;
	int nr;

	if (parse_args(argc, argv, &band))
		return 2;
	nr = read_pairs(stdin, logs);
	if (nr < 0)
		return 2;
	if (nr < PAIRS_LEAST) {
		complain("fewer than 5 pairs that say something");
		return 3;
	}
	if (estimate(logs, (size_t)nr, &result))
		return 2;
	printf("%.4g %.4g %.4g %zu %s %s\n", result.ratio, result.low, result.high,
	       result.nr, judge(&result, &band),
	       is_settled(&result) ? "settled" : "wide");
	return 0;
}
