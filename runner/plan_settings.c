// SPDX-License-Identifier: GPL-2.0-or-later
/* Settings of columns on the machine of a plan; see plan_settings.h. */
#include "runner/plan_settings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/cpulist.h"
#include "lib/err.h"
#include "lib/file.h"
#include "record/host.h"
#include "runner/plan.h"
#include "runner/settings_find.h"

bool plan_is_here(const struct grid *grid)
{
	return !grid->guest && !grid->sim && !grid->slurm;
}

static int look(const struct grid *grid, const struct grid_column *column,
		const struct settings_place *place, struct err *why)
{
	/* The simulator has a word of its own on what it can't do. */
	if (grid->sim)
		return 0;
	if (!plan_is_here(grid))
		return settings_cant(why, "this executor has no settings yet");
	return settings_check(place, column->settings, why);
}

int plan_settings_lacks(const struct grid *grid, const struct host *host, char ***ret,
			struct err *err)
{
	const struct settings_place place = { grid->root, host->release };
	char **lacks = calloc(grid->nr_columns + 1, sizeof(*lacks));
	int bad = lacks ? 0 : -ENOMEM;
	size_t i;

	for (i = 0; !bad && i < grid->nr_columns; i++) {
		struct err why = { 0 };

		if (!settings_any(grid->columns[i].settings) ||
		    !look(grid, &grid->columns[i], &place, &why))
			continue;
		lacks[i] = strdup(why.text);
		if (why.code == -ENOMEM || !lacks[i])
			bad = -ENOMEM;
	}
	if (!bad) {
		*ret = lacks;
		return 0;
	}
	plan_settings_free(lacks, grid);
	return err_nomem(err);
}

void plan_settings_free(char **lacks, const struct grid *grid)
{
	size_t i;

	for (i = 0; lacks && i < grid->nr_columns; i++)
		free(lacks[i]);
	free(lacks);
}

int plan_settings_cpus(const struct plan *plan, size_t idx, bool is_pinned,
		       struct cpulist *cpus, struct err *lack)
{
	const struct grid_column *column = &plan->grid->columns[idx];
	const size_t had = cpus->nr;

	if (!column->settings || !had || !plan_is_here(plan->grid))
		return 0;
	if (settings_cpus(column->settings, plan->topo, cpus))
		return -ENOMEM;
	if (cpus->nr && (!is_pinned || cpus->nr == had))
		return 0;
	err_set(lack, -EOPNOTSUPP,
		"%zu of its %zu CPUs are missing under the settings of column '%s'",
		had - cpus->nr, had, column->name);
	cpulist_release(cpus);
	return -EOPNOTSUPP;
}

int plan_tell_effects(struct grid *grid, const char *release)
{
	size_t i;

	for (i = 0; i < grid->nr_columns; i++) {
		struct grid_column *column = &grid->columns[i];
		char *name;

		if (!column->settings || !column->settings->domain.accept_word_only ||
		    !settings_is_word_only(&column->settings->domain, release))
			continue;
		name = file_path("%s (word-only)", column->name);
		if (!name)
			return -ENOMEM;
		free(column->name);
		column->name = name;
	}
	return 0;
}
