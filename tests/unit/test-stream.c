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
	set_number(&workload, "size", 10000000);
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
	assert_int_equal(needs.threads, 2);
	assert_in_range(needs.fds, 3, 64);

	workload = stream_of(4096, UINT64_C(1) << 40);
	workload.ops->needs(&workload, &needs);
	assert_in_range(needs.memory, most, most + (UINT64_C(1) << 30));
}

#define MIB UINT64_C(1048576)
#define GIB (1024 * MIB)

/* The size that an open one comes to. */
static uint64_t resolved(uint64_t llc_bytes, uint64_t memory_bytes,
			 struct bench_remark *remark)
{
	const struct bench_machine machine = {
		.llc_bytes_total = llc_bytes,
		.memory_bytes = memory_bytes,
		.nr_cpus = 4,
	};
	struct workload workload;

	*remark = (struct bench_remark){ 0 };
	workload_init(&workload, bench_find("stream"));
	assert_true(workload_uint(&workload, "size") == BENCH_AUTO);
	workload.ops->resolve(&workload, &machine, remark);
	return workload_uint(&workload, "size");
}

static void open_size_is_four_times_the_caches(void **state)
{
	static const struct {
		uint64_t llc_bytes, memory_bytes, size;
	} cases[] = {
		{ 32 * MIB, 16 * GIB, 16778000 },
		/* 16 caches; exactly a multiple of 1000; the least. */
		{ 512 * MIB, 512 * GIB, 268436000 },
		{ 2000000 * 8, 16 * GIB, 8000000 },
		{ MIB, 16 * GIB, 1000000 },
		/* Memory that isn't known caps nothing. */
		{ 512 * MIB, 0, 268436000 },
	};
	struct bench_remark remark;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t size =
			resolved(cases[i].llc_bytes, cases[i].memory_bytes, &remark);

		assert_int_equal(size, cases[i].size);
		assert_false(remark.is_undersized);
		assert_string_equal(remark.text, "");
	}
}

static void memory_caps_an_open_size(void **state)
{
	struct bench_remark remark;
	uint64_t size = resolved(64 * 508 * MIB, 24 * GIB, &remark);

	(void)state;
	/* An absurd cache for each CPU: half of the memory in whole millions. */
	assert_int_equal(size, 536000000);
	assert_true(3 * 8 * size <= 12 * GIB);
	assert_true(remark.is_undersized);
	assert_string_equal(remark.text,
			    "an array has 4187500 KiB, less than 4 times the 33292288 "
			    "KiB of last-level cache in use");
	/* A kernel that leaves a little less doesn't change it. */
	assert_int_equal(resolved(64 * 508 * MIB, 24 * GIB - 8 * MIB, &remark), size);

	/* The cap of 1 GiB is 22 million elements, enough for 41 MiB of cache. */
	assert_int_equal(resolved(41 * MIB, GIB, &remark), 21496000);
	assert_false(remark.is_undersized);
	assert_int_equal(resolved(42 * MIB, GIB, &remark), 22000000);
	assert_true(remark.is_undersized);

	/* No fewer than the least, also where that is more than half. */
	assert_int_equal(resolved(32 * MIB, 32 * MIB, &remark), 1000000);
	assert_true(remark.is_undersized);
	/* Nor more than the program takes. */
	assert_int_equal(resolved(UINT64_MAX, 0, &remark), UINT64_C(1) << 40);
	assert_true(remark.is_undersized);
	assert_int_equal(resolved(UINT64_MAX, UINT64_MAX, &remark), UINT64_C(1) << 40);
}

static void unknown_caches_are_said(void **state)
{
	struct bench_remark remark;

	(void)state;
	assert_int_equal(resolved(0, 16 * GIB, &remark), 10000000);
	assert_false(remark.is_undersized);
	assert_string_equal(remark.text,
			    "the last-level caches are not known, so the arrays of "
			    "10000000 elements may be found in them");
	assert_int_equal(resolved(0, 0, &remark), 10000000);
	assert_int_equal(resolved(0, 256 * MIB, &remark), 5000000);
	assert_int_equal(resolved(0, MIB, &remark), 1000000);
}

static void given_size_stays_and_is_judged(void **state)
{
	struct bench_machine machine = { .llc_bytes_total = 32 * MIB, .nr_cpus = 2 };
	struct workload workload = stream_of(1, 16777216);
	struct bench_remark remark = { 0 };

	(void)state;
	workload.ops->resolve(&workload, &machine, &remark);
	assert_int_equal(workload_uint(&workload, "size"), 16777216);
	assert_false(remark.is_undersized);
	assert_string_equal(remark.text, "");

	workload = stream_of(1, 4000000);
	workload.ops->resolve(&workload, &machine, &remark);
	assert_int_equal(workload_uint(&workload, "size"), 4000000);
	assert_true(remark.is_undersized);
	assert_string_equal(remark.text,
			    "an array has 31250 KiB, less than 4 times the 32768 KiB of "
			    "last-level cache in use");

	/* What isn't known judges nothing. */
	remark = (struct bench_remark){ 0 };
	machine.llc_bytes_total = 0;
	workload.ops->resolve(&workload, &machine, &remark);
	assert_false(remark.is_undersized);
	assert_string_equal(remark.text, "");
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
		cmocka_unit_test(open_size_is_four_times_the_caches),
		cmocka_unit_test(memory_caps_an_open_size),
		cmocka_unit_test(unknown_caches_are_said),
		cmocka_unit_test(given_size_stays_and_is_judged),
		cmocka_unit_test(good_output_gives_every_rate),
		cmocka_unit_test(unproven_output_is_refused),
		cmocka_unit_test(silence_is_refused),
	};

	return cmocka_run_group_tests_name("stream", tests, NULL, NULL);
}
