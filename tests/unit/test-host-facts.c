// SPDX-License-Identifier: GPL-2.0-or-later
/* record/host on made-up machines: what is read, and that nothing is made up. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/err.h"
#include "lib/json.h"
#include "lib/topo.h"
#include "record/host.h"
#include "tests/unit/fake-tree.h"

#define CPU "sys/devices/system/cpu/"

static void name_machine(const struct fake_tree *tree, const char *version)
{
	fake_tree_file(tree, "proc/sys/kernel/hostname", "made-up\n");
	fake_tree_file(tree, "proc/sys/kernel/osrelease", "6.1.0\n");
	fake_tree_file(tree, "proc/sys/kernel/version", version);
}

/* The facts of a tree with four CPUs and a node of memory only; the caller's. */
static struct jval *facts_of(const struct fake_tree *tree)
{
	struct topo_cpu cpus[] = { { 0 }, { .cpu = 1 }, { .cpu = 2 }, { .cpu = 5 } };
	struct topo_node nodes[] = { { 0, 1 << 30 }, { 8, 1 << 20 }, { 9, 0 } };
	const struct topo topo = {
		.cpus = cpus, .nr_cpus = 4, .nodes = nodes, .nr_all_nodes = 3
	};
	struct host *host = NULL;
	struct err err = { 0 };
	struct jval *facts;

	if (host_discover_at(tree->dir, &topo, &host, &err))
		fail_msg("%s", err.text);
	facts = jval_copy(host->facts);
	assert_non_null(facts);
	host_free(host);
	return facts;
}

static void check_text(const struct jval *object, const char *key, const char *expected)
{
	const char *text = jval_get_text(object, key);

	if (!expected) {
		assert_null(jval_get(object, key));
		return;
	}
	if (!text)
		fail_msg("no '%s'", key);
	assert_string_equal(text, expected);
}

static void check_json(const struct jval *object, const char *key, const char *expected)
{
	char *text;

	assert_non_null(jval_get(object, key));
	text = jval_write(jval_get(object, key), JVAL_CANONICAL);
	assert_non_null(text);
	assert_string_equal(text, expected);
	free(text);
}

static void test_host_discover_at_nothing(void **state)
{
	static const char *const allowed[] = { "schema", "machine", "kernel", "topology",
					       "memory" };
	const struct topo topo = { 0 };
	const struct jval *value;
	struct host *host = NULL;
	struct fake_tree tree;
	struct err err = { 0 };
	struct jval *facts;
	void *pos = NULL;
	const char *key;
	size_t i;

	(void)state;
	fake_tree_init(&tree);
	assert_int_equal(host_discover_at(tree.dir, &topo, &host, &err), -ENOENT);
	assert_null(host);
	assert_non_null(strstr(err.text, "/proc/sys/kernel'"));
	name_machine(&tree, "#1 SMP");
	facts = facts_of(&tree);
	while (jval_each(facts, &pos, &key, &value)) {
		for (i = 0; i < sizeof(allowed) / sizeof(allowed[0]); i++)
			if (!strcmp(key, allowed[i]))
				break;
		if (i == sizeof(allowed) / sizeof(allowed[0]))
			fail_msg("'%s' is known of a machine without files", key);
	}
	check_json(facts, "kernel", "{\"release\":\"6.1.0\",\"version\":\"#1 SMP\"}");
	check_json(facts, "memory", "{\"node_bytes\":{\"0\":1073741824,\"8\":1048576}}");
	jval_free(facts);
	fake_tree_release(&tree);
}

static void test_host_kernel_facts(void **state)
{
	static const struct {
		const char *version, *cmdline, *debugfs, *expected;
	} cases[] = {
		{ "#1 SMP PREEMPT_DYNAMIC x", "a preempt=full preempt=none b", NULL,
		  "none" },
		{ "#1 SMP PREEMPT_DYNAMIC x", "nopreempt=full", NULL, NULL },
		{ "#1 SMP PREEMPT_DYNAMIC x", "preempt=none",
		  "none voluntary (full) lazy\n", "full" },
		{ "#1 SMP PREEMPT_RT x", "preempt=none", NULL, "rt" },
		{ "#1 SMP PREEMPT Debian", "x", NULL, "full" },
		{ "#1 SMP Debian", "x", NULL, NULL },
	};
	struct fake_tree tree;
	struct jval *facts;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		fake_tree_init(&tree);
		name_machine(&tree, cases[i].version);
		fake_tree_file(&tree, "proc/cmdline", cases[i].cmdline);
		fake_tree_file(
			&tree, "boot/config-6.1.0",
			"CONFIG_SMP=y\nCONFIG_PREEMPT=y\nCONFIG_PREEMPT_DYNAMIC=y\n"
			"CONFIG_PREEMPT_RT=y\n");
		if (cases[i].debugfs)
			fake_tree_file(&tree, "sys/kernel/debug/sched/preempt",
				       cases[i].debugfs);
		facts = facts_of(&tree);
		check_text(facts, "preempt", cases[i].expected);
		check_text(facts, "cmdline", cases[i].cmdline);
		check_text(facts, "config_file", "/boot/config-6.1.0");
		check_text(facts, "config_sha256",
			   "cd9a91bfd03425393bf3b145b5b3f66dd7573b6f93f2bedd8b57f9b25"
			   "7a3e181");
		jval_free(facts);
		fake_tree_release(&tree);
	}
}

static void put_per_cpu(const struct fake_tree *tree, const char *name,
			const char *const values[4])
{
	static const unsigned int cpus[] = { 0, 1, 2, 5 };
	char path[128];
	size_t i;

	for (i = 0; i < 4; i++) {
		if (!values[i])
			continue;
		(void)snprintf(path, sizeof(path), CPU "cpu%u/%s", cpus[i], name);
		fake_tree_file(tree, path, values[i]);
	}
}

static void test_host_cpu_facts(void **state)
{
	static const char *const same[] = { "0x1\n", "0x1\n", "0x1\n", "0x1\n" };
	static const char *const mixed[] = { "performance\n", "powersave\n",
					     "performance\n", "performance\n" };
	static const char *const some[] = { "acpi\n", NULL, NULL, NULL };
	struct fake_tree tree;
	struct jval *facts;

	(void)state;
	fake_tree_init(&tree);
	name_machine(&tree, "#1 SMP");
	put_per_cpu(&tree, "microcode/version", same);
	put_per_cpu(&tree, "cpufreq/scaling_governor", mixed);
	put_per_cpu(&tree, "cpufreq/scaling_driver", some);
	fake_tree_file(&tree, CPU "vulnerabilities/meltdown", "Mitigation: PTI\n");
	fake_tree_file(&tree, CPU "vulnerabilities/l1tf", "Not affected\n");
	fake_tree_file(&tree, CPU "smt/control", "off\n");
	fake_tree_file(&tree, "proc/cpuinfo",
		       "cpu family\t: 6\n"
		       "model name\t: Made Up 9000\n"
		       "microcode\t: 0x9\n"
		       "flags\t\t: fpu vme\n");
	facts = facts_of(&tree);
	check_text(facts, "cpu_model", "Made Up 9000");
	check_text(facts, "microcode", "0x1");
	check_json(facts, "governor", "{\"performance\":\"0,2,5\",\"powersave\":\"1\"}");
	check_json(facts, "frequency", "{\"driver\":{\"acpi\":\"0\"}}");
	check_json(facts, "mitigations",
		   "{\"l1tf\":\"Not affected\",\"meltdown\":\"Mitigation: PTI\"}");
	check_text(facts, "smt", "off");
	assert_non_null(jval_get(facts, "hypervisor"));
	assert_false(jval_is_true(jval_get(facts, "hypervisor")));
	jval_free(facts);
	fake_tree_file(&tree, "proc/cpuinfo", "flags\t\t: fpu hypervisor\n");
	facts = facts_of(&tree);
	assert_true(jval_is_true(jval_get(facts, "hypervisor")));
	check_text(facts, "cpu_model", NULL);
	jval_free(facts);
	fake_tree_release(&tree);
}

static void put_domain(const struct fake_tree *tree, const char *folder, unsigned int cpu,
		       unsigned int level, const char *const texts[2])
{
	char path[128];

	(void)snprintf(path, sizeof(path), "%s/cpu%u/domain%u/name", folder, cpu, level);
	fake_tree_file(tree, path, texts[0]);
	(void)snprintf(path, sizeof(path), "%s/cpu%u/domain%u/flags", folder, cpu, level);
	fake_tree_file(tree, path, texts[1]);
}

static void test_host_sched_facts(void **state)
{
	static const char debugfs[] = "sys/kernel/debug/sched/domains";
	static const char procfs[] = "proc/sys/kernel/sched_domain";
	static const char *const mc[] = { "MC\n", "SD_BALANCE_NEWIDLE SD_PREFER \n" };
	static const char *const numa[] = { "NUMA\n", "1024\n" };
	struct fake_tree tree;
	struct jval *facts;

	(void)state;
	fake_tree_init(&tree);
	name_machine(&tree, "#1 SMP");
	put_domain(&tree, procfs, 0, 0, numa);
	fake_tree_file(&tree, "proc/sys/kernel/sched_autogroup_enabled", "0\n");
	fake_tree_file(&tree, "proc/sys/kernel/sched_schedstats", "1\n");
	fake_tree_file(&tree, "sys/kernel/debug/sched_features", "A NO_B\n");
	fake_tree_file(&tree, "sys/kernel/mm/transparent_hugepage/enabled",
		       "always [madvise] never\n");
	facts = facts_of(&tree);
	/* Before 5.13 procfs, and a folder among the sysctls is none of them. */
	check_json(facts, "sched_domains",
		   "[{\"cpus\":\"0\",\"levels\":[{\"flags\":\"1024\",\"name\":\"NUMA\"}]"
		   "}]");
	check_json(facts, "sched_sysctls",
		   "{\"sched_autogroup_enabled\":\"0\",\"sched_schedstats\":\"1\"}");
	check_text(facts, "sched_features", "A NO_B");
	check_text(facts, "sched_autogroup", "0");
	check_text(facts, "transparent_hugepage", "madvise");
	check_text(facts, "numa_balancing", NULL);
	jval_free(facts);

	put_domain(&tree, debugfs, 0, 0, mc);
	put_domain(&tree, debugfs, 1, 0, mc);
	put_domain(&tree, debugfs, 5, 0, mc);
	put_domain(&tree, debugfs, 5, 1, numa);
	fake_tree_file(&tree, "sys/kernel/debug/sched/tunable_scaling",
		       "none (logarithmic) linear\n");
	facts = facts_of(&tree);
	check_json(facts, "sched_domains",
		   "[{\"cpus\":\"0-1\",\"levels\":[{\"flags\":\"SD_BALANCE_NEWIDLE "
		   "SD_PREFER \",\"name\":\"MC\"}]},{\"cpus\":\"5\",\"levels\":[{"
		   "\"flags\":\"SD_BALANCE_NEWIDLE SD_PREFER \",\"name\":\"MC\"},{"
		   "\"flags\":\"1024\",\"name\":\"NUMA\"}]}]");
	check_json(facts, "sched_debugfs", "{\"tunable_scaling\":\"logarithmic\"}");
	jval_free(facts);
	fake_tree_release(&tree);
}

static void test_bl_095_host_bounds(void **state)
{
	struct fake_tree tree;
	struct jval *facts;

	(void)state;
	fake_tree_init(&tree);
	name_machine(&tree, "#1 SMP");
	fake_tree_file(&tree, "proc/self/cgroup", "4:cpu:/j\n0::/a/b\n");
	fake_tree_file(&tree, "proc/self/mountinfo",
		       "1 2 0:1 / /cg2 rw - cgroup2 x rw\n"
		       "1 2 0:2 / /cg1 rw - cgroup x rw,cpu\n");
	fake_tree_file(&tree, "proc/self/status",
		       "Name:\tx\nCpus_allowed_list:\t0-2,5\nMems_allowed_list:\t0,8\n");
	fake_tree_file(&tree, "proc/meminfo", "MemTotal:       2048 kB\n");
	facts = facts_of(&tree);
	check_json(facts, "cgroup", "[\"4:cpu:/j\",\"0::/a/b\"]");
	/* No file tells a limit: not known. */
	assert_null(jval_get(facts, "cgroup_limits"));
	check_text(facts, "affinity", "0-2,5");
	check_text(facts, "memory_nodes_allowed", "0,8");
	check_json(facts, "memory",
		   "{\"node_bytes\":{\"0\":1073741824,\"8\":1048576},\"total_bytes\":"
		   "2097152}");
	jval_free(facts);
	fake_tree_file(&tree, "cg2/a/b/pids.max", "max\n");
	fake_tree_file(&tree, "cg2/a/pids.max", "77\n");
	fake_tree_file(&tree, "cg2/a/b/memory.max", "4096\n");
	fake_tree_file(&tree, "cg1/j/cpu.cfs_quota_us", "-1\n");
	fake_tree_file(&tree, "cg1/cpu.cfs_quota_us", "50000\n");
	facts = facts_of(&tree);
	check_json(facts, "cgroup_limits",
		   "{\"cpu_quota\":\"50000\",\"memory_bytes\":4096,\"tasks\":77}");
	jval_free(facts);
	fake_tree_release(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_host_discover_at_nothing),
		cmocka_unit_test(test_host_kernel_facts),
		cmocka_unit_test(test_host_cpu_facts),
		cmocka_unit_test(test_host_sched_facts),
		cmocka_unit_test(test_bl_095_host_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
