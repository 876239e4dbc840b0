// SPDX-License-Identifier: GPL-2.0-or-later
/* schedgrid calibrate: measure one column twice, and keep what that says of the machine. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/profile.h"
#include "compare/judge.h"
#include "compare/load.h"
#include "compare/profile.h"
#include "compare/table.h"
#include "lib/clock.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/json.h"
#include "record/host.h"
#include "runner/grid.h"
#include "runner/plan.h"
#include "runner/run.h"

static const struct option_def options[] = {
	{ "output", 'o', "DIR", "directory of the run (default: results/NAME-DIGEST)" },
	{ "profile", 0, "FILE",
	  "keep the profile in FILE (default: one for each machine in the user's state)" },
	{ "allow-exec", 0, NULL, "let the grid's exec workloads run their commands" },
	{ 0 },
};

/**
 * struct calibration - what is asked for
 * @path: of the grid
 * @dir: of the run, NULL: the default one
 * @file: of the profile, NULL: likewise
 */
struct calibration {
	const char *path, *dir, *file;
	bool allow_exec;
};

/* The whole profile of @dir, the caller's. */
static int judge_run(const char *dir, const struct session *session,
		     const struct jval *machine, struct jval **ret, struct err *err)
{
	const struct load_options how = { .dirs = &dir,
					  .nr_dirs = 1,
					  .on_note = say_note };
	struct judgement *judgement = NULL;
	struct table *table = NULL;
	char date[CLOCK_DATE_SIZE];
	const struct profile_origin origin = {
		.machine = machine,
		.grid = session->grid->name,
		.kernel = session->host->release,
		.date = date,
		.version = SCHEDGRID_VERSION,
	};
	int bad = load_table(&how, &table, err);

	clock_date(date);
	if (!bad)
		bad = judge_table(table, &rule_default, &judgement, err);
	if (!bad) {
		table->judgement = judgement;
		bad = profile_new(table, &origin, ret, err);
	}
	judgement_free(judgement);
	table_free(table);
	return bad;
}

/* The one that @path is in, where it names one. */
static int make_folder_of(const char *path, struct err *err)
{
	const char *slash = strrchr(path, '/');
	char *folder;
	int bad;

	if (!slash || slash == path)
		return 0;
	folder = strndup(path, (size_t)(slash - path));
	bad = folder ? file_make_dirs(folder, err) : err_nomem(err);
	free(folder);
	return bad;
}

static int keep(const struct jval *profile, const char *path, struct err *err)
{
	char *text = jval_write(profile, JVAL_PRETTY);
	int bad;

	if (!text)
		return err_nomem(err);
	bad = make_folder_of(path, err);
	if (!bad)
		bad = file_replace(path, text, strlen(text), err);
	free(text);
	return bad;
}

static void print_share(const struct jval *share)
{
	double value;

	if (jval_real(share, &value))
		(void)printf(" %7.2f%%", 100.0 * value);
	else
		(void)printf(" %8s", "n/a");
}

static void print_row(const struct jval *row)
{
	const struct jval *value;
	uint64_t boots = 0;
	uint64_t nr = 0;
	const char *key;
	void *pos = NULL;
	double p = 1.0;

	(void)jval_uint(jval_get(row, "n"), &nr);
	(void)jval_uint(jval_get(row, "boots"), &boots);
	(void)jval_real(jval_get(row, "p"), &p);
	(void)printf("%5ju %5ju", (uintmax_t)nr, (uintmax_t)boots);
	print_share(jval_get(row, "cv"));
	print_share(jval_get(row, "run_cv"));
	print_share(jval_get(row, "boot_cv"));
	(void)printf(" %6.3f%c  %s", p, jval_is_true(jval_get(row, "alarm")) ? '*' : ' ',
		     jval_get_text(row, "variant"));
	while (jval_each(jval_get(row, "point"), &pos, &key, &value)) {
		char *text = jval_write(value, JVAL_LINE);

		(void)printf(" %s=%s", key,
			     jval_text(value) ? jval_text(value)
			     : text	      ? text
					      : "");
		free(text);
	}
	(void)printf(" %s\n", jval_get_text(row, "metric"));
}

static int print_profile(const struct jval *profile)
{
	const struct jval *rows = jval_get(profile, "cells");
	const struct jval *rate = jval_get(profile, "rate_ci95");
	uint64_t alarms = 0;
	uint64_t most = 0;
	uint64_t changed = 0;
	double low = 0.0;
	double high = 1.0;
	size_t i;

	(void)jval_uint(jval_get(profile, "alarms"), &alarms);
	(void)jval_uint(jval_get(profile, "allowed"), &most);
	(void)jval_uint(jval_get(profile, "changed"), &changed);
	(void)jval_real(jval_item(rate, 0), &low);
	(void)jval_real(jval_item(rate, 1), &high);
	(void)printf("%5s %5s %8s %8s %8s %6s   %s\n", "n", "boots", "CV", "run CV",
		     "boot CV", "p", "row");
	for (i = 0; i < jval_count(rows); i++)
		print_row(jval_item(rows, i));
	(void)printf("\n%ju of %zu rows with p at most 5%% (*), as chance has it in 0 to "
		     "%ju; rate %.1f%% to %.1f%% (exact 95%% interval)\n"
		     "%ju called better or worse after adjustment\n",
		     (uintmax_t)alarms, jval_count(rows), (uintmax_t)most, 100.0 * low,
		     100.0 * high, (uintmax_t)changed);
	return finish_stdout();
}

static int keep_and_print(const struct jval *profile, const char *path)
{
	struct err err = { 0 };

	if (!path) {
		say("calibrate: neither XDG_STATE_HOME nor HOME is set; name a file with "
		    "--profile FILE");
		return EXIT_CONFIG;
	}
	if (keep(profile, path, &err))
		return complain_data(&err);
	say("the profile of this machine is in %s", path);
	return print_profile(profile);
}

/* Of what the run left; EXIT_DONE, or a code after saying what is wrong. */
static int conclude(const struct calibration *wish, const char *dir,
		    const struct session *session)
{
	struct jval *machine = profile_machine(session->host->facts);
	struct jval *profile = NULL;
	struct err err = { 0 };
	char *path = NULL;
	int code;
	int bad = machine ? judge_run(dir, session, machine, &profile, &err)
			  : err_nomem(&err);

	if (!bad && !wish->file && profile_path(machine, &path))
		bad = err_nomem(&err);
	code = bad ? complain_data(&err)
		   : keep_and_print(profile, wish->file ? wish->file : path);
	free(path);
	jval_free(profile);
	jval_free(machine);
	return code;
}

static int calibrate(const struct calibration *wish)
{
	struct run_options how = { .allow_exec = wish->allow_exec };
	struct session session;
	char *dir = NULL;
	int concluded;
	int code = session_open(&session, wish->path, COLUMNS_SAME);

	if (!code) {
		dir = session_dir(&session, wish->dir);
		how.dir = dir;
		code = dir ? run_supervised(wish->path, &how, COLUMNS_SAME) : EXIT_HOST;
	}
	if (code == EXIT_DONE || code == EXIT_CELL_FAILED) {
		concluded = conclude(wish, dir, &session);
		code = concluded ? concluded : code;
	}
	free(dir);
	session_close(&session);
	return code;
}

static int run(int argc, char **argv)
{
	struct options opts = { &cmd_calibrate, argc, argv };
	struct calibration wish = { 0 };
	const struct option_def *option;
	const char *argument;
	int code;

	while ((option = options_next(&opts, &argument, &code))) {
		if (!strcmp(option->name, "output"))
			wish.dir = argument;
		else if (!strcmp(option->name, "profile"))
			wish.file = argument;
		else
			wish.allow_exec = true;
	}
	if (code)
		return code < 0 ? EXIT_DONE : code;
	if (opts.argc != 1) {
		say("calibrate: one grid file expected");
		return EXIT_CONFIG;
	}
	if (wish.file && !*wish.file) {
		say("calibrate: '' names no file (expected --profile FILE)");
		return EXIT_CONFIG;
	}
	wish.path = opts.argv[0];
	return calibrate(&wish);
}

const struct command cmd_calibrate = {
	.name = "calibrate",
	.synopsis = "GRID [-o DIR] [--profile FILE] [--allow-exec]",
	.summary = "False alarms and variance of this machine: the baseline twice",
	.options = options,
	.run = run,
};
