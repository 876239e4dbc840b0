/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of the grid reader share: reading values of a kind, and
 * refusing others with their place. Private to runner/grid*.c, machine_file.c and
 * publish_target.c.
 *
 * Each reader returns 0 or the negative errno that in->err holds, and fills
 * the grid under construction, which grid_free() drops on failure.
 */
#ifndef RUNNER_GRID_READ_H
#define RUNNER_GRID_READ_H

#include <stddef.h>
#include <stdint.h>

#include "lib/yaml.h"
#include "runner/grid.h"

struct err;
struct guest_topology;

enum {
	GRID_MAX_NAME = 300,	   /* bytes of a name or pin */
	GRID_MAX_TEXT = 4096,	   /* bytes of a parameter's text */
	GRID_MAX_WORKLOADS = 1000, /* entries, which are compared in pairs */
	GRID_MAX_CHOSEN = 64,	   /* names that one message can list */
};

/**
 * struct grid_in - what is being read
 * @doc: the grid file's document
 * @err: where the refusal goes
 */
struct grid_in {
	const struct yaml_doc *doc;
	struct err *err;
};

/**
 * struct grid_key - one key of a mapping
 * @name: as written; NULL ends an array
 * @read: reads the value into the target; NULL: not supported yet
 * @is_required: whether it must be there
 */
struct grid_key {
	const char *name;
	int (*read)(const struct grid_in *in, const struct yaml_node *node, void *target);
	bool is_required;
};

/**
 * struct grid_mapping - what a mapping may hold
 * @where: what it describes, such as "the grid"
 * @example: how it may look
 * @keys: read in this order, whatever the order in the file
 */
struct grid_mapping {
	const char *where;
	const char *example;
	const struct grid_key *keys;
};

/** grid_refuse - "file:line:column: sentence" at @node; returns the code */
int grid_refuse(const struct grid_in *in, const struct yaml_node *node, const char *fmt,
		...) __attribute__((format(printf, 3, 4)));

/** grid_refuse_kind - "expected @expected, not a list" and so on */
int grid_refuse_kind(const struct grid_in *in, const struct yaml_node *node,
		     const char *expected);

/**
 * grid_refuse_name - a word that is none of @names
 * @what: such as "key" or "workload"
 * @where: such as " in the grid"; may be ""
 * @names: what may be written, ended by NULL
 */
int grid_refuse_name(const struct grid_in *in, const struct yaml_node *node,
		     const char *what, const char *where, const char *const *names);

/** grid_read_mapping - read a mapping's keys into @target */
int grid_read_mapping(const struct grid_in *in, const struct yaml_node *node,
		      const struct grid_mapping *mapping, void *target);

/**
 * grid_read_text - copy a text of 1 to @max bytes
 * @what: what it is, for messages
 */
int grid_read_text(const struct grid_in *in, const struct yaml_node *node,
		   const char *what, size_t max, char **ret);

/** grid_read_uint - a whole number of @min to @max; @what is for messages */
int grid_read_uint(const struct grid_in *in, const struct yaml_node *node,
		   const char *what, uint64_t min, uint64_t max, uint64_t *ret);

/** grid_read_pin - a CPU list, a list of CPU numbers or a pin word, as one text */
int grid_read_pin(const struct grid_in *in, const struct yaml_node *node, char **ret);

/** grid_pos_of - where @node begins */
struct grid_pos grid_pos_of(const struct yaml_node *node);

/** grid_read_monitors - the list of monitors into @target, a struct grid */
int grid_read_monitors(const struct grid_in *in, const struct yaml_node *node,
		       void *target);

/** grid_read_settings - the settings of a column into @target, a struct grid_column */
int grid_read_settings(const struct grid_in *in, const struct yaml_node *node,
		       void *target);

/** grid_read_columns - the list of columns into @target, a struct grid */
int grid_read_columns(const struct grid_in *in, const struct yaml_node *node,
		      void *target);

/** grid_read_workloads - the list of workloads into @target, a struct grid */
int grid_read_workloads(const struct grid_in *in, const struct yaml_node *node,
			void *target);

/** grid_read_quiet - the rule of a quiet machine into @target, a struct grid */
int grid_read_quiet(const struct grid_in *in, const struct yaml_node *node, void *target);

/** grid_read_until - the precision that ends a run into @target, a struct grid */
int grid_read_until(const struct grid_in *in, const struct yaml_node *node, void *target);

/** grid_read_command - a list of arguments into the exec of @target, a grid_workload */
int grid_read_command(const struct grid_in *in, const struct yaml_node *node,
		      void *target);

/** grid_read_sync - whether a command starts with the disks at rest: true or false */
int grid_read_sync(const struct grid_in *in, const struct yaml_node *node, void *target);

/** grid_read_metrics - what to find in its output, likewise */
int grid_read_metrics(const struct grid_in *in, const struct yaml_node *node,
		      void *target);

/**
 * grid_read_sweep - the values of one parameter
 * @workload: gets them; its ops are known
 * @idx: of the parameter among those of the ops
 *
 * A value, a list of them, a ladder, or work for each CPU. A value of a number may be
 * a percentage of the CPUs.
 */
int grid_read_sweep(const struct grid_in *in, const struct yaml_node *node,
		    struct grid_workload *workload, size_t idx);

/** grid_sweep_is_open - whether only the machine tells the values */
bool grid_sweep_is_open(const struct grid_sweep *sweep);

/**
 * grid_read_guest - an executor of type guest
 * @node: of the executor
 * @grid: receives its spec
 */
int grid_read_guest(const struct grid_in *in, const struct yaml_node *node,
		    struct grid *grid);

/** grid_read_image - the kernel image of @target, a struct grid_column */
int grid_read_image(const struct grid_in *in, const struct yaml_node *node, void *target);

/**
 * grid_read_topology - counts, or the name of a topology
 * @ret: as read; to be completed by guest_topology_finish()
 */
int grid_read_topology(const struct grid_in *in, const struct yaml_node *node,
		       struct guest_topology *ret);

/**
 * grid_read_sim - an executor of type sim
 * @node: of the executor
 * @grid: receives its machine
 */
int grid_read_sim(const struct grid_in *in, const struct yaml_node *node,
		  struct grid *grid);

/** grid_read_policy - the policy of the kernel of @target, a struct grid_column */
int grid_read_policy(const struct grid_in *in, const struct yaml_node *node,
		     void *target);

/** grid_finish_sim - what a simulated grid has no use for, and its repeats */
int grid_finish_sim(const struct grid_in *in, const struct yaml_node *root,
		    struct grid *grid);

/** grid_finish_guest - what executor, columns and repeats have to agree on */
int grid_finish_guest(const struct grid_in *in, const struct yaml_node *root,
		      struct grid *grid);

/**
 * grid_read_slurm - an executor of type slurm
 * @node: of the executor
 * @grid: receives its spec
 */
int grid_read_slurm(const struct grid_in *in, const struct yaml_node *node,
		    struct grid *grid);

/** grid_read_release - the kernel that Slurm boots, of @target, a struct grid_column */
int grid_read_release(const struct grid_in *in, const struct yaml_node *node,
		      void *target);

/** grid_finish_slurm - what executor, columns and repeats have to agree on */
int grid_finish_slurm(const struct grid_in *in, const struct yaml_node *root,
		      struct grid *grid);

/** grid_workload_release - free what a workload owns; half-built ones are fine */
void grid_workload_release(struct grid_workload *workload);

/**
 * grid_check_rows - refuse entries that share a cell or a row of a table
 * @node: the list of workloads
 */
int grid_check_rows(const struct grid_in *in, const struct grid *grid,
		    const struct yaml_node *node);

#endif
