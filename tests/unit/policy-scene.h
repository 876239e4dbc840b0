/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Machines for the tests of policy/, and scenes: a machine under a variant's rules. */
#ifndef TESTS_UNIT_POLICY_SCENE_H
#define TESTS_UNIT_POLICY_SCENE_H

#include "policy/domains.h"
#include "policy/machine.h"
#include "policy/state.h"
#include "policy/variant.h"

/** ZEN3 - 2 x 64C/128T, 8 LLCs of 16 CPUs a package, node = package */
#define ZEN3                                                                            \
	{                                                                               \
		.packages = 2, .llcs = 8, .cores = 8, .threads = 2, .far_distance = 32, \
		.reclaim_distance = 32                                                  \
	}

/** SKYLAKE - 2 x 24C/48T, an LLC a package, packages take turns */
#define SKYLAKE                                                               \
	{                                                                     \
		.packages = 2, .cores = 24, .threads = 2, .far_distance = 21, \
		.numbering = MACHINE_INTERLEAVED                              \
	}

/** HASWELL - 2 x 12C/24T, an LLC a package */
#define HASWELL                                                              \
	{                                                                    \
		.packages = 2, .cores = 12, .threads = 2, .far_distance = 21 \
	}

/** IVB_D04 - one package of 2 cores x 2 threads */
#define IVB_D04                          \
	{                                \
		.cores = 2, .threads = 2 \
	}

/**
 * struct scene - what a placement looks at
 * @domains: all that is known to the CPUs
 * @cpus: idle at first
 * @task: allowed everywhere, last ran on CPU 0, a plain load of 1024
 */
struct scene {
	struct policy_variant variant;
	struct machine *machine;
	struct domains *domains;
	struct cpu_state *cpus;
	struct task_state task;
};

/** machine_shaped - the machine of @shape, or the test fails; machine_free() it */
struct machine *machine_shaped(struct machine_shape shape);

/** scene_init - @shape under @variant's rules, or the test fails */
void scene_init(struct scene *scene, const char *variant, struct machine_shape shape);

/** scene_init_flags - the same with flags that levels start with changed */
void scene_init_flags(struct scene *scene, const char *variant,
		      struct machine_shape shape, const struct flag_change *change);

/** scene_place - a decision of @scene taken on @this_cpu */
struct placement scene_place(const struct scene *scene, int this_cpu);

/** scene_top - the widest level of @cpu */
const struct domain *scene_top(const struct scene *scene, int cpu);

/** scene_run - a task that just started to run runs on @cpu */
void scene_run(struct scene *scene, int cpu);

/** scene_fork - place a new task of a parent on @this_cpu, and let it run there */
int scene_fork(struct scene *scene, int this_cpu);

/** scene_release - free all of it */
void scene_release(struct scene *scene);

#endif
