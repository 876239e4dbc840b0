/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Simulated runs for tests: a scene, costs and a graph. */
#ifndef TESTS_UNIT_SIM_SCENE_H
#define TESTS_UNIT_SIM_SCENE_H

#include "policy/program.h"
#include "policy/sim.h"
#include "tests/unit/policy-scene.h"

/** PLAIN - one package of 4 cores with one thread each */
#define PLAIN              \
	{                  \
		.cores = 4 \
	}

/**
 * struct sim_scene - what to run on
 * @scene: machine and rules
 * @costs: nothing costs anything at first
 * @options: lent all of this; a test may change them
 * @result: of sim_scene_run()
 */
struct sim_scene {
	struct scene scene;
	struct cost_model costs;
	struct program_graph graph;
	struct sim_options options;
	struct sim_result result;
};

/** sim_scene_init - @shape under @variant's rules; the graph is empty */
void sim_scene_init(struct sim_scene *sim, const char *variant,
		    struct machine_shape shape);

/** sim_scene_costs - those of one of the suite's machines, or the test fails */
void sim_scene_costs(const char *machine, struct cost_model *ret);

/** sim_scene_add - append a step to a program */
void sim_scene_add(struct sim_scene *sim, int program, enum program_op op, int object,
		   uint64_t amount);

/** sim_scene_run - run the graph, or the test fails */
void sim_scene_run(struct sim_scene *sim);

/** sim_scene_release - free all of it */
void sim_scene_release(struct sim_scene *sim);

#endif
