// SPDX-License-Identifier: GPL-2.0-or-later
/* policy/sim: locks, yields, stamps and notes of programs, and the counts of steps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/sim-scene.h"

enum { US = 1000, MS = 1000000 };

/* What a task's notes hold. */
static const struct program_note *note_of(const struct sim_scene *sim, int number)
{
	return &sim->result.outcome.notes[number];
}

/* Two tasks that hold one mutex for 1 ms each, 5 times: one after the other. */
static void test_a_mutex_lets_one_in(void **state)
{
	struct sim_scene sim;
	int i;

	(void)state;
	sim_scene_init(&sim, "v5.18", (struct machine_shape)PLAIN);
	(void)program_new(&sim.graph, "starter", false, 0);
	(void)program_new(&sim.graph, "worker", true, 0);
	sim.graph.nr_gates = 1;
	sim_scene_add(&sim, 0, PROGRAM_UNLOCK, 0, 0);
	for (i = 0; i < 2; i++)
		sim_scene_add(&sim, 0, PROGRAM_FORK, 1, 0);
	sim_scene_add(&sim, 1, PROGRAM_LOCK, 0, 0);
	sim_scene_add(&sim, 1, PROGRAM_RUN, 0, MS);
	sim_scene_add(&sim, 1, PROGRAM_UNLOCK, 0, 0);
	program_repeat(&sim.graph, 1, 3, 5, 0);
	sim_scene_run(&sim);
	assert_int_equal(sim.result.outcome.nr_done[PROGRAM_LOCK], 10);
	assert_int_equal(sim.result.outcome.nr_done[PROGRAM_UNLOCK], 11);
	assert_int_equal(sim.result.outcome.end_ns, 10 * MS);
	sim_scene_release(&sim);
}

/* A free mutex needs no system call, a taken one does, at either end. */
static void test_a_free_mutex_costs_nothing(void **state)
{
	struct sim_scene sim;

	(void)state;
	sim_scene_init(&sim, "v5.18", (struct machine_shape)PLAIN);
	sim.costs.syscall = 100 * US;
	(void)program_new(&sim.graph, "worker", false, 0);
	(void)program_new(&sim.graph, "other", true, 0);
	sim.graph.nr_gates = 1;
	sim_scene_add(&sim, 0, PROGRAM_UNLOCK, 0, 0);
	sim_scene_add(&sim, 0, PROGRAM_LOCK, 0, 0);
	sim_scene_add(&sim, 0, PROGRAM_UNLOCK, 0, 0);
	sim_scene_run(&sim);
	assert_int_equal(sim.result.outcome.end_ns, 0);
	program_add(&sim.graph, 0, PROGRAM_STEP(.op = PROGRAM_LOCK));
	program_add(&sim.graph, 0, PROGRAM_STEP(.op = PROGRAM_FORK, .object = 1));
	program_add(&sim.graph, 0, PROGRAM_STEP(.op = PROGRAM_RUN, .amount = MS));
	program_add(&sim.graph, 0, PROGRAM_STEP(.op = PROGRAM_UNLOCK));
	sim_scene_add(&sim, 1, PROGRAM_LOCK, 0, 0);
	sim_scene_run(&sim);
	/* The one that waits pays meanwhile, the one that wakes it after its work. */
	assert_int_equal(sim.result.outcome.end_ns, MS + 100 * US);
	sim_scene_release(&sim);
}

/* Two tasks on one CPU that yield after each piece of work take turns. */
static void check_turns(const char *variant)
{
	const struct cpumask one = { { 1 } };
	struct sim_scene sim;
	uint64_t switches;
	int i;

	sim_scene_init(&sim, variant, (struct machine_shape)PLAIN);
	sim.options.allowed = &one;
	(void)program_new(&sim.graph, "starter", false, 0);
	(void)program_new(&sim.graph, "worker", true, 0);
	sim.graph.nr_gates = 1;
	for (i = 0; i < 2; i++)
		sim_scene_add(&sim, 0, PROGRAM_FORK, 1, 0);
	sim_scene_add(&sim, 0, PROGRAM_WAKE, 0, 0);
	sim_scene_add(&sim, 1, PROGRAM_BLOCK, 0, 0);
	sim_scene_add(&sim, 1, PROGRAM_RUN, 0, 10 * US);
	sim_scene_add(&sim, 1, PROGRAM_YIELD, 0, 0);
	program_repeat(&sim.graph, 1, 2, 50, 0);
	sim_scene_run(&sim);
	switches = sim.result.switches;
	assert_int_equal(sim.result.outcome.nr_done[PROGRAM_YIELD], 100);
	assert_true(switches >= 90);
	/* Alone, a task that yields goes on. */
	sim.options.allowed = NULL;
	sim_scene_run(&sim);
	assert_true(sim.result.switches < 10);
	sim_scene_release(&sim);
}

static void test_yielding_tasks_take_turns(void **state)
{
	(void)state;
	check_turns("v3.3");
	check_turns("v5.18");
	check_turns("v6.8");
}

/* A waker's stamp goes to whom it wakes, also when the token was there before. */
static void test_stamps_go_with_wakeups(void **state)
{
	struct sim_scene sim;

	(void)state;
	sim_scene_init(&sim, "v5.18", (struct machine_shape)PLAIN);
	(void)program_new(&sim.graph, "waker", false, 0);
	(void)program_new(&sim.graph, "early", true, 0);
	(void)program_new(&sim.graph, "late", true, 0);
	sim.graph.nr_gates = 2;
	sim_scene_add(&sim, 0, PROGRAM_FORK, 1, 0);
	sim_scene_add(&sim, 0, PROGRAM_FORK, 2, 0);
	sim_scene_add(&sim, 0, PROGRAM_RUN, 0, 2 * MS);
	sim_scene_add(&sim, 0, PROGRAM_STAMP, 0, 0);
	sim_scene_add(&sim, 0, PROGRAM_RUN, 0, 3 * MS);
	sim_scene_add(&sim, 0, PROGRAM_WAKE, 0, 1);
	sim_scene_add(&sim, 0, PROGRAM_WAKE, 1, 1);
	/* Waits for it: 3 ms of work after the stamp. */
	sim_scene_add(&sim, 1, PROGRAM_BLOCK, 0, 0);
	sim_scene_add(&sim, 1, PROGRAM_NOTE, 0, 0);
	/* Comes 8 ms after the start, 6 after the stamp. */
	sim_scene_add(&sim, 2, PROGRAM_SLEEP, 0, 8 * MS);
	sim_scene_add(&sim, 2, PROGRAM_BLOCK, 1, 0);
	sim_scene_add(&sim, 2, PROGRAM_NOTE, 1, 0);
	sim_scene_run(&sim);
	assert_int_equal(note_of(&sim, 0)->nr, 1);
	assert_int_equal(note_of(&sim, 0)->ns[0], 3 * MS);
	assert_int_equal(note_of(&sim, 1)->nr, 1);
	assert_int_equal(note_of(&sim, 1)->ns[0], 6 * MS);
	sim_scene_release(&sim);
}

/* Any number of notes, in the order of their times. */
static void test_notes_are_kept(void **state)
{
	struct sim_scene sim;

	(void)state;
	sim_scene_init(&sim, "v5.18", (struct machine_shape)PLAIN);
	(void)program_new(&sim.graph, "worker", false, 0);
	sim_scene_add(&sim, 0, PROGRAM_STAMP, 0, 0);
	sim_scene_add(&sim, 0, PROGRAM_SLEEP, 0, US);
	sim_scene_add(&sim, 0, PROGRAM_NOTE, 3, 0);
	program_repeat(&sim.graph, 0, 2, 1000, 0);
	sim_scene_run(&sim);
	assert_int_equal(note_of(&sim, 3)->nr, 1000);
	assert_int_equal(note_of(&sim, 3)->ns[0], US);
	assert_int_equal(note_of(&sim, 3)->ns[999], 1000 * US);
	assert_int_equal(sim.result.outcome.nr_done[PROGRAM_SLEEP], 1000);
	assert_int_equal(sim.result.outcome.nr_done[PROGRAM_STAMP], 1);
	assert_int_equal(sim.result.outcome.nr_done[PROGRAM_EXIT], 1);
	sim_scene_release(&sim);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_mutex_lets_one_in),
		cmocka_unit_test(test_a_free_mutex_costs_nothing),
		cmocka_unit_test(test_yielding_tasks_take_turns),
		cmocka_unit_test(test_stamps_go_with_wakeups),
		cmocka_unit_test(test_notes_are_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
