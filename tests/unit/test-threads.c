// SPDX-License-Identifier: GPL-2.0-or-later
/* The threads workload: commands of both programs, and what is read of their output. */
#include "tests/unit/fixture.h"

#include <math.h>

static struct workload threads_of(const char *program)
{
	static const uint64_t values[] = { 2, 8, 1000, 1 };
	struct workload workload;
	size_t i;

	workload_init(&workload, bench_find("threads"));
	workload.program = bench_program_find(workload.ops, program);
	assert_non_null(workload.program);
	for (i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		workload.value[i].number = values[i];
	return workload;
}

static void commands_ask_for_all_parameters(void **state)
{
	static const char *const native[] = { "threads", "--threads=2", "--locks=8",
					      "--yields=1000", "--seconds=1" };
	static const char *const sysbench[] = { "sysbench",
						"threads",
						"--threads=2",
						"--thread-locks=8",
						"--thread-yields=1000",
						"--time=1",
						"run" };
	struct workload workload = threads_of("native");

	(void)state;
	command_is(&workload, native, 5);
	workload = threads_of("sysbench");
	command_is(&workload, sysbench, 7);
}

static void rate_and_latency_of_ours_are_read(void **state)
{
	struct workload workload = threads_of("native");
	struct bench_samples samples;
	struct err err;

	(void)state;
	if (fixture_parse(&workload, "threads/good", &samples, &err))
		fail_msg("%s", err.text);
	assert_int_equal(samples.nr, 2);
	assert_string_equal(samples.sample[0].metric->name, "rate");
	assert_true(samples.sample[0].value == 4217.226909);
	assert_string_equal(samples.sample[1].metric->name, "latency");
	assert_true(samples.sample[1].value == 0.474193);
}

/* 4628 events in 1.0004 s. */
static void rate_of_sysbench_is_events_by_time(void **state)
{
	struct workload workload = threads_of("sysbench");
	struct bench_samples samples;
	struct err err;

	(void)state;
	if (fixture_parse(&workload, "threads/sysbench", &samples, &err))
		fail_msg("%s", err.text);
	assert_int_equal(samples.nr, 1);
	assert_string_equal(samples.sample[0].metric->name, "rate");
	assert_true(fabs(samples.sample[0].value - 4626.149540) < 1e-6);
}

static void other_output_of_ours_is_refused(void **state)
{
	static const struct fixture cases[] = {
		{ "threads/other-locks", "asked for locks 8, the program ran locks 4" },
		{ "threads/lost-pass",
		  "counted 4219001 passes, expected 1000 for each of 4219 events" },
		/* Each pass under the next lock, which is other work. */
		{ "threads/other-turns",
		  "counted 527375 to 527375 passes, expected 4219 events under 8 locks" },
		{ "threads/no-turns", "least and most passes of a lock" },
		{ "threads/idle-thread", "counted 1 events, expected one or more" },
		{ "threads/ended-early", "at least the 1 seconds asked for" },
		{ "threads/no-elapsed", "at least the 1 seconds asked for" },
		{ "threads/torn-rate", "don't go together" },
		{ "threads/no-count", "no counts of events and passes" },
		{ "threads/no-latency", "no metric latency" },
		{ "threads/two-results", "several lines" },
		{ "threads/truncated", "not valid JSON" },
		{ "threads/sysbench", "several lines" },
		{ "fork-latency/good", "fork-latency" },
	};
	struct workload workload = threads_of("native");

	(void)state;
	fixtures_refused(&workload, cases, sizeof(cases) / sizeof(cases[0]));
}

static void other_output_of_sysbench_is_refused(void **state)
{
	static const struct fixture cases[] = {
		{ "threads/sysbench-other-threads",
		  "asked for 'Number of threads: 2', the program said "
		  "'Number of threads: 4'" },
		{ "threads/sysbench-interrupted", "no line 'total time:" },
		{ "threads/sysbench-not-started", "no line 'Threads started'" },
		{ "threads/sysbench-no-events", "no line 'total number of events:" },
		{ "threads/sysbench-zero", "metric rate is 0" },
		{ "threads/sysbench-ended-early",
		  "asked for 1 seconds, the program ran 0.0004" },
		{ "threads/sysbench-truncated", "no line" },
		{ "threads/sysbench-two-results", "2 lines 'Number of threads:'" },
		{ "threads/good", "no line 'Number of threads:'" },
		{ "pipe/perf-process", "no line 'Number of threads:'" },
	};
	struct workload workload = threads_of("sysbench");

	(void)state;
	fixtures_refused(&workload, cases, sizeof(cases) / sizeof(cases[0]));
}

static void bl_043_a_decimal_comma_is_refused_and_never_misread(void **state)
{
	static const struct fixture comma = { "threads/sysbench-decimal-comma",
					      "has no plain number with 4 decimals" };
	struct workload workload = threads_of("sysbench");

	(void)state;
	fixtures_refused(&workload, &comma, 1);
}

static void each_thread_is_a_task_beside_the_first(void **state)
{
	struct workload workload = threads_of("native");
	struct bench_needs needs = { 0 };

	(void)state;
	workload.ops->needs(&workload, &needs);
	assert_int_equal(needs.tasks, 3);
	assert_int_equal(needs.threads, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commands_ask_for_all_parameters),
		cmocka_unit_test(rate_and_latency_of_ours_are_read),
		cmocka_unit_test(rate_of_sysbench_is_events_by_time),
		cmocka_unit_test(other_output_of_ours_is_refused),
		cmocka_unit_test(other_output_of_sysbench_is_refused),
		cmocka_unit_test(bl_043_a_decimal_comma_is_refused_and_never_misread),
		cmocka_unit_test(each_thread_is_a_task_beside_the_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
