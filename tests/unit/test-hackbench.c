// SPDX-License-Identifier: GPL-2.0-or-later
/* The hackbench workload: its commands, its needs, and what it reads or refuses. */
#include "tests/unit/fixture.h"

enum { TASK, CHANNEL };
enum { GROUPS, LOOPS, FDS, SIZE };

/* @task and @channel: 0 for process and pipes, 1 for thread and sockets, 2 for tcp. */
static struct workload hackbench(unsigned int task, unsigned int channel, uint64_t groups)
{
	struct workload workload;

	workload_init(&workload, bench_find("hackbench"));
	assert_string_equal(workload.ops->params[GROUPS].name, "groups");
	workload.choice[TASK] = task;
	workload.choice[CHANNEL] = channel;
	workload.value[GROUPS].number = groups;
	return workload;
}

static void variants_have_the_names_of_posted_tables(void **state)
{
	static const char *const names[] = {
		"hackbench-process-pipes",  "hackbench-process-sockets",
		"hackbench-process-tcp",    "hackbench-thread-pipes",
		"hackbench-thread-sockets", "hackbench-thread-tcp"
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < 6; i++) {
		struct workload workload = hackbench(i / 3, i % 3, 1);
		char *name = workload_variant(&workload);

		assert_non_null(name);
		assert_string_equal(name, names[i]);
		free(name);
	}
}

static void command_is_the_same_for_every_iteration(void **state)
{
	static const char *const expected[] = { "hackbench",	     "--task=thread",
						"--channel=sockets", "--groups=7",
						"--loops=100",	     "--fds=20",
						"--size=100" };
	struct workload workload = hackbench(1, 1, 7);
	unsigned int iteration;

	(void)state;
	for (iteration = 0; iteration < 3; iteration++) {
		struct bench_command command = { NULL, 0 };
		size_t i;

		assert_int_equal(workload_plan(&workload, iteration, &command), 0);
		assert_int_equal(command.nr_args, 7);
		for (i = 0; i < 7; i++)
			assert_string_equal(command.argv[i], expected[i]);
		bench_command_release(&command);
	}
}

static struct bench_needs needs_of(unsigned int task, uint64_t groups)
{
	struct workload workload = hackbench(task, 0, groups);
	struct bench_needs needs = { 0 };

	workload.ops->needs(&workload, &needs);
	return needs;
}

static void bl_075_threads_need_descriptors_for_every_group(void **state)
{
	(void)state;
	assert_in_range(needs_of(1, 1).fds, 40 + 10, 40 + 20);
	assert_in_range(needs_of(1, 500).fds, 20000 + 10, 20000 + 20);
	assert_in_range(needs_of(0, 1).fds, 40 + 10, 40 + 20);
	assert_in_range(needs_of(0, 500).fds, 40 + 10, 40 + 20);
}

static void tasks_and_memory_grow_with_groups(void **state)
{
	(void)state;
	assert_int_equal(needs_of(0, 1).tasks, 41);
	assert_int_equal(needs_of(1, 500).tasks, 20001);
	assert_true(needs_of(0, 500).memory > needs_of(1, 500).memory);
	assert_in_range(needs_of(1, 500).memory, UINT64_C(20000) << 14,
			UINT64_C(20000) << 18);
}

static void largest_values_do_not_overflow(void **state)
{
	struct workload workload = hackbench(1, 0, 5000);
	struct bench_needs needs = { 0 };

	(void)state;
	workload.value[FDS].number = workload.ops->params[FDS].max;
	workload.value[SIZE].number = workload.ops->params[SIZE].max;
	workload.ops->needs(&workload, &needs);
	assert_int_equal(needs.tasks, 10000001);
	assert_true(needs.memory > UINT64_C(10000000) << 20);
}

static void good_output_yields_three_times(void **state)
{
	struct workload processes = hackbench(0, 0, 4);
	struct workload threads = hackbench(1, 1, 4);
	struct bench_samples samples;
	struct err err;

	(void)state;
	assert_int_equal(
		fixture_parse(&processes, "hackbench/good-process-pipes", &samples, &err),
		0);
	assert_int_equal(samples.nr, 3);
	assert_string_equal(samples.sample[0].metric->name, "time");
	assert_true(samples.sample[0].value == 0.072693646);
	assert_string_equal(samples.sample[1].metric->name, "setup");
	assert_true(samples.sample[1].value == 0.010968091);
	assert_string_equal(samples.sample[2].metric->name, "total");
	assert_true(samples.sample[2].value == 0.083676409);

	assert_int_equal(
		fixture_parse(&threads, "hackbench/good-thread-sockets", &samples, &err),
		0);
	assert_int_equal(samples.nr, 3);
}

static void other_output_is_refused_with_the_reason(void **state)
{
	static const struct fixture cases[] = {
		{ "hackbench/other-groups",
		  "asked for groups 4, the program ran groups 1" },
		{ "hackbench/other-task",
		  "asked for task process, the program ran task thread" },
		{ "hackbench/good-thread-sockets", "asked for task process" },
		{ "hackbench/no-size", "doesn't say which size" },
		{ "hackbench/lost-worker", "counted 159 workers, expected 160" },
		{ "hackbench/lost-message", "counted 159999 messages, expected 160000" },
		{ "hackbench/no-messages", "no count of messages" },
		{ "hackbench/zero-time", "metric time is 0" },
		{ "hackbench/no-setup", "no metric setup" },
		{ "hackbench/time-is-text", "metric time is not a number" },
		{ "hackbench/two-results", "several lines" },
		{ "hackbench/truncated", "not valid JSON" },
		{ "hackbench/upstream", "several lines" },
	};
	struct workload workload = hackbench(0, 0, 4);

	(void)state;
	fixtures_refused(&workload, cases, sizeof(cases) / sizeof(cases[0]));
}

static struct workload rt_tests(unsigned int task, unsigned int channel, uint64_t groups)
{
	struct workload workload = hackbench(task, channel, groups);

	workload.program = bench_program_find(workload.ops, "rt-tests");
	assert_non_null(workload.program);
	return workload;
}

static void rt_tests_is_a_variant_and_command_of_its_own(void **state)
{
	static const char *const processes[] = { "hackbench", "-g", "4",   "-f",
						 "20",	      "-l", "100", "-s",
						 "100",	      "-p", "-P" };
	static const char *const threads[] = { "hackbench", "-g",  "7",	 "-f",	"20",
					       "-l",	    "100", "-s", "100", "-T" };
	static const char *const over_tcp[] = { "hackbench", "-g", "4",	  "-f",
						"20",	     "-l", "100", "-s",
						"100",	     "-i", "-P" };
	struct workload workload = rt_tests(0, 0, 4);
	char *name = workload_variant(&workload);

	(void)state;
	assert_string_equal(name, "hackbench-process-pipes-rt-tests");
	free(name);
	command_is(&workload, processes, 11);
	workload = rt_tests(1, 1, 7);
	command_is(&workload, threads, 10);
	workload = rt_tests(0, 2, 4);
	command_is(&workload, over_tcp, 11);
}

static void rt_tests_yields_its_time_to_the_millisecond(void **state)
{
	struct workload processes = rt_tests(0, 0, 4);
	struct workload threads = rt_tests(1, 1, 4);
	struct bench_samples samples;
	struct err err;

	(void)state;
	assert_int_equal(fixture_parse(&processes, "hackbench/rt-tests-process-pipes",
				       &samples, &err),
			 0);
	assert_int_equal(samples.nr, 1);
	assert_string_equal(samples.sample[0].metric->name, "time");
	assert_true(samples.sample[0].value == 1.481);
	assert_true(workload_resolution(&processes, samples.sample[0].metric) == 1e-3);
	assert_int_equal(fixture_parse(&threads, "hackbench/rt-tests-thread-sockets",
				       &samples, &err),
			 0);
	assert_true(samples.sample[0].value == 3.11);
}

static void other_output_of_rt_tests_is_refused(void **state)
{
	static const struct fixture cases[] = {
		{ "hackbench/rt-tests-thread-sockets",
		  "asked for 'Running in process mode" },
		{ "hackbench/rt-tests-other-groups",
		  "the program said 'Running in process mode with 10 groups" },
		{ "hackbench/rt-tests-other-loops",
		  "the program said 'Each sender will pass 10 messages of 100 bytes'" },
		{ "hackbench/rt-tests-other-size", "messages of 10 bytes'" },
		{ "hackbench/rt-tests-no-mode", "no line 'Running in '" },
		{ "hackbench/rt-tests-no-time", "no line 'Time: ' in the output" },
		{ "hackbench/rt-tests-truncated",
		  "the program said 'Running in process" },
		{ "hackbench/rt-tests-two-results", "2 lines 'Running in '" },
		{ "hackbench/rt-tests-zero", "metric time is 0" },
		{ "hackbench/rt-tests-decimal-comma", "has no plain number" },
		{ "hackbench/good-process-pipes", "no line 'Running in '" },
		{ "messaging/perf-process-pipes", "no line 'Running in '" },
	};
	struct workload workload = rt_tests(0, 0, 4);

	(void)state;
	fixtures_refused(&workload, cases, sizeof(cases) / sizeof(cases[0]));
}

static void bl_119_two_times_are_refused(void **state)
{
	static const struct fixture twice = { "hackbench/rt-tests-two-times",
					      "2 lines 'Time: '" };
	struct workload workload = rt_tests(0, 0, 4);

	(void)state;
	fixtures_refused(&workload, &twice, 1);
}

static void bl_085_a_time_that_lost_its_fraction_is_refused(void **state)
{
	static const struct fixture whole = {
		"hackbench/rt-tests-whole-seconds",
		"'Time: 1' has no plain number with 3 decimals"
	};
	struct workload workload = rt_tests(0, 0, 4);

	(void)state;
	fixtures_refused(&workload, &whole, 1);
}

/* What it leaves running is the runner's to find; what it prints is no result. */
static void bl_009_output_of_a_failed_fork_is_refused(void **state)
{
	static const struct fixture failed = { "hackbench/rt-tests-fork-failed",
					       "no line 'Time: ' in the output" };
	struct workload workload = rt_tests(0, 0, 1);

	(void)state;
	workload.value[LOOPS].number = 10;
	fixtures_refused(&workload, &failed, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(variants_have_the_names_of_posted_tables),
		cmocka_unit_test(command_is_the_same_for_every_iteration),
		cmocka_unit_test(bl_075_threads_need_descriptors_for_every_group),
		cmocka_unit_test(tasks_and_memory_grow_with_groups),
		cmocka_unit_test(largest_values_do_not_overflow),
		cmocka_unit_test(good_output_yields_three_times),
		cmocka_unit_test(other_output_is_refused_with_the_reason),
		cmocka_unit_test(rt_tests_is_a_variant_and_command_of_its_own),
		cmocka_unit_test(rt_tests_yields_its_time_to_the_millisecond),
		cmocka_unit_test(other_output_of_rt_tests_is_refused),
		cmocka_unit_test(bl_119_two_times_are_refused),
		cmocka_unit_test(bl_085_a_time_that_lost_its_fraction_is_refused),
		cmocka_unit_test(bl_009_output_of_a_failed_fork_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
