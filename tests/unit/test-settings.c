// SPDX-License-Identifier: GPL-2.0-or-later
/* Settings as words, and what files of a made-up machine they come to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "lib/err.h"
#include "lib/json.h"
#include "policy/flags.h"
#include "runner/grid.h"
#include "runner/plan_settings.h"
#include "runner/settings_find.h"
#include "tests/unit/fake-tree.h"

static char *text_of(const struct settings *settings)
{
	struct jval *json = settings_json(settings);
	char *text = jval_write(json, JVAL_CANONICAL);

	jval_free(json);
	assert_non_null(text);
	return text;
}

static void test_flags_of_all_kernels_have_names(void **state)
{
	struct err err = { 0 };
	unsigned int a = 0;
	unsigned int b = 0;

	(void)state;
	assert_int_equal(settings_flag("SD_SHARE_PKG_RESOURCES", &a, &err), 0);
	assert_int_equal(settings_flag("SD_SHARE_LLC", &b, &err), 0);
	assert_int_equal(a, b);
	assert_int_equal(settings_flag("SD_SHARE_CPUPOWER", &a, &err), 0);
	assert_int_equal(a, SD_SHARE_CPUCAPACITY);
	assert_int_equal(settings_flag("SD_BALANCE_WAK", &a, &err), -EINVAL);
	assert_non_null(strstr(err.text, "expected SD_BALANCE_WAKE"));
}

static void test_levels_have_several_names(void **state)
{
	struct settings *settings = settings_new();
	struct settings_domain *domain = &settings->domain;
	const char *const *name = settings_level_names();

	(void)state;
	for (; *name; name++)
		assert_true(settings_has_level(domain, *name));
	assert_int_equal(settings_add_text(&domain->levels, "PKG"), 0);
	assert_true(settings_has_level(domain, "DIE"));
	assert_true(settings_has_level(domain, "CPU"));
	assert_false(settings_has_level(domain, "MC"));
	assert_false(settings_has_level(domain, "unheard-of"));
	settings_free(settings);
}

static void test_identity_is_not_the_order_nor_the_name(void **state)
{
	struct settings *a = settings_new();
	struct settings *b = settings_new();
	char *left;
	char *right;

	(void)state;
	assert_false(settings_any(NULL));
	assert_false(settings_any(a));
	settings_add_text(&a->domain.levels, "SMT");
	settings_add_text(&a->domain.levels, "DIE");
	settings_add_text(&b->domain.levels, "PKG");
	settings_add_text(&b->domain.levels, "SIBLING");
	a->domain.set = b->domain.set = SD_SHARE_LLC;
	b->domain.accept_word_only = true;
	settings_add_pair(&a->sysctl, "vm.a", "1");
	settings_add_pair(&a->sysctl, "vm.b", "2");
	settings_add_pair(&b->sysctl, "vm.b", "2");
	settings_add_pair(&b->sysctl, "vm.a", "1");
	assert_string_equal(settings_value(&b->sysctl, "vm.a"), "1");
	assert_null(settings_value(&b->sysctl, "vm.c"));
	assert_true(settings_any(a));
	left = text_of(a);
	right = text_of(b);
	assert_string_equal(left, right);
	assert_non_null(strstr(left, "SD_SHARE_LLC"));
	free(right);
	b->smt = SETTINGS_OFF;
	right = text_of(b);
	assert_string_not_equal(left, right);
	free(right);
	free(left);
	settings_free(b);
	assert_ptr_equal(settings_share(a), a);
	settings_free(a);
	assert_true(settings_any(a));
	settings_free(a);
	settings_free(settings_share(NULL));
}

static void test_word_only_depends_on_the_kernel(void **state)
{
	struct settings_domain domain = { .clear = SD_SHARE_LLC };
	struct settings settings = { .domain = { .clear = SD_SHARE_LLC,
						 .accept_word_only = true } };
	struct grid_column column = { .name = strdup("llc"), .settings = &settings };
	struct grid grid = { .columns = &column, .nr_columns = 1 };

	(void)state;
	assert_false(settings_is_word_only(&domain, "3.2.0"));
	assert_true(settings_is_word_only(&domain, "4.9.0"));
	assert_false(settings_is_word_only(&domain, "no release"));
	assert_int_equal(plan_tell_effects(&grid, "3.2.0"), 0);
	assert_string_equal(column.name, "llc");
	assert_int_equal(plan_tell_effects(&grid, "4.9.0"), 0);
	assert_string_equal(column.name, "llc (word-only)");
	assert_true(plan_is_here(&grid));
	free(column.name);
}

/* One find function's writes as "path=value" lines. */
static void expect_writes(struct journal_writes *writes, const char *const *expected)
{
	size_t i;

	for (i = 0; i < writes->nr; i++) {
		char line[512];

		assert_non_null(expected[i]);
		(void)snprintf(line, sizeof(line), "%s=%s", writes->write[i].path,
			       writes->write[i].value);
		assert_string_equal(line, expected[i]);
	}
	assert_null(expected[i]);
	journal_writes_release(writes);
}

static void test_cpusets_of_both_versions(void **state)
{
	static const char v1[] = "3:cpuset:/job\n";
	static const char v2[] = "0::/user\n";
	char dir[64];
	struct settings settings = { 0 };
	struct journal_writes writes = { 0 };
	struct fake_tree tree;
	struct err err = { 0 };
	struct settings_place place = { NULL, "6.1.0" };
	size_t i;

	(void)state;
	fake_tree_init(&tree);
	place.root = tree.dir;
	cpulist_parse("0-1", &settings.cpuset.cpus, NULL);
	assert_int_equal(settings_find_cpus(&place, &settings, &writes, &err),
			 -EOPNOTSUPP);
	fake_tree_file(&tree, "proc/self/cgroup", v1);
	fake_tree_file(
		&tree, "proc/self/mountinfo",
		"30 20 0:1 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n");
	fake_tree_file(&tree, "sys/fs/cgroup/cpuset/job/cpuset.mems", "0-1\n");
	memset(&err, 0, sizeof(err));
	assert_int_equal(settings_find_cpus(&place, &settings, &writes, &err), 0);
	(void)snprintf(dir, sizeof(dir), "/sys/fs/cgroup/cpuset/job/schedgrid-%ld",
		       (long)getpid());
	assert_int_equal(writes.nr, 4);
	for (i = 0; i < writes.nr; i++)
		assert_memory_equal(writes.write[i].path, dir, strlen(dir));
	assert_int_equal(writes.write[0].kind, JOURNAL_GROUP);
	assert_string_equal(writes.write[1].value, "0-1");
	assert_string_equal(writes.write[2].value, "0-1");
	assert_int_equal(writes.write[3].kind, JOURNAL_MOVE);
	assert_string_equal(writes.write[3].before,
			    "/sys/fs/cgroup/cpuset/job/cgroup.procs");
	journal_writes_release(&writes);
	fake_tree_file(&tree, "proc/self/cgroup", v2);
	fake_tree_file(&tree, "proc/self/mountinfo",
		       "30 20 0:1 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
	fake_tree_file(&tree, "sys/fs/cgroup/cgroup.subtree_control", "cpu io\n");
	assert_int_equal(settings_find_cpus(&place, &settings, &writes, &err), 0);
	assert_int_equal(writes.nr, 4);
	assert_int_equal(writes.write[0].kind, JOURNAL_PART);
	assert_string_equal(writes.write[0].value, "+cpuset");
	assert_string_equal(writes.write[3].before, "/sys/fs/cgroup/user/cgroup.procs");
	journal_writes_release(&writes);
	cpulist_release(&settings.cpuset.cpus);
	fake_tree_release(&tree);
}

static void test_knobs_are_where_the_kernel_has_them(void **state)
{
	static const char *const expected[] = {
		"/sys/kernel/debug/sched/min_granularity_ns=5",
		"/proc/sys/kernel/sched_migration_cost=6",
		"/proc/sys/vm/swappiness=7",
		NULL,
	};
	struct settings *settings = settings_new();
	struct journal_writes writes = { 0 };
	struct fake_tree tree;
	struct err err = { 0 };
	struct settings_place place = { NULL, "6.1.0" };

	(void)state;
	fake_tree_init(&tree);
	place.root = tree.dir;
	fake_tree_file(&tree, "sys/kernel/debug/sched/min_granularity_ns", "1\n");
	fake_tree_file(&tree, "proc/sys/kernel/sched_migration_cost", "1\n");
	fake_tree_file(&tree, "proc/sys/vm/swappiness", "60\n");
	settings_add_pair(&settings->tunables, "base_slice_ns", "5");
	settings_add_pair(&settings->tunables, "migration_cost_ns", "6");
	settings_add_pair(&settings->sysctl, "vm.swappiness", "7");
	assert_int_equal(settings_find_knobs(&place, settings, &writes, &err), 0);
	expect_writes(&writes, expected);
	assert_int_equal(settings_check(&place, settings, &err), 0);
	settings->governor = strdup("performance");
	assert_int_equal(settings_check(&place, settings, &err), -EOPNOTSUPP);
	assert_true(settings_has_file(&place, "/proc/sys/vm/swappiness"));
	settings_free(settings);
	fake_tree_release(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_flags_of_all_kernels_have_names),
		cmocka_unit_test(test_levels_have_several_names),
		cmocka_unit_test(test_identity_is_not_the_order_nor_the_name),
		cmocka_unit_test(test_word_only_depends_on_the_kernel),
		cmocka_unit_test(test_cpusets_of_both_versions),
		cmocka_unit_test(test_knobs_are_where_the_kernel_has_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
