// SPDX-License-Identifier: GPL-2.0-or-later
/* runner/schedstat: three versions with other layouts, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/err.h"
#include "runner/monitor.h"
#include "runner/schedstat.h"
#include "tests/unit/fake-tree.h"
#include "tests/unit/near.h"

#define ON		"sched_schedstats 1\n"
#define CPU(w, l, d, s) "cpu0 1 0 9 9 " #w " " #l " 77 " #d " " #s "\n"

/* Each counter of a group has a number of its own; gained is the 5th, or the 8th. */
#define GROUP_8(n) " " #n "1 " #n "2 " #n "3 " #n "4 " #n "5 " #n "6 " #n "7 " #n "8"
#define GROUP_11(n)                                                                    \
	" " #n "1 " #n "2 " #n "3 " #n "4 " #n "4 " #n "4 " #n "4 " #n "5 " #n "6 " #n \
	"7 " #n "8"
#define BEHIND " 91 92 93 0 0 0 0 0 0 94 95 96"

static const char v15[] =
	ON "version 15\ntimestamp 4295\n" CPU(100, 40, 5000, 10) "domain0 3" GROUP_8(1)
		GROUP_8(2) GROUP_8(3) BEHIND "\n";
static const char v16[] =
	ON "version 16\ntimestamp 4295\n" CPU(100, 40, 5000, 10) "domain0 3" GROUP_8(1)
		GROUP_8(2) GROUP_8(3) BEHIND "\n";
static const char v17[] = ON
	"version 17\ntimestamp 4295\n" CPU(100, 40, 5000, 10) "domain0 MC 3" GROUP_11(1)
		GROUP_11(2) GROUP_11(3) BEHIND "\n";

static void check(const char *text)
{
	struct schedstat stat;
	struct err err = { 0 };

	if (schedstat_parse(text, &stat, &err))
		fail_msg("%s", err.text);
	assert_true(stat.is_on);
	assert_true(stat.has_domains);
	assert_int_equal(stat.wakeups, 100);
	assert_int_equal(stat.local_wakeups, 40);
	assert_int_equal(stat.run_delay_ns, 5000);
	assert_int_equal(stat.timeslices, 10);
	assert_int_equal(stat.pulled, 15 + 25 + 35);
	assert_int_equal(stat.pulled_newidle, 35);
	assert_int_equal(stat.pushed, 93);
	assert_int_equal(stat.remote_wakeups, 94);
	assert_int_equal(stat.affine_wakeups, 95);
}

static void test_bl_035_versions_have_layouts_of_their_own(void **state)
{
	(void)state;
	check(v15);
	check(v16);
	check(v17);
}

static void refuse(const char *text, int code, const char *expected)
{
	struct schedstat stat;
	struct err err = { 0 };

	assert_int_equal(schedstat_parse(text, &stat, &err), code);
	if (!strstr(err.text, expected))
		fail_msg("'%s' is not in '%s'", expected, err.text);
}

static void test_what_is_not_known_is_refused(void **state)
{
	(void)state;
	refuse(ON "version 18\n" CPU(1, 1, 1, 1), -EPROTONOSUPPORT,
	       "version 18 isn't known (expected 15, 16 or 17)");
	refuse(ON "version 14\n", -EPROTONOSUPPORT, "version 14");
	refuse(ON "cpu0 1\n", -EPROTO, "doesn't begin with its version");
	refuse("version 15\n", -EPROTO, "no reading");
	refuse(ON "version 15\n", -EPROTO, "no CPU");
	refuse(ON "version 15\ncpu0 1 2 3\n", -EPROTO, "'cpu0 ...' of 4 words");
	/* A domain of version 17 in a file that says 16. */
	refuse(ON "version 16\n" CPU(1, 1, 1, 1) "domain0 MC 3" GROUP_11(1) GROUP_11(2)
		       GROUP_11(3) BEHIND "\n",
	       -EPROTO, "'domain0 ...'");
	refuse(ON "version 15\n" CPU(1, 1, -1, 1), -EPROTO, "'cpu0 ...'");
	refuse(ON "version 15\nfoo 1\n", -EPROTO, "'foo ...'");
}

static const struct record_metric *find(const struct monitor_report *report,
					const char *name)
{
	size_t i;

	for (i = 0; i < report->nr_metrics; i++)
		if (!strcmp(report->metrics[i].name, name))
			return &report->metrics[i];
	return NULL;
}

static void collect(const char *before, const char *after, struct monitor_report *ret)
{
	const struct monitors monitors = { .has_schedstat = true };
	struct fake_tree tree;

	fake_tree_init(&tree);
	assert_int_equal(monitor_schedstat_keep(tree.dir, before ? strdup(before) : NULL,
						after ? strdup(after) : NULL, NULL),
			 0);
	monitor_collect(&monitors, tree.dir, ret);
	fake_tree_release(&tree);
}

static double value(const struct monitor_report *report, const char *name)
{
	const struct record_metric *metric = find(report, name);

	if (!metric) {
		fail_msg("there is no %s", name);
		return 0.0;
	}
	assert_true(metric->secondary);
	return metric->samples[0];
}

static void test_the_difference_becomes_metrics(void **state)
{
	static struct monitor_report report;

	(void)state;
	collect(ON "version 15\n" CPU(100, 40, 5000, 10), /* one CPU has no domains */
		ON "version 15\n" CPU(300, 90, 45000, 20), &report);
	assert_int_equal(report.nr_remarks, 0);
	assert_int_equal(report.nr_metrics, 4);
	assert_near(value(&report, "ttwu"), 200.0);
	assert_near(value(&report, "ttwu-local"), 25.0);
	assert_near(value(&report, "timeslices"), 10.0);
	assert_near(value(&report, "run-delay"), 4.0);
	collect(v17, v17, &report);
	assert_near(value(&report, "pulled"), 0.0);
	assert_null(find(&report, "run-delay"));
	assert_null(find(&report, "ttwu-local"));
}

static void test_what_was_not_counted_is_absent(void **state)
{
	static struct monitor_report report;

	(void)state;
	collect("sched_schedstats 0\nversion 15\n" CPU(0, 0, 5000, 10),
		"sched_schedstats 0\nversion 15\n" CPU(0, 0, 45000, 20), &report);
	assert_int_equal(report.nr_metrics, 2);
	assert_non_null(strstr(report.remarks[0], "kernel.sched_schedstats isn't 1"));
	collect(v15, NULL, &report);
	assert_int_equal(report.nr_metrics, 0);
	assert_non_null(strstr(report.remarks[0], "schedstat: nothing counted: "));
	collect(ON "version 99\n", v15, &report);
	assert_non_null(strstr(report.remarks[0], "version 99"));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bl_035_versions_have_layouts_of_their_own),
		cmocka_unit_test(test_what_is_not_known_is_refused),
		cmocka_unit_test(test_the_difference_becomes_metrics),
		cmocka_unit_test(test_what_was_not_counted_is_absent),
	};

	return cmocka_run_group_tests_name("schedstat", tests, NULL, NULL);
}
