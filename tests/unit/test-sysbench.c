// SPDX-License-Identifier: GPL-2.0-or-later
/* The sysbench workload: commands of every test and version, and what is read. */
#include "tests/unit/fixture.h"

#include <math.h>

#include "benchmarks/service.h"
#include "lib/json.h"

enum { CPU, THREADS, MUTEX, OLTP };

static struct workload sysbench_of(unsigned int test, const char *program)
{
	struct workload workload;

	workload_init(&workload, bench_find("sysbench"));
	workload.program = bench_program_find(workload.ops, program);
	assert_non_null(workload.program);
	workload.choice[0] = test;
	workload_set(&workload, "threads", 2);
	if (test != MUTEX)
		workload_set(&workload, "seconds", 1);
	return workload;
}

static void value_is(const struct bench_samples *samples, size_t idx, const char *name,
		     double value)
{
	assert_true(idx < samples->nr);
	assert_string_equal(samples->sample[idx].metric->name, name);
	if (fabs(samples->sample[idx].value - value) > 1e-6)
		fail_msg("%s is %.9f", name, samples->sample[idx].value);
}

static void commands_have_what_the_test_takes_and_nothing_else(void **state)
{
	static const char *const cpu[] = { "sysbench",	  "cpu",
					   "--threads=2", "--time=1",
					   "--events=0",  "--cpu-max-prime=10000",
					   "run" };
	static const char *const threads[] = {
		"sysbench",   "threads",	  "--threads=2",	  "--time=0",
		"--events=7", "--thread-locks=8", "--thread-yields=1000", "run"
	};
	static const char *const mutex[] = { "sysbench",
					     "mutex",
					     "--threads=2",
					     "--mutex-num=4096",
					     "--mutex-locks=50000",
					     "--mutex-loops=10000",
					     "run" };
	static const char *const oltp[] = { "sysbench",
					    "oltp_read_only",
					    "--db-driver=pgsql",
					    "--pgsql-host={service}",
					    "--pgsql-user=schedgrid",
					    "--pgsql-db=postgres",
					    "--threads=2",
					    "--time=1",
					    "--events=0",
					    "--table-size=100000",
					    "run" };
	struct workload workload = sysbench_of(CPU, "sysbench");

	(void)state;
	command_is(&workload, cpu, 7);
	workload = sysbench_of(THREADS, "sysbench");
	workload_set(&workload, "events", 7);
	command_is(&workload, threads, 8);
	workload = sysbench_of(MUTEX, "sysbench");
	command_is(&workload, mutex, 7);
	workload = sysbench_of(OLTP, "sysbench");
	command_is(&workload, oltp, 11);
}

static void commands_of_0_4_have_its_words(void **state)
{
	static const char *const cpu[] = {
		"sysbench",	"--test=cpu",	    "--num-threads=2",
		"--max-time=1", "--max-requests=0", "--cpu-max-prime=10000",
		"run"
	};
	struct workload workload = sysbench_of(CPU, "sysbench-0.4");

	(void)state;
	command_is(&workload, cpu, 7);
}

static void numbers_of_each_test_are_read(void **state)
{
	struct workload workload = sysbench_of(CPU, "sysbench");
	struct bench_samples samples;
	struct err err;

	(void)state;
	assert_int_equal(fixture_parse(&workload, "sysbench/cpu", &samples, &err), 0);
	assert_int_equal(samples.nr, 2);
	value_is(&samples, 0, "rate", 5331.26);
	value_is(&samples, 1, "latency", 0.37);

	workload = sysbench_of(THREADS, "sysbench");
	workload_set(&workload, "events", 200);
	assert_int_equal(fixture_parse(&workload, "sysbench/threads", &samples, &err), 0);
	value_is(&samples, 0, "rate", 200 / 0.1604);

	workload = sysbench_of(MUTEX, "sysbench");
	assert_int_equal(fixture_parse(&workload, "sysbench/mutex", &samples, &err), 0);
	assert_int_equal(samples.nr, 3);
	value_is(&samples, 0, "p95", 25.74);
	value_is(&samples, 1, "time", 0.0280);
	value_is(&samples, 2, "latency", 24.66);

	workload = sysbench_of(OLTP, "sysbench");
	assert_int_equal(fixture_parse(&workload, "sysbench/oltp", &samples, &err), 0);
	assert_int_equal(samples.nr, 4);
	value_is(&samples, 0, "transactions", 6431.63);
	value_is(&samples, 1, "requests", 14 * 6431.63);
	value_is(&samples, 2, "other", 2 * 6431.63);
	value_is(&samples, 3, "latency", 0.31);
}

/* The table of a mail of 2012: 4833.83 transactions, 67673.58 requests, 9667.65 other. */
static void numbers_of_0_4_are_read(void **state)
{
	struct workload workload = sysbench_of(CPU, "sysbench-0.4");
	struct bench_samples samples;
	struct err err;

	(void)state;
	assert_int_equal(fixture_parse(&workload, "sysbench/cpu-04", &samples, &err), 0);
	value_is(&samples, 0, "rate", 1980 / 1.0005);
	value_is(&samples, 1, "latency", 1.01);

	workload = sysbench_of(OLTP, "sysbench-0.4");
	workload_set(&workload, "threads", 16);
	workload_set(&workload, "events", 100000);
	if (fixture_parse(&workload, "sysbench/oltp-04", &samples, &err))
		fail_msg("%s", err.text);
	value_is(&samples, 0, "transactions", 4833.83);
	value_is(&samples, 1, "requests", 14 * 4833.83);
	value_is(&samples, 2, "other", 2 * 4833.83);
}

/* The thread that takes both times had to wait for a CPU in between. */
static void late_rate_is_no_other_rate(void **state)
{
	struct workload workload = sysbench_of(CPU, "sysbench");
	struct bench_samples samples = { 0 };
	struct err err = { 0 };

	(void)state;
	if (fixture_parse(&workload, "sysbench/cpu-late-rate", &samples, &err))
		fail_msg("%s", err.text);
	value_is(&samples, 0, "rate", 81.77);
}

static void other_output_of_cpu_is_refused(void **state)
{
	static const struct fixture cases[] = {
		{ "sysbench/cpu-other-threads",
		  "asked for 'Number of threads: 2', the program said "
		  "'Number of threads: 1'" },
		{ "sysbench/cpu-other-prime",
		  "asked for 'Prime numbers limit: 10000', the program said "
		  "'Prime numbers limit: 20000'" },
		{ "sysbench/cpu-other-version",
		  "is of sysbench '1.1.0 (using system LuaJIT 2.1.0-beta3)' (expected "
		  "version 1.0 or 0.4)" },
		{ "sysbench/cpu-ended-early",
		  "asked for 1 seconds, the program ran 0.5001" },
		{ "sysbench/cpu-torn-rate",
		  "5346 events in 1.0020 s and a rate of 12.50 don't go together" },
		{ "sysbench/cpu-later-rate",
		  "88 events in 1.0451 s and a rate of 75.00 don't go together" },
		{ "sysbench/cpu-comma", "found '7009,12'" },
		{ "sysbench/cpu-no-event", "don't go together" },
		{ "sysbench/cpu-truncated", "no line 'total time:" },
		{ "sysbench/cpu-twice", "2 lines 'Number of threads:'" },
		{ "sysbench/mutex", "asked for 1 seconds" },
		{ "threads/good", "no line 'Number of threads:'" },
	};
	struct workload workload = sysbench_of(CPU, "sysbench");

	(void)state;
	fixtures_refused(&workload, cases, sizeof(cases) / sizeof(cases[0]));
}

static void lost_events_are_noticed(void **state)
{
	static const struct fixture threads = {
		"sysbench/threads-lost-event", "asked for 200 events, the program did 199"
	};
	static const struct fixture mutex[] = {
		{ "sysbench/mutex-lost-thread", "asked for 2 events, the program did 1" },
		{ "sysbench/mutex-no-percentile", "no line '95th percentile:'" },
	};
	struct workload workload = sysbench_of(THREADS, "sysbench");

	(void)state;
	workload_set(&workload, "events", 200);
	fixtures_refused(&workload, &threads, 1);
	workload = sysbench_of(MUTEX, "sysbench");
	fixtures_refused(&workload, mutex, 2);
}

static void each_transaction_has_its_statements(void **state)
{
	static const struct fixture cases[] = {
		{ "sysbench/oltp-lost-read", "counted 90355 reads, expected 90356" },
		{ "sysbench/oltp-write", "counted 1 writes, expected 0" },
		{ "sysbench/oltp-lost-other",
		  "counted 7 other operations, expected 12908" },
		{ "sysbench/oltp-errors", "counted 3 ignored errors, expected 0" },
		{ "sysbench/oltp-reconnect", "counted 1 reconnects, expected 0" },
		{ "sysbench/oltp-lost-transaction",
		  "counted 6453 transactions, expected 6454" },
		{ "sysbench/oltp-torn-rate", "a rate of 64.31 don't go together" },
		{ "sysbench/oltp-other-unit",
		  "expected 'N (R per sec.)' behind 'transactions:'" },
		{ "sysbench/cpu", "no line 'transactions:'" },
	};
	struct workload workload = sysbench_of(OLTP, "sysbench");

	(void)state;
	fixtures_refused(&workload, cases, sizeof(cases) / sizeof(cases[0]));
}

static void check_says(const struct workload *workload, const char *text)
{
	struct err err = { 0 };

	assert_int_equal(workload->ops->check(workload, 2, &err), -EINVAL);
	assert_string_equal(err.text, text);
}

static void values_that_go_with_another_test_are_refused(void **state)
{
	struct workload workload = sysbench_of(CPU, "sysbench");

	(void)state;
	assert_int_equal(workload.ops->check(&workload, 2, NULL), 0);
	workload_set(&workload, "rows", 5000);
	check_says(&workload, "parameter 'rows' has no meaning for test 'cpu'");

	workload = sysbench_of(CPU, "sysbench");
	workload.choice[1] = 1;
	check_says(&workload, "database 'mariadb' goes with test 'oltp-read-only' only");

	workload = sysbench_of(MUTEX, "sysbench");
	workload_set(&workload, "seconds", 3);
	check_says(&workload, "parameter 'seconds' has no meaning for test 'mutex'");

	workload = sysbench_of(CPU, "sysbench");
	workload_set(&workload, "events", 3);
	check_says(&workload, "'seconds' and 'events' never go together: either ends the "
			      "test");
}

/* What a test doesn't take stands in no record, and so in no footer. */
static void records_have_the_parameters_of_the_test(void **state)
{
	static const char *const expected[] = {
		"{\"threads\":2,\"seconds\":1,\"events\":0,\"max_prime\":10000}",
		"{\"threads\":2,\"seconds\":1,\"events\":0,\"locks\":8,\"yields\":1000}",
		("{\"threads\":2,\"mutexes\":4096,\"mutex_locks\":50000,"
		 "\"mutex_loops\":10000}"),
		"{\"threads\":2,\"seconds\":1,\"events\":0,\"rows\":100000}",
	};
	unsigned int test;

	(void)state;
	for (test = CPU; test <= OLTP; test++) {
		struct workload workload = sysbench_of(test, "sysbench");
		struct jval *parameters = workload_parameters(&workload);
		char *text = jval_write(parameters, JVAL_LINE);

		assert_string_equal(text, expected[test]);
		free(text);
		jval_free(parameters);
	}
}

static void only_transactions_need_a_database(void **state)
{
	struct workload workload = sysbench_of(CPU, "sysbench");
	struct bench_needs alone = { 0 };
	struct bench_needs both = { 0 };

	(void)state;
	assert_null(workload.ops->service(&workload));
	workload.ops->needs(&workload, &alone);
	workload = sysbench_of(OLTP, "sysbench");
	assert_string_equal(workload.ops->service(&workload)->program.name, "postgresql");
	workload.ops->needs(&workload, &both);
	assert_true(both.tasks > alone.tasks && both.memory > alone.memory);
	workload.choice[1] = 1;
	assert_string_equal(workload.ops->service(&workload)->program.name, "mariadb");
}

static void first_word_is(const struct workload *workload, enum bench_service_phase phase,
			  unsigned int step, const char *word)
{
	const struct bench_service *service = workload->ops->service(workload);
	struct bench_command command = { NULL, 0 };

	assert_int_equal(service->plan(workload, phase, step, &command), 0);
	if (word)
		assert_string_equal(command.argv[0], word);
	else
		assert_int_equal(command.nr_args, 0);
	bench_command_release(&command);
}

static void databases_are_made_served_and_filled(void **state)
{
	struct workload workload = sysbench_of(OLTP, "sysbench");

	(void)state;
	/* The arguments have it written out. */
	assert_string_equal(BENCH_SERVICE_DIR, "{service}");
	first_word_is(&workload, BENCH_SERVICE_INIT, 0, "initdb");
	first_word_is(&workload, BENCH_SERVICE_INIT, 1, NULL);
	first_word_is(&workload, BENCH_SERVICE_SERVE, 0, "postgres");
	first_word_is(&workload, BENCH_SERVICE_LOAD, 0, "sysbench");
	first_word_is(&workload, BENCH_SERVICE_LOAD, 1, "vacuumdb");
	first_word_is(&workload, BENCH_SERVICE_LOAD, 2, NULL);
	workload.choice[1] = 1;
	first_word_is(&workload, BENCH_SERVICE_INIT, 0, "mariadb-install-db");
	first_word_is(&workload, BENCH_SERVICE_INIT, 1, NULL);
	first_word_is(&workload, BENCH_SERVICE_SERVE, 0, "mariadbd");
	first_word_is(&workload, BENCH_SERVICE_LOAD, 0, "sysbench");
	first_word_is(&workload, BENCH_SERVICE_LOAD, 1, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commands_have_what_the_test_takes_and_nothing_else),
		cmocka_unit_test(commands_of_0_4_have_its_words),
		cmocka_unit_test(numbers_of_each_test_are_read),
		cmocka_unit_test(numbers_of_0_4_are_read),
		cmocka_unit_test(late_rate_is_no_other_rate),
		cmocka_unit_test(other_output_of_cpu_is_refused),
		cmocka_unit_test(lost_events_are_noticed),
		cmocka_unit_test(each_transaction_has_its_statements),
		cmocka_unit_test(values_that_go_with_another_test_are_refused),
		cmocka_unit_test(records_have_the_parameters_of_the_test),
		cmocka_unit_test(only_transactions_need_a_database),
		cmocka_unit_test(databases_are_made_served_and_filled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
