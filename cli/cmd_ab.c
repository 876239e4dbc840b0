// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * schedgrid ab: two kernels or settings against each other without a grid file. It makes
 * one, and then does what `run` and `compare` do.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/command.h"
#include "compare/judge.h"
#include "compare/setup.h"
#include "compare/table.h"
#include "lib/clock.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/text.h"
#include "runner/ab.h"
#include "runner/ab_commits.h"
#include "runner/estimate.h"
#include "runner/grid.h"
#include "runner/guest.h"
#include "runner/plan.h"
#include "runner/run.h"

static const struct option_def options[] = {
	{ "workload", 0, "LIST",
	  "such as hackbench,stream or 'hackbench task=thread groups=1/4'" },
	{ "topology", 0, "NAME", "machine of the guests (default: two-node-8)" },
	{ "accel", 0, "WORD", "kvm, or tcg (default: KVM where there is one)" },
	{ "time", 0, "TIME", "how long it may take (default: 10m)" },
	{ "on", 0, "PLACE",
	  "guest or local (default: guest where a side is a kernel's file)" },
	{ "output", 'o', "DIR", "directory of the run (default: results/ab-DIGEST)" },
	{ "format", 0, "FORMAT", "of the tables, as for compare" },
	{ "allow-same", 0, NULL, "let the sides be the same in effect (A/A)" },
	{ "dry-run", 'n', NULL, "print the grid only" },
	{ 0 },
};

/* struct job - what is asked for */
struct job {
	struct ab_wish wish;
	const char *dir, *format;
	enum session_columns columns;
	bool is_dry;
};

/*
 * struct draft - a grid that is no file yet
 * @text: of it; owned
 * @fd: of a file in memory that has the text, -1: none
 * @path: by which this process and those that it forks read that file
 */
struct draft {
	char *text;
	int fd;
	char path[64];
};

static void draft_release(struct draft *draft)
{
	if (draft->fd >= 0)
		(void)close(draft->fd);
	free(draft->text);
	draft->text = NULL;
	draft->fd = -1;
}

static int draft_write(struct draft *draft, const struct ab *ab, uint64_t boots,
		       struct err *err)
{
	int bad;

	draft_release(draft);
	draft->text = ab_grid(ab, boots);
	if (!draft->text)
		return err_nomem(err);
	draft->fd = memfd_create("grid", MFD_CLOEXEC);
	if (draft->fd < 0)
		return err_set(err, -errno, "cannot create a file in memory: %m");
	(void)snprintf(draft->path, sizeof(draft->path), "/proc/self/fd/%d", draft->fd);
	bad = file_write_all(draft->fd, draft->text, strlen(draft->text));
	return bad ? err_set(err, bad, "cannot write a file in memory") : 0;
}

/* The user never saw that file: its place in front of the sentence tells nothing. */
static const char *without_place(const struct draft *draft, const char *text)
{
	size_t len = strlen(draft->path);

	if (strncmp(text, draft->path, len) != 0)
		return text;
	text += len;
	return text + strspn(text, ":0123456789 ");
}

static int try_draft(const struct draft *draft, enum session_columns columns,
		     struct session *session)
{
	const struct session_wish wish = { .path = draft->path, .columns = columns };
	struct err err = { 0 };
	int code = session_try(session, &wish, &err);

	if (code)
		say("ab: %s", without_place(draft, err.text));
	return code;
}

/* A run that is there already goes on with the boots it has; 0: there is none. */
static uint64_t boots_of_run(const char *dir)
{
	char *path = file_path("%s/grid.yaml", dir);
	struct grid *grid = NULL;
	uint64_t boots = 0;

	if (path && !grid_load(path, &grid, NULL))
		boots = grid->boots;
	grid_free(grid);
	free(path);
	return boots;
}

/* The grid again, this time with as many boots as there is time for. */
static int set_boots(struct draft *draft, const struct ab *ab, const struct plan *plan,
		     const char *dir)
{
	uint64_t boots = boots_of_run(dir);
	struct estimate estimate;
	struct err err = { 0 };
	int bad = 0;

	if (plan->guest->unfit) {
		say("ab: no guest can be started here: %s", plan->guest->unfit);
		return EXIT_HOST;
	}
	if (!boots)
		bad = estimate_plan(plan, dir, "results", &estimate, &err);
	if (!bad && !boots)
		boots = ab_boots(plan, &estimate, ab->time_ns);
	if (!bad)
		bad = draft_write(draft, ab, boots, &err);
	return bad ? complain_data(&err) : EXIT_DONE;
}

/* Not what only follows from another kernel, or stands for it. */
static bool is_worth_telling(const char *name)
{
	static const char *const left_out[] = { "kernel.image_sha256", "guest.",
						"memory." };
	size_t i;

	for (i = 0; i < sizeof(left_out) / sizeof(*left_out); i++)
		if (!strncmp(name, left_out[i], strlen(left_out[i])))
			return false;
	return true;
}

/* What isn't the same on both sides; options of the kernels are told by the table. */
static int put_differences(FILE *out, const struct table *table,
			   const struct setup *setup, struct err *err)
{
	enum { LONGEST = 1024 };
	char safe[LONGEST];
	size_t i;

	for (i = 0; i < setup->nr_facts; i++) {
		const struct setup_fact *fact = &setup->facts[i];
		char *line;

		if (!fact->differs || !is_worth_telling(fact->name))
			continue;
		line = setup_line(table, fact);
		if (!line)
			return err_nomem(err);
		text_printable(line, safe, sizeof(safe));
		(void)fprintf(out, "%s\n", safe);
		free(line);
	}
	return 0;
}

/* "B against A: worse in 2 of 6 rows, same in 3, inconclusive in 1" */
static void put_verdict(FILE *out, const struct table *table,
			const struct judgement *judgement)
{
	static const enum verdict order[] = {
		VERDICT_WORSE,	      VERDICT_WORSE_WEAK, VERDICT_BETTER,
		VERDICT_BETTER_WEAK,  VERDICT_MIXED,	  VERDICT_SAME,
		VERDICT_INCONCLUSIVE, VERDICT_MISSING,	  VERDICT_NONE,
	};
	const struct judged_column *column = &judgement->columns[1];
	bool is_first = true;
	size_t i;

	(void)fprintf(out, "%s against %s:", table->columns[1].name,
		      table->columns[0].name);
	for (i = 0; i < sizeof(order) / sizeof(*order); i++) {
		const char *name = verdict_name(order[i]);

		if (!column->nr[order[i]])
			continue;
		(void)fprintf(out, "%s %s in %zu", is_first ? "" : ",",
			      name ? name : "not judged", column->nr[order[i]]);
		if (is_first)
			(void)fprintf(out, " of %zu row%s", column->nr_rows,
				      column->nr_rows == 1 ? "" : "s");
		is_first = false;
	}
	(void)fputs(is_first ? " no rows\n" : "\n", out);
}

/* Where both kernels come from one tree, a side is a directory in it. */
static void put_commits(FILE *out, const struct table *table, const struct ab *ab)
{
	const char *a = table->columns[0].kernel;
	const char *b = table->columns[1].kernel;
	char *text = NULL;
	size_t i;

	for (i = 0; a && b && !text && i < AB_SIDES; i++) {
		struct stat info;
		const char *image = ab->sides[i].image;

		if (image && !stat(image, &info) && S_ISDIR(info.st_mode))
			text = ab_commits(image, a, b);
	}
	if (text)
		(void)fprintf(out, "differs: %s\n", text);
	free(text);
}

/* What programs read stays as it is: then the end goes where messages go. */
static bool is_for_people(const char *format)
{
	return strcmp(format, "json") && strcmp(format, "csv") && strcmp(format, "html");
}

/* struct ending - what stands below the tables, and of which run */
struct ending {
	const char *dir, *format;
	const struct ab *ab;
};

static int put_end(const struct table *table, void *data)
{
	const struct ending *ending = data;
	FILE *out = is_for_people(ending->format) ? stdout : stderr;
	struct setup setup = { 0 };
	struct err err = { 0 };
	int bad = setup_load(&setup, table, &ending->dir, 1, &err);

	if (!bad)
		bad = put_differences(out, table, &setup, &err);
	if (!bad) {
		put_commits(out, table, ending->ab);
		put_verdict(out, table, table->judgement);
	}
	setup_release(&setup);
	return bad ? complain_data(&err) : finish_stdout();
}

/* The run and what it comes to; the worse of the two codes. */
static int carry_out(const struct draft *draft, const char *dir, const struct job *job,
		     const struct ab *ab)
{
	const struct run_options how = { .dir = dir };
	struct ending ending = { dir, job->format, ab };
	int code = run_supervised(draft->path, &how, job->columns);
	int concluded;

	if (code != EXIT_DONE && code != EXIT_CELL_FAILED)
		return code;
	concluded = compare_run(dir, job->format, put_end, &ending);
	return concluded ? concluded : code;
}

static int compare_sides(const struct job *job, const struct ab *ab)
{
	struct draft draft = { .fd = -1 };
	struct session session = { 0 };
	struct err err = { 0 };
	char *dir = NULL;
	int code = EXIT_DONE;

	if (draft_write(&draft, ab, 1, &err))
		code = complain(&err, EXIT_HOST);
	if (!code)
		code = try_draft(&draft, job->columns, &session);
	if (!code) {
		dir = session_dir(&session, job->dir);
		code = dir ? EXIT_DONE : EXIT_HOST;
	}
	if (!code && ab->is_guest)
		code = set_boots(&draft, ab, session.plan, dir);
	session_close(&session);
	if (!code && job->is_dry) {
		(void)fputs(draft.text, stdout);
		code = finish_stdout();
	} else if (!code) {
		code = carry_out(&draft, dir, job, ab);
	}
	free(dir);
	draft_release(&draft);
	return code;
}

/* As everywhere, and "10m", which has no other meaning here. */
static int read_time(const char *text, uint64_t *ret)
{
	size_t len = strlen(text);
	bool is_short =
		len > 1 && text[len - 1] == 'm' && strspn(text, "0123456789") == len - 1;
	char *full = file_path("%s%s", text, is_short ? "in" : "");
	struct err err = { 0 };
	int bad = full ? text_duration(full, ret, &err) : err_nomem(&err);

	free(full);
	if (!bad)
		return EXIT_DONE;
	say("ab: --time: %s", err.text);
	return EXIT_CONFIG;
}

static int read_place(const char *text, enum ab_place *ret)
{
	static const char *const words[] = { "guest", "local", NULL };
	static const enum ab_place places[] = { AB_GUEST, AB_LOCAL };
	int found = find_word("ab: --on", "word", text, words);

	if (found < 0)
		return EXIT_CONFIG;
	*ret = places[found];
	return EXIT_DONE;
}

static int read_accel(const char *text, const char **ret)
{
	static const char *const words[] = { "kvm", "tcg", NULL };
	int found = find_word("ab: --accel", "word", text, words);

	if (found < 0)
		return EXIT_CONFIG;
	*ret = words[found];
	return EXIT_DONE;
}

/* EXIT_DONE, or EXIT_CONFIG after saying what is wrong. */
static int take_option(struct job *job, const char *name, const char *argument)
{
	if (!strcmp(name, "workload"))
		job->wish.workloads = argument;
	else if (!strcmp(name, "topology"))
		job->wish.topology = argument;
	else if (!strcmp(name, "time"))
		return read_time(argument, &job->wish.time_ns);
	else if (!strcmp(name, "on"))
		return read_place(argument, &job->wish.place);
	else if (!strcmp(name, "accel"))
		return read_accel(argument, &job->wish.accel);
	else if (!strcmp(name, "output"))
		job->dir = argument;
	else if (!strcmp(name, "format"))
		job->format = argument;
	else if (!strcmp(name, "allow-same"))
		job->columns = COLUMNS_ANY;
	else
		job->is_dry = true;
	return EXIT_DONE;
}

static int run(int argc, char **argv)
{
	struct options opts = { &cmd_ab, argc, argv };
	struct job job = { .wish.time_ns = 600 * CLOCK_SEC, .format = "mmtests" };
	const struct option_def *option;
	struct err err = { 0 };
	const char *argument;
	struct ab ab;
	int code;
	int bad;

	while ((option = options_next(&opts, &argument, &code))) {
		if (take_option(&job, option->name, argument))
			return EXIT_CONFIG;
	}
	if (code)
		return code < 0 ? EXIT_DONE : code;
	if (opts.argc != AB_SIDES) {
		say("ab: two sides expected, each a kernel or a setting such as "
		    "pin=one-llc");
		return EXIT_CONFIG;
	}
	if (check_format(cmd_ab.name, job.format))
		return EXIT_CONFIG;
	job.wish.sides[0] = opts.argv[0];
	job.wish.sides[1] = opts.argv[1];
	bad = ab_init(&ab, &job.wish, &err);
	if (bad == -EINVAL)
		say("ab: %s", err.text);
	if (bad)
		code = bad == -EINVAL ? EXIT_CONFIG : complain(&err, EXIT_HOST);
	else
		code = compare_sides(&job, &ab);
	ab_release(&ab);
	return code;
}

const struct command cmd_ab = {
	.name = "ab",
	.synopsis = "A B [--workload LIST] [--time TIME] [--on guest|local] "
		    "[--topology NAME] [--accel kvm|tcg] [-o DIR] [--format FORMAT] "
		    "[--allow-same] [--dry-run]",
	.summary = "Two kernels or settings against each other, without a grid file",
	.options = options,
	.run = run,
};
