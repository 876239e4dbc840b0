// SPDX-License-Identifier: GPL-2.0-or-later
/* schedgrid compare: the tables of one or more runs. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/profile.h"
#include "cli/verdicts.h"
#include "compare/fmt.h"
#include "compare/fmt_avg.h"
#include "compare/fmt_csv.h"
#include "compare/fmt_html.h"
#include "compare/fmt_json.h"
#include "compare/fmt_lkp.h"
#include "compare/fmt_mail.h"
#include "compare/fmt_markdown.h"
#include "compare/fmt_mmtests.h"
#include "compare/fmt_pct.h"
#include "compare/fmt_perfstat.h"
#include "compare/load.h"
#include "compare/setup.h"
#include "compare/table.h"
#include "compare/table_plan.h"
#include "lib/err.h"
#include "lib/file.h"

static const struct option_def options[] = {
	{ "format", 0, "FORMAT",
	  "mmtests (default), mmtests-2016, lkp, pct, avg, perf-stat, markdown, mail, html, csv or json" },
	{ "output", 'o', "FILE",
	  "write to FILE when all is there, not to standard output" },
	{ "baseline", 0, "COLUMN", "the column to compare with (default: the first)" },
	VERDICT_OPTIONS,
	{ "all", 0, NULL,
	  "also secondary metrics, rows that are 0 everywhere, and further shares of mmtests" },
	{ "ratio", 0, NULL, "mmtests' ratio view" },
	{ "transpose", 0, NULL,
	  "avg with columns side by side also where there is one row" },
	{ "mmtests-significance", 0, NULL,
	  "mark means by the rule of mmtests, not by the verdicts" },
	{ "merge", 0, NULL, "make one column of equal names in several directories" },
	{ "profile", 0, "FILE",
	  "cite this machine profile (default: the machine's, where there is one)" },
	{ "force", 0, NULL, "compare unlike programs, parameters, machines or kernels" },
	{ 0 },
};

static const char *const formats[] = { "mmtests", "mmtests-2016", "lkp",      "pct",
				       "avg",	  "perf-stat",	  "markdown", "mail",
				       "html",	  "csv",	  "json",     NULL };

/**
 * struct wish - what the command line asks for
 * @facts: lines for the footer, ended by NULL
 * @conclude: see compare_run(); NULL: nothing
 */
struct wish {
	const char *format, *output, *profile;
	const char *const *facts;
	bool all, ratio, significance, transposed;
	struct load_options load;
	struct verdict_options verdicts;
	int (*conclude)(const struct table *table, void *data);
	void *data;
};

static int print_mmtests(FILE *out, const struct table *table, const struct wish *wish,
			 struct err *err)
{
	const struct mmtests_options how = {
		.layout = strcmp(wish->format, "mmtests") ? MMTESTS_2016 : MMTESTS_TODAY,
		.all = wish->all,
		.ratio = wish->ratio,
		.significance = wish->significance,
		.version = SCHEDGRID_VERSION,
		.facts = wish->facts,
	};

	return fmt_mmtests(out, table, &how, err);
}

/* Values between commas have no place for notes. */
static int print_csv(FILE *out, const struct table *table, struct err *err)
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
	return fmt_csv(out, table, err);
}

/* Formats that say what the columns are, too. */
static int print_report(FILE *out, const struct table *table, const struct wish *wish,
			const struct fmt_options *how, int *ret_signal, struct err *err)
{
	struct setup setup;
	int bad = setup_load(&setup, table, wish->load.dirs, wish->load.nr_dirs, err);

	if (!bad)
		bad = strcmp(wish->format, "mail")
			      ? fmt_html(out, table, &setup, how, ret_signal, err)
			      : fmt_mail(out, table, &setup, how, err);
	setup_release(&setup);
	return bad;
}

static int print_format(FILE *out, const struct table *table, const struct wish *wish,
			int *ret_signal, struct err *err)
{
	const struct fmt_options how = {
		.all = wish->all,
		.transposed = wish->transposed,
		.version = SCHEDGRID_VERSION,
		.facts = wish->facts,
	};

	if (!strcmp(wish->format, "json"))
		return fmt_json(out, table, SCHEDGRID_VERSION, err);
	if (!strcmp(wish->format, "csv"))
		return print_csv(out, table, err);
	if (!strcmp(wish->format, "pct"))
		return fmt_pct(out, table, &how, err);
	if (!strcmp(wish->format, "lkp"))
		return fmt_lkp(out, table, &how, err);
	if (!strcmp(wish->format, "avg"))
		return fmt_avg(out, table, &how, err);
	if (!strcmp(wish->format, "perf-stat"))
		return fmt_perfstat(out, table, &how, err);
	if (!strcmp(wish->format, "markdown"))
		return fmt_markdown(out, table, &how, err);
	if (!strcmp(wish->format, "mail") || !strcmp(wish->format, "html"))
		return print_report(out, table, wish, &how, ret_signal, err);
	return print_mmtests(out, table, wish, err);
}

/* A file is there with all of its contents, or as it was before. */
static int print_file(const struct table *table, const struct wish *wish, int *ret_signal,
		      struct err *err)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);
	int bad;

	if (!out)
		return err_nomem(err);
	bad = print_format(out, table, wish, ret_signal, err);
	if (fclose(out) && !bad)
		bad = err_nomem(err);
	if (!bad)
		bad = file_replace(wish->output, text, len, err);
	free(text);
	return bad;
}

static int print_table(const struct table *table, const struct wish *wish)
{
	struct err err = { 0 };
	int signal = 0;
	int bad = wish->output ? print_file(table, wish, &signal, &err)
			       : print_format(stdout, table, wish, &signal, &err);

	if (bad == -EINTR && signal)
		return complain(&err, EXIT_SIGNAL_BASE + signal);
	if (bad)
		return complain_data(&err);
	return finish_stdout();
}

static int exit_code(int error)
{
	if (error == -ENOMEM)
		return EXIT_HOST;
	return error == -EINVAL || error == -EEXIST ? EXIT_CONFIG : EXIT_DATA;
}

/* A profile that nobody asked for and that can't be read is no reason to fail. */
static int cite(const struct wish *wish, char **ret)
{
	struct err err = { 0 };
	int bad = profile_cite(wish->profile, wish->load.dirs, wish->load.nr_dirs, ret,
			       &err);

	if (!bad)
		return EXIT_DONE;
	say("%s", err.text);
	if (!wish->profile && bad != -ENOMEM)
		return EXIT_DONE;
	return bad == -ENOENT || bad == -EINVAL ? EXIT_CONFIG : EXIT_DATA;
}

/* Reports have a place of their own for what differs, and data has none. */
static bool has_plain_footer(const char *format)
{
	static const char *const others[] = { "mail", "html", "csv", "json" };
	size_t i;

	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (!strcmp(format, others[i]))
			return false;
	return true;
}

/* Lines for the footer, each and the array the caller's; an exit code. */
static int read_facts(const struct table *table, const struct wish *wish, char ***ret)
{
	struct err err = { 0 };
	char **lines = NULL;
	size_t nr = 0;

	if (has_plain_footer(wish->format) &&
	    setup_read_option_lines(table, wish->load.dirs, wish->load.nr_dirs, &lines,
				    &err))
		return complain_data(&err);
	while (lines && lines[nr])
		nr++;
	*ret = reallocarray(lines, nr + 2, sizeof(*lines));
	if (!*ret) {
		*ret = lines;
		return complain_nomem();
	}
	(*ret)[nr] = (*ret)[nr + 1] = NULL;
	return cite(wish, &(*ret)[nr]);
}

static int print_cited(const struct table *table, const struct wish *wish)
{
	struct wish told = *wish;
	char **lines = NULL;
	size_t i;
	int code = read_facts(table, wish, &lines);

	told.facts = (const char *const *)lines;
	if (code == EXIT_DONE)
		code = print_table(table, &told);
	for (i = 0; lines && lines[i]; i++)
		free(lines[i]);
	free(lines);
	return code;
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
	code = print_cited(table, wish);
	if (code == EXIT_DONE && wish->conclude)
		code = wish->conclude(table, wish->data);
	if (code == EXIT_DONE)
		code = verdict_exit_code(judgement, &wish->verdicts);
	judgement_free(judgement);
	table_free(table);
	return code;
}

int compare_run(const char *dir, const char *format,
		int (*conclude)(const struct table *table, void *data), void *data)
{
	const struct wish wish = {
		.format = format,
		.load = { .dirs = &dir, .nr_dirs = 1, .on_note = say_note },
		.verdicts.rule = rule_default,
		.conclude = conclude,
		.data = data,
	};

	return compare(&wish);
}

int compare_file(const char *dir, const char *format, const char *output)
{
	const struct wish wish = {
		.format = format,
		.output = output,
		.load = { .dirs = &dir, .nr_dirs = 1, .on_note = say_note },
		.verdicts.rule = rule_default,
	};

	return compare(&wish);
}

int check_format(const char *command, const char *text)
{
	return find_word(command, "format", text, formats) < 0 ? EXIT_CONFIG : EXIT_DONE;
}

/* Takes an option that isn't about verdicts. */
static void take_option(struct wish *wish, const char *name, const char *argument)
{
	if (!strcmp(name, "format"))
		wish->format = argument;
	else if (!strcmp(name, "output"))
		wish->output = argument;
	else if (!strcmp(name, "baseline"))
		wish->load.baseline = argument;
	else if (!strcmp(name, "profile"))
		wish->profile = argument;
	else if (!strcmp(name, "all"))
		wish->all = true;
	else if (!strcmp(name, "ratio"))
		wish->ratio = true;
	else if (!strcmp(name, "transpose"))
		wish->transposed = true;
	else if (!strcmp(name, "mmtests-significance"))
		wish->significance = true;
	else if (!strcmp(name, "force"))
		wish->load.force = true;
	else
		wish->load.merge = true;
}

/* Views that other formats don't have. */
static int check_views(const struct wish *wish)
{
	bool is_today = !strcmp(wish->format, "mmtests");

	if (wish->ratio && !is_today && strcmp(wish->format, "mmtests-2016")) {
		say("compare: --ratio is a view of the formats mmtests and mmtests-2016");
		return EXIT_CONFIG;
	}
	if (wish->transposed && strcmp(wish->format, "avg") != 0) {
		say("compare: --transpose is a view of the format avg");
		return EXIT_CONFIG;
	}
	if (wish->significance && !is_today) {
		say("compare: --mmtests-significance marks means in the format mmtests only");
		return EXIT_CONFIG;
	}
	if (wish->significance && wish->ratio) {
		say("compare: --ratio has no marks for --mmtests-significance; it prints the "
		    "distance that they stand for");
		return EXIT_CONFIG;
	}
	return EXIT_DONE;
}

/* EXIT_DONE, or EXIT_CONFIG after saying what is wrong. */
static int check(const struct wish *wish)
{
	if (check_format(cmd_compare.name, wish->format))
		return EXIT_CONFIG;
	if (!wish->load.nr_dirs) {
		say("compare: at least one directory of a run expected");
		return EXIT_CONFIG;
	}
	if (wish->output && !*wish->output) {
		say("compare: '' names no file (expected -o FILE)");
		return EXIT_CONFIG;
	}
	return check_views(wish);
}

static int run(int argc, char **argv)
{
	struct options opts = { &cmd_compare, argc, argv };
	struct wish wish = {
		.format = "mmtests",
		.load.on_note = say_note,
		.verdicts.rule = rule_default,
	};
	const struct option_def *option;
	const char *argument;
	int code;

	while ((option = options_next(&opts, &argument, &code))) {
		int taken = verdict_option(&wish.verdicts, option, argument);

		if (taken > EXIT_DONE)
			return taken;
		if (taken < EXIT_DONE)
			take_option(&wish, option->name, argument);
	}
	if (code)
		return code < 0 ? EXIT_DONE : code;
	wish.load.dirs = (const char *const *)opts.argv;
	wish.load.nr_dirs = opts.argc > 0 ? (size_t)opts.argc : 0;
	code = check(&wish);
	return code == EXIT_DONE ? compare(&wish) : code;
}

const struct command cmd_compare = {
	.name = "compare",
	.synopsis =
		"DIR... [--format FORMAT] [-o FILE] [--baseline COLUMN] [--fail-on VERDICT] "
		"[--all] [--ratio] [--transpose] [--mmtests-significance] [--merge] "
		"[--force]",
	.summary = "The tables of one or more runs, columns side by side",
	.options = options,
	.run = run,
};
