// SPDX-License-Identifier: GPL-2.0-or-later
/* policy/idlest: where the variants put tasks at fork and exec. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/err.h"
#include "policy/flags.h"
#include "policy/idlest.h"
#include "policy/load.h"
#include "tests/unit/policy-scene.h"

#define NR(array) (sizeof(array) / sizeof((array)[0]))

/* The sd_group that a search at the top level picks: its first CPU, or -1 for home. */
static int node_by_type(const struct scene *scene, int cpu)
{
	struct placement place = scene_place(scene, cpu);
	const struct domain *top = scene_top(scene, cpu);
	int nr = idlest_group_by_type(&place, top, cpu);

	return nr < 0 ? -1 : cpumask_from(domain_group(scene->domains, top, nr), 0);
}

/* "classification thresholds of D.8": a core and a thread of lkp-ivb-d04. */
static void test_classification_thresholds(void **state)
{
	static const struct {
		int weight, pct;
		uint64_t runnable, util;
		int nr;
		enum group_type expected;
	} cases[] = {
		{ 2, 117, 2396, 0, 2, GROUP_HAS_SPARE },
		{ 2, 117, 2397, 0, 2, GROUP_FULLY_BUSY },
		{ 2, 117, 2397, 0, 1, GROUP_HAS_SPARE },
		{ 2, 117, 2396, 0, 3, GROUP_HAS_SPARE },
		{ 2, 117, 2397, 0, 3, GROUP_OVERLOADED },
		{ 2, 117, 0, 1750, 2, GROUP_HAS_SPARE },
		{ 2, 117, 0, 1751, 2, GROUP_FULLY_BUSY },
		{ 2, 117, 0, 1751, 3, GROUP_OVERLOADED },
		{ 1, 110, 1126, 0, 1, GROUP_HAS_SPARE },
		{ 1, 110, 1127, 0, 1, GROUP_FULLY_BUSY },
		{ 1, 110, 1127, 0, 2, GROUP_OVERLOADED },
		{ 1, 110, 0, 930, 1, GROUP_HAS_SPARE },
		{ 1, 110, 0, 931, 1, GROUP_FULLY_BUSY },
	};
	struct idlest_rules rules = { .has_runnable_conditions = true };
	size_t i;

	(void)state;
	for (i = 0; i < NR(cases); i++) {
		struct group_stats stats = {
			.capacity = 1024 * (uint64_t)cases[i].weight,
			.weight = cases[i].weight,
			.runnable = cases[i].runnable,
			.util = cases[i].util,
			.nr_running = cases[i].nr,
		};

		assert_int_equal(group_classify(&stats, cases[i].pct, &rules),
				 cases[i].expected);
	}
}

/* Seed 001: the same core under the rules of each column. */
static void test_classification_of_the_reaim_columns(void **state)
{
	static const struct {
		const char *variant;
		int nr;
		enum group_type expected;
	} cases[] = {
		{ "9f68395", 1, GROUP_HAS_SPARE },  { "070f5e8", 1, GROUP_OVERLOADED },
		{ "070f5e8", 0, GROUP_FULLY_BUSY }, { "v5.7", 1, GROUP_HAS_SPARE },
		{ "v5.7", 3, GROUP_OVERLOADED },    { "63a5d0f", 3, GROUP_HAS_SPARE },
		{ "v5.8", 3, GROUP_OVERLOADED },
	};
	size_t i;

	(void)state;
	for (i = 0; i < NR(cases); i++) {
		struct group_stats stats = { .capacity = 2048,
					     .weight = 2,
					     .runnable = 2400,
					     .util = 500,
					     .nr_running = cases[i].nr };
		struct policy_variant variant;

		assert_int_equal(policy_variant_find(cases[i].variant, &variant, NULL),
				 0);
		assert_int_equal(group_classify(&stats, 117, &variant.idlest),
				 cases[i].expected);
	}
}

/* Seed 001's fix: what a new task brings. */
static void test_initial_runnable_of_the_reaim_columns(void **state)
{
	struct policy_variant variant;

	(void)state;
	assert_int_equal(policy_variant_find("v5.7", &variant, NULL), 0);
	assert_int_equal(variant.initial_runnable, INITIAL_RUNNABLE_FULL);
	assert_int_equal(policy_variant_find("v5.8", &variant, NULL), 0);
	assert_int_equal(variant.initial_runnable, INITIAL_RUNNABLE_UTIL);
	assert_int_equal(
		policy_variant_find("v5.7+initial_runnable=util", &variant, NULL), 0);
	assert_int_equal(variant.initial_runnable, INITIAL_RUNNABLE_UTIL);
}

static void overload(struct scene *scene, int cpu, uint64_t load)
{
	scene->task.is_new = true;
	scene->cpus[cpu].nr_running = 5;
	scene->cpus[cpu].util_avg = 1024;
	scene->cpus[cpu].runnable_avg = 5000;
	scene->cpus[cpu].load_avg = load;
}

/* 5.5 and 5.6 compare busy sd_groups as 0 with 0, and stay. */
static void test_busy_groups_are_compared_by_load(void **state)
{
	static const struct {
		const char *variant;
		uint64_t home, remote;
		int expected;
	} cases[] = {
		{ "9f68395", 9000, 4000, -1 }, { "v5.7", 9000, 4000, 1 },
		{ "v5.7", 4000, 4000, -1 },    { "v5.7", 4600, 4000, -1 },
		{ "v5.7", 4000, 9000, -1 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < NR(cases); i++) {
		struct scene scene;

		scene_init(&scene, cases[i].variant,
			   (struct machine_shape){ .cores = 2 });
		overload(&scene, 0, cases[i].home);
		overload(&scene, 1, cases[i].remote);
		assert_int_equal(node_by_type(&scene, 0), cases[i].expected);
		scene_release(&scene);
	}
}

/* Between nodes a part of one task's load is no reason to leave. */
static void test_busy_nodes_need_a_margin(void **state)
{
	static const struct {
		struct machine_shape shape;
		int expected;
	} cases[] = { { { .packages = 2, .cores = 1 }, -1 },
		      { { .llcs = 2, .cores = 1 }, 1 } };
	size_t i;

	(void)state;
	for (i = 0; i < NR(cases); i++) {
		struct scene scene;

		scene_init(&scene, "v5.8", cases[i].shape);
		overload(&scene, 0, 500);
		overload(&scene, 1, 300);
		assert_int_equal(node_by_type(&scene, 0), cases[i].expected);
		scene_release(&scene);
	}
}

/* Types decide before anything else does. */
static void test_the_idler_type_wins(void **state)
{
	struct scene scene;

	(void)state;
	scene_init(&scene, "v5.8", (struct machine_shape){ .cores = 2 });
	overload(&scene, 0, 9000);
	assert_int_equal(node_by_type(&scene, 0), 1);
	assert_int_equal(node_by_type(&scene, 1), -1);
	scene_release(&scene);
}

static void test_equal_idle_cpus(void **state)
{
	static const struct {
		const char *variant;
		int expected;
	} cases[] = { { "v5.8", 1 }, { "v5.9", 2 } };
	size_t i;

	(void)state;
	for (i = 0; i < NR(cases); i++) {
		struct scene scene;

		scene_init(&scene, cases[i].variant,
			   (struct machine_shape){ .cores = 4 });
		scene_run(&scene, 0);
		scene.cpus[1].util_avg = 200;
		scene.cpus[2].util_avg = 100;
		scene.cpus[3].util_avg = 150;
		assert_int_equal(node_by_type(&scene, 0), cases[i].expected);
		scene_release(&scene);
	}
}

/* How many tasks stay at home, by version: the rows of the table of thresholds. */
static void test_numa_threshold_by_version(void **state)
{
	static const struct {
		const char *variant;
		int stays, goes;
	} cases[] = {
		/* Tasks at home, one a CPU, of 48; the other node idle. */
		{ "v5.9", 47, 48 },
		{ "v5.11", 23, 24 },
		{ "v5.17", 23, 24 },
		{ "v5.18", 11, 12 },
		{ "e496132-v6", 11, 12 },
		{ "v6.0", 2, 3 },
		{ "v6.1.192", 2, 3 },
		{ "v6.12.117", 2, 3 },
		{ "v6.0+numa_imbalance=none", 47, 48 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < NR(cases); i++) {
		struct scene scene;
		int cpu;

		scene_init(&scene, cases[i].variant, (struct machine_shape)SKYLAKE);
		for (cpu = 0; cpu < cases[i].stays; cpu++)
			scene_run(&scene, cpu * 2);
		assert_int_equal(node_by_type(&scene, 0), -1);
		for (; cpu < cases[i].goes; cpu++)
			scene_run(&scene, cpu * 2);
		assert_int_equal(node_by_type(&scene, 0), 1);
		scene_release(&scene);
	}
}

static void allow(struct cpumask *allowed, const int *cpus, size_t nr)
{
	size_t i;

	*allowed = (struct cpumask){ { 0 } };
	for (i = 0; i < nr; i++)
		cpumask_add(allowed, cpus[i]);
}

/* Starts @nr clones from a main thread on CPU 0; returns how many stay in its node. */
static int clones_at_home(struct scene *scene, int nr)
{
	int at_home = 0;
	int i;

	scene_run(scene, 0);
	for (i = 0; i < nr; i++)
		at_home += machine_unit_of(scene->machine, MACHINE_NODE,
					   scene_fork(scene, 0)) == 0;
	return at_home;
}

/* "seed 003 baseline puts 7 clones on the local node and the patch 3 + 4" */
static void test_seed_003_pinned_on_zen3(void **state)
{
	static const int pins[] = { 0, 16, 32, 48, 64, 80, 96, 112 };
	struct cpumask allowed;
	struct scene scene;
	int cpu;

	(void)state;
	allow(&allowed, pins, NR(pins));
	scene_init(&scene, "e496132", (struct machine_shape)ZEN3);
	scene.task.allowed = &allowed;
	assert_int_equal(clones_at_home(&scene, 7), 7);
	/* One on each of three other CPUs, four behind the main thread. */
	assert_int_equal(scene.cpus[0].nr_running, 5);
	assert_int_equal(scene.cpus[16].nr_running, 1);
	assert_int_equal(scene.cpus[48].nr_running, 1);
	scene_release(&scene);

	scene_init(&scene, "e496132-v6", (struct machine_shape)ZEN3);
	scene.task.allowed = &allowed;
	assert_int_equal(clones_at_home(&scene, 7), 3);
	for (cpu = 0; cpu < 128; cpu += 16)
		assert_int_equal(scene.cpus[cpu].nr_running, 1);
	scene_release(&scene);
}

/* Not pinned: all eight in one package, one an LLC, and the patch changes nothing. */
static void test_seed_003_unpinned_on_zen3(void **state)
{
	static const char *const variants[] = { "e496132", "e496132-v6" };
	size_t i;
	int llc;

	(void)state;
	for (i = 0; i < NR(variants); i++) {
		struct scene scene;

		scene_init(&scene, variants[i], (struct machine_shape)ZEN3);
		assert_int_equal(clones_at_home(&scene, 7), 7);
		for (llc = 0; llc < 8; llc++) {
			int running = 0;
			int cpu;

			for (cpu = 0; cpu < 256; cpu++)
				if (machine_unit_of(scene.machine, MACHINE_LLC, cpu) ==
				    llc)
					running += scene.cpus[cpu].nr_running;
			assert_int_equal(running, 1);
		}
		scene_release(&scene);
	}
}

/* 16 threads on CPUs 0-15 of alternating packages: 12 and 4, with the patch 8 and 8. */
static void test_seed_003_on_skylake(void **state)
{
	static const struct {
		const char *variant;
		bool is_pinned;
		int at_home;
	} cases[] = {
		{ "e496132", true, 11 },
		{ "e496132-v6", true, 7 },
		{ "e496132", false, 11 },
		{ "e496132-v6", false, 11 },
	};
	struct cpumask allowed = { { 0xffff } };
	size_t i;

	(void)state;
	for (i = 0; i < NR(cases); i++) {
		struct scene scene;

		scene_init(&scene, cases[i].variant, (struct machine_shape)SKYLAKE);
		if (cases[i].is_pinned)
			scene.task.allowed = &allowed;
		assert_int_equal(clones_at_home(&scene, 15), cases[i].at_home);
		scene_release(&scene);
	}
}

/* From 6.0 on even few tasks take turns between the nodes. */
static void test_6_0_spreads_what_5_18_keeps(void **state)
{
	struct scene scene;

	(void)state;
	scene_init(&scene, "v6.0", (struct machine_shape)ZEN3);
	assert_in_range(clones_at_home(&scene, 7), 3, 5);
	scene_release(&scene);
}

/* Idle CPUs that the task may not use: counted by mainline, not by the stable trees. */
static void test_statistics_over_allowed_cpus(void **state)
{
	static const struct {
		const char *variant;
		int expected;
	} cases[] = {
		{ "v6.0", 4 }, { "v6.1.192", 0 }, { "v6.8", 4 }, { "v6.12.117", 0 }
	};
	static const int pins[] = { 0, 1, 4 };
	size_t i;

	(void)state;
	for (i = 0; i < NR(cases); i++) {
		struct cpumask allowed;
		struct scene scene;

		allow(&allowed, pins, NR(pins));
		scene_init(&scene, cases[i].variant,
			   (struct machine_shape){ .llcs = 2, .cores = 4 });
		scene.task.allowed = &allowed;
		scene_run(&scene, 1);
		/* Home: 1 of 2 allowed is idle, 3 of 4; there: 1 of 1 and 4 of 4. */
		assert_int_equal(scene_fork(&scene, 0), cases[i].expected);
		scene_release(&scene);
	}
}

static void test_preferred_node(void **state)
{
	struct scene scene;

	(void)state;
	scene_init(&scene, "v5.18", (struct machine_shape)SKYLAKE);
	scene.task.preferred_node = 1;
	assert_int_equal(node_by_type(&scene, 0), 1);
	scene.task.preferred_node = 0;
	assert_int_equal(clones_at_home(&scene, 40), 40);
	scene_release(&scene);
}

/* The idle CPU: shallowest state, then the one that became idle last. */
static void test_idle_cpu_of_a_group(void **state)
{
	struct scene scene;

	(void)state;
	scene_init(&scene, "v5.18", (struct machine_shape){ .llcs = 2, .cores = 4 });
	scene_run(&scene, 0);
	scene.cpus[5].idle_stamp_ns = 900;
	scene.cpus[6].idle_stamp_ns = 800;
	assert_int_equal(scene_fork(&scene, 0), 5);
	assert_int_equal(scene_fork(&scene, 0), 1);
	scene.cpus[4].idle_stamp_ns = 1000;
	scene.cpus[6].exit_latency = 3;
	scene.cpus[7].exit_latency = 200;
	assert_int_equal(scene_fork(&scene, 0), 6);
	scene_release(&scene);
}

/* The search of one level alone: what the CPUs of the sd_group are chosen by. */
static int first_step(struct scene *scene)
{
	static const struct flag_change change = { SD_LEVEL_MC, 0, SD_BALANCE_FORK };
	struct placement place = scene_place(scene, 0);

	scene->task.is_new = true;
	(void)domains_write(scene->domains, &change);
	return idlest_walk(&place, PLACE_FORK, scene_top(scene, 0));
}

static void test_cpu_of_a_group_by_version(void **state)
{
	static const struct {
		const char *variant;
		int expected;
	} cases[] = {
		/* The least load, age unknown. */
		{ "v3.3", 4 },
		/* Idle, and that for the shortest time. */
		{ "v4.9", 6 },
		{ "v4.19", 6 },
		/* One with SCHED_IDLE tasks only comes first. */
		{ "v5.4", 5 },
		{ "v5.9", 5 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < NR(cases); i++) {
		struct scene scene;
		int cpu;

		scene_init(&scene, cases[i].variant,
			   (struct machine_shape){ .packages = 2, .cores = 4 });
		for (cpu = 0; cpu < 4; cpu++)
			scene_run(&scene, cpu);
		scene.cpus[5].nr_running = scene.cpus[5].nr_sched_idle = 1;
		scene.cpus[6].idle_stamp_ns = 10;
		assert_int_equal(first_step(&scene), cases[i].expected);
		scene_release(&scene);
	}
}

/* Nothing idle: the least load, the first of equal ones. */
static void test_busy_cpus_of_a_group(void **state)
{
	struct scene scene;
	int cpu;

	(void)state;
	scene_init(&scene, "v4.9", (struct machine_shape){ .packages = 2, .cores = 4 });
	for (cpu = 0; cpu < 8; cpu++)
		scene_run(&scene, cpu);
	for (cpu = 0; cpu < 4; cpu++)
		scene_run(&scene, cpu);
	scene.cpus[6].runnable_load -= 24;
	assert_int_equal(first_step(&scene), 6);
	scene.cpus[6].runnable_load += 24;
	assert_int_equal(first_step(&scene), 4);
	scene_release(&scene);
}

/* At exec the task's own load doesn't drive it away. */
static void test_exec_leaves_the_task_out(void **state)
{
	struct scene scene;
	struct placement place;

	(void)state;
	scene_init(&scene, "v6.1.192", (struct machine_shape){ .cores = 4 });
	scene_run(&scene, 2);
	scene.task.cpu = 2;
	scene.task.is_queued = true;
	scene.task.util_avg = scene.cpus[2].util_avg;
	scene.task.runnable_avg = scene.cpus[2].runnable_avg;
	place = scene_place(&scene, 2);
	assert_int_equal(place_exec(&place), 2);
	/* A new one finds it busy. */
	assert_int_not_equal(scene_fork(&scene, 2), 2);
	scene_release(&scene);
}

/* A level without the flag: older kernels look above it, newer ones don't. */
static void test_a_level_without_the_flag(void **state)
{
	static const struct {
		const char *variant;
		bool leaves;
	} cases[] = { { "v3.3", true }, { "v4.9", false }, { "v6.1.192", false } };
	static const struct flag_change change = { SD_LEVEL_MC, 0, SD_BALANCE_FORK };
	size_t i;

	(void)state;
	for (i = 0; i < NR(cases); i++) {
		struct scene scene;

		scene_init(&scene, cases[i].variant, (struct machine_shape)SKYLAKE);
		(void)domains_write(scene.domains, &change);
		assert_int_equal(clones_at_home(&scene, 3) < 3, cases[i].leaves);
		scene_release(&scene);
	}
}

/* Not a single level has the flag: the parent's CPU, or where the task may be at all. */
static void test_without_domains_and_with_affinity(void **state)
{
	static const struct flag_change change = { SD_LEVELS, 0, SD_BALANCE_FORK };
	static const int pins[] = { 5, 7 };
	static const int apart[] = { 1, 7 };
	struct cpumask allowed;
	struct scene scene;

	(void)state;
	allow(&allowed, pins, NR(pins));
	scene_init_flags(&scene, "v6.1.192",
			 (struct machine_shape){ .packages = 2, .cores = 4 }, &change);
	assert_int_equal(scene_fork(&scene, 3), 3);
	scene.task.allowed = &allowed;
	assert_int_equal(scene_fork(&scene, 3), 5);
	allow(&allowed, &pins[1], 1);
	assert_int_equal(scene_fork(&scene, 6), 7);
	/* The own node comes first. */
	allow(&allowed, apart, NR(apart));
	assert_int_equal(scene_fork(&scene, 6), 7);
	assert_int_equal(scene_fork(&scene, 2), 1);
	scene_release(&scene);
}

/* Each variant, some loads: always an allowed CPU, and twice the same one. */
static void test_every_variant_respects_affinity(void **state)
{
	static const int pins[] = { 3, 17, 30, 41 };
	struct cpumask allowed;
	size_t i;

	(void)state;
	allow(&allowed, pins, NR(pins));
	for (i = 0; policy_variant_name(i); i++) {
		struct scene scene;
		int n;

		scene_init(&scene, policy_variant_name(i), (struct machine_shape)HASWELL);
		scene.task.allowed = &allowed;
		for (n = 0; n < 12; n++) {
			struct placement place;
			int parent = n * 7 % 48;
			int cpu;

			scene.task.is_new = true;
			scene.task.cpu = parent;
			place = scene_place(&scene, parent);
			cpu = place_fork(&place);
			assert_true(cpumask_has(&allowed, cpu));
			assert_int_equal(place_fork(&place), cpu);
			assert_int_equal(scene_fork(&scene, parent), cpu);
		}
		scene_release(&scene);
	}
}

static void test_load_helpers(void **state)
{
	struct placement place;
	struct scene scene;

	(void)state;
	scene_init(&scene, "v4.9", (struct machine_shape)HASWELL);
	place = scene_place(&scene, 0);
	scene.cpus[3] = (struct cpu_state){ .weight = 1,
					    .runnable_load = 2,
					    .load_avg = 300,
					    .util_avg = 900,
					    .runnable_avg = 50 };
	assert_int_equal(load_of_cpu(&place, 3), 2);
	assert_int_equal(util_without_task(&place, 3), 589);
	scene.variant.idlest.load = LOAD_WEIGHT;
	assert_int_equal(load_of_cpu(&place, 3), 1);
	assert_int_equal(load_of_task(&place), NICE_0_WEIGHT);
	scene.variant.idlest.load = LOAD_AVG;
	assert_int_equal(load_of_cpu(&place, 3), 300);
	scene.task = (struct task_state){ .cpu = 3,
					  .allowed = &scene.machine->online,
					  .load_avg = 100,
					  .util_avg = 800,
					  .runnable_avg = 60 };
	assert_true(task_is_counted(&place, 3));
	assert_int_equal(load_without_task(&place, 3), 200);
	assert_int_equal(util_without_task(&place, 3), 100);
	assert_int_equal(runnable_without_task(&place, 3), 0);
	scene.task.is_new = true;
	assert_int_equal(load_without_task(&place, 3), 300);
	assert_int_equal(load_without_task(&place, 2), 0);
	assert_int_equal(cpu_allowed_near(&place, 7), 7);
	assert_true(domain_is_usable(&place, scene.domains->cpu[0].base));
	scene.domains->cpu[0].base->flags = 0;
	assert_false(domain_is_usable(&place, scene.domains->cpu[0].base));
	scene_release(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_classification_thresholds),
		cmocka_unit_test(test_classification_of_the_reaim_columns),
		cmocka_unit_test(test_initial_runnable_of_the_reaim_columns),
		cmocka_unit_test(test_busy_groups_are_compared_by_load),
		cmocka_unit_test(test_busy_nodes_need_a_margin),
		cmocka_unit_test(test_the_idler_type_wins),
		cmocka_unit_test(test_equal_idle_cpus),
		cmocka_unit_test(test_numa_threshold_by_version),
		cmocka_unit_test(test_seed_003_pinned_on_zen3),
		cmocka_unit_test(test_seed_003_unpinned_on_zen3),
		cmocka_unit_test(test_seed_003_on_skylake),
		cmocka_unit_test(test_6_0_spreads_what_5_18_keeps),
		cmocka_unit_test(test_statistics_over_allowed_cpus),
		cmocka_unit_test(test_preferred_node),
		cmocka_unit_test(test_idle_cpu_of_a_group),
		cmocka_unit_test(test_cpu_of_a_group_by_version),
		cmocka_unit_test(test_busy_cpus_of_a_group),
		cmocka_unit_test(test_exec_leaves_the_task_out),
		cmocka_unit_test(test_a_level_without_the_flag),
		cmocka_unit_test(test_without_domains_and_with_affinity),
		cmocka_unit_test(test_every_variant_respects_affinity),
		cmocka_unit_test(test_load_helpers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
