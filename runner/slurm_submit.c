// SPDX-License-Identifier: GPL-2.0-or-later
/* Calls sbatch and scancel; see slurm_submit.h. */
#include "runner/slurm_submit.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "benchmarks/bench.h"
#include "benchmarks/native.h"
#include "lib/err.h"
#include "lib/file.h"
#include "runner/grid.h"
#include "runner/slurm_book.h"
#include "runner/slurm_call.h"
#include "runner/slurm_spec.h"

/* Slurm copies it at each submission; what it starts are its arguments. */
static const char script[] = "#!/bin/sh\nexec \"$@\"\n";

static char *script_path(const struct slurm_book *book)
{
	return file_path("%s/slurm/cell.sh", book->dir);
}

int slurm_write_script(const struct slurm_book *book, struct err *err)
{
	char *path = script_path(book);
	int bad = path ? file_replace(path, script, strlen(script), err) : err_nomem(err);

	free(path);
	return bad;
}

/* Our own path, where the grid names none: the nodes are expected to see the same. */
static char *find_program(const struct grid *grid)
{
	enum { PATH_SIZE = 4096 };
	char self[PATH_SIZE];
	ssize_t len;

	if (grid->slurm->program)
		return strdup(grid->slurm->program);
	len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	return len > 0 ? strndup(self, (size_t)len) : NULL;
}

/* How, where and in which order; nobody else may use the node meanwhile. */
static int add_options(const struct slurm_book *book, const struct grid *grid,
		       const struct slurm_submission *made, const char *after,
		       struct bench_command *command)
{
	int bad = bench_arg(command, "sbatch");

	bad |= bench_arg(command, "--parsable");
	bad |= bench_arg(command, "--requeue");
	bad |= bench_arg(command, "--exclusive");
	bad |= bench_arg(command, "--open-mode=append");
	bad |= bench_arg(command, "--chdir=%s", book->dir);
	bad |= bench_arg(command, "--output=%s/slurm/log/%%x_%%a.log", book->dir);
	bad |= bench_arg(command, "--nodelist=%s", book->machines[made->machine]);
	bad |= bench_arg(command, "--nodes=1");
	bad |= bench_arg(command, "--constraint=%s", grid->columns[made->kernel].feature);
	bad |= bench_arg(command, "--array=0-%zu", made->nr_rows - 1);
	if (grid->slurm->partition)
		bad |= bench_arg(command, "--partition=%s", grid->slurm->partition);
	if (*after)
		bad |= bench_arg(command, "--dependency=afterany:%s", after);
	return bad;
}

static int build_command(const struct slurm_book *book, const struct grid *grid,
			 uint64_t number, const char *after,
			 struct bench_command *command)
{
	char *program = find_program(grid);
	char *path = script_path(book);
	char name[SLURM_NAME_SIZE];
	int bad = program && path ? 0 : -ENOMEM;

	slurm_book_name(book, number, name);
	bad |= add_options(book, grid, &book->submissions[number - 1], after, command);
	bad |= bench_arg(command, "--job-name=%s", name);
	bad |= bench_arg(command, "%s", path ? path : "");
	bad |= bench_arg(command, "%s", program ? program : "");
	bad |= bench_arg(command, "grid");
	bad |= bench_arg(command, "cell");
	bad |= bench_arg(command, "%s", book->dir);
	bad |= bench_arg(command, "%ju", (uintmax_t)number);
	free(path);
	free(program);
	return bad;
}

/* "17", or "17;cluster" */
static int read_job(const char *text, char job[SLURM_JOB_SIZE], struct err *err)
{
	size_t len = strspn(text, "0123456789");

	if (!len || len >= SLURM_JOB_SIZE || !strchr(";\n", text[len]))
		return err_set(err, -EREMOTEIO,
			       "sbatch printed no id of a job (expected a number, as "
			       "sbatch --parsable prints it)");
	memcpy(job, text, len);
	job[len] = '\0';
	return 0;
}

int slurm_submit(struct proc_watch *watch, const struct slurm_book *book,
		 const struct grid *grid, uint64_t number, char job[SLURM_JOB_SIZE],
		 struct err *err)
{
	struct bench_command command = { 0 };
	char *text = NULL;
	int bad = build_command(book, grid, number, job, &command);

	if (bad)
		bad = err_nomem(err);
	else
		bad = slurm_call(watch, (const char *const *)command.argv, &text, NULL,
				 err);
	if (!bad)
		bad = read_job(text, job, err);
	free(text);
	bench_command_release(&command);
	return bad;
}

int slurm_cancel_number(struct proc_watch *watch, const struct slurm_book *book,
			uint64_t number, struct err *err)
{
	char name[SLURM_NAME_SIZE];
	char option[SLURM_NAME_SIZE + 16];
	const char *const argv[] = { "scancel", option, NULL };

	slurm_book_name(book, number, name);
	(void)snprintf(option, sizeof(option), "--name=%s", name);
	return slurm_call(watch, argv, NULL, NULL, err);
}
