// SPDX-License-Identifier: GPL-2.0-or-later
/* Machine files: what they say, what they are like, and how they are refused. */
#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/err.h"
#include "lib/file.h"
#include "lib/topo.h"
#include "policy/machine.h"
#include "runner/machine_file.h"
#include "runner/sim_machine.h"

#define HEAD	  "schema: schedgrid-machine-1\n"
#define REFERENCE HEAD "like: reference\n"

/* Loads @text as a file of its own; the code, with the message in @err. */
static int load(const char *text, struct machine_file *ret, struct err *err)
{
	char path[] = "/tmp/schedgrid-machine-XXXXXX";
	int fd = mkstemp(path);
	int bad;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	(void)close(fd);
	*err = (struct err){ 0 };
	bad = machine_file_load(path, ret, err);
	(void)unlink(path);
	return bad;
}

static void loads(const char *text, struct machine_file *ret)
{
	struct err err;

	if (load(text, ret, &err))
		fail_msg("%s", err.text);
}

static void refused(const char *text, const char *why)
{
	struct machine_file file;
	struct err err;

	assert_true(load(text, &file, &err) < 0);
	if (!strstr(err.text, why))
		fail_msg("'%s' is not in '%s'", why, err.text);
}

static void reference(struct machine_file *ret)
{
	struct err err = { 0 };
	char *path = NULL;

	if (machine_file_find("reference", ".", &path, &err) ||
	    machine_file_load(path, ret, &err))
		fail_msg("%s", err.text);
	free(path);
}

static void test_costs_come_from_what_it_is_like(void **state)
{
	struct machine_file like, file;

	(void)state;
	reference(&like);
	assert_false(like.has_shape);
	loads(REFERENCE "topology: {packages: 2, llcs: 3, cores: 4, threads: 2, "
			"numbering: interleaved, far_distance: 32}\n"
			"llc_kib: 100\nx86: false\n"
			"costs: {line-llc: {value: 24, source: a paper}}\n",
	      &file);
	assert_true(file.has_shape && !file.is_x86);
	assert_int_equal(file.shape.llcs, 3);
	assert_int_equal(file.shape.numbering, MACHINE_INTERLEAVED);
	assert_int_equal(file.llc_kib, 100);
	assert_int_equal(file.costs.line[COST_LLC], 24);
	like.costs.line[COST_LLC] = 24;
	assert_memory_equal(&file.costs, &like.costs, sizeof(like.costs));
}

/* Its own work takes a slower CPU longer; lines, interrupts and memory don't. */
static void test_cpu_permille_scales_the_cpus_own_work(void **state)
{
	struct machine_file like, file;

	(void)state;
	reference(&like);
	loads(REFERENCE "costs:\n  wake: {value: 7, source: x}\n"
			"  cpu-permille: {value: 1500, source: x}\n",
	      &file);
	assert_int_equal(file.costs.wake, 7);
	assert_int_equal(file.costs.syscall, like.costs.syscall * 3 / 2);
	assert_int_equal(file.costs.fork_process, like.costs.fork_process * 3 / 2);
	assert_int_equal(file.costs.ipi[COST_LLC], like.costs.ipi[COST_LLC]);
	assert_int_equal(file.costs.line[COST_LLC], like.costs.line[COST_LLC]);
	assert_int_equal(file.costs.thread_mbs, like.costs.thread_mbs);
}

static void test_idle_states_are_taken_whole(void **state)
{
	struct machine_file file;

	(void)state;
	loads(REFERENCE "costs: {idle: [{latency_us: 1, residency_us: 2, exit_ns: 3, "
			"source: x}]}\n",
	      &file);
	assert_int_equal(file.costs.nr_idle, 1);
	assert_int_equal(file.costs.idle[0].exit_ns, 3);
}

static void test_refusals_say_where(void **state)
{
	static const struct {
		const char *text, *why;
	} cases[] = {
		{ "schema: x\n", ":1:9: expected the schema schedgrid-machine-1" },
		{ HEAD "topolgy: {}\n", ":2:1: unknown key 'topolgy' in the machine; "
					"expected one of schema, like, topology" },
		{ HEAD "topolgy: {}\n", "did you mean 'topology'?" },
		{ HEAD "like: referenc\n", ":2:7: unknown machine 'referenc'" },
		{ HEAD "like: ../x\n", ":2:7: expected the name of a machine" },
		{ HEAD, "no value for the cost 'syscall'" },
		{ REFERENCE "costs: {line-lc: {value: 1, source: x}}\n",
		  ":3:9: unknown cost 'line-lc'" },
		{ REFERENCE "costs: {line-lc: {value: 1, source: x}}\n",
		  "did you mean 'line-llc'?" },
		{ REFERENCE "costs: {wake: 3}\n", ":3:15: expected a mapping such as" },
		{ REFERENCE "costs: {wake: {value: 3}}\n",
		  ":3:15: 'source' is missing in the cost" },
		{ REFERENCE "costs: {wake: {value: -3, source: x}}\n", ":3:23: value: " },
		{ REFERENCE "costs: {wake: {value: 3, source: ''}}\n",
		  ":3:34: expected where the figure comes from" },
		{ REFERENCE "costs: {smt-permille: {value: 1001, source: x}}\n",
		  "1001 of 1000 (expected at most 1000)" },
		{ REFERENCE "costs: {cpu-permille: {value: 0, source: x}}\n",
		  "cpu-permille: expected 1 to 100000" },
		{ REFERENCE "costs: {idle: []}\n",
		  "expected a list of 1 to 4 idle states" },
		{ REFERENCE "costs: {idle: [{latency_us: 1, residency_us: 20, exit_ns: "
			    "1, source: x}, {latency_us: 1, residency_us: 2, exit_ns: 1, "
			    "source: x}]}\n",
		  "an idle state for 2 us behind one for 20 us" },
		{ REFERENCE "topology: {threads: 2}\n", "'cores' is missing" },
		{ REFERENCE "topology: {cores: 0}\n", "cores: " },
		{ REFERENCE "topology: {cores: 2, numbering: block}\n",
		  "unknown numbering 'block'; expected one of blocked, interleaved, "
		  "adjacent; did you mean 'blocked'?" },
		{ REFERENCE "x86: maybe\n", "unknown x86 'maybe'" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		refused(cases[i].text, cases[i].why);
}

/* Two files that are like each other have no end. */
static void test_circles_are_refused(void **state)
{
	char dir[] = "/tmp/schedgrid-machines-XXXXXX";
	struct machine_file file;
	struct err err = { 0 };
	char *a, *b;

	(void)state;
	assert_non_null(mkdtemp(dir));
	a = file_path("%s/a.yaml", dir);
	b = file_path("%s/b.yaml", dir);
	assert_int_equal(
		file_replace(a, HEAD "like: b\n", strlen(HEAD "like: b\n"), NULL), 0);
	assert_int_equal(
		file_replace(b, HEAD "like: a\n", strlen(HEAD "like: a\n"), NULL), 0);
	assert_int_equal(machine_file_load(a, &file, &err), -EINVAL);
	assert_non_null(strstr(err.text, "more than 8 files are like one another"));
	(void)unlink(a);
	(void)unlink(b);
	(void)rmdir(dir);
	free(a);
	free(b);
}

static void test_names_and_paths(void **state)
{
	struct err err = { 0 };
	char *path = NULL;

	(void)state;
	assert_int_equal(machine_file_find("zen3-2s64c2t-nps", ".", &path, &err),
			 -ENOENT);
	assert_non_null(strstr(err.text,
			       "unknown machine 'zen3-2s64c2t-nps'; expected a "
			       "file such as ./mine.yaml or one of arm64-224, "));
	assert_non_null(strstr(err.text, "did you mean 'zen3-2s64c2t-nps1'?"));
	assert_int_equal(machine_file_find("m.yaml", "/some", &path, NULL), 0);
	assert_string_equal(path, "/some/m.yaml");
	free(path);
	assert_int_equal(machine_file_find("/a/m", "/some", &path, NULL), 0);
	assert_string_equal(path, "/a/m");
	free(path);
}

static void open_machine(const char *name, struct sim_machine *ret)
{
	const struct sim_spec spec = { .machine = (char *)(uintptr_t)name };
	struct err err = { 0 };

	if (sim_machine_open(&spec, ".", ret, &err))
		fail_msg("%s: %s", name, err.text);
}

/* Farther is never cheaper, deeper is never quicker, wider is never slower. */
static void check_costs(const struct cost_model *costs)
{
	size_t i;

	for (i = 1; i < COST_DISTANCES; i++) {
		assert_true(costs->line[i] >= costs->line[i - 1]);
		assert_true(costs->refill_kib[i] >= costs->refill_kib[i - 1]);
	}
	for (i = 1; i < costs->nr_idle; i++) {
		assert_true(costs->idle[i].exit_ns > costs->idle[i - 1].exit_ns);
		assert_true(costs->idle[i].residency_us >
			    costs->idle[i - 1].residency_us);
	}
	assert_true(costs->smt_permille > 500 && costs->smt_permille < 1000);
	assert_true(costs->thread_mbs <= costs->llc_mbs);
	assert_true(costs->llc_mbs <= costs->node_mbs);
	assert_true(costs->link_mbs <= costs->node_mbs);
}

/* CPUs, cores, LLCs, nodes and packages as published for each of the machines. */
static void test_machines_of_the_suite(void **state)
{
	static const struct {
		const char *name;
		unsigned int cpus, cores, llcs, nodes, packages;
	} cases[] = {
		{ "numa-2s12c2t", 48, 24, 2, 2, 2 },
		{ "uma-4cpu-a", 4, 4, 1, 1, 1 },
		{ "xeon-e5504-4cpu", 4, 4, 1, 1, 1 },
		{ "lkp-ivb-d04", 4, 2, 1, 1, 1 },
		{ "x5570-2s4c2t", 16, 8, 2, 2, 2 },
		{ "x5650-2s6c2t", 24, 12, 2, 2, 2 },
		{ "x5650-2s6c1t", 12, 12, 2, 2, 2 },
		{ "e5620-4c2t", 8, 4, 1, 1, 1 },
		{ "q6600-4c", 4, 4, 2, 1, 1 },
		{ "zen3-2s64c2t-nps1", 256, 128, 16, 2, 2 },
		{ "skylake-2s24c2t", 96, 48, 2, 2, 2 },
		{ "skylake-2s24c2t-blocked", 96, 48, 2, 2, 2 },
		{ "hikey-2x4a53", 8, 8, 2, 1, 1 },
		{ "vm-2cpu", 2, 2, 1, 1, 1 },
		{ "cascadelake-2s24c2t", 96, 48, 2, 2, 2 },
		{ "sapphire-2s56c2t", 224, 112, 2, 2, 2 },
		{ "zen2-2s64c2t", 256, 128, 32, 2, 2 },
		{ "power9-2s20c4t", 160, 40, 20, 2, 2 },
		{ "arm64-kp920", 128, 128, 4, 4, 2 },
		{ "arm64-224", 224, 56, 2, 2, 2 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct sim_machine sim;

		open_machine(cases[i].name, &sim);
		assert_string_equal(sim.name, cases[i].name);
		assert_int_equal(sim.topo->nr_cpus, cases[i].cpus);
		assert_int_equal(sim.topo->allowed.nr, cases[i].cpus);
		assert_int_equal(sim.topo->nr_cores, cases[i].cores);
		assert_int_equal(sim.topo->nr_llcs, cases[i].llcs);
		assert_int_equal(sim.topo->nr_nodes, cases[i].nodes);
		assert_int_equal(sim.topo->nr_packages, cases[i].packages);
		assert_true(sim.topo->llc_bytes > 0);
		check_costs(&sim.costs);
		sim_machine_release(&sim);
	}
}

static void test_numbering_of_zen3_and_skylake(void **state)
{
	struct sim_machine sim;
	unsigned int cpu;

	(void)state;
	open_machine("zen3-2s64c2t-nps1", &sim);
	for (cpu = 0; cpu < 256; cpu++) {
		const struct topo_cpu *there = topo_find(sim.topo, cpu);

		assert_int_equal(there->llc, cpu % 128 / 8);
		assert_int_equal(there->node, cpu % 128 / 64);
	}
	sim_machine_release(&sim);
	open_machine("skylake-2s24c2t", &sim);
	for (cpu = 0; cpu < 96; cpu++)
		assert_int_equal(topo_find(sim.topo, cpu)->node, cpu % 2);
	sim_machine_release(&sim);
}

/* One cost or one distance more is another machine. */
static void test_digest_tells_machines_apart(void **state)
{
	struct sim_machine a, b, again;

	(void)state;
	open_machine("skylake-2s24c2t", &a);
	open_machine("skylake-2s24c2t", &again);
	open_machine("skylake-2s24c2t-blocked", &b);
	assert_string_equal(a.sha256, again.sha256);
	assert_string_not_equal(a.sha256, b.sha256);
	assert_memory_equal(&a.costs, &b.costs, sizeof(a.costs));
	sim_machine_release(&a);
	sim_machine_release(&b);
	sim_machine_release(&again);
}

static void test_topology_as_a_guests(void **state)
{
	struct sim_spec spec = { 0 };
	struct sim_machine sim;
	struct machine_file like;
	struct err err = { 0 };

	(void)state;
	reference(&like);
	assert_int_equal(guest_topology_find("two-node-8", &spec.topology), 0);
	if (sim_machine_open(&spec, ".", &sim, &err))
		fail_msg("%s", err.text);
	assert_string_equal(sim.name, "two-node-8");
	assert_int_equal(sim.topo->nr_cpus, 8);
	assert_int_equal(sim.machine->nr[MACHINE_NODE], 2);
	assert_int_equal(sim.machine->distance[0], 10);
	assert_int_equal(sim.machine->distance[1], spec.topology.distance);
	assert_int_equal(sim.machine->distance[3], 10);
	assert_memory_equal(&sim.costs, &like.costs, sizeof(like.costs));
	sim_machine_release(&sim);
}

static void test_costs_alone_are_no_machine(void **state)
{
	struct sim_spec spec = { .machine = (char *)(uintptr_t) "reference" };
	struct sim_machine sim;
	struct err err = { 0 };

	(void)state;
	assert_int_equal(sim_machine_open(&spec, ".", &sim, &err), -EINVAL);
	assert_non_null(strstr(err.text, "has costs but no topology"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_costs_come_from_what_it_is_like),
		cmocka_unit_test(test_cpu_permille_scales_the_cpus_own_work),
		cmocka_unit_test(test_idle_states_are_taken_whole),
		cmocka_unit_test(test_refusals_say_where),
		cmocka_unit_test(test_circles_are_refused),
		cmocka_unit_test(test_names_and_paths),
		cmocka_unit_test(test_machines_of_the_suite),
		cmocka_unit_test(test_numbering_of_zen3_and_skylake),
		cmocka_unit_test(test_digest_tells_machines_apart),
		cmocka_unit_test(test_topology_as_a_guests),
		cmocka_unit_test(test_costs_alone_are_no_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
