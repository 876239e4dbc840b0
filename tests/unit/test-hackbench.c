// SPDX-License-Identifier: GPL-2.0-or-later
/* The hackbench workload: its commands, its needs, and what it reads or refuses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/bench.h"
#include "lib/err.h"
#include "lib/file.h"

enum { TASK, CHANNEL };
enum { GROUPS, LOOPS, FDS, SIZE };

/* @task and @channel: 0 for process and pipes, 1 for thread and sockets. */
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
	static const char *const names[] = { "hackbench-process-pipes",
					     "hackbench-process-sockets",
					     "hackbench-thread-pipes",
					     "hackbench-thread-sockets" };
	unsigned int i;

	(void)state;
	for (i = 0; i < 4; i++) {
		struct workload workload = hackbench(i / 2, i % 2, 1);
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

		assert_int_equal(workload.ops->plan(&workload, iteration, &command), 0);
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

static void threads_need_descriptors_for_every_group(void **state)
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

static int parse_fixture(const struct workload *workload, const char *name,
			 struct bench_samples *samples, struct err *err)
{
	char *path = file_path("tests/fixtures/hackbench/%s.out", name);
	char *out = NULL;
	size_t len;
	int ret;

	samples->nr = 0;
	memset(err, 0, sizeof(*err));
	assert_non_null(path);
	assert_int_equal(file_read(path, 1 << 16, &out, &len, err), 0);
	free(path);
	ret = workload->ops->parse(workload, out, len, samples, err);
	free(out);
	return ret;
}

static void good_output_yields_three_times(void **state)
{
	struct workload processes = hackbench(0, 0, 4);
	struct workload threads = hackbench(1, 1, 4);
	struct bench_samples samples;
	struct err err;

	(void)state;
	assert_int_equal(parse_fixture(&processes, "good-process-pipes", &samples, &err),
			 0);
	assert_int_equal(samples.nr, 3);
	assert_string_equal(samples.sample[0].metric->name, "time");
	assert_true(samples.sample[0].value == 0.072693646);
	assert_string_equal(samples.sample[1].metric->name, "setup");
	assert_true(samples.sample[1].value == 0.010968091);
	assert_string_equal(samples.sample[2].metric->name, "total");
	assert_true(samples.sample[2].value == 0.083676409);

	assert_int_equal(parse_fixture(&threads, "good-thread-sockets", &samples, &err),
			 0);
	assert_int_equal(samples.nr, 3);
}

static void other_output_is_refused_with_the_reason(void **state)
{
	static const struct {
		const char *fixture;
		const char *reason;
	} cases[] = {
		{ "other-groups", "asked for groups 4, the program ran groups 1" },
		{ "other-task", "asked for task process, the program ran task thread" },
		{ "good-thread-sockets", "asked for task process" },
		{ "no-size", "doesn't say which size" },
		{ "lost-worker", "counted 159 workers, expected 160" },
		{ "lost-message", "counted 159999 messages, expected 160000" },
		{ "no-messages", "no count of messages" },
		{ "zero-time", "metric time is 0" },
		{ "no-setup", "no metric setup" },
		{ "time-is-text", "metric time is not a number" },
		{ "two-results", "several lines" },
		{ "truncated", "not valid JSON" },
		{ "upstream", "several lines" },
	};
	struct workload workload = hackbench(0, 0, 4);
	struct bench_samples samples;
	struct err err;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(
			parse_fixture(&workload, cases[i].fixture, &samples, &err),
			-EPROTO);
		if (!strstr(err.text, cases[i].reason))
			fail_msg("%s: '%s' is not in '%s'", cases[i].fixture,
				 cases[i].reason, err.text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(variants_have_the_names_of_posted_tables),
		cmocka_unit_test(command_is_the_same_for_every_iteration),
		cmocka_unit_test(threads_need_descriptors_for_every_group),
		cmocka_unit_test(tasks_and_memory_grow_with_groups),
		cmocka_unit_test(largest_values_do_not_overflow),
		cmocka_unit_test(good_output_yields_three_times),
		cmocka_unit_test(other_output_is_refused_with_the_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
