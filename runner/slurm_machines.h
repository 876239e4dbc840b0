/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The nodes that a grid means, of those that Slurm has. */
#ifndef RUNNER_SLURM_MACHINES_H
#define RUNNER_SLURM_MACHINES_H

struct err;
struct grid;
struct proc_watch;
struct slurm_book;
struct slurm_nodes;

/**
 * slurm_machines_pick - choose the machines of a run that has none yet
 * @nodes: that Slurm has
 * @grid: with executor slurm
 * @book: receives their names; those of a run that was begun stay
 * @err: names the node or feature that isn't there, and the nearest
 *
 * Return: 0, -EINVAL, or -ENOMEM.
 */
int slurm_machines_pick(const struct slurm_nodes *nodes, const struct grid *grid,
			struct slurm_book *book, struct err *err);

/** slurm_machines_choose - likewise, after asking Slurm; also what slurm_call() returns */
int slurm_machines_choose(struct proc_watch *watch, const struct grid *grid,
			  struct slurm_book *book, struct err *err);

#endif
