// SPDX-License-Identifier: GPL-2.0-or-later
/* What the cells of a plan start, as commands and as texts; see plan.h. */
#include "runner/plan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/service.h"
#include "lib/err.h"
#include "lib/json.h"

int plan_command(const struct cell *cell, uint64_t iteration,
		 struct bench_command *command)
{
	int bad = workload_plan(&cell->workload, (unsigned int)iteration, command);

	if (bad)
		bench_command_release(command);
	return bad;
}

int plan_command_line(const struct plan *plan, const struct cell *cell, bool with_paths,
		      struct bench_command *command)
{
	const struct program *program = &plan->programs[cell->program];
	const char *path = with_paths && program->path ? program->path : program->name;
	const struct monitor_tools *tools = &plan->tools;
	const char *perf = with_paths && tools->perf.path ? tools->perf.path : "perf";
	const char *witness = with_paths ? tools->witness.path : "witness";
	const struct monitors *monitors = &plan->grid->monitors;
	char *name;
	int bad = plan_command(cell, 1, command);

	if (bad)
		return bad;
	if (monitors->nr_events) {
		bad = monitor_wrap(monitors, perf, witness, path, command);
	} else if (with_paths) {
		name = strdup(path);
		bad = name ? 0 : -ENOMEM;
		if (name)
			free(command->argv[0]);
		command->argv[0] = name ? name : command->argv[0];
	}
	if (bad)
		bench_command_release(command);
	return bad;
}

int plan_service_command(const struct cell *cell, unsigned int idx,
			 struct bench_command *command)
{
	unsigned int phase = BENCH_SERVICE_INIT;
	unsigned int step = 0;
	int bad = 0;

	while (cell->service && !bad && phase <= BENCH_SERVICE_LOAD) {
		bad = cell->service->plan(&cell->workload,
					  (enum bench_service_phase)phase, step++,
					  command);
		if (!bad && command->nr_args && !idx--)
			return 0;
		/* The server is one command. */
		if (!command->nr_args || phase == BENCH_SERVICE_SERVE) {
			phase++;
			step = 0;
		}
		bench_command_release(command);
	}
	return bad;
}

int plan_check_commands(const struct plan *plan, struct err *err)
{
	enum { SHOWN = 200 };
	struct bench_command command = { 0 };
	char text[SHOWN] = "";
	size_t len = 0;
	size_t i;

	for (i = 0; i < plan->nr_cells; i++)
		if (plan->cells[i].workload.ops->runs_command)
			break;
	if (i == plan->nr_cells || plan->sim)
		return 0;
	if (plan_command(&plan->cells[i], 1, &command))
		return err_nomem(err);
	for (i = 0; i < command.nr_args && len < sizeof(text); i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s",
					i ? " " : "", command.argv[i]);
	bench_command_release(&command);
	return err_set(err, -ECANCELED,
		       "the grid names commands to run, such as '%s'; look at all of "
		       "them with `schedgrid plan`, and allow them with --allow-exec",
		       text);
}

char *cell_point(const struct cell *cell)
{
	const struct jval *value;
	const char *key;
	char *text = NULL;
	void *pos = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	while (jval_each(cell->point, &pos, &key, &value)) {
		char *number = jval_write(value, JVAL_LINE);
		const char *word = jval_text(value);

		(void)fprintf(out, "%s%s=%s", ftell(out) ? " " : "", key,
			      word     ? word
			      : number ? number
				       : "");
		free(number);
	}
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}
