// SPDX-License-Identifier: GPL-2.0-or-later
/* The pipe workload: commands of both programs, and what is read of their output. */
#include "tests/unit/fixture.h"

static struct workload pipe_of(const char *program, unsigned int task, uint64_t loops)
{
	struct workload workload;

	workload_init(&workload, bench_find("pipe"));
	workload.program = bench_program_find(workload.ops, program);
	assert_non_null(workload.program);
	workload.choice[0] = task;
	workload.value[0].number = loops;
	return workload;
}

static void variant_names_another_program_than_our_own(void **state)
{
	struct workload native = pipe_of("native", 0, 1000);
	struct workload perf = pipe_of("perf", 0, 1000);
	char *ours = workload_variant(&native);
	char *theirs = workload_variant(&perf);

	(void)state;
	assert_string_equal(ours, "pipe-process");
	assert_string_equal(theirs, "pipe-process-perf");
	free(ours);
	free(theirs);
}

static void commands_ask_for_task_and_loops(void **state)
{
	static const char *const native[] = { "pipe", "--task=thread", "--loops=1000" };
	static const char *const processes[] = { "perf", "bench", "sched", "pipe",
						 "--loop=1000" };
	static const char *const threads[] = { "perf", "bench",	      "sched",
					       "pipe", "--loop=1000", "--threaded" };
	struct workload workload = pipe_of("native", 1, 1000);

	(void)state;
	command_is(&workload, native, 3);
	workload = pipe_of("perf", 0, 1000);
	command_is(&workload, processes, 5);
	workload = pipe_of("perf", 1, 1000);
	command_is(&workload, threads, 6);
}

static void assert_reads(const struct workload *workload, const char *fixture,
			 double latency_us, double rate)
{
	struct bench_samples samples;
	struct err err;

	if (fixture_parse(workload, fixture, &samples, &err))
		fail_msg("%s: %s", fixture, err.text);
	assert_int_equal(samples.nr, 2);
	assert_string_equal(samples.sample[0].metric->name, "latency");
	assert_true(samples.sample[0].value == latency_us);
	assert_string_equal(samples.sample[1].metric->name, "rate");
	assert_true(samples.sample[1].value == rate);
}

static void both_figures_are_read(void **state)
{
	struct workload workload = pipe_of("native", 0, 5000);

	(void)state;
	assert_reads(&workload, "pipe/good-process", 4.573562, 218647.969);
	workload = pipe_of("native", 1, 5000);
	assert_reads(&workload, "pipe/good-thread", 4.490489, 222692.896);
	workload = pipe_of("perf", 0, 5000);
	assert_reads(&workload, "pipe/perf-process", 11.3624, 88009);
	assert_true(workload_resolution(&workload, &workload.ops->metrics[0]) == 1e-6);
	assert_true(workload_resolution(&workload, &workload.ops->metrics[1]) == 1.0);
	workload = pipe_of("perf", 1, 5000);
	assert_reads(&workload, "pipe/perf-thread", 8.7056, 114868);
}

static void other_output_of_ours_is_refused(void **state)
{
	static const struct fixture cases[] = {
		{ "pipe/good-thread",
		  "asked for task process, the program ran task thread" },
		{ "pipe/other-loops",
		  "asked for loops 5000, the program ran loops 1000000" },
		{ "pipe/lost-trip", "counted 4999 round_trips, expected 5000" },
		{ "pipe/no-count", "no count of round_trips" },
		{ "pipe/two-results", "several lines" },
		{ "pipe/truncated", "not valid JSON" },
		{ "pipe/perf-process", "several lines" },
	};
	struct workload workload = pipe_of("native", 0, 5000);

	(void)state;
	fixtures_refused(&workload, cases, sizeof(cases) / sizeof(cases[0]));
}

static void other_output_of_perf_is_refused(void **state)
{
	static const struct fixture cases[] = {
		{ "pipe/perf-thread",
		  "asked for '# Executed 5000 pipe operations between "
		  "two processes', the program said" },
		{ "pipe/perf-other-loops", "the program said '# Executed 1000000" },
		{ "pipe/perf-two-results", "2 lines '# Running '" },
		{ "pipe/perf-no-latency", "no line ' usecs/op'" },
		{ "pipe/perf-no-rate", "no line ' ops/sec'" },
		{ "pipe/perf-truncated", "no line" },
		{ "pipe/perf-torn-figures", "don't go together" },
		{ "pipe/perf-zero", "metric latency is 0" },
		{ "pipe/good-process", "no line '# Running '" },
		{ "messaging/perf-process-pipes", "asked for '# Running 'sched/pipe'" },
	};
	struct workload workload = pipe_of("perf", 0, 5000);

	(void)state;
	fixtures_refused(&workload, cases, sizeof(cases) / sizeof(cases[0]));
}

static void bl_043_a_decimal_comma_is_refused_and_never_misread(void **state)
{
	static const struct fixture comma = {
		"pipe/perf-decimal-comma",
		"'26,700200 usecs/op' has no plain number with 6 decimals in its place"
	};
	struct workload workload = pipe_of("perf", 0, 5000);

	(void)state;
	fixtures_refused(&workload, &comma, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(variant_names_another_program_than_our_own),
		cmocka_unit_test(commands_ask_for_task_and_loops),
		cmocka_unit_test(both_figures_are_read),
		cmocka_unit_test(other_output_of_ours_is_refused),
		cmocka_unit_test(other_output_of_perf_is_refused),
		cmocka_unit_test(bl_043_a_decimal_comma_is_refused_and_never_misread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
