// SPDX-License-Identifier: GPL-2.0-or-later
/* policy/sim: what each step does, what is counted, what is refused, and that it repeats. */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "benchmarks/hackbench/model.h"
#include "lib/err.h"
#include "tests/unit/sim-scene.h"

#define NR(array) (sizeof(array) / sizeof((array)[0]))

enum { US = 1000, MS = 1000000 };

/* One task alone takes as long as its work. */
static void test_run_and_sleep_take_their_time(void **state)
{
	struct sim_scene sim;

	(void)state;
	sim_scene_init(&sim, "v5.18", (struct machine_shape)PLAIN);
	(void)program_new(&sim.graph, "worker", false, 0);
	sim_scene_add(&sim, 0, PROGRAM_RUN, 0, 5 * MS);
	sim_scene_add(&sim, 0, PROGRAM_MARK, 0, 0);
	sim_scene_add(&sim, 0, PROGRAM_SLEEP, 0, 7 * MS);
	sim_scene_add(&sim, 0, PROGRAM_MARK, 1, 0);
	sim_scene_run(&sim);
	assert_int_equal(sim.result.outcome.mark_ns[0], 5 * MS);
	assert_int_equal(sim.result.outcome.mark_ns[1], 12 * MS);
	assert_int_equal(sim.result.outcome.end_ns, 12 * MS);
	assert_int_equal(sim.result.run_ns, 5 * MS);
	assert_int_equal(sim.result.block_ns, 7 * MS);
	assert_int_equal(sim.result.wait_ns, 0);
	assert_true(sim.result.outcome.has_mark[0]);
	assert_false(sim.result.outcome.has_mark[2]);
	sim_scene_release(&sim);
}

/* Two loops, one in the other. */
static void test_loops_nest(void **state)
{
	struct program_step outer = {
		.op = PROGRAM_REPEAT, .object = 1, .back = 2, .amount = 3
	};
	struct sim_scene sim;

	(void)state;
	sim_scene_init(&sim, "v5.18", (struct machine_shape)PLAIN);
	(void)program_new(&sim.graph, "worker", false, 0);
	sim_scene_add(&sim, 0, PROGRAM_RUN, 0, MS);
	sim_scene_add(&sim, 0, PROGRAM_REPEAT, 0, 4);
	program_add(&sim.graph, 0, outer);
	sim_scene_run(&sim);
	assert_int_equal(sim.result.outcome.end_ns, 4 * 5 * MS);
	sim_scene_release(&sim);
}

/* What two tasks of one CPU do, under both schedulers: each has half of it. */
static void test_tasks_share_a_cpu(void **state)
{
	static const char *const variants[] = { "v3.3", "v4.9", "v5.18", "v6.8" };
	struct cpumask one = { { 1 } };
	size_t i;

	(void)state;
	for (i = 0; i < NR(variants); i++) {
		struct sim_scene sim;

		sim_scene_init(&sim, variants[i], (struct machine_shape)PLAIN);
		sim.options.allowed = &one;
		(void)program_new(&sim.graph, "first", false, 0);
		(void)program_new(&sim.graph, "second", false, 0);
		sim_scene_add(&sim, 0, PROGRAM_FORK, 1, 0);
		sim_scene_add(&sim, 0, PROGRAM_RUN, 0, 100 * MS);
		sim_scene_add(&sim, 0, PROGRAM_MARK, 0, 0);
		sim_scene_add(&sim, 1, PROGRAM_RUN, 0, 100 * MS);
		sim_scene_add(&sim, 1, PROGRAM_MARK, 1, 0);
		sim_scene_run(&sim);
		assert_int_equal(sim.result.outcome.end_ns, 200 * MS);
		assert_in_range(sim.result.outcome.mark_ns[0], 150 * MS, 200 * MS);
		assert_in_range(sim.result.outcome.mark_ns[1], 150 * MS, 200 * MS);
		assert_true(sim.result.switches > 4);
		assert_int_equal(sim.result.overloaded_idle_ns, 0);
		sim_scene_release(&sim);
	}
}

/* Siblings slow each other down; cores don't. */
static void test_siblings_share_a_core(void **state)
{
	struct cpumask pair = { { 0x3 } };
	struct cpumask siblings = { { 0x11 } };
	struct machine_shape shape = { .cores = 4, .threads = 2 };
	struct sim_scene sim;

	(void)state;
	sim_scene_init(&sim, "v5.18", shape);
	sim.costs.smt_permille = 625;
	(void)program_new(&sim.graph, "first", false, 0);
	(void)program_new(&sim.graph, "second", false, 0);
	sim_scene_add(&sim, 0, PROGRAM_FORK, 1, 0);
	sim_scene_add(&sim, 0, PROGRAM_RUN, 0, 10 * MS);
	sim_scene_add(&sim, 1, PROGRAM_RUN, 0, 5 * MS);
	sim.options.allowed = &pair;
	sim_scene_run(&sim);
	assert_int_equal(sim.result.outcome.end_ns, 10 * MS);
	sim.options.allowed = &siblings;
	sim_scene_run(&sim);
	/* 8 ms together, 5 ms of work are left. */
	assert_in_range(sim.result.outcome.end_ns, 13 * MS, 13 * MS + 10);
	sim_scene_release(&sim);
}

/* Two streams on one node have half of it each, on two nodes all of both. */
static void test_memory_has_a_bandwidth(void **state)
{
	struct machine_shape shape = { .packages = 2, .cores = 4 };
	struct cpumask node = { { 0xf } };
	struct sim_scene sim;

	(void)state;
	sim_scene_init(&sim, "v5.18", shape);
	sim.costs.thread_mbs = sim.costs.llc_mbs = sim.costs.node_mbs = 1000;
	(void)program_new(&sim.graph, "first", false, 0);
	(void)program_new(&sim.graph, "second", true, 0);
	sim_scene_add(&sim, 0, PROGRAM_MEMORY, 0, MS);
	sim_scene_run(&sim);
	assert_int_equal(sim.result.outcome.end_ns, MS);
	sim_scene_add(&sim, 0, PROGRAM_FORK, 1, 0);
	sim_scene_add(&sim, 0, PROGRAM_MEMORY, 0, MS);
	sim_scene_add(&sim, 1, PROGRAM_MEMORY, 0, MS);
	sim_scene_run(&sim);
	assert_int_equal(sim.result.outcome.end_ns, 2 * MS);
	sim.options.allowed = &node;
	sim_scene_run(&sim);
	assert_int_equal(sim.result.outcome.end_ns, 3 * MS);
	sim_scene_release(&sim);
}

/* Memory stays where it was first touched: a task that moves goes on over the link. */
static void test_memory_stays_behind(void **state)
{
	struct machine_shape shape = { .packages = 2, .cores = 1 };
	struct sim_scene sim;

	(void)state;
	/* Before 5.5 exec sees the task's own load at home and goes to the idle node. */
	sim_scene_init(&sim, "v4.9", shape);
	sim.costs.thread_mbs = sim.costs.llc_mbs = sim.costs.node_mbs = 1000;
	sim.costs.link_mbs = 1000;
	sim.costs.remote_permille = 500;
	(void)program_new(&sim.graph, "first", false, 0);
	sim_scene_add(&sim, 0, PROGRAM_MEMORY, 0, MS);
	sim_scene_add(&sim, 0, PROGRAM_EXEC, 0, 0);
	sim_scene_add(&sim, 0, PROGRAM_MEMORY, 0, MS);
	sim_scene_run(&sim);
	assert_int_equal(sim.result.migrations[SIM_EXEC], 1);
	assert_int_equal(sim.result.outcome.end_ns, 3 * MS);
	sim.costs.link_mbs = 250;
	sim_scene_run(&sim);
	assert_in_range(sim.result.outcome.end_ns, 5 * MS, 5 * MS + 10);
	sim_scene_release(&sim);
}

/* A full channel holds the sender, an empty one the receiver; each message arrives. */
static void test_channels_hold_messages(void **state)
{
	struct sim_scene sim;

	(void)state;
	sim_scene_init(&sim, "v5.18", (struct machine_shape)PLAIN);
	(void)program_new(&sim.graph, "sender", false, 0);
	(void)program_new(&sim.graph, "receiver", false, 0);
	(void)program_channels(&sim.graph, (struct program_channel){ PROGRAM_PIPE, 2 },
			       1);
	sim_scene_add(&sim, 0, PROGRAM_FORK, 1, 0);
	sim_scene_add(&sim, 0, PROGRAM_SEND, 0, 0);
	sim_scene_add(&sim, 0, PROGRAM_REPEAT, 0, 9);
	sim_scene_add(&sim, 0, PROGRAM_MARK, 0, 0);
	sim_scene_add(&sim, 1, PROGRAM_RUN, 0, MS);
	sim_scene_add(&sim, 1, PROGRAM_RECEIVE, 0, 0);
	program_add(
		&sim.graph, 1,
		(struct program_step){ .op = PROGRAM_REPEAT, .back = 2, .amount = 9 });
	sim_scene_run(&sim);
	/* The tenth message finds room when the eighth was taken out. */
	assert_int_equal(sim.result.outcome.mark_ns[0], 8 * MS);
	assert_int_equal(sim.result.outcome.end_ns, 10 * MS);
	sim_scene_release(&sim);
}

static void test_gates_and_barriers(void **state)
{
	struct sim_scene sim;
	int i;

	(void)state;
	sim_scene_init(&sim, "v5.18", (struct machine_shape)PLAIN);
	(void)program_new(&sim.graph, "starter", false, 0);
	(void)program_new(&sim.graph, "worker", false, 0);
	sim.graph.nr_gates = 2;
	(void)program_barrier(&sim.graph, 3);
	for (i = 0; i < 3; i++)
		sim_scene_add(&sim, 0, PROGRAM_FORK, 1, 0);
	sim_scene_add(&sim, 0, PROGRAM_RUN, 0, 10 * MS);
	sim_scene_add(&sim, 0, PROGRAM_WAKE, 0, 1);
	sim_scene_add(&sim, 0, PROGRAM_RUN, 0, 10 * MS);
	sim_scene_add(&sim, 0, PROGRAM_WAKE, 0, 0);
	sim_scene_add(&sim, 0, PROGRAM_WAIT, 0, 0);
	sim_scene_add(&sim, 0, PROGRAM_MARK, 0, 0);
	sim_scene_add(&sim, 1, PROGRAM_BLOCK, 0, 0);
	sim_scene_add(&sim, 1, PROGRAM_BARRIER, 0, 0);
	sim_scene_add(&sim, 1, PROGRAM_RUN, 0, 5 * MS);
	sim_scene_run(&sim);
	/* One goes after 10 ms and waits for the two that go after 20 ms. */
	assert_int_equal(sim.result.outcome.mark_ns[0], 25 * MS);
	assert_int_equal(sim.result.nr_tasks, 4);
	sim_scene_release(&sim);
}

static void test_exec_places_anew(void **state)
{
	struct sim_scene sim;

	(void)state;
	sim_scene_init(&sim, "v5.18", (struct machine_shape)PLAIN);
	(void)program_new(&sim.graph, "shell", false, 0);
	(void)program_new(&sim.graph, "child", false, 0);
	sim_scene_add(&sim, 0, PROGRAM_FORK, 1, 0);
	sim_scene_add(&sim, 0, PROGRAM_RUN, 0, MS);
	sim_scene_add(&sim, 0, PROGRAM_EXEC, 0, 0);
	sim_scene_add(&sim, 0, PROGRAM_RUN, 0, MS);
	sim_scene_add(&sim, 0, PROGRAM_WAIT, 0, 0);
	sim_scene_add(&sim, 1, PROGRAM_RUN, 0, 10 * MS);
	sim_scene_run(&sim);
	assert_int_equal(sim.result.outcome.end_ns, 10 * MS);
	assert_int_equal(
		sim_placed(&sim.result, sim.scene.machine, SIM_EXEC, MACHINE_PACKAGE, 0),
		1);
	sim_scene_release(&sim);
}

/* Two long tasks that fork put on one CPU don't stay there. */
static void test_balance_moves_waiting_tasks(void **state)
{
	static const char *const variants[] = { "v3.3", "v4.9", "v5.18", "v6.8" };
	size_t i;
	int nr;

	(void)state;
	for (i = 0; i < NR(variants); i++) {
		struct sim_scene sim;

		sim_scene_init(&sim, variants[i], (struct machine_shape)PLAIN);
		(void)program_new(&sim.graph, "starter", false, 0);
		(void)program_new(&sim.graph, "short", false, 0);
		(void)program_new(&sim.graph, "long", false, 0);
		for (nr = 0; nr < 16; nr++)
			sim_scene_add(&sim, 0, PROGRAM_FORK, nr % 4 == 3 ? 2 : 1, 0);
		sim_scene_add(&sim, 1, PROGRAM_RUN, 0, 10 * MS);
		sim_scene_add(&sim, 2, PROGRAM_RUN, 0, 200 * MS);
		sim_scene_run(&sim);
		/* 920 ms of work on four CPUs; on the CPU of all long ones 800 ms. */
		assert_in_range(sim.result.outcome.end_ns, 230 * MS, 330 * MS);
		assert_true(sim.result.migrations[SIM_NEWIDLE] +
				    sim.result.migrations[SIM_PERIODIC] >
			    0);
		sim_scene_release(&sim);
	}
}

static void run_hackbench(struct sim_scene *sim, const char *variant, uint64_t seed)
{
	struct hackbench_shape shape = { 2, 5, 10, 100, false, PROGRAM_PIPE };

	sim_scene_init(sim, variant, (struct machine_shape)HASWELL);
	sim_scene_costs("reference", &sim->costs);
	hackbench_graph(&shape, &sim->graph);
	sim->options.seed = seed;
	sim_scene_run(sim);
}

static void *run_in_thread(void *arg)
{
	run_hackbench(arg, "v5.18", 7);
	return NULL;
}

static void assert_equal_runs(const struct sim_scene *a, const struct sim_scene *b)
{
	struct sim_result left = a->result;
	struct sim_result right = b->result;

	assert_memory_equal(left.placed, right.placed,
			    sizeof(*left.placed) * SIM_EVENTS * (size_t)left.nr_cpus);
	left.placed = right.placed = NULL;
	assert_memory_equal(&left, &right, sizeof(left));
}

/* The same seed: the same run to the last bit, in any number of threads. */
static void test_runs_repeat(void **state)
{
	struct sim_scene here, other, first, second;
	pthread_t threads[2];

	(void)state;
	run_hackbench(&here, "v5.18", 7);
	run_hackbench(&other, "v5.18", 8);
	assert_int_equal(pthread_create(&threads[0], NULL, run_in_thread, &first), 0);
	assert_int_equal(pthread_create(&threads[1], NULL, run_in_thread, &second), 0);
	assert_int_equal(pthread_join(threads[0], NULL), 0);
	assert_int_equal(pthread_join(threads[1], NULL), 0);
	assert_equal_runs(&here, &first);
	assert_equal_runs(&here, &second);
	assert_true(here.result.outcome.end_ns != other.result.outcome.end_ns);
	sim_scene_release(&here);
	sim_scene_release(&other);
	sim_scene_release(&first);
	sim_scene_release(&second);
}

/*
 * Compilers and machines agree on this figure. A change of rules, costs or graph changes it;
 * anything else must not.
 */
static void test_runs_are_the_same_everywhere(void **state)
{
	struct sim_scene sim;

	(void)state;
	run_hackbench(&sim, "v5.18", 7);
	assert_int_equal(sim.result.outcome.end_ns, 1678492);
	sim_scene_release(&sim);
}

static int bad_run(struct sim_scene *sim, const char *expected)
{
	struct err err = { 0 };
	int bad = sim_run(&sim->options, &sim->result, &err);

	if (!strstr(err.text, expected))
		fail_msg("'%s' lacks '%s'", err.text, expected);
	return bad;
}

static void test_what_makes_no_sense_is_refused(void **state)
{
	static const struct {
		struct program_step step;
		int code;
		const char *expected;
	} cases[] = {
		{ { .op = PROGRAM_SEND }, -EINVAL, "names object 0" },
		{ { .op = PROGRAM_BLOCK, .object = 1 }, -EINVAL, "names object 1" },
		{ { .op = PROGRAM_BARRIER }, -EINVAL, "names object 0" },
		{ { .op = PROGRAM_FORK, .object = 1 },
		  -EINVAL,
		  "expected a number below 1" },
		{ { .op = PROGRAM_MARK, .object = 8 },
		  -EINVAL,
		  "expected a number below 8" },
		{ { .op = PROGRAM_MARK, .object = -1 }, -EINVAL, "names object -1" },
		{ { .op = PROGRAM_REPEAT, .back = 2 }, -EINVAL, "goes 2 steps back" },
		{ { .op = PROGRAM_REPEAT }, -EINVAL, "goes 0 steps back" },
		{ { .op = PROGRAM_BLOCK }, -EDEADLK, "task 0 ('task') waits for ever" },
		{ { .op = PROGRAM_SLEEP, .amount = UINT64_C(4000000000000) },
		  -ETIME,
		  "longer than 3600 s" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < NR(cases); i++) {
		struct sim_scene sim;

		sim_scene_init(&sim, "v5.18", (struct machine_shape)PLAIN);
		(void)program_new(&sim.graph, "task", false, 0);
		sim.graph.nr_gates = 1;
		sim_scene_add(&sim, 0, PROGRAM_RUN, 0, 1);
		program_add(&sim.graph, 0, cases[i].step);
		assert_int_equal(bad_run(&sim, cases[i].expected), cases[i].code);
		assert_null(sim.result.placed);
		sim_scene_release(&sim);
	}
}

/* Whom a program forks is looked at before the program itself is. */
static void test_forks_of_any_program_are_checked(void **state)
{
	struct sim_scene sim;

	(void)state;
	sim_scene_init(&sim, "v5.18", (struct machine_shape)PLAIN);
	(void)program_new(&sim.graph, "first", false, 0);
	(void)program_new(&sim.graph, "never", false, 0);
	sim_scene_add(&sim, 0, PROGRAM_RUN, 0, 1);
	sim_scene_add(&sim, 1, PROGRAM_FORK, 1 << 30, 0);
	assert_int_equal(bad_run(&sim, "step 0 of program 'never' names object"),
			 -EINVAL);
	sim_scene_release(&sim);
}

static void test_empty_graphs_and_wrong_cpus_are_refused(void **state)
{
	struct cpumask one = { { 2 } };
	struct sim_scene sim;

	(void)state;
	sim_scene_init(&sim, "v5.18", (struct machine_shape)PLAIN);
	assert_int_equal(bad_run(&sim, "has no program"), -EINVAL);
	(void)program_new(&sim.graph, "task", false, 0);
	assert_int_equal(bad_run(&sim, "has no steps"), -EINVAL);
	sim_scene_add(&sim, 0, PROGRAM_RUN, 0, 1);
	sim.options.allowed = &one;
	assert_int_equal(bad_run(&sim, "can't start on CPU 0"), -EINVAL);
	sim.options.allowed = NULL;
	sim.options.first_cpu = 4;
	assert_int_equal(bad_run(&sim, "can't start on CPU 4"), -EINVAL);
	sim.graph.is_short = true;
	assert_int_equal(bad_run(&sim, "memory"), -ENOMEM);
	sim_scene_release(&sim);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_run_and_sleep_take_their_time),
		cmocka_unit_test(test_loops_nest),
		cmocka_unit_test(test_tasks_share_a_cpu),
		cmocka_unit_test(test_siblings_share_a_core),
		cmocka_unit_test(test_memory_has_a_bandwidth),
		cmocka_unit_test(test_memory_stays_behind),
		cmocka_unit_test(test_channels_hold_messages),
		cmocka_unit_test(test_gates_and_barriers),
		cmocka_unit_test(test_exec_places_anew),
		cmocka_unit_test(test_balance_moves_waiting_tasks),
		cmocka_unit_test(test_runs_repeat),
		cmocka_unit_test(test_runs_are_the_same_everywhere),
		cmocka_unit_test(test_what_makes_no_sense_is_refused),
		cmocka_unit_test(test_forks_of_any_program_are_checked),
		cmocka_unit_test(test_empty_graphs_and_wrong_cpus_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
