// SPDX-License-Identifier: GPL-2.0-or-later
/* schedgrid show: print what a run kept of one cell beside its records. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/text.h"
#include "runner/placement.h"

enum { TRACE_MAX = 1 << 28 };

static const struct option_def options[] = {
	{ "placement", 0, NULL, "the CPU chosen for each new task, with its LLC" },
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

static int run(int argc, char **argv)
{
	struct options opts = { &cmd_show, argc, argv };
	bool wants_placement = false;
	const char *argument;
	struct err err = { 0 };
	int code;
	int bad;

	while (options_next(&opts, &argument, &code))
		wants_placement = true;
	if (code)
		return code < 0 ? EXIT_DONE : code;
	if (!wants_placement || opts.argc != 2) {
		say("show: --placement, the directory of a run and a cell of it expected");
		return EXIT_CONFIG;
	}
	bad = show_placement(opts.argv[0], opts.argv[1], &err);
	if (bad)
		return complain(&err, bad == -ENOENT || bad == -ENOTDIR ? EXIT_CONFIG
									: EXIT_DATA);
	return finish_stdout();
}

const struct command cmd_show = {
	.name = "show",
	.synopsis = "--placement DIR CELL",
	.summary = "Print where the kernel put a cell's new tasks",
	.options = options,
	.run = run,
};
