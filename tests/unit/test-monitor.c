// SPDX-License-Identifier: GPL-2.0-or-later
/* runner/monitor: commands under perf stat, how they ended, what was counted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "benchmarks/native.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/json.h"
#include "lib/proc.h"
#include "runner/monitor.h"
#include "runner/program.h"
#include "tests/unit/fake-tree.h"

/* As wait() tells it. */
#define EXITED(code) ((code) << 8)

static struct monitors want(const char *const *events)
{
	struct monitors monitors = { 0 };

	for (; *events; events++)
		assert_int_equal(monitor_add_event(&monitors, *events, NULL), 0);
	return monitors;
}

/* Output of a fixture as that of an iteration. */
static void copy_fixture(const struct fake_tree *tree, const char *fixture,
			 const char *name)
{
	char *path = file_path("tests/fixtures/perf-stat/%s", fixture);
	char *text = NULL;

	assert_non_null(path);
	assert_int_equal(file_read(path, 1 << 16, &text, NULL, NULL), 0);
	fake_tree_file(tree, name, text);
	free(text);
	free(path);
}

static const char *has_remark(const struct monitor_report *report, const char *part)
{
	size_t i;

	for (i = 0; i < report->nr_remarks; i++)
		if (strstr(report->remarks[i], part))
			return report->remarks[i];
	fail_msg("no remark '%s'", part);
	return NULL;
}

static double sample(const struct monitor_report *report, const char *name)
{
	size_t i;

	for (i = 0; i < report->nr_metrics; i++)
		if (!strcmp(report->metrics[i].name, name))
			return report->metrics[i].samples[0];
	fail_msg("no metric '%s'", name);
	return 0.0;
}

static void test_events_are_names(void **state)
{
	static const char *const bad[] = { "", "-a", "a,b", "{a}", "a b", "a;b", "$(a)" };
	static const char *const good[] = { "context-switches", "sched:sched_switch",
					    "cpu/config=0x3c/", "cycles:u", NULL };
	struct monitors monitors = want(good);
	struct err err = { 0 };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (monitor_add_event(&monitors, bad[i], NULL) != -EINVAL)
			fail_msg("accepted: '%s'", bad[i]);
	assert_int_equal(monitor_add_event(&monitors, "cycles:u", &err), -EINVAL);
	assert_non_null(strstr(err.text, "there already"));
	for (i = monitors.nr_events; i < MONITOR_MAX_EVENTS; i++) {
		char name[] = "event-a";

		name[6] = (char)('a' + i);
		assert_int_equal(monitor_add_event(&monitors, name, NULL), 0);
	}
	assert_int_equal(monitor_add_event(&monitors, "one-more", NULL), -EINVAL);
	monitors_release(&monitors);
	assert_int_equal(monitors.nr_events, 0);
}

static void test_defaults_need_no_hardware(void **state)
{
	struct monitors monitors = { 0 };
	char *text;

	(void)state;
	assert_int_equal(monitor_add_defaults(&monitors, NULL), 0);
	text = monitor_text(&monitors);
	assert_string_equal(text, "perf-stat(task-clock, context-switches, "
				  "cpu-migrations, page-faults)");
	free(text);
	monitors_release(&monitors);
}

static void test_command_is_wrapped(void **state)
{
	static const char *const events[] = { "task-clock", "cs", NULL };
	static const char *const expected[] = {
		"/p/perf",	"stat",		 "-j", "-o",	     MONITOR_FILE,
		"-e",		"task-clock,cs", "--", "/s/witness", MONITOR_END,
		"/s/hackbench", "--groups=4"
	};
	struct monitors monitors = want(events);
	struct bench_command command = { 0 };
	size_t i;

	(void)state;
	assert_int_equal(bench_arg(&command, "hackbench"), 0);
	assert_int_equal(bench_arg(&command, "--groups=4"), 0);
	assert_int_equal(monitor_wrap(&monitors, "/p/perf", "/s/witness", "/s/hackbench",
				      &command),
			 0);
	assert_int_equal(command.nr_args, sizeof(expected) / sizeof(expected[0]));
	for (i = 0; i < command.nr_args; i++)
		assert_string_equal(command.argv[i], expected[i]);
	assert_null(command.argv[i]);
	bench_command_release(&command);
	monitors_release(&monitors);
}

static void test_identity_is_the_events(void **state)
{
	static const char *const events[] = { "cs", NULL };
	struct monitors monitors = want(events);
	struct jval *json = monitors_json(&monitors);
	char *text = jval_write(json, JVAL_LINE);

	(void)state;
	assert_string_equal(text, "{\"perf-stat\":{\"events\":[\"cs\"]}}");
	free(text);
	jval_free(json);
	monitors_release(&monitors);
}

static void test_absent_perf_names_its_package(void **state)
{
	struct monitor_tools tools = { 0 };
	struct err err = { 0 };

	(void)state;
	assert_int_equal(monitor_missing(&err), -ENOENT);
	assert_non_null(strstr(err.text, "perf-stat"));
	assert_non_null(strstr(err.text, "linux-perf"));
	assert_int_equal(monitor_find(&tools, &err), 0);
	assert_string_equal(tools.perf.name, "perf");
	assert_non_null(strstr(tools.witness.path, "/witness"));
	monitor_tools_release(&tools);
}

static void test_counts_become_metrics(void **state)
{
	static const char *const events[] = { "task-clock",	 "context-switches",
					      "page-faults",	 "cycles",
					      "cgroup-switches", NULL };
	struct monitors monitors = want(events);
	struct monitor_report report;
	struct fake_tree tree;

	(void)state;
	fake_tree_init(&tree);
	copy_fixture(&tree, "good.out", MONITOR_FILE);
	monitor_collect(&monitors, tree.dir, &report);
	assert_true(sample(&report, "task-clock") > 1.0);
	assert_true(sample(&report, "page-faults") == 113.0);
	assert_true(sample(&report, "context-switches") == 0.0);
	assert_true(report.metrics[0].secondary);
	assert_false(report.metrics[0].better_higher);
	assert_string_equal(report.metrics[0].unit, "msec");
	/* Missing ones are told and have no sample. */
	has_remark(&report, "cycles not supported");
	has_remark(&report, "cgroup-switches not counted");
	assert_int_equal(report.nr_metrics, 6);
	fake_tree_release(&tree);
	monitors_release(&monitors);
}

static void test_bl_021_user_only_has_no_metric(void **state)
{
	static const char *const events[] = { "context-switches", "task-clock", NULL };
	struct monitors monitors = want(events);
	struct monitor_report report;
	struct fake_tree tree;
	size_t i;

	(void)state;
	fake_tree_init(&tree);
	copy_fixture(&tree, "user-only.out", MONITOR_FILE);
	monitor_collect(&monitors, tree.dir, &report);
	for (i = 0; i < report.nr_metrics; i++)
		assert_null(strstr(report.metrics[i].name, "context-switches"));
	has_remark(&report, "context-switches:u not measurable");
	fake_tree_release(&tree);
	monitors_release(&monitors);
}

static void test_bl_055_low_running_share_is_told(void **state)
{
	static const char *const events[] = { "cycles", "context-switches", NULL };
	struct monitors monitors = want(events);
	struct monitor_report report;
	struct fake_tree tree;

	(void)state;
	fake_tree_init(&tree);
	copy_fixture(&tree, "hybrid.out", MONITOR_FILE);
	monitor_collect(&monitors, tree.dir, &report);
	assert_true(sample(&report, "cpu_core/cycles/") == 100.0);
	assert_true(sample(&report, "cpu_atom/cycles/") == 70.0);
	assert_int_equal(report.nr_metrics, 3);
	assert_int_equal(report.nr_remarks, 1);
	has_remark(&report, "cpu_core/cycles/ 60%, cpu_atom/cycles/ 40%");
	fake_tree_release(&tree);
	monitors_release(&monitors);
}

static void test_no_counts_spoil_nothing(void **state)
{
	static const char *const events[] = { "cs", NULL };
	static const char *const fixtures[] = { "csv.out", "appended.out",
						"human-de.out" };
	struct monitors monitors = want(events);
	struct monitor_report report;
	struct fake_tree tree;
	size_t i;

	(void)state;
	fake_tree_init(&tree);
	monitor_collect(&monitors, tree.dir, &report);
	assert_int_equal(report.nr_metrics, 0);
	has_remark(&report, "nothing counted");
	for (i = 0; i < sizeof(fixtures) / sizeof(fixtures[0]); i++) {
		copy_fixture(&tree, fixtures[i], MONITOR_FILE);
		monitor_collect(&monitors, tree.dir, &report);
		assert_int_equal(report.nr_metrics, 0);
		has_remark(&report, "nothing counted: line");
	}
	fake_tree_release(&tree);
	monitors_release(&monitors);
}

static void test_bl_007_end_is_the_programs_own(void **state)
{
	static const struct {
		const char *text;
		int status;
	} cases[] = {
		{ "exited 0\n", 0 },
		{ "exited 3\n", EXITED(3) },
		{ "exited 129\n", EXITED(129) },
		{ "exited 255\n", EXITED(255) },
		{ "killed 9\n", 9 },
		{ "killed 11\n", 11 },
	};
	struct fake_tree tree;
	size_t i;

	(void)state;
	fake_tree_init(&tree);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int status = -1;

		fake_tree_file(&tree, MONITOR_END, cases[i].text);
		assert_int_equal(monitor_end(tree.dir, &status), 0);
		assert_int_equal(status, cases[i].status);
	}
	fake_tree_release(&tree);
}

static void test_bl_123_perf_failed_before_the_program(void **state)
{
	static const char *const texts[] = { "", "exited\n", "exited 256\n", "killed 0\n",
					     "stopped 3\n" };
	struct fake_tree tree;
	int status = 7;
	size_t i;

	(void)state;
	fake_tree_init(&tree);
	assert_int_equal(monitor_end(tree.dir, &status), -ENODATA);
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		fake_tree_file(&tree, MONITOR_END, texts[i]);
		assert_int_equal(monitor_end(tree.dir, &status), -ENODATA);
	}
	assert_int_equal(status, 7);
	fake_tree_release(&tree);
}

/* How the witness of this build says that a shell command ended. */
static int witnessed(const char *text)
{
	struct proc_spec spec = { .timeout_ns = UINT64_C(20000000000) };
	struct bench_command command = { 0 };
	struct monitor_tools tools = { 0 };
	struct proc_result result;
	struct proc_watch watch;
	struct fake_tree tree;
	int status;

	fake_tree_init(&tree);
	assert_int_equal(monitor_find(&tools, NULL), 0);
	assert_int_equal(bench_arg(&command, "witness"), 0);
	assert_int_equal(bench_arg(&command, MONITOR_END), 0);
	assert_int_equal(bench_arg(&command, "/bin/sh"), 0);
	assert_int_equal(bench_arg(&command, "-c"), 0);
	assert_int_equal(bench_arg(&command, "%s", text), 0);
	spec.path = tools.witness.path;
	spec.argv = command.argv;
	spec.dir = tree.dir;
	assert_int_equal(proc_watch_open(&watch, NULL), 0);
	assert_int_equal(proc_run(&watch, &spec, &result, NULL), 0);
	proc_watch_close(&watch);
	assert_int_equal(monitor_end(tree.dir, &status), 0);
	bench_command_release(&command);
	monitor_tools_release(&tools);
	fake_tree_release(&tree);
	return status;
}

static void test_bl_007_witness(void **state)
{
	(void)state;
	assert_int_equal(witnessed("exit 0"), 0);
	assert_int_equal(witnessed("exit 129"), EXITED(129));
	assert_int_equal(witnessed("kill -9 $$"), 9);
}

/* A perf that counts context switches, and refuses others as the real one does. */
static char *fake_perf(const struct fake_tree *tree, const char *rest)
{
	static const char line[] =
		"{\"counter-value\":\"%s\",\"unit\":\"\",\"event\":\"%s\","
		"\"pcnt-running\":100.0}";
	char *path = file_path("%s/perf", tree->dir);
	char *text = NULL;
	char *fixtures = realpath("tests/fixtures/perf-stat", NULL);

	assert_non_null(path);
	assert_non_null(fixtures);
	text = file_path("#!/bin/sh\n"
			 "say() { printf '%s\\n' \"$1\" \"$2\" > \"$file\"; exit 0; }\n"
			 "file=$4 event=$6\n"
			 "case $event in\n"
			 "sched:*) cat %s/tracepoint-refused.err >&2; exit 129;;\n"
			 "cycles) say '<not supported>' cycles;;\n"
			 "idle) say '<not counted>' idle;;\n"
			 "%s\n"
			 "*) say 5 $event;;\n"
			 "esac\n",
			 line, fixtures, rest);
	assert_non_null(text);
	fake_tree_file(tree, "perf", text);
	assert_int_equal(chmod(path, 0755), 0);
	free(fixtures);
	free(text);
	return path;
}

static int probe(const char *perf, const char *const *events, struct monitors *ret,
		 char **ret_note, struct err *err)
{
	char witness[] = "/nowhere/witness";
	const struct monitor_tools tools = { .perf.path = (char *)(uintptr_t)perf,
					     .witness.path = witness };
	struct monitors wanted = want(events);
	struct proc_watch watch;
	int bad;

	assert_int_equal(proc_watch_open(&watch, NULL), 0);
	bad = monitor_probe(&wanted, &tools, &watch, ret, ret_note, err);
	proc_watch_close(&watch);
	monitors_release(&wanted);
	return bad;
}

static void test_bl_123_optional_events_are_skipped(void **state)
{
	static const char *const events[] = { "context-switches", "sched:sched_switch",
					      "cycles", "idle", NULL };
	struct fake_tree tree;
	struct monitors left;
	struct err err = { 0 };
	char *note;
	char *perf;

	(void)state;
	fake_tree_init(&tree);
	perf = fake_perf(&tree, "");
	assert_int_equal(probe(perf, events, &left, &note, &err), 0);
	assert_int_equal(left.nr_events, 2);
	assert_string_equal(left.events[0], "context-switches");
	assert_string_equal(left.events[1], "idle");
	assert_non_null(note);
	assert_null(strchr(note, '\n'));
	assert_non_null(strstr(note, "'sched:sched_switch': can't access trace events"));
	assert_non_null(strstr(note, "'cycles': not supported"));
	free(note);
	monitors_release(&left);
	free(perf);
	fake_tree_release(&tree);
}

static void test_bl_077_refused_perf_names_what_to_change(void **state)
{
	static const char *const events[] = { "context-switches", NULL };
	struct fake_tree tree;
	struct monitors left;
	struct err err = { 0 };
	char *rest = realpath("tests/fixtures/perf-stat/system-wide-refused.err", NULL);
	char *line = file_path("context-*) cat %s >&2; exit 255;;", rest);
	char *note;
	char *perf;

	(void)state;
	fake_tree_init(&tree);
	perf = fake_perf(&tree, line);
	assert_int_equal(probe(perf, events, &left, &note, &err), -EOPNOTSUPP);
	assert_null(note);
	assert_int_equal(left.nr_events, 0);
	assert_non_null(strstr(err.text, "perf_event_paranoid"));
	assert_non_null(strstr(err.text, "Access to performance monitoring"));
	assert_null(strchr(err.text, '\n'));
	free(perf);
	free(line);
	free(rest);
	fake_tree_release(&tree);
}

static void test_perf_and_witness_are_tasks_too(void **state)
{
	struct bench_needs needs = { .tasks = 4 };
	struct bench_needs unknown = { .fds = 7 };
	struct monitors monitors = { 0 };

	(void)state;
	monitor_add_needs(&monitors, &needs);
	assert_int_equal(needs.tasks, 4);
	assert_int_equal(monitor_add_event(&monitors, "cycles", NULL), 0);
	monitor_add_needs(&monitors, &needs);
	assert_int_equal(needs.tasks, 6);
	monitor_add_needs(&monitors, &unknown);
	assert_int_equal(unknown.tasks, 0);
	monitors_release(&monitors);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_perf_and_witness_are_tasks_too),
		cmocka_unit_test(test_events_are_names),
		cmocka_unit_test(test_defaults_need_no_hardware),
		cmocka_unit_test(test_command_is_wrapped),
		cmocka_unit_test(test_identity_is_the_events),
		cmocka_unit_test(test_absent_perf_names_its_package),
		cmocka_unit_test(test_counts_become_metrics),
		cmocka_unit_test(test_bl_021_user_only_has_no_metric),
		cmocka_unit_test(test_bl_055_low_running_share_is_told),
		cmocka_unit_test(test_no_counts_spoil_nothing),
		cmocka_unit_test(test_bl_007_end_is_the_programs_own),
		cmocka_unit_test(test_bl_007_witness),
		cmocka_unit_test(test_bl_123_perf_failed_before_the_program),
		cmocka_unit_test(test_bl_123_optional_events_are_skipped),
		cmocka_unit_test(test_bl_077_refused_perf_names_what_to_change),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
