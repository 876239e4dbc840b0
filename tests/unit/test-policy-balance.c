// SPDX-License-Identifier: GPL-2.0-or-later
/* policy/balance: when CPUs pull, from where, how much and which tasks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "policy/balance.h"
#include "policy/flags.h"
#include "tests/unit/policy-scene.h"

#define NR(array) (sizeof(array) / sizeof((array)[0]))

enum { MS = 1000000 };

static struct balance attempt(const struct scene *scene, int cpu, enum balance_idle idle)
{
	return (struct balance){
		.variant = &scene->variant,
		.domains = scene->domains,
		.cpus = scene->cpus,
		.this_cpu = cpu,
		.idle = idle,
	};
}

static const struct domain *level_of(const struct scene *scene, int cpu,
				     enum sd_level level)
{
	const struct domain *domain = scene->domains->cpu[cpu].base;

	while (domain && domain->level != level)
		domain = domain->parent;
	assert_non_null(domain);
	return domain;
}

static void run_on(struct scene *scene, int first, int nr)
{
	int i;

	for (i = 0; i < nr; i++)
		scene_run(scene, first + i);
}

static void test_intervals(void **state)
{
	static const struct {
		const char *variant;
		enum sd_level level;
		unsigned int min, max;
	} cases[] = {
		{ "v3.3", SD_LEVEL_SMT, 1, 2 },	   { "v3.3", SD_LEVEL_MC, 1, 4 },
		{ "v3.10", SD_LEVEL_SMT, 1, 2 },   { "v3.10", SD_LEVEL_NUMA, 48, 96 },
		{ "v4.9", SD_LEVEL_SMT, 2, 4 },	   { "v4.9", SD_LEVEL_MC, 24, 48 },
		{ "v6.8", SD_LEVEL_NUMA, 48, 96 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < NR(cases); i++) {
		const struct domain *domain;
		struct scene scene;

		scene_init(&scene, cases[i].variant, (struct machine_shape)HASWELL);
		domain = level_of(&scene, 0, cases[i].level);
		assert_int_equal(balance_min_interval_ms(&scene.variant, domain),
				 cases[i].min);
		assert_int_equal(balance_max_interval_ms(&scene.variant, domain),
				 cases[i].max);
		scene_release(&scene);
	}
}

/* busy_factor is 32 up to 5.9, then 16; the limit is 100 ms for each CPU. */
static void test_busy_cpus_wait_longer(void **state)
{
	struct scene scene;

	(void)state;
	scene_init(&scene, "v4.9", (struct machine_shape)IVB_D04);
	assert_int_equal(balance_wait_ns(scene.domains, 2, false, 4 * MS), 4 * MS);
	assert_int_equal(balance_wait_ns(scene.domains, 8, false, 4 * MS), 8 * MS);
	assert_int_equal(balance_wait_ns(scene.domains, 8, true, 4 * MS), 256 * MS);
	assert_int_equal(balance_wait_ns(scene.domains, 16, true, 4 * MS), 400 * MS);
	scene_release(&scene);
}

static void test_newidle_needs_long_idle_periods(void **state)
{
	static const struct {
		const char *variant;
		uint64_t avg_idle, cost;
		bool is_overloaded, expected;
	} cases[] = {
		{ "v3.3", 500000, 0, false, true },
		{ "v3.3", 499999, 0, true, false },
		{ "v4.9", 500000, 0, false, false },
		{ "v4.9", 500000, 600000, true, true },
		{ "v5.17", 20000, 20000, true, true },
		{ "v5.17", 20000, 20001, true, false },
		{ "v5.17", 20000, 0, false, false },
	};
	size_t i;

	(void)state;
	for (i = 0; i < NR(cases); i++) {
		struct balance balance;
		struct scene scene;

		scene_init(&scene, cases[i].variant, (struct machine_shape)IVB_D04);
		balance = attempt(&scene, 0, BALANCE_NEWIDLE);
		scene.cpus[0].avg_idle_ns = cases[i].avg_idle;
		assert_int_equal(balance_newidle_starts(&balance, cases[i].is_overloaded,
							cases[i].cost),
				 cases[i].expected);
		scene_release(&scene);
	}
}

static void test_one_cpu_of_a_group_balances(void **state)
{
	const struct domain *top;
	struct balance balance;
	struct scene scene;

	(void)state;
	scene_init(&scene, "v5.18", (struct machine_shape)HASWELL);
	top = scene_top(&scene, 13);
	run_on(&scene, 12, 1);
	balance = attempt(&scene, 13, BALANCE_IDLE);
	assert_true(balance_has_turn(&balance, top));
	balance = attempt(&scene, 14, BALANCE_IDLE);
	assert_false(balance_has_turn(&balance, scene_top(&scene, 14)));
	balance.idle = BALANCE_NEWIDLE;
	assert_true(balance_has_turn(&balance, scene_top(&scene, 14)));
	run_on(&scene, 13, 11);
	run_on(&scene, 36, 12);
	balance = attempt(&scene, 12, BALANCE_BUSY);
	assert_true(balance_has_turn(&balance, scene_top(&scene, 12)));
	scene_release(&scene);
}

/* Nothing anywhere: nothing to pull, whatever the model. */
static void test_idle_machines_are_in_balance(void **state)
{
	static const char *const variants[] = { "v3.3", "v4.9", "v5.4", "v5.18", "v6.8" };
	struct balance_plan plan;
	size_t i;

	(void)state;
	for (i = 0; i < NR(variants); i++) {
		struct balance balance;
		struct scene scene;

		scene_init(&scene, variants[i], (struct machine_shape)HASWELL);
		balance = attempt(&scene, 3, BALANCE_IDLE);
		assert_false(balance_find(&balance, scene_top(&scene, 3), &plan));
		scene_release(&scene);
	}
}

/* Some tasks on node 0, none on node 1: how many go over, by version and switch. */
static void test_tolerance_between_nodes(void **state)
{
	static const struct {
		const char *variant;
		int nr;
		uint64_t expected;
	} cases[] = {
		{ "v5.4+numa_pull=two", 0, 0 },
		{ "v5.7+numa_pull=always", 2, 1 },
		{ "v5.7", 2, 0 },
		{ "v5.7", 3, 1 },
		{ "v5.7", 8, 4 },
		{ "v5.17", 2, 0 },
		{ "v5.17", 3, 1 },
		{ "v5.18", 2, 0 },
		{ "v5.18", 3, 1 },
		{ "v5.18+numa_pull=always", 2, 1 },
		{ "v5.18+numa_pull=half-idle", 2, 0 },
		{ "v5.18", 1, 0 },
		{ "v5.18+numa_pull=always", 1, 0 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < NR(cases); i++) {
		struct balance_plan plan = { .imbalance = 0 };
		struct balance balance;
		struct scene scene;

		scene_init(&scene, cases[i].variant, (struct machine_shape)HASWELL);
		run_on(&scene, 0, cases[i].nr);
		balance = attempt(&scene, 12, BALANCE_IDLE);
		assert_int_equal(balance_find(&balance, scene_top(&scene, 12), &plan),
				 cases[i].expected > 0);
		if (plan.imbalance != cases[i].expected)
			fail_msg("%s, %d tasks: %d", cases[i].variant, cases[i].nr,
				 (int)plan.imbalance);
		if (cases[i].expected)
			assert_int_equal(plan.pull, PULL_TASKS);
		scene_release(&scene);
	}
}

/* Half-idle differs from imb_numa_nr where the other node runs some tasks already. */
static void test_half_idle_looks_at_the_busiest_node(void **state)
{
	static const struct {
		const char *variant;
		bool expected;
	} cases[] = {
		{ "v5.18", true },
		{ "v5.18+numa_pull=half-idle", false },
		{ "v5.18+numa_pull=quarter-span", false },
	};
	size_t i;

	(void)state;
	for (i = 0; i < NR(cases); i++) {
		struct balance_plan plan;
		struct balance balance;
		struct scene scene;

		scene_init(&scene, cases[i].variant, (struct machine_shape)HASWELL);
		run_on(&scene, 0, 9);
		run_on(&scene, 12, 7);
		balance = attempt(&scene, 20, BALANCE_IDLE);
		assert_int_equal(balance_find(&balance, scene_top(&scene, 20), &plan),
				 cases[i].expected);
		scene_release(&scene);
	}
}

/* Two tasks on one core of 4.9: another core wants one; the node is in balance. */
static void test_a_second_task_on_a_core_is_too_much(void **state)
{
	struct balance_plan plan = { .busiest = -1 };
	struct balance balance;
	struct scene scene;

	(void)state;
	scene_init(&scene, "v4.9", (struct machine_shape)HASWELL);
	run_on(&scene, 0, 1);
	run_on(&scene, 24, 1);
	balance = attempt(&scene, 1, BALANCE_NEWIDLE);
	assert_true(balance_find(&balance, level_of(&scene, 1, SD_LEVEL_MC), &plan));
	assert_int_equal(plan.pull, PULL_LOAD);
	assert_int_equal(plan.imbalance, 1024);
	assert_int_equal(plan.busiest, 0);
	scene_release(&scene);
}

/* An overloaded node gives by utilisation, and its fullest CPU is taken from. */
static void test_overloaded_node_gives_util(void **state)
{
	struct balance_plan plan = { .busiest = -1 };
	struct balance balance;
	struct scene scene;
	int cpu;

	(void)state;
	scene_init(&scene, "v5.18", (struct machine_shape)HASWELL);
	for (cpu = 0; cpu < 48; cpu++)
		if (cpu % 24 < 12) {
			run_on(&scene, cpu, 1);
			scene.cpus[cpu].util_avg = 1000;
		}
	for (cpu = 3; cpu < 6; cpu++)
		run_on(&scene, cpu, 1);
	scene.cpus[4].util_avg = 1024;
	scene.cpus[3].util_avg = 1020;
	balance = attempt(&scene, 12, BALANCE_IDLE);
	assert_true(balance_find(&balance, scene_top(&scene, 12), &plan));
	assert_int_equal(plan.pull, PULL_UTIL);
	assert_int_equal(plan.imbalance, 24 * 1024);
	assert_int_equal(plan.busiest, 4);
	scene_release(&scene);
}

static void test_which_tasks_move(void **state)
{
	static const struct {
		enum balance_idle idle;
		enum balance_pull pull;
		uint64_t imbalance;
		unsigned int nr_failed;
		size_t expected, first;
	} cases[] = {
		/* Task 0 runs, 1 isn't allowed, 2 is hot. */
		{ BALANCE_IDLE, PULL_TASKS, 1, 0, 1, 3 },
		{ BALANCE_IDLE, PULL_TASKS, 2, 0, 2, 3 },
		{ BALANCE_IDLE, PULL_TASKS, 9, 0, 2, 3 },
		{ BALANCE_IDLE, PULL_TASKS, 9, 3, 3, 2 },
		{ BALANCE_NEWIDLE, PULL_TASKS, 9, 0, 1, 3 },
		{ BALANCE_IDLE, PULL_LOAD, 512, 0, 1, 3 },
		{ BALANCE_IDLE, PULL_LOAD, 511, 0, 1, 4 },
		{ BALANCE_IDLE, PULL_LOAD, 100, 0, 0, 0 },
		{ BALANCE_IDLE, PULL_UTIL, 700, 0, 1, 3 },
		{ BALANCE_IDLE, PULL_UTIL, 699, 0, 1, 4 },
	};
	struct cpumask elsewhere = { { 0 } };
	struct scene scene;
	size_t i;

	(void)state;
	scene_init(&scene, "v5.18", (struct machine_shape)HASWELL);
	cpumask_add(&elsewhere, 0);
	for (i = 0; i < NR(cases); i++) {
		const struct cpumask *all = &scene.machine->online;
		const struct balance_task tasks[] = {
			{ all, true, 1024, 700, MS },
			{ &elsewhere, false, 1024, 700, MS },
			{ all, false, 1024, 700, MS / 4 },
			{ all, false, 1024, 700, MS },
			{ all, false, 600, 200, MS },
		};
		const struct balance_plan plan = { .busiest = 0,
						   .pull = cases[i].pull,
						   .imbalance = cases[i].imbalance };
		struct balance balance = attempt(&scene, 12, cases[i].idle);
		size_t taken[NR(tasks)] = { 0 };

		balance.nr_failed = cases[i].nr_failed;
		assert_int_equal(balance_take(&balance, &plan, scene_top(&scene, 12),
					      tasks, NR(tasks), taken),
				 cases[i].expected);
		assert_int_equal(taken[0], cases[i].first);
	}
	scene_release(&scene);
}

/* After cache_nice_tries + 2 failures, and never by a newly idle CPU. */
static void test_running_tasks_are_pushed_late(void **state)
{
	struct balance balance;
	struct scene scene;

	(void)state;
	scene_init(&scene, "v5.18", (struct machine_shape)HASWELL);
	balance = attempt(&scene, 12, BALANCE_IDLE);
	balance.nr_failed = 4;
	assert_false(balance_is_active(&balance, scene_top(&scene, 12)));
	balance.nr_failed = 5;
	assert_true(balance_is_active(&balance, scene_top(&scene, 12)));
	balance.idle = BALANCE_NEWIDLE;
	assert_false(balance_is_active(&balance, scene_top(&scene, 12)));
	scene_release(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_intervals),
		cmocka_unit_test(test_busy_cpus_wait_longer),
		cmocka_unit_test(test_newidle_needs_long_idle_periods),
		cmocka_unit_test(test_one_cpu_of_a_group_balances),
		cmocka_unit_test(test_idle_machines_are_in_balance),
		cmocka_unit_test(test_tolerance_between_nodes),
		cmocka_unit_test(test_half_idle_looks_at_the_busiest_node),
		cmocka_unit_test(test_a_second_task_on_a_core_is_too_much),
		cmocka_unit_test(test_overloaded_node_gives_util),
		cmocka_unit_test(test_which_tasks_move),
		cmocka_unit_test(test_running_tasks_are_pushed_late),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
