// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/topo on machines that don't exist, and on saved trees of real ones: those
 * in the folder that SCHEDGRID_TOPOLOGIES names, or beside the checkout.
 */
#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/err.h"
#include "lib/file.h"
#include "lib/topo.h"
#include "runner/pin.h"
#include "tests/unit/fake-tree.h"

#define NR(array) (sizeof(array) / sizeof((array)[0]))

static void discover_in(const char *root, struct topo **ret)
{
	struct err err = { 0 };

	assert_int_equal(setenv("HWLOC_FSROOT", root, 1), 0);
	assert_int_equal(setenv("HWLOC_THISSYSTEM", "0", 1), 0);
	if (topo_discover(ret, &err))
		fail_msg("%s: %s", root, err.text);
	assert_int_equal(unsetenv("HWLOC_FSROOT"), 0);
	assert_int_equal(unsetenv("HWLOC_THISSYSTEM"), 0);
}

/* The machine of @cpus; with NUMA nodes where @nodes isn't NULL. */
static struct topo *machine_of(const struct fake_cpu *cpus, size_t nr, const char *nodes,
			       int bare)
{
	struct topo *topo = NULL;
	struct fake_tree tree;

	fake_tree_init(&tree);
	fake_tree_cpus(&tree, cpus, nr);
	if (nodes)
		fake_tree_nodes(&tree, cpus, nr, nodes, bare);
	discover_in(tree.dir, &topo);
	fake_tree_release(&tree);
	return topo;
}

static void check_list(const struct cpulist *list, const char *expected)
{
	char *text = cpulist_write(list);

	assert_non_null(text);
	assert_string_equal(text, expected);
	free(text);
}

static void check_pin(const char *word, const struct topo *topo, const char *expected)
{
	struct cpulist list = { 0 };
	struct err err = { 0 };

	if (pin_resolve(word, topo, &list, &err))
		fail_msg("%s is refused: %s", word, err.text);
	check_list(&list, expected);
	cpulist_release(&list);
}

static void check_counts(const struct topo *topo, const unsigned int expected[5])
{
	assert_int_equal(topo->nr_cpus, expected[0]);
	assert_int_equal(topo->nr_cores, expected[1]);
	assert_int_equal(topo->nr_llcs, expected[2]);
	assert_int_equal(topo->nr_nodes, expected[3]);
	assert_int_equal(topo->nr_packages, expected[4]);
}

static void test_topo_discover_one_llc(void **state)
{
	static const struct fake_cpu cpus[] = { { 0, 0, 0, 0, 0 }, { 1, 0, 1, 0, 0 } };
	struct topo *topo = machine_of(cpus, NR(cpus), "0", -1);

	(void)state;
	check_counts(topo, (const unsigned int[]){ 2, 2, 1, 1, 1 });
	assert_int_equal(topo->llc_bytes, 16 << 20);
	check_list(&topo->allowed, "0-1");
	check_pin("one-llc", topo, "0-1");
	topo_free(topo);
}

static void test_topo_find(void **state)
{
	static const struct fake_cpu cpus[] = { { 1, 0, 0, 0, 0 },
						{ 3, 0, 1, 0, 0 },
						{ 40, 1, 0, 1, 1 } };
	struct topo *topo = machine_of(cpus, NR(cpus), "0-1", -1);
	const struct topo_cpu *entry = topo_find(topo, 40);

	(void)state;
	assert_non_null(entry);
	assert_int_equal(entry->cpu, 40);
	assert_int_equal(entry->core, 2);
	assert_int_equal(entry->llc, 1);
	assert_int_equal(entry->node, 1);
	assert_int_equal(entry->package, 1);
	assert_int_equal(topo_find(topo, 3)->core, 1);
	assert_null(topo_find(topo, 0));
	assert_null(topo_find(topo, 2));
	assert_null(topo_find(topo, 41));
	topo_free(topo);
	topo_free(NULL);
}

static void test_bl_033_smt_off(void **state)
{
	static const struct fake_cpu cpus[] = {
		{ 0, 0, 0, 0, 0 }, { 2, 0, 1, 0, 0 }, { 4, 0, 2, 1, 0 }, { 6, 0, 3, 1, 0 }
	};
	struct topo *topo;
	struct fake_tree tree;

	(void)state;
	fake_tree_init(&tree);
	fake_tree_cpus(&tree, cpus, NR(cpus));
	fake_tree_nodes(&tree, cpus, NR(cpus), "0", -1);
	/* The other threads are there, but not online. */
	fake_tree_file(&tree, "sys/devices/system/cpu/present", "0-7\n");
	fake_tree_file(&tree, "sys/devices/system/cpu/possible", "0-127\n");
	fake_tree_file(&tree, "sys/devices/system/cpu/offline", "1,3,5,7-127\n");
	fake_tree_file(&tree, "sys/devices/system/cpu/cpu1/online", "0\n");
	fake_tree_file(&tree, "sys/devices/system/cpu/cpu7/online", "0\n");
	discover_in(tree.dir, &topo);
	fake_tree_release(&tree);

	check_counts(topo, (const unsigned int[]){ 4, 4, 2, 1, 1 });
	check_list(&topo->allowed, "0,2,4,6");
	assert_null(topo_find(topo, 1));
	check_pin("one-per-core", topo, "0,2,4,6");
	check_pin("one-llc", topo, "0,2");
	check_pin("one-per-llc", topo, "0,4");
	topo_free(topo);
}

static void test_bl_063_holes_in_core_ids(void **state)
{
	static const int core_ids[] = { 0, 2, 4, 8, 10, 12 };
	struct fake_cpu cpus[24];
	struct topo *topo;
	unsigned int i;

	(void)state;
	/* Two packages of six cores of two threads, the second threads behind all. */
	for (i = 0; i < 24; i++) {
		int package = i % 12 >= 6;

		cpus[i] = (struct fake_cpu){ i, package, core_ids[i % 6], package,
					     package };
	}
	topo = machine_of(cpus, 24, "0-1", -1);
	check_counts(topo, (const unsigned int[]){ 24, 12, 2, 2, 2 });
	for (i = 0; i < 24; i++)
		assert_int_equal(topo_find(topo, i)->core, i % 12);
	check_pin("one-core", topo, "0,12");
	check_pin("one-per-core", topo, "0-11");
	check_pin("one-llc", topo, "0-5,12-17");
	topo_free(topo);
}

static void test_bl_107_sparse_node_ids(void **state)
{
	static const struct fake_cpu cpus[] = {
		{ 0, 0, 0, 0, 0 }, { 1, 0, 1, 0, 0 }, { 2, 1, 0, 1, 8 }, { 3, 1, 1, 1, 8 }
	};
	struct topo *topo = machine_of(cpus, NR(cpus), "0,8", -1);

	(void)state;
	check_counts(topo, (const unsigned int[]){ 4, 4, 2, 2, 2 });
	assert_int_equal(topo_find(topo, 1)->node, 0);
	assert_int_equal(topo_find(topo, 2)->node, 8);
	assert_int_equal(topo_find(topo, 3)->node, 8);
	check_pin("one-per-node", topo, "0,2");
	topo_free(topo);
}

static void test_bl_107_no_node_0(void **state)
{
	static const struct fake_cpu cpus[] = { { 0, 0, 0, 0, 3 }, { 1, 0, 1, 0, 3 } };
	struct topo *topo = machine_of(cpus, NR(cpus), "3", -1);

	(void)state;
	assert_int_equal(topo->nr_nodes, 1);
	assert_int_equal(topo_find(topo, 0)->node, 3);
	check_pin("one-node", topo, "0-1");
	topo_free(topo);
}

static void test_node_without_memory(void **state)
{
	static const struct fake_cpu cpus[] = {
		{ 0, 0, 0, 0, 0 }, { 1, 0, 1, 0, 0 }, { 2, 1, 0, 1, 1 }, { 3, 1, 1, 1, 1 }
	};
	struct topo *topo = machine_of(cpus, NR(cpus), "0-1", 1);

	(void)state;
	check_counts(topo, (const unsigned int[]){ 4, 4, 2, 2, 2 });
	assert_int_equal(topo_find(topo, 3)->node, 1);
	assert_int_equal(topo->nr_all_nodes, 2);
	assert_int_equal(topo->nodes[1].memory_bytes, 0);
	topo_free(topo);
}

static void test_node_without_cpus(void **state)
{
	static const struct fake_cpu cpus[] = { { 0, 0, 0, 0, 0 }, { 1, 0, 1, 0, 0 } };
	struct topo *topo = machine_of(cpus, NR(cpus), "0,2", -1);

	(void)state;
	check_counts(topo, (const unsigned int[]){ 2, 2, 1, 1, 1 });
	check_pin("one-per-node", topo, "0");
	assert_int_equal(topo->nr_all_nodes, 2);
	assert_int_equal(topo->nodes[0].node, 0);
	assert_int_equal(topo->nodes[1].node, 2);
	assert_int_equal(topo->nodes[1].memory_bytes, 1 << 30);
	topo_free(topo);
}

static void test_bl_093_masks_with_commas(void **state)
{
	struct fake_cpu cpus[128];
	struct topo *topo;
	struct fake_tree tree;
	char *text;
	unsigned int i;

	(void)state;
	/* 16 CPUs of every 32 share a cache with 16 of the words beside them. */
	for (i = 0; i < 128; i++)
		cpus[i] = (struct fake_cpu){ i, 0, (int)i, (int)i / 16 % 2, 0 };
	fake_tree_init(&tree);
	fake_tree_cpus(&tree, cpus, 128);
	text = fake_tree_read(
		&tree, "sys/devices/system/cpu/cpu0/cache/index0/shared_cpu_map", NULL);
	assert_string_equal(text, "0000ffff,0000ffff,0000ffff,0000ffff\n");
	free(text);
	discover_in(tree.dir, &topo);
	fake_tree_release(&tree);
	check_counts(topo, (const unsigned int[]){ 128, 128, 2, 1, 1 });
	check_pin("one-llc", topo, "0-15,32-47,64-79,96-111");
	topo_free(topo);
}

static void test_2048_cpus(void **state)
{
	enum { NR_CPUS = 2048 };
	struct fake_cpu *cpus = calloc(NR_CPUS, sizeof(*cpus));
	struct topo *topo;
	unsigned int i;

	(void)state;
	assert_non_null(cpus);
	for (i = 0; i < NR_CPUS; i++)
		cpus[i] = (struct fake_cpu){ i, (int)i / 256, (int)i / 2 % 128,
					     (int)i / 16, (int)i / 256 };
	topo = machine_of(cpus, NR_CPUS, "0-7", -1);
	free(cpus);
	check_counts(topo, (const unsigned int[]){ 2048, 1024, 128, 8, 8 });
	check_list(&topo->allowed, "0-2047");
	assert_int_equal(topo_find(topo, 2047)->llc, 127);
	check_pin("one-per-node", topo, "0,256,512,768,1024,1280,1536,1792");
	topo_free(topo);
}

static void test_no_cache_directory(void **state)
{
	static const struct fake_cpu cpus[] = { { 0, 0, 0, -1, 0 }, { 1, 0, 1, -1, 0 } };
	struct topo *topo = machine_of(cpus, NR(cpus), "0", -1);
	struct cpulist list = { 0 };
	struct err err = { 0 };

	(void)state;
	/* Not this host's caches either. */
	check_counts(topo, (const unsigned int[]){ 2, 2, 0, 1, 1 });
	assert_int_equal(topo->llc_bytes, 0);
	assert_int_equal(topo_find(topo, 0)->llc, -1);
	assert_int_equal(pin_resolve("one-llc", topo, &list, &err), -EINVAL);
	assert_null(list.cpu);
	assert_string_equal(err.text, "pin 'one-llc': this machine doesn't tell which "
				      "last-level cache CPU 0 belongs to");
	check_pin("one-llc-or-cpu", topo, "0");
	topo_free(topo);
}

static void test_caches_that_end_at_different_levels(void **state)
{
	static const struct fake_cpu cpus[] = {
		{ 0, 0, 0, 0, 0 }, { 1, 0, 1, 0, 0 }, { 2, 1, 0, 1, 0 }, { 3, 1, 1, 1, 0 }
	};
	struct topo *topo;
	struct fake_tree tree;

	(void)state;
	fake_tree_init(&tree);
	fake_tree_cpus(&tree, cpus, NR(cpus));
	/* The second package has no L3: each library numbers the levels apart. */
	fake_tree_file(&tree, "sys/devices/system/cpu/cpu2/cache/index0/level", "2\n");
	fake_tree_file(&tree, "sys/devices/system/cpu/cpu3/cache/index0/level", "2\n");
	discover_in(tree.dir, &topo);
	fake_tree_release(&tree);
	assert_int_equal(topo->nr_llcs, 2);
	check_pin("one-llc", topo, "0-1");
	check_pin("one-per-llc", topo, "0,2");
	topo_free(topo);
}

static unsigned long long sum_of(const struct topo *topo, const char *text)
{
	struct cpulist cpus = { 0 };
	unsigned long long sum;

	assert_int_equal(cpulist_parse(text, &cpus, NULL), 0);
	sum = topo_llc_sum(topo, &cpus);
	cpulist_release(&cpus);
	return sum;
}

static void test_topo_llc_sum(void **state)
{
	/* Caches in turn; CPU 7 knows of none. */
	static const struct fake_cpu cpus[] = {
		{ 0, 0, 0, 0, 0 }, { 1, 0, 1, 1, 0 },  { 2, 0, 2, 0, 0 },
		{ 3, 0, 3, 1, 0 }, { 7, 1, 0, -1, 0 },
	};
	struct cpulist none = { 0 };
	struct topo *topo;
	struct fake_tree tree;

	(void)state;
	fake_tree_init(&tree);
	fake_tree_cpus(&tree, cpus, NR(cpus));
	fake_tree_file(&tree, "sys/devices/system/cpu/cpu1/cache/index0/size", "4096K\n");
	fake_tree_file(&tree, "sys/devices/system/cpu/cpu3/cache/index0/size", "4096K\n");
	discover_in(tree.dir, &topo);
	fake_tree_release(&tree);
	assert_int_equal(topo->llc_bytes, 16 << 20);
	assert_int_equal(sum_of(topo, "0"), 16 << 20);
	assert_int_equal(sum_of(topo, "1"), 4 << 20);
	assert_int_equal(sum_of(topo, "0,2"), 16 << 20);
	assert_int_equal(sum_of(topo, "0-3"), 20 << 20);
	/* Part of a sum is no sum; nor is there one of a CPU that is offline. */
	assert_int_equal(sum_of(topo, "0-3,7"), 0);
	assert_int_equal(sum_of(topo, "0,5"), 0);
	assert_int_equal(topo_llc_sum(topo, &none), 0);
	topo_free(topo);
}

static void test_topo_discover_refuses_no_tree(void **state)
{
	struct topo *topo = NULL;
	struct fake_tree tree;
	struct err err = { 0 };

	(void)state;
	fake_tree_init(&tree);
	assert_int_equal(setenv("HWLOC_FSROOT", tree.dir, 1), 0);
	assert_int_equal(topo_discover(&topo, &err), -ENOENT);
	assert_int_equal(unsetenv("HWLOC_FSROOT"), 0);
	assert_null(topo);
	assert_non_null(strstr(err.text, tree.dir));
	fake_tree_release(&tree);
}

static void test_topo_discover_this_host(void **state)
{
	struct topo *topo = NULL;

	(void)state;
	assert_int_equal(topo_discover(&topo, NULL), 0);
	assert_true(topo->nr_cpus >= 1);
	assert_true(topo->allowed.nr >= 1 && topo->allowed.nr <= topo->nr_cpus);
	assert_true(topo->nr_llcs <= topo->nr_cpus);
	topo_free(topo);
}

/* What the names of the saved trees say: CPUs, cores, LLCs, nodes, packages. */
static const struct {
	const char *name;
	unsigned int counts[5];
} known[] = {
	{ "128ia64-17n4s2c", { 128, 128, 0, 16, 64 } },
	{ "16amd64-8n2c", { 16, 16, 16, 8, 8 } },
	{ "16amd64-8n2c-cpusets", { 15, 15, 15, 8, 8 } },
	{ "16em64t-4s2c2t", { 16, 8, 4, 1, 4 } },
	{ "16em64t-4s2c2t-offlines", { 12, 7, 4, 1, 4 } },
	{ "20em64t-hybrid-1p6c2t+2ca4co1t", { 20, 14, 1, 1, 1 } },
	{ "256ppc-8n8s4t", { 256, 64, 64, 8, 64 } },
	{ "32amd64-4s2n4c-cgroup2", { 32, 32, 8, 8, 4 } },
	{ "48amd64-4pa2n6c-sparse", { 48, 48, 8, 8, 4 } },
	{ "64amd64-4s2n4ca2co", { 64, 64, 8, 8, 4 } },
	{ "8em64t-2s2ca2c-buggynuma", { 8, 8, 4, 1, 2 } },
	{ "8em64t-2s4c-asymcaches", { 8, 8, 5, 1, 2 } },
	{ "96em64t-4no4pa3ca2co", { 96, 96, 16, 4, 16 } },
	{ "offline-cpu0-node0", { 17, 17, 2, 1, 2 } },
};

static void check_machine(const char *name, const struct topo *topo)
{
	const char *const *word;
	size_t i;

	for (i = 0; i < NR(known); i++)
		if (!strcmp(known[i].name, name))
			check_counts(topo, known[i].counts);
	assert_true(topo->nr_cpus > 0 && topo->nr_cores <= topo->nr_cpus);
	assert_true(topo->nr_llcs <= topo->nr_cpus);
	assert_true(topo->nr_packages <= topo->nr_cores);
	for (i = 0; i < topo->allowed.nr; i++)
		assert_non_null(topo_find(topo, topo->allowed.cpu[i]));
	for (word = pin_words(); *word; word++) {
		struct cpulist list = { 0 };
		struct err err = { 0 };

		if (pin_resolve(*word, topo, &list, &err)) {
			assert_null(list.cpu);
			assert_true(strlen(err.text) > strlen(*word));
		} else {
			assert_true(list.nr > 0);
			assert_int_equal(cpulist_outside(&list, &topo->allowed), -1);
		}
		cpulist_release(&list);
	}
}

static int unpack(const char *archive, const char *dir)
{
	int status = -1;
	pid_t pid = fork();

	if (pid == 0) {
		(void)execlp("tar", "tar", "-xjf", archive, "-C", dir, (char *)NULL);
		_exit(127);
	}
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

/* The first folder of @dir: the archives hold one, not always called as they are. */
static char *only_folder(const char *dir)
{
	DIR *stream = opendir(dir);
	const struct dirent *entry;
	char *path = NULL;

	assert_non_null(stream);
	while (!path && (entry = readdir(stream)))
		if (entry->d_name[0] != '.')
			path = file_path("%s/%s", dir, entry->d_name);
	(void)closedir(stream);
	assert_non_null(path);
	return path;
}

static void check_archive(const char *folder, const char *file, size_t name_len)
{
	char *archive = file_path("%s/%s", folder, file);
	char *name = strndup(file, name_len);
	struct topo *topo = NULL;
	struct fake_tree tree;
	char *root;

	assert_non_null(archive);
	assert_non_null(name);
	fake_tree_init(&tree);
	assert_int_equal(unpack(archive, tree.dir), 0);
	root = only_folder(tree.dir);
	discover_in(root, &topo);
	check_machine(name, topo);
	topo_free(topo);
	fake_tree_release(&tree);
	free(root);
	free(name);
	free(archive);
}

static void test_saved_machines(void **state)
{
	static const char suffix[] = ".tar.bz2";
	const char *source = getenv("SCHEDGRID_SOURCE");
	const char *given = getenv("SCHEDGRID_TOPOLOGIES");
	char *folder =
		given ? strdup(given)
		      : file_path("%s/../shared/data/topologies", source ? source : ".");
	const struct dirent *entry;
	size_t nr = 0;
	DIR *dir;

	(void)state;
	assert_non_null(folder);
	dir = opendir(folder);
	if (!dir) {
		free(folder);
		skip();
	}
	while ((entry = readdir(dir))) {
		const char *at = strstr(entry->d_name, suffix);

		if (!at || at[sizeof(suffix) - 1])
			continue;
		check_archive(folder, entry->d_name, (size_t)(at - entry->d_name));
		nr++;
	}
	(void)closedir(dir);
	free(folder);
	assert_true(nr > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_topo_discover_one_llc),
		cmocka_unit_test(test_topo_find),
		cmocka_unit_test(test_bl_033_smt_off),
		cmocka_unit_test(test_bl_063_holes_in_core_ids),
		cmocka_unit_test(test_bl_107_sparse_node_ids),
		cmocka_unit_test(test_bl_107_no_node_0),
		cmocka_unit_test(test_node_without_memory),
		cmocka_unit_test(test_node_without_cpus),
		cmocka_unit_test(test_bl_093_masks_with_commas),
		cmocka_unit_test(test_2048_cpus),
		cmocka_unit_test(test_no_cache_directory),
		cmocka_unit_test(test_caches_that_end_at_different_levels),
		cmocka_unit_test(test_topo_llc_sum),
		cmocka_unit_test(test_topo_discover_refuses_no_tree),
		cmocka_unit_test(test_topo_discover_this_host),
		/* A skip shows the name; this one is no fault of the project's. */
		{ "host: saved trees of real machines", test_saved_machines, NULL, NULL,
		  NULL },
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
