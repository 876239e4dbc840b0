// SPDX-License-Identifier: GPL-2.0-or-later
/* The fork-latency workload: its command, and what is read of its output. */
#include "tests/unit/fixture.h"

static struct workload forks_of(uint64_t forks)
{
	struct workload workload;

	workload_init(&workload, bench_find("fork-latency"));
	workload.value[0].number = forks;
	return workload;
}

static void command_asks_for_forks(void **state)
{
	static const char *const args[] = { "fork-latency", "--forks=500" };
	struct workload workload = forks_of(500);
	char *variant = workload_variant(&workload);

	(void)state;
	command_is(&workload, args, 2);
	assert_string_equal(variant, "fork-latency");
	free(variant);
}

static void latency_is_read(void **state)
{
	struct workload workload = forks_of(500);
	struct bench_samples samples;
	struct err err;

	(void)state;
	if (fixture_parse(&workload, "fork-latency/good", &samples, &err))
		fail_msg("%s", err.text);
	assert_int_equal(samples.nr, 5);
	assert_string_equal(samples.sample[0].metric->name, "latency");
	assert_true(samples.sample[0].value == 183.021192);
}

static void check_shares(const char *name, const char *const *names, const double *shares,
			 size_t nr)
{
	struct workload workload = forks_of(500);
	struct bench_samples samples;
	struct err err;
	size_t i;

	if (fixture_parse(&workload, name, &samples, &err))
		fail_msg("%s", err.text);
	assert_int_equal(samples.nr, nr + 1);
	for (i = 0; i < nr; i++) {
		assert_string_equal(samples.sample[i + 1].metric->name, names[i]);
		assert_true(samples.sample[i + 1].value == shares[i]);
		assert_true(samples.sample[i + 1].metric->secondary);
	}
}

static void shares_are_of_all_children_and_may_be_zero(void **state)
{
	static const char *const all[] = { "same-cpu", "same-llc", "same-node",
					   "other-node" };
	static const char *const without_llcs[] = { "same-cpu", "other-node" };
	static const double one_cache[] = { 31.8, 68.2, 0, 0 };
	static const double unknown[] = { 31.8, 20 };

	(void)state;
	check_shares("fork-latency/good", all, one_cache, 4);
	/* Where the kernel tells no caches, nothing is said of them. */
	check_shares("fork-latency/no-llcs", without_llcs, unknown, 2);
}

static void other_output_is_refused(void **state)
{
	static const struct fixture cases[] = {
		{ "fork-latency/other-forks",
		  "asked for forks 500, the program ran forks 10000" },
		{ "fork-latency/lost-child", "counted 499 children, expected 500" },
		{ "fork-latency/no-count", "no counts of same_cpu, other_node and cpus" },
		{ "fork-latency/half-counts", "only one of the counts of same_llc" },
		{ "fork-latency/too-many", "501 children on the parent's CPU" },
		{ "fork-latency/too-few",
		  "159 children on the parent's CPU, 0 on another node and the rest "
		  "cannot be of 500 children" },
		{ "fork-latency/no-cpus", "0 CPUs in all cannot be of 500 children" },
		{ "fork-latency/zero", "metric latency is 0" },
		{ "fork-latency/no-metrics", "no object 'metrics'" },
		{ "fork-latency/two-results", "several lines" },
		{ "fork-latency/truncated", "not valid JSON" },
		{ "pipe/good-process", "pipe" },
		{ "pipe/perf-process", "several lines" },
	};
	struct workload workload = forks_of(500);

	(void)state;
	fixtures_refused(&workload, cases, sizeof(cases) / sizeof(cases[0]));
}

static void one_child_at_a_time_is_needed(void **state)
{
	struct workload workload = forks_of(1000000);
	struct bench_needs needs = { 0 };

	(void)state;
	workload.ops->needs(&workload, &needs);
	assert_int_equal(needs.tasks, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(command_asks_for_forks),
		cmocka_unit_test(latency_is_read),
		cmocka_unit_test(shares_are_of_all_children_and_may_be_zero),
		cmocka_unit_test(other_output_is_refused),
		cmocka_unit_test(one_child_at_a_time_is_needed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
