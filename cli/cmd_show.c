// SPDX-License-Identifier: GPL-2.0-or-later
/* schedgrid show: what a run kept of one cell beside its records, or all of it packed. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/publish_parts.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/tar.h"
#include "lib/text.h"
#include "runner/placement.h"

enum { TRACE_MAX = 1 << 28 };

static const struct option_def options[] = {
	{ "placement", 0, NULL, "the CPU chosen for each new task, with its LLC" },
	{ "archive", 0, NULL, "pack a run into one file, the same bytes each time" },
	{ "output", 'o', "FILE", "the file to pack it into" },
	{ 0 },
};

static int is_visible(const struct dirent *entry)
{
	return *entry->d_name != '.';
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strverscmp((*a)->d_name, (*b)->d_name);
}

/* The listing of one iteration, under the name of its folder. */
static int show_iteration(const char *cell_dir, const char *iteration, struct err *err)
{
	char *path = file_path("%s/%s/" PLACEMENT_FILE, cell_dir, iteration);
	struct err why = { 0 };
	char *trace = NULL;
	char *list = NULL;
	int bad = path ? file_read(path, TRACE_MAX, &trace, NULL, &why) : err_nomem(&why);

	if (!bad)
		bad = placement_list(trace, &list, &why);
	if (bad == -ENOENT)
		err_set(err, bad,
			"%s/%s has no " PLACEMENT_FILE
			" (expected a cell that ran with monitors: [placement])",
			cell_dir, iteration);
	else if (bad)
		err_set(err, bad, "%s: %s", path ? path : iteration, why.text);
	else
		(void)printf("%s:\n%s", iteration, list);
	free(list);
	free(trace);
	free(path);
	return bad;
}

/* The cell that may have been meant by a name that isn't there. */
static int refuse_cell(const char *raw, const char *cell, struct err *err)
{
	struct dirent **entries = NULL;
	int nr = scandir(raw, &entries, is_visible, by_name);
	const char **names = nr >= 0 ? calloc((size_t)nr + 1, sizeof(*names)) : NULL;
	const char *nearest;
	int i;

	if (nr < 0)
		return err_set(err, -errno,
			       "cannot read '%s': %m (expected the directory "
			       "of a run)",
			       raw);
	for (i = 0; names && i < nr; i++)
		names[i] = entries[i]->d_name;
	nearest = names ? text_nearest(cell, names) : NULL;
	err_set(err, -ENOENT,
		"'%s' has no cell '%s' (expected the \"cell\" of a record)%s%s%s", raw,
		cell, nearest ? "; did you mean '" : "", nearest ? nearest : "",
		nearest ? "'?" : "");
	for (i = 0; i < nr; i++)
		free(entries[i]);
	free(entries);
	free(names);
	return -ENOENT;
}

static int show_placement(const char *dir, const char *cell, struct err *err)
{
	char *raw = file_path("%s/raw", dir);
	char *cell_dir = raw ? file_path("%s/%s", raw, cell) : NULL;
	struct dirent **entries = NULL;
	int nr = -1;
	int bad = 0;
	int i;

	if (cell_dir && *cell && *cell != '.' && !strchr(cell, '/'))
		nr = scandir(cell_dir, &entries, is_visible, by_name);
	if (nr < 0)
		bad = cell_dir ? refuse_cell(raw, cell, err) : err_nomem(err);
	for (i = 0; i < nr; i++) {
		if (!bad)
			bad = show_iteration(cell_dir, entries[i]->d_name, err);
		free(entries[i]);
	}
	free(entries);
	free(cell_dir);
	free(raw);
	return bad;
}

static int show_archive(const char *dir, const char *output, struct err *err)
{
	char *name = publish_run_name(dir, err);
	int bad = name ? tar_write(dir, name, output, err) : err->code;

	free(name);
	return bad;
}

/* struct wish - what the command line asks for */
struct wish {
	bool placement, archive;
	const char *output;
};

/* EXIT_DONE, or EXIT_CONFIG after saying what is wrong. */
static int check(const struct wish *wish, int argc)
{
	if (wish->placement && !wish->archive && !wish->output && argc == 2)
		return EXIT_DONE;
	if (wish->archive && !wish->placement && wish->output && *wish->output &&
	    argc == 1)
		return EXIT_DONE;
	say("show: either --placement, the directory of a run and a cell of it, or "
	    "--archive, the directory and -o FILE expected");
	return EXIT_CONFIG;
}

static int run(int argc, char **argv)
{
	struct options opts = { &cmd_show, argc, argv };
	const struct option_def *option;
	struct wish wish = { 0 };
	const char *argument;
	struct err err = { 0 };
	int code;
	int bad;

	while ((option = options_next(&opts, &argument, &code)))
		if (argument)
			wish.output = argument;
		else if (!strcmp(option->name, "archive"))
			wish.archive = true;
		else
			wish.placement = true;
	if (code)
		return code < 0 ? EXIT_DONE : code;
	if (check(&wish, opts.argc))
		return EXIT_CONFIG;
	bad = wish.archive ? show_archive(opts.argv[0], wish.output, &err)
			   : show_placement(opts.argv[0], opts.argv[1], &err);
	if (bad)
		return complain(&err, bad == -ENOENT || bad == -ENOTDIR ? EXIT_CONFIG
									: EXIT_DATA);
	return finish_stdout();
}

const struct command cmd_show = {
	.name = "show",
	.synopsis = "--placement DIR CELL | --archive DIR -o FILE",
	.summary = "Print where the kernel put a cell's new tasks, or pack a run",
	.options = options,
	.run = run,
};
