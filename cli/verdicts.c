// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads --delta and the like, and looks for verdicts to fail on; see verdicts.h. */
#include "cli/verdicts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"

/* Each of them fails on those before it, too. */
static const char *const fail_ons[] = { "worse", "worse?", "inconclusive", NULL };

int verdict_percent(const char *option, const char *text, double most, double *ret)
{
	size_t len = strspn(text, "0123456789.");
	char *end;
	double percent = strtod(text, &end);

	if (!len || end != text + len || (*end && strcmp(end, "%") != 0))
		say("--%s: '%s' is no percentage (expected one such as 2%%)", option,
		    text);
	else if (!*end && percent != 0.0)
		say("--%s: '%s' has no %% (expected '%s%%' or '%g%%')", option, text,
		    text, 100.0 * percent);
	else if (percent > most)
		say("--%s: '%s' is not from 0%% to %g%%", option, text, most);
	else {
		*ret = percent / 100.0;
		return EXIT_DONE;
	}
	return EXIT_CONFIG;
}

static int read_alpha(const char *text, double *ret)
{
	int code = verdict_percent("alpha", text, 50.0, ret);

	if (code == EXIT_DONE && *ret == 0.0) {
		say("--alpha: at '%s' nothing is ever found (expected such as 5%%)",
		    text);
		code = EXIT_CONFIG;
	}
	return code;
}

static int read_adjust(const char *text, enum family_adjust *ret)
{
	int found = find_word("--adjust", "word", text, family_adjust_names);

	if (found < 0)
		return EXIT_CONFIG;
	*ret = (enum family_adjust)found;
	return EXIT_DONE;
}

static int read_fail_on(const char *text, size_t *ret)
{
	int found = find_word("--fail-on", "word", text, fail_ons);

	if (found < 0)
		return EXIT_CONFIG;
	*ret = (size_t)found + 1;
	return EXIT_DONE;
}

int verdict_option(struct verdict_options *options, const struct option_def *option,
		   const char *argument)
{
	struct rule *rule = &options->rule;

	if (!strcmp(option->name, "delta"))
		return verdict_percent("delta", argument, 100.0, &rule->delta);
	if (!strcmp(option->name, "alpha"))
		return read_alpha(argument, &rule->alpha);
	if (!strcmp(option->name, "adjust"))
		return read_adjust(argument, &rule->adjust);
	if (!strcmp(option->name, "chain")) {
		rule->is_chain = true;
		return EXIT_DONE;
	}
	if (strcmp(option->name, "fail-on") != 0)
		return -1;
	return read_fail_on(argument, &options->fail_level);
}

/* How far down the list of fail_ons each verdict is reached; 0: never. */
static const size_t levels[NR_VERDICTS] = {
	[VERDICT_WORSE] = 1, [VERDICT_WORSE_WEAK] = 2, [VERDICT_INCONCLUSIVE] = 3,
	[VERDICT_MIXED] = 3, [VERDICT_MISSING] = 3,
};

/*
 * struct gate - what --fail-on looks at, of all columns
 * @nr_named: verdicts that it names
 * @nr_judged: verdicts that figures gave
 * @nr_failing: rows in which iterations fail, and not in the column compared with
 * @nr_weak: rows that are worse but for the boots
 */
struct gate {
	size_t nr_named, nr_judged, nr_failing, nr_weak;
};

static struct gate look_at(const struct judgement *judgement, size_t level)
{
	struct gate gate = { 0 };
	size_t i, j;

	for (i = 1; i < judgement->nr_columns; i++) {
		const struct judged_column *column = &judgement->columns[i];

		gate.nr_failing += column->nr_failing;
		gate.nr_weak += column->nr_weak;
		for (j = 0; j < NR_VERDICTS; j++) {
			if (levels[j] && levels[j] <= level)
				gate.nr_named += column->nr[j];
			if (j > VERDICT_MISSING)
				gate.nr_judged += column->nr[j];
		}
	}
	return gate;
}

int verdict_exit_code(const struct judgement *judgement,
		      const struct verdict_options *options)
{
	struct gate gate = look_at(judgement, options->fail_level);
	const char *word;

	if (!options->fail_level)
		return EXIT_DONE;
	word = fail_ons[options->fail_level - 1];
	if (gate.nr_named)
		say("%zu verdict%s what --fail-on %s names", gate.nr_named,
		    gate.nr_named == 1 ? " is" : "s are", word);
	if (gate.nr_failing)
		say("iterations fail in %zu row%s and not in the column compared with, "
		    "which --fail-on %s names",
		    gate.nr_failing, gate.nr_failing == 1 ? "" : "s", word);
	if (!gate.nr_judged)
		say("nothing could be judged, which --fail-on %s doesn't take for good",
		    word);
	if (gate.nr_weak && options->fail_level == 1)
		say("%zu row%s worse? for want of a second boot, which --fail-on worse "
		    "doesn't name (expected 'worse?', or two boots of each column)",
		    gate.nr_weak, gate.nr_weak == 1 ? " is" : "s are");
	return gate.nr_named || gate.nr_failing || !gate.nr_judged ? EXIT_CELL_FAILED
								   : EXIT_DONE;
}
