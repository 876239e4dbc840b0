/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine that cells are simulated on, in the forms that each part wants it: for the
 * policy, for pins and sweeps, and as a digest that tells one from another.
 */
#ifndef RUNNER_SIM_MACHINE_H
#define RUNNER_SIM_MACHINE_H

#include "lib/digest.h"
#include "policy/costs.h"
#include "runner/guest_spec.h"

struct err;
struct machine;
struct topo;

/**
 * struct sim_spec - the machine as a grid says it
 * @machine: name or path of a machine file; NULL: by @topology
 * @topology: as that of guests; costs are the reference's then
 */
struct sim_spec {
	char *machine;
	struct guest_topology topology;
};

/**
 * struct sim_machine - see the top of the file
 * @name: as the records call it
 * @machine: for the policy
 * @topo: the same for pins and sweeps; every CPU is allowed
 * @costs: of it
 * @sha256: of all that matters of the above
 */
struct sim_machine {
	char name[GUEST_NAME_SIZE];
	struct machine *machine;
	struct topo *topo;
	struct cost_model costs;
	char sha256[DIGEST_HEX + 1];
};

/**
 * sim_machine_open - build the machine
 * @spec: of the grid
 * @folder: where a relative path begins
 * @ret: to be released by sim_machine_release(); filled on success only
 * @err: says what doesn't fit, or where the machine file is wrong
 *
 * Return: 0, -ENOENT (no such machine), -EINVAL, or another negative errno.
 */
int sim_machine_open(const struct sim_spec *spec, const char *folder,
		     struct sim_machine *ret, struct err *err);

/** sim_machine_release - an empty one is fine */
void sim_machine_release(struct sim_machine *machine);

/** sim_spec_free - NULL is fine */
void sim_spec_free(struct sim_spec *spec);

#endif
