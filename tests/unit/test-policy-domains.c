// SPDX-License-Identifier: GPL-2.0-or-later
/* policy/domain_rules and policy/domains: what each kernel builds on the seed machines. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "lib/err.h"
#include "policy/domains.h"
#include "policy/flags.h"
#include "policy/release.h"
#include "tests/unit/policy-scene.h"

#define NR(array) (sizeof(array) / sizeof((array)[0]))

static struct domains *built(const struct machine *machine, const char *release,
			     const struct flag_change *changes, size_t nr_changes)
{
	struct domains *domains = NULL;
	struct domain_rules rules;
	struct err err = { 0 };
	unsigned int number = 0;

	assert_int_equal(release_parse(release, &number, NULL), 0);
	domain_rules_of(number, &rules);
	if (domains_new(machine, &rules, changes, nr_changes, &domains, &err))
		fail_msg("%s", err.text);
	return domains;
}

/* "SMT 2, MC 16": the chain of @cpu. */
static void check_chain(const struct domains *domains, int cpu, const char *expected)
{
	const struct domain *domain;
	char text[200] = "";

	for (domain = domains->cpu[cpu].base; domain; domain = domain->parent)
		(void)snprintf(text + strlen(text), sizeof(text) - strlen(text),
			       "%s%s %d", *text ? ", " : "", domain->name,
			       domain->span_weight);
	assert_string_equal(text, expected);
}

static const struct domain *level_of(const struct domains *domains, int cpu,
				     enum sd_level level)
{
	static const struct domain none;
	const struct domain *domain = domains->cpu[cpu].base;

	while (domain && domain->level != level)
		domain = domain->parent;
	assert_non_null(domain);
	return domain ? domain : &none;
}

static void test_chains_of_the_seed_machines(void **state)
{
	static const struct {
		struct machine_shape shape;
		const char *release, *chain;
	} cases[] = {
		{ HASWELL, "4.9", "SMT 2, MC 24, NUMA 48" },
		{ { .cores = 4 }, "4.9", "MC 4" },
		{ { .llcs = 2, .cores = 4 }, "4.9", "MC 4, DIE 8" },
		{ IVB_D04, "5.7", "SMT 2, MC 4" },
		{ { .packages = 2, .cores = 4, .threads = 2 },
		  "3.3",
		  "SMT 2, MC 8, NODE 16" },
		{ { .packages = 2, .cores = 6 }, "3.3", "MC 6, NODE 12" },
		{ { .packages = 2, .cores = 6 }, "3.10", "MC 6, NUMA 12" },
		{ { .llcs = 2, .cores = 2 }, "3.3", "MC 2, CPU 4" },
		{ ZEN3, "5.18", "SMT 2, MC 16, DIE 128, NUMA 256" },
		{ ZEN3, "6.12", "SMT 2, MC 16, PKG 128, NUMA 256" },
		{ SKYLAKE, "5.18", "SMT 2, MC 48, NUMA 96" },
		{ { .llcs = 2, .clusters = 4, .cores = 4 },
		  "6.12",
		  "CLS 4, MC 16, PKG 32" },
		{ { .llcs = 2, .clusters = 4, .cores = 4 }, "5.15", "MC 16, DIE 32" },
		{ { .packages = 2, .nodes = 2, .llcs = 2, .cores = 4, .threads = 2 },
		  "6.1",
		  "SMT 2, MC 8, NODE 16, NUMA 32, NUMA 64" },
		{ { .packages = 2, .nodes = 2, .llcs = 2, .cores = 4, .threads = 2 },
		  "4.9",
		  "SMT 2, MC 8, NUMA 32, NUMA 64" },
		{ { .cores = 1 }, "6.1", "" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < NR(cases); i++) {
		struct machine *machine = machine_shaped(cases[i].shape);
		struct domains *domains = built(machine, cases[i].release, NULL, 0);

		check_chain(domains, machine->nr_cpus - 1, cases[i].chain);
		domains_free(domains);
		machine_free(machine);
	}
}

static unsigned long number_at(const struct domains *domains, const char *release,
			       enum sd_level level)
{
	const struct domain *domain = level_of(domains, 0, level);
	const struct sd_map *map = NULL;
	unsigned long value = 0;

	assert_int_equal(sd_map_find(release, &map, NULL), 0);
	assert_int_equal(sd_flags_encode(map, domain->flags & ~(unsigned int)SD_OVERLAP,
					 &value, NULL),
			 0);
	return value;
}

/* "encode SMT/MC defaults for each map", and the levels above. */
static void test_default_flags_by_version(void **state)
{
	/* MC, where DIE stays; a far distance within reach. */
	static const struct {
		const char *release;
		unsigned long smt, mc, package, numa;
	} cases[] = {
		{ "2.6.32", 175, 4655, 4143, 1071 },
		{ "3.0", 687, 4655, 4143, 1071 },
		{ "3.4", 687, 4655, 4143, 1071 },
		{ "3.16", 687, 559, 4143, 17455 },
		{ "4.8", 4783, 559, 4143, 17455 },
		{ "4.14", 4783, 559, 4143, 17455 },
		{ "4.19", 4783, 4655, 4143, 17455 },
		{ "5.7", 4783, 4655, 4143, 17455 },
		{ "5.8", 2391, 2327, 2071, 8727 },
		{ "5.10", 1239, 1175, 1047, 4375 },
		{ "5.14", 2455, 2327, 2071, 8727 },
		{ "6.1.192", 2455, 2327, 2071, 8727 },
		{ "6.8", 4759, 4631, 4119, 17431 },
		{ "6.12", 4759, 4631, 4119, 17431 },
	};
	struct machine *machine = machine_shaped((struct machine_shape){
		.packages = 2, .llcs = 2, .cores = 2, .threads = 2, .far_distance = 21 });
	size_t i;

	(void)state;
	for (i = 0; i < NR(cases); i++) {
		const char *release = cases[i].release;
		struct domains *domains = built(machine, release, NULL, 0);

		assert_int_equal(number_at(domains, release, SD_LEVEL_SMT), cases[i].smt);
		assert_int_equal(number_at(domains, release, SD_LEVEL_MC), cases[i].mc);
		assert_int_equal(number_at(domains, release, SD_LEVEL_PKG),
				 cases[i].package);
		assert_int_equal(number_at(domains, release, SD_LEVEL_NUMA),
				 cases[i].numa);
		domains_free(domains);
	}
	machine_free(machine);
}

static void test_a_removed_level_leaves_prefer_sibling(void **state)
{
	struct machine *machine = machine_shaped((struct machine_shape)HASWELL);
	struct domains *domains = built(machine, "3.16", NULL, 0);

	(void)state;
	assert_int_equal(number_at(domains, "3.16", SD_LEVEL_MC), 4655);
	domains_free(domains);
	machine_free(machine);
}

/* SD_CLUSTER has a number of its own since 6.7. */
static void test_cluster_level(void **state)
{
	struct machine *machine = machine_shaped(
		(struct machine_shape){ .llcs = 2, .clusters = 4, .cores = 4 });
	struct domains *domains = built(machine, "6.12", NULL, 0);

	(void)state;
	assert_int_equal(number_at(domains, "6.12", SD_LEVEL_CLS), 4887);
	domains_free(domains);
	domains = built(machine, "6.1", NULL, 0);
	assert_int_equal(number_at(domains, "6.1", SD_LEVEL_CLS), 2327);
	domains_free(domains);
	machine_free(machine);
}

static void test_far_nodes_lose_flags(void **state)
{
	struct machine_shape shape = { .packages = 2, .cores = 2, .far_distance = 32 };
	struct machine *machine = machine_shaped(shape);
	struct domains *domains = built(machine, "5.9", NULL, 0);
	const struct domain *numa = level_of(domains, 0, SD_LEVEL_NUMA);

	(void)state;
	assert_int_equal(numa->flags,
			 SD_BALANCE_NEWIDLE | SD_SERIALIZE | SD_OVERLAP | SD_NUMA);
	domains_free(domains);
	machine_free(machine);

	shape.reclaim_distance = 32;
	machine = machine_shaped(shape);
	domains = built(machine, "5.9", NULL, 0);
	assert_true(level_of(domains, 0, SD_LEVEL_NUMA)->flags & SD_BALANCE_FORK);
	domains_free(domains);
	domains = built(machine, "5.4", NULL, 0);
	assert_true(level_of(domains, 0, SD_LEVEL_NUMA)->flags & SD_BALANCE_FORK);
	domains_free(domains);
	/* 5.2 has no distance of the machine's own. */
	domains = built(machine, "5.2", NULL, 0);
	assert_false(level_of(domains, 0, SD_LEVEL_NUMA)->flags & SD_BALANCE_FORK);
	domains_free(domains);
	/* The NODE level of old kernels knows no distance. */
	domains = built(machine, "3.3", NULL, 0);
	assert_true(level_of(domains, 0, SD_LEVEL_NUMA)->flags & SD_BALANCE_FORK);
	domains_free(domains);
	machine_free(machine);
}

static void test_margins_by_version(void **state)
{
	static const struct {
		const char *release;
		int smt, mc, package, numa, busy_factor;
	} cases[] = {
		{ "2.6.32", 110, 125, 125, 125, 64 }, { "3.10", 110, 125, 125, 125, 64 },
		{ "3.16", 110, 117, 125, 125, 32 },   { "5.9.2", 110, 117, 125, 125, 32 },
		{ "5.10.7", 110, 117, 117, 117, 16 }, { "6.12", 110, 117, 117, 117, 16 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < NR(cases); i++) {
		struct domain_rules rules;
		unsigned int release = 0;

		assert_int_equal(release_parse(cases[i].release, &release, NULL), 0);
		domain_rules_of(release, &rules);
		assert_int_equal(rules.imbalance_pct[SD_LEVEL_SMT], cases[i].smt);
		assert_int_equal(rules.imbalance_pct[SD_LEVEL_MC], cases[i].mc);
		assert_int_equal(rules.imbalance_pct[SD_LEVEL_PKG], cases[i].package);
		assert_int_equal(rules.imbalance_pct[SD_LEVEL_NUMA], cases[i].numa);
		assert_int_equal(rules.busy_factor, cases[i].busy_factor);
		assert_int_equal(rules.cache_nice_tries[SD_LEVEL_NUMA], 2);
	}
}

/* "imb_numa_nr of the three machines for both formulas" */
static void test_imb_numa_nr_of_three_machines(void **state)
{
	static const struct {
		struct machine_shape shape;
		int v5_18, v6_0;
	} cases[] = { { ZEN3, 8, 8 }, { SKYLAKE, 12, 6 }, { HASWELL, 6, 3 } };
	size_t i;

	(void)state;
	for (i = 0; i < NR(cases); i++) {
		static const char *const releases[] = { "5.17", "5.18", "5.19", "6.0",
							"6.12" };
		const int expected[] = { 0, cases[i].v5_18, cases[i].v5_18, cases[i].v6_0,
					 cases[i].v6_0 };
		struct machine *machine = machine_shaped(cases[i].shape);
		size_t j;

		for (j = 0; j < NR(releases); j++) {
			struct domains *domains = built(machine, releases[j], NULL, 0);

			assert_int_equal(level_of(domains, 0, SD_LEVEL_NUMA)->imb_numa_nr,
					 expected[j]);
			domains_free(domains);
		}
		machine_free(machine);
	}
}

/* Several NUMA levels: more may stay the wider the level; a small node lets one stay. */
static void test_imb_numa_nr_of_wide_and_small_machines(void **state)
{
	struct machine *machine = machine_shaped((struct machine_shape){
		.packages = 2, .nodes = 2, .llcs = 2, .cores = 4, .threads = 2 });
	struct domains *domains = built(machine, "6.1", NULL, 0);

	(void)state;
	assert_int_equal(level_of(domains, 0, SD_LEVEL_NODE)->imb_numa_nr, 2);
	assert_int_equal(level_of(domains, 0, SD_LEVEL_NUMA)->imb_numa_nr, 2);
	assert_int_equal(level_of(domains, 0, SD_LEVEL_NUMA)->parent->imb_numa_nr, 4);
	domains_free(domains);
	machine_free(machine);

	machine = machine_shaped((struct machine_shape){ .packages = 2, .cores = 2 });
	domains = built(machine, "5.18", NULL, 0);
	assert_int_equal(level_of(domains, 0, SD_LEVEL_NUMA)->imb_numa_nr, 0);
	domains_free(domains);
	domains = built(machine, "6.0", NULL, 0);
	assert_int_equal(level_of(domains, 0, SD_LEVEL_NUMA)->imb_numa_nr, 1);
	domains_free(domains);
	machine_free(machine);
}

/* Node 2 has no near neighbour: its near level is a second PKG level up to 5.9. */
static void test_a_numa_level_that_adds_nothing(void **state)
{
	static const struct machine_cpu cpus[] = {
		{ 0, { 0, -1, 0, 0, 0 } }, { 1, { 1, -1, 0, 0, 0 } },
		{ 2, { 2, -1, 1, 1, 1 } }, { 3, { 3, -1, 1, 1, 1 } },
		{ 4, { 4, -1, 2, 2, 2 } }, { 5, { 5, -1, 2, 2, 2 } },
	};
	static const int distances[] = { 10, 12, 20, 12, 10, 20, 20, 20, 10 };
	struct machine_desc desc = { .cpus = cpus, .nr_cpus = 6, .distances = distances };
	struct machine *machine = NULL;
	struct domains *domains;

	(void)state;
	assert_int_equal(machine_new(&desc, &machine, NULL), 0);
	domains = built(machine, "5.9", NULL, 0);
	check_chain(domains, 0, "MC 2, NUMA 4, NUMA 6");
	check_chain(domains, 4, "MC 2, NUMA 2, NUMA 6");
	domains_free(domains);
	domains = built(machine, "5.10", NULL, 0);
	check_chain(domains, 4, "MC 2, NUMA 6");
	domains_free(domains);
	machine_free(machine);
}

static void test_capacity_by_version(void **state)
{
	struct machine *machine = machine_shaped((struct machine_shape)HASWELL);
	struct domains *domains = built(machine, "4.19", NULL, 0);

	(void)state;
	assert_int_equal(domains->cpu[5].capacity, 589);
	domains_free(domains);
	domains = built(machine, "5.2", NULL, 0);
	assert_int_equal(domains->cpu[5].capacity, 1024);
	domains_free(domains);
	machine_free(machine);

	machine = machine_shaped((struct machine_shape){ .cores = 4 });
	domains = built(machine, "4.9", NULL, 0);
	assert_int_equal(domains->cpu[0].capacity, 1024);
	domains_free(domains);
	machine_free(machine);
}

static void check_ring(const struct domains *domains, int cpu, enum sd_level level,
		       const char *expected)
{
	const struct domain *domain = level_of(domains, cpu, level);
	char text[200] = "";
	int i;

	for (i = 0; i < domain->nr_groups; i++) {
		assert_true(
			cpumask_has(domain_group(domains, domain, i), domain->lead[i]));
		(void)snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%d",
			       i ? " " : "", domain->lead[i]);
	}
	assert_string_equal(text, expected);
	assert_true(cpumask_has(domain_group(domains, domain, 0), cpu));
}

static void test_rings_start_at_their_cpu(void **state)
{
	/* Threads 0,4 1,5 2,6 3,7; packages 0,1 and 2,3. */
	struct machine *machine = machine_shaped(
		(struct machine_shape){ .packages = 2, .cores = 2, .threads = 2 });
	struct domains *domains = built(machine, "4.9", NULL, 0);

	(void)state;
	check_ring(domains, 0, SD_LEVEL_SMT, "0 4");
	check_ring(domains, 4, SD_LEVEL_SMT, "4 0");
	check_ring(domains, 0, SD_LEVEL_MC, "0 1");
	check_ring(domains, 5, SD_LEVEL_MC, "5 0");
	check_ring(domains, 3, SD_LEVEL_MC, "3 6");
	check_ring(domains, 1, SD_LEVEL_NUMA, "1 2");
	check_ring(domains, 2, SD_LEVEL_NUMA, "2 4");
	assert_int_equal(cpumask_count(domain_group(
				 domains, level_of(domains, 2, SD_LEVEL_NUMA), 1)),
			 4);
	domains_free(domains);
	machine_free(machine);
}

static void test_llc_is_cached_at_attach(void **state)
{
	struct machine *machine = machine_shaped((struct machine_shape)ZEN3);
	struct flag_change change = { SD_LEVEL_MC, 0, SD_SHARE_LLC };
	struct domains *domains = built(machine, "6.1", NULL, 0);

	(void)state;
	assert_int_equal(domains->cpu[137].llc_size, 16);
	assert_int_equal(domains->cpu[137].llc_id, 8);
	assert_true(domains_share_cache(domains, 8, 143));
	assert_false(domains_share_cache(domains, 8, 16));

	/* The word of 256 domains changes, and nothing else does. */
	assert_int_equal(domains_write(domains, &change), 256);
	assert_false(level_of(domains, 137, SD_LEVEL_MC)->flags & SD_SHARE_LLC);
	assert_int_equal(domains->cpu[137].llc_size, 16);
	assert_true(domains_share_cache(domains, 8, 143));
	assert_int_equal(domains_write(domains, &change), 0);
	domains_free(domains);

	/* A kernel built without the flag believes in cores only. */
	domains = built(machine, "6.1", &change, 1);
	assert_int_equal(domains->cpu[137].llc_size, 2);
	assert_int_equal(domains->cpu[137].llc_id, 9);
	assert_false(domains_share_cache(domains, 8, 9));
	domains_free(domains);
	change.level = SD_LEVELS;
	domains = built(machine, "6.1", &change, 1);
	assert_null(domains->cpu[137].llc);
	assert_int_equal(domains->cpu[137].llc_size, 1);
	assert_int_equal(domains->cpu[137].llc_id, 137);
	domains_free(domains);
	machine_free(machine);
}

/* What the mail wrote to domain0 and domain1 is the default and one flag more. */
static void test_the_mails_numbers_are_defaults_and_wake(void **state)
{
	static const struct flag_change wake = { SD_LEVELS, SD_BALANCE_WAKE, 0 };
	struct machine *machine = machine_shaped(
		(struct machine_shape){ .packages = 2, .cores = 4, .threads = 2 });
	struct domains *domains = built(machine, "3.3", NULL, 0);

	(void)state;
	assert_int_equal(domains_write(domains, &wake), 48);
	assert_int_equal(number_at(domains, "3.3", SD_LEVEL_MC), 4671);
	assert_int_equal(number_at(domains, "3.3", SD_LEVEL_SMT), 703);
	domains_free(domains);
	machine_free(machine);
}

static void test_levels_by_name(void **state)
{
	enum sd_level level = SD_LEVEL_SMT;
	struct err err = { 0 };

	(void)state;
	assert_int_equal(sd_level_parse("DIE", &level, NULL), 0);
	assert_int_equal(level, SD_LEVEL_PKG);
	assert_int_equal(sd_level_parse("all", &level, NULL), 0);
	assert_int_equal(level, SD_LEVELS);
	assert_int_equal(sd_level_parse("domain1", &level, &err), -EINVAL);
	assert_non_null(strstr(err.text, "MC"));
	assert_int_equal(level, SD_LEVELS);
}

static void test_flag_change_apply(void **state)
{
	static const struct flag_change change = { SD_LEVEL_MC, SD_BALANCE_WAKE,
						   SD_WAKE_AFFINE };

	(void)state;
	assert_int_equal(flag_change_apply(&change, SD_LEVEL_MC, SD_WAKE_AFFINE),
			 SD_BALANCE_WAKE);
	assert_int_equal(flag_change_apply(&change, SD_LEVEL_SMT, SD_WAKE_AFFINE),
			 SD_WAKE_AFFINE);
}

static void test_old_kernels_have_levels_for_16_nodes(void **state)
{
	struct machine *machine =
		machine_shaped((struct machine_shape){ .packages = 17 });
	struct domains *domains = NULL;
	struct domain_rules rules;
	struct err err = { 0 };

	(void)state;
	domain_rules_of(RELEASE(3, 3, 0), &rules);
	assert_int_equal(domains_new(machine, &rules, NULL, 0, &domains, &err), -ENOTSUP);
	assert_non_null(strstr(err.text, "17 nodes"));
	assert_null(domains);
	machine_free(machine);
}

/* The largest machine: 4096 CPUs. */
static void test_4096_cpus(void **state)
{
	struct machine *machine = machine_shaped((struct machine_shape){
		.packages = 16, .nodes = 2, .llcs = 8, .cores = 8, .threads = 2 });
	struct domains *domains = built(machine, "6.12", NULL, 0);

	(void)state;
	check_chain(domains, 4095, "SMT 2, MC 16, NODE 128, NUMA 256, NUMA 4096");
	domains_free(domains);
	machine_free(machine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chains_of_the_seed_machines),
		cmocka_unit_test(test_default_flags_by_version),
		cmocka_unit_test(test_a_removed_level_leaves_prefer_sibling),
		cmocka_unit_test(test_cluster_level),
		cmocka_unit_test(test_far_nodes_lose_flags),
		cmocka_unit_test(test_margins_by_version),
		cmocka_unit_test(test_imb_numa_nr_of_three_machines),
		cmocka_unit_test(test_imb_numa_nr_of_wide_and_small_machines),
		cmocka_unit_test(test_a_numa_level_that_adds_nothing),
		cmocka_unit_test(test_capacity_by_version),
		cmocka_unit_test(test_rings_start_at_their_cpu),
		cmocka_unit_test(test_llc_is_cached_at_attach),
		cmocka_unit_test(test_the_mails_numbers_are_defaults_and_wake),
		cmocka_unit_test(test_levels_by_name),
		cmocka_unit_test(test_flag_change_apply),
		cmocka_unit_test(test_old_kernels_have_levels_for_16_nodes),
		cmocka_unit_test(test_4096_cpus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
