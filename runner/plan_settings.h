/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What settings of columns mean for a plan: which of them the machine can't have, and
 * which CPUs it has under them. Private to runner/plan*.c, but for plan_tell_effects().
 */
#ifndef RUNNER_PLAN_SETTINGS_H
#define RUNNER_PLAN_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

struct cpulist;
struct err;
struct grid;
struct host;
struct plan;

/** plan_is_here - whether cells run on this machine and its kernel: no guest, no other */
bool plan_is_here(const struct grid *grid);

/**
 * plan_settings_lacks - for each column why its settings can't be had
 * @ret: an array of as many texts as there are columns, NULL for those that can; freed by
 *       plan_settings_free()
 *
 * Return: 0 or -ENOMEM.
 */
int plan_settings_lacks(const struct grid *grid, const struct host *host, char ***ret,
			struct err *err);

/** plan_settings_free - what plan_settings_lacks() gave; NULL is fine */
void plan_settings_free(char **lacks, const struct grid *grid);

/**
 * plan_settings_cpus - leave those CPUs that there are under a column's settings
 * @plan: of which executor, grid and topology are known
 * @idx: index into the grid's columns
 * @is_pinned: the grid names them, so that all of them are needed
 * @cpus: is shortened, and empty where they don't do
 * @lack: says why it is empty
 *
 * Return: 0, -EOPNOTSUPP with @cpus empty, or -ENOMEM.
 */
int plan_settings_cpus(const struct plan *plan, size_t idx, bool is_pinned,
		       struct cpulist *cpus, struct err *lack);

/**
 * plan_tell_effects - have the names of columns say what their settings are
 * @release: of the kernel that runs
 *
 * One whose flags are but words to that kernel ends with " (word-only)".
 *
 * Return: 0 or -ENOMEM.
 */
int plan_tell_effects(struct grid *grid, const char *release);

#endif
