// SPDX-License-Identifier: GPL-2.0-or-later
/* The columns of a grid file: names, kernels and pins. */
#include "runner/grid_read.h"

#include <stdlib.h>
#include <string.h>

#include "lib/err.h"

static int read_name(const struct grid_in *in, const struct yaml_node *node, void *target)
{
	struct grid_column *column = target;

	return grid_read_text(in, node, "a name", GRID_MAX_NAME, &column->name);
}

static int read_running(const struct grid_in *in, const struct yaml_node *node,
			void *target)
{
	(void)target;
	if (node->kind != YAML_SCALAR || node->is_quoted || strcmp(node->text, "true"))
		return grid_refuse(in, node, "'running' can only be true");
	return 0;
}

static int read_kernel(const struct grid_in *in, const struct yaml_node *node,
		       void *target)
{
	static const struct grid_key keys[] = {
		{ "running", read_running, false },
		{ "policy", grid_read_policy, false },
		{ NULL, NULL, false },
	};
	static const struct grid_mapping kernel = { "'kernel'", "{running: true}", keys };

	if (yaml_find(node, "image"))
		return grid_read_image(in, node, target);
	if (yaml_find(node, "release"))
		return grid_read_release(in, node, target);
	if (node->kind == YAML_MAPPING && !node->nr_items)
		return grid_refuse(in, node, "'running' is missing in 'kernel'");
	return grid_read_mapping(in, node, &kernel, target);
}

static int read_pin(const struct grid_in *in, const struct yaml_node *node, void *target)
{
	struct grid_column *column = target;

	column->pin_pos = grid_pos_of(node);
	return grid_read_pin(in, node, &column->pin);
}

static int check_name(const struct grid_in *in, const struct grid *grid, size_t idx,
		      const struct yaml_node *node)
{
	const char *name = grid->columns[idx].name;
	size_t i;

	for (i = 0; i < idx; i++) {
		if (!strcmp(grid->columns[i].name, name))
			return grid_refuse(
				in, node, "column '%s' is there already, at %u:%u", name,
				grid->columns[i].pos.line, grid->columns[i].pos.column);
	}
	return 0;
}

int grid_read_columns(const struct grid_in *in, const struct yaml_node *node,
		      void *target)
{
	static const struct grid_key keys[] = {
		{ "name", read_name, true }, { "kernel", read_kernel, false },
		{ "pin", read_pin, false },  { "settings", grid_read_settings, false },
		{ NULL, NULL, false },
	};
	static const struct grid_mapping mapping = { "the column", "{name: base}", keys };
	struct grid *grid = target;
	size_t i;

	if (node->kind != YAML_SEQUENCE || !node->nr_items)
		return grid_refuse_kind(in, node, "a list of columns");
	if (node->nr_items > GRID_MAX_COLUMNS)
		return grid_refuse(in, node, "%zu columns, and at most %d are supported",
				   node->nr_items, GRID_MAX_COLUMNS);
	grid->columns = calloc(node->nr_items, sizeof(*grid->columns));
	if (!grid->columns)
		return err_nomem(in->err);
	grid->nr_columns = node->nr_items;
	for (i = 0; i < grid->nr_columns; i++) {
		const struct yaml_node *entry = node->items[i].value;
		int ret;

		grid->columns[i].pos = grid_pos_of(entry);
		ret = grid_read_mapping(in, entry, &mapping, &grid->columns[i]);
		if (!ret)
			ret = check_name(in, grid, i, entry);
		if (ret)
			return ret;
	}
	return 0;
}
