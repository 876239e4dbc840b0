// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs the graphs of the tests of policy/sim. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/err.h"
#include "runner/machine_file.h"
#include "tests/unit/sim-scene.h"

void sim_scene_init(struct sim_scene *sim, const char *variant,
		    struct machine_shape shape)
{
	*sim = (struct sim_scene){ .costs = { .smt_permille = 1000 } };
	scene_init(&sim->scene, variant, shape);
	sim->options = (struct sim_options){
		.variant = &sim->scene.variant,
		.domains = sim->scene.domains,
		.costs = &sim->costs,
		.graph = &sim->graph,
		.seed = 42,
	};
}

void sim_scene_costs(const char *machine, struct cost_model *ret)
{
	struct machine_file file;
	struct err err = { 0 };
	char *path = NULL;

	if (machine_file_find(machine, ".", &path, &err) ||
	    machine_file_load(path, &file, &err))
		fail_msg("%s", err.text);
	free(path);
	*ret = file.costs;
}

void sim_scene_add(struct sim_scene *sim, int program, enum program_op op, int object,
		   uint64_t amount)
{
	struct program_step step = {
		.op = op,
		.object = object,
		.back = op == PROGRAM_REPEAT,
		.amount = amount,
	};

	program_add(&sim->graph, program, step);
}

void sim_scene_run(struct sim_scene *sim)
{
	struct err err = { 0 };

	sim_result_free(&sim->result);
	if (sim_run(&sim->options, &sim->result, &err))
		fail_msg("%s", err.text);
}

void sim_scene_release(struct sim_scene *sim)
{
	sim_result_free(&sim->result);
	program_graph_free(&sim->graph);
	scene_release(&sim->scene);
}
