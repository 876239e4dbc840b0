/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A simulation as a plan sees it: the machine, and for each column the rules and domains
 * of its kernel. Runs nothing.
 */
#ifndef RUNNER_SIM_PLAN_H
#define RUNNER_SIM_PLAN_H

#include <stddef.h>

#include "policy/variant.h"
#include "runner/sim_machine.h"

struct cell;
struct domains;
struct err;
struct grid;
struct host;
struct jval;
struct program;

/**
 * struct sim_column - a column's kernel
 * @policy: name of its variant, switches included
 * @variant: its rules
 * @domains: that it builds, as the column's settings leave them
 * @unfit: why its cells can't be simulated, NULL when they can
 */
struct sim_column {
	char *policy;
	struct policy_variant variant;
	struct domains *domains;
	char *unfit;
};

/**
 * struct simulation - see the top of the file
 * @grid: lent
 * @machine: where all columns run
 * @columns: of the grid
 */
struct simulation {
	const struct grid *grid;
	struct sim_machine machine;
	struct sim_column *columns;
};

/**
 * simulation_open - find machine and policies of a grid whose executor is sim
 * @grid: lent, must outlive the simulation
 * @host: tells which kernel {running: true} is
 * @ret: to be freed by simulation_free(); written on success only
 * @err: with the grid's file:line:column
 *
 * Where a column names no policy, that of its kernel's version is taken.
 *
 * Return: 0, -EINVAL for what the grid says, or another negative errno.
 */
int simulation_open(const struct grid *grid, const struct host *host,
		    struct simulation **ret, struct err *err);

/** simulation_free - NULL is fine */
void simulation_free(struct simulation *sim);

/** simulation_kernel - what identifies a column's kernel, a new object; NULL: no memory */
struct jval *simulation_kernel(const struct simulation *sim, size_t column);

/** simulation_json - the machine, a new object; NULL: out of memory */
struct jval *simulation_json(const struct simulation *sim);

/**
 * simulation_program - what stands for the program of all cells in plan and records
 * @ret: to be released by program_release(); it has no path
 *
 * Return: 0 or -ENOMEM.
 */
int simulation_program(struct program *ret);

/**
 * simulation_check - whether a cell can be simulated
 * @cell: with its workload's values
 * @err: says why not
 *
 * Return: 0, -EOPNOTSUPP, or another negative errno.
 */
int simulation_check(const struct simulation *sim, const struct cell *cell,
		     struct err *err);

#endif
