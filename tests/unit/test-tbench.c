// SPDX-License-Identifier: GPL-2.0-or-later
/* The workload tbench: its commands, and what is read of its own and dbench's output. */
#include "tests/unit/fixture.h"

/* The load numbered @load, done by @program. */
static struct workload tbench_of(const char *program, unsigned int load, uint64_t seconds)
{
	struct workload workload;

	workload_init(&workload, bench_find("tbench"));
	workload.program = bench_program_find(workload.ops, program);
	assert_non_null(workload.program);
	workload.choice[0] = load;
	workload_set(&workload, "clients", 2);
	workload_set(&workload, "seconds", seconds);
	workload_set(&workload, "warmup", 0);
	return workload;
}

static void commands_name_the_sides_that_are_dbenchs(void **state)
{
	static const char *const args[] = { "tbench",
					    "--load=full",
					    "--clients=2",
					    "--seconds=4",
					    "--warmup=0",
					    "--server=/usr/bin/tbench_srv",
					    "--client=/usr/bin/tbench" };
	static const char *const client[] = { "tbench",	     "--load=full",
					      "--clients=2", "--seconds=4",
					      "--warmup=0",  "--client=/usr/bin/tbench" };
	struct workload workload = tbench_of("native", 1, 4);

	(void)state;
	command_is(&workload, args, 5);
	workload = tbench_of("dbench-server", 1, 4);
	command_is(&workload, args, 6);
	workload = tbench_of("dbench", 1, 4);
	command_is(&workload, args, 7);
	workload = tbench_of("dbench-client", 1, 4);
	command_is(&workload, client, 6);
}

static void variant_tells_loads_and_programs_apart(void **state)
{
	static const struct {
		const char *program;
		unsigned int load;
		const char *variant;
	} cases[] = {
		{ "native", 0, "tbench-synthetic" },
		{ "native", 1, "tbench-full" },
		{ "native", 2, "tbench-tiny" },
		{ "dbench", 0, "tbench-synthetic-dbench" },
		{ "dbench-server", 2, "tbench-tiny-dbench-server" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct workload workload = tbench_of(cases[i].program, cases[i].load, 4);
		char *variant = workload_variant(&workload);

		assert_string_equal(variant, cases[i].variant);
		free(variant);
	}
}

static void warmup_is_a_fifth_of_the_seconds_unless_given(void **state)
{
	const struct bench_machine machine = { 0 };
	struct bench_remark remark = { 0 };
	struct workload workload = tbench_of("native", 0, 14);

	(void)state;
	workload.ops->resolve(&workload, &machine, &remark);
	assert_int_equal(workload_uint(&workload, "warmup"), 0);
	workload_set(&workload, "warmup", BENCH_AUTO);
	workload.ops->resolve(&workload, &machine, &remark);
	assert_int_equal(workload_uint(&workload, "warmup"), 2);
}

static void dbenchs_client_has_a_warmup_of_its_own(void **state)
{
	struct workload workload = tbench_of("dbench", 0, 10);
	struct err err = { 0 };

	(void)state;
	assert_int_equal(workload.ops->check(&workload, 1, &err), -EINVAL);
	assert_non_null(strstr(err.text, "expected warmup 2 or auto"));
	workload_set(&workload, "warmup", 2);
	assert_int_equal(workload.ops->check(&workload, 1, NULL), 0);
	workload = tbench_of("dbench-client", 0, 1);
	err = (struct err){ 0 };
	assert_int_equal(workload.ops->check(&workload, 1, &err), -EINVAL);
	assert_non_null(strstr(err.text, "2 seconds at least"));
	workload = tbench_of("dbench-server", 0, 1);
	assert_int_equal(workload.ops->check(&workload, 1, NULL), 0);
}

static void needs_grow_with_the_clients(void **state)
{
	struct workload workload = tbench_of("native", 0, 1);
	struct bench_needs two = { 0 }, many = { 0 };

	(void)state;
	workload.ops->needs(&workload, &two);
	workload_set(&workload, "clients", 200);
	workload.ops->needs(&workload, &many);
	assert_int_equal(two.tasks, 6);
	assert_int_equal(many.tasks, 402);
	assert_int_equal(two.fds, many.fds);
	assert_true(many.memory > 60 * two.memory);
}

struct expected {
	const char *metric;
	double value;
};

static void assert_reads(const char *program, const char *fixture,
			 const struct expected *expected, size_t nr)
{
	bool is_dbench = !strncmp(fixture, "tbench/dbench", 13) &&
			 strcmp(fixture, "tbench/dbench-server") != 0;
	struct workload workload = tbench_of(program, 0, is_dbench ? 4 : 1);
	struct bench_samples samples;
	struct err err;
	size_t i;

	if (fixture_parse(&workload, fixture, &samples, &err))
		fail_msg("%s: %s", fixture, err.text);
	assert_int_equal(samples.nr, nr);
	for (i = 0; i < nr; i++) {
		assert_string_equal(samples.sample[i].metric->name, expected[i].metric);
		assert_true(samples.sample[i].value == expected[i].value);
	}
}

static void what_was_measured_is_read(void **state)
{
	static const struct expected all[] = { { "rate", 325.5 },
					       { "completion", 333.5 },
					       { "max-latency", 2.25 } };
	static const struct expected two[] = { { "rate", 325.5 },
					       { "max-latency", 2.25 } };
	static const struct expected dbench[] = { { "rate", 302.25 },
						  { "max-latency", 4.875 } };

	(void)state;
	assert_reads("native", "tbench/good", all, 3);
	/* A client that didn't get through its load has no time for it, not even 0. */
	assert_reads("native", "tbench/no-pass", two, 2);
	assert_reads("dbench-server", "tbench/dbench-server", all, 3);
	assert_reads("dbench", "tbench/dbench", dbench, 2);
	assert_reads("dbench-client", "tbench/dbench-client", dbench, 2);
}

static void other_output_of_ours_is_refused(void **state)
{
	static const struct fixture cases[] = {
		{ "tbench/other-load", "asked for load synthetic, the program ran" },
		{ "tbench/other-clients", "asked for clients 2, the program ran" },
		{ "tbench/lost-reply", "counted 60001 packets served, expected 60002" },
		{ "tbench/no-served", "no count of packets served" },
		{ "tbench/no-packets", "no count of packets" },
		{ "tbench/torn-load", "counted 10001 packets in the load, expected" },
		{ "tbench/torn-payload", "counted 54270062 bytes in the load" },
		{ "tbench/cut-short", "at 651 MB/s take 0.500 s, expected 1" },
		{ "tbench/zero", "metric rate is 0" },
		{ "tbench/no-latency", "no metric max-latency" },
		{ "tbench/dbench-server", "served by /usr/bin/tbench_srv, expected" },
		{ "tbench/nobody", "served by nobody, expected native" },
		{ "tbench/two-results", "several lines" },
		{ "tbench/truncated", "not valid JSON" },
		{ "tbench/dbench", "several lines" },
	};
	struct workload workload = tbench_of("native", 0, 1);

	(void)state;
	fixtures_refused(&workload, cases, sizeof(cases) / sizeof(cases[0]));
	workload = tbench_of("dbench-server", 0, 1);
	fixtures_refused(&workload,
			 &(struct fixture){ "tbench/good", "served by native, expected" },
			 1);
}

static void other_output_of_dbench_is_refused(void **state)
{
	static const struct fixture cases[] = {
		{ "tbench/dbench-file", "no line 'Running for 4 seconds" },
		{ "tbench/dbench-client", "the program said 'served by native'" },
		{ "tbench/dbench-nobody", "no line 'served by '" },
		{ "tbench/dbench-other-version", "expected 4.00" },
		{ "tbench/dbench-other-seconds", "no line 'Running for 4 seconds" },
		{ "tbench/dbench-other-clients", "expected one of 2 clients" },
		{ "tbench/dbench-other-warmup", "no line 'Running for 4 seconds" },
		{ "tbench/dbench-cut-short", "asked for 4 seconds, the program counted" },
		{ "tbench/dbench-dead-client", "waited 3004.88 ms of 4 s for a reply" },
		{ "tbench/dbench-old", "expected one of 2 clients with a latency" },
		{ "tbench/dbench-twice", "2 lines 'Throughput '" },
		{ "tbench/dbench-no-result", "no line 'Throughput '" },
		{ "tbench/good", "no line 'Throughput '" },
	};
	struct workload workload = tbench_of("dbench", 0, 4);

	(void)state;
	fixtures_refused(&workload, cases, sizeof(cases) / sizeof(cases[0]));
}

static void the_load_is_the_one_asked_for(void **state)
{
	static const struct fixture file = { "tbench/dbench", "asked for 'Running for" };
	struct workload workload = tbench_of("dbench", 1, 4);
	struct bench_samples samples;
	struct err err;

	(void)state;
	fixtures_refused(&workload, &file, 1);
	assert_int_equal(fixture_parse(&workload, "tbench/dbench-file", &samples, &err),
			 0);
}

static void test_bl_001_rate_of_0_without_a_server_is_refused(void **state)
{
	static const struct fixture one = {
		"tbench/dbench-no-server",
		"0 MB/s: no client was served at 127.0.0.1:7003"
	};
	struct workload workload = tbench_of("dbench", 0, 4);

	(void)state;
	fixtures_refused(&workload, &one, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commands_name_the_sides_that_are_dbenchs),
		cmocka_unit_test(variant_tells_loads_and_programs_apart),
		cmocka_unit_test(warmup_is_a_fifth_of_the_seconds_unless_given),
		cmocka_unit_test(dbenchs_client_has_a_warmup_of_its_own),
		cmocka_unit_test(needs_grow_with_the_clients),
		cmocka_unit_test(what_was_measured_is_read),
		cmocka_unit_test(other_output_of_ours_is_refused),
		cmocka_unit_test(other_output_of_dbench_is_refused),
		cmocka_unit_test(the_load_is_the_one_asked_for),
		cmocka_unit_test(test_bl_001_rate_of_0_without_a_server_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
