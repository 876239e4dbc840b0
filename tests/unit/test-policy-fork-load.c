// SPDX-License-Identifier: GPL-2.0-or-later
/* policy/idlest_load: sd_groups by load, the rules before 5.5. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "policy/idlest.h"
#include "policy/margin.h"
#include "tests/unit/policy-scene.h"

#define NR(array) (sizeof(array) / sizeof((array)[0]))

/* The sd_group that a search at the top level picks: its first CPU, or -1 for home. */
static int node_by_load(const struct scene *scene, enum place_event event, int cpu)
{
	struct placement place = scene_place(scene, cpu);
	const struct domain *top = scene_top(scene, cpu);
	int nr = idlest_group_by_load(&place, event, top, cpu);

	return nr < 0 ? -1 : cpumask_from(domain_group(scene->domains, top, nr), 0);
}

/* "pctx and imb values (105/108/112; 102/174/256)" */
static void test_margins(void **state)
{
	(void)state;
	assert_int_equal(margin_percent(110), 105);
	assert_int_equal(margin_percent(117), 108);
	assert_int_equal(margin_percent(125), 112);
	assert_int_equal(margin_absolute(110), 102);
	assert_int_equal(margin_absolute(117), 174);
	assert_int_equal(margin_absolute(125), 256);
}

/* "D.3 returns remote on 0 against 0" */
static void test_load_alone_goes_away_from_an_idle_home(void **state)
{
	static const char *const variants[] = { "v3.0", "v3.10", "v4.9", "fix-fig" };
	struct scene scene;
	size_t i;

	(void)state;
	for (i = 0; i < NR(variants); i++) {
		scene_init(&scene, variants[i], (struct machine_shape)HASWELL);
		assert_int_equal(node_by_load(&scene, PLACE_FORK, 0), 12);
		/* Something runs over there, nothing here. */
		scene_run(&scene, 12);
		assert_int_equal(node_by_load(&scene, PLACE_FORK, 0), -1);
		scene_release(&scene);
	}
}

static void test_load_alone_wants_a_margin(void **state)
{
	struct scene scene;
	int cpu;

	(void)state;
	scene_init(&scene, "v4.9", (struct machine_shape)HASWELL);
	for (cpu = 0; cpu < 10; cpu++)
		scene_run(&scene, 12 + cpu);
	for (cpu = 0; cpu < 11; cpu++)
		scene_run(&scene, cpu);
	/* 11 to 10 is less than 1.12. */
	assert_int_equal(node_by_load(&scene, PLACE_FORK, 0), -1);
	scene_run(&scene, 11);
	assert_int_equal(node_by_load(&scene, PLACE_FORK, 0), 12);
	scene_release(&scene);
}

/* "D.6 compares load_avg": where runnable loads are close, sleeping tasks count. */
static void test_fix_sig_compares_load_avg(void **state)
{
	struct scene scene;

	(void)state;
	scene_init(&scene, "fix-sig", (struct machine_shape)HASWELL);
	assert_int_equal(node_by_load(&scene, PLACE_FORK, 0), 12);
	scene.cpus[12].load_avg = 3000;
	assert_int_equal(node_by_load(&scene, PLACE_FORK, 0), -1);
	/* 3000 to 3300 is less than 1.12. */
	scene.cpus[0].load_avg = 3300;
	assert_int_equal(node_by_load(&scene, PLACE_FORK, 0), -1);
	scene.cpus[0].load_avg = 3400;
	assert_int_equal(node_by_load(&scene, PLACE_FORK, 0), 12);
	scene_release(&scene);

	/* Runnable load alone doesn't see them. */
	scene_init(&scene, "fix-fig", (struct machine_shape)HASWELL);
	scene.cpus[12].load_avg = 3000;
	assert_int_equal(node_by_load(&scene, PLACE_FORK, 0), 12);
	scene_release(&scene);
}

/* Clearly less runnable load wins and clearly more loses, whatever load_avg says. */
static void test_fix_sig_has_three_zones(void **state)
{
	static const struct {
		uint64_t home, home_avg, remote, remote_avg;
		int expected;
	} cases[] = {
		/* Margins at this level: 256 of load by capacity, and 1.12. */
		{ 5000, 0, 0, 50000, 4 },     { 0, 50000, 5000, 0, -1 },
		{ 1000, 1200, 900, 1000, 4 }, { 1000, 900, 900, 1000, -1 },
		{ 900, 2000, 1000, 900, 4 },
	};
	struct scene scene;
	size_t i;

	(void)state;
	for (i = 0; i < NR(cases); i++) {
		scene_init(&scene, "fix-sig",
			   (struct machine_shape){ .packages = 2, .cores = 4 });
		scene.cpus[1].runnable_load = cases[i].home * 4;
		scene.cpus[1].load_avg = cases[i].home_avg * 4;
		scene.cpus[5].runnable_load = cases[i].remote * 4;
		scene.cpus[5].load_avg = cases[i].remote_avg * 4;
		assert_int_equal(node_by_load(&scene, PLACE_FORK, 0), cases[i].expected);
		scene_release(&scene);
	}
}

/* Between two sd_groups elsewhere: what the first one left is compared with. */
static void test_fix_sig_ranks_the_others(void **state)
{
	static const struct {
		uint64_t load[3], load_avg[3];
		int expected;
	} cases[] = {
		/* Margins at this level: 174 and 1.08. */
		{ { 1000, 1100, 9000 }, { 1000, 500, 0 }, 2 },
		{ { 1000, 950, 9000 }, { 1000, 2000, 0 }, 1 },
		{ { 1000, 1300, 9000 }, { 1000, 1, 0 }, 1 },
		{ { 1000, 820, 9000 }, { 1000, 2000, 0 }, 2 },
		/* The load to compare with stays that of the first one. */
		{ { 1000, 1100, 1200 }, { 1000, 500, 100 }, 2 },
	};
	size_t i;
	int cpu;

	(void)state;
	for (i = 0; i < NR(cases); i++) {
		struct scene scene;

		scene_init(&scene, "v4.10", (struct machine_shape){ .cores = 4 });
		scene.cpus[0].runnable_load = scene.cpus[0].load_avg = 5000;
		for (cpu = 1; cpu < 4; cpu++) {
			scene.cpus[cpu].runnable_load = cases[i].load[cpu - 1];
			scene.cpus[cpu].load_avg = cases[i].load_avg[cpu - 1];
		}
		assert_int_equal(node_by_load(&scene, PLACE_FORK, 0), cases[i].expected);
		scene_release(&scene);
	}
}

/* At exec spare capacity must hold half of what the task used. */
static void test_spare_capacity_must_hold_the_task(void **state)
{
	static const struct {
		uint64_t home_util, remote_util, home_load, remote_load;
		int expected;
	} cases[] = {
		/* Of 1024, half the task is 200: neither holds it, load decides. */
		{ 874, 874, 8000, 0, 1 },
		{ 874, 874, 0, 8000, -1 },
		{ 874, 700, 0, 8000, 1 },
		{ 700, 700, 8000, 0, -1 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < NR(cases); i++) {
		struct scene scene;

		scene_init(&scene, "tip-sched-2016-12",
			   (struct machine_shape){ .cores = 2 });
		scene.task.util_avg = 400;
		scene.task.cpu = 0;
		scene.cpus[0].util_avg = cases[i].home_util + 400;
		scene.cpus[0].runnable_load = cases[i].home_load;
		scene.cpus[1].util_avg = cases[i].remote_util;
		scene.cpus[1].runnable_load = cases[i].remote_load;
		assert_int_equal(node_by_load(&scene, PLACE_EXEC, 0), cases[i].expected);
		scene_release(&scene);
	}
}

static void test_spare_capacity_keeps_forks_at_home(void **state)
{
	struct scene scene;
	int cpu;

	(void)state;
	scene_init(&scene, "tip-sched-2016-12", (struct machine_shape)HASWELL);
	/* One idle CPU at home is as good as 24 elsewhere. */
	for (cpu = 0; cpu < 11; cpu++) {
		scene_run(&scene, cpu);
		scene_run(&scene, cpu + 24);
	}
	scene_run(&scene, 11);
	assert_int_equal(node_by_load(&scene, PLACE_FORK, 0), -1);
	/* 589 of capacity, less than 589 / 1.12 left on the best CPU: go. */
	scene.cpus[35].util_avg = 70;
	assert_int_equal(node_by_load(&scene, PLACE_FORK, 0), 12);
	scene.cpus[35].util_avg = 60;
	assert_int_equal(node_by_load(&scene, PLACE_FORK, 0), -1);
	scene_release(&scene);

	/* The patch leaves forks to load, which is less over there. */
	scene_init(&scene, "fix-fig", (struct machine_shape)HASWELL);
	scene_run(&scene, 0);
	assert_int_equal(node_by_load(&scene, PLACE_FORK, 0), 12);
	scene.task.util_avg = 100;
	assert_int_equal(node_by_load(&scene, PLACE_EXEC, 0), -1);
	scene_release(&scene);
}

/* Up to 4.14 a home outside the affinity counts as free of load. */
static void test_an_absent_home(void **state)
{
	struct cpumask allowed = { { 0 } };
	struct scene scene;

	(void)state;
	cpumask_add(&allowed, 4);
	scene_init(&scene, "v4.14", (struct machine_shape){ .packages = 2, .cores = 4 });
	scene.task.allowed = &allowed;
	scene_run(&scene, 4);
	assert_int_equal(node_by_load(&scene, PLACE_FORK, 0), -1);
	/* ... and the task ends where it may be, all the same. */
	assert_int_equal(scene_fork(&scene, 0), 4);
	scene_release(&scene);

	scene_init(&scene, "v4.19", (struct machine_shape){ .packages = 2, .cores = 4 });
	scene.task.allowed = &allowed;
	scene_run(&scene, 4);
	assert_int_equal(node_by_load(&scene, PLACE_FORK, 0), 4);
	scene_release(&scene);
}

static void test_nodes_need_a_margin_from_4_19(void **state)
{
	struct scene scene;

	(void)state;
	scene_init(&scene, "v4.14", (struct machine_shape)HASWELL);
	scene.cpus[0].runnable_load = scene.cpus[0].load_avg = 300;
	assert_int_equal(node_by_load(&scene, PLACE_FORK, 0), 12);
	scene_release(&scene);
	scene_init(&scene, "v4.19", (struct machine_shape)HASWELL);
	scene.cpus[0].runnable_load = scene.cpus[0].load_avg = 300;
	assert_int_equal(node_by_load(&scene, PLACE_FORK, 0), -1);
	scene_release(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_margins),
		cmocka_unit_test(test_load_alone_goes_away_from_an_idle_home),
		cmocka_unit_test(test_load_alone_wants_a_margin),
		cmocka_unit_test(test_fix_sig_compares_load_avg),
		cmocka_unit_test(test_fix_sig_has_three_zones),
		cmocka_unit_test(test_fix_sig_ranks_the_others),
		cmocka_unit_test(test_spare_capacity_must_hold_the_task),
		cmocka_unit_test(test_spare_capacity_keeps_forks_at_home),
		cmocka_unit_test(test_an_absent_home),
		cmocka_unit_test(test_nodes_need_a_margin_from_4_19),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
