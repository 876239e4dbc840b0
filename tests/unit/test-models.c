// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The models of hackbench, messaging, pipe and stream: as many tasks, messages and barriers
 * as their programs have, and metrics that go together; and that all models are small.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/err.h"
#include "tests/unit/model-scene.h"
#include "tests/unit/near.h"

/* 4000 messages and 40 + 40 + 1 words at the start; see the counts of system calls. */
static void test_hackbench_has_the_programs_messages(void **state)
{
	unsigned int task, channel;

	(void)state;
	for (task = 0; task < 2; task++) {
		for (channel = 0; channel < 3; channel++) {
			struct model_scene scene;

			model_scene_init(&scene, "hackbench");
			model_scene_choose(&scene, "task", task);
			model_scene_choose(&scene, "channel", channel);
			workload_set(&scene.workload, "loops", 10);
			model_scene_run(&scene);
			assert_int_equal(model_scene_done(&scene, PROGRAM_SEND), 4040);
			assert_int_equal(model_scene_done(&scene, PROGRAM_RECEIVE), 4040);
			assert_int_equal(model_scene_done(&scene, PROGRAM_WAKE), 1);
			assert_int_equal(model_scene_done(&scene, PROGRAM_BLOCK), 40);
			assert_int_equal(model_scene_done(&scene, PROGRAM_FORK), 40);
			assert_int_equal(model_scene_done(&scene, PROGRAM_EXIT), 41);
			assert_near(model_scene_value(&scene, "total"),
				    model_scene_value(&scene, "time") +
					    model_scene_value(&scene, "setup"));
			model_scene_release(&scene);
		}
	}
}

/* A message as long as a pipe fills it: its senders wait, and it all arrives. */
static void test_hackbench_has_long_messages_and_few_tasks(void **state)
{
	struct model_scene scene;

	(void)state;
	model_scene_init(&scene, "hackbench");
	workload_set(&scene.workload, "size", 1048576);
	workload_set(&scene.workload, "fds", 1);
	workload_set(&scene.workload, "loops", 1);
	model_scene_run(&scene);
	assert_int_equal(scene.sim.graph.channels[0].capacity, 1);
	assert_int_equal(model_scene_done(&scene, PROGRAM_SEND), 3);
	model_scene_release(&scene);
}

static void test_messaging_is_hackbench_of_twenty(void **state)
{
	struct model_scene scene;

	(void)state;
	model_scene_init(&scene, "messaging");
	model_scene_choose(&scene, "task", 1);
	workload_set(&scene.workload, "groups", 2);
	workload_set(&scene.workload, "loops", 3);
	model_scene_run(&scene);
	assert_int_equal(model_scene_done(&scene, PROGRAM_FORK), 80);
	assert_int_equal(model_scene_done(&scene, PROGRAM_SEND), 2 * 400 * 3 + 80);
	assert_int_equal(scene.samples.nr, 1);
	model_scene_release(&scene);
}

/* Two writes and two reads each; a thread more where threads talk. */
static void test_pipe_has_two_messages_a_round_trip(void **state)
{
	unsigned int task;

	(void)state;
	for (task = 0; task < 2; task++) {
		struct model_scene scene;

		model_scene_init(&scene, "pipe");
		model_scene_choose(&scene, "task", task);
		workload_set(&scene.workload, "loops", 500);
		model_scene_run(&scene);
		assert_int_equal(model_scene_done(&scene, PROGRAM_SEND), 1000);
		assert_int_equal(model_scene_done(&scene, PROGRAM_RECEIVE), 1000);
		assert_int_equal(model_scene_done(&scene, PROGRAM_FORK), 1 + task);
		assert_near(model_scene_value(&scene, "latency") *
				    model_scene_value(&scene, "rate"),
			    1e6);
		model_scene_release(&scene);
	}
}

/* The time of a round trip doesn't depend on how many there are. */
static void test_pipe_does_a_part_of_long_runs(void **state)
{
	struct model_scene whole, part;
	double ratio;

	(void)state;
	model_scene_init(&part, "pipe");
	model_scene_run(&part);
	assert_true(model_scene_done(&part, PROGRAM_SEND) < 200000);
	model_scene_init(&whole, "pipe");
	workload_set(&whole.workload, "loops", 10000);
	model_scene_run(&whole);
	assert_int_equal(model_scene_done(&whole, PROGRAM_SEND), 20000);
	ratio = model_scene_value(&whole, "latency") /
		model_scene_value(&part, "latency");
	assert_true(ratio > 0.97 && ratio < 1.03);
	model_scene_release(&whole);
	model_scene_release(&part);
}

/* Four kernels a pass between two barriers each, and one at the end. */
static void test_stream_has_the_programs_passes(void **state)
{
	uint64_t threads;

	(void)state;
	for (threads = 1; threads <= 4; threads += 3) {
		struct model_scene scene;

		model_scene_init(&scene, "stream");
		workload_set(&scene.workload, "threads", threads);
		workload_set(&scene.workload, "size", 1000003);
		workload_set(&scene.workload, "ntimes", 5);
		model_scene_run(&scene);
		assert_int_equal(model_scene_done(&scene, PROGRAM_FORK), threads - 1);
		assert_int_equal(model_scene_done(&scene, PROGRAM_MEMORY),
				 threads * (1 + 4 * 5));
		assert_int_equal(model_scene_done(&scene, PROGRAM_BARRIER),
				 threads * (1 + 8 * 5));
		assert_int_equal(model_scene_done(&scene, PROGRAM_NOTE), 4 * 4);
		assert_true(model_scene_value(&scene, "copy") >=
			    model_scene_value(&scene, "copy-avg"));
		/* Below what a CPU can have, and not by much. */
		assert_true(model_scene_value(&scene, "triad") <=
			    (double)(threads * scene.sim.costs.thread_mbs));
		assert_true(model_scene_value(&scene, "triad") * 3 >
			    (double)scene.sim.costs.thread_mbs);
		model_scene_release(&scene);
	}
}

static void test_stream_refuses_threads_of_their_own_cpus(void **state)
{
	struct model_scene scene;

	(void)state;
	model_scene_init(&scene, "stream");
	workload_set(&scene.workload, "size", 1000000);
	model_scene_choose(&scene, "affinity", 1);
	model_scene_refused(&scene, "affinity per-thread has no model");
	model_scene_release(&scene);
}

/* A run that left no times, or other counts, yields no samples. */
static void test_runs_without_their_work_are_refused(void **state)
{
	static const char *const names[] = { "hackbench", "messaging", "pipe", "stream" };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct program_outcome outcome = { .end_ns = 1 };
		struct bench_samples samples = { .nr = 0 };
		struct workload workload;
		struct err err = { 0 };

		workload_init(&workload, bench_find(names[i]));
		if (!strcmp(names[i], "stream"))
			workload_set(&workload, "size", 1000000);
		assert_int_equal(
			workload.ops->model->samples(&workload, &outcome, &samples, &err),
			-EPROTO);
		assert_true(err.text[0]);
		assert_int_equal(samples.nr, 0);
	}
}

/* Whatever machine resolves to: what the models of these have to be told. */
static void resolve(struct model_scene *scene, const char *name)
{
	if (!strcmp(name, "stream"))
		workload_set(&scene->workload, "size", 100000000);
	if (strcmp(name, "reaim") != 0)
		return;
	workload_set(&scene->workload, "filesize", 10);
	workload_set(&scene->workload, "poolsize", 1024);
}

/* Each workload has a model; with its defaults a run takes well below a second. */
static void test_all_workloads_have_small_models(void **state)
{
	const struct bench_ops *const *ops;

	(void)state;
	for (ops = bench_all(); *ops; ops++) {
		struct model_scene scene;

		if (!strcmp((*ops)->name, "null") || !strcmp((*ops)->name, "exec"))
			continue;
		model_scene_init(&scene, (*ops)->name);
		resolve(&scene, (*ops)->name);
		model_scene_run(&scene);
		assert_in_range(scene.sim.result.nr_events, 100, 1000000);
		model_scene_release(&scene);
	}
}

static void test_times_and_parts_of_models(void **state)
{
	struct program_outcome outcome = { .has_mark = { true, true },
					   .mark_ns = { 5, 2000000005 } };
	struct err err = { 0 };
	double seconds;

	(void)state;
	assert_int_equal(model_elapsed(&outcome, 0, 1, &seconds, &err), 0);
	assert_near(seconds, 2.0);
	assert_int_equal(model_elapsed(&outcome, 1, 0, &seconds, &err), -EPROTO);
	assert_int_equal(model_elapsed(&outcome, 0, 2, &seconds, &err), -EPROTO);
	assert_int_equal(model_notes(&outcome, 0, 0, &seconds, &err), -EPROTO);
	assert_int_equal(program_note_add(&outcome, 0, 500000000), 0);
	assert_int_equal(program_note_add(&outcome, 0, 250000000), 0);
	assert_int_equal(model_notes(&outcome, 0, 2, &seconds, &err), 0);
	assert_near(seconds, 0.75);
	assert_int_equal(model_notes(&outcome, 0, 3, &seconds, &err), -EPROTO);
	program_outcome_release(&outcome);
	assert_null(outcome.notes[0].ns);
	assert_int_equal(model_part(10, 4, 100), 10);
	assert_int_equal(model_part(1000, 4, 100), 25);
	assert_int_equal(model_part(1000, 400, 100), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hackbench_has_the_programs_messages),
		cmocka_unit_test(test_hackbench_has_long_messages_and_few_tasks),
		cmocka_unit_test(test_messaging_is_hackbench_of_twenty),
		cmocka_unit_test(test_pipe_has_two_messages_a_round_trip),
		cmocka_unit_test(test_pipe_does_a_part_of_long_runs),
		cmocka_unit_test(test_stream_has_the_programs_passes),
		cmocka_unit_test(test_stream_refuses_threads_of_their_own_cpus),
		cmocka_unit_test(test_runs_without_their_work_are_refused),
		cmocka_unit_test(test_all_workloads_have_small_models),
		cmocka_unit_test(test_times_and_parts_of_models),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
