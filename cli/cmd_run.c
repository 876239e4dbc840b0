// SPDX-License-Identifier: GPL-2.0-or-later
/* schedgrid run: carry out a grid, or go on with it; progress on a terminal. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/restore.h"
#include "cli/until.h"
#include "lib/clock.h"
#include "lib/err.h"
#include "lib/supervise.h"
#include "lib/text.h"
#include "runner/grid.h"
#include "runner/plan.h"
#include "runner/run.h"
#include "runner/service.h"

static const struct option_def options[] = {
	{ "output", 'o', "DIR", "directory of the run (default: results/NAME-DIGEST)" },
	{ "only", 0, "PATTERN",
	  "only cells that match, such as groups=4 or hackbench-*" },
	{ "more", 0, "N", "N more iterations of each cell, or of those of --only" },
	{ "allow-exec", 0, NULL, "let the grid's exec workloads run their commands" },
	{ "allow-same", 0, NULL, "let columns be the same in effect (A/A)" },
	{ "dry-run", 'n', NULL, "print every cell with its command line and CPUs only" },
	{ 0 },
};

/**
 * struct progress - what is told while it runs
 * @plan: for the columns' names
 * @is_told: which cells were said to be skipped, or are counted as such; owned
 * @nr_known: cells that are skipped as an earlier call has told
 * @is_terminal: whether stderr is one: then one line is kept up to date
 * @told_ns: when, since the call began, a line was written to what is none
 * @is_open: a line is on the terminal and not ended
 */
struct progress {
	const struct plan *plan;
	bool *is_told;
	size_t nr_known;
	uint64_t told_ns;
	bool is_terminal, is_open;
};

#define LOG_NS (60 * CLOCK_SEC)

/* Clears the progress line, so that a message can take its place. */
static void clear_line(struct progress *progress)
{
	if (progress->is_open)
		(void)fputs("\r\033[K", stderr);
	progress->is_open = false;
}

/* "hackbench-process-pipes groups=4, base" */
static void name_cell(const struct progress *progress, const struct cell *cell,
		      char *text, size_t size)
{
	char column[256];
	char *point = cell_point(cell);

	text_printable(progress->plan->grid->columns[cell->column].name, column,
		       sizeof(column));
	(void)snprintf(text, size, "%s%s%s, %s", cell->variant,
		       point && *point ? " " : "", point ? point : "", column);
	free(point);
}

static void name_turn(const struct progress *progress, const struct run_event *event,
		      char *text, size_t size)
{
	const struct grid *grid = progress->plan->grid;
	char cell[512];

	name_cell(progress, event->cell, cell, sizeof(cell));
	(void)snprintf(
		text, size, "%s, %s %ju/%ju", cell,
		event->is_warmup ? "warm-up" : "iteration", (uintmax_t)event->iteration,
		(uintmax_t)(event->is_warmup ? grid->warmup : event->nr_iterations));
}

static void show_start(struct progress *progress, const struct run_event *event)
{
	char turn[640];
	char elapsed[CLOCK_SPAN_SIZE];
	char left[CLOCK_SPAN_SIZE] = "?";

	/* In a log, a line now and then that it goes on. */
	if (!progress->is_terminal && event->elapsed_ns - progress->told_ns < LOG_NS)
		return;
	progress->told_ns = event->elapsed_ns;
	name_turn(progress, event, turn, sizeof(turn));
	clock_span(event->elapsed_ns, elapsed);
	if (event->nr_done)
		clock_span(event->elapsed_ns / event->nr_done *
				   (event->nr_todo - event->nr_done),
			   left);
	clear_line(progress);
	(void)fprintf(stderr, "[%ju/%ju] %s; elapsed %s, remaining %s%s",
		      (uintmax_t)event->nr_done + 1, (uintmax_t)event->nr_todo, turn,
		      elapsed, left, progress->is_terminal ? "" : "\n");
	progress->is_open = progress->is_terminal;
}

/* Once a cell: all of its iterations are skipped for one reason. */
static void show_skip(struct progress *progress, const struct run_event *event)
{
	bool *is_told = &progress->is_told[event->cell - progress->plan->cells];
	char cell[512];

	if (*is_told)
		return;
	*is_told = true;
	progress->nr_known += event->is_known;
	if (event->is_known)
		return;
	clear_line(progress);
	name_cell(progress, event->cell, cell, sizeof(cell));
	say("%s: skipped: %s", cell, event->record->reason ? event->record->reason : "");
}

static void show_end(struct progress *progress, const struct run_event *event)
{
	const struct record *record = event->record;
	char turn[640];

	if (record->status == RECORD_OK)
		return;
	if (record->status == RECORD_SKIPPED) {
		show_skip(progress, event);
		return;
	}
	clear_line(progress);
	name_turn(progress, event, turn, sizeof(turn));
	say("%s: %s: %s", turn, record_status_name(record->status),
	    record->reason ? record->reason : "");
}

static void on_event(const struct run_event *event, void *data)
{
	struct progress *progress = data;

	if (event->note) {
		clear_line(progress);
		say("%s", event->note);
	} else if (event->record) {
		show_end(progress, event);
	} else {
		show_start(progress, event);
	}
}

static uint64_t count_all(const struct run_summary *summary)
{
	uint64_t total = 0;
	size_t i;

	for (i = 0; i < RUN_NR_STATUSES; i++)
		total += summary->nr[i];
	return total;
}

static void print_summary(const struct run_summary *summary, const char *dir)
{
	uint64_t total = count_all(summary);
	char text[256] = "";
	size_t len = 0;
	size_t i;

	for (i = 0; i < RUN_NR_STATUSES; i++)
		if (summary->nr[i] && len < sizeof(text))
			len += (size_t)snprintf(
				text + len, sizeof(text) - len, "%s%ju %s",
				len ? ", " : "", (uintmax_t)summary->nr[i],
				record_status_name((enum record_status)i));
	if (!total && summary->signal)
		say("stopped by signal %d (%s) before the first iteration; run the same "
		    "command again to go on",
		    summary->signal, strsignal(summary->signal));
	else if (total)
		say("%ju iterations: %s; results in %s", (uintmax_t)total, text, dir);
	else
		say("nothing was missing (--more N adds iterations, -o DIR begins "
		    "another run); results in %s",
		    dir);
}

int run_error_code(int bad)
{
	switch (bad) {
	case -EWOULDBLOCK:
		return EXIT_TRY_AGAIN;
	case -EEXIST:
	case -ENXIO:
	case -EINVAL:
	case -ECANCELED:
		return EXIT_CONFIG;
	case -EBUSY:
	case -ENOMEM:
	case -ENOPKG:
	case -EHOSTDOWN:
		return EXIT_HOST;
	default:
		return EXIT_DATA;
	}
}

static void print_end(const struct progress *progress, const struct run_summary *summary,
		      const char *dir)
{
	if (progress->nr_known)
		say("%zu cells are skipped as before; `schedgrid plan` says why",
		    progress->nr_known);
	print_summary(summary, dir);
}

int run_exit_code(const struct run_summary *summary)
{
	if (summary->signal)
		return EXIT_SIGNAL_BASE + summary->signal;
	if (summary->nr[RECORD_FAILED] || summary->nr[RECORD_BROKEN] ||
	    summary->nr[RECORD_TIMEOUT])
		return EXIT_CELL_FAILED;
	if (summary->nr_failed_before) {
		say("%ju iterations of earlier calls stand as failed and are not "
		    "repeated (--more N adds others)",
		    (uintmax_t)summary->nr_failed_before);
		return EXIT_CELL_FAILED;
	}
	return EXIT_DONE;
}

static int carry_out(const struct plan *plan, const struct run_options *run_options)
{
	struct run_options told = *run_options;
	struct progress progress = {
		.plan = plan,
		.is_told = calloc(plan->nr_cells, sizeof(bool)),
		.is_terminal = isatty(STDERR_FILENO) == 1,
	};
	struct until_scope scope = { plan, run_options->only };
	struct run_summary summary;
	struct err err = { 0 };
	int bad;

	if (!progress.is_told)
		return complain_nomem();
	told.measure = until_measure;
	told.measure_data = &scope;
	told.on_event = on_event;
	told.data = &progress;
	bad = run_plan(plan, &told, &summary, &err);
	clear_line(&progress);
	if (!bad || count_all(&summary))
		print_end(&progress, &summary, run_options->dir);
	free(progress.is_told);
	return bad ? complain(&err, run_error_code(bad)) : run_exit_code(&summary);
}

static int preview(const struct plan *plan, const struct run_options *run_options)
{
	uint64_t *missing = calloc(plan->nr_cells, sizeof(*missing));
	struct err err = { 0 };
	int code;
	int bad;

	/* What the machines have is known to their own runs. */
	if (plan->grid->slurm) {
		free(missing);
		return print_plan(plan, NULL);
	}
	if (!missing)
		return complain_nomem();
	bad = run_preview(plan, run_options, missing, &err);
	code = bad ? complain(&err, run_error_code(bad)) : print_plan(plan, missing);
	free(missing);
	return code;
}

/* struct job - what is to be done */
struct job {
	const char *path;
	struct run_options options;
	enum session_columns columns;
	bool is_dry;
};

static int do_job(void *data)
{
	struct job *job = data;
	struct run_options *how = &job->options;
	struct session session;
	char *dir = NULL;
	int code = session_open(&session, job->path, job->columns);

	if (!code) {
		how->dir = dir = session_dir(&session, how->dir);
		code = dir ? EXIT_DONE : EXIT_HOST;
	}
	if (!code)
		code = job->is_dry ? preview(session.plan, how)
				   : carry_out(session.plan, how);
	free(dir);
	session_close(&session);
	return code;
}

int run_in_worker(int (*work)(void *data), void *data)
{
	struct supervise_result result;
	struct err err = { 0 };
	int signal_nr;

	/* Whoever reads our messages may go away, and a limit of file sizes is an error
	   of writing: neither ends the run. */
	(void)signal(SIGPIPE, SIG_IGN);
	(void)signal(SIGXFSZ, SIG_IGN);
	if (supervise(work, data, &result, &err))
		return complain(&err, EXIT_HOST);
	if (WIFEXITED(result.status))
		return WEXITSTATUS(result.status);
	signal_nr = WTERMSIG(result.status);
	/* What the worker would have removed itself. */
	services_sweep();
	if (restore_left(&err) && err.code)
		say("%s", err.text);
	/* Before the run began to watch signals, or after it had ended. */
	if (signal_nr == SIGINT || signal_nr == SIGTERM || signal_nr == SIGHUP)
		say("stopped by signal %d (%s); run the same command again to go on",
		    signal_nr, strsignal(signal_nr));
	else
		say("the runner was killed by signal %d (%s); %u of its processes were "
		    "ended; run the same command again to go on",
		    signal_nr, strsignal(signal_nr), result.nr_ended);
	return EXIT_SIGNAL_BASE + signal_nr;
}

int run_supervised(const char *path, const struct run_options *how,
		   enum session_columns columns)
{
	struct job job = { path, *how, columns, false };

	return run_in_worker(do_job, &job);
}

/* EXIT_DONE, or EXIT_CONFIG after saying what is wrong. */
static int take_option(struct job *job, const char *name, const char *argument)
{
	struct err err = { 0 };

	if (!strcmp(name, "output")) {
		job->options.dir = argument;
	} else if (!strcmp(name, "only") && job->options.only) {
		say("run: --only is given twice (expected one pattern)");
		return EXIT_CONFIG;
	} else if (!strcmp(name, "only")) {
		job->options.only = argument;
	} else if (!strcmp(name, "allow-exec")) {
		job->options.allow_exec = true;
	} else if (!strcmp(name, "allow-same")) {
		job->columns = COLUMNS_ANY;
	} else if (!strcmp(name, "dry-run")) {
		job->is_dry = true;
	} else if (text_uint(argument, 1, GRID_MAX_ITERATIONS, &job->options.more,
			     &err)) {
		say("run: --more: %s", err.text);
		return EXIT_CONFIG;
	}
	return EXIT_DONE;
}

static int run(int argc, char **argv)
{
	struct options opts = { &cmd_run, argc, argv };
	struct job job = { 0 };
	const struct option_def *option;
	const char *argument;
	int code;

	while ((option = options_next(&opts, &argument, &code))) {
		if (take_option(&job, option->name, argument))
			return EXIT_CONFIG;
	}
	if (code)
		return code < 0 ? EXIT_DONE : code;
	if (opts.argc != 1) {
		say("run: one grid file expected");
		return EXIT_CONFIG;
	}
	job.path = opts.argv[0];
	return job.is_dry ? do_job(&job)
			  : run_supervised(job.path, &job.options, job.columns);
}

const struct command cmd_run = {
	.name = "run",
	.synopsis =
		"GRID [-o DIR] [--only PATTERN] [--more N] [--allow-exec] [--allow-same] "
		"[--dry-run]",
	.summary = "Carry out a grid, or go on with it where it stopped",
	.options = options,
	.run = run,
};
