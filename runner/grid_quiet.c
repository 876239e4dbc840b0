// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads the key 'quiet': what others may do to the machine while it is measured. */
#include <string.h>

#include "lib/err.h"
#include "lib/text.h"
#include "runner/grid_read.h"

/* A whole percentage: the counters of a short iteration know no better. */
static int read_busy(const struct grid_in *in, const struct yaml_node *node, void *target)
{
	enum { DIGITS = 8, MOST = 100 };
	struct grid *grid = target;
	char number[DIGITS] = "";
	uint64_t percent = 0;
	size_t len;

	if (node->kind != YAML_SCALAR || yaml_is_nothing(node))
		return grid_refuse_kind(in, node, "a percentage such as 6%");
	len = strcspn(node->text, "%");
	if (len < DIGITS)
		memcpy(number, node->text, len);
	if (strcmp(node->text + len, "%") != 0 ||
	    text_uint(number, 1, MOST, &percent, NULL))
		return grid_refuse(
			in, node,
			"busy: '%.100s' is not a whole percentage (expected 1%% "
			"to 100%%)",
			node->text);
	grid->quiet.max_foreign = (double)percent / 100.0;
	return 0;
}

static int read_wait(const struct grid_in *in, const struct yaml_node *node, void *target)
{
	struct grid *grid = target;
	struct err duration = { 0 };

	if (node->kind != YAML_SCALAR || yaml_is_nothing(node))
		return grid_refuse_kind(in, node, "a duration such as 60s, or 0s");
	if (!strcmp(node->text, "0s")) {
		grid->quiet.wait_ns = 0;
		return 0;
	}
	if (text_duration(node->text, &grid->quiet.wait_ns, &duration))
		return grid_refuse(in, node, "wait: %s", duration.text);
	return 0;
}

static int read_repeat(const struct grid_in *in, const struct yaml_node *node,
		       void *target)
{
	struct grid *grid = target;

	return grid_read_uint(in, node, "repeat", 0, GRID_MAX_REPEAT,
			      &grid->quiet.repeat);
}

int grid_read_quiet(const struct grid_in *in, const struct yaml_node *node, void *target)
{
	static const struct grid_key keys[] = {
		{ "busy", read_busy, false },
		{ "wait", read_wait, false },
		{ "repeat", read_repeat, false },
		{ NULL, NULL, false },
	};
	static const struct grid_mapping mapping = { "'quiet'", "{busy: 6%, wait: 60s}",
						     keys };
	struct grid *grid = target;

	grid->quiet.is_given = true;
	grid->quiet.wait_ns = 60 * UINT64_C(1000000000);
	grid->quiet.repeat = 3;
	return grid_read_mapping(in, node, &mapping, target);
}
