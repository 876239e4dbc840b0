// SPDX-License-Identifier: GPL-2.0-or-later
/* policy/variant: names, bases, switches and refusals. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/err.h"
#include "lib/file.h"
#include "policy/flags.h"
#include "policy/release.h"
#include "policy/variant.h"

#define NR(array) (sizeof(array) / sizeof((array)[0]))

/* Each is complete, its version has a flag map, names don't repeat, ages rise. */
static void test_every_variant_is_complete(void **state)
{
	unsigned int before = 0;
	size_t i, j;

	(void)state;
	for (i = 0; policy_variant_name(i); i++) {
		struct policy_variant variant;

		assert_int_equal(
			policy_variant_find(policy_variant_name(i), &variant, NULL), 0);
		assert_string_equal(variant.name, policy_variant_name(i));
		assert_true(*variant.follows && *variant.summary);
		assert_true(variant.release >= before);
		assert_true(variant.release >= RELEASE(2, 6, 32));
		before = variant.release;
		for (j = 0; j < i; j++)
			assert_string_not_equal(policy_variant_name(j),
						policy_variant_name(i));
	}
	assert_true(i > 20);
	assert_null(policy_variant_name(i + 1));
}

static void test_switches_change_one_rule(void **state)
{
	struct policy_variant base;
	struct policy_variant patched;

	(void)state;
	assert_int_equal(policy_variant_find("v5.18", &base, NULL), 0);
	assert_int_equal(policy_variant_find("v5.18+numa_imbalance=affinity-aware",
					     &patched, NULL),
			 0);
	assert_int_equal(base.idlest.numa, NUMA_LLCS);
	assert_int_equal(patched.idlest.numa, NUMA_AFFINITY_AWARE);
	patched.idlest.numa = base.idlest.numa;
	assert_memory_equal(&base.idlest, &patched.idlest, sizeof(base.idlest));

	assert_int_equal(
		policy_variant_find("v5.7+runnable_conditions=off+group_weight="
				    "unset+busy_load=unset+statistics_cpus=allowed"
				    "+initial_runnable=util",
				    &patched, NULL),
		0);
	assert_false(patched.idlest.has_runnable_conditions);
	assert_true(patched.idlest.weight_is_unset && patched.idlest.busy_load_is_unset);
	assert_true(patched.idlest.counts_allowed_only);
	assert_int_equal(patched.initial_runnable, INITIAL_RUNNABLE_UTIL);
	assert_int_equal(policy_variant_find("v4.9+wakeup_granularity=by-nr-running+"
					     "wake_balance_gate=waker-idle",
					     &patched, NULL),
			 0);
	assert_int_equal(patched.granularity, GRANULARITY_BY_NR_RUNNING);
	assert_true(patched.wake.walk_needs_idle);
}

/* Balancing between nodes came to tolerate two tasks in 5.6. */
static void test_versions_around_5_6(void **state)
{
	struct policy_variant variant;

	(void)state;
	assert_int_equal(policy_variant_find("v5.5", &variant, NULL), 0);
	assert_int_equal(variant.numa_pull, NUMA_PULL_ALWAYS);
	assert_int_equal(policy_variant_find("v5.6", &variant, NULL), 0);
	assert_int_equal(variant.numa_pull, NUMA_PULL_TWO);
}

/* What the mails call by name is a version and its switches. */
static void test_named_patches(void **state)
{
	static const struct {
		const char *name, *same;
	} cases[] = {
		{ "tip-sched-2016-12", "v4.9+fork_signal=spare-first" },
		{ "fix-fig", "tip-sched-2016-12+fork_signal=spare-except-fork" },
		{ "e496132-v6", "e496132+numa_imbalance=affinity-aware" },
		{ "63a5d0f", "v5.7+runnable_conditions=off" },
		{ "070f5e8", "9f68395+runnable_conditions=on" },
		{ "v5.8", "v5.7+initial_runnable=util" },
		{ "v5.6", "9f68395" },
		{ "v5.5", "9f68395" },
		{ "v6.3", "v6.0" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < NR(cases); i++) {
		struct policy_variant a;
		struct policy_variant b;

		assert_int_equal(policy_variant_find(cases[i].name, &a, NULL), 0);
		assert_int_equal(policy_variant_find(cases[i].same, &b, NULL), 0);
		assert_memory_equal(&a.idlest, &b.idlest, sizeof(a.idlest));
		assert_int_equal(a.initial_runnable, b.initial_runnable);
	}
}

static void test_variant_refuses(void **state)
{
	static const struct {
		const char *name, *expected;
	} cases[] = {
		{ "v6.1.193", "expected v6.1.192?" },
		{ "", "policy variant" },
		{ "v5.18+", "switches nothing" },
		{ "v5.18+numa_imbalance", "switches nothing" },
		{ "v5.18+numa_imbalanc=llcs", "expected numa_imbalance?" },
		{ "v5.18+numa_imbalance=llc", "expected llcs?" },
		{ "v5.18+numa_imbalance=llcs+", "switches nothing" },
		{ "v5.18++numa_imbalance=llcs", "switches nothing" },
		{ "v5.18+numa_imbalance=", "expected one such as none" },
		{ "+numa_imbalance=llcs", "policy variant" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < NR(cases); i++) {
		struct policy_variant variant = { .name = "untouched" };
		struct err err = { 0 };

		assert_int_equal(policy_variant_find(cases[i].name, &variant, &err),
				 -EINVAL);
		if (!strstr(err.text, cases[i].expected))
			fail_msg("'%s' lacks '%s'", err.text, cases[i].expected);
		assert_string_equal(variant.name, "untouched");
	}
}

static void check_listed(const char *page, const char *before, const char *name)
{
	char cell[80];

	(void)snprintf(cell, sizeof(cell), "%s`%s`", before, name);
	if (!strstr(page, cell))
		fail_msg("docs/policy.md lacks %s", cell);
}

/* The page lists each variant and switch. */
static void test_the_documentation_is_complete(void **state)
{
	struct err err = { 0 };
	char *page = NULL;
	size_t i, len;

	(void)state;
	if (file_read("docs/policy.md", 1 << 16, &page, &len, &err))
		fail_msg("%s", err.text);
	for (i = 0; policy_variant_name(i); i++)
		check_listed(page, "", policy_variant_name(i));
	for (i = 0; policy_switch_name(i); i++)
		check_listed(page, "\n| ", policy_switch_name(i));
	assert_true(i > 5);
	free(page);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_variant_is_complete),
		cmocka_unit_test(test_switches_change_one_rule),
		cmocka_unit_test(test_versions_around_5_6),
		cmocka_unit_test(test_named_patches),
		cmocka_unit_test(test_variant_refuses),
		cmocka_unit_test(test_the_documentation_is_complete),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
