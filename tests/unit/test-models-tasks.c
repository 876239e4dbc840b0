// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The models of fork-latency, threads, sysbench and reaim, and who has none: as many tasks and passes
 * as their programs have, and metrics that go together.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/model-scene.h"
#include "tests/unit/near.h"

static void test_fork_latency_forks_and_waits(void **state)
{
	struct model_scene scene;

	(void)state;
	model_scene_init(&scene, "fork-latency");
	workload_set(&scene.workload, "forks", 300);
	model_scene_run(&scene);
	assert_int_equal(model_scene_done(&scene, PROGRAM_FORK), 300);
	assert_int_equal(model_scene_done(&scene, PROGRAM_WAIT), 300);
	assert_int_equal(model_scene_done(&scene, PROGRAM_EXIT), 301);
	assert_int_equal(scene.samples.nr, 1);
	/* A fork, a start and an exit, one after the other. */
	assert_true(model_scene_value(&scene, "latency") * 1e3 >
		    scene.sim.costs.fork_process + scene.sim.costs.exit);
	model_scene_release(&scene);
	model_scene_init(&scene, "fork-latency");
	workload_set(&scene.workload, "forks", 1000000);
	model_scene_run(&scene);
	assert_true(model_scene_done(&scene, PROGRAM_FORK) <= 10000);
	model_scene_release(&scene);
}

/* A lock, a yield and an unlock for each pass; whole events where they fit. */
static void test_threads_have_the_programs_passes(void **state)
{
	static const uint64_t cases[][3] = {
		{ 2, 8, 10 }, { 1, 1, 1 }, { 7, 3, 100 }, { 5, 1, 20 }
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(cases); i++) {
		struct model_scene scene;
		uint64_t passes, events;

		model_scene_init(&scene, "threads");
		workload_set(&scene.workload, "threads", cases[i][0]);
		workload_set(&scene.workload, "locks", cases[i][1]);
		workload_set(&scene.workload, "yields", cases[i][2]);
		model_scene_run(&scene);
		passes = model_scene_done(&scene, PROGRAM_YIELD);
		events = model_scene_done(&scene, PROGRAM_NOTE);
		assert_true(events >= cases[i][0]);
		assert_int_equal(passes, events * cases[i][2]);
		assert_int_equal(model_scene_done(&scene, PROGRAM_LOCK), passes);
		assert_int_equal(model_scene_done(&scene, PROGRAM_UNLOCK),
				 passes + cases[i][1]);
		assert_int_equal(model_scene_done(&scene, PROGRAM_FORK), cases[i][0]);
		assert_true(model_scene_value(&scene, "rate") *
				    model_scene_value(&scene, "latency") <=
			    1e3 * (double)cases[i][0]);
		model_scene_release(&scene);
	}
}

/* Many threads do a part of an event each, and count it as such. */
static void test_threads_are_bounded(void **state)
{
	struct model_scene scene;

	(void)state;
	model_scene_init(&scene, "threads");
	workload_set(&scene.workload, "threads", 100);
	workload_set(&scene.workload, "yields", 1000000);
	model_scene_run(&scene);
	assert_in_range(model_scene_done(&scene, PROGRAM_YIELD), 100, 60000);
	assert_int_equal(model_scene_done(&scene, PROGRAM_NOTE), 100);
	/* At a us and more for each pass an event takes a second and more. */
	assert_true(model_scene_value(&scene, "latency") > 100);
	model_scene_release(&scene);
}

/* Threads that share one lock wait; each with a lock of its own doesn't. */
static void test_threads_wait_for_their_lock(void **state)
{
	double shared, alone;
	struct model_scene scene;

	(void)state;
	model_scene_init(&scene, "threads");
	workload_set(&scene.workload, "threads", 4);
	workload_set(&scene.workload, "locks", 1);
	model_scene_run(&scene);
	shared = model_scene_value(&scene, "rate");
	model_scene_release(&scene);
	model_scene_init(&scene, "threads");
	workload_set(&scene.workload, "threads", 4);
	workload_set(&scene.workload, "locks", 4);
	model_scene_run(&scene);
	alone = model_scene_value(&scene, "rate");
	model_scene_release(&scene);
	assert_true(alone > 2 * shared);
}

/* struct sysbench_case - a test of sysbench, and what its metrics are */
struct sysbench_case {
	unsigned int test;
	const char *metrics[5];
};

static void test_sysbench_has_the_metrics_of_its_tests(void **state)
{
	static const struct sysbench_case cases[] = {
		{ 0, { "rate", "latency" } },
		{ 1, { "rate", "latency" } },
		{ 2, { "p95", "latency", "time" } },
		{ 3, { "transactions", "requests", "other", "latency" } },
	};
	size_t i, j;

	(void)state;
	for (i = 0; i < COUNT(cases); i++) {
		struct model_scene scene;

		model_scene_init(&scene, "sysbench");
		model_scene_choose(&scene, "test", cases[i].test);
		workload_set(&scene.workload, "threads", 3);
		model_scene_run(&scene);
		for (j = 0; cases[i].metrics[j]; j++)
			assert_true(model_scene_value(&scene, cases[i].metrics[j]) > 0);
		assert_int_equal(scene.samples.nr, j);
		model_scene_release(&scene);
	}
}

/* Events of one thread on a CPU of its own take as long as was measured. */
static void test_sysbench_cpu_computes(void **state)
{
	struct model_scene scene;

	(void)state;
	model_scene_init(&scene, "sysbench");
	workload_set(&scene.workload, "max_prime", 25000);
	workload_set(&scene.workload, "events", 50);
	model_scene_run(&scene);
	assert_int_equal(model_scene_done(&scene, PROGRAM_NOTE), 50);
	assert_true(model_scene_value(&scene, "rate") > 1000);
	assert_true(model_scene_value(&scene, "rate") < 1140);
	model_scene_release(&scene);
}

/* All turns of a thread, and a part of them where they are many; times are of all. */
static void test_sysbench_mutex_takes_its_turns(void **state)
{
	struct model_scene scene;
	double part, whole;

	(void)state;
	model_scene_init(&scene, "sysbench");
	model_scene_choose(&scene, "test", 2);
	workload_set(&scene.workload, "threads", 2);
	workload_set(&scene.workload, "mutex_locks", 100);
	model_scene_run(&scene);
	assert_int_equal(model_scene_done(&scene, PROGRAM_LOCK), 200);
	assert_int_equal(model_scene_done(&scene, PROGRAM_UNLOCK), 200 + 4096);
	part = model_scene_value(&scene, "time");
	model_scene_release(&scene);
	model_scene_init(&scene, "sysbench");
	model_scene_choose(&scene, "test", 2);
	workload_set(&scene.workload, "threads", 2);
	workload_set(&scene.workload, "mutex_locks", 1000000);
	model_scene_run(&scene);
	assert_true(model_scene_done(&scene, PROGRAM_LOCK) <= 60000);
	whole = model_scene_value(&scene, "time");
	assert_true(whole > 9000 * part && whole < 11000 * part);
	model_scene_release(&scene);
}

/* 14 reads and 2 others a transaction, each there and back. */
static void test_sysbench_oltp_has_sixteen_statements(void **state)
{
	unsigned int database;

	(void)state;
	for (database = 0; database < 2; database++) {
		struct model_scene scene;
		uint64_t transactions;

		model_scene_init(&scene, "sysbench");
		model_scene_choose(&scene, "test", 3);
		model_scene_choose(&scene, "database", database);
		workload_set(&scene.workload, "threads", 4);
		model_scene_run(&scene);
		transactions = model_scene_done(&scene, PROGRAM_NOTE);
		assert_int_equal(model_scene_done(&scene, PROGRAM_SEND),
				 32 * transactions);
		assert_int_equal(model_scene_done(&scene, PROGRAM_FORK), 9);
		assert_near(model_scene_value(&scene, "requests"),
			    7 * model_scene_value(&scene, "other"));
		model_scene_release(&scene);
	}
}

static void init_reaim(struct model_scene *scene, unsigned int sync_mode)
{
	model_scene_init(scene, "reaim");
	model_scene_choose(scene, "sync_mode", sync_mode);
	workload_set(&scene->workload, "filesize", 10);
	workload_set(&scene->workload, "poolsize", 1024);
}

/* 99 jobs of a user, and 99 programs executed at their sync points. */
static void test_reaim_forks_and_executes(void **state)
{
	struct model_scene scene;

	(void)state;
	init_reaim(&scene, 0);
	model_scene_run(&scene);
	assert_int_equal(model_scene_done(&scene, PROGRAM_EXEC), 4 * 99);
	assert_int_equal(model_scene_done(&scene, PROGRAM_FORK), 4 + 4 * 99);
	assert_int_equal(model_scene_done(&scene, PROGRAM_NOTE), 4);
	assert_near(model_scene_value(&scene, "jobs_per_min") *
			    model_scene_value(&scene, "parent_time"),
		    99 * 60 * 4);
	assert_near(model_scene_value(&scene, "jobs_per_min_child_fine") * 4,
		    model_scene_value(&scene, "jobs_per_min_fine"));
	assert_near(model_scene_value(&scene, "jti_fine"),
		    100 - model_scene_value(&scene, "std_dev_percent_fine"));
	assert_near(model_scene_value(&scene, "workload"), 400);
	assert_true(model_scene_value(&scene, "std_dev_time_fine") <
		    model_scene_value(&scene, "parent_time_fine"));
	model_scene_release(&scene);
}

static void test_reaim_without_programs_is_quicker(void **state)
{
	double with, without;
	struct model_scene scene;

	(void)state;
	init_reaim(&scene, 0);
	model_scene_run(&scene);
	with = model_scene_value(&scene, "jobs_per_min_fine");
	model_scene_release(&scene);
	init_reaim(&scene, 3);
	model_scene_run(&scene);
	without = model_scene_value(&scene, "jobs_per_min_fine");
	assert_int_equal(model_scene_done(&scene, PROGRAM_EXEC), 0);
	assert_int_equal(model_scene_done(&scene, PROGRAM_FORK), 4);
	model_scene_release(&scene);
	assert_true(without > with);
}

static void test_reaim_refuses_other_mixes(void **state)
{
	struct model_scene scene;

	(void)state;
	init_reaim(&scene, 0);
	model_scene_choose(&scene, "mix", 2);
	model_scene_refused(&scene, "mix compute has no model");
	model_scene_release(&scene);
}

static void test_null_and_exec_have_no_model(void **state)
{
	struct model_scene scene;

	(void)state;
	model_scene_init(&scene, "null");
	model_scene_refused(&scene, "null has no model");
	model_scene_release(&scene);
	model_scene_init(&scene, "exec");
	model_scene_refused(&scene, "exec has no model");
	model_scene_release(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fork_latency_forks_and_waits),
		cmocka_unit_test(test_threads_have_the_programs_passes),
		cmocka_unit_test(test_threads_are_bounded),
		cmocka_unit_test(test_threads_wait_for_their_lock),
		cmocka_unit_test(test_sysbench_has_the_metrics_of_its_tests),
		cmocka_unit_test(test_sysbench_cpu_computes),
		cmocka_unit_test(test_sysbench_mutex_takes_its_turns),
		cmocka_unit_test(test_sysbench_oltp_has_sixteen_statements),
		cmocka_unit_test(test_reaim_forks_and_executes),
		cmocka_unit_test(test_reaim_without_programs_is_quicker),
		cmocka_unit_test(test_reaim_refuses_other_mixes),
		cmocka_unit_test(test_null_and_exec_have_no_model),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
