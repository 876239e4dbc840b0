// SPDX-License-Identifier: GPL-2.0-or-later
/* runner/grid_monitors: what a grid may say of monitors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/err.h"
#include "lib/file.h"
#include "runner/grid.h"
#include "tests/unit/fake-tree.h"

static int load(const char *monitors, struct grid **ret, struct err *err)
{
	static const char minimal[] = "schema: schedgrid-grid-1\n"
				      "name: n\n"
				      "columns: [{name: base}]\n"
				      "workloads: [{workload: pipe}]\n";
	struct fake_tree tree;
	char *path, *text;
	int bad;

	fake_tree_init(&tree);
	path = file_path("%s/grid.yaml", tree.dir);
	text = file_path("%smonitors: %s\n", minimal, monitors);
	assert_non_null(path);
	assert_non_null(text);
	fake_tree_file(&tree, "grid.yaml", text);
	*ret = NULL;
	memset(err, 0, sizeof(*err));
	bad = grid_load(path, ret, err);
	free(text);
	free(path);
	fake_tree_release(&tree);
	return bad;
}

static void accept(const char *monitors, const char *expected)
{
	struct grid *grid;
	struct err err;
	char *text;

	if (load(monitors, &grid, &err))
		fail_msg("%s: %s", monitors, err.text);
	text = monitor_text(&grid->monitors);
	assert_string_equal(text, expected);
	free(text);
	grid_free(grid);
}

static void test_all_forms(void **state)
{
	static const char all[] = "perf-stat(task-clock, context-switches, "
				  "cpu-migrations, page-faults)";

	(void)state;
	accept("[perf-stat]", all);
	accept("[{perf-stat: {}}]", all);
	accept("{perf-stat: }", all);
	accept("{perf-stat: {events: [cs]}}", "perf-stat(cs)");
	accept("[placement]", "placement");
	accept("[schedstat]", "schedstat");
	accept("{schedstat: {}, placement: , perf-stat: {events: [cs]}}",
	       "perf-stat(cs), placement, schedstat");
	accept("{placement: }", "placement");
	accept("[{placement: {}}, {perf-stat: {events: [cs]}}]",
	       "perf-stat(cs), placement");
	accept("[{perf-stat: {events: [sched:sched_switch, 'cycles:u']}}]",
	       "perf-stat(sched:sched_switch, cycles:u)");
}

static void test_none(void **state)
{
	struct grid *grid;
	struct err err;

	(void)state;
	assert_int_equal(load("[]", &grid, &err), 0);
	assert_int_equal(grid->monitors.nr_events, 0);
	grid_free(grid);
}

static void test_refusals(void **state)
{
	static const struct {
		const char *monitors, *expected;
	} refusals[] = {
		{ "[placement, placement]",
		  "5:23: monitor 'placement' is there already" },
		{ "[{placement: {cpu: 1}}]", "5:24: monitor 'placement' takes no keys" },
		{ "{placement: on}", "5:23: monitor 'placement' takes no keys" },
		{ "[placment]",
		  "5:12: unknown monitor 'placment'; expected one of perf-stat, "
		  "placement, schedstat; did you mean 'placement'?" },
		{ "[perfstat]",
		  "5:12: unknown monitor 'perfstat'; expected one of perf-stat, "
		  "placement, schedstat; did you mean 'perf-stat'?" },
		{ "[schedstat, schedstat]",
		  "5:23: monitor 'schedstat' is there already" },
		{ "{schedstat: {cpus: 0}}", "monitor 'schedstat' takes no keys" },
		{ "perf-stat", "5:11: expected a list of monitors such as [perf-stat], "
			       "not a text" },
		{ "[[perf-stat]]",
		  "5:12: expected a monitor such as perf-stat, not a list" },
		{ "[perf-stat, perf-stat]",
		  "5:23: monitor 'perf-stat' is there already" },
		{ "[perf-stat, {perf-stat: {}}]",
		  "monitor 'perf-stat' is there already" },
		{ "{perf-stat: {event: [a]}}",
		  "5:24: unknown key 'event' in 'perf-stat'; expected events" },
		{ "{perf-stat: {events: []}}",
		  "expected a list of events such as [context-switches], not" },
		{ "{perf-stat: {events: cs}}",
		  "5:32: expected a list of events such as [context-switches], not" },
		{ "{perf-stat: {events: [[cs]]}}", "expected the name of an event, not" },
		{ "{perf-stat: {events: ['a,b']}}",
		  "5:33: 'a,b' is not the name of an event" },
		{ "{perf-stat: {events: [cs, cs]}}",
		  "5:37: event 'cs' is there already" },
	};
	struct grid *grid;
	struct err err;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		if (load(refusals[i].monitors, &grid, &err) != -EINVAL)
			fail_msg("accepted: %s", refusals[i].monitors);
		if (!strstr(err.text, refusals[i].expected))
			fail_msg("'%s' is not in '%s'", refusals[i].expected, err.text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_forms),
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
