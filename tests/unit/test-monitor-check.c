// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of events against what perf knows, by a script in the place of perf. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/err.h"
#include "lib/file.h"
#include "lib/proc.h"
#include "runner/monitor.h"
#include "tests/unit/fake-tree.h"

/* Complains as perf does, of the first event in its list that it can't have. */
static const char script[] =
	"#!/bin/sh\n"
	"complain() {\n"
	"	printf \"event syntax error: '%s'\\n   \\\\___ %s\\n\" \"$1\" \"$2\" >&2\n"
	"	exit 129\n"
	"}\n"
	"case \"$*\" in\n"
	"'list --raw-dump') echo 'task-clock sched:sched_switch pmu/top/'; exit ;;\n"
	"esac\n"
	"for event in $(echo \"$6\" | tr , ' '); do\n"
	"	case $event in\n"
	"	*bogus*) complain \"$event\" 'parser error' ;;\n"
	"	sched:*switc) complain \"$event\" 'unknown tracepoint' ;;\n"
	"	sched:*) complain \"$event\" \"can't access trace events\" ;;\n"
	"	*/*) complain \"$event\" 'Cannot find PMU. Missing kernel support?' ;;\n"
	"	esac\n"
	"done\n"
	"[ \"$5\" = -e ]\n";

/* Which of the events is refused, with @text; -1: none. */
static int check(const char *const *events, const char *text, const char *nearest)
{
	struct monitors monitors = { 0 };
	struct monitor_tools tools = { 0 };
	struct fake_tree tree;
	struct err err = { 0 };
	size_t idx = 0;
	char *found;
	int bad;

	fake_tree_init(&tree);
	fake_tree_file(&tree, "perf", script);
	tools.perf.path = file_path("%s/perf", tree.dir);
	tools.witness.path = tools.perf.path;
	assert_int_equal(chmod(tools.perf.path, 0755), 0);
	for (; *events; events++)
		assert_int_equal(monitor_add_event(&monitors, *events, &err), 0);
	bad = monitor_check(&monitors, &tools, &idx, &err);
	if (bad) {
		assert_int_equal(bad, -EINVAL);
		assert_string_equal(err.text, text);
		found = monitor_nearest(monitors.events[idx], &tools);
		if (nearest)
			assert_string_equal(found, nearest);
		else
			assert_null(found);
		free(found);
	}
	monitors_release(&monitors);
	free(tools.perf.path);
	fake_tree_release(&tree);
	return bad ? (int)idx : -1;
}

static void test_a_name_that_perf_does_not_know(void **state)
{
	static const char *const bogus[] = { "cycles", "bogus", NULL };
	static const char *const point[] = { "sched:sched_switc", NULL };
	static const char *const behind[] = { "pmu/top/", "sched:x", "bogus", NULL };

	(void)state;
	assert_int_equal(check(bogus, "parser error", NULL), 1);
	assert_int_equal(check(point, "unknown tracepoint", "sched:sched_switch"), 0);
	/* Also behind those that only this machine can't count. */
	assert_int_equal(check(behind, "parser error", NULL), 2);
}

static void test_what_the_machine_lacks_is_no_mistake(void **state)
{
	static const char *const fine[] = { "cycles", "page-faults", NULL };
	static const char *const pmu[] = { "cpu_core/cycles/", "cycles", NULL };
	static const char *const point[] = { "sched:sched_switch", NULL };

	(void)state;
	assert_int_equal(check(fine, NULL, NULL), -1);
	assert_int_equal(check(pmu, NULL, NULL), -1);
	assert_int_equal(check(point, NULL, NULL), -1);
}

/* What monitor_probe() says of a perf of this content. */
static void probe_says(const char *content, const char *text)
{
	struct monitors wanted = { 0 };
	struct monitors usable = { 0 };
	struct monitor_tools tools = { 0 };
	struct proc_watch watch;
	struct fake_tree tree;
	struct err err = { 0 };
	char *note = NULL;

	fake_tree_init(&tree);
	fake_tree_file(&tree, "perf", content);
	tools.perf.path = file_path("%s/perf", tree.dir);
	tools.witness.path = tools.perf.path;
	assert_int_equal(chmod(tools.perf.path, 0755), 0);
	assert_int_equal(monitor_add_event(&wanted, "cycles", &err), 0);
	assert_int_equal(monitor_add_event(&wanted, "page-faults", &err), 0);
	assert_int_equal(proc_watch_open(&watch, NULL), 0);
	assert_int_equal(monitor_probe(&wanted, &tools, &watch, &usable, &note, &err),
			 -EOPNOTSUPP);
	proc_watch_close(&watch);
	assert_null(note);
	if (!strstr(err.text, text))
		fail_msg("'%s' is not in '%s'", text, err.text);
	assert_null(strstr(err.text, "perf_event_paranoid"));
	monitors_release(&wanted);
	monitors_release(&usable);
	free(tools.perf.path);
	fake_tree_release(&tree);
}

static void test_a_perf_that_is_no_program_is_told_as_that(void **state)
{
	(void)state;
	probe_says("", "/perf': Exec format error");
	probe_says("#!/bin/sh\nkill -9 $$\n", "/perf' was killed by signal 9");
	probe_says("#!/bin/sh\nexec yes >&2\n", "/perf' was killed by signal 25");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_name_that_perf_does_not_know),
		cmocka_unit_test(test_what_the_machine_lacks_is_no_mistake),
		cmocka_unit_test(test_a_perf_that_is_no_program_is_told_as_that),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
