// SPDX-License-Identifier: GPL-2.0-or-later
/* runner/guard: what is seen of a made-up machine, and what a difference means. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/clock.h"
#include "lib/file.h"
#include "record/record.h"
#include "runner/guard.h"
#include "tests/unit/fake-tree.h"

#define CPUFREQ "sys/devices/system/cpu/cpufreq/"

static struct guard_snapshot at_start(void)
{
	struct guard_snapshot snapshot = {
		.monotonic_ns = 1000 * CLOCK_SEC,
		.boottime_ns = 1500 * CLOCK_SEC,
		.realtime_ns = 1700000000 * CLOCK_SEC,
		.has_taint = true,
		.online = "0-7",
		.online_digest = 1,
		.cpu = { .at_ns = 1000 * CLOCK_SEC,
			 .steal_ticks = 50,
			 .all_ticks = 100000 },
		.policy = { { "performance", 3000000 }, { "performance", 3000000 } },
		.nr_policies = 2,
	};

	return snapshot;
}

/* The same machine 10 s later, with nothing else changed. */
static struct guard_snapshot later(void)
{
	struct guard_snapshot snapshot = at_start();

	snapshot.monotonic_ns += 10 * CLOCK_SEC;
	snapshot.boottime_ns += 10 * CLOCK_SEC;
	snapshot.realtime_ns += 10 * CLOCK_SEC;
	snapshot.cpu.at_ns += 10 * CLOCK_SEC;
	snapshot.cpu.all_ticks += 8000;
	return snapshot;
}

static void check_report(const struct guard_snapshot *after, unsigned int flags,
			 const char *remark)
{
	const struct guard_snapshot before = at_start();
	struct guard_report report;

	guard_judge(&before, after, GUARD_MAX_FOREIGN, &report);
	assert_int_equal(report.flags, flags);
	assert_string_equal(report.suspended, "");
	assert_int_equal(report.nr_remarks, remark != NULL);
	if (remark)
		assert_string_equal(report.remarks[0], remark);
}

static void test_guard_judge_nothing(void **state)
{
	struct guard_snapshot after = later();

	(void)state;
	check_report(&after, 0, NULL);
	/* What wasn't known before can't have changed. */
	after.has_taint = false;
	after.taint = 512;
	*after.online = '\0';
	after.online_digest = 0;
	after.cpu.all_ticks = after.cpu.steal_ticks = 0;
	after.nr_policies = 0;
	check_report(&after, 0, NULL);
}

static void test_bl_109_suspend(void **state)
{
	const struct guard_snapshot before = at_start();
	struct guard_snapshot after = later();
	struct guard_report report;

	(void)state;
	after.boottime_ns += 600 * CLOCK_SEC;
	after.realtime_ns += 600 * CLOCK_SEC;
	guard_judge(&before, &after, GUARD_MAX_FOREIGN, &report);
	assert_string_equal(report.suspended,
			    "the machine was suspended for 600.0 s meanwhile");
	/* The clock of the day went on as it should. */
	assert_int_equal(report.nr_remarks, 0);
	after = later();
	after.boottime_ns += CLOCK_SEC / 100;
	guard_judge(&before, &after, GUARD_MAX_FOREIGN, &report);
	assert_string_equal(report.suspended, "");
}

static void test_guard_judge_clock_step(void **state)
{
	struct guard_snapshot after = later();

	(void)state;
	after.realtime_ns -= 3600 * CLOCK_SEC;
	check_report(&after, 0, "the clock of the day was set back by 3600.000 s");
	after = later();
	after.realtime_ns += CLOCK_SEC / 10;
	check_report(&after, 0, "the clock of the day was set forward by 0.100 s");
	after = later();
	after.realtime_ns += CLOCK_SEC / 25;
	check_report(&after, 0, NULL);
}

static void test_guard_judge_kernel(void **state)
{
	struct guard_snapshot after = later();

	(void)state;
	after.taint = 512;
	check_report(&after, RECORD_KERNEL_WARNING,
		     "the kernel's taint changed from 0 to 512");
	after = later();
	after.nr_warnings = 2;
	(void)snprintf(after.warning, sizeof(after.warning), "BUG: scheduling");
	check_report(&after, RECORD_KERNEL_WARNING,
		     "the kernel logged 2 warnings, the first: BUG: scheduling");
}

static void test_bl_047_settings(void **state)
{
	struct guard_snapshot after = later();

	(void)state;
	(void)snprintf(after.online, sizeof(after.online), "0-6");
	after.online_digest = 2;
	check_report(&after, RECORD_SETTING_CHANGED,
		     "the CPUs that are online changed from 0-7 to 0-6");
	after = later();
	(void)snprintf(after.policy[1].governor, sizeof(after.policy[1].governor),
		       "powersave");
	check_report(&after, RECORD_SETTING_CHANGED,
		     "the frequency governor changed from performance to powersave");
}

static void test_guard_judge_interference(void **state)
{
	struct guard_snapshot after = later();

	(void)state;
	after.cpu.steal_ticks += 401;
	check_report(&after, RECORD_INTERFERED,
		     "the hypervisor took at least 5.0% of the CPUs' time");
	after.cpu.steal_ticks = at_start().cpu.steal_ticks + 161;
	check_report(&after, 0, NULL);
	/* One tick of a short iteration proves nothing. */
	after.cpu.all_ticks = at_start().cpu.all_ticks + 10;
	after.cpu.steal_ticks = at_start().cpu.steal_ticks + 1;
	check_report(&after, 0, NULL);
	after = later();
	after.policy[0].khz = 1200000;
	check_report(&after, 0,
		     "a CPU's frequency was 3000 MHz before and 1200 MHz "
		     "after");
	after.policy[0].khz = 2800000;
	check_report(&after, 0, NULL);
}

/* 10 s of 8 CPUs: 8000 ticks, of which we were charged with 4000. */
static struct guard_snapshot after_work(uint64_t task_ticks)
{
	struct guard_snapshot after = later();

	after.cpu.task_ticks += task_ticks;
	after.cpu.own_ns += 40 * CLOCK_SEC;
	return after;
}

static void test_guard_judge_foreign(void **state)
{
	const struct guard_snapshot before = at_start();
	struct guard_report report;
	struct guard_snapshot after = after_work(4240);

	(void)state;
	/* 3%, in the record and below the limit. */
	check_report(&after, 0, NULL);
	guard_judge(&before, &after, GUARD_MAX_FOREIGN, &report);
	assert_true(report.has_foreign);
	assert_float_equal(report.foreign, 0.03, 1e-9);
	/* Less the 11 ticks that may have been counted wrongly. */
	after = after_work(4811);
	check_report(&after, RECORD_INTERFERED,
		     "others took at least 10.0% of the CPUs' time");
	after = after_work(4491);
	check_report(&after, 0, NULL);
	/* The other direction; interrupts may be what we were charged with. */
	after = after_work(3189);
	check_report(&after, RECORD_INTERFERED,
		     "the program was charged with at least 10.0% more of the CPUs' "
		     "time than they spent");
	after.cpu.irq_ticks += 800;
	check_report(&after, 0, NULL);
	after = after_work(3510);
	check_report(&after, 0, NULL);
}

static void test_guard_judge_foreign_too_short(void **state)
{
	const struct guard_snapshot before = at_start();
	struct guard_snapshot after = before;
	struct guard_report report;

	(void)state;
	/* 20 ms of 8 CPUs: 11 ticks of doubt are two thirds of them. */
	after.cpu.at_ns += CLOCK_SEC / 50;
	after.cpu.all_ticks += 16;
	after.cpu.task_ticks += 8;
	guard_judge(&before, &after, GUARD_MAX_FOREIGN, &report);
	assert_false(report.has_foreign);
	assert_int_equal(report.flags, 0);
	/* All of it is beyond doubt. */
	after.cpu.task_ticks += 8;
	guard_judge(&before, &after, GUARD_MAX_FOREIGN, &report);
	assert_false(report.has_foreign);
	assert_int_equal(report.flags, RECORD_INTERFERED);
}

static void test_guard_is_warning(void **state)
{
	(void)state;
	assert_true(guard_is_warning("WARNING: CPU: 3 PID: 12 at kernel/sched/core.c:9"));
	assert_true(guard_is_warning("BUG: kernel NULL pointer dereference"));
	assert_true(guard_is_warning("Oops: 0002 [#1] PREEMPT SMP"));
	assert_true(guard_is_warning("kernel BUG at mm/slub.c:42!"));
	assert_true(guard_is_warning("watchdog: BUG: soft lockup - CPU#1 stuck"));
	assert_false(guard_is_warning("Speculative Return Stack Overflow: WARNING: See "
				      "https://kernel.org/"));
	assert_false(guard_is_warning("usb 1-1: BUG in firmware"));
	assert_false(guard_is_warning("x86/bugs: WARNING"));
	assert_false(guard_is_warning(""));
}

static void fake_machine(const struct fake_tree *tree)
{
	fake_tree_file(tree, "proc/sys/kernel/tainted", "0\n");
	fake_tree_file(tree, "sys/devices/system/cpu/online", "0,2-3\n");
	fake_tree_file(tree, "dev/kmsg", "4,1,5,-;WARNING: CPU: 0 PID: 1 long ago\n");
	fake_tree_file(tree, "proc/stat", "cpu  10 20 30 40 0 0 0 5 0 0\ncpu0 1\n");
}

static void append(const struct fake_tree *tree, const char *name, const char *text)
{
	char *path = file_path("%s/%s", tree->dir, name);
	FILE *out = fopen(path, "ae");

	assert_non_null(out);
	assert_true(fputs(text, out) >= 0);
	assert_int_equal(fclose(out), 0);
	free(path);
}

static void test_guard_look_before(void **state)
{
	struct guard_snapshot first, second;
	struct guard *guard = NULL;
	struct fake_tree tree;

	(void)state;
	fake_tree_init(&tree);
	fake_machine(&tree);
	assert_int_equal(guard_open(tree.dir, &guard, NULL), 0);
	/* Without an earlier look it is a look of its own. */
	guard_look_before(guard, &first);
	assert_int_equal(first.taint, 0);
	assert_true(first.monotonic_ns > 0);
	/* The one just made stands, so what came since belongs to the next pair. */
	guard_look_before(guard, &second);
	if (second.monotonic_ns != first.monotonic_ns)
		assert_true(second.monotonic_ns - first.monotonic_ns > 100000000);
	guard_close(guard);
	fake_tree_release(&tree);
}

/* The dear files are read once in a tenth of a second, the others each time. */
static void test_guard_look_again(void **state)
{
	struct guard_snapshot first, second;
	struct guard *guard = NULL;
	struct fake_tree tree;

	(void)state;
	fake_tree_init(&tree);
	fake_machine(&tree);
	assert_int_equal(guard_open(tree.dir, &guard, NULL), 0);
	guard_look(guard, &first);
	guard_look(guard, &second);
	if (second.cpu.at_ns == first.cpu.at_ns) {
		assert_int_equal(second.cpu.all_ticks, first.cpu.all_ticks);
		assert_string_equal(second.online, first.online);
	} else {
		assert_true(second.cpu.at_ns - first.cpu.at_ns >= CLOCK_SEC / 10);
	}
	assert_true(second.monotonic_ns > first.monotonic_ns);
	guard_close(guard);
	fake_tree_release(&tree);
}

static void test_guard_look(void **state)
{
	struct guard_snapshot snapshot;
	struct guard *guard = NULL;
	struct fake_tree tree;

	(void)state;
	fake_tree_init(&tree);
	fake_machine(&tree);
	assert_int_equal(guard_open(tree.dir, &guard, NULL), 0);
	guard_look(guard, &snapshot);
	assert_true(snapshot.has_taint);
	assert_int_equal(snapshot.taint, 0);
	assert_string_equal(snapshot.online, "0,2-3");
	assert_int_equal(snapshot.cpu.all_ticks, 105);
	assert_int_equal(snapshot.cpu.task_ticks, 60);
	assert_int_equal(snapshot.cpu.steal_ticks, 5);
	assert_int_equal(snapshot.nr_policies, 0);
	/* What was logged before isn't news; neither is what a program wrote. */
	assert_int_equal(snapshot.nr_warnings, 0);
	append(&tree, "dev/kmsg",
	       "12,2,6,-;WARNING: from a program\n"
	       "4,3,7,-;Speculative Return Stack Overflow: WARNING: See x\n"
	       "4,4,8,-;WARNING: CPU: 2 PID: 7 at kernel/sched/fair.c:1\n SUBSYSTEM=x\n"
	       "1,5,9,-;BUG: another\n");
	guard_look(guard, &snapshot);
	assert_int_equal(snapshot.nr_warnings, 2);
	assert_string_equal(snapshot.warning,
			    "WARNING: CPU: 2 PID: 7 at kernel/sched/fair.c:1");
	guard_look(guard, &snapshot);
	assert_int_equal(snapshot.nr_warnings, 0);
	assert_string_equal(snapshot.warning, "");
	guard_close(guard);
	guard_close(NULL);
	fake_tree_release(&tree);
}

static void test_guard_look_policies(void **state)
{
	struct guard_snapshot snapshot;
	struct guard *guard = NULL;
	struct fake_tree tree;
	char path[96];
	unsigned int i;

	(void)state;
	fake_tree_init(&tree);
	fake_tree_file(&tree, "sys/devices/system/cpu/online", "0-63\n");
	for (i = 0; i < 64; i++) {
		(void)snprintf(path, sizeof(path), CPUFREQ "policy%u/scaling_governor",
			       i);
		fake_tree_file(&tree, path, i == 63 ? "powersave\n" : "performance\n");
		(void)snprintf(path, sizeof(path), CPUFREQ "policy%u/scaling_cur_freq",
			       i);
		fake_tree_file(&tree, path, "3000000\n");
	}
	assert_int_equal(guard_open(tree.dir, &guard, NULL), 0);
	guard_look(guard, &snapshot);
	/* A sample of them, and nothing that isn't there is made up. */
	assert_int_equal(snapshot.nr_policies, GUARD_MAX_POLICIES);
	assert_string_equal(snapshot.policy[0].governor, "performance");
	assert_int_equal(snapshot.policy[GUARD_MAX_POLICIES - 1].khz, 3000000);
	assert_false(snapshot.has_taint);
	assert_int_equal(snapshot.cpu.all_ticks, 0);
	guard_close(guard);
	fake_tree_release(&tree);
}

static void test_guard_open_nothing(void **state)
{
	struct guard_snapshot before, after;
	struct guard_report report;
	struct guard *guard = NULL;
	struct fake_tree tree;

	(void)state;
	fake_tree_init(&tree);
	assert_int_equal(guard_open(tree.dir, &guard, NULL), 0);
	guard_look(guard, &before);
	guard_look(guard, &after);
	guard_judge(&before, &after, GUARD_MAX_FOREIGN, &report);
	assert_int_equal(report.flags, 0);
	assert_int_equal(report.nr_remarks, 0);
	assert_string_equal(report.suspended, "");
	assert_true(after.monotonic_ns >= before.monotonic_ns);
	guard_close(guard);
	fake_tree_release(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_guard_judge_nothing),
		cmocka_unit_test(test_bl_109_suspend),
		cmocka_unit_test(test_guard_judge_clock_step),
		cmocka_unit_test(test_guard_judge_kernel),
		cmocka_unit_test(test_bl_047_settings),
		cmocka_unit_test(test_guard_judge_interference),
		cmocka_unit_test(test_guard_judge_foreign),
		cmocka_unit_test(test_guard_judge_foreign_too_short),
		cmocka_unit_test(test_guard_is_warning),
		cmocka_unit_test(test_guard_look),
		cmocka_unit_test(test_guard_look_again),
		cmocka_unit_test(test_guard_look_before),
		cmocka_unit_test(test_guard_look_policies),
		cmocka_unit_test(test_guard_open_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
