/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where simulated tasks were put, as the monitor placement tells it of real ones. */
#ifndef RUNNER_SIM_PLACES_H
#define RUNNER_SIM_PLACES_H

#include <stdint.h>

#include "policy/sim.h"
#include "runner/placement.h"

/**
 * struct sim_places - placements being counted
 * @machine: lent
 * @placement: so far; spread is filled by sim_places_end(), idle_share by nobody here
 * @nr_new: new tasks of each unit of each level; owned
 */
struct sim_places {
	const struct machine *machine;
	struct placement placement;
	uint64_t *nr_new[PLACEMENT_NR_LEVELS];
};

/** sim_places_begin - nothing counted yet; 0 or -ENOMEM, to be released in any case */
int sim_places_begin(struct sim_places *places, const struct machine *machine);

/** sim_places_observe - count one; for struct sim_options, with the places as its arg */
void sim_places_observe(void *arg, const struct sim_placement *placement);

/** sim_places_end - how new tasks were spread; what was counted is complete then */
void sim_places_end(struct sim_places *places);

/** sim_places_release - free what it owns */
void sim_places_release(struct sim_places *places);

#endif
