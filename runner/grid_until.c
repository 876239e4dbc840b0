// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads the key 'until' of 'repeat': a precision to reach in place of a number. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/err.h"
#include "lib/text.h"
#include "runner/grid_read.h"

enum { MOST_PERCENT = 50, DEFAULT_MOST = 40 };

/* "1%" or "0.5%"; strtod() alone takes more than that. */
static bool read_percent(const char *text, double *ret)
{
	size_t len = strspn(text, "0123456789.");
	char *end;

	*ret = strtod(text, &end);
	return len && end == text + len && !strcmp(end, "%") && *ret > 0.0 &&
	       *ret <= MOST_PERCENT;
}

static int read_halfwidth(const struct grid_in *in, const struct yaml_node *node,
			  void *target)
{
	struct grid *grid = target;
	double percent;

	if (node->kind != YAML_SCALAR || yaml_is_nothing(node))
		return grid_refuse_kind(in, node, "a percentage such as 1%");
	if (!read_percent(node->text, &percent))
		return grid_refuse(
			in, node,
			"halfwidth: '%.100s' is not a percentage above 0%% and "
			"at most %d%% (expected one such as 1%% or 0.5%%)",
			node->text, MOST_PERCENT);
	grid->until.halfwidth = percent / 100.0;
	return 0;
}

static int read_max(const struct grid_in *in, const struct yaml_node *node, void *target)
{
	struct grid *grid = target;

	return grid_read_uint(in, node, "max", GRID_UNTIL_LEAST, GRID_MAX_ITERATIONS,
			      &grid->iterations);
}

static int read_budget(const struct grid_in *in, const struct yaml_node *node,
		       void *target)
{
	struct grid *grid = target;
	struct err duration = { 0 };

	if (node->kind != YAML_SCALAR || yaml_is_nothing(node))
		return grid_refuse_kind(in, node, "a duration such as 30min");
	if (text_duration(node->text, &grid->until.budget_ns, &duration))
		return grid_refuse(in, node, "budget: %s", duration.text);
	return 0;
}

int grid_read_until(const struct grid_in *in, const struct yaml_node *node, void *target)
{
	static const struct grid_key keys[] = {
		{ "halfwidth", read_halfwidth, true },
		{ "max", read_max, false },
		{ "budget", read_budget, false },
		{ NULL, NULL, false },
	};
	static const struct grid_mapping mapping = { "'until'", "{halfwidth: 1%}", keys };
	struct grid *grid = target;

	grid->iterations = DEFAULT_MOST;
	return grid_read_mapping(in, node, &mapping, target);
}
