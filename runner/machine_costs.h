/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The costs of machine files by name; private to runner/machine_*.c. */
#ifndef RUNNER_MACHINE_COSTS_H
#define RUNNER_MACHINE_COSTS_H

#include <stdint.h>

#include "policy/costs.h"
#include "runner/grid_read.h"

/**
 * struct machine_costs - costs while files are read
 * @model: those so far
 * @given: bit by bit, which of the costs that are single numbers had a value
 * @has_idle: idle states were named
 */
struct machine_costs {
	struct cost_model model;
	uint64_t given;
	bool has_idle;
};

/** machine_costs_read - 'costs' of a file into @target, a struct machine_costs */
int machine_costs_read(const struct grid_in *in, const struct yaml_node *node,
		       void *target);

/** machine_costs_missing - the first one without a value; NULL: all have one; static */
const char *machine_costs_missing(const struct machine_costs *costs);

#endif
