// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * schedgrid grid: runs on many machines, as the executor slurm makes them: how far one is,
 * to end it, to go on with it, and what the nodes start for each task.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/selftest.h"
#include "lib/err.h"
#include "lib/proc.h"
#include "lib/text.h"
#include "lib/topo.h"
#include "record/host.h"
#include "runner/grid.h"
#include "runner/plan.h"
#include "runner/run.h"
#include "runner/slurm_book.h"
#include "runner/slurm_call.h"
#include "runner/slurm_cell.h"
#include "runner/slurm_queue.h"
#include "runner/slurm_run.h"
#include "runner/slurm_spec.h"
#include "runner/slurm_tasks.h"

static const struct option_def options[] = {
	{ "node", 0, "NAME", "name that Slurm has for this machine (default: its own)" },
	{ "root", 0, "DIR", "tell the kernel by the /proc and /sys below DIR instead" },
	{ 0 },
};

/* A number of the environment that Slurm gives its jobs. */
static int take_number(const char *what, const char *text, uint64_t *ret)
{
	struct err err = { 0 };

	if (text && !text_uint(text, 0, INT32_MAX, ret, &err))
		return EXIT_DONE;
	say("grid cell: %s: %s", what,
	    text ? err.text : "not there (expected to be started by Slurm)");
	return EXIT_CONFIG;
}

static void tell_cell(const struct run_event *event, void *data)
{
	const struct record *record = event->record;

	(void)data;
	if (event->note)
		say("%s", event->note);
	else if (record && record->status != RECORD_OK)
		say("%s, %s, iteration %ju: %s: %s", record->variant, record->column,
		    (uintmax_t)event->iteration, record_status_name(record->status),
		    record->reason ? record->reason : "");
}

/* Another kernel than asked for is this machine's fault. */
static int do_cell(void *data)
{
	const struct slurm_cell *cell = data;
	struct run_summary summary;
	struct err err = { 0 };
	int bad = slurm_cell_run(cell, &summary, &err);

	if (bad)
		return complain(&err, bad == -ENXIO ? EXIT_HOST : run_error_code(bad));
	return run_exit_code(&summary);
}

/* grid cell DIR NUMBER, as the jobs start it */
static int run_cell(char **argv, const char *root)
{
	struct slurm_cell cell = {
		.dir = argv[0],
		.node = getenv("SLURMD_NODENAME"),
		.root = root ? root : "",
		.on_event = tell_cell,
	};

	if (!cell.node) {
		say("grid cell: no SLURMD_NODENAME (expected to be started by Slurm)");
		return EXIT_CONFIG;
	}
	if (take_number("NUMBER", argv[1], &cell.number) ||
	    take_number("SLURM_ARRAY_TASK_ID", getenv("SLURM_ARRAY_TASK_ID"),
			&cell.index))
		return EXIT_CONFIG;
	return run_in_worker(do_cell, &cell);
}

/* struct count - tasks of one machine and kernel */
struct count {
	size_t nr_done, nr_running, nr_waiting, nr_tasks;
	uint64_t nr_failed;
};

static struct count count_tasks(const struct slurm_tasks *tasks, size_t machine,
				size_t kernel)
{
	struct count count = { 0 };
	size_t i;

	for (i = 0; i < tasks->nr_tasks; i++) {
		const struct slurm_task *task = &tasks->tasks[i];
		bool is_done = task->nr_settled == task->nr_turns;

		if (task->of.machine != machine || task->of.kernel != kernel)
			continue;
		count.nr_tasks++;
		count.nr_done += is_done;
		count.nr_running += !is_done && task->is_running;
		count.nr_waiting += !is_done && task->is_live && !task->is_running;
		count.nr_failed += task->nr_failed;
	}
	return count;
}

/* What only Slurm knows is left open when it doesn't answer. */
static void print_row(const struct slurm_tasks *tasks, size_t machine, size_t kernel,
		      bool is_known)
{
	struct count count = count_tasks(tasks, machine, kernel);
	size_t nr_left = count.nr_tasks - count.nr_done;

	(void)printf("%-16s %-28s %6zu %6zu", tasks->book->machines[machine],
		     tasks->plan->grid->columns[kernel].feature, count.nr_tasks,
		     count.nr_done);
	if (is_known)
		(void)printf(" %8zu %8zu %8zu", count.nr_running, count.nr_waiting,
			     nr_left - count.nr_running - count.nr_waiting);
	else
		(void)printf(" %8s %8s %8s", "?", "?", "?");
	(void)printf(" %8ju\n", (uintmax_t)count.nr_failed);
}

static int print_status(const struct slurm_tasks *tasks, bool is_known)
{
	const struct grid *grid = tasks->plan->grid;
	size_t i, j;

	(void)printf("%-16s %-28s %6s %6s %8s %8s %8s %8s\n", "machine", "kernel",
		     "tasks", "done", "running", "waiting", "missing", "failed");
	for (i = 0; i < tasks->book->nr_machines; i++)
		for (j = 0; j < grid->nr_columns; j++)
			if (slurm_kernel_of(grid, j) == j)
				print_row(tasks, i, j, is_known);
	return finish_stdout();
}

static int show_tasks(struct slurm_tasks *tasks, struct proc_watch *watch,
		      struct err *err)
{
	struct slurm_queue queue = { 0 };
	struct err why = { 0 };
	bool is_known = !slurm_ask_queue(watch, &queue, &why);

	if (slurm_tasks_collect(tasks, err))
		return complain_data(err);
	if (is_known)
		slurm_tasks_mark(tasks, &queue);
	else
		say("what runs and waits isn't known: %s", why.text);
	slurm_queue_release(&queue);
	return print_status(tasks, is_known);
}

static int status(const struct slurm_book *book, struct proc_watch *watch)
{
	struct slurm_tasks tasks = { 0 };
	struct session session = { 0 };
	struct err err = { 0 };
	char *path = NULL;
	int code = asprintf(&path, "%s/grid.yaml", book->dir) < 0
			   ? complain_nomem()
			   : session_open(&session, path, COLUMNS_ANY);

	if (!code && (!session.grid || !session.grid->slurm)) {
		say("'%s' is not the grid of a run under Slurm", path);
		code = EXIT_DATA;
	}
	if (!code)
		code = slurm_tasks_open(session.plan, book, &tasks, &err)
			       ? complain_data(&err)
			       : show_tasks(&tasks, watch, &err);
	slurm_tasks_release(&tasks);
	session_close(&session);
	free(path);
	return code;
}

static int cancel(const struct slurm_book *book, struct proc_watch *watch)
{
	struct err err = { 0 };
	int bad = slurm_cancel(watch, book, &err);

	return bad ? complain(&err, run_error_code(bad)) : EXIT_DONE;
}

/* Opens the book for an action that asks Slurm. */
static int with_book(const char *dir, int (*action)(const struct slurm_book *book,
						    struct proc_watch *watch))
{
	struct slurm_book *book = NULL;
	struct proc_watch watch;
	struct err err = { 0 };
	int bad = slurm_book_load(dir, &book, &err);
	int code;

	if (bad)
		return complain(&err, bad == -ENOENT ? EXIT_CONFIG : EXIT_DATA);
	if (proc_watch_open(&watch, &err)) {
		slurm_book_free(book);
		return complain(&err, EXIT_HOST);
	}
	code = action(book, &watch);
	proc_watch_close(&watch);
	slurm_book_free(book);
	return code;
}

static int resume(const char *dir)
{
	struct slurm_book *book = NULL;
	struct run_options how = { .dir = dir };
	struct err err = { 0 };
	int bad = slurm_book_load(dir, &book, &err);
	int code;

	if (bad)
		return complain(&err, bad == -ENOENT ? EXIT_CONFIG : EXIT_DATA);
	how.allow_exec = book->allow_exec;
	code = run_supervised(book->grid, &how, COLUMNS_DISTINCT);
	slurm_book_free(book);
	return code;
}

/* What a grid has to say of the kernel that runs here. */
static int show_kernel(const char *root)
{
	struct topo *topo = NULL;
	struct host *host = NULL;
	struct err err = { 0 };
	char *feature = NULL;
	int code = EXIT_DONE;

	if (topo_discover(&topo, &err) ||
	    host_discover_at(root ? root : "", topo, &host, &err) ||
	    slurm_feature(host->release, &feature, &err)) {
		code = complain(&err, EXIT_HOST);
	} else if (!host->build_id) {
		say("the build id of the running kernel can't be told (expected "
		    "/sys/kernel/notes to have it)");
		code = EXIT_HOST;
	} else {
		(void)printf("kernel: {release: \"%s\", build_id: \"%s\"}\n"
			     "feature: %s\n",
			     host->release, host->build_id, feature);
		code = finish_stdout();
	}
	free(feature);
	host_free(host);
	topo_free(topo);
	return code;
}

enum action { STATUS, CANCEL, RESUME, SELFTEST, KERNEL, CELL };

/* struct choice - the options; NULL where they aren't given */
struct choice {
	const char *node, *root;
};

static const char *const actions[] = { "status",   "cancel", "resume",
				       "selftest", "kernel", NULL };

/* The one that people don't type isn't among those that are listed. */
static int find_action(const char *text)
{
	return !strcmp(text, "cell") ? CELL : find_word("grid", "action", text, actions);
}

static int do_selftest(void *data)
{
	return selftest(data);
}

/* The name of a node is that of its host up to the first dot, unless told otherwise. */
static int run_selftest(const char *dir, const struct choice *choice)
{
	char host[HOST_NAME_MAX + 1] = "";
	struct slurm_cell cell = {
		.dir = dir,
		.node = choice->node ? choice->node : host,
		.root = choice->root ? choice->root : "",
		.on_event = tell_cell,
	};

	if (gethostname(host, HOST_NAME_MAX)) {
		say("grid selftest: cannot tell the name of this machine");
		return EXIT_HOST;
	}
	host[strcspn(host, ".")] = '\0';
	return run_in_worker(do_selftest, &cell);
}

static int act(enum action action, char **argv, const struct choice *choice)
{
	switch (action) {
	case STATUS:
		return with_book(argv[0], status);
	case CANCEL:
		return with_book(argv[0], cancel);
	case RESUME:
		return resume(argv[0]);
	case KERNEL:
		return show_kernel(choice->root);
	case SELFTEST:
		return run_selftest(argv[0], choice);
	case CELL:
		break;
	}
	return run_cell(argv, choice->root);
}

static int run(int argc, char **argv)
{
	static const int nr_operands[] = { 1, 1, 1, 1, 0, 2 };
	struct options opts = { &cmd_grid, argc, argv };
	struct choice choice = { NULL, NULL };
	const struct option_def *option;
	const char *argument;
	int code;
	int action;

	while ((option = options_next(&opts, &argument, &code)))
		*(strcmp(option->name, "node") ? &choice.root : &choice.node) = argument;
	if (code)
		return code < 0 ? EXIT_DONE : code;
	if (!opts.argc) {
		say("grid: an action expected: status, cancel, resume, selftest or "
		    "kernel");
		return EXIT_CONFIG;
	}
	action = find_action(opts.argv[0]);
	if (action < 0)
		return EXIT_CONFIG;
	if (opts.argc - 1 != nr_operands[action]) {
		say("grid %s: %s expected", opts.argv[0],
		    nr_operands[action] ? "the directory of a run" : "nothing behind it");
		return EXIT_CONFIG;
	}
	return act((enum action)action, opts.argv + 1, &choice);
}

const struct command cmd_grid = {
	.name = "grid",
	.synopsis = "status|cancel|resume DIR, selftest DIR [--node NAME], or kernel",
	.summary = "Look at, end or go on with a run on many machines",
	.options = options,
	.run = run,
};
