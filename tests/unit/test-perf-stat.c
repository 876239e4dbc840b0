// SPDX-License-Identifier: GPL-2.0-or-later
/* runner/perf_stat: what is a count, what is missing, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/err.h"
#include "lib/file.h"
#include "runner/perf_stat.h"

static int parse(const char *name, struct perf_counts *ret, struct err *err)
{
	char *path = file_path("tests/fixtures/perf-stat/%s.out", name);
	char *text = NULL;
	size_t len;
	int bad;

	memset(err, 0, sizeof(*err));
	assert_non_null(path);
	if (file_read(path, 1 << 16, &text, &len, err))
		fail_msg("%s", err->text);
	bad = perf_stat_parse(text, len, ret, err);
	free(text);
	free(path);
	return bad;
}

static void accept(const char *name, struct perf_counts *ret)
{
	struct err err;

	if (parse(name, ret, &err))
		fail_msg("%s: %s", name, err.text);
}

static void refuse(const char *name, const char *reason)
{
	struct perf_counts counts;
	struct err err;

	if (parse(name, &counts, &err) != -EPROTO)
		fail_msg("%s was not refused", name);
	if (!strstr(err.text, reason))
		fail_msg("%s: '%s' is not in '%s'", name, reason, err.text);
}

static const struct perf_count *find(const struct perf_counts *counts, const char *event)
{
	size_t i;

	for (i = 0; i < counts->nr; i++)
		if (!strcmp(counts->count[i].event, event))
			return &counts->count[i];
	fail_msg("no event '%s'", event);
	return &counts->count[0];
}

static void assert_count(const struct perf_counts *counts, const char *event,
			 const char *unit, double value)
{
	const struct perf_count *count = find(counts, event);

	assert_null(count->missing);
	assert_string_equal(count->unit, unit);
	assert_true(fabs(count->value - value) < 1e-9);
}

static void assert_missing(const struct perf_counts *counts, const char *event,
			   const char *reason)
{
	const struct perf_count *count = find(counts, event);

	assert_non_null(count->missing);
	assert_non_null(strstr(count->missing, reason));
	assert_true(isnan(count->value));
}

static void test_counts(void **state)
{
	struct perf_counts counts;

	(void)state;
	accept("good", &counts);
	assert_int_equal(counts.nr, 8);
	assert_count(&counts, "task-clock", "msec", 1.155103);
	assert_count(&counts, "context-switches", "", 0.0);
	assert_count(&counts, "page-faults", "", 113.0);
	assert_count(&counts, "duration_time", "ns", 1842475.0);
	assert_true(find(&counts, "task-clock")->running == 100.0);
}

static void test_later_perfs(void **state)
{
	struct perf_counts counts;

	(void)state;
	accept("newer", &counts);
	assert_int_equal(counts.nr, 2);
	assert_count(&counts, "task-clock", "msec", 12.34);
	assert_count(&counts, "cycles", "", 1000.0);
	assert_true(find(&counts, "cycles")->running == 75.0);
}

static void test_bl_021_user_only_is_not_zero(void **state)
{
	struct perf_counts counts;

	(void)state;
	accept("user-only", &counts);
	assert_missing(&counts, "context-switches:u", "perf_event_paranoid");
	/* The clock and the user's own faults are what they are called. */
	assert_null(find(&counts, "task-clock:u")->missing);
	assert_null(find(&counts, "page-faults:u")->missing);
	assert_null(find(&counts, "duration_time:u")->missing);
}

static void test_bl_021_user_only_tracepoint(void **state)
{
	static const char text[] =
		"{\"counter-value\" : \"0.0\", \"unit\" : \"\", \"event\" : "
		"\"sched:sched_switch:u\", \"pcnt-running\" : 100.0}\n"
		"{\"counter-value\" : \"0.0\", \"unit\" : \"\", \"event\" : "
		"\"sched:sched_switch\", \"pcnt-running\" : 100.0}\n"
		"{\"counter-value\" : \"4.0\", \"unit\" : \"\", \"event\" : "
		"\"cycles:u\", \"pcnt-running\" : 100.0}\n";
	struct perf_counts counts;

	(void)state;
	assert_int_equal(perf_stat_parse(text, strlen(text), &counts, NULL), 0);
	assert_missing(&counts, "sched:sched_switch:u", "perf_event_paranoid");
	assert_count(&counts, "sched:sched_switch", "", 0.0);
	assert_count(&counts, "cycles:u", "", 4.0);
}

static void test_bl_029_columns_of_other_flags(void **state)
{
	(void)state;
	refuse("csv", "no JSON object");
	refuse("interval-csv", "no JSON object");
	refuse("user-only-csv", "no JSON object");
	refuse("interval", "'interval'");
	refuse("per-cpu", "'cpu'");
	refuse("per-socket", "'socket'");
	refuse("repeat", "'variance'");
}

static void test_bl_049_not_supported_and_not_counted(void **state)
{
	struct perf_counts counts;

	(void)state;
	accept("good", &counts);
	assert_missing(&counts, "cycles", "not supported");
	assert_missing(&counts, "system_time", "not counted");
	accept("never-ran", &counts);
	assert_missing(&counts, "cycles", "not counted");
	assert_count(&counts, "context-switches", "", 5.0);
}

static void test_bl_055_hybrid_kinds_of_cores(void **state)
{
	struct perf_counts counts;

	(void)state;
	accept("hybrid", &counts);
	assert_int_equal(counts.nr, 3);
	assert_count(&counts, "cpu_core/cycles/", "", 100.0);
	assert_count(&counts, "cpu_atom/cycles/", "", 70.0);
	assert_true(find(&counts, "cpu_core/cycles/")->running == 60.0);
	assert_true(find(&counts, "cpu_atom/cycles/")->running == 40.0);
}

static void test_bl_103_second_output_in_one_file(void **state)
{
	(void)state;
	refuse("appended", "begins a second output");
	refuse("appended-csv", "no JSON object");
	refuse("twice", "there already");
}

static void test_bl_105_grouped_digits(void **state)
{
	(void)state;
	refuse("human-de", "no JSON object");
	refuse("human-ch", "no JSON object");
	refuse("human-fr", "no JSON object");
	refuse("grouped", "no plain number");
	refuse("comma", "no plain number");
	refuse("exponent", "no plain number");
}

static void test_broken_output(void **state)
{
	static const char *const texts[] = {
		"[]\n",
		"{}\n",
		"{\"counter-value\" : \"1\", \"unit\" : \"\"}\n",
		"{\"counter-value\" : \"1\", \"event\" : \"x\"}\n",
		"{\"counter-value\" : \"\", \"unit\" : \"\", \"event\" : \"x\"}\n",
		"{\"counter-value\" : \"-1\", \"unit\" : \"\", \"event\" : \"x\"}\n",
		"{\"counter-value\" : \"nan\", \"unit\" : \"\", \"event\" : \"x\"}\n",
		"{\"counter-value\" : \"1.\", \"unit\" : \"\", \"event\" : \"x\"}\n",
		"{\"counter-value\" : null, \"unit\" : \"\", \"event\" : \"x\"}\n",
	};
	struct perf_counts counts;
	size_t i;

	(void)state;
	refuse("truncated", "no whole JSON object");
	refuse("nothing", "counted nothing");
	assert_int_equal(perf_stat_parse("", 0, &counts, NULL), -EPROTO);
	assert_int_equal(perf_stat_parse("{}\0\n", 4, &counts, NULL), -EPROTO);
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (perf_stat_parse(texts[i], strlen(texts[i]), &counts, NULL) != -EPROTO)
			fail_msg("accepted: %s", texts[i]);
}

static void test_names_that_perf_adds_to(void **state)
{
	(void)state;
	assert_true(perf_stat_is_of("cycles", "cycles"));
	assert_true(perf_stat_is_of("cycles:u", "cycles"));
	assert_true(perf_stat_is_of("cycles:u", "cycles:u"));
	assert_true(perf_stat_is_of("cpu_core/cycles/", "cycles"));
	assert_true(perf_stat_is_of("cpu_core/cycles/u", "cycles"));
	assert_true(perf_stat_is_of("sched:sched_switch", "sched:sched_switch"));
	assert_true(perf_stat_is_of("sched:sched_switch:u", "sched:sched_switch"));
	assert_false(perf_stat_is_of("cpu_core/cycles-ct/", "cycles"));
	assert_false(perf_stat_is_of("cycles-ct", "cycles"));
	assert_false(perf_stat_is_of("cycles", "cycles:u"));
	assert_false(perf_stat_is_of("sched:sched_switch", "sched"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_later_perfs),
		cmocka_unit_test(test_bl_021_user_only_is_not_zero),
		cmocka_unit_test(test_bl_021_user_only_tracepoint),
		cmocka_unit_test(test_bl_029_columns_of_other_flags),
		cmocka_unit_test(test_bl_049_not_supported_and_not_counted),
		cmocka_unit_test(test_bl_055_hybrid_kinds_of_cores),
		cmocka_unit_test(test_bl_103_second_output_in_one_file),
		cmocka_unit_test(test_bl_105_grouped_digits),
		cmocka_unit_test(test_broken_output),
		cmocka_unit_test(test_names_that_perf_adds_to),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
