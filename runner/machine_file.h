/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Machine files: a machine to simulate, its topology and what things cost on it, as YAML
 * under configs/machines/. A file names what is known of its machine, each figure with
 * its source; everything else comes from the file that it is like.
 */
#ifndef RUNNER_MACHINE_FILE_H
#define RUNNER_MACHINE_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "policy/costs.h"
#include "policy/machine.h"

struct err;

/** MACHINE_FILE_REFERENCE - the file with costs only that the others are like */
#define MACHINE_FILE_REFERENCE "reference"

enum { MACHINE_FILE_MAX_LIKE = 8 }; /* files that one stands on */

/**
 * struct machine_file - what a file says, with all that it is like
 * @name: of the file without folder and .yaml
 * @has_shape: @shape is known; a file may be there for its costs alone
 * @shape: the topology
 * @is_x86: whether its kernels are x86's, see struct machine_desc
 * @llc_kib: size of one last-level cache; 0: not known
 * @costs: all of them
 */
struct machine_file {
	char name[64];
	bool has_shape;
	struct machine_shape shape;
	bool is_x86;
	uint64_t llc_kib;
	struct cost_model costs;
};

/**
 * machine_file_find - the path of the file that a grid means
 * @name: "zen3-2s64c2t-nps1" for one of the suite's, which lie in configs/machines/ of the
 *        tree or of the installation; a path when it has a slash or ends with .yaml
 * @folder: where relative paths begin
 * @ret: the caller's to free(); written on success only
 * @err: says which name is nearest
 *
 * Return: 0, -ENOENT, or another negative errno.
 */
int machine_file_find(const char *name, const char *folder, char **ret, struct err *err);

/**
 * machine_file_load - read a file and those that it is like
 * @path: of the file; what it is like lies beside it, or among the suite's
 * @ret: written on success only; owns nothing
 * @err: "file:line:column: ..." for what a file says
 *
 * Return: 0, -EINVAL for what a file says or leaves open, or the negative errno of reading.
 */
int machine_file_load(const char *path, struct machine_file *ret, struct err *err);

/** machine_file_write_costs - each cost as a line "name value", for its identity */
void machine_file_write_costs(const struct cost_model *costs, FILE *out);

#endif
