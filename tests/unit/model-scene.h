/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Simulated runs of workloads for tests: a workload, its graph, its samples. */
#ifndef TESTS_UNIT_MODEL_SCENE_H
#define TESTS_UNIT_MODEL_SCENE_H

#include "benchmarks/bench.h"
#include "benchmarks/model.h"
#include "tests/unit/sim-scene.h"

/**
 * struct model_scene - a workload to run
 * @workload: a test changes its values before model_scene_run()
 * @sim: where it runs: eight cores with two threads in two packages
 * @samples: of model_scene_run()
 */
struct model_scene {
	struct workload workload;
	struct sim_scene sim;
	struct bench_samples samples;
};

/** model_scene_init - the defaults of the workload called @name */
void model_scene_init(struct model_scene *scene, const char *name);

/** model_scene_choose - word number @word of the choice @key */
void model_scene_choose(struct model_scene *scene, const char *key, unsigned int word);

/** model_scene_run - simulate it and take its samples, or the test fails */
void model_scene_run(struct model_scene *scene);

/** model_scene_refused - that its graph is refused with -EOPNOTSUPP and words in it */
void model_scene_refused(struct model_scene *scene, const char *words);

/** model_scene_done - how many steps of a kind were done */
uint64_t model_scene_done(const struct model_scene *scene, enum program_op op);

/** model_scene_value - the sample of the metric called @name, which must be there */
double model_scene_value(const struct model_scene *scene, const char *name);

/** model_scene_release - free all of it */
void model_scene_release(struct model_scene *scene);

#endif
