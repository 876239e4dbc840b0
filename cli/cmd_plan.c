// SPDX-License-Identifier: GPL-2.0-or-later
/* schedgrid plan: what a grid comes to on this machine; starts nothing. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "lib/clock.h"
#include "lib/err.h"
#include "lib/json.h"
#include "lib/text.h"
#include "record/host.h"
#include "runner/estimate.h"
#include "runner/grid.h"
#include "runner/plan.h"
#include "runner/run.h"

static const struct option_def options[] = {
	{ "json", 0, NULL, "print the plan as JSON" },
	{ "output", 'o', "DIR",
	  "estimate by the run in DIR (default: those in results/)" },
	{ 0 },
};

/* Quoted where a shell would take the argument apart. */
static void print_argument(const char *text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-+=./,:@%";

	if (*text && !text[strspn(text, plain)]) {
		(void)fputs(text, stdout);
		return;
	}
	(void)putchar('\'');
	for (; *text; text++) {
		if (*text == '\'')
			(void)fputs("'\\''", stdout);
		else
			(void)putchar(*text);
	}
	(void)putchar('\'');
}

static void print_arguments(const struct bench_command *command)
{
	size_t i;

	for (i = 0; i < command->nr_args; i++) {
		if (i)
			(void)putchar(' ');
		print_argument(command->argv[i]);
	}
	(void)putchar('\n');
}

static int print_command(const struct plan *plan, const struct cell *cell)
{
	struct bench_command command = { 0 };

	if (plan_command_line(plan, cell, true, &command))
		return -1;
	print_arguments(&command);
	bench_command_release(&command);
	return 0;
}

/* What prepares and runs the server beside it, in order. */
static int print_service(const struct cell *cell)
{
	struct bench_command command = { 0 };
	unsigned int idx = 0;

	while (!plan_service_command(cell, idx++, &command)) {
		if (!command.nr_args)
			return 0;
		(void)printf("    service: ");
		print_arguments(&command);
		bench_command_release(&command);
	}
	return -1;
}

static int print_cell(const struct plan *plan, const struct cell *cell)
{
	char column[2048];
	char *point = cell_point(cell);
	char *cpus = cpulist_write(&cell->cpus);
	int bad = point && cpus ? 0 : -1;

	text_printable(plan->grid->columns[cell->column].name, column, sizeof(column));
	if (!bad) {
		(void)printf("%s  %s  %s  %s  CPUs %s\n    ", cell->id, column,
			     cell->variant, point, *cpus ? cpus : "none");
		bad = print_command(plan, cell);
		if (!bad)
			bad = print_service(cell);
	}
	if (!bad && *cell->remark.text)
		(void)printf("    %s%s\n",
			     cell->remark.is_undersized ? "undersized: " : "",
			     cell->remark.text);
	if (!bad && cell->unfit)
		(void)printf("    will be skipped: %s\n", cell->unfit);
	free(point);
	free(cpus);
	return bad;
}

int print_plan(const struct plan *plan, const uint64_t *missing)
{
	const struct grid *grid = plan->grid;
	char timeout[CLOCK_SPAN_SIZE];
	char name[2048];
	size_t i;

	text_printable(grid->name, name, sizeof(name));
	clock_span(grid->timeout_ns, timeout);
	(void)printf(
		"grid %s: %zu columns x %zu rows = %zu cells, each %ju warm-up + %ju "
		"iterations\n"
		"order interleaved, seed %ju, time limit %s an iteration\n"
		"machine %s, running kernel %s %s\n\n",
		name, grid->nr_columns, plan->nr_rows, plan->nr_cells,
		(uintmax_t)grid->warmup, (uintmax_t)grid->iterations,
		(uintmax_t)grid->seed, timeout, plan->host->machine, plan->host->release,
		plan->host->version);
	for (i = 0; i < plan->nr_cells; i++) {
		if (missing && missing[i] == RUN_NOT_WANTED)
			continue;
		if (print_cell(plan, &plan->cells[i])) {
			say("out of memory");
			return EXIT_HOST;
		}
		if (missing)
			(void)printf("    %ju iterations to run\n",
				     (uintmax_t)missing[i]);
	}
	return finish_stdout();
}

static int print_json(const struct plan *plan)
{
	struct jval *json = plan_json(plan);
	char *text = json ? jval_write(json, JVAL_SAFE) : NULL;

	jval_free(json);
	if (!text) {
		say("out of memory");
		return EXIT_HOST;
	}
	(void)puts(text);
	free(text);
	return finish_stdout();
}

/* Cells that are skipped take no time; what never ran isn't known. */
static int print_estimate(const struct plan *plan, const char *dir)
{
	struct estimate estimate;
	char span[CLOCK_SPAN_SIZE];
	struct err err = { 0 };
	int bad = estimate_plan(plan, dir, "results", &estimate, &err);

	if (bad)
		return complain(&err, bad == -ENOMEM ? EXIT_HOST : EXIT_DATA);
	if (!estimate.nr_iterations) {
		(void)puts("\nestimate: not known before a first run");
		return finish_stdout();
	}
	clock_span(estimate.wall_ns, span);
	(void)printf("\nestimate: %s %s and %ju KiB for %ju iterations, by %ju earlier "
		     "records",
		     estimate.nr_unknown ? "at least" : "about", span,
		     (uintmax_t)(estimate.disk_bytes + 1023) / 1024,
		     (uintmax_t)estimate.nr_iterations, (uintmax_t)estimate.nr_records);
	if (estimate.nr_unknown)
		(void)printf("; %zu cells are not known before a first run",
			     estimate.nr_unknown);
	(void)putchar('\n');
	return finish_stdout();
}

static int run(int argc, char **argv)
{
	struct options opts = { &cmd_plan, argc, argv };
	struct session session;
	const struct option_def *option;
	const char *argument;
	const char *dir = NULL;
	bool as_json = false;
	int code;

	while ((option = options_next(&opts, &argument, &code))) {
		if (!strcmp(option->name, "output"))
			dir = argument;
		else
			as_json = true;
	}
	if (code)
		return code < 0 ? EXIT_DONE : code;
	if (opts.argc != 1) {
		say("plan: one grid file expected");
		return EXIT_CONFIG;
	}
	code = session_open(&session, opts.argv[0]);
	if (!code)
		code = as_json ? print_json(session.plan)
			       : print_plan(session.plan, NULL);
	if (!code && !as_json)
		code = print_estimate(session.plan, dir);
	session_close(&session);
	return code;
}

const struct command cmd_plan = {
	.name = "plan",
	.synopsis = "GRID [--json] [-o DIR]",
	.summary = "Every cell of a grid, its command line and CPUs; starts nothing",
	.options = options,
	.run = run,
};
