// SPDX-License-Identifier: GPL-2.0-or-later
/* The messaging workload: perf's command lines, and what is read of its output. */
#include "tests/unit/fixture.h"

enum { TASK, CHANNEL };
enum { GROUPS, LOOPS };

static struct workload messaging(unsigned int task, unsigned int channel, uint64_t groups)
{
	struct workload workload;

	workload_init(&workload, bench_find("messaging"));
	workload.choice[TASK] = task;
	workload.choice[CHANNEL] = channel;
	workload.value[GROUPS].number = groups;
	return workload;
}

static void it_is_no_variant_of_hackbench(void **state)
{
	struct workload workload = messaging(1, 0, 4);
	char *name = workload_variant(&workload);

	(void)state;
	assert_string_equal(name, "messaging-thread-pipes");
	free(name);
	assert_null(bench_program_find(bench_find("hackbench"), "perf"));
}

static void command_has_perf_s_options(void **state)
{
	static const char *const processes[] = { "perf",	  "bench", "sched",
						 "messaging",	  "-p",	   "--group=4",
						 "--nr_loops=100" };
	static const char *const threads[] = { "perf",	      "bench", "sched",
					       "messaging",   "-t",    "--group=20",
					       "--nr_loops=7" };
	struct workload workload = messaging(0, 0, 4);

	(void)state;
	command_is(&workload, processes, 7);
	workload = messaging(1, 1, 20);
	workload.value[LOOPS].number = 7;
	command_is(&workload, threads, 7);
}

static void one_time_is_read(void **state)
{
	struct workload processes = messaging(0, 0, 4);
	struct workload threads = messaging(1, 1, 20);
	struct bench_samples samples;
	struct err err;

	(void)state;
	assert_int_equal(
		fixture_parse(&processes, "messaging/perf-process-pipes", &samples, &err),
		0);
	assert_int_equal(samples.nr, 1);
	assert_string_equal(samples.sample[0].metric->name, "time");
	assert_true(samples.sample[0].value == 1.097);
	assert_true(workload_resolution(&processes, samples.sample[0].metric) == 1e-3);
	assert_int_equal(
		fixture_parse(&threads, "messaging/perf-thread-sockets", &samples, &err),
		0);
	assert_true(samples.sample[0].value == 1.531);
}

/* perf takes --repeat for this benchmark and prints one result all the same. */
static void bl_051_repeat_is_never_asked_for_and_one_result_is_one_sample(void **state)
{
	struct bench_command command = { NULL, 0 };
	struct workload workload = messaging(0, 0, 1);
	struct bench_samples samples;
	struct err err;
	size_t i;

	(void)state;
	assert_int_equal(workload_plan(&workload, 3, &command), 0);
	for (i = 0; i < command.nr_args; i++) {
		assert_null(strstr(command.argv[i], "repeat"));
		assert_string_not_equal(command.argv[i], "-r");
	}
	bench_command_release(&command);
	assert_int_equal(
		fixture_parse(&workload, "messaging/perf-repeat3", &samples, &err), 0);
	assert_int_equal(samples.nr, 1);
	assert_true(samples.sample[0].value == 0.759);
}

static void other_output_is_refused_with_the_reason(void **state)
{
	static const struct fixture cases[] = {
		{ "messaging/perf-thread-sockets",
		  "asked for '# 20 sender and receiver "
		  "processes per group', the program said" },
		{ "messaging/perf-other-groups",
		  "asked for '# 4 groups == 160 processes "
		  "run', the program said '# 10 groups == 400" },
		{ "messaging/perf-repeat3", "the program said '# 1 groups" },
		{ "messaging/perf-no-time", "no line 'Total time: ... [sec]'" },
		{ "messaging/perf-two-results", "2 lines '# Running '" },
		{ "messaging/perf-truncated", "no line" },
		{ "messaging/perf-decimal-comma", "has no plain number" },
		{ "messaging/perf-zero", "metric time is 0" },
		{ "messaging/perf-simple", "no line '# Running '" },
		{ "hackbench/rt-tests-process-pipes", "no line '# Running '" },
		{ "pipe/perf-process", "asked for '# Running 'sched/messaging'" },
	};
	struct workload workload = messaging(0, 0, 4);

	(void)state;
	fixtures_refused(&workload, cases, sizeof(cases) / sizeof(cases[0]));
}

/* As for hackbench: the limits are those of the tasks, whoever makes them. */
static void bl_075_threads_need_descriptors_for_every_group(void **state)
{
	struct workload workload = messaging(1, 0, 400);
	struct bench_needs needs = { 0 };

	(void)state;
	workload.ops->needs(&workload, &needs);
	assert_in_range(needs.fds, 16000 + 10, 16000 + 50);
	assert_int_equal(needs.tasks, 16001);
	workload = messaging(0, 0, 400);
	workload.ops->needs(&workload, &needs);
	assert_in_range(needs.fds, 40 + 10, 40 + 50);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_no_variant_of_hackbench),
		cmocka_unit_test(command_has_perf_s_options),
		cmocka_unit_test(one_time_is_read),
		cmocka_unit_test(
			bl_051_repeat_is_never_asked_for_and_one_result_is_one_sample),
		cmocka_unit_test(other_output_is_refused_with_the_reason),
		cmocka_unit_test(bl_075_threads_need_descriptors_for_every_group),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
