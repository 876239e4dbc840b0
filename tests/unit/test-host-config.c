// SPDX-License-Identifier: GPL-2.0-or-later
/* record/host_config: whose configuration a file is, keeping it, its options. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/err.h"
#include "lib/file.h"
#include "lib/json.h"
#include "lib/topo.h"
#include "record/host.h"
#include "record/host_config.h"
#include "tests/unit/fake-tree.h"

#define HEAD "#\n# Automatically generated file; DO NOT EDIT.\n# Linux/x86 6.1.90 Kernel "
#define GCC  "gcc-12 (Debian 12.2.0-14) 12.2.0"
#define CONFIG                                                        \
	HEAD "Configuration\n#\nCONFIG_CC_VERSION_TEXT=\"" GCC "\"\n" \
	     "CONFIG_SMP=y\nCONFIG_PREEMPT_DYNAMIC=y\n# CONFIG_X is not set\n"

static const char config[] = CONFIG;

/* gzip -n of "CONFIG_SMP=y\nCONFIG_HZ=250\n". */
static const unsigned char packed[] = {
	0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x73,
	0xf6, 0xf7, 0x73, 0xf3, 0x74, 0x8f, 0x0f, 0xf6, 0x0d, 0xb0, 0xad,
	0xe4, 0x72, 0x86, 0x70, 0x3c, 0xa2, 0x6c, 0x8d, 0x4c, 0x0d, 0xb8,
	0x00, 0x49, 0xac, 0xa3, 0xe0, 0x1b, 0x00, 0x00, 0x00,
};

static void name_machine(const struct fake_tree *tree, const char *release,
			 const char *version, const char *built)
{
	fake_tree_file(tree, "proc/sys/kernel/hostname", "made-up\n");
	fake_tree_file(tree, "proc/sys/kernel/osrelease", release);
	fake_tree_file(tree, "proc/sys/kernel/version", version);
	if (built)
		fake_tree_file(tree, "proc/version", built);
}

static struct host *host_of(const struct fake_tree *tree)
{
	const struct topo topo = { 0 };
	struct host *host = NULL;
	struct err err = { 0 };

	if (host_discover_at(tree->dir, &topo, &host, &err))
		fail_msg("%s", err.text);
	return host;
}

static void write_packed(const struct fake_tree *tree, size_t len)
{
	char *path = file_path("%s/proc/config.gz", tree->dir);

	assert_non_null(path);
	assert_int_equal(file_replace(path, packed, len, NULL), 0);
	free(path);
}

static void test_host_config_facts_of_boot(void **state)
{
	static const struct {
		const char *release, *version, *built, *config;
		bool is_it;
	} cases[] = {
		{ "6.1.0-21-amd64", "#1 SMP PREEMPT_DYNAMIC Debian 6.1.90-1",
		  "Linux version 6.1.0-21-amd64 (" GCC ", GNU ld (Binutils) 2.40) #1",
		  CONFIG, true },
		{ "6.1.90", "#2 SMP", NULL, CONFIG, true },
		/* Another version, another compiler, an option that it doesn't have. */
		{ "6.12.3", "#2 SMP", NULL, CONFIG, false },
		{ "6.1.90", "#2 SMP",
		  "Linux version 6.1.90 (gcc (GCC) 13.1.0, GNU ld (Binutils) 2.40) #2",
		  CONFIG, false },
		{ "6.1.90", "#2 SMP PREEMPT_RT", NULL, CONFIG, false },
		{ "6.1.90", "#2 SMP PREEMPT x", NULL, CONFIG, false },
		/* Before 5.8 /proc/version names the compiler in other words. */
		{ "6.1.90", "#2 SMP", "Linux version 6.1.90 (gcc version 12.2.0) #2",
		  CONFIG, true },
		{ "6.1.90", "#2 SMP", NULL, "CONFIG_SMP=y\n", true },
		{ "6.1.90", "#2 SMP", NULL, "# CONFIG_SMP=y\n", false },
		{ "6.1.90", "#2", NULL, "not a configuration", false },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fake_tree tree;
		char path[64];
		struct host *host;

		fake_tree_init(&tree);
		name_machine(&tree, cases[i].release, cases[i].version, cases[i].built);
		(void)snprintf(path, sizeof(path), "boot/config-%s", cases[i].release);
		fake_tree_file(&tree, path, cases[i].config);
		host = host_of(&tree);
		if (!!host->config != cases[i].is_it ||
		    !!jval_get(host->facts, "config_sha256") != cases[i].is_it ||
		    !!jval_get(host->facts, "config_file") != cases[i].is_it)
			fail_msg("case %zu: taken the other way", i);
		if (host->config)
			assert_string_equal(host->config, cases[i].config);
		host_free(host);
		fake_tree_release(&tree);
	}
}

/* The kernel's own wins; what is cut short gives way to the other. */
static void test_host_config_facts_of_proc(void **state)
{
	struct fake_tree tree;
	struct host *host;

	(void)state;
	fake_tree_init(&tree);
	name_machine(&tree, "6.1.90", "#2 SMP", NULL);
	fake_tree_file(&tree, "boot/config-6.1.90", config);
	write_packed(&tree, sizeof(packed));
	host = host_of(&tree);
	assert_string_equal(host->config, "CONFIG_SMP=y\nCONFIG_HZ=250\n");
	assert_string_equal(jval_get_text(host->facts, "config_file"), "/proc/config.gz");
	host_free(host);
	write_packed(&tree, sizeof(packed) - 9);
	host = host_of(&tree);
	assert_string_equal(host->config, config);
	assert_string_equal(jval_get_text(host->facts, "config_file"),
			    "/boot/config-6.1.90");
	host_free(host);
	fake_tree_release(&tree);
}

static void test_host_config_save_and_load(void **state)
{
	struct fake_tree tree;
	struct host *host;
	struct err err = { 0 };
	char *text = NULL;
	char *boot = NULL;

	(void)state;
	fake_tree_init(&tree);
	name_machine(&tree, "6.1.90", "#2 SMP", NULL);
	fake_tree_file(&tree, "boot/config-6.1.90", config);
	host = host_of(&tree);
	assert_int_equal(host_save(host, tree.dir, &boot, &err), 0);
	assert_string_equal(boot, "b1");
	assert_int_equal(host_config_load(tree.dir, "b1", &text, &err), 0);
	assert_string_equal(text, config);
	free(text);
	/* Facts of another start under the name must not have this one's. */
	assert_int_equal(host_config_save(NULL, tree.dir, "b1", &err), 0);
	assert_int_equal(host_config_save(NULL, tree.dir, "b1", &err), 0);
	assert_int_equal(host_config_load(tree.dir, "b1", &text, &err), -ENOENT);
	err = (struct err){ 0 };
	assert_int_equal(host_config_load(tree.dir, "../b1", &text, &err), -EPROTO);
	assert_non_null(strstr(err.text, "'../b1'"));
	free(boot);
	host_free(host);
	fake_tree_release(&tree);
}

static void test_host_config_next(void **state)
{
	char text[] = "# CONFIG_A is not set\nCONFIG_B=y\n\n# CONFIG_C=y\n"
		      "CONFIG_D=\"a=b\"\nCONFIG_E\nCONFIG_F=m";
	static const char *const expected[][2] = { { "CONFIG_B", "y" },
						   { "CONFIG_D", "\"a=b\"" },
						   { "CONFIG_F", "m" } };
	const char *name, *value;
	char *at = text;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		assert_true(host_config_next(&at, &name, &value));
		assert_string_equal(name, expected[i][0]);
		assert_string_equal(value, expected[i][1]);
	}
	assert_false(host_config_next(&at, &name, &value));
}

/* A commit only where git describe wrote one. */
static void test_commit(void **state)
{
	static const struct {
		const char *release, *version, *commit;
	} cases[] = {
		{ "6.1.0-rc1-00012-g0123abc", "#1 SMP", "0123abc" },
		{ "6.1.0-g0123456789ab-dirty", "#1", "0123456789ab-dirty" },
		{ "6.1.0", "#1 SMP 6.1.0-3-gdeadbeef x", "deadbeef" },
		{ "6.1.0-generic", "#1", NULL },
		{ "6.1.0-g123", "#1", NULL },
		{ "6.1.0-gabcdefgh", "#1", NULL },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fake_tree tree;
		struct host *host;
		const char *commit;

		fake_tree_init(&tree);
		name_machine(&tree, cases[i].release, cases[i].version, NULL);
		host = host_of(&tree);
		commit = jval_get_text(host->facts, "commit");
		if (cases[i].commit ? !commit || strcmp(commit, cases[i].commit) != 0
				    : commit != NULL)
			fail_msg("%s: '%s'", cases[i].release, commit ? commit : "-");
		host_free(host);
		fake_tree_release(&tree);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_host_config_facts_of_boot),
		cmocka_unit_test(test_host_config_facts_of_proc),
		cmocka_unit_test(test_host_config_save_and_load),
		cmocka_unit_test(test_host_config_next),
		cmocka_unit_test(test_commit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
