// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads --delta and the like, and looks for verdicts to fail on; see verdicts.h. */
#include "cli/verdicts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "lib/text.h"

/* Each of them fails on those before it, too. */
static const char *const fail_ons[] = { "worse", "worse?", "inconclusive", NULL };

/* Where @text is in @words, or how many there are after saying that it isn't. */
static size_t find_word(const char *option, const char *text, const char *const *words)
{
	const char *nearest;
	size_t i;

	for (i = 0; words[i]; i++) {
		if (!strcmp(words[i], text))
			return i;
	}
	nearest = text_nearest(text, words);
	say("--%s: unknown word '%s' (expected %s, %s or %s)%s%s%s", option, text,
	    words[0], words[1], words[2], nearest ? "; did you mean '" : "",
	    nearest ? nearest : "", nearest ? "'?" : "");
	return i;
}

int verdict_percent(const char *option, const char *text, double most, double *ret)
{
	size_t len = strspn(text, "0123456789.");
	char *end;
	double percent = strtod(text, &end);

	if (len && end == text + len && percent <= most &&
	    (!strcmp(end, "%") || (!*end && percent == 0.0))) {
		*ret = percent / 100.0;
		return EXIT_DONE;
	}
	say("--%s: '%s' is not from 0%% to %g%% (expected a percentage such as 2%%)",
	    option, text, most);
	return EXIT_CONFIG;
}

static int read_adjust(const char *text, enum family_adjust *ret)
{
	size_t i = find_word("adjust", text, family_adjust_names);

	if (!family_adjust_names[i])
		return EXIT_CONFIG;
	*ret = (enum family_adjust)i;
	return EXIT_DONE;
}

int verdict_option(struct verdict_options *options, const struct option_def *option,
		   const char *argument)
{
	struct rule *rule = &options->rule;

	if (!strcmp(option->name, "delta"))
		return verdict_percent("delta", argument, 100.0, &rule->delta);
	if (!strcmp(option->name, "alpha"))
		return verdict_percent("alpha", argument, 50.0, &rule->alpha);
	if (!strcmp(option->name, "adjust"))
		return read_adjust(argument, &rule->adjust);
	if (!strcmp(option->name, "chain")) {
		rule->is_chain = true;
		return EXIT_DONE;
	}
	if (strcmp(option->name, "fail-on") != 0)
		return -1;
	options->fail_level = find_word("fail-on", argument, fail_ons) + 1;
	return fail_ons[options->fail_level - 1] ? EXIT_DONE : EXIT_CONFIG;
}

/* How far down the list of fail_ons each verdict is reached; 0: never. */
static const size_t levels[NR_VERDICTS] = {
	[VERDICT_WORSE] = 1, [VERDICT_WORSE_WEAK] = 2, [VERDICT_INCONCLUSIVE] = 3,
	[VERDICT_MIXED] = 3, [VERDICT_MISSING] = 3,
};

int verdict_exit_code(const struct judgement *judgement,
		      const struct verdict_options *options)
{
	size_t nr = 0;
	size_t i, j;

	for (i = 1; i < judgement->nr_columns; i++) {
		for (j = 0; j < NR_VERDICTS; j++)
			nr += levels[j] && levels[j] <= options->fail_level
				      ? judgement->columns[i].nr[j]
				      : 0;
	}
	if (!nr)
		return EXIT_DONE;
	say("%zu verdict%s what --fail-on %s names", nr, nr == 1 ? " is" : "s are",
	    fail_ons[options->fail_level - 1]);
	return EXIT_CELL_FAILED;
}
