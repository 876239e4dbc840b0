// SPDX-License-Identifier: GPL-2.0-or-later
/* 'settings' of a column: what is read, and what is refused at its place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <errno.h>

#include "lib/err.h"
#include "lib/file.h"
#include "lib/json.h"
#include "runner/grid.h"
#include "runner/settings.h"
#include "tests/unit/fake-tree.h"

static int load(const char *settings, struct grid **ret, struct err *err)
{
	struct fake_tree tree;
	char text[2048];
	char *path;
	int bad;

	fake_tree_init(&tree);
	(void)snprintf(text, sizeof(text),
		       "schema: schedgrid-grid-1\nname: n\n"
		       "columns: [{name: a, settings: {%s}}]\n"
		       "workloads: [{workload: hackbench}]\n",
		       settings);
	fake_tree_file(&tree, "g.yaml", text);
	path = file_path("%s/g.yaml", tree.dir);
	assert_non_null(path);
	bad = grid_load(path, ret, err);
	free(path);
	fake_tree_release(&tree);
	return bad;
}

static void test_every_key_is_read(void **state)
{
	static const char settings[] =
		"sched_domain: {levels: [MC, NUMA], set: [SD_BALANCE_WAKE], clear: "
		"[SD_SHARE_LLC], method: module, accept: word-only}, "
		"features: [NO_TTWU_QUEUE, WA_WEIGHT], tunables: {sched_latency_ns: 5}, "
		"sysctl: {vm.swappiness: 10}, governor: performance, turbo: off, smt: "
		"off, offline: '3,5', autogroup: on, numa_balancing: off, thp: never, "
		"cpuset: {cpus: 0-1, mems: 0, partition: root}, before: [sync, "
		"drop_caches]";
	static const char expected[] =
		"{\"autogroup\":\"on\",\"before\":[\"sync\",\"drop_caches\"],\"cpuset\":{"
		"\"cpus\":\"0-1\",\"mems\":\"0\",\"partition\":\"root\"},\"features\":{"
		"\"TTWU_QUEUE\":\"off\",\"WA_WEIGHT\":\"on\"},\"governor\":\"performance\","
		"\"numa_balancing\":\"off\",\"offline\":\"3,5\",\"sched_domain\":{\"clear\":["
		"\"SD_SHARE_LLC\"],\"levels\":[\"MC\",\"NUMA\"],\"method\":\"module\","
		"\"set\":[\"SD_BALANCE_WAKE\"]},\"smt\":\"off\",\"sysctl\":{"
		"\"vm.swappiness\":\"10\"},\"thp\":\"never\",\"tunables\":{\"latency_ns\":"
		"\"5\"},\"turbo\":\"off\"}";
	struct grid *grid = NULL;
	struct err err = { 0 };
	struct jval *json;
	char *text;

	(void)state;
	if (load(settings, &grid, &err))
		fail_msg("%s", err.text);
	json = settings_json(grid->columns[0].settings);
	text = jval_write(json, JVAL_CANONICAL);
	assert_string_equal(text, expected);
	assert_true(grid->columns[0].settings->domain.accept_word_only);
	assert_int_equal(grid_make_same(grid), 0);
	assert_ptr_equal(grid->columns[0].settings, grid->columns[1].settings);
	free(text);
	jval_free(json);
	grid_free(grid);
}

/* struct refusal - what is written, and what is said of it */
struct refusal {
	const char *settings, *said;
};

static void test_refusals(void **state)
{
	static const struct refusal refusals[] = {
		{ "governors: x", "3:32: unknown key 'governors' in 'settings'" },
		{ "sched_domain: {}", "no flag is named" },
		{ "sched_domain: {set: [SD_BALANCE_WAK]}", "expected SD_BALANCE_WAKE" },
		{ "sched_domain: {set: [4671]}", "'4671' is no sched_domain flag" },
		{ "sched_domain: {set: SD_NUMA}", "expected a list of names" },
		{ "sched_domain: {set: [SD_NUMA, SD_NUMA]}", "is there twice" },
		{ "sched_domain: {set: [SD_SHARE_LLC], clear: [SD_SHARE_PKG_RESOURCES]}",
		  "in both 'set' and 'clear'" },
		{ "sched_domain: {set: [SD_NUMA], levels: [LLC]}", "level 'LLC'" },
		{ "sched_domain: {set: [SD_NUMA], levels: []}", "no level is named" },
		{ "sched_domain: {set: [SD_NUMA], levels: [DIE, PKG]}",
		  "is there twice" },
		{ "sched_domain: {set: [SD_NUMA], method: poke}", "method 'poke'" },
		{ "sched_domain: {set: [SD_NUMA], accept: any}", "effect 'any'" },
		{ "features: [WA_IDLE, NO_WA_IDLE]", "'WA_IDLE' is there twice" },
		{ "features: [NO_]", "can't be a scheduler feature" },
		{ "tunables: {../x: 1}", "can't be a tunable" },
		{ "tunables: {latency_ns: [1]}", "expected a number or word" },
		{ "sysctl: {/etc/passwd: 1}", "can't be a sysctl" },
		{ "sysctl: {kernel..x: 1}", "can't be a sysctl" },
		{ "sysctl: {kernel.core_pattern: '|/bin/sh'}",
		  "expected a number or word" },
		{ "governor: 'a/b'", "can't be a governor" },
		{ "turbo: true", "turbo 'true'" },
		{ "thp: on", "thp 'on'" },
		{ "offline: 3-1", "3:41:" },
		{ "cpuset: {mems: 0}", "'cpus' is missing" },
		{ "cpuset: {cpus: 0, partition: all}", "partition 'all'" },
		{ "before: [reboot]", "step 'reboot'" },
		{ "before: [sync, sync]", "'sync' is there twice" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		struct grid *grid = NULL;
		struct err err = { 0 };

		assert_int_equal(load(refusals[i].settings, &grid, &err), -EINVAL);
		if (!strstr(err.text, refusals[i].said))
			fail_msg("'%s' is not '%s'", err.text, refusals[i].said);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_key_is_read),
		cmocka_unit_test(test_refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
