/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rule: what the runs of two cells say about a change. docs/verdict.md explains it to
 * users. It takes two steps, since between them the p of a whole table are adjusted for
 * their number.
 */
#ifndef COMPARE_VERDICT_H
#define COMPARE_VERDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compare/family.h"
#include "compare/rank.h"
#include "compare/ratio.h"
#include "compare/runs.h"

/**
 * enum verdict - what the runs say
 * @VERDICT_NONE: not to be judged
 * @VERDICT_MISSING: a side has no number
 * @VERDICT_INCONCLUSIVE: can't tell
 * @VERDICT_SAME: less than delta apart
 * @VERDICT_MIXED: mean and typical run went opposite ways
 * @VERDICT_BETTER_WEAK: perhaps; more runs would tell
 * @VERDICT_WORSE_WEAK: likewise
 * @VERDICT_BETTER: yes
 * @VERDICT_WORSE: yes
 */
enum verdict {
	VERDICT_NONE,
	VERDICT_MISSING,
	VERDICT_INCONCLUSIVE,
	VERDICT_SAME,
	VERDICT_MIXED,
	VERDICT_BETTER_WEAK,
	VERDICT_WORSE_WEAK,
	VERDICT_BETTER,
	VERDICT_WORSE,
	NR_VERDICTS
};

/** verdict_name - "better?" and so on; NULL for VERDICT_NONE */
const char *verdict_name(enum verdict verdict);

/**
 * struct rule - what counts as a change
 * @delta: share of the old mean below which a change doesn't matter, such as 0.02
 * @alpha: level, such as 0.05
 * @adjust: how p are adjusted for their number
 * @is_chain: each column is compared with the one before it, not with the first
 */
struct rule {
	double delta, alpha;
	enum family_adjust adjust;
	bool is_chain;
};

/** rule_default - delta 2%, alpha 5%, Benjamini and Hochberg, all against the first */
extern const struct rule rule_default;

/** enum unit - what counts as one independent value */
enum unit { UNIT_RUNS, UNIT_BOOTS };

/**
 * struct comparison - two cells beside each other; NAN is what is not known
 * @base_idx: column compared with
 * @design: how they lie in time
 * @unit: of what the statistics are; boots where both sides have several
 * @nr_base: values of the baseline that were compared; pairs where there are any
 * @nr_other: of the other
 * @effect: of the means
 * @pair_ratio: geometric mean of the pairs' ratios
 * @p_rank: by rank: signed ranks for pairs, Brunner and Munzel's for unequal numbers,
 *          else Mann and Whitney's
 * @p: both p combined; that of the means alone where the ranks couldn't reach alpha
 * @q: @p adjusted
 * @shift: of a typical run; a ratio, a difference where not all values are above 0
 * @is_shift_ratio: which one
 * @cles: share of pairs of runs of which the new one is larger
 * @failures_p: of as many failures
 * @is_confounded: the columns share no boot, and one of them has one boot only
 * @is_missing: a side has no mean
 * @is_without_variance: there is nothing to compare a difference with
 * @is_equal: both have samples, and all of them are the same number
 * @verdict: after verdict_decide()
 * @reason: why there is no better one; static, may be NULL
 */
struct comparison {
	size_t base_idx;
	enum design design;
	enum unit unit;
	size_t nr_base, nr_other;
	struct effect effect;
	double pair_ratio, p_rank, p, q;
	struct shift shift;
	bool is_shift_ratio;
	double cles, failures_p;
	bool is_confounded, is_missing, is_without_variance, is_equal;
	enum verdict verdict;
	const char *reason;
};

/**
 * struct cut_memo - the last interval that rank_cut() was asked for; all zero is empty
 *
 * The cells of a table mostly have as many runs as each other.
 */
struct cut_memo {
	size_t nr_x, nr_y, cut;
};

/**
 * verdict_measure - compute all but q and verdict
 * @base: the old runs
 * @other: the new ones
 * @rule: its alpha
 * @memo: of the caller, for all comparisons with this rule
 * @ret: receives the figures
 *
 * Return: 0 or -ENOMEM.
 */
int verdict_measure(const struct runs *base, const struct runs *other,
		    const struct rule *rule, struct cut_memo *memo,
		    struct comparison *ret);

/**
 * verdict_decide - set verdict and reason from the figures
 * @comparison: measured, its q set
 * @rule: the rule
 * @is_higher_better: direction of the metric
 */
void verdict_decide(struct comparison *comparison, const struct rule *rule,
		    bool is_higher_better);

/**
 * verdict_sum - one verdict for several
 * @nr: how many there are of each
 *
 * Return: the change if all that changed did so in one direction, VERDICT_MIXED if not,
 * VERDICT_SAME if all that were judged are; otherwise that it is inconclusive, missing
 * or not judged.
 */
enum verdict verdict_sum(const size_t *nr);

#endif
