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

static struct workload netperf_of(const char *name)
{
	struct workload workload = rr_of(name, 1, 10);

	workload.program = bench_program_find(workload.ops, "netperf");
	assert_non_null(workload.program);
	return workload;
}

static void netperf_is_asked_for_the_same(void **state)
{
	static const char *const tcp[] = { "netperf", "-4",	"-H",	 "127.0.0.1",
					   "-t",      "TCP_RR", "-l",	 "10",
					   "--",      "-r",	"1,200", "-D" };
	static const char *const udp[] = { "netperf", "-4",	"-H", "127.0.0.1",
					   "-t",      "UDP_RR", "-l", "10",
					   "--",      "-r",	"1,1" };
	struct workload workload = netperf_of("tcp-rr");
	char *variant = workload_variant(&workload);

	(void)state;
	assert_string_equal(variant, "tcp-rr-netperf");
	free(variant);
	workload_set(&workload, "response", 200);
	command_is(&workload, tcp, 12);
	workload = netperf_of("udp-rr");
	command_is(&workload, udp, 11);
}

static void netperf_runs_one_pair(void **state)
{
	struct workload workload = netperf_of("tcp-rr");
	struct err err = { 0 };

	(void)state;
	assert_int_equal(workload.ops->check(&workload, 1, &err), 0);
	workload_set(&workload, "pairs", 2);
	assert_int_equal(workload.ops->check(&workload, 8, &err), -EINVAL);
	assert_string_equal(err.text,
			    "netperf runs one pair, so 'pairs' must be 1, not 2");
	workload.program = &workload.ops->programs[0];
	assert_int_equal(workload.ops->check(&workload, 1, &err), 0);
}

static void assert_netperf_reads(const char *name, const char *fixture)
{
	struct workload workload = netperf_of(name);
	struct bench_samples samples;
	struct err err;

	if (fixture_parse(&workload, fixture, &samples, &err))
		fail_msg("%s: %s", fixture, err.text);
	assert_int_equal(samples.nr, 1);
	assert_string_equal(samples.sample[0].metric->name, "rate");
	assert_true(samples.sample[0].value == 43210.12);
	assert_true(workload_resolution(&workload, samples.sample[0].metric) == 1e-2);
}

static void rate_of_netperf_is_read(void **state)
{
	(void)state;
	assert_netperf_reads("tcp-rr", "tcp-rr/netperf");
	assert_netperf_reads("tcp-rr", "tcp-rr/netperf-old");
	assert_netperf_reads("udp-rr", "udp-rr/netperf");
}

static void other_output_of_netperf_is_refused(void **state)
{
	static const struct fixture cases[] = {
		{ "udp-rr/netperf", "'TCP REQUEST/RESPONSE TEST' is not in the output" },
		{ "tcp-rr/netperf-other-size",
		  "asked for a request of 1 and a response of 1 bytes, the program ran 1 "
		  "and 64" },
		{ "tcp-rr/netperf-short", "asked for 10 seconds, the program ran 1" },
		{ "tcp-rr/netperf-zero", "metric rate is 0" },
		{ "tcp-rr/netperf-comma", "0 lines of six numbers" },
		{ "tcp-rr/netperf-twice", "2 lines of six numbers" },
		{ "tcp-rr/netperf-two-runs", "exactly once" },
		{ "tcp-rr/netperf-truncated", "0 lines of six numbers" },
		{ "tcp-rr/netperf-remote", "doesn't say 'to 127.0.0.1'" },
		{ "tcp-rr/netperf-number", "is not in the output exactly once" },
		{ "tcp-rr/good", "is not in the output exactly once" },
	};
	struct workload workload = netperf_of("tcp-rr");

	(void)state;
	fixtures_refused(&workload, cases, sizeof(cases) / sizeof(cases[0]));
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
		cmocka_unit_test(netperf_is_asked_for_the_same),
		cmocka_unit_test(netperf_runs_one_pair),
		cmocka_unit_test(rate_of_netperf_is_read),
		cmocka_unit_test(other_output_of_netperf_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
