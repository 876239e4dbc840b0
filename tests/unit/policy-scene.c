// SPDX-License-Identifier: GPL-2.0-or-later
/* Builds the machines and scenes of the tests of policy/. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/err.h"
#include "policy/idlest.h"
#include "policy/pelt.h"
#include "tests/unit/policy-scene.h"

struct machine *machine_shaped(struct machine_shape shape)
{
	struct machine *machine = NULL;
	struct err err = { 0 };

	if (machine_regular(&shape, &machine, &err))
		fail_msg("%s", err.text);
	return machine;
}

void scene_init_flags(struct scene *scene, const char *variant,
		      struct machine_shape shape, const struct flag_change *change)
{
	struct domain_rules rules;
	struct err err = { 0 };

	*scene = (struct scene){ .machine = machine_shaped(shape) };
	if (policy_variant_find(variant, &scene->variant, &err))
		fail_msg("%s", err.text);
	domain_rules_of(scene->variant.release, &rules);
	if (domains_new(scene->machine, &rules, change, change ? 1 : 0, &scene->domains,
			&err))
		fail_msg("%s", err.text);
	scene->cpus = calloc((size_t)scene->machine->nr_cpus, sizeof(*scene->cpus));
	assert_non_null(scene->cpus);
	cpu_states_init(scene->domains, scene->cpus);
	scene->task = (struct task_state){
		.allowed = &scene->machine->online,
		.recent_cpu = -1,
		.weight = NICE_0_WEIGHT,
		.load_avg = NICE_0_WEIGHT,
		.preferred_node = -1,
	};
}

void scene_init(struct scene *scene, const char *variant, struct machine_shape shape)
{
	scene_init_flags(scene, variant, shape, NULL);
}

struct placement scene_place(const struct scene *scene, int this_cpu)
{
	return (struct placement){
		.variant = &scene->variant,
		.domains = scene->domains,
		.cpus = scene->cpus,
		.task = &scene->task,
		.this_cpu = this_cpu,
	};
}

const struct domain *scene_top(const struct scene *scene, int cpu)
{
	const struct domain *domain = scene->domains->cpu[cpu].base;

	while (domain->parent)
		domain = domain->parent;
	return domain;
}

void scene_run(struct scene *scene, int cpu)
{
	struct cpu_state *here = &scene->cpus[cpu];
	uint64_t util = pelt_new_task_util(here->util_avg, here->load_avg, NICE_0_WEIGHT);

	here->nr_running++;
	here->weight += NICE_0_WEIGHT;
	here->runnable_load += NICE_0_WEIGHT;
	here->load_avg += NICE_0_WEIGHT;
	here->util_avg += util;
	here->runnable_avg +=
		scene->variant.initial_runnable == INITIAL_RUNNABLE_FULL ? 1024 : util;
	here->current_load = NICE_0_WEIGHT;
}

int scene_fork(struct scene *scene, int this_cpu)
{
	struct placement place;
	int cpu;

	scene->task.cpu = this_cpu;
	scene->task.is_new = true;
	scene->task.is_queued = false;
	place = scene_place(scene, this_cpu);
	cpu = place_fork(&place);
	scene_run(scene, cpu);
	return cpu;
}

void scene_release(struct scene *scene)
{
	domains_free(scene->domains);
	machine_free(scene->machine);
	free(scene->cpus);
}
