// SPDX-License-Identifier: GPL-2.0-or-later
/* Joins sections that differ only in that one of them doesn't know its parameters. */
#include "compare/table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "compare/table_build.h"
#include "compare/table_layout.h"
#include "lib/json.h"

static bool has_same_axes(const struct table_section *a, const struct table_section *b)
{
	const struct jval *mine = a->points[0].values;
	const struct jval *theirs = b->points[0].values;
	const struct jval *value;
	const char *key;
	void *pos = NULL;

	while (jval_each(mine, &pos, &key, &value)) {
		if (!jval_get(theirs, key))
			return false;
	}
	return jval_count(mine) == jval_count(theirs);
}

static bool share_column(const struct table_build *build, size_t a, size_t b)
{
	size_t i, j;

	for (i = 0; i < build->nr_sources; i++) {
		if (build->sources[i].section_idx != a)
			continue;
		for (j = 0; j < build->nr_sources; j++) {
			const struct source *other = &build->sources[j];

			if (other->section_idx == b &&
			    other->column_idx == build->sources[i].column_idx)
				return true;
		}
	}
	return false;
}

/* The only section that the one at @idx fits beside, or SIZE_MAX. */
static size_t partner_of(const struct table *table, size_t idx)
{
	const struct table_section *section = &table->sections[idx];
	size_t found = SIZE_MAX;
	size_t i;

	for (i = 0; i < table->nr_sections; i++) {
		const struct table_section *other = &table->sections[i];

		if (!other->parameters || !other->nr_points ||
		    strcmp(other->workload, section->workload) != 0 ||
		    strcmp(other->variant, section->variant) != 0 ||
		    !has_same_axes(section, other))
			continue;
		if (found != SIZE_MAX)
			return SIZE_MAX;
		found = i;
	}
	if (found != SIZE_MAX && share_column(table->build, idx, found))
		return SIZE_MAX;
	return found;
}

/* For each metric of the section @from, its number in @into. */
static int map_metrics(struct table *table, size_t from, size_t into, size_t *map)
{
	size_t i;

	for (i = 0; i < table->sections[from].nr_metrics; i++) {
		const struct table_metric *metric = &table->sections[from].metrics[i];
		const struct record_metric like = {
			.name = metric->name,
			.unit = metric->unit,
			.better_higher = metric->better_higher,
			.secondary = metric->secondary,
			.unjudged = metric->unjudged,
		};

		if (build_metric(table, into, &like, metric->rank, &map[i]))
			return -ENOMEM;
	}
	return 0;
}

static void move_values(struct table_build *build, size_t from, const size_t *map)
{
	size_t i, j;

	for (i = 0; i < build->nr_executions; i++) {
		struct execution *execution = &build->executions[i];

		if (build->sources[execution->source_idx].section_idx != from)
			continue;
		for (j = 0; j < execution->nr_values; j++) {
			uint32_t *metric = &execution->values[j].metric_idx;

			*metric = (uint32_t)map[*metric];
		}
	}
}

static int move_sources(struct table *table, size_t from, size_t into)
{
	struct table_build *build = table->build;
	size_t i;

	for (i = 0; i < build->nr_sources; i++) {
		struct source *source = &build->sources[i];

		if (source->section_idx != from)
			continue;
		source->section_idx = into;
		if (build_point(table, into, source->point, &source->point_idx))
			return -ENOMEM;
	}
	return 0;
}

static int move_section(struct table *table, size_t from, size_t into)
{
	size_t *map = calloc(table->sections[from].nr_metrics + 1, sizeof(*map));
	int error = -ENOMEM;

	if (map && !map_metrics(table, from, into, map)) {
		move_values(table->build, from, map);
		error = move_sources(table, from, into);
	}
	free(map);
	table->sections[from].nr_points = 0;
	return error;
}

/* Close the gaps of sections that have moved; nothing is looked up any more. */
static void drop_moved(struct table *table)
{
	size_t nr = 0;
	size_t i, j;

	for (i = 0; i < table->nr_sections; i++) {
		struct table_section *section = &table->sections[i];

		if (!section->nr_points) {
			free(section->metrics);
			free(section->points);
			continue;
		}
		for (j = 0; i != nr && j < table->build->nr_sources; j++) {
			if (table->build->sources[j].section_idx == i)
				table->build->sources[j].section_idx = nr;
		}
		table->sections[nr++] = *section;
	}
	table->nr_sections = nr;
}

int build_unify(struct table *table)
{
	bool has_moved = false;
	size_t i;

	for (i = 0; i < table->nr_sections; i++) {
		size_t into = SIZE_MAX;

		if (!table->sections[i].parameters && table->sections[i].nr_points)
			into = partner_of(table, i);
		if (into == SIZE_MAX)
			continue;
		if (move_section(table, i, into))
			return -ENOMEM;
		has_moved = true;
	}
	if (has_moved)
		drop_moved(table);
	return 0;
}
