/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a grid asks of Slurm: which machines, and which kernel for which column. Knows
 * nothing of the cluster that is there.
 */
#ifndef RUNNER_SLURM_SPEC_H
#define RUNNER_SLURM_SPEC_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct grid;
struct jval;

/** Most nodes that a grid may name. */
enum { SLURM_MAX_NODES = 200 };

/**
 * struct slurm_spec - the executor `slurm` of a grid
 * @nodes: names; each measures the whole grid by itself; owned
 * @nr_nodes: 0: all nodes that @feature and @partition leave
 * @feature: only nodes that have it; NULL: any
 * @partition: to submit to; NULL: Slurm's default
 * @program: path of schedgrid on the nodes; NULL: that of the runner
 * @boots: starts of each kernel
 */
struct slurm_spec {
	char **nodes;
	size_t nr_nodes;
	char *feature, *partition, *program;
	unsigned long boots;
};

/** slurm_spec_free - NULL and half-built ones are fine */
void slurm_spec_free(struct slurm_spec *spec);

/**
 * slurm_feature - the name that nodes have for a kernel among their features
 * @release: as uname -r prints it
 * @ret: the caller's to free(); written on success only
 * @err: says which character has no place in a release
 *
 * Slurm takes neither '-' nor '+', nor a digit in front: 6.1.0-rc3 is k6.1.0_rc3. No two
 * releases have one name: '-' is '_', and '_', '+', '~', '=' are "=u", "=p", "=t", "=e".
 *
 * Return: 0, -EINVAL or -ENOMEM.
 */
int slurm_feature(const char *release, char **ret, struct err *err);

/**
 * slurm_kernel_of - which kernel a column runs on
 *
 * Return: the first column with the same release and build id, so that columns of one
 * kernel have one number.
 */
size_t slurm_kernel_of(const struct grid *grid, size_t column);

/** slurm_kernel_json - what identifies a column's kernel, a new object; NULL: no memory */
struct jval *slurm_kernel_json(const struct grid *grid, size_t column);

#endif
