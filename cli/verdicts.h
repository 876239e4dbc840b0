/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options that say how verdicts are made, and the exit status that they lead to. */
#ifndef CLI_VERDICTS_H
#define CLI_VERDICTS_H

#include "compare/judge.h"

struct option_def;

/**
 * struct verdict_options - what the command line asks of verdicts
 * @rule: to judge by
 * @fail_level: how many of the levels of --fail-on are failures, 0: none
 */
struct verdict_options {
	struct rule rule;
	size_t fail_level;
};

/** VERDICT_OPTIONS - entries for a subcommand's table of options */
#define VERDICT_OPTIONS                                                                  \
	{ "delta", 0, "PERCENT", "a smaller change is none that matters (default 2%)" }, \
		{ "alpha", 0, "PERCENT", "level of the verdicts (default 5%)" },         \
		{ "adjust", 0, "RULE",                                                   \
		  "p for their number: bh (default), holm or none" },                    \
		{ "chain", 0, NULL, "judge each column against the one before it" },     \
	{                                                                                \
		"fail-on", 0, "VERDICT",                                                 \
			"exit with 1 on worse, or where iterations fail that didn't; "   \
			"on worse? or these, which is all that one boot a kernel can "   \
			"say; on inconclusive or these"                                  \
	}

/**
 * verdict_option - take one option
 * @options: the wishes so far, their rule being rule_default at first
 * @option: any of the subcommand's
 * @argument: of the option, lent for as long as @options lives
 *
 * Return: EXIT_DONE, EXIT_CONFIG after saying why, or -1 for another option.
 */
int verdict_option(struct verdict_options *options, const struct option_def *option,
		   const char *argument);

/**
 * verdict_percent - read "2%", "0.5%" or "0"
 * @option: its name, for the message
 * @text: what was given
 * @most: largest percentage
 * @ret: receives the share
 *
 * Return: EXIT_DONE, or EXIT_CONFIG after saying what was expected.
 */
int verdict_percent(const char *option, const char *text, double most, double *ret);

/**
 * verdict_exit_code - what --fail-on makes of the verdicts
 *
 * Return: EXIT_CELL_FAILED after saying why, also where iterations fail in a column and
 * not in the one it is compared with, and where nothing was judged; or EXIT_DONE.
 */
int verdict_exit_code(const struct judgement *judgement,
		      const struct verdict_options *options);

#endif
