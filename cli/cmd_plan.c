// SPDX-License-Identifier: GPL-2.0-or-later
/* schedgrid plan: what a grid comes to on this machine; starts nothing. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/power.h"
#include "cli/verdicts.h"
#include "lib/clock.h"
#include "lib/err.h"
#include "lib/text.h"
#include "lib/topo.h"
#include "record/host.h"
#include "runner/estimate.h"
#include "runner/grid.h"
#include "runner/guest.h"
#include "runner/guest_spec.h"
#include "runner/sim_plan.h"
#include "runner/plan.h"
#include "runner/run.h"

static const struct option_def options[] = {
	{ "json", 0, NULL, "print the plan as JSON" },
	{ "allow-same", 0, NULL, "let columns be the same in effect (A/A)" },
	{ "power", 0, NULL, "how many runs each row needs, by the runs in DIR..." },
	{ "effect", 0, "PERCENT", "change that --power is to find (default 2%)" },
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
		(void)printf("%s  %s  %s%s%s  CPUs %s\n    ", cell->id, column,
			     cell->variant, *point ? "  " : "", point,
			     *cpus ? cpus : "none");
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

enum { UNTIL_SIZE = 128 };

/* What ends the run before it has all iterations; empty where nothing does. */
static void until_text(const struct grid *grid, char *text)
{
	char budget[CLOCK_SPAN_SIZE];

	clock_span(grid->until.budget_ns, budget);
	*text = '\0';
	if (grid->until.halfwidth > 0.0)
		(void)snprintf(text, UNTIL_SIZE,
			       ", at least %d, until half-width %g%%%s%s",
			       (int)GRID_UNTIL_LEAST, 100.0 * grid->until.halfwidth,
			       grid->until.budget_ns ? ", within " : "",
			       grid->until.budget_ns ? budget : "");
}

/* Which kernel each column boots, and how. */
static int print_guests(const struct plan *plan)
{
	struct bench_command command = { 0 };
	char column[2048];
	size_t i;

	if (!plan->guest)
		return 0;
	(void)printf("guests %s, %u CPUs, %s, boots %ju\n",
		     plan->grid->guest->topology.name,
		     guest_nr_cpus(&plan->grid->guest->topology),
		     plan->guest->is_emulated ? "emulated" : "KVM",
		     (uintmax_t)plan->grid->boots);
	for (i = 0; i < plan->grid->nr_columns; i++) {
		const struct guest_image *kernel = &plan->guest->kernels[i];

		text_printable(plan->grid->columns[i].name, column, sizeof(column));
		if (guest_command(plan->guest, i, 1, &command))
			return -1;
		(void)printf("%s: kernel %s %s\n    ", column, kernel->release,
			     kernel->version);
		print_arguments(&command);
		bench_command_release(&command);
	}
	(void)putchar('\n');
	return 0;
}

/* The machine that stands for this one, and whose rules each column has. */
static void print_simulation(const struct plan *plan)
{
	char column[2048];
	size_t i;

	if (!plan->sim)
		return;
	(void)printf("simulated on %s, %zu CPUs\n", plan->sim->machine.name,
		     plan->topo->nr_cpus);
	for (i = 0; i < plan->grid->nr_columns; i++) {
		text_printable(plan->grid->columns[i].name, column, sizeof(column));
		(void)printf("%s: policy %s\n", column, plan->sim->columns[i].policy);
	}
	(void)putchar('\n');
}

static const char *plural(size_t nr)
{
	return nr == 1 ? "" : "s";
}

int print_plan(const struct plan *plan, const uint64_t *missing)
{
	const struct grid *grid = plan->grid;
	char timeout[CLOCK_SPAN_SIZE];
	char until[UNTIL_SIZE];
	char name[2048];
	size_t i;

	text_printable(grid->name, name, sizeof(name));
	clock_span(grid->timeout_ns, timeout);
	until_text(grid, until);
	(void)printf("grid %s: %zu column%s x %zu row%s = %zu cell%s, each %ju warm-up + "
		     "%s%ju iterations%s\n"
		     "order interleaved, seed %ju, time limit %s an iteration\n"
		     "machine %s, running kernel %s %s\n\n",
		     name, grid->nr_columns, plural(grid->nr_columns), plan->nr_rows,
		     plural(plan->nr_rows), plan->nr_cells, plural(plan->nr_cells),
		     (uintmax_t)grid->warmup, *until ? "at most " : "",
		     (uintmax_t)grid->iterations, until, (uintmax_t)grid->seed, timeout,
		     plan->host->machine, plan->host->release, plan->host->version);
	if (grid->slurm)
		(void)printf("runs on Slurm's nodes, each with CPUs and programs of its "
			     "own; those below are this machine's\n\n");
	if (print_guests(plan))
		return complain_nomem();
	print_simulation(plan);
	for (i = 0; i < plan->nr_cells; i++) {
		if (missing && missing[i] == RUN_NOT_WANTED)
			continue;
		if (print_cell(plan, &plan->cells[i]))
			return complain_nomem();
		if (missing)
			(void)printf("    %ju iterations to run\n",
				     (uintmax_t)missing[i]);
	}
	return finish_stdout();
}

/* Cells that are skipped take no time; what never ran isn't known. */
static int print_estimate(const struct plan *plan, const char *dir)
{
	struct estimate estimate;
	char span[CLOCK_SPAN_SIZE];
	struct err err = { 0 };

	if (estimate_plan(plan, dir, "results", &estimate, &err))
		return complain_data(&err);
	if (!estimate.nr_iterations) {
		(void)puts("\nestimate: not known before a first run");
		return finish_stdout();
	}
	clock_span(estimate.wall_ns, span);
	(void)printf("\nestimate: %s %s and %ju KiB for %ju iterations, by %ju earlier "
		     "records",
		     estimate.nr_unknown		 ? "at least"
		     : plan->grid->until.halfwidth > 0.0 ? "at most about"
							 : "about",
		     span, (uintmax_t)(estimate.disk_bytes + 1023) / 1024,
		     (uintmax_t)estimate.nr_iterations, (uintmax_t)estimate.nr_records);
	if (estimate.nr_unknown)
		(void)printf("; %zu cells are not known before a first run",
			     estimate.nr_unknown);
	(void)putchar('\n');
	return finish_stdout();
}

/**
 * struct wish - what the command line asks for
 */
struct wish {
	const char *dir;
	bool as_json, wants_power;
	struct power_question power;
	enum session_columns columns;
};

/* EXIT_DONE, or EXIT_CONFIG after saying what is wrong. */
static int take_option(struct wish *wish, const char *name, const char *argument)
{
	if (!strcmp(name, "output"))
		wish->dir = argument;
	else if (!strcmp(name, "allow-same"))
		wish->columns = COLUMNS_ANY;
	else if (!strcmp(name, "power"))
		wish->wants_power = true;
	else if (!strcmp(name, "effect"))
		return verdict_percent("effect", argument, 100.0, &wish->power.effect);
	else
		wish->as_json = true;
	return EXIT_DONE;
}

static int check(const struct wish *wish, int argc)
{
	if (!wish->wants_power && argc != 1) {
		say("plan: one grid file expected");
		return EXIT_CONFIG;
	}
	if (wish->wants_power && argc < 2) {
		say("plan: --power: a grid file and at least one directory of a run "
		    "expected");
		return EXIT_CONFIG;
	}
	if (wish->wants_power && wish->as_json) {
		say("plan: --power and --json don't go together");
		return EXIT_CONFIG;
	}
	if (!(wish->power.effect > 0.0)) {
		say("plan: --effect: expected a percentage above 0%%, such as 2%%");
		return EXIT_CONFIG;
	}
	return EXIT_DONE;
}

static int print(const struct plan *plan, const struct wish *wish)
{
	int code;

	if (wish->wants_power)
		return print_power(plan, &wish->power);
	if (wish->as_json)
		return print_json(plan_json(plan));
	code = print_plan(plan, NULL);
	return code ? code : print_estimate(plan, wish->dir);
}

static int run(int argc, char **argv)
{
	struct options opts = { &cmd_plan, argc, argv };
	struct wish wish = { .power.effect = 0.02 };
	struct session session;
	const struct option_def *option;
	const char *argument;
	int code;

	while ((option = options_next(&opts, &argument, &code))) {
		if (take_option(&wish, option->name, argument))
			return EXIT_CONFIG;
	}
	if (code)
		return code < 0 ? EXIT_DONE : code;
	code = check(&wish, opts.argc);
	if (code)
		return code;
	wish.power.dirs = (const char *const *)opts.argv + 1;
	wish.power.nr_dirs = (size_t)opts.argc - 1;
	code = session_open(&session, opts.argv[0], wish.columns);
	if (!code)
		code = print(session.plan, &wish);
	session_close(&session);
	return code;
}

const struct command cmd_plan = {
	.name = "plan",
	.synopsis = "GRID [--json] [--allow-same] [-o DIR] | --power [--effect PERCENT] "
		    "GRID DIR...",
	.summary = "Every cell of a grid, its command line and CPUs; starts nothing",
	.options = options,
	.run = run,
};
