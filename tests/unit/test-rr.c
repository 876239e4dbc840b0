// SPDX-License-Identifier: GPL-2.0-or-later
/* The workloads tcp-rr and udp-rr: their commands, needs, and what is read of their output. */
#include "tests/unit/fixture.h"

static struct workload rr_of(const char *name, uint64_t pairs, uint64_t seconds)
{
	struct workload workload;

	workload_init(&workload, bench_find(name));
	workload_set(&workload, "pairs", pairs);
	workload_set(&workload, "seconds", seconds);
	return workload;
}

static void commands_ask_for_all_parameters(void **state)
{
	static const char *const tcp[] = { "tcp-rr", "--pairs=1", "--seconds=10",
					   "--request=1", "--response=1" };
	static const char *const udp[] = { "udp-rr", "--pairs=7", "--seconds=60",
					   "--request=1", "--response=200" };
	struct workload workload;

	(void)state;
	workload_init(&workload, bench_find("tcp-rr"));
	command_is(&workload, tcp, 5);
	workload = rr_of("udp-rr", 7, 60);
	workload_set(&workload, "response", 200);
	command_is(&workload, udp, 5);
}

static void needs_grow_with_the_pairs_in_tasks_but_not_in_descriptors(void **state)
{
	struct workload workload = rr_of("tcp-rr", 1, 10);
	struct bench_needs one = { 0 }, many = { 0 };

	(void)state;
	workload.ops->needs(&workload, &one);
	workload_set(&workload, "pairs", 100);
	workload.ops->needs(&workload, &many);
	assert_int_equal(one.tasks, 3);
	assert_int_equal(many.tasks, 201);
	assert_int_equal(many.fds, one.fds);
	assert_int_equal(many.threads, 0);
	assert_true(many.memory > 60 * one.memory);
}

static void assert_reads(const struct workload *workload, const char *fixture,
			 double rate, double latency_us)
{
	struct bench_samples samples;
	struct err err;

	if (fixture_parse(workload, fixture, &samples, &err))
		fail_msg("%s: %s", fixture, err.text);
	assert_int_equal(samples.nr, 2);
	assert_string_equal(samples.sample[0].metric->name, "rate");
	assert_true(samples.sample[0].metric->better == BETTER_HIGHER);
	assert_true(samples.sample[0].value == rate);
	assert_string_equal(samples.sample[1].metric->name, "latency");
	assert_true(samples.sample[1].metric->better == BETTER_LOWER);
	assert_true(samples.sample[1].value == latency_us);
}

static void both_figures_are_read(void **state)
{
	struct workload workload = rr_of("tcp-rr", 1, 1);

	(void)state;
	assert_reads(&workload, "tcp-rr/good", 48119.478, 20.781605);
	workload = rr_of("tcp-rr", 2, 1);
	assert_reads(&workload, "tcp-rr/other-pairs", 136248.098, 14.679107);
	workload = rr_of("udp-rr", 1, 1);
	assert_reads(&workload, "udp-rr/good", 82069.281, 12.184827);
}

static void other_output_is_refused(void **state)
{
	static const struct fixture cases[] = {
		{ "tcp-rr/other-pairs", "asked for pairs 1, the program ran pairs 2" },
		{ "tcp-rr/other-request",
		  "asked for request 1, the program ran request 100" },
		{ "udp-rr/good",
		  "asked for program tcp-rr, the program ran program udp-rr" },
		{ "tcp-rr/lost-answer", "counted 48123 transactions and 48122 answered" },
		{ "tcp-rr/no-count", "no count of answered" },
		{ "tcp-rr/no-transactions", "no count of transactions" },
		{ "tcp-rr/cut-short", "take 0.500 s, expected 1" },
		{ "tcp-rr/torn-figures", "don't go together" },
		{ "tcp-rr/zero", "metric rate is 0" },
		{ "tcp-rr/two-results", "several lines" },
		{ "tcp-rr/truncated", "not valid JSON" },
		{ "pipe/good-thread", "the program ran program pipe" },
	};
	struct workload workload = rr_of("tcp-rr", 1, 1);

	(void)state;
	fixtures_refused(&workload, cases, sizeof(cases) / sizeof(cases[0]));
}

static void time_that_was_not_asked_for_is_refused(void **state)
{
	static const struct fixture one = { "udp-rr/good", "asked for seconds 2" };
	struct workload workload = rr_of("udp-rr", 1, 2);

	(void)state;
	fixtures_refused(&workload, &one, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commands_ask_for_all_parameters),
		cmocka_unit_test(
			needs_grow_with_the_pairs_in_tasks_but_not_in_descriptors),
		cmocka_unit_test(both_figures_are_read),
		cmocka_unit_test(other_output_is_refused),
		cmocka_unit_test(time_that_was_not_asked_for_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
