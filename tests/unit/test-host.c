// SPDX-License-Identifier: GPL-2.0-or-later
/* record/host: this host's facts, names of starts, and what tells kernels apart. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include <cmocka.h>

#include "lib/err.h"
#include "lib/json.h"
#include "lib/topo.h"
#include "record/host.h"
#include "tests/unit/fake-tree.h"

static struct host *this_host(void)
{
	struct topo_cpu cpus[] = { { 0, 0, -1, 0, 0 }, { 1, 1, -1, 0, 0 } };
	struct topo topo = {
		.cpus = cpus, .nr_cpus = 2, .nr_cores = 2, .nr_nodes = 1, .nr_packages = 1
	};
	struct host *host = NULL;
	struct err err = { 0 };

	assert_int_equal(cpulist_parse("0-1", &topo.allowed, NULL), 0);
	if (host_discover(&topo, &host, &err))
		fail_msg("%s", err.text);
	cpulist_release(&topo.allowed);
	return host;
}

/* Makes @host one of another start of its kernel. */
static void set_boot(struct host *host, const char *boot_id)
{
	free(host->boot_id);
	host->boot_id = boot_id ? strdup(boot_id) : NULL;
	if (boot_id)
		assert_int_equal(
			jval_put(host->facts, "boot_id", jval_from_string(boot_id)), 0);
}

static void check_save(const struct host *host, const struct fake_tree *tree,
		       const char *expected)
{
	struct err err = { 0 };
	char *boot = NULL;

	if (host_save(host, tree->dir, &boot, &err))
		fail_msg("%s", err.text);
	assert_string_equal(boot, expected);
	free(boot);
}

static void test_host_discover(void **state)
{
	struct host *host = this_host();
	const struct jval *topology = jval_get(host->facts, "topology");
	struct utsname name;
	uint64_t number = 0;

	(void)state;
	assert_int_equal(uname(&name), 0);
	assert_string_equal(host->machine, name.nodename);
	assert_string_equal(host->release, name.release);
	assert_string_equal(host->version, name.version);
	assert_string_equal(jval_get_text(host->facts, "schema"), "schedgrid-host-1");
	assert_string_equal(jval_get_text(host->facts, "machine"), name.nodename);
	assert_true(jval_uint(jval_get(topology, "cpus"), &number));
	assert_int_equal(number, 2);
	assert_string_equal(jval_get_text(topology, "allowed"), "0-1");
	/* Not known is absent, never 0. */
	assert_null(jval_get(topology, "llcs"));
	assert_null(jval_get(topology, "llc_bytes"));
	if (host->build_id)
		assert_int_equal(strspn(host->build_id, "0123456789abcdef"),
				 strlen(host->build_id));
	host_free(host);
	host_free(NULL);
}

static void test_bl_003_same_release_other_kernel(void **state)
{
	static char release[] = "6.1.0", one[] = "#1 SMP", two[] = "#2 SMP";
	static char id_a[] = "aa00", id_b[] = "bb11";
	const struct host hosts[] = {
		{ .release = release, .version = one, .build_id = id_a },
		{ .release = release, .version = two, .build_id = id_a },
		{ .release = release, .version = one, .build_id = id_b },
		{ .release = release, .version = one },
	};
	enum { NR = sizeof(hosts) / sizeof(hosts[0]) };
	struct jval *kernels[NR];
	size_t i, j;

	(void)state;
	for (i = 0; i < NR; i++) {
		kernels[i] = host_kernel(&hosts[i]);
		assert_non_null(kernels[i]);
		assert_string_equal(jval_get_text(kernels[i], "release"), release);
		for (j = 0; j < i; j++)
			assert_false(jval_equal(kernels[i], kernels[j]));
	}
	assert_null(jval_get(kernels[3], "build_id"));
	for (i = 0; i < NR; i++)
		jval_free(kernels[i]);
}

static void test_host_kernel(void **state)
{
	struct host *host = this_host();
	struct jval *kernel = host_kernel(host);

	(void)state;
	assert_true(jval_equal(kernel, jval_get(host->facts, "kernel")));
	jval_free(kernel);
	host_free(host);
}

static void test_host_save_as(void **state)
{
	struct host *host = this_host();
	struct jval *facts = NULL;
	struct fake_tree tree;

	(void)state;
	fake_tree_init(&tree);
	assert_int_equal(host_save_as(host, tree.dir, "b1c2", NULL), 0);
	assert_int_equal(host_load(tree.dir, "b1c2", &facts, NULL), 0);
	assert_true(jval_equal(facts, host->facts));
	jval_free(facts);
	/* A name of its own takes none of the others'. */
	check_save(host, &tree, "b1");
	fake_tree_release(&tree);
	host_free(host);
}

static void test_host_save(void **state)
{
	struct host *host = this_host();
	struct fake_tree tree;
	struct err err = { 0 };
	char *boot = NULL;

	(void)state;
	fake_tree_init(&tree);
	set_boot(host, "first");
	check_save(host, &tree, "b1");
	check_save(host, &tree, "b1");
	set_boot(host, "second");
	assert_int_equal(host_find(host, tree.dir, &boot, &err), -ENOENT);
	assert_string_equal(boot, "b2");
	free(boot);
	check_save(host, &tree, "b2");
	check_save(host, &tree, "b2");
	assert_int_equal(host_find(host, tree.dir, &boot, &err), 0);
	assert_string_equal(boot, "b2");
	free(boot);
	set_boot(host, "first");
	check_save(host, &tree, "b1");
	fake_tree_release(&tree);
	host_free(host);
}

/* A host whose boot_id can't be read, with a fact of its own. */
static struct host *nameless_host(const char *governor)
{
	struct host *host = calloc(1, sizeof(*host));

	assert_non_null(host);
	host->facts = jval_object();
	assert_int_equal(
		jval_put(host->facts, "schema", jval_from_string("schedgrid-host-1")), 0);
	assert_int_equal(jval_put(host->facts, "governor", jval_from_string(governor)),
			 0);
	return host;
}

static void test_host_save_without_boot_id(void **state)
{
	struct host *one = nameless_host("performance");
	struct host *two = nameless_host("powersave");
	struct fake_tree tree;

	(void)state;
	fake_tree_init(&tree);
	/* One that has a name is not this one, whatever else is equal. */
	set_boot(two, "first");
	check_save(two, &tree, "b1");
	host_free(two);
	two = nameless_host("powersave");
	check_save(one, &tree, "b2");
	check_save(one, &tree, "b2");
	check_save(two, &tree, "b3");
	check_save(one, &tree, "b2");
	check_save(two, &tree, "b3");
	/* Of two with the same facts the newest. */
	fake_tree_file(&tree, "hosts/b4.json",
		       "{\"governor\":\"performance\",\"schema\":\"schedgrid-host-1\"}");
	check_save(one, &tree, "b4");
	fake_tree_release(&tree);
	host_free(one);
	host_free(two);
}

static void test_host_check_boot(void **state)
{
	static const char *const bad[] = { "",	  ".",	   "..",  ".b1",
					   "/b1", "../b1", "a/b", "b1/" };
	struct jval *facts = NULL;
	struct fake_tree tree;
	struct err err;
	size_t i;

	(void)state;
	assert_int_equal(host_check_boot("b1", NULL), 0);
	assert_int_equal(host_check_boot("b1.2", NULL), 0);
	fake_tree_init(&tree);
	fake_tree_file(&tree, "b1.json", "{\"schema\":\"schedgrid-host-1\"}");
	fake_tree_file(&tree, "hosts/x.json", "{\"schema\":\"schedgrid-host-1\"}");
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		err = (struct err){ 0 };
		assert_int_equal(host_check_boot(bad[i], &err), -EPROTO);
		assert_non_null(strstr(err.text, bad[i]));
		/* No file outside of hosts/ is ever looked at. */
		assert_int_equal(host_load(tree.dir, bad[i], &facts, NULL), -EPROTO);
		assert_null(facts);
	}
	fake_tree_release(&tree);
}

static void test_host_save_refuses(void **state)
{
	struct host *host = this_host();
	struct fake_tree tree;
	struct err err = { 0 };
	char *boot = NULL;

	(void)state;
	fake_tree_init(&tree);
	/* Damage is named; a second b1 would be a false one. */
	fake_tree_file(&tree, "hosts/b1.json", "{\"schema\":");
	assert_int_equal(host_save(host, tree.dir, &boot, &err), -EPROTO);
	assert_null(boot);
	assert_non_null(strstr(err.text, "hosts/b1.json: not valid JSON"));
	fake_tree_release(&tree);

	fake_tree_init(&tree);
	fake_tree_file(&tree, "hosts", "not a folder");
	err = (struct err){ 0 };
	assert_int_equal(host_save(host, tree.dir, &boot, &err), -ENOTDIR);
	assert_null(boot);
	fake_tree_release(&tree);
	host_free(host);
}

static void test_host_load(void **state)
{
	struct host *host = this_host();
	struct jval *facts = NULL;
	struct fake_tree tree;
	struct err err = { 0 };

	(void)state;
	fake_tree_init(&tree);
	set_boot(host, "first");
	check_save(host, &tree, "b1");
	assert_int_equal(host_load(tree.dir, "b1", &facts, NULL), 0);
	assert_true(jval_equal(facts, host->facts));
	jval_free(facts);
	host_free(host);

	facts = NULL;
	assert_int_equal(host_load(tree.dir, "b2", &facts, &err), -ENOENT);
	fake_tree_file(&tree, "hosts/b2.json", "{\"schema\":\"schedgrid-host-9\"}");
	err = (struct err){ 0 };
	assert_int_equal(host_load(tree.dir, "b2", &facts, &err), -EPROTO);
	assert_non_null(strstr(err.text, "b2.json: schema"));
	assert_non_null(strstr(err.text, "'schedgrid-host-9'"));
	fake_tree_file(&tree, "hosts/b3.json", "[]");
	err = (struct err){ 0 };
	assert_int_equal(host_load(tree.dir, "b3", &facts, &err), -EPROTO);
	fake_tree_file(&tree, "hosts/b4.json", "");
	assert_int_equal(host_load(tree.dir, "b4", &facts, NULL), -EPROTO);
	assert_null(facts);
	fake_tree_release(&tree);
}

static void test_bl_053_cpu_model_is_not_text(void **state)
{
	struct host *host = this_host();
	struct jval *facts = NULL;
	struct fake_tree tree;

	(void)state;
	fake_tree_init(&tree);
	set_boot(host, "\xff");
	check_save(host, &tree, "b1");
	assert_int_equal(host_load(tree.dir, "b1", &facts, NULL), 0);
	assert_string_equal(jval_get_text(facts, "boot_id"), "\\xff");
	jval_free(facts);
	fake_tree_release(&tree);
	host_free(host);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_host_discover),
		cmocka_unit_test(test_bl_003_same_release_other_kernel),
		cmocka_unit_test(test_host_kernel),
		cmocka_unit_test(test_host_save),
		cmocka_unit_test(test_host_save_as),
		cmocka_unit_test(test_host_save_without_boot_id),
		cmocka_unit_test(test_host_check_boot),
		cmocka_unit_test(test_host_save_refuses),
		cmocka_unit_test(test_host_load),
		cmocka_unit_test(test_bl_053_cpu_model_is_not_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
