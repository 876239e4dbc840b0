/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A plan: a grid expanded for this machine. Every cell with its identity,
 * CPUs and command line, and the order in which the blocks run them.
 */
#ifndef RUNNER_PLAN_H
#define RUNNER_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "benchmarks/bench.h"
#include "lib/cpulist.h"
#include "runner/grid.h"
#include "runner/program.h"

struct bench_service;
struct err;
struct guest;
struct host;
struct jval;
struct simulation;
struct topo;

/** Most iterations that a plan may come to, over all cells. */
enum { PLAN_MAX_ITERATIONS = 10000000 };

/**
 * struct cell - one point of the grid
 * @id: identity, see cell_id()
 * @column: index into the grid's columns
 * @twin: how many columns before it are the same in effect; they are other cells. One
 *        that is skipped for it has a number of its own
 * @row: index of the combination of workload variant and parameter values
 * @entry: of the grid's workloads, where it comes from; lent
 * @workload: configured for this cell; nothing is left open
 * @variant: such as "hackbench-process-pipes"
 * @point: object of the values that label the row
 * @parameters: object of every parameter's value
 * @cpus: where it may run
 * @program: index into the plan's programs; its path is NULL when not installed
 * @service: what must run beside the program, NULL: nothing
 * @server: index of its server's program, where @service is set
 * @unfit: why it can't be measured on this machine, NULL when it can
 * @remark: what its records have to say of the workload's size
 */
struct cell {
	char *id;
	size_t column, twin, row;
	const struct grid_workload *entry;
	struct workload workload;
	char *variant;
	struct jval *point, *parameters;
	struct cpulist cpus;
	size_t program;
	const struct bench_service *service;
	size_t server;
	char *unfit;
	struct bench_remark remark;
};

/**
 * struct plan - a grid on this machine
 * @grid: lent
 * @host: lent
 * @topo: of the machine that runs the cells; lent
 * @guest: what boots the columns' kernels; NULL: nothing does
 * @sim: what the cells are simulated by; NULL: they run
 * @cells: row by row, in each row column by column
 * @nr_cells: rows times columns
 * @nr_rows: combinations of variant and parameter values
 * @programs: each program once
 * @nr_programs: how many
 * @tools: what the grid's monitors need; empty when there are none
 */
struct plan {
	const struct grid *grid;
	const struct host *host;
	const struct topo *topo;
	struct guest *guest;
	struct simulation *sim;
	struct cell *cells;
	size_t nr_cells, nr_rows;
	struct program *programs;
	size_t nr_programs;
	struct monitor_tools tools;
};

/**
 * plan_build - expand @grid on this machine
 * @grid: lent, must outlive the plan
 * @topo: the machine's topology; lent, must outlive the plan
 * @host: the machine's facts; lent, must outlive the plan
 * @ret: to be freed by plan_free(); written on success only
 * @err: with the grid's file:line:column where the grid is wrong
 *
 * Columns that are the same in effect are refused, unless the grid allows them. What a workload leaves open
 * for the machine is one value for all columns of a row, by all of their CPUs.
 *
 * Return: 0, -EINVAL for what the grid says, or another negative errno.
 */
int plan_build(const struct grid *grid, const struct topo *topo, const struct host *host,
	       struct plan **ret, struct err *err);

/** plan_free - NULL is fine */
void plan_free(struct plan *plan);

/**
 * plan_order - the cells of one block in the order they run
 * @plan: the plan
 * @block: from 1; 0 and below the first are not special
 * @order: receives the indices of all cells
 *
 * The rows come in seeded random order, and the columns of each row right
 * after each other in seeded random order, so that what drifts hits all
 * columns of a row alike. Depends on seed and block only.
 *
 * Return: 0 or -ENOMEM.
 */
int plan_order(const struct plan *plan, uint64_t block, size_t *order);

/**
 * plan_command - the command line of one iteration
 * @command: empty; filled on success, to be released by the caller
 *
 * Return: 0 or -ENOMEM.
 */
int plan_command(const struct cell *cell, uint64_t iteration,
		 struct bench_command *command);

/**
 * plan_command_line - plan_command() under the grid's monitors, for a reader
 * @plan: the plan
 * @with_paths: programs are called by their path and not by their name
 *
 * Return: 0 or -ENOMEM.
 */
int plan_command_line(const struct plan *plan, const struct cell *cell, bool with_paths,
		      struct bench_command *command);

/**
 * plan_service_command - a command of the cell's service, in the order they run
 * @idx: which, from 0
 * @command: empty; filled, to be released by the caller; stays empty when there
 *           are no more, or there is no service
 *
 * Return: 0 or -ENOMEM.
 */
int plan_service_command(const struct cell *cell, unsigned int idx,
			 struct bench_command *command);

/**
 * plan_check_commands - refuse a plan that runs commands which the grid names
 * @err: says which, and how to allow it
 *
 * A grid may come from anybody, and running it must not do what they like.
 *
 * Return: 0 when there are none, or -ECANCELED.
 */
int plan_check_commands(const struct plan *plan, struct err *err);

/** plan_executor - where the plan runs, by the word of the grid; static */
const char *plan_executor(const struct plan *plan);

/** plan_kernel - what identifies a column's kernel, a new object; NULL: no memory */
struct jval *plan_kernel(const struct plan *plan, size_t column);

/** plan_machine - name of the machine that cells run on; lent */
const char *plan_machine(const struct plan *plan);

/**
 * plan_json - the plan as written to plan.json, schema "schedgrid-plan-1"
 *
 * Return: new object; NULL: out of memory.
 */
struct jval *plan_json(const struct plan *plan);

/** cell_point - the point as "groups=4 size=100", caller's to free; NULL: no memory */
char *cell_point(const struct cell *cell);

#endif
