// SPDX-License-Identifier: GPL-2.0-or-later
/* runner/ladder: the rungs on machines of several shapes, and what a machine comes to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/cpulist.h"
#include "lib/topo.h"
#include "runner/ladder.h"

/* CPUs; those of a core, an LLC, a node; LLCs and nodes. */
static const struct ladder_machine xeon_4 = { 4, 1, 4, 4, 1, 1 };
static const struct ladder_machine ivy_bridge_4 = { 4, 2, 4, 4, 1, 1 };
static const struct ladder_machine haswell_48 = { 48, 2, 24, 24, 2, 2 };
static const struct ladder_machine skylake_96 = { 96, 2, 48, 48, 2, 2 };
static const struct ladder_machine zen3_256 = { 256, 2, 16, 128, 16, 2 };
static const struct ladder_machine single = { 1, 1, 1, 1, 1, 1 };

static void check_rungs(const char *name, const struct ladder_machine *machine,
			uint64_t cap, const char *expected)
{
	const struct ladder *ladder = ladder_find(name);
	struct rungs rungs = { 0 };
	char text[1000] = "";
	size_t len = 0;
	size_t i;

	assert_non_null(ladder);
	assert_int_equal(ladder_rungs(ladder, machine, cap, &rungs), 0);
	for (i = 0; i < rungs.nr; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%ju",
					i ? " " : "", (uintmax_t)rungs.value[i]);
	assert_string_equal(text, expected);
	rungs_release(&rungs);
	assert_null(rungs.value);
}

static void every_name_is_a_ladder(void **state)
{
	const char *const *name;
	size_t nr = 0;

	(void)state;
	for (name = ladder_names(); *name; name++, nr++)
		assert_string_equal(ladder_find(*name)->name, *name);
	assert_int_equal(nr, 3);
	assert_null(ladder_find("mmtest"));
	assert_null(ladder_find(""));
}

/* The rows of the tables of 2016: of 48 CPUs and of 4. */
static void strides_are_the_rows_of_the_mails(void **state)
{
	(void)state;
	check_rungs("mmtests-2016", &haswell_48, UINT64_MAX,
		    "1 4 7 12 21 30 48 79 110 141 172 192");
	check_rungs("mmtests-2016", &xeon_4, UINT64_MAX, "1 3 5 7 12 16");
}

static void strides_of_other_sizes(void **state)
{
	static const struct ladder_machine nine = { 9, 1, 9, 9, 1, 1 };
	static const struct ladder_machine eight = { 8, 1, 8, 8, 1, 1 };
	static const struct ladder_machine two = { 2, 1, 2, 2, 1, 1 };

	(void)state;
	check_rungs("mmtests-2016", &single, UINT64_MAX, "1 3 4");
	check_rungs("mmtests-2016", &two, UINT64_MAX, "1 3 5 7 8");
	check_rungs("mmtests-2016", &eight, UINT64_MAX, "1 3 5 7 12 18 24 30 32");
	check_rungs("mmtests-2016", &nine, UINT64_MAX, "1 4 7 12 21 30 36");
	check_rungs("mmtests-2016", &skylake_96, UINT64_MAX,
		    "1 4 7 12 21 30 48 79 110 141 172 203 234 265 296 327 358 384");
}

static void topology_steps_from_level_to_level(void **state)
{
	(void)state;
	check_rungs("mmtests", &ivy_bridge_4, UINT64_MAX, "1 2 3 4 5 6 7 8");
	check_rungs("mmtests", &haswell_48, UINT64_MAX, "1 2 7 13 18 24 36 48 64 80 96");
	check_rungs("mmtests", &skylake_96, UINT64_MAX,
		    "1 2 13 25 36 48 72 96 128 160 192");
	/* More than three LLCs a node: six steps between them and the node. */
	check_rungs("mmtests", &zen3_256, UINT64_MAX,
		    "1 2 5 9 12 16 34 53 71 90 109 127 128 192 256 341 426 511 512");
	check_rungs("mmtests", &single, UINT64_MAX, "1 2");
}

static void a_cap_is_the_last_rung(void **state)
{
	(void)state;
	check_rungs("mmtests", &zen3_256, 296,
		    "1 2 5 9 12 16 34 53 71 90 109 127 128 192 256 296");
	check_rungs("mmtests", &xeon_4, 296, "1 2 3 4 5 6 7 8");
	check_rungs("mmtests-2016", &haswell_48, 100, "1 4 7 12 21 30 48 79 100");
	check_rungs("mmtests-2016", &haswell_48, 1, "1");
}

static void stream_has_its_four_configurations(void **state)
{
	(void)state;
	check_rungs("mmtests-stream", &zen3_256, UINT64_MAX, "1 4 16 32");
	check_rungs("mmtests-stream", &skylake_96, UINT64_MAX, "1 2 4");
	check_rungs("mmtests-stream", &xeon_4, UINT64_MAX, "1 2");
	check_rungs("mmtests-stream", &zen3_256, 20, "1 4 16");
}

static void shares_are_cut_and_never_nothing(void **state)
{
	(void)state;
	assert_int_equal(ladder_share(25, 256), 64);
	assert_int_equal(ladder_share(50, 5), 2);
	assert_int_equal(ladder_share(1600, 4), 64);
	assert_int_equal(ladder_share(25, 2), 1);
	assert_int_equal(ladder_share(25, 1), 1);
}

/* As many messages whatever the groups: 100% and 1600% of 16 CPUs. */
static void work_for_each_cpu_is_shared(void **state)
{
	(void)state;
	assert_int_equal(ladder_per_cpu(30000, 16, 16), 30000);
	assert_int_equal(ladder_per_cpu(30000, 16, 256), 1875);
	assert_int_equal(ladder_per_cpu(30000, 16, 7), 68571);
	assert_int_equal(ladder_per_cpu(1, 1, 5000), 1);
	assert_true(ladder_per_cpu(UINT64_MAX, 2, 1) == UINT64_MAX);
}

static struct ladder_machine measure(struct topo_cpu *cpus, size_t nr, const char *list)
{
	struct topo topo = { .cpus = cpus, .nr_cpus = nr };
	struct ladder_machine machine;
	struct cpulist some = { 0 };

	if (*list)
		assert_int_equal(cpulist_parse(list, &some, NULL), 0);
	assert_int_equal(ladder_measure(&topo, &some, &machine), 0);
	cpulist_release(&some);
	return machine;
}

static void check_machine(struct ladder_machine found, struct ladder_machine expected)
{
	assert_memory_equal(&found, &expected, sizeof(found));
}

static void a_machine_is_measured_within_the_cpus_given(void **state)
{
	/* Two nodes of two LLCs of two cores of two threads; i and i + 8 are one core. */
	struct topo_cpu cpus[16];
	unsigned int i;

	(void)state;
	for (i = 0; i < 16; i++)
		cpus[i] = (struct topo_cpu){ i, (int)i % 8, (int)i % 8 / 2,
					     (int)i % 8 / 4 * 8, (int)i % 8 / 4 };
	check_machine(measure(cpus, 16, "0-15"),
		      (struct ladder_machine){ 16, 2, 4, 8, 4, 2 });
	check_machine(measure(cpus, 16, "0-7"),
		      (struct ladder_machine){ 8, 1, 2, 4, 4, 2 });
	/* The largest of each kind counts: CPUs that are off don't shrink the others. */
	check_machine(measure(cpus, 16, "0-3,8,12"),
		      (struct ladder_machine){ 6, 2, 3, 5, 3, 2 });
	check_machine(measure(cpus, 16, "5"),
		      (struct ladder_machine){ 1, 1, 1, 1, 1, 1 });
	check_machine(measure(cpus, 16, ""), (struct ladder_machine){ 1, 1, 1, 1, 1, 1 });
}

static void levels_that_are_not_known_add_no_rungs(void **state)
{
	struct topo_cpu vague[] = { { 0, 0, 0, -1, -1 },
				    { 1, 0, -1, -1, -1 },
				    { 2, 1, 0, -1, -1 },
				    { 3, 1, 0, -1, -1 } };

	(void)state;
	check_machine(measure(vague, 4, "0-3"),
		      (struct ladder_machine){ 4, 2, 2, 4, 1, 1 });
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_name_is_a_ladder),
		cmocka_unit_test(strides_are_the_rows_of_the_mails),
		cmocka_unit_test(strides_of_other_sizes),
		cmocka_unit_test(topology_steps_from_level_to_level),
		cmocka_unit_test(a_cap_is_the_last_rung),
		cmocka_unit_test(stream_has_its_four_configurations),
		cmocka_unit_test(shares_are_cut_and_never_nothing),
		cmocka_unit_test(work_for_each_cpu_is_shared),
		cmocka_unit_test(a_machine_is_measured_within_the_cpus_given),
		cmocka_unit_test(levels_that_are_not_known_add_no_rungs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
