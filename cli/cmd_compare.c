// SPDX-License-Identifier: GPL-2.0-or-later
/* schedgrid compare: the tables of one or more runs. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/verdicts.h"
#include "compare/fmt.h"
#include "compare/fmt_avg.h"
#include "compare/fmt_csv.h"
#include "compare/fmt_json.h"
#include "compare/fmt_lkp.h"
#include "compare/fmt_markdown.h"
#include "compare/fmt_mmtests.h"
#include "compare/fmt_pct.h"
#include "compare/fmt_perfstat.h"
#include "compare/load.h"
#include "compare/table.h"
#include "compare/table_plan.h"
#include "lib/err.h"
#include "lib/text.h"

static const struct option_def options[] = {
	{ "format", 0, "FORMAT",
	  "mmtests (default), mmtests-2016, lkp, pct, avg, perf-stat, markdown, csv or json" },
	{ "baseline", 0, "COLUMN", "the column to compare with (default: the first)" },
	VERDICT_OPTIONS,
	{ "all", 0, NULL, "also secondary metrics and rows that are 0 everywhere" },
	{ "merge", 0, NULL, "make one column of equal names in several directories" },
	{ "force", 0, NULL, "compare unlike programs, parameters, machines or kernels" },
	{ 0 },
};

static const char *const formats[] = { "mmtests",   "mmtests-2016", "lkp", "pct",  "avg",
				       "perf-stat", "markdown",	    "csv", "json", NULL };

/**
 * struct wish - what the command line asks for
 */
struct wish {
	const char *format;
	bool all;
	struct load_options load;
	struct verdict_options verdicts;
};

static void on_note(const char *note, void *data)
{
	(void)data;
	say("%s", note);
}

static int print_mmtests(const struct table *table, const struct wish *wish,
			 struct err *err)
{
	const struct mmtests_options how = {
		.layout = strcmp(wish->format, "mmtests") ? MMTESTS_2016 : MMTESTS_TODAY,
		.all = wish->all,
		.version = SCHEDGRID_VERSION,
	};

	return fmt_mmtests(stdout, table, &how, err);
}

/* Values between commas have no place for notes. */
static int print_csv(const struct table *table, struct err *err)
{
	size_t i;

	for (i = 0; i < table->nr_notes; i++)
		say("not comparable: %s", table->notes[i]);
	for (i = 0; i < table->nr_runs; i++) {
		const struct table_run *this = &table->runs[i];

		if (this->nr_recorded < this->nr_planned)
			say("%s is unfinished: %ju of %ju iterations are recorded",
			    this->dir, (uintmax_t)this->nr_recorded,
			    (uintmax_t)this->nr_planned);
	}
	return fmt_csv(stdout, table, err);
}

static int print_table(const struct table *table, const struct wish *wish)
{
	const struct fmt_options how = {
		.all = wish->all,
		.version = SCHEDGRID_VERSION,
	};
	struct err err = { 0 };
	int bad;

	if (!strcmp(wish->format, "json"))
		bad = fmt_json(stdout, table, SCHEDGRID_VERSION, &err);
	else if (!strcmp(wish->format, "csv"))
		bad = print_csv(table, &err);
	else if (!strcmp(wish->format, "pct"))
		bad = fmt_pct(stdout, table, &how, &err);
	else if (!strcmp(wish->format, "lkp"))
		bad = fmt_lkp(stdout, table, &how, &err);
	else if (!strcmp(wish->format, "avg"))
		bad = fmt_avg(stdout, table, &how, &err);
	else if (!strcmp(wish->format, "perf-stat"))
		bad = fmt_perfstat(stdout, table, &how, &err);
	else if (!strcmp(wish->format, "markdown"))
		bad = fmt_markdown(stdout, table, &how, &err);
	else
		bad = print_mmtests(table, wish, &err);
	return bad ? complain(&err, EXIT_HOST) : finish_stdout();
}

static int exit_code(int error)
{
	if (error == -ENOMEM)
		return EXIT_HOST;
	return error == -EINVAL || error == -EEXIST ? EXIT_CONFIG : EXIT_DATA;
}

static int compare(const struct wish *wish)
{
	struct judgement *judgement = NULL;
	struct table *table = NULL;
	struct err err = { 0 };
	int code;
	int bad = load_table(&wish->load, &table, &err);

	if (!bad)
		bad = judge_table(table, &wish->verdicts.rule, &judgement, &err);
	if (bad) {
		table_free(table);
		return complain(&err, exit_code(bad));
	}
	table->judgement = judgement;
	code = print_table(table, wish);
	if (code == EXIT_DONE)
		code = verdict_exit_code(judgement, &wish->verdicts);
	judgement_free(judgement);
	table_free(table);
	return code;
}

static int refuse_format(const char *text)
{
	const char *nearest = text_nearest(text, formats);

	say("compare: unknown format '%s' (expected mmtests, mmtests-2016, lkp, pct, avg, "
	    "perf-stat, markdown, csv or json)%s%s%s",
	    text, nearest ? "; did you mean '" : "", nearest ? nearest : "",
	    nearest ? "'?" : "");
	return EXIT_CONFIG;
}

static int run(int argc, char **argv)
{
	struct options opts = { &cmd_compare, argc, argv };
	struct wish wish = {
		.format = "mmtests",
		.load.on_note = on_note,
		.verdicts.rule = rule_default,
	};
	const struct option_def *option;
	const char *argument;
	int code;
	size_t i;

	while ((option = options_next(&opts, &argument, &code))) {
		int taken = verdict_option(&wish.verdicts, option, argument);

		if (taken > EXIT_DONE)
			return taken;
		if (taken == EXIT_DONE)
			continue;
		if (!strcmp(option->name, "format"))
			wish.format = argument;
		else if (!strcmp(option->name, "baseline"))
			wish.load.baseline = argument;
		else if (!strcmp(option->name, "all"))
			wish.all = true;
		else if (!strcmp(option->name, "force"))
			wish.load.force = true;
		else
			wish.load.merge = true;
	}
	if (code)
		return code < 0 ? EXIT_DONE : code;
	for (i = 0; formats[i] && strcmp(formats[i], wish.format); i++)
		;
	if (!formats[i])
		return refuse_format(wish.format);
	if (opts.argc < 1) {
		say("compare: at least one directory of a run expected");
		return EXIT_CONFIG;
	}
	wish.load.dirs = (const char *const *)opts.argv;
	wish.load.nr_dirs = (size_t)opts.argc;
	return compare(&wish);
}

const struct command cmd_compare = {
	.name = "compare",
	.synopsis = "DIR... [--format FORMAT] [--baseline COLUMN] [--fail-on VERDICT] "
		    "[--all] [--merge] "
		    "[--force]",
	.summary = "The tables of one or more runs, columns side by side",
	.options = options,
	.run = run,
};
