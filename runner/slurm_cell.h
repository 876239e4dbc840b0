/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A task of a run under Slurm, on its node: proves that the kernel asked for is the one
 * that runs, then carries out its part of the plan as any local run would.
 */
#ifndef RUNNER_SLURM_CELL_H
#define RUNNER_SLURM_CELL_H

#include <stddef.h>
#include <stdint.h>

#include "runner/run.h"

struct err;
struct grid;
struct host;

/**
 * struct slurm_cell - which task
 * @dir: of the run
 * @number: of the submission in the run's book
 * @index: of the task in its array
 * @node: name that Slurm has for this machine
 * @root: of the files that tell the kernel, "" for this host's own
 * @on_event: may be NULL
 * @data: for @on_event
 */
struct slurm_cell {
	const char *dir;
	uint64_t number, index;
	const char *node;
	const char *root;
	run_event_fn *on_event;
	void *data;
};

/**
 * struct slurm_outside - a task that was carried out outside Slurm
 * @inside: the run of this machine; the caller's to free()
 * @outside: a run that has the task's cells only; likewise
 */
struct slurm_outside {
	char *inside, *outside;
};

/**
 * slurm_check_kernel - hold the running kernel against the one that a column asks for
 * @grid: with executor slurm
 * @column: of it
 * @host: the running kernel
 * @err: says what runs and what was asked for
 *
 * Return: 0, or -ENXIO when it is another one, or can't be told.
 */
int slurm_check_kernel(const struct grid *grid, size_t column, const struct host *host,
		       struct err *err);

/**
 * slurm_cell_run - carry out what the task misses
 * @cell: which
 * @ret: what was done
 * @err: says why it could not be
 *
 * Return: 0; -ENXIO for another kernel or machine: then nothing was measured;
 * -EWOULDBLOCK while another task measures on this machine; what slurm_book_load() and
 * run_plan() say; or another negative errno.
 */
int slurm_cell_run(const struct slurm_cell *cell, struct run_summary *ret,
		   struct err *err);

/**
 * slurm_cell_outside - carry out a task of this machine and kernel outside Slurm
 * @cell: @number and @index don't count: it is the first that fits
 * @ret: where both are; filled on success only
 * @summary: what was done
 * @err: says why it could not be
 *
 * What is there from an earlier call stays and isn't measured again.
 *
 * Return: as slurm_cell_run(); -ENOENT when the run has no task for it.
 */
int slurm_cell_outside(const struct slurm_cell *cell, struct slurm_outside *ret,
		       struct run_summary *summary, struct err *err);

#endif
