// SPDX-License-Identifier: GPL-2.0-or-later
/* policy/cpumask and policy/machine: numbering, units, distances, refusals. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/err.h"
#include "lib/topo.h"
#include "tests/unit/policy-scene.h"

#define NR(array) (sizeof(array) / sizeof((array)[0]))

static void test_cpumask(void **state)
{
	struct cpumask a = { { 0 } };
	struct cpumask b = { { 0 } };
	struct cpumask both;

	(void)state;
	assert_int_equal(cpumask_from(&a, 0), -1);
	assert_int_equal(cpumask_ring_first(&a, 3), -1);
	cpumask_add(&a, 0);
	cpumask_add(&a, 63);
	cpumask_add(&a, 64);
	cpumask_add(&a, CPUMASK_CPUS - 1);
	assert_int_equal(cpumask_count(&a), 4);
	assert_int_equal(cpumask_from(&a, 1), 63);
	assert_int_equal(cpumask_from(&a, 65), CPUMASK_CPUS - 1);
	assert_int_equal(cpumask_from(&a, CPUMASK_CPUS), -1);
	assert_true(cpumask_has(&a, 64));
	assert_false(cpumask_has(&a, -1));
	cpumask_remove(&a, 64);
	assert_false(cpumask_has(&a, 64));
	cpumask_add(&b, 64);
	assert_false(cpumask_meet(&a, &b));
	cpumask_or(&b, &a);
	assert_true(cpumask_meet(&a, &b));
	assert_false(cpumask_equal(&a, &b));
	cpumask_and(&both, &a, &b);
	assert_true(cpumask_equal(&both, &a));
}

static void test_cpumask_ring(void **state)
{
	static const int expected[3][4] = { { 5, 9, 2, -1 },
					    { 9, 2, 5, -1 },
					    { 2, 5, 9, -1 } };
	static const int start[3] = { 5, 6, 10 };
	struct cpumask mask = { { 0 } };
	size_t i, j;

	(void)state;
	cpumask_add(&mask, 2);
	cpumask_add(&mask, 5);
	cpumask_add(&mask, 9);
	for (i = 0; i < NR(start); i++) {
		int cpu = cpumask_ring_first(&mask, start[i]);

		for (j = 0; j < NR(expected[i]); j++) {
			assert_int_equal(cpu, expected[i][j]);
			if (cpu >= 0)
				cpu = cpumask_ring_next(&mask, start[i], cpu);
		}
	}
}

/* "LLC numbers of the 14 trace events": where the clones of two published traces went. */
static void test_llc_numbers_of_the_trace_events(void **state)
{
	static const int events[][2] = {
		{ 48, 6 }, { 175, 5 }, { 0, 0 },   { 145, 2 }, { 138, 1 },
		{ 59, 7 }, { 36, 4 },  { 162, 4 }, { 0, 0 },   { 144, 2 },
		{ 25, 3 }, { 48, 6 },  { 137, 1 }, { 41, 5 },
	};
	struct machine *machine = machine_shaped((struct machine_shape)ZEN3);
	size_t i;

	(void)state;
	assert_int_equal(machine->nr_cpus, 256);
	assert_int_equal(machine->nr[MACHINE_LLC], 16);
	for (i = 0; i < NR(events); i++)
		assert_int_equal(machine_unit_of(machine, MACHINE_LLC, events[i][0]),
				 events[i][1]);
	assert_int_equal(machine_unit_of(machine, MACHINE_NODE, 191), 0);
	assert_int_equal(machine_unit_of(machine, MACHINE_NODE, 192), 1);
	machine_free(machine);
}

static void test_numbering(void **state)
{
	static const struct {
		enum machine_numbering numbering;
		int core[8], node[8];
	} cases[] = {
		{ MACHINE_BLOCKED,
		  { 0, 1, 2, 3, 0, 1, 2, 3 },
		  { 0, 0, 1, 1, 0, 0, 1, 1 } },
		{ MACHINE_INTERLEAVED,
		  { 0, 1, 2, 3, 0, 1, 2, 3 },
		  { 0, 1, 0, 1, 0, 1, 0, 1 } },
		{ MACHINE_ADJACENT,
		  { 0, 0, 1, 1, 2, 2, 3, 3 },
		  { 0, 0, 0, 0, 1, 1, 1, 1 } },
	};
	size_t i;
	int cpu;

	(void)state;
	for (i = 0; i < NR(cases); i++) {
		struct machine *machine = machine_shaped((struct machine_shape){
			.packages = 2,
			.cores = 2,
			.threads = 2,
			.numbering = cases[i].numbering,
		});

		for (cpu = 0; cpu < 8; cpu++) {
			assert_int_equal(machine_unit_of(machine, MACHINE_CORE, cpu),
					 cases[i].core[cpu]);
			assert_int_equal(machine_unit_of(machine, MACHINE_NODE, cpu),
					 cases[i].node[cpu]);
		}
		machine_free(machine);
	}
}

static void test_distances(void **state)
{
	struct machine *machine =
		machine_shaped((struct machine_shape){ .packages = 2,
						       .nodes = 2,
						       .cores = 2,
						       .near_distance = 12,
						       .far_distance = 32 });

	(void)state;
	assert_int_equal(machine->nr_distances, 3);
	assert_int_equal(machine->distances[1], 12);
	assert_int_equal(cpumask_count(&machine->near[0]), 2);
	assert_int_equal(cpumask_count(&machine->near[1 * 4 + 3]), 4);
	assert_true(cpumask_has(&machine->near[1 * 4 + 3], 4));
	assert_int_equal(cpumask_count(&machine->near[2 * 4]), 8);
	assert_int_equal(machine->reclaim_distance, 30);
	machine_free(machine);
}

/* Holes in the CPU numbers, nodes numbered 8 and 2, an LLC number used in both. */
static void test_odd_numbers(void **state)
{
	static const struct machine_cpu cpus[] = {
		{ 9, { 40, -1, 7, 8, 0 } },
		{ 5, { 40, -1, 7, 8, 0 } },
		{ 70, { 3, -1, 7, 2, 1 } },
	};
	struct machine *machine = NULL;

	(void)state;
	assert_int_equal(machine_new(&(struct machine_desc){ .cpus = cpus, .nr_cpus = 3 },
				     &machine, NULL),
			 0);
	assert_int_equal(machine->nr_cpus, 71);
	assert_int_equal(machine->nr[MACHINE_LLC], 2);
	assert_int_equal(machine->nr[MACHINE_CORE], 2);
	assert_int_equal(machine_unit_of(machine, MACHINE_NODE, 5), 1);
	assert_int_equal(machine_unit_of(machine, MACHINE_NODE, 70), 0);
	assert_int_equal(machine->of[6].cpu, -1);
	assert_true(cpumask_has(machine_mask(machine, MACHINE_CORE, 9), 5));
	assert_true(cpumask_equal(machine_mask(machine, MACHINE_CORE, 70),
				  &machine->single[70]));
	machine_free(machine);
}

static void check_refused(const struct machine_cpu *cpus, size_t nr, const int *distances,
			  const char *expected)
{
	struct machine_desc desc = { .cpus = cpus,
				     .nr_cpus = nr,
				     .distances = distances };
	struct machine *machine = NULL;
	struct err err = { 0 };

	assert_int_equal(machine_new(&desc, &machine, &err), -EINVAL);
	assert_null(machine);
	assert_non_null(strstr(err.text, expected));
}

static void test_machine_refuses(void **state)
{
	static const struct machine_cpu cpus[] = {
		{ 0, { 0, -1, 0, 0, 0 } },
		{ 0, { 1, -1, 0, 0, 0 } },
		{ CPUMASK_CPUS, { 2, -1, 0, 0, 0 } },
		{ 1, { 0, -1, 1, 0, 0 } },
		{ 2, { 0, -1, 0, 1, 0 } },
		{ 3, { 0, 1, 0, 0, 0 } },
		{ 4, { 0, -1, 0, -1, 0 } },
		{ 5, { 5, -1, 5, 5, 0 } },
	};
	static const int flat[] = { 10, 10, 20, 10 };
	const struct machine_cpu two_llcs[] = { cpus[0], cpus[3] };
	const struct machine_cpu two_nodes[] = { cpus[0], cpus[4] };
	const struct machine_cpu two_clusters[] = { cpus[0], cpus[5] };
	const struct machine_cpu apart[] = { cpus[0], cpus[7] };

	(void)state;
	check_refused(cpus, 0, NULL, "without CPUs");
	check_refused(cpus, 2, NULL, "twice");
	check_refused(&cpus[2], 1, NULL, "out of range");
	check_refused(two_llcs, 2, NULL, "two LLCs");
	check_refused(two_nodes, 2, NULL, "two LLCs or nodes");
	check_refused(two_clusters, 2, NULL, "two clusters");
	check_refused(&cpus[6], 1, NULL, "node -1");
	check_refused(apart, 2, flat, "distance 10");
}

static void test_shape_refuses(void **state)
{
	struct machine_shape shape = { .packages = 64, .cores = 64, .threads = 2 };
	struct machine *machine = NULL;
	struct err err = { 0 };

	(void)state;
	assert_int_equal(machine_regular(&shape, &machine, &err), -EINVAL);
	assert_non_null(strstr(err.text, "4096"));
	shape.threads = 1;
	assert_int_equal(machine_regular(&shape, &machine, NULL), 0);
	assert_int_equal(machine->nr_cpus, 4096);
	machine_free(machine);
}

static void test_machine_from_topo(void **state)
{
	static struct topo_cpu cpus[] = {
		{ .cpu = 0, .core = 0, .llc = 0, .node = 0, .package = 0 },
		{ .cpu = 1, .core = 0, .llc = 0, .node = 0, .package = 0 },
		{ .cpu = 2, .core = -1, .llc = -1, .node = -1, .package = -1 },
		{ .cpu = 3, .core = -1, .llc = -1, .node = -1, .package = -1 },
	};
	struct topo topo = { .cpus = cpus, .nr_cpus = NR(cpus) };
	struct machine *machine = NULL;

	(void)state;
	assert_int_equal(machine_from_topo(&topo, NULL, &machine, NULL), 0);
	assert_int_equal(machine->nr[MACHINE_CORE], 3);
	assert_int_equal(machine->nr[MACHINE_LLC], 3);
	assert_int_equal(machine->nr[MACHINE_NODE], 1);
	assert_int_equal(cpumask_count(machine_mask(machine, MACHINE_LLC, 1)), 2);
	machine_free(machine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cpumask),
		cmocka_unit_test(test_cpumask_ring),
		cmocka_unit_test(test_llc_numbers_of_the_trace_events),
		cmocka_unit_test(test_numbering),
		cmocka_unit_test(test_distances),
		cmocka_unit_test(test_odd_numbers),
		cmocka_unit_test(test_machine_refuses),
		cmocka_unit_test(test_shape_refuses),
		cmocka_unit_test(test_machine_from_topo),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
