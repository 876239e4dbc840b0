// SPDX-License-Identifier: GPL-2.0-or-later
/* The monitors of a grid file: which, and what each of them counts. */
#include <string.h>

#include "lib/err.h"
#include "runner/grid_read.h"

static int read_events(const struct grid_in *in, const struct yaml_node *node,
		       void *target)
{
	size_t i;

	if (node->kind != YAML_SEQUENCE || !node->nr_items)
		return grid_refuse_kind(in, node,
					"a list of events such as [context-switches]");
	for (i = 0; i < node->nr_items; i++) {
		const struct yaml_node *event = node->items[i].value;
		struct err why = { 0 };

		if (event->kind != YAML_SCALAR || yaml_is_nothing(event))
			return grid_refuse_kind(in, event, "the name of an event");
		if (monitor_add_event(target, event->text, &why))
			return grid_refuse(in, event, "%s", why.text);
	}
	return 0;
}

static int check_word(const struct grid_in *in, const struct yaml_node *node)
{
	static const char *const words[] = { "perf-stat", NULL };

	if (!strcmp(node->text, "placement"))
		return grid_refuse(in, node, "monitor 'placement' is not supported yet");
	if (strcmp(node->text, words[0]) != 0)
		return grid_refuse_name(in, node, "monitor", "", words);
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
	struct monitors *monitors = target;

	if (monitors->nr_events)
		return grid_refuse(in, node, "monitor 'perf-stat' is there already");
	if (!yaml_is_nothing(node) && grid_read_mapping(in, node, &mapping, target))
		return in->err->code;
	return monitors->nr_events ? 0 : monitor_add_defaults(monitors, in->err);
}

static int read_mapping(const struct grid_in *in, const struct yaml_node *node,
			struct monitors *monitors)
{
	size_t i;

	for (i = 0; i < node->nr_items; i++)
		if (check_word(in, node->items[i].key) ||
		    read_perf_stat(in, node->items[i].value, monitors))
			return in->err->code;
	return 0;
}

static int read_monitor(const struct grid_in *in, const struct yaml_node *node,
			struct monitors *monitors)
{
	if (node->kind == YAML_MAPPING && node->nr_items)
		return read_mapping(in, node, monitors);
	if (node->kind != YAML_SCALAR || yaml_is_nothing(node))
		return grid_refuse_kind(in, node, "a monitor such as perf-stat");
	if (check_word(in, node))
		return in->err->code;
	if (monitors->nr_events)
		return grid_refuse(in, node, "monitor 'perf-stat' is there already");
	return monitor_add_defaults(monitors, in->err);
}

int grid_read_monitors(const struct grid_in *in, const struct yaml_node *node,
		       void *target)
{
	struct grid *grid = target;
	size_t i;

	if (node->kind == YAML_MAPPING && node->nr_items)
		return read_mapping(in, node, &grid->monitors);
	if (node->kind != YAML_SEQUENCE)
		return grid_refuse_kind(in, node,
					"a list of monitors such as [perf-stat]");
	for (i = 0; i < node->nr_items; i++)
		if (read_monitor(in, node->items[i].value, &grid->monitors))
			return in->err->code;
	return 0;
}
