// SPDX-License-Identifier: GPL-2.0-or-later
/* Carries out one task on its node; see slurm_cell.h. */
#include "runner/slurm_cell.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "lib/err.h"
#include "lib/file.h"
#include "lib/json.h"
#include "lib/topo.h"
#include "record/host.h"
#include "runner/grid.h"
#include "runner/plan.h"
#include "runner/slurm_book.h"
#include "runner/slurm_spec.h"

/* struct stage - what one task works with; @index: of it in its submission */
struct stage {
	const struct slurm_cell *cell;
	struct slurm_book *book;
	const struct slurm_submission *submission;
	size_t index;
	struct grid *grid;
	struct topo *topo;
	struct host *host;
	struct plan *plan;
	int lock;
};

int slurm_check_kernel(const struct grid *grid, size_t column, const struct host *host,
		       struct err *err)
{
	const struct grid_column *asked = &grid->columns[column];

	if (strcmp(host->release, asked->release) != 0)
		return err_set(err, -ENXIO,
			       "kernel %s runs here, and column '%s' asks for %s",
			       host->release, asked->name, asked->release);
	if (!host->build_id)
		return err_set(
			err, -ENXIO,
			"the build id of the running kernel can't be told (expected "
			"/sys/kernel/notes to have it)");
	if (strcmp(host->build_id, asked->build_id) != 0)
		return err_set(
			err, -ENXIO,
			"another build of kernel %s runs here: its build id is %s, "
			"and column '%s' asks for %s",
			host->release, host->build_id, asked->name, asked->build_id);
	return 0;
}

static int find_submission(struct stage *stage, struct err *err)
{
	const struct slurm_cell *cell = stage->cell;
	const struct slurm_book *book = stage->book;
	const char *machine;

	if (!cell->number || cell->number > book->nr_submissions)
		return err_set(err, -EINVAL,
			       "'%s' has no submission %ju (expected at most %zu)",
			       cell->dir, (uintmax_t)cell->number, book->nr_submissions);
	stage->submission = &book->submissions[cell->number - 1];
	if (cell->index >= stage->submission->nr_rows)
		return err_set(err, -EINVAL,
			       "submission %ju has no task %ju (expected below %zu)",
			       (uintmax_t)cell->number, (uintmax_t)cell->index,
			       stage->submission->nr_rows);
	machine = book->machines[stage->submission->machine];
	if (!strcmp(machine, cell->node))
		return 0;
	return err_set(err, -ENXIO, "this is node '%s', and the task is for '%s'",
		       cell->node, machine);
}

/* Paths in it begin where the grid was, and not where its copy is. */
static int load_grid(struct stage *stage, struct err *err)
{
	char *path = file_path("%s/grid.yaml", stage->book->dir);
	char *file = strdup(stage->book->grid);
	int bad = path && file ? grid_load(path, &stage->grid, err) : err_nomem(err);

	free(path);
	if (bad) {
		free(file);
		return bad;
	}
	free(stage->grid->file);
	stage->grid->file = file;
	if (stage->grid->slurm)
		return 0;
	return err_set(err, -EPROTO, "'%s/grid.yaml' is not the grid of this run",
		       stage->book->dir);
}

/* Several nodes may share a host in tests, so that Slurm's name is what counts. */
static int name_host(struct stage *stage, struct err *err)
{
	char *name = strdup(stage->cell->node);

	if (!name || jval_put(stage->host->facts, "machine", jval_from_string(name))) {
		free(name);
		return err_nomem(err);
	}
	free(stage->host->machine);
	stage->host->machine = name;
	return 0;
}

/* Two tasks at a time on one machine would measure each other. */
static int lock_machine(struct stage *stage, struct err *err)
{
	char *dir = file_path("%s/slurm/tasks/%s", stage->book->dir, stage->cell->node);
	char *path = dir ? file_path("%s/lock", dir) : NULL;
	int bad = path ? file_make_dirs(dir, err) : err_nomem(err);

	if (!bad) {
		stage->lock = file_open_regular(path, O_RDWR | O_CREAT, err);
		bad = stage->lock < 0 ? stage->lock : 0;
	}
	if (!bad && flock(stage->lock, LOCK_EX | LOCK_NB))
		bad = err_set(err, -errno,
			      errno == EWOULDBLOCK
				      ? "another task of this run measures on node '%s'"
				      : "cannot lock node '%s': %m",
			      stage->cell->node);
	free(path);
	free(dir);
	return bad;
}

/* The machine, its kernel, and the grid; the submission is still to be proved. */
static int look_around(struct stage *stage, struct err *err)
{
	if (load_grid(stage, err) || topo_discover(&stage->topo, err))
		return err->code;
	return host_discover_at(stage->cell->root, stage->topo, &stage->host, err);
}

static int prepare(struct stage *stage, struct err *err)
{
	const struct slurm_submission *submission = stage->submission;

	if (submission->kernel >= stage->grid->nr_columns)
		return err_set(err, -EPROTO, "'%s/grid.yaml' is not the grid of this run",
			       stage->book->dir);
	if (slurm_check_kernel(stage->grid, submission->kernel, stage->host, err) ||
	    name_host(stage, err) || lock_machine(stage, err))
		return err->code;
	return plan_build(stage->grid, stage->topo, stage->host, &stage->plan, err);
}

/* @dir: of a run; @ledger: of the part. Both are taken over. */
static int measure(const struct stage *stage, char *dir, char *ledger,
		   struct run_summary *ret, struct err *err)
{
	const struct slurm_submission *submission = stage->submission;
	const struct grid *grid = stage->grid;
	uint64_t each = grid->iterations / grid->boots;
	bool columns[GRID_MAX_COLUMNS] = { false };
	struct run_part part = {
		.ledger = ledger,
		.row = submission->rows[stage->index],
		.block = submission->block,
		.first = (submission->block - 1) * each + 1,
		.last = submission->block * each,
	};
	const struct run_options options = {
		.dir = dir,
		.allow_exec = stage->book->allow_exec,
		.on_event = stage->cell->on_event,
		.data = stage->cell->data,
		.part = &part,
	};
	size_t i;
	int bad;

	for (i = 0; i < grid->nr_columns; i++)
		columns[i] = slurm_kernel_of(grid, i) == submission->kernel;
	part.columns = columns;
	bad = dir && ledger ? run_plan(stage->plan, &options, ret, err) : err_nomem(err);
	free(ledger);
	free(dir);
	return bad;
}

static void release(struct stage *stage)
{
	plan_free(stage->plan);
	host_free(stage->host);
	topo_free(stage->topo);
	grid_free(stage->grid);
	if (stage->lock >= 0)
		(void)close(stage->lock);
	slurm_book_free(stage->book);
}

int slurm_cell_run(const struct slurm_cell *cell, struct run_summary *ret,
		   struct err *err)
{
	struct stage stage = { .cell = cell, .index = cell->index, .lock = -1 };
	struct err local = { 0 };
	int bad;

	err = err ? err : &local;
	*ret = (struct run_summary){ 0 };
	bad = slurm_book_load(cell->dir, &stage.book, err);
	if (!bad)
		bad = find_submission(&stage, err);
	if (!bad)
		bad = look_around(&stage, err);
	if (!bad)
		bad = prepare(&stage, err);
	if (!bad)
		bad = measure(&stage,
			      slurm_machine_dir(stage.book, stage.submission->machine),
			      slurm_task_dir(stage.book, stage.grid, stage.submission,
					     stage.submission->rows[stage.index]),
			      ret, err);
	release(&stage);
	return bad;
}

/* The first submission to this machine of the kernel that runs. */
static int find_fitting(struct stage *stage, struct err *err)
{
	const struct slurm_book *book = stage->book;
	size_t i;

	for (i = 0; i < book->nr_submissions; i++) {
		const struct slurm_submission *made = &book->submissions[i];

		if (!strcmp(book->machines[made->machine], stage->cell->node) &&
		    made->nr_rows && made->kernel < stage->grid->nr_columns &&
		    !slurm_check_kernel(stage->grid, made->kernel, stage->host, NULL)) {
			stage->submission = made;
			return 0;
		}
	}
	return err_set(err, -ENOENT,
		       "'%s' has no task for node '%s' on kernel %s, which runs here",
		       stage->cell->dir, stage->cell->node, stage->host->release);
}

int slurm_cell_outside(const struct slurm_cell *cell, struct slurm_outside *ret,
		       struct run_summary *summary, struct err *err)
{
	struct stage stage = { .cell = cell, .lock = -1 };
	struct slurm_outside dirs = { NULL, NULL };
	struct err local = { 0 };
	int bad;

	err = err ? err : &local;
	*summary = (struct run_summary){ 0 };
	bad = slurm_book_load(cell->dir, &stage.book, err);
	if (!bad)
		bad = look_around(&stage, err);
	if (!bad)
		bad = find_fitting(&stage, err);
	if (!bad)
		bad = prepare(&stage, err);
	if (!bad) {
		/* What is measured now is a local run of the same cells. */
		slurm_spec_free(stage.grid->slurm);
		stage.grid->slurm = NULL;
		dirs.inside = slurm_machine_dir(stage.book, stage.submission->machine);
		dirs.outside =
			file_path("%s/slurm/selftest/%s", stage.book->dir, cell->node);
		bad = dirs.inside && dirs.outside
			      ? measure(&stage, strdup(dirs.outside),
					strdup(dirs.outside), summary, err)
			      : err_nomem(err);
	}
	release(&stage);
	if (bad) {
		free(dirs.inside);
		free(dirs.outside);
	} else {
		*ret = dirs;
	}
	return bad;
}
