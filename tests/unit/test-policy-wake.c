// SPDX-License-Identifier: GPL-2.0-or-later
/* policy/wake: where the variants put a task that wakes up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "policy/flags.h"
#include "policy/wake.h"
#include "tests/unit/policy-scene.h"

#define NR(array) (sizeof(array) / sizeof((array)[0]))

static const struct machine_shape six_cores = { .cores = 6 };
static const struct machine_shape x5650 = { .packages = 2, .cores = 6, .threads = 2 };
static const struct machine_shape two_llcs = { .packages = 2, .cores = 4 };

/* The task sleeps and was last on @prev; its waker runs on @waker. */
static int wake(struct scene *scene, int waker, int prev, bool is_sync,
		struct idle_effects *effects)
{
	struct placement place;

	scene->task.cpu = prev;
	place = scene_place(scene, waker);
	place.is_sync = is_sync;
	return place_wakeup(&place, effects);
}

static void stop(struct scene *scene, int cpu)
{
	scene->cpus[cpu] =
		(struct cpu_state){ .capacity = scene->cpus[cpu].capacity,
				    .exit_latency = NO_IDLE_STATE,
				    .avg_idle_ns = scene->cpus[cpu].avg_idle_ns,
				    .has_idle_cores = scene->cpus[cpu].has_idle_cores,
				    .nr_idle_scan = scene->cpus[cpu].nr_idle_scan };
}

/* Two tasks that wake each other in turn, from CPUs 2 and 4: where each wakeup lands. */
static void check_pair(const char *variant, struct machine_shape shape,
		       const struct flag_change *change, const char *expected)
{
	struct scene scene;
	char text[80] = "";
	int running = 2;
	int asleep = 4;
	int i;

	scene_init_flags(&scene, variant, shape, change);
	scene_run(&scene, running);
	for (i = 0; i < 7; i++) {
		int woken = wake(&scene, running, asleep, true, NULL);

		asleep = running;
		stop(&scene, running);
		running = woken;
		scene_run(&scene, running);
		(void)snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%d",
			       i ? " " : "", woken);
	}
	assert_string_equal(text, expected);
	scene_release(&scene);
}

/* "a strict 1:1 sync pair under the 3.3 rules visits cores A, A+1, A+2" */
static void test_a_sync_pair_by_version(void **state)
{
	static const struct flag_change no_llc = { SD_LEVELS, 0, SD_SHARE_LLC };

	(void)state;
	check_pair("v3.3", six_cores, NULL, "3 4 5 0 1 2 3");
	check_pair("v3.0", six_cores, NULL, "0 1 0 1 0 1 0");
	check_pair("v3.10", six_cores, NULL, "4 2 4 2 4 2 4");
	check_pair("v4.9", six_cores, NULL, "4 2 4 2 4 2 4");
	check_pair("v6.1.192", six_cores, NULL, "4 2 4 2 4 2 4");
	check_pair("v3.0", six_cores, &no_llc, "2 2 2 2 2 2 2");
	check_pair("v3.3", six_cores, &no_llc, "2 2 2 2 2 2 2");
	check_pair("v4.9", six_cores, &no_llc, "2 2 2 2 2 2 2");
}

/* A write of the flags acts up to 3.2, and on the word only afterwards. */
static void test_a_write_of_the_llc_flag(void **state)
{
	static const struct {
		const char *variant;
		int before, after;
	} cases[] = {
		{ "v3.0", 0, 2 }, { "v3.2", 3, 2 }, { "v3.3", 3, 3 }, { "v3.10", 4, 4 }
	};
	static const struct flag_change clear = { SD_LEVELS, 0, SD_SHARE_LLC };
	size_t i;

	(void)state;
	for (i = 0; i < NR(cases); i++) {
		struct scene scene;

		scene_init(&scene, cases[i].variant, six_cores);
		scene_run(&scene, 2);
		assert_int_equal(wake(&scene, 2, 4, true, NULL), cases[i].before);
		assert_int_equal(domains_write(scene.domains, &clear), 6);
		assert_int_equal(wake(&scene, 2, 4, true, NULL), cases[i].after);
		scene_release(&scene);
	}
}

/* A pair on the two threads of a core: CPUs 2 and 14, cores at 0-5, 12-17. */
static void test_siblings_and_idle_cores(void **state)
{
	static const struct {
		const char *variant;
		int expected;
	} cases[] = {
		/* The sibling at once; with the patch an idle CPU elsewhere. */
		{ "v3.0", 14 },
		{ "v3.0-hunk", 0 },
		{ "v3.0+smt_preference=skip-sibling", 0 },
		/* An idle core: the next one of the ring. */
		{ "v3.2", 3 },
		{ "v3.3", 3 },
		/* The idle CPU it was on. */
		{ "v3.10", 14 },
		{ "v4.9", 14 },
		{ "v6.1.192", 14 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < NR(cases); i++) {
		struct scene scene;

		scene_init(&scene, cases[i].variant, x5650);
		scene_run(&scene, 2);
		assert_int_equal(wake(&scene, 2, 14, true, NULL), cases[i].expected);
		scene_release(&scene);
	}
}

/* Where only threads share the cache: the patch takes the last idle one. */
static void test_the_patch_of_2011_among_threads(void **state)
{
	static const struct flag_change clear = { SD_LEVEL_MC, 0, SD_SHARE_LLC };
	static const struct machine_shape shape = { .cores = 2, .threads = 4 };
	struct scene scene;

	(void)state;
	scene_init_flags(&scene, "v3.0", shape, &clear);
	scene_run(&scene, 0);
	assert_int_equal(wake(&scene, 0, 0, true, NULL), 2);
	scene_release(&scene);
	scene_init_flags(&scene, "v3.0-hunk", shape, &clear);
	scene_run(&scene, 0);
	assert_int_equal(wake(&scene, 0, 0, true, NULL), 6);
	scene_release(&scene);
}

/* No idle core left: up to 4.8 the target's own sibling, and no other thread. */
static void test_the_target_s_idle_thread(void **state)
{
	static const char *const variants[] = { "v3.2", "v3.3", "v3.10", "v4.8" };
	size_t i;

	(void)state;
	for (i = 0; i < NR(variants); i++) {
		struct scene scene;
		int cpu;

		scene_init(&scene, variants[i], x5650);
		for (cpu = 0; cpu < 12; cpu++)
			scene_run(&scene, cpu);
		assert_int_equal(wake(&scene, 2, 3, true, NULL), 14);
		scene_run(&scene, 14);
		assert_int_equal(wake(&scene, 2, 3, true, NULL), 2);
		scene_release(&scene);
	}
}

/* From 4.9 on an idle thread of any core is the second choice. */
static void test_idle_threads_where_no_core_is_idle(void **state)
{
	static const char *const variants[] = { "v4.9", "v5.11", "v5.12", "v6.1.192" };
	size_t i;

	(void)state;
	for (i = 0; i < NR(variants); i++) {
		struct idle_effects effects = { 0 };
		struct scene scene;
		int cpu;

		scene_init(&scene, variants[i], x5650);
		for (cpu = 0; cpu < 12; cpu++)
			scene_run(&scene, cpu);
		scene_run(&scene, 14);
		scene_run(&scene, 15);
		/* Package 0 is 0-5, 12-17; 12, 13, 16, 17 idle; it was on busy 3. */
		cpu = wake(&scene, 2, 3, false, &effects);
		if (cpu != 12 && cpu != 13 && cpu != 16 && cpu != 17)
			fail_msg("%s: CPU %d", variants[i], cpu);
		assert_true(effects.found_no_core);
		assert_true(effects.nr_looked > 0);
		scene_release(&scene);
	}
}

/* Where has_idle_cores is false nobody looks for one: 5.12 tries the last core instead. */
static void test_without_idle_cores_the_last_core_is_tried(void **state)
{
	static const struct {
		const char *variant;
		int expected;
	} cases[] = { { "v5.11", 5 }, { "v5.12", 15 }, { "v6.1.192", 15 } };
	size_t i;

	(void)state;
	for (i = 0; i < NR(cases); i++) {
		struct idle_effects effects = { 0 };
		struct scene scene;

		scene_init(&scene, cases[i].variant, x5650);
		scene.cpus[0].has_idle_cores = false;
		scene_run(&scene, 2);
		scene_run(&scene, 3);
		scene_run(&scene, 4);
		assert_int_equal(wake(&scene, 2, 3, false, &effects), cases[i].expected);
		assert_false(effects.found_no_core);
		scene_release(&scene);
	}
}

static void test_one_scan_remembers_an_idle_thread(void **state)
{
	struct idle_effects effects = { 0 };
	struct cpumask allowed = { { 0 } };
	struct scene scene;

	(void)state;
	scene_init(&scene, "v5.12", x5650);
	/* The only core to try has one idle thread, before the busy one. */
	scene_run(&scene, 2);
	scene_run(&scene, 13);
	cpumask_add(&allowed, 1);
	cpumask_add(&allowed, 2);
	cpumask_add(&allowed, 13);
	scene.task.allowed = &allowed;
	assert_int_equal(wake(&scene, 2, 2, false, &effects), 1);
	assert_true(effects.found_no_core);
	scene_release(&scene);
}

static void test_wake_affine_by_version(void **state)
{
	/* Waker on CPU 0, the task was on CPU 4 of the other LLC; who is loaded how. */
	static const struct {
		const char *variant;
		int here, there;
		bool is_sync;
		int expected;
	} cases[] = {
		/* A waker that goes to sleep leaves nothing behind. */
		{ "v3.3", 1, 0, true, 0 },
		{ "v4.9", 1, 0, true, 0 },
		{ "v4.14", 1, 1, true, 0 },
		{ "v6.1.192", 1, 0, true, 0 },
		/* 2 here to 0 there: stay, but for load per task. */
		{ "v3.3", 1, 0, false, 4 },
		{ "v4.9", 1, 0, false, 4 },
		{ "v6.1.192", 1, 0, false, 4 },
		/* With the task 2 here, 1 there. */
		{ "v3.3", 1, 1, false, 4 },
		{ "v4.9", 1, 1, false, 4 },
		/* 2 to 2, with a margin: come. */
		{ "v3.3", 1, 2, false, 0 },
		{ "v4.9", 1, 2, false, 0 },
		/* From 4.14 the task itself is taken off there: 2 to 1. */
		{ "v4.14", 1, 2, false, 4 },
		{ "v4.14", 1, 3, false, 0 },
		{ "v4.19", 1, 3, false, 0 },
		/* The waker's CPU idle (an interrupt): only 4.14 ignores caches. */
		{ "v4.14", 0, 0, false, 0 },
		{ "v4.19", 0, 0, false, 4 },
		{ "v5.11", 0, 0, false, 4 },
		{ "v6.1.192", 0, 2, false, 0 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < NR(cases); i++) {
		const struct domain *domain;
		struct placement place;
		struct scene scene;
		int n;

		scene_init(&scene, cases[i].variant, two_llcs);
		for (n = 0; n < cases[i].here; n++)
			scene_run(&scene, 0);
		for (n = 0; n < cases[i].there; n++)
			scene_run(&scene, 4);
		scene.task.cpu = 4;
		place = scene_place(&scene, 0);
		place.is_sync = cases[i].is_sync;
		domain = scene.domains->cpu[0].base->parent;
		if (wake_affine(&place, domain) != cases[i].expected)
			fail_msg("%s, %d to %d", cases[i].variant, cases[i].here,
				 cases[i].there);
		scene_release(&scene);
	}
}

/* Within an LLC, from 4.19 on: an idle previous CPU beats the idle waker's. */
static void test_wake_affine_within_an_llc(void **state)
{
	static const struct {
		const char *variant;
		bool waker_runs;
		int expected;
	} cases[] = {
		{ "v4.14", false, 0 }, { "v4.19", false, 2 },	  { "v5.9", true, 2 },
		{ "v5.11", true, 2 },  { "v6.12.117", false, 2 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < NR(cases); i++) {
		struct placement place;
		struct scene scene;

		scene_init(&scene, cases[i].variant, two_llcs);
		if (cases[i].waker_runs)
			scene_run(&scene, 0);
		scene.task.cpu = 2;
		place = scene_place(&scene, 0);
		assert_int_equal(wake_affine(&place, scene.domains->cpu[0].base),
				 cases[i].expected);
		scene_release(&scene);
	}
}

/* An idle CPU with the load of sleepers: before 5.11 only the load is seen. */
static void test_wake_affine_sees_an_idle_previous_cpu(void **state)
{
	static const struct {
		const char *variant;
		int expected;
	} cases[] = { { "v5.9", 0 }, { "v5.11", 4 } };
	size_t i;

	(void)state;
	for (i = 0; i < NR(cases); i++) {
		struct placement place;
		struct scene scene;

		scene_init(&scene, cases[i].variant, two_llcs);
		scene_run(&scene, 0);
		scene.cpus[4].load_avg = 5000;
		scene.task.cpu = 4;
		place = scene_place(&scene, 0);
		assert_int_equal(wake_affine(&place, scene.domains->cpu[0].base->parent),
				 cases[i].expected);
		scene_release(&scene);
	}
}

/* Equal loads: up to 4.14 come, later only with a waker about to sleep. */
static void test_wake_affine_of_equal_loads(void **state)
{
	static const struct {
		const char *variant;
		bool is_sync;
		uint64_t load, current, task;
		int expected;
	} cases[] = {
		{ "v4.14", false, 112, 0, 0, 0 },
		{ "v4.19", false, 112, 0, 0, 4 },
		{ "v4.19", true, 112, 0, 0, 0 },
		{ "v4.19", true, 113, 0, 0, 4 },
		/* The waker alone is more than the load: it leaves nothing. */
		{ "v4.19", true, 300, 301, 900, 0 },
		{ "v4.19", true, 300, 300, 900, 4 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < NR(cases); i++) {
		struct placement place;
		struct scene scene;

		scene_init(&scene, cases[i].variant, two_llcs);
		scene.task.cpu = 4;
		scene.task.load_avg = cases[i].task;
		scene.cpus[0].nr_running = 2;
		scene.cpus[0].runnable_load = cases[i].load;
		scene.cpus[0].current_load = cases[i].current;
		scene.cpus[4].nr_running = 1;
		scene.cpus[4].runnable_load = 100;
		place = scene_place(&scene, 0);
		place.is_sync = cases[i].is_sync;
		assert_int_equal(wake_affine(&place, scene.domains->cpu[0].base->parent),
				 cases[i].expected);
		scene_release(&scene);
	}
}

/* A level without SD_LOAD_BALANCE: skipped up to 3.10, the end of the look later. */
static void test_a_level_that_does_not_balance(void **state)
{
	static const struct {
		const char *variant;
		int expected;
	} cases[] = { { "v3.3", 1 }, { "v4.9", 5 }, { "v6.1.192", 1 } };
	static const struct flag_change clear = { SD_LEVEL_MC, 0, SD_LOAD_BALANCE };
	size_t i;

	(void)state;
	for (i = 0; i < NR(cases); i++) {
		struct scene scene;

		scene_init(&scene, cases[i].variant, two_llcs);
		(void)domains_write(scene.domains, &clear);
		scene_run(&scene, 0);
		scene_run(&scene, 4);
		assert_int_equal(wake(&scene, 0, 4, true, NULL), cases[i].expected);
		scene_release(&scene);
	}
}

/* The average load per task lets a task in that the margin keeps out. */
static void test_wake_affine_by_load_per_task(void **state)
{
	struct placement place;
	struct scene scene;

	(void)state;
	scene_init(&scene, "v3.3", two_llcs);
	scene.task.cpu = 4;
	scene.cpus[0].nr_running = 1;
	scene.cpus[0].weight = 400;
	scene.cpus[4].weight = 0;
	place = scene_place(&scene, 0);
	assert_int_equal(wake_affine(&place, scene.domains->cpu[0].base->parent), 4);
	scene.cpus[0].current_load = 300;
	scene.cpus[4].weight = 200;
	place.is_sync = true;
	/* 100 here, 200 there, 400 a task. */
	assert_int_equal(wake_affine(&place, scene.domains->cpu[0].base->parent), 0);
	scene_release(&scene);
}

static void test_wide_wakeups(void **state)
{
	static const struct {
		unsigned int waker, wakee;
		bool is_wide;
	} cases[] = {
		{ 0, 0, false },  { 4, 16, true },  { 16, 4, true }, { 3, 16, false },
		{ 4, 15, false }, { 5, 19, false }, { 5, 20, true }, { 100, 100, false },
	};
	struct scene scene;
	size_t i;

	(void)state;
	scene_init(&scene, "v4.9", two_llcs);
	scene_run(&scene, 0);
	for (i = 0; i < NR(cases); i++) {
		struct placement place = scene_place(&scene, 0);

		scene.cpus[0].wakee_flips = cases[i].waker;
		scene.task.wakee_flips = cases[i].wakee;
		assert_int_equal(wake_is_wide(&place), cases[i].is_wide);
		/* Wide: nobody asks who is idler, it stays where it was. */
		assert_int_equal(wake(&scene, 0, 4, true, NULL),
				 cases[i].is_wide ? 4 : 1);
	}
	scene_release(&scene);
}

/* SD_BALANCE_WAKE: what it changes, by version. */
static void test_balance_wake_by_version(void **state)
{
	static const struct {
		const char *variant;
		bool acts;
	} cases[] = { { "v2.6.33", true },
		      { "v3.3", false },
		      { "v3.10", false },
		      { "v4.9", false },
		      { "v6.1.192", false } };
	static const struct flag_change set = { SD_LEVELS, SD_BALANCE_WAKE, 0 };
	size_t i;

	(void)state;
	for (i = 0; i < NR(cases); i++) {
		struct scene scene;
		int before;

		scene_init(&scene, cases[i].variant, two_llcs);
		/* Busy here and busier there: wake_affine declines. */
		scene_run(&scene, 0);
		scene_run(&scene, 0);
		scene_run(&scene, 4);
		before = wake(&scene, 0, 4, false, NULL);
		assert_int_equal(domains_write(scene.domains, &set), 16);
		assert_int_equal(wake(&scene, 0, 4, false, NULL) != before,
				 cases[i].acts);
		scene_release(&scene);
	}
}

/* The gate lets idle wakers search, and no others. */
static void test_balance_wake_by_idle_wakers(void **state)
{
	static const struct flag_change set = { SD_LEVELS, SD_BALANCE_WAKE, 0 };
	static const char *const gates[] = { "always", "waker-idle" };
	struct cpumask allowed = { { 0xfe } };
	int busy[NR(gates)], idle[NR(gates)];
	size_t i;

	(void)state;
	for (i = 0; i < NR(gates); i++) {
		struct scene scene;
		char name[64];

		(void)snprintf(name, sizeof(name), "v6.1.192+wake_balance_gate=%s",
			       gates[i]);
		scene_init(&scene, name, two_llcs);
		(void)domains_write(scene.domains, &set);
		scene.task.allowed = &allowed;
		scene_run(&scene, 1);
		idle[i] = wake(&scene, 0, 1, false, NULL);
		scene_run(&scene, 0);
		busy[i] = wake(&scene, 0, 1, false, NULL);
		scene_release(&scene);
	}
	assert_int_equal(idle[0], idle[1]);
	assert_true(busy[0] >= 4);
	assert_int_equal(busy[1], 2);
}

/* It acts where the wakeup is wide, and where the waker's CPU is outside the affinity. */
static void test_balance_wake_on_wide_wakeups(void **state)
{
	static const struct flag_change set = { SD_LEVELS, SD_BALANCE_WAKE, 0 };
	struct cpumask allowed = { { 0xfe } };
	struct scene scene;

	(void)state;
	scene_init(&scene, "v6.1.192", two_llcs);
	(void)domains_write(scene.domains, &set);
	scene_run(&scene, 0);
	scene_run(&scene, 1);
	assert_int_equal(wake(&scene, 0, 0, false, NULL), 2);
	scene.cpus[0].wakee_flips = 4;
	scene.task.wakee_flips = 16;
	assert_true(wake(&scene, 0, 0, false, NULL) >= 4);
	scene.cpus[0].wakee_flips = 0;
	scene.task.allowed = &allowed;
	assert_true(wake(&scene, 0, 1, false, NULL) >= 4);
	scene_release(&scene);
}

static void test_no_level_for_both(void **state)
{
	static const struct flag_change clear = { SD_LEVELS, 0, SD_WAKE_AFFINE };
	struct scene scene;

	(void)state;
	scene_init_flags(&scene, "v3.3", two_llcs, &clear);
	scene_run(&scene, 4);
	assert_int_equal(wake(&scene, 0, 4, true, NULL), 4);
	scene_release(&scene);
	scene_init_flags(&scene, "v4.9", two_llcs, &clear);
	scene_run(&scene, 4);
	assert_int_equal(wake(&scene, 0, 4, true, NULL), 5);
	scene_release(&scene);
}

static void test_recent_cpu(void **state)
{
	static const struct {
		const char *variant;
		int expected;
	} cases[] = { { "v4.14", 1 }, { "v4.19", 3 }, { "v6.1.192", 3 } };
	size_t i;

	(void)state;
	for (i = 0; i < NR(cases); i++) {
		struct scene scene;

		scene_init(&scene, cases[i].variant, two_llcs);
		scene_run(&scene, 0);
		scene.task.recent_cpu = 3;
		assert_int_equal(wake(&scene, 0, 0, false, NULL), cases[i].expected);
		/* Of another LLC, or busy: no. */
		scene.task.recent_cpu = 5;
		assert_int_equal(wake(&scene, 0, 0, false, NULL), 1);
		scene_run(&scene, 3);
		scene.task.recent_cpu = 3;
		assert_int_equal(wake(&scene, 0, 0, false, NULL), 1);
		scene_release(&scene);
	}
}

static void test_scan_limits(void **state)
{
	static const struct {
		const char *variant;
		uint64_t avg_idle, wake_avg_idle, cost;
		int nr_idle_scan;
		uint64_t expected;
	} cases[] = {
		{ "v4.9", 1000000, 0, 1953, 0, 16 },
		{ "v4.9", 1000000, 0, 1954, 0, 0 },
		{ "v4.9+idle_scan=none-limit", 0, 0, 9999, 0, 16 },
		/* 16 * 1953 / 1000, less the one it stops at. */
		{ "v4.13", 1000000, 0, 999, 0, 30 },
		{ "v4.13", 1000000, 0, 7812, 0, 3 },
		{ "v4.13", 0, 0, 0, 0, 3 },
		{ "v5.17", 0, 2000, 999, 0, 31 },
		{ "v5.17", 1000000, 0, 999, 0, 3 },
		{ "v6.0", 0, 0, 0, 7, 7 },
		{ "v6.1.192", 1000000, 0, 0, 0, 0 },
		{ "v6.1.192+idle_scan=none-limit", 0, 0, 0, 0, 16 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < NR(cases); i++) {
		struct placement place;
		struct scene scene;

		scene_init(&scene, cases[i].variant, (struct machine_shape)ZEN3);
		scene.cpus[3].avg_idle_ns = cases[i].avg_idle;
		scene.cpus[3].wake_avg_idle_ns = cases[i].wake_avg_idle;
		scene.cpus[3].avg_scan_cost_ns = cases[i].cost;
		scene.cpus[0].nr_idle_scan = cases[i].nr_idle_scan;
		place = scene_place(&scene, 3);
		assert_int_equal(scan_limit(&place, 128), cases[i].expected);
		scene_release(&scene);
	}
}

static void test_scan_limit_of_util(void **state)
{
	(void)state;
	assert_int_equal(scan_limit_of_util(0, 16, 117), 16);
	/* Half used: 1024 - 512 * 512 * 117 * 117 / 10240000 = 674 of 1024. */
	assert_int_equal(scan_limit_of_util(16 * 512, 16, 117), 10);
	/* From 1024 / 1.17 on there is nothing to look for. */
	assert_int_equal(scan_limit_of_util(16 * 876, 16, 117), 0);
	assert_int_equal(scan_limit_of_util(16 * 1024, 16, 117), 0);
}

static void test_scan_cost(void **state)
{
	(void)state;
	assert_int_equal(scan_cost_after(0, 800), 100);
	assert_int_equal(scan_cost_after(800, 0), 700);
	assert_int_equal(scan_cost_after(1000, 1000), 1000);
}

/* The scan gives up where its limit says, also with an idle CPU behind. */
static void test_a_scan_stops_at_its_limit(void **state)
{
	struct idle_effects effects = { 0 };
	struct scene scene;
	int cpu;

	(void)state;
	scene_init(&scene, "v6.1.192", (struct machine_shape){ .cores = 8 });
	for (cpu = 0; cpu < 7; cpu++)
		scene_run(&scene, cpu);
	scene.cpus[0].nr_idle_scan = 6;
	assert_int_equal(wake(&scene, 0, 0, false, &effects), 0);
	/* The target, and six behind it. */
	assert_int_equal(effects.nr_looked, 7);
	scene.cpus[0].nr_idle_scan = 7;
	assert_int_equal(wake(&scene, 0, 0, false, NULL), 7);
	scene.cpus[0].nr_idle_scan = 0;
	assert_int_equal(wake(&scene, 0, 0, false, NULL), 0);
	scene_release(&scene);

	/* A full LLC isn't searched for idle cores either. */
	scene_init(&scene, "v6.1.192", x5650);
	scene_run(&scene, 2);
	assert_int_equal(wake(&scene, 2, 2, false, NULL), 3);
	scene.cpus[0].nr_idle_scan = 0;
	assert_int_equal(wake(&scene, 2, 2, false, NULL), 2);
	scene_release(&scene);
}

/* 6.8: the cluster of the target before the rest of the LLC. */
static void test_clusters_first(void **state)
{
	static const struct machine_shape shape = { .clusters = 2, .cores = 4 };
	struct idle_effects effects = { 0 };
	struct scene scene;
	int cpu;

	(void)state;
	scene_init(&scene, "v6.1.192", shape);
	scene_run(&scene, 3);
	assert_int_equal(wake(&scene, 3, 3, false, NULL), 4);
	scene_release(&scene);

	scene_init(&scene, "v6.12.117", shape);
	scene_run(&scene, 3);
	assert_int_equal(wake(&scene, 3, 3, false, NULL), 0);
	/* The previous CPU, idle in the other cluster, only where the search fails. */
	assert_int_equal(wake(&scene, 3, 5, true, NULL), 0);
	scene.cpus[0].nr_idle_scan = 0;
	assert_int_equal(wake(&scene, 3, 5, true, NULL), 5);
	scene.task.recent_cpu = 6;
	scene_run(&scene, 5);
	assert_int_equal(wake(&scene, 3, 5, true, NULL), 6);
	/* Nobody idle: each is looked at once, and the target before that. */
	for (cpu = 0; cpu < 8; cpu++)
		scene_run(&scene, cpu);
	scene.cpus[0].nr_idle_scan = 100;
	scene.task.recent_cpu = -1;
	assert_int_equal(wake(&scene, 3, 3, false, &effects), 3);
	assert_int_equal(effects.nr_looked, 9);
	scene_release(&scene);
}

static void test_wake_needs_ipi(void **state)
{
	static const struct {
		const char *variant;
		int cpu;
		bool expected;
	} cases[] = {
		{ "v3.2", 0, false }, { "v3.2", 1, true },	{ "v3.3", 1, false },
		{ "v3.3", 4, true },  { "v6.1.192", 3, false }, { "v6.1.192", 7, true },
	};
	size_t i;

	(void)state;
	for (i = 0; i < NR(cases); i++) {
		struct placement place;
		struct scene scene;

		scene_init(&scene, cases[i].variant, two_llcs);
		place = scene_place(&scene, 0);
		assert_int_equal(wake_needs_ipi(&place, cases[i].cpu), cases[i].expected);
		scene_release(&scene);
	}
}

/* Each variant, many states: an allowed CPU, the same one twice, idle where one is near. */
static void test_every_variant_wakes_within_affinity(void **state)
{
	static const int pins[] = { 3, 9, 14, 30, 41 };
	struct cpumask allowed = { { 0 } };
	size_t i, pin;

	(void)state;
	for (pin = 0; pin < NR(pins); pin++)
		cpumask_add(&allowed, pins[pin]);
	for (i = 0; policy_variant_name(i); i++) {
		struct scene scene;
		int n;

		scene_init(&scene, policy_variant_name(i), (struct machine_shape)HASWELL);
		scene.task.allowed = &allowed;
		for (n = 0; n < 40; n++) {
			int waker = n * 7 % 48;
			int prev = pins[n % (int)NR(pins)];
			int cpu = wake(&scene, waker, prev, n % 2, NULL);

			assert_true(cpumask_has(&allowed, cpu));
			assert_int_equal(wake(&scene, waker, prev, n % 2, NULL), cpu);
			scene_run(&scene, n % 3 ? waker : cpu);
		}
		scene_release(&scene);
	}
}

/* Pinned to one CPU there is nothing to decide. */
static void test_one_allowed_cpu(void **state)
{
	struct cpumask allowed = { { 0x20 } };
	struct idle_effects effects = { 0 };
	struct scene scene;

	(void)state;
	scene_init(&scene, "v6.1.192", two_llcs);
	scene.task.allowed = &allowed;
	assert_int_equal(wake(&scene, 0, 5, true, &effects), 5);
	assert_int_equal(effects.nr_looked, 0);
	scene_release(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_sync_pair_by_version),
		cmocka_unit_test(test_a_write_of_the_llc_flag),
		cmocka_unit_test(test_siblings_and_idle_cores),
		cmocka_unit_test(test_the_patch_of_2011_among_threads),
		cmocka_unit_test(test_the_target_s_idle_thread),
		cmocka_unit_test(test_idle_threads_where_no_core_is_idle),
		cmocka_unit_test(test_without_idle_cores_the_last_core_is_tried),
		cmocka_unit_test(test_one_scan_remembers_an_idle_thread),
		cmocka_unit_test(test_wake_affine_by_version),
		cmocka_unit_test(test_wake_affine_within_an_llc),
		cmocka_unit_test(test_wake_affine_sees_an_idle_previous_cpu),
		cmocka_unit_test(test_wake_affine_of_equal_loads),
		cmocka_unit_test(test_a_level_that_does_not_balance),
		cmocka_unit_test(test_wake_affine_by_load_per_task),
		cmocka_unit_test(test_wide_wakeups),
		cmocka_unit_test(test_balance_wake_by_version),
		cmocka_unit_test(test_balance_wake_by_idle_wakers),
		cmocka_unit_test(test_balance_wake_on_wide_wakeups),
		cmocka_unit_test(test_no_level_for_both),
		cmocka_unit_test(test_recent_cpu),
		cmocka_unit_test(test_scan_limits),
		cmocka_unit_test(test_scan_limit_of_util),
		cmocka_unit_test(test_scan_cost),
		cmocka_unit_test(test_a_scan_stops_at_its_limit),
		cmocka_unit_test(test_clusters_first),
		cmocka_unit_test(test_wake_needs_ipi),
		cmocka_unit_test(test_every_variant_wakes_within_affinity),
		cmocka_unit_test(test_one_allowed_cpu),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
