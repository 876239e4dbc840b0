// SPDX-License-Identifier: GPL-2.0-or-later
/* The monitors of a grid file: which, and what each of them counts. */
#include <string.h>

#include "lib/err.h"
#include "runner/grid_read.h"

static const char placement[] = "placement";
static const char schedstat[] = "schedstat";

static int read_events(const struct grid_in *in, const struct yaml_node *node,
		       void *target)
{
	struct grid *grid = target;
	size_t i;

	if (node->kind != YAML_SEQUENCE || !node->nr_items)
		return grid_refuse_kind(in, node,
					"a list of events such as [context-switches]");
	for (i = 0; i < node->nr_items; i++) {
		const struct yaml_node *event = node->items[i].value;
		struct err why = { 0 };

		if (event->kind != YAML_SCALAR || yaml_is_nothing(event))
			return grid_refuse_kind(in, event, "the name of an event");
		if (monitor_add_event(&grid->monitors, event->text, &why))
			return grid_refuse(in, event, "%s", why.text);
		grid->event_pos[grid->monitors.nr_events - 1] = grid_pos_of(event);
	}
	return 0;
}

static int check_word(const struct grid_in *in, const struct yaml_node *node)
{
	static const char *const words[] = { "perf-stat", placement, schedstat, NULL };
	size_t i;

	for (i = 0; words[i]; i++)
		if (!strcmp(node->text, words[i]))
			return 0;
	return grid_refuse_name(in, node, "monitor", "", words);
}

/* These have no keys so far. */
static bool is_plain(const char *name)
{
	return !strcmp(name, placement) || !strcmp(name, schedstat);
}

/* @value is of a mapping, NULL for the word alone. */
static int read_plain(const struct grid_in *in, const struct yaml_node *node,
		      const struct yaml_node *value, struct grid *grid)
{
	bool *is_asked = strcmp(node->text, placement) ? &grid->monitors.has_schedstat
						       : &grid->monitors.has_placement;

	if (*is_asked)
		return grid_refuse(in, node, "monitor '%s' is there already", node->text);
	if (value && !yaml_is_nothing(value) &&
	    (value->kind != YAML_MAPPING || value->nr_items))
		return grid_refuse(in, value, "monitor '%s' takes no keys", node->text);
	*is_asked = true;
	return 0;
}

static int read_perf_stat(const struct grid_in *in, const struct yaml_node *node,
			  void *target)
{
	static const struct grid_key keys[] = {
		{ "events", read_events, false },
		{ NULL, NULL, false },
	};
	static const struct grid_mapping mapping = { "'perf-stat'",
						     "{events: [context-switches]}",
						     keys };
	struct grid *grid = target;
	struct monitors *monitors = &grid->monitors;

	if (monitors->nr_events)
		return grid_refuse(in, node, "monitor 'perf-stat' is there already");
	if (!yaml_is_nothing(node) && grid_read_mapping(in, node, &mapping, target))
		return in->err->code;
	return monitors->nr_events ? 0 : monitor_add_defaults(monitors, in->err);
}

static int read_mapping(const struct grid_in *in, const struct yaml_node *node,
			struct grid *grid)
{
	size_t i;

	for (i = 0; i < node->nr_items; i++) {
		const struct yaml_node *key = node->items[i].key;
		const struct yaml_node *value = node->items[i].value;

		if (check_word(in, key))
			return in->err->code;
		if (is_plain(key->text) ? read_plain(in, key, value, grid)
					: read_perf_stat(in, value, grid))
			return in->err->code;
	}
	return 0;
}

static int read_monitor(const struct grid_in *in, const struct yaml_node *node,
			struct grid *grid)
{
	if (node->kind == YAML_MAPPING && node->nr_items)
		return read_mapping(in, node, grid);
	if (node->kind != YAML_SCALAR || yaml_is_nothing(node))
		return grid_refuse_kind(in, node, "a monitor such as perf-stat");
	if (check_word(in, node))
		return in->err->code;
	if (is_plain(node->text))
		return read_plain(in, node, NULL, grid);
	if (grid->monitors.nr_events)
		return grid_refuse(in, node, "monitor 'perf-stat' is there already");
	return monitor_add_defaults(&grid->monitors, in->err);
}

int grid_read_monitors(const struct grid_in *in, const struct yaml_node *node,
		       void *target)
{
	struct grid *grid = target;
	size_t i;

	if (node->kind == YAML_MAPPING && node->nr_items)
		return read_mapping(in, node, grid);
	if (node->kind != YAML_SEQUENCE)
		return grid_refuse_kind(in, node,
					"a list of monitors such as [perf-stat]");
	for (i = 0; i < node->nr_items; i++)
		if (read_monitor(in, node->items[i].value, grid))
			return in->err->code;
	return 0;
}
