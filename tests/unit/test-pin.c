// SPDX-License-Identifier: GPL-2.0-or-later
/* runner/pin: every word on machines of several shapes, and lists that don't fit. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/cpulist.h"
#include "lib/err.h"
#include "lib/topo.h"
#include "runner/pin.h"

#define NR(array) (sizeof(array) / sizeof((array)[0]))

/* One package, one LLC, two CPUs without a second thread. */
static struct topo_cpu small[] = { { 0, 0, 0, 0, 0 }, { 1, 1, 0, 0, 0 } };

/* Two nodes (0 and 8) of two LLCs of two cores of two threads; i and i + 8 are one core. */
static struct topo_cpu two_nodes[] = {
	{ 0, 0, 0, 0, 0 },  { 1, 1, 0, 0, 0 },	{ 2, 2, 1, 0, 0 },  { 3, 3, 1, 0, 0 },
	{ 4, 4, 2, 8, 1 },  { 5, 5, 2, 8, 1 },	{ 6, 6, 3, 8, 1 },  { 7, 7, 3, 8, 1 },
	{ 8, 0, 0, 0, 0 },  { 9, 1, 0, 0, 0 },	{ 10, 2, 1, 0, 0 }, { 11, 3, 1, 0, 0 },
	{ 12, 4, 2, 8, 1 }, { 13, 5, 2, 8, 1 }, { 14, 6, 3, 8, 1 }, { 15, 7, 3, 8, 1 },
};

/* SMT is off: the second threads, with odd numbers, are not online. */
static struct topo_cpu smt_off[] = {
	{ 0, 0, 0, 0, 0 }, { 2, 1, 0, 0, 0 }, { 4, 2, 1, 0, 0 }, { 6, 3, 1, 0, 0 }
};

/* CPU 1 doesn't tell its LLC, nobody tells anything but the core. */
static struct topo_cpu vague[] = { { 0, 0, 0, -1, -1 }, { 1, 1, -1, -1, -1 } };

/* Two caches, and a kernel that tells no nodes. */
static struct topo_cpu no_numa[] = { { 0, 0, 0, -1, 0 }, { 1, 1, 1, -1, 0 } };

/* A machine of @cpus of which this process may use @allowed; NULL: none. */
static struct topo machine(struct topo_cpu *cpus, size_t nr, const char *allowed)
{
	struct topo topo = { .cpus = cpus, .nr_cpus = nr };

	if (allowed)
		assert_int_equal(cpulist_parse(allowed, &topo.allowed, NULL), 0);
	return topo;
}

static void check_pin(const struct topo *topo, const char *text, const char *expected)
{
	struct cpulist list = { 0 };
	struct err err = { 0 };
	char *found;

	if (pin_resolve(text, topo, &list, &err))
		fail_msg("'%s' is refused: %s", text, err.text);
	found = cpulist_write(&list);
	if (strcmp(found, expected))
		fail_msg("'%s' gives %s, not %s", text, found, expected);
	free(found);
	cpulist_release(&list);
}

static void check_refused(const struct topo *topo, const char *text, const char *expected)
{
	struct cpulist list = { 0 };
	struct err err = { 0 };

	if (pin_resolve(text, topo, &list, &err) != -EINVAL)
		fail_msg("'%s' is accepted", text);
	assert_string_equal(err.text, expected);
	assert_null(list.cpu);
	assert_int_equal(list.nr, 0);
}

static void check_lacks(const struct topo *topo, const char *text, const char *expected)
{
	struct cpulist list = { 0 };
	struct err err = { 0 };

	if (pin_resolve(text, topo, &list, &err) != -EOPNOTSUPP)
		fail_msg("'%s' is not told from a mistake: %s", text, err.text);
	assert_string_equal(err.text, expected);
	assert_null(list.cpu);
}

/* Each level alone: what lies inside it is shared. */
static void test_pin_resolve_pairs(void **state)
{
	struct topo topo = machine(two_nodes, NR(two_nodes), "0-15");

	(void)state;
	check_pin(&topo, "same-core", "0,8");
	check_pin(&topo, "same-llc", "0-1");
	check_pin(&topo, "cross-llc", "0,2");
	check_pin(&topo, "cross-node", "0,4");
	cpulist_release(&topo.allowed);

	/* Of what is allowed: a sibling, a cache and a node are somewhere else. */
	topo = machine(two_nodes, NR(two_nodes), "3,5-7,14");
	check_pin(&topo, "same-core", "6,14");
	check_pin(&topo, "same-llc", "6-7");
	check_pin(&topo, "cross-llc", "5-6");
	check_pin(&topo, "cross-node", "3,5");
	cpulist_release(&topo.allowed);
}

static void test_pin_resolve_tells_which_pair_is_missing(void **state)
{
	struct topo topo = machine(small, NR(small), "0-1");

	(void)state;
	check_pin(&topo, "same-llc", "0-1");
	check_lacks(&topo, "same-core",
		    "pin 'same-core': CPUs 0-1 have no two that are threads of one core, "
		    "as far as this machine tells");
	check_lacks(&topo, "cross-llc",
		    "pin 'cross-llc': CPUs 0-1 have no two last-level caches on one NUMA "
		    "node, as far as this machine tells");
	check_lacks(&topo, "cross-node",
		    "pin 'cross-node': CPUs 0-1 have no two NUMA nodes, as far as this "
		    "machine tells");
	cpulist_release(&topo.allowed);

	/* One cache a node: caches alone never lie between two CPUs. */
	topo = machine(two_nodes, NR(two_nodes), "0-1,4-5");
	check_lacks(&topo, "cross-llc",
		    "pin 'cross-llc': CPUs 0-1,4-5 have no two last-level caches on one "
		    "NUMA node, as far as this machine tells");
	check_pin(&topo, "cross-node", "0,4");
	cpulist_release(&topo.allowed);

	/* What isn't known is neither the same nor another; without nodes there is one. */
	topo = machine(vague, NR(vague), "0-1");
	check_lacks(&topo, "same-llc",
		    "pin 'same-llc': CPUs 0-1 have no two cores below one last-level "
		    "cache, as far as this machine tells");
	check_lacks(&topo, "cross-llc",
		    "pin 'cross-llc': CPUs 0-1 have no two last-level caches on one NUMA "
		    "node, as far as this machine tells");
	cpulist_release(&topo.allowed);
	topo = machine(no_numa, NR(no_numa), "0-1");
	check_pin(&topo, "cross-llc", "0-1");
	cpulist_release(&topo.allowed);
}

static void test_pin_words(void **state)
{
	struct topo topo = machine(two_nodes, NR(two_nodes), "0-15");
	const char *const *word;
	size_t nr = 0;

	(void)state;
	for (word = pin_words(); *word; word++, nr++) {
		struct cpulist list = { 0 };

		assert_int_equal(pin_resolve(*word, &topo, &list, NULL), 0);
		assert_true(list.nr > 0);
		cpulist_release(&list);
	}
	assert_int_equal(nr, 12);
	cpulist_release(&topo.allowed);
}

static void test_pin_resolve_small(void **state)
{
	struct topo topo = machine(small, NR(small), "0-1");

	(void)state;
	check_pin(&topo, "one-cpu", "0");
	check_pin(&topo, "one-core", "0");
	check_pin(&topo, "one-llc", "0-1");
	check_pin(&topo, "one-node", "0-1");
	check_pin(&topo, "one-per-core", "0-1");
	check_pin(&topo, "one-per-llc", "0");
	check_pin(&topo, "one-per-node", "0");
	/* The whole machine is no part of it. */
	check_pin(&topo, "one-llc-or-cpu", "0");
	check_pin(&topo, "0-1", "0-1");
	check_pin(&topo, "1", "1");
	cpulist_release(&topo.allowed);
}

static void test_pin_resolve_two_nodes(void **state)
{
	struct topo topo = machine(two_nodes, NR(two_nodes), "0-15");

	(void)state;
	check_pin(&topo, "one-cpu", "0");
	check_pin(&topo, "one-core", "0,8");
	check_pin(&topo, "one-llc", "0-1,8-9");
	check_pin(&topo, "one-node", "0-3,8-11");
	check_pin(&topo, "one-per-core", "0-7");
	check_pin(&topo, "one-per-llc", "0,2,4,6");
	check_pin(&topo, "one-per-node", "0,4");
	check_pin(&topo, "one-llc-or-cpu", "0-1,8-9");
	check_pin(&topo, "3,1-2,2", "1-3");
	cpulist_release(&topo.allowed);
}

static void test_pin_resolve_keeps_to_what_is_allowed(void **state)
{
	struct topo topo = machine(two_nodes, NR(two_nodes), "3,5-6,11,13");

	(void)state;
	check_pin(&topo, "one-cpu", "3");
	check_pin(&topo, "one-core", "3,11");
	check_pin(&topo, "one-llc", "3,11");
	check_pin(&topo, "one-node", "3,11");
	check_pin(&topo, "one-per-core", "3,5-6");
	check_pin(&topo, "one-per-llc", "3,5-6");
	check_pin(&topo, "one-per-node", "3,5");
	check_pin(&topo, "one-llc-or-cpu", "3,11");
	cpulist_release(&topo.allowed);

	/* One LLC of four is allowed: no machine of several LLCs to this process. */
	topo = machine(two_nodes, NR(two_nodes), "4-5,12-13");
	check_pin(&topo, "one-llc-or-cpu", "4");
	check_pin(&topo, "one-llc", "4-5,12-13");
	cpulist_release(&topo.allowed);
}

static void test_bl_033_smt_off(void **state)
{
	struct topo topo = machine(smt_off, NR(smt_off), "0,2,4,6");

	(void)state;
	check_pin(&topo, "one-core", "0");
	check_pin(&topo, "one-llc", "0,2");
	check_pin(&topo, "one-per-core", "0,2,4,6");
	check_pin(&topo, "one-per-llc", "0,4");
	check_pin(&topo, "0,6", "0,6");
	check_refused(&topo, "1",
		      "pin '1': CPU 1 is not online (expected CPUs of 0,2,4,6)");
	check_refused(&topo, "0-3",
		      "pin '0-3': CPU 1 is not online (expected CPUs of 0,2,4,6)");
	cpulist_release(&topo.allowed);
}

static void test_bl_045_inner_cpu_not_allowed(void **state)
{
	struct topo topo = machine(two_nodes, NR(two_nodes), "0-2,4-15");

	(void)state;
	check_refused(&topo, "0-4",
		      "pin '0-4': CPU 3 is not allowed to this process (expected CPUs of "
		      "0-2,4-15)");
	check_refused(&topo, "0-3",
		      "pin '0-3': CPU 3 is not allowed to this process (expected CPUs of "
		      "0-2,4-15)");
	check_refused(&topo, "14-16",
		      "pin '14-16': CPU 16 is not online (expected CPUs of 0-2,4-15)");
	check_pin(&topo, "0-2,4", "0-2,4");
	cpulist_release(&topo.allowed);
}

static void test_pin_resolve_refuses_what_is_not_known(void **state)
{
	struct topo topo = machine(vague, NR(vague), "0-1");

	(void)state;
	/* Also where some of the answer was there already. */
	check_refused(
		&topo, "one-llc",
		"pin 'one-llc': this machine doesn't tell which last-level cache CPU "
		"1 belongs to");
	check_refused(
		&topo, "one-per-llc",
		"pin 'one-per-llc': this machine doesn't tell which last-level cache "
		"CPU 1 belongs to");
	check_refused(&topo, "one-node",
		      "pin 'one-node': this machine doesn't tell which NUMA node CPU 0 "
		      "belongs to");
	check_pin(&topo, "one-per-core", "0-1");
	check_pin(&topo, "one-llc-or-cpu", "0");
	cpulist_release(&topo.allowed);
}

static void test_pin_resolve_nothing_allowed(void **state)
{
	struct topo topo = machine(small, NR(small), NULL);

	(void)state;
	check_refused(&topo, "one-cpu",
		      "pin 'one-cpu': no CPU is allowed to this process");
	check_refused(&topo, "one-per-llc",
		      "pin 'one-per-llc': no CPU is allowed to this process");
	check_refused(&topo, "one-llc-or-cpu",
		      "pin 'one-cpu': no CPU is allowed to this process");
	check_refused(&topo, "0",
		      "pin '0': CPU 0 is not allowed to this process "
		      "(expected CPUs of )");
}

static void test_pin_resolve_refuses_words(void **state)
{
	static const char *const bad[] = {
		"",   "one", "ONE-CPU", "-1", "all",  " 0",
		"0 ", "0-",  "1-0",	"01", "0,,1", "65536"
	};
	struct topo topo = machine(small, NR(small), "0-1");
	struct cpulist list = { 0 };
	struct err err = { 0 };
	size_t i;

	(void)state;
	for (i = 0; i < NR(bad); i++) {
		err = (struct err){ 0 };
		assert_int_equal(pin_resolve(bad[i], &topo, &list, &err), -EINVAL);
		assert_non_null(strstr(err.text, "(expected"));
		assert_null(list.cpu);
	}
	err = (struct err){ 0 };
	assert_int_equal(pin_resolve("one-lcl", &topo, &list, &err), -EINVAL);
	assert_non_null(strstr(err.text, "; did you mean 'one-llc'?"));
	cpulist_release(&topo.allowed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pin_words),
		cmocka_unit_test(test_pin_resolve_pairs),
		cmocka_unit_test(test_pin_resolve_tells_which_pair_is_missing),
		cmocka_unit_test(test_pin_resolve_small),
		cmocka_unit_test(test_pin_resolve_two_nodes),
		cmocka_unit_test(test_pin_resolve_keeps_to_what_is_allowed),
		cmocka_unit_test(test_bl_033_smt_off),
		cmocka_unit_test(test_bl_045_inner_cpu_not_allowed),
		cmocka_unit_test(test_pin_resolve_refuses_what_is_not_known),
		cmocka_unit_test(test_pin_resolve_nothing_allowed),
		cmocka_unit_test(test_pin_resolve_refuses_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
