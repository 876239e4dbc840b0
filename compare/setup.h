/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The columns' set-up side by side: what their runs kept of the hosts, and what their
 * plans say of them. It answers what differs between two columns besides their names.
 */
#ifndef COMPARE_SETUP_H
#define COMPARE_SETUP_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct table;

/**
 * struct setup_fact - one thing that is known
 * @name: such as "kernel.release"; owned
 * @values: one for each column, NULL where it isn't known; several boots that differ are
 *          joined by " | "; owned
 * @differs: two columns don't have the same
 */
struct setup_fact {
	char *name;
	char **values;
	bool differs;
};

/**
 * struct setup_grid - the experiment of a directory
 * @name: of the grid; owned
 * @text: "seed 42, 10 iterations, 1 warm-up", empty when not known; owned
 */
struct setup_grid {
	char *name, *text;
};

/**
 * struct setup - all of it
 * @facts: in the order in which they first came
 * @nr_facts: how many
 * @nr_columns: as many as the table has
 * @grids: of the directories that have a plan, each name and text once
 * @nr_grids: how many
 * @options: of the kernels' configurations, "CONFIG_HZ", those that differ; first what
 *           bears on scheduling. NULL is a column whose configuration isn't known
 * @nr_options: how many
 */
struct setup {
	struct setup_fact *facts;
	size_t nr_facts, nr_columns;
	struct setup_grid *grids;
	size_t nr_grids;
	struct setup_fact *options;
	size_t nr_options;
};

/**
 * setup_load - read what the directories say of the columns of a table
 * @setup: to be released by setup_release(), also after a failure
 * @table: finished, of the same directories
 * @dirs: directories of runs, as for load_table()
 * @nr_dirs: how many
 * @err: names the file
 *
 * What a directory doesn't have isn't known, and no error. The command line of a kernel
 * is a fact for each of its words, so that one more word is one difference.
 *
 * Return: 0 or a negative errno.
 */
int setup_load(struct setup *setup, const struct table *table, const char *const *dirs,
	       size_t nr_dirs, struct err *err);

/** setup_release - free what @setup owns */
void setup_release(struct setup *setup);

/**
 * setup_fact_new - append a fact that no column has a value of yet
 * @facts: grown by one
 * @nr: likewise
 * @name: copied
 * @nr_columns: how many values it will have
 *
 * Return: 0 or -ENOMEM.
 */
int setup_fact_new(struct setup_fact **facts, size_t *nr, const char *name,
		   size_t nr_columns);

/** setup_fact_add - join @value to those of a column, each once; 0 or -ENOMEM */
int setup_fact_add(struct setup_fact *fact, size_t column, const char *value);

/** setup_line - "differs: NAME: COLUMN: VALUE; ..."; the caller's, NULL: no memory */
char *setup_line(const struct table *table, const struct setup_fact *fact);

/**
 * setup_option_lines - what text formats say of the options that differ
 * @setup: loaded
 * @table: of it
 * @ret: lines, each and the array the caller's, ended by NULL; written on success only
 *
 * The first ten, and how many more there are.
 *
 * Return: 0 or -ENOMEM.
 */
int setup_option_lines(const struct setup *setup, const struct table *table, char ***ret);

/**
 * setup_read_option_lines - setup_option_lines() for who needs nothing else of a setup
 * @table: as for setup_load()
 * @dirs: likewise
 * @nr_dirs: likewise
 * @ret: no line where the runs kept less than two configurations
 * @err: names the file
 *
 * Return: 0 or a negative errno.
 */
int setup_read_option_lines(const struct table *table, const char *const *dirs,
			    size_t nr_dirs, char ***ret, struct err *err);

#endif
