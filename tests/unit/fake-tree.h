/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A temporary folder for one test, and in it, where wanted, the /sys tree of a
 * machine that doesn't exist. What can't be made ends the test.
 */
#ifndef TESTS_UNIT_FAKE_TREE_H
#define TESTS_UNIT_FAKE_TREE_H

#include <stddef.h>

/** struct fake_tree - the folder; @dir is its absolute path */
struct fake_tree {
	char dir[64];
};

/**
 * struct fake_cpu - one CPU that is online
 * @cpu: its number
 * @package: physical_package_id
 * @core: core_id, which the kernel numbers anew in each package
 * @llc: any number that the CPUs of one last-level cache share; -1: no cache/
 * @node: number of its NUMA node
 */
struct fake_cpu {
	unsigned int cpu;
	int package, core, llc, node;
};

/** fake_tree_init - make an empty folder */
void fake_tree_init(struct fake_tree *tree);

/** fake_tree_file - put the file @path, relative, with @text into the tree */
void fake_tree_file(const struct fake_tree *tree, const char *path, const char *text);

/** fake_tree_read - contents of the file @path, relative; the caller's to free() */
char *fake_tree_read(const struct fake_tree *tree, const char *path, size_t *ret_len);

/** fake_tree_cpus - write sys/devices/system/cpu of a machine with @nr CPUs */
void fake_tree_cpus(const struct fake_tree *tree, const struct fake_cpu *cpus, size_t nr);

/**
 * fake_tree_nodes - write sys/devices/system/node
 * @tree: which has the same @cpus
 * @cpus: their nodes count; a node of @online without CPUs is one of memory only
 * @nr: entries of @cpus
 * @online: list of node numbers, as the kernel writes it
 * @bare: node that has no memory, -1: all have
 */
void fake_tree_nodes(const struct fake_tree *tree, const struct fake_cpu *cpus, size_t nr,
		     const char *online, int bare);

/** fake_tree_release - remove the folder and all in it */
void fake_tree_release(struct fake_tree *tree);

#endif
