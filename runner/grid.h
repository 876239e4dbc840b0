/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A grid file, read and checked: what the user asked for, before this machine
 * is looked at. Every refusal names file, line and column, what was expected
 * and the nearest valid name. Expanding it is the plan's work.
 */
#ifndef RUNNER_GRID_H
#define RUNNER_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "benchmarks/bench.h"
#include "runner/monitor.h"

struct err;
struct exec;
struct guest_spec;
struct ladder;
struct settings;
struct sim_spec;
struct slurm_spec;

enum {
	GRID_MAX_COLUMNS = 64,
	GRID_MAX_CELLS = 100000, /* columns x the product of all swept values */
	GRID_MAX_ITERATIONS = 100000,
	GRID_MAX_REPEAT = 10, /* attempts beside the first */
	GRID_UNTIL_LEAST = 5, /* iterations before a precision is believed */
};

/** struct grid_pos - place in the grid file, from 1 */
struct grid_pos {
	unsigned int line, column;
};

/**
 * struct grid_column - one column: a kernel and its settings
 * @name: label; any printable text
 * @pin: CPU list or pin word as written, NULL when not given
 * @image: the kernel that a guest boots, as written; NULL: the running one
 * @cmdline: what is added to that kernel's command line, NULL: nothing
 * @policy: name of its placement policy, NULL when not given
 * @release: of the kernel that Slurm boots, as uname -r prints it; NULL: not Slurm's
 * @build_id: GNU build id of that kernel, where @release is set
 * @feature: that the nodes have for it, likewise
 * @settings: what the machine is told before, NULL: nothing; see runner/settings.h
 * @pos: where the column begins
 * @pin_pos: where @pin is written
 * @settings_pos: where @settings are written
 * @image_pos: where @image is written
 */
struct grid_column {
	char *name;
	char *pin;
	char *image, *cmdline, *policy;
	char *release, *build_id, *feature;
	struct settings *settings;
	struct grid_pos pos, pin_pos, settings_pos, image_pos;
};

/**
 * struct grid_sweep - the values of one parameter
 * @values: owned array; texts are owned too
 * @is_percent: which of them are percentages of the CPUs; owned, NULL: none is
 * @nr: how many, at least 1
 * @ladder: the machine's rungs up to the only value; NULL: the values are listed
 * @is_per_cpu: the only value is work for each CPU, shared by the axis' tasks
 * @is_list: the file gave no plain value, so the parameter labels the rows
 */
struct grid_sweep {
	union bench_value *values;
	bool *is_percent;
	size_t nr;
	const struct ladder *ladder;
	bool is_per_cpu;
	bool is_list;
};

/**
 * struct grid_workload - one entry of workloads
 * @base: ops, program and variant; its values are the ops' defaults
 * @exec: what the ops hang off when the entry names a command, else NULL; owned
 * @sweep: values of each parameter, as base.ops->params
 * @pin: CPU list or pin word as written, NULL when not given
 * @pos: where the entry begins
 * @pin_pos: where @pin is written
 */
struct grid_workload {
	struct workload base;
	struct exec *exec;
	struct grid_sweep sweep[BENCH_MAX_PARAMS];
	char *pin;
	struct grid_pos pos, pin_pos;
};

/**
 * struct grid_quiet - what others may do to the machine while it is measured
 * @is_given: the file has the key
 * @max_foreign: share of the CPUs' time that is still no interference; 0.06 when not
 *               given
 * @wait_ns: how long to wait for a quiet machine before an iteration; 60 s, or
 *           0 without the key
 * @repeat: how often to repeat one that was interfered with; 3, or 0 without the key
 */
struct grid_quiet {
	bool is_given;
	double max_foreign;
	uint64_t wait_ns, repeat;
};

/**
 * struct grid_until - the precision that ends a run
 * @halfwidth: of the 95% interval of each ratio, as a share: 0.01 for 1%; 0: not
 *             asked for, the run has as many iterations as the grid says
 * @budget_ns: time that the iterations may take in all; 0: any
 */
struct grid_until {
	double halfwidth;
	uint64_t budget_ns;
};

/**
 * struct grid - a grid file
 * @file: its path as given, for messages
 * @text: its bytes as read, NUL-terminated, for the copy in the run
 * @len: bytes in @text
 * @name: of the grid
 * @seed: of the order, 0 when not given
 * @guest: the guests that cells run in; NULL: this machine, or @sim; owned
 * @sim: the machine that cells are simulated on; NULL: they run; owned
 * @sim_pos: where it is written
 * @slurm: the machines that cells run on; NULL: this one; owned
 * @boots: starts of each column's kernel; 1 when not given
 * @iterations: of each cell over all boots, 10 a boot when not given
 *              with @until at most so many, then 40
 * @until: when to stop before that
 * @warmup: passes over all cells before the first, unmeasured; 1 when not given
 * @timeout_ns: of one iteration, 300 s when not given
 * @monitors: what is counted meanwhile; none when not given
 * @event_pos: where each of their events is written; line 0: it is a default
 * @quiet: what others may do meanwhile
 * @root: directory in front of /proc and /sys whose settings are changed, "" for this
 *        machine; lent; not from the file
 * @allow_same: columns that are the same in effect are wanted; not from the file
 * @columns: the first is the baseline
 * @nr_columns: at least 1
 * @workloads: in the order written
 * @nr_workloads: at least 1
 */
struct grid {
	char *file;
	char *text;
	size_t len;
	char *name;
	uint64_t seed;
	struct guest_spec *guest;
	struct sim_spec *sim;
	struct grid_pos sim_pos;
	struct slurm_spec *slurm;
	uint64_t boots;
	uint64_t iterations;
	struct grid_until until;
	uint64_t warmup;
	uint64_t timeout_ns;
	struct monitors monitors;
	struct grid_pos event_pos[MONITOR_MAX_EVENTS];
	struct grid_quiet quiet;
	const char *root;
	bool allow_same;
	struct grid_column *columns;
	size_t nr_columns;
	struct grid_workload *workloads;
	size_t nr_workloads;
};

/**
 * grid_load - read and check a grid file
 * @path: the file
 * @ret: the grid, to be freed by grid_free(); written on success only
 * @err: "path:line:column: ..." for what the file says
 *
 * Return: 0, -EINVAL for what the file says, or the negative errno of reading.
 */
int grid_load(const char *path, struct grid **ret, struct err *err);

/** grid_folder - where relative paths of the file begin, caller's; NULL: no memory */
char *grid_folder(const struct grid *grid);

/**
 * grid_make_same - two columns in place of all: the baseline, and the same again
 * @grid: its columns become "A" and "B"
 *
 * What such columns seem to differ by, chance does.
 *
 * Return: 0 or -ENOMEM.
 */
int grid_make_same(struct grid *grid);

/** grid_free - NULL and half-built grids are fine */
void grid_free(struct grid *grid);

#endif
