// SPDX-License-Identifier: GPL-2.0-or-later
/* The stream workload: its command, what it refuses, and what it reads. */
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

#define FIXTURES "tests/fixtures/stream/"

static void set_number(struct workload *workload, const char *name, uint64_t number)
{
	const struct bench_param *params = workload->ops->params;
	size_t i;

	for (i = 0; params[i].name; i++) {
		if (strcmp(params[i].name, name))
			continue;
		assert_int_equal(params[i].type, BENCH_UINT);
		assert_in_range(number, params[i].min, params[i].max);
		workload->value[i].number = number;
		return;
	}
	fail_msg("stream has no parameter '%s'", name);
}

static struct workload stream_of(uint64_t threads, uint64_t size)
{
	struct workload workload;

	workload_init(&workload, bench_find("stream"));
	set_number(&workload, "threads", threads);
	set_number(&workload, "size", size);
	return workload;
}

static struct workload per_thread(uint64_t threads, uint64_t size)
{
	struct workload workload = stream_of(threads, size);

	workload.choice[0] = 1;
	assert_string_equal(workload_word(&workload, "affinity"), "per-thread");
	return workload;
}

static void assert_plan(const struct workload *workload, const char *const *args)
{
	struct bench_command command = { NULL, 0 };
	size_t i;

	assert_int_equal(workload_plan(workload, 1, &command), 0);
	for (i = 0; args[i]; i++) {
		assert_true(i < command.nr_args);
		assert_string_equal(command.argv[i], args[i]);
	}
	assert_int_equal(command.nr_args, i);
	assert_null(command.argv[i]);
	bench_command_release(&command);
}

static void plan_names_every_value(void **state)
{
	static const char *const defaults[] = { "stream",      "--affinity=mask",
						"--threads=1", "--size=10000000",
						"--ntimes=10", NULL };
	static const char *const large[] = { "stream",		 "--affinity=per-thread",
					     "--threads=4096",	 "--size=1099511627776",
					     "--ntimes=1000000", NULL };
	struct workload workload;

	(void)state;
	workload_init(&workload, bench_find("stream"));
	assert_plan(&workload, defaults);

	workload = per_thread(4096, UINT64_C(1) << 40);
	set_number(&workload, "ntimes", 1000000);
	assert_plan(&workload, large);
}

static void mask_leaves_no_part_in_the_name(void **state)
{
	struct workload workload = stream_of(1, 1000);
	char *name = workload_variant(&workload);

	(void)state;
	assert_string_equal(name, "stream");
	free(name);

	workload = per_thread(1, 1000);
	name = workload_variant(&workload);
	assert_string_equal(name, "stream-per-thread");
	free(name);
}

static void rates_are_higher_better_and_copy_leads(void **state)
{
	const struct bench_ops *ops = bench_find("stream");
	size_t i;

	(void)state;
	assert_string_equal(ops->metrics[0].name, "copy");
	assert_string_equal(ops->axis, "threads");
	for (i = 0; ops->metrics[i].name; i++) {
		assert_string_equal(ops->metrics[i].unit, "MB/s");
		assert_int_equal(ops->metrics[i].better, BETTER_HIGHER);
		assert_int_equal(ops->metrics[i].secondary, i >= 4);
	}
	assert_int_equal(i, 8);
}

static void per_thread_needs_a_cpu_each(void **state)
{
	struct workload workload = per_thread(8, 10000000);
	struct err err = { 0 };

	(void)state;
	assert_int_equal(workload.ops->check(&workload, 8, &err), 0);
	assert_int_equal(workload.ops->check(&workload, 7, &err), -EOPNOTSUPP);
	assert_non_null(strstr(err.text, "8 threads"));
	assert_non_null(strstr(err.text, "7 CPUs"));
}

static void mask_may_have_more_threads_than_cpus(void **state)
{
	struct workload workload = stream_of(64, 10000000);
	struct err err = { 0 };

	(void)state;
	assert_int_equal(workload.ops->check(&workload, 2, &err), 0);
	assert_string_equal(err.text, "");
}

static void every_thread_needs_an_element(void **state)
{
	struct workload workload = stream_of(1001, 1000);
	struct err err = { 0 };

	(void)state;
	assert_int_equal(workload.ops->check(&workload, 4096, &err), -EINVAL);
	assert_non_null(strstr(err.text, "1000"));
	assert_non_null(strstr(err.text, "1001 threads"));

	workload = stream_of(1000, 1000);
	err = (struct err){ 0 };
	assert_int_equal(workload.ops->check(&workload, 4096, &err), 0);
}

static void needs_do_not_overflow(void **state)
{
	const uint64_t seven_gb = UINT64_C(7200000000);
	const uint64_t most = UINT64_C(24) << 40;
	struct workload workload = stream_of(2, 300000000);
	struct bench_needs needs = { 0 };

	(void)state;
	workload.ops->needs(&workload, &needs);
	assert_in_range(needs.memory, seven_gb, seven_gb + (1 << 20));
	assert_int_equal(needs.tasks, 3);
	assert_in_range(needs.fds, 3, 64);

	workload = stream_of(4096, UINT64_C(1) << 40);
	workload.ops->needs(&workload, &needs);
	assert_in_range(needs.memory, most, most + (UINT64_C(1) << 30));
}

static int parse_fixture(const char *name, struct bench_samples *samples, struct err *err)
{
	struct workload workload = stream_of(2, 10000000);
	char *path = file_path(FIXTURES "%s", name);
	char *out;
	size_t len;
	int ret;

	assert_non_null(path);
	assert_int_equal(file_read(path, 1 << 20, &out, &len, err), 0);
	free(path);
	ret = workload_parse(&workload, out, len, samples, err);
	free(out);
	return ret;
}

static double sample(const struct bench_samples *samples, const char *name)
{
	size_t i;

	for (i = 0; i < samples->nr; i++) {
		if (!strcmp(samples->sample[i].metric->name, name))
			return samples->sample[i].value;
	}
	fail_msg("no sample of '%s'", name);
	return 0.0;
}

static void good_output_gives_every_rate(void **state)
{
	struct bench_samples samples = { .nr = 0 };
	struct err err = { 0 };

	(void)state;
	assert_int_equal(parse_fixture("good.out", &samples, &err), 0);
	assert_string_equal(err.text, "");
	assert_int_equal(samples.nr, 8);
	assert_true(sample(&samples, "copy") == 42633.7);
	assert_true(sample(&samples, "scale") == 41133.1);
	assert_true(sample(&samples, "add") == 43025.8);
	assert_true(sample(&samples, "triad") == 44947.2);
	assert_true(sample(&samples, "copy-avg") == 39074.9);
	assert_true(sample(&samples, "triad-avg") == 42021.9);
}

static void unproven_output_is_refused(void **state)
{
	static const struct {
		const char *fixture, *says;
	} cases[] = {
		{ "not-validated.out", "'validated' must be true" },
		{ "no-validation.out", "'validated' must be true" },
		{ "other-threads.out", "threads" },
		{ "other-affinity.out", "per-thread" },
		{ "fewer-passes.out", "'passes' must be 10" },
		{ "two-results.out", "" },
		{ "truncated.out", "" },
		{ "zero-rate.out", "triad" },
		{ "no-rate.out", "triad" },
		{ "upstream.out", "" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bench_samples samples = { .nr = 0 };
		struct err err = { 0 };

		if (parse_fixture(cases[i].fixture, &samples, &err) != -EPROTO)
			fail_msg("%s: not refused", cases[i].fixture);
		if (!err.text[0] || !strstr(err.text, cases[i].says))
			fail_msg("%s: '%s' doesn't say \"%s\"", cases[i].fixture,
				 err.text, cases[i].says);
		if (samples.nr)
			fail_msg("%s: refused, yet samples were left", cases[i].fixture);
	}
}

static void silence_is_refused(void **state)
{
	struct workload workload = stream_of(1, 1000);
	struct bench_samples samples = { .nr = 0 };
	struct err err = { 0 };

	(void)state;
	assert_int_equal(workload_parse(&workload, "", 0, &samples, &err), -EPROTO);
	assert_string_not_equal(err.text, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plan_names_every_value),
		cmocka_unit_test(mask_leaves_no_part_in_the_name),
		cmocka_unit_test(rates_are_higher_better_and_copy_leads),
		cmocka_unit_test(per_thread_needs_a_cpu_each),
		cmocka_unit_test(mask_may_have_more_threads_than_cpus),
		cmocka_unit_test(every_thread_needs_an_element),
		cmocka_unit_test(needs_do_not_overflow),
		cmocka_unit_test(good_output_gives_every_rate),
		cmocka_unit_test(unproven_output_is_refused),
		cmocka_unit_test(silence_is_refused),
	};

	return cmocka_run_group_tests_name("stream", tests, NULL, NULL);
}
