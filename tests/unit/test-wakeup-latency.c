// SPDX-License-Identifier: GPL-2.0-or-later
/* The wakeup-latency workload: its command, its output, and its percentiles. */
#include "tests/unit/fixture.h"

#include "benchmarks/wakeup-latency/histogram.h"

static struct workload workers_of(uint64_t messagers, uint64_t workers)
{
	struct workload workload;

	workload_init(&workload, bench_find("wakeup-latency"));
	workload.value[0].number = messagers;
	workload.value[1].number = workers;
	workload.value[2].number = 1;
	return workload;
}

static void command_asks_for_all_parameters(void **state)
{
	static const char *const args[] = { "wakeup-latency", "--messagers=1",
					    "--workers=2", "--seconds=1" };
	struct workload workload = workers_of(1, 2);

	(void)state;
	command_is(&workload, args, 4);
}

static void percentiles_and_rate_are_read(void **state)
{
	static const struct {
		const char *name;
		double value;
	} expected[] = {
		{ "p99", 67.967 },     { "p50", 12.063 },  { "p90", 45.183 },
		{ "p99.9", 2551.807 }, { "rate", 7583.0 },
	};
	struct workload workload = workers_of(1, 2);
	struct bench_samples samples;
	struct err err;
	size_t i;

	(void)state;
	if (fixture_parse(&workload, "wakeup-latency/good", &samples, &err))
		fail_msg("%s", err.text);
	assert_int_equal(samples.nr, 5);
	for (i = 0; i < samples.nr; i++) {
		assert_string_equal(samples.sample[i].metric->name, expected[i].name);
		assert_true(samples.sample[i].value == expected[i].value);
	}
}

static void other_output_is_refused(void **state)
{
	static const struct fixture cases[] = {
		{ "wakeup-latency/other-workers",
		  "asked for workers 2, the program ran workers 20" },
		{ "wakeup-latency/lost-requests",
		  "7586 wakeups and 7583 requests of 2 workers don't go together" },
		{ "wakeup-latency/lost-wakeup",
		  "7582 wakeups and 7583 requests of 2 workers don't go together" },
		{ "wakeup-latency/no-count", "no counts of wakeups and requests" },
		{ "wakeup-latency/falling",
		  "the percentiles fall: p50 12.063, p90 9999" },
		{ "wakeup-latency/torn-rate", "a rate of 1 don't go together" },
		{ "wakeup-latency/no-percentile", "no metric p99.9" },
		{ "wakeup-latency/zero", "metric p50 is 0" },
		{ "wakeup-latency/two-results", "several lines" },
		{ "wakeup-latency/truncated", "not valid JSON" },
		{ "threads/good", "threads" },
	};
	struct workload workload = workers_of(1, 2);

	(void)state;
	fixtures_refused(&workload, cases, sizeof(cases) / sizeof(cases[0]));
}

static void messagers_and_workers_are_threads_beside_the_first(void **state)
{
	struct workload workload = workers_of(3, 5);
	struct bench_needs needs = { 0 };

	(void)state;
	workload.ops->needs(&workload, &needs);
	assert_int_equal(needs.threads, 18);
	assert_int_equal(needs.tasks, 19);
}

static void buckets_follow_one_another_without_gap(void **state)
{
	uint64_t first = 0;
	size_t i;

	(void)state;
	for (i = 0; i < HISTOGRAM_BUCKETS; i++) {
		uint64_t last = histogram_greatest(i);

		assert_true(last >= first);
		assert_int_equal(histogram_bucket(first), i);
		assert_int_equal(histogram_bucket(last), i);
		assert_true(last - first <= first / HISTOGRAM_HALF);
		first = last + 1;
	}
	/* The last bucket ends with the greatest number there is. */
	assert_int_equal(first, 0);
}

/* Of the values 1 to @nr, whose percentile is its own rank. */
static uint64_t of_first(unsigned int nr, unsigned int per_mille)
{
	struct histogram *histogram = calloc(1, sizeof(*histogram));
	uint64_t value;
	unsigned int i;

	assert_non_null(histogram);
	for (i = nr; i > 0; i--)
		histogram_add(histogram, i);
	value = histogram_percentile(histogram, per_mille);
	free(histogram);
	return value;
}

static void percentile_is_the_nearest_rank(void **state)
{
	(void)state;
	assert_int_equal(of_first(100, 990), 99);
	assert_int_equal(of_first(101, 990), 100);
	assert_int_equal(of_first(100, 500), 50);
	assert_int_equal(of_first(5, 500), 3);
	assert_int_equal(of_first(4, 500), 2);
	assert_int_equal(of_first(1000, 999), 999);
	assert_int_equal(of_first(999, 999), 999);
	assert_int_equal(of_first(1, 1), 1);
	assert_int_equal(of_first(1, 999), 1);
	assert_int_equal(of_first(100, 1000), 100);
}

static void greatest_value_stands_for_a_bucket(void **state)
{
	struct histogram *one = calloc(1, sizeof(*one));
	struct histogram *two = calloc(1, sizeof(*two));

	(void)state;
	assert_true(one && two);
	histogram_add(one, 1023);
	histogram_add(two, 100000);
	histogram_merge(one, two);
	assert_int_equal(one->nr, 2);
	assert_int_equal(histogram_percentile(one, 500), 1023);
	/* 100000 >> 7 is 781: the bucket goes from 99968 to 100095. */
	assert_int_equal(histogram_percentile(one, 999), 100095);
	free(one);
	free(two);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(command_asks_for_all_parameters),
		cmocka_unit_test(percentiles_and_rate_are_read),
		cmocka_unit_test(other_output_is_refused),
		cmocka_unit_test(messagers_and_workers_are_threads_beside_the_first),
		cmocka_unit_test(buckets_follow_one_another_without_gap),
		cmocka_unit_test(percentile_is_the_nearest_rank),
		cmocka_unit_test(greatest_value_stands_for_a_bucket),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
