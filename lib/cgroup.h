/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which control group this process is in: version 1, version 2, or both
 * mounted side by side, where each controller lives in one of them.
 */
#ifndef LIB_CGROUP_H
#define LIB_CGROUP_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct cgroup - the group of this process in one hierarchy
 * @dir: its directory; shortened by cgroup_up()
 * @top: where the hierarchy is mounted: nothing above it can be seen
 * @is_v2: of version 2
 */
struct cgroup {
	char *dir, *top;
	bool is_v2;
};

/**
 * cgroup_find - the group that a controller's limits for this process are in
 * @root: directory in front of /proc and /sys, "" for this host
 * @controller: such as "pids"
 * @ret: to be released by cgroup_release(); written on success only
 *
 * Of version 2 it is not known beforehand whether the controller is enabled:
 * then the files of the group and those above it are absent.
 *
 * Return: 0, -ENOENT when no hierarchy is mounted for it, or -ENOMEM.
 */
int cgroup_find(const char *root, const char *controller, struct cgroup *ret);

/** cgroup_up - go on to the group above; false at the top */
bool cgroup_up(struct cgroup *group);

/**
 * cgroup_number - read a file of the group that holds one number
 * @group: whose
 * @file: such as "pids.max"
 * @ret: the number; UINT64_MAX for "max"
 *
 * Return: false when it can't be read.
 */
bool cgroup_number(const struct cgroup *group, const char *file, uint64_t *ret);

/** cgroup_release - free what @group owns */
void cgroup_release(struct cgroup *group);

#endif
