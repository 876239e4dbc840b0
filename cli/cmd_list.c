// SPDX-License-Identifier: GPL-2.0-or-later
/* schedgrid list: the workloads, their programs, variants, parameters and metrics. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "benchmarks/bench.h"
#include "cli/command.h"

static const struct option_def options[] = { { 0 } };

static int wider(int width, const char *name)
{
	int len = (int)strlen(name);

	return len > width ? len : width;
}

/* Of the longest name in a workload's lines. */
static int width_of(const struct bench_ops *ops)
{
	enum { LEAST = 10 };
	int width = LEAST;
	size_t i;

	for (i = 0; ops->programs[i].name; i++)
		width = wider(width, ops->programs[i].name);
	for (i = 0; ops->choices[i].key; i++)
		width = wider(width, ops->choices[i].key);
	for (i = 0; ops->params[i].name; i++)
		width = wider(width, ops->params[i].name);
	for (i = 0; ops->metrics[i].name; i++)
		width = wider(width, ops->metrics[i].name);
	return width;
}

static void print_choices(const struct bench_ops *ops, int width)
{
	const struct bench_choice *choice;
	size_t i;

	for (choice = ops->choices; choice->key; choice++) {
		(void)printf("  variant    %-*s ", width, choice->key);
		for (i = 0; choice->words[i]; i++)
			(void)printf("%s%s", i ? " | " : "", choice->words[i]);
		(void)printf("\n");
	}
}

static void print_params(const struct bench_ops *ops, int width)
{
	const struct bench_param *param;

	for (param = ops->params; param->name; param++) {
		(void)printf("  parameter  %-*s %s%s%s%s; ", width, param->name,
			     param->help, param->unit ? " (" : "",
			     param->unit ? param->unit : "", param->unit ? ")" : "");
		if (param->type == BENCH_TEXT)
			(void)printf("default '%s'\n", param->text);
		else if (param->number == BENCH_AUTO)
			(void)printf("%" PRIu64 " to %" PRIu64 " or auto, default auto\n",
				     param->min, param->max);
		else
			(void)printf("%" PRIu64 " to %" PRIu64 ", default %" PRIu64 "\n",
				     param->min, param->max, param->number);
	}
}

static void print_metrics(const struct bench_ops *ops, int width)
{
	const struct bench_metric *metric;

	for (metric = ops->metrics; metric->name; metric++)
		(void)printf("  metric     %-*s %s; %s, %s%s%s\n", width, metric->name,
			     metric->help, metric->unit,
			     metric->unjudged ? "not judged: " : "",
			     metric->unjudged		       ? metric->unjudged
			     : metric->better == BETTER_HIGHER ? "higher is better"
							       : "lower is better",
			     metric->secondary ? "; shown with --all" : "");
}

static void print_programs(const struct bench_ops *ops, int width)
{
	const struct bench_program *program;

	for (program = ops->programs; program->name && !ops->runs_command; program++) {
		(void)printf("  program    %-*s ", width, program->name);
		if (program->command)
			(void)printf("%s (%s%s)\n", program->command,
				     program->package ? "Debian package "
						      : "no Debian package",
				     program->package ? program->package : "");
		else if (program->starts && !program->starts->package)
			(void)printf("the suite's own with %s (no Debian package)\n",
				     program->starts->command);
		else if (program->starts)
			(void)printf("the suite's own with those of the Debian package "
				     "%s\n",
				     program->starts->package);
		else
			(void)printf("the suite's own\n");
	}
}

static int run(int argc, char **argv)
{
	struct options opts = { &cmd_list, argc, argv };
	const struct bench_ops *const *all = bench_all();
	const char *only = NULL;
	const char *argument;
	size_t nr_shown = 0;
	int width;
	int code;

	if (options_next(&opts, &argument, &code) || code)
		return code < 0 ? EXIT_DONE : code;
	if (opts.argc > 1) {
		say("list: one workload at most");
		return EXIT_CONFIG;
	}
	only = opts.argc ? opts.argv[0] : NULL;
	if (only && !bench_find(only)) {
		say("list: unknown workload '%s' (schedgrid list names them)", only);
		return EXIT_CONFIG;
	}
	for (; *all; all++) {
		if (only && bench_find(only) != *all)
			continue;
		width = width_of(*all);
		(void)printf("%s%s: %s\n", nr_shown++ ? "\n" : "", (*all)->name,
			     (*all)->summary);
		print_programs(*all, width);
		print_choices(*all, width);
		print_params(*all, width);
		print_metrics(*all, width);
	}
	return finish_stdout();
}

const struct command cmd_list = {
	.name = "list",
	.synopsis = "[WORKLOAD]",
	.summary = "The workloads with their programs, variants, parameters and metrics",
	.options = options,
	.run = run,
};
