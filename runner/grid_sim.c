// SPDX-License-Identifier: GPL-2.0-or-later
/* The simulation of a grid file: its machine, and the policies of the columns. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/err.h"
#include "lib/file.h"
#include "policy/variant.h"
#include "runner/grid_read.h"
#include "runner/guest_spec.h"
#include "runner/sim_machine.h"

static int read_type(const struct grid_in *in, const struct yaml_node *node, void *target)
{
	(void)in;
	(void)node;
	(void)target;
	return 0;
}

static int read_machine(const struct grid_in *in, const struct yaml_node *node,
			void *target)
{
	struct grid *grid = target;

	grid->sim_pos = grid_pos_of(node);
	return grid_read_text(in, node, "a machine", GRID_MAX_NAME, &grid->sim->machine);
}

static int read_topology(const struct grid_in *in, const struct yaml_node *node,
			 void *target)
{
	struct grid *grid = target;

	grid->sim_pos = grid_pos_of(node);
	return grid_read_topology(in, node, &grid->sim->topology);
}

/* What tells guests how to run means nothing here, so that their grids run as they are. */
static int ignore(const struct grid_in *in, const struct yaml_node *node, void *target)
{
	(void)in;
	(void)node;
	(void)target;
	return 0;
}

int grid_read_sim(const struct grid_in *in, const struct yaml_node *node,
		  struct grid *grid)
{
	static const struct grid_key keys[] = {
		{ "type", read_type, true },
		{ "machine", read_machine, false },
		{ "topology", read_topology, false },
		{ "accel", ignore, false },
		{ "mode", ignore, false },
		{ "memory", ignore, false },
		{ "timeout", ignore, false },
		{ NULL, NULL, false },
	};
	static const struct grid_mapping mapping = {
		"'executor'", "{type: sim, machine: zen3-2s64c2t-nps1}", keys
	};
	bool has_machine = yaml_find(node, "machine") != NULL;
	struct err why = { 0 };

	grid->sim = calloc(1, sizeof(*grid->sim));
	if (!grid->sim)
		return err_nomem(in->err);
	if (grid_read_mapping(in, node, &mapping, grid))
		return in->err->code;
	if (has_machine == (yaml_find(node, "topology") != NULL))
		return grid_refuse(in, node,
				   "expected one of 'machine' and 'topology', not %s",
				   has_machine ? "both" : "none");
	if (!has_machine && guest_topology_finish(&grid->sim->topology, &why))
		return grid_refuse(in, node, "%s", why.text);
	return 0;
}

/* "BASE+switch=value+..." of a mapping; @text is the base, and grows. */
static int add_switches(const struct grid_in *in, const struct yaml_node *node,
			char **text)
{
	size_t i;

	for (i = 0; i < node->nr_items; i++) {
		const struct yaml_node *key = node->items[i].key;
		const struct yaml_node *value = node->items[i].value;
		struct policy_variant variant;
		struct err why = { 0 };
		char *grown;

		if (!strcmp(key->text, "base"))
			continue;
		if (value->kind != YAML_SCALAR || yaml_is_nothing(value))
			return grid_refuse_kind(in, value, "the value of a switch");
		grown = file_path("%s+%s=%s", *text, key->text, value->text);
		if (!grown)
			return err_nomem(in->err);
		free(*text);
		*text = grown;
		if (policy_variant_find(grown, &variant, &why))
			return grid_refuse(in, key, "%s", why.text);
	}
	return 0;
}

int grid_read_policy(const struct grid_in *in, const struct yaml_node *node, void *target)
{
	const struct yaml_node *base = yaml_find(node, "base");
	const struct yaml_node *name = base ? base : node;
	struct grid_column *column = target;
	struct policy_variant variant;
	struct err why = { 0 };

	if (node->kind == YAML_MAPPING && !base)
		return grid_refuse(in, node,
				   "'base' is missing in 'policy' (expected a mapping "
				   "such as {base: v5.18, numa_imbalance: "
				   "affinity-aware})");
	if (grid_read_text(in, name, "a policy", GRID_MAX_NAME, &column->policy))
		return in->err->code;
	if (policy_variant_find(column->policy, &variant, &why))
		return grid_refuse(in, name, "%s", why.text);
	return base ? add_switches(in, node, &column->policy) : 0;
}

int grid_finish_sim(const struct grid_in *in, const struct yaml_node *root,
		    struct grid *grid)
{
	const struct yaml_node *repeat = yaml_find(root, "repeat");

	if (grid->boots > GRID_MAX_ITERATIONS / grid->iterations)
		return grid_refuse(in, yaml_find(repeat, "boots"),
				   "%ju boots of %ju iterations each, and at most %d "
				   "iterations are supported",
				   (uintmax_t)grid->boots, (uintmax_t)grid->iterations,
				   GRID_MAX_ITERATIONS);
	/* Each simulated run is a start of its own, cold and alone, and watched. */
	grid->iterations *= grid->boots;
	grid->boots = 1;
	grid->warmup = 0;
	grid->quiet.wait_ns = 0;
	grid->quiet.repeat = 0;
	grid->quiet.is_given = false;
	monitors_release(&grid->monitors);
	return 0;
}
