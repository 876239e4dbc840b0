// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs the models of workloads for tests. */
#include "tests/unit/model-scene.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/err.h"

static const struct machine_shape shape = { .packages = 2, .cores = 4, .threads = 2 };

void model_scene_init(struct model_scene *scene, const char *name)
{
	const struct bench_ops *ops = bench_find(name);

	assert_non_null(ops);
	*scene = (struct model_scene){ .samples = { .nr = 0 } };
	workload_init(&scene->workload, ops);
	sim_scene_init(&scene->sim, "v5.18", shape);
	sim_scene_costs("reference", &scene->sim.costs);
}

void model_scene_choose(struct model_scene *scene, const char *key, unsigned int word)
{
	const struct bench_choice *choices = scene->workload.ops->choices;
	size_t i = 0;

	while (choices[i].key && strcmp(choices[i].key, key) != 0)
		i++;
	assert_non_null(choices[i].key);
	scene->workload.choice[i] = word;
}

void model_scene_run(struct model_scene *scene)
{
	const struct bench_model *model = scene->workload.ops->model;
	struct err err = { 0 };

	assert_non_null(model);
	if (model->graph(&scene->workload, &scene->sim.graph, &err))
		fail_msg("%s", err.text);
	sim_scene_run(&scene->sim);
	if (model->samples(&scene->workload, &scene->sim.result.outcome, &scene->samples,
			   &err))
		fail_msg("%s", err.text);
	assert_true(scene->samples.nr > 0);
}

void model_scene_refused(struct model_scene *scene, const char *words)
{
	const struct bench_model *model = scene->workload.ops->model;
	struct err err = { 0 };

	assert_non_null(model);
	assert_int_equal(model->graph(&scene->workload, &scene->sim.graph, &err),
			 -EOPNOTSUPP);
	assert_non_null(strstr(err.text, words));
}

uint64_t model_scene_done(const struct model_scene *scene, enum program_op op)
{
	return scene->sim.result.outcome.nr_done[op];
}

double model_scene_value(const struct model_scene *scene, const char *name)
{
	size_t i;

	for (i = 0; i < scene->samples.nr; i++)
		if (!strcmp(scene->samples.sample[i].metric->name, name))
			return scene->samples.sample[i].value;
	fail_msg("no sample of '%s'", name);
	return 0;
}

void model_scene_release(struct model_scene *scene)
{
	sim_scene_release(&scene->sim);
}
